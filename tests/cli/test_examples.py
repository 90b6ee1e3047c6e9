"""The example treebanks are well formed and are what their generator writes."""

import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GRAFT_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
EXAMPLES = SOURCE / "examples"
PAIRS = (("zh-en", "zh"), ("de-en", "de"))
SPLITS = (("train", 2000), ("dev", 200), ("test", 200))
Row = collections.namedtuple("Row", "id form lemma upos xpos feats head deprel deps misc")


def read_trees(path):
    """Sentences of a CoNLL-U file as lists of rows."""
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n\n")
    return [
        [Row(*line.split("\t")) for line in block.split("\n") if not line.startswith("#")]
        for block in text[:-2].split("\n\n")
    ]


def lines(path):
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n")
    return text[:-1].split("\n")


def load(pair, language, split):
    folder = EXAMPLES / pair
    return (
        read_trees(folder / f"{split}.{language}.conllu"),
        lines(folder / f"{split}.en"),
        lines(folder / f"{split}.align"),
    )


class TreebankTest(unittest.TestCase):
    def test_files_are_in_step_and_of_the_promised_size(self):
        for pair, language in PAIRS:
            for split, count in SPLITS:
                trees, english, links = load(pair, language, split)
                self.assertGreaterEqual(len(trees), count, f"{pair} {split}")
                self.assertEqual((len(trees), len(trees)), (len(english), len(links)), f"{pair} {split}")
            for path in (EXAMPLES / pair).iterdir():
                self.assertLess(path.stat().st_size, 1000 * 1024, path)

    def test_trees_have_one_root_and_no_cycle(self):
        for pair, language in PAIRS:
            for split, _ in SPLITS:
                for tree in load(pair, language, split)[0]:
                    text = " ".join(row.form for row in tree)
                    self.assertEqual([row.id for row in tree], [str(i) for i in range(1, len(tree) + 1)], text)
                    self.assertTrue(4 <= len(tree) <= 20, text)
                    heads = [int(row.head) for row in tree]
                    self.assertEqual(heads.count(0), 1, text)
                    for row in tree:
                        self.assertEqual(row.deprel == "root", row.head == "0", text)
                        self.assertTrue(row.upos.isupper() and row.xpos != "_", text)
                        node, seen = int(row.id), set()
                        while node:
                            self.assertNotIn(node, seen, text)
                            self.assertLessEqual(node, len(tree), text)
                            seen.add(node)
                            node = heads[node - 1]

    def test_links_are_in_range_sorted_and_cover_most_words(self):
        for pair, language in PAIRS:
            linked = words = 0
            for split, _ in SPLITS:
                for tree, english, line in zip(*load(pair, language, split)):
                    links = [tuple(map(int, link.split("-"))) for link in line.split()]
                    self.assertTrue(links, english)
                    self.assertEqual(links, sorted(set(links)), english)
                    self.assertTrue(
                        all(0 <= i < len(tree) and 0 <= j < len(english.split()) for i, j in links), english
                    )
                    linked += len({i for i, _ in links})
                    words += len(tree)
            self.assertGreater(linked / words, 0.85, pair)

    def test_no_held_out_sentence_is_in_training(self):
        for pair, language in PAIRS:
            seen = collections.Counter()
            for split, _ in SPLITS:
                trees, english, _ = load(pair, language, split)
                for tree, line in zip(trees, english):
                    seen[" ".join(row.form for row in tree)] += 1
                    seen["en " + line] += 1
            self.assertEqual([text for text, count in seen.items() if count > 1], [], pair)

    def test_held_out_sets_have_no_unknown_word(self):
        for pair, language in PAIRS:
            trees, english, _ = load(pair, language, "train")
            source, target = {row.form for tree in trees for row in tree}, {
                token for line in english for token in line.split()
            }
            self.assertGreaterEqual(len(source), 400, pair)
            for split in ("dev", "test"):
                trees, english, _ = load(pair, language, split)
                self.assertLessEqual({row.form for tree in trees for row in tree}, source, pair)
                self.assertLessEqual({token for line in english for token in line.split()}, target, pair)


class PhenomenaTest(unittest.TestCase):
    """What the systems differ on is there, in training and in test."""

    def sources(self, pair, language, split):
        return [" ".join(row.form for row in tree) for tree in load(pair, language, split)[0]]

    def check(self, pair, language, split, least, patterns):
        """Each pattern, words in this order with or without others between, is in at least so many sentences."""
        sources = self.sources(pair, language, split)
        for pattern in patterns:
            found = 0
            for source in sources:
                rest = iter(source.split())
                found += all(part in rest for part in pattern.split())
            self.assertGreaterEqual(found, least, f"{pattern} in {pair} {split}")

    def test_chinese(self):
        patterns = [
            "对 感 兴趣",
            "在 举行",
            "从 起",
            "在 上 了",
            "在 里",
            "把 了",
            "被 了",
            "当 的 时候",
            "虽然 从来 过",
            "因为 所以",
            "除了 以外",
            "给 打 了 电话",
            "在 的 帮助 下",
            "着",
            "无关",
            "一样",
            "帮 的 忙",
        ]
        self.check("zh-en", "zh", "train", 10, patterns + ["与 无关", "与 有关", "跟 一样", "虽然 但是", "为 准备"])
        self.check("zh-en", "zh", "test", 1, patterns)

    def test_german(self):
        patterns = [
            ", weil",
            "Weil ,",
            "um zu",
            ", um",
            "sich für",
            "nicht",
            "wurde von",
            "als auch",
            ", die",
            ", dass",
            "hat eingeladen",
        ]
        self.check("de-en", "de", "train", 5, patterns + ["ruft an", "schaltet aus", "zur Verfügung", "Wenn hat"])
        self.check("de-en", "de", "test", 1, patterns[:-1])
        for split, least in (("train", 300), ("test", 20)):
            separated = sum(row.deprel == "compound:prt" for tree in load("de-en", "de", split)[0] for row in tree)
            self.assertGreaterEqual(separated, least, split)

    def test_prepositions_head_their_phrases_in_chinese_and_hang_on_the_noun_in_german(self):
        zh, de = load("zh-en", "zh", "train")[0], load("de-en", "de", "train")[0]
        heads = [row for tree in zh for row in tree if row.deprel == "pobj" and tree[int(row.head) - 1].xpos == "P"]
        self.assertGreater(len(heads), 500)
        cases = {
            tree[int(row.head) - 1].upos for tree in de for row in tree if row.xpos == "APPR" and row.deprel == "case"
        }
        self.assertLessEqual(cases, {"NOUN", "PROPN", "PRON"})

    def test_separated_prefix_and_verb_share_their_english_word(self):
        count = 0
        for tree, english, line in zip(*load("de-en", "de", "train")):
            links = collections.defaultdict(set)
            for i, j in (map(int, link.split("-")) for link in line.split()):
                links[i].add(j)
            for row in tree:
                if row.deprel == "compound:prt":
                    count += 1
                    self.assertTrue(links[int(row.id) - 1] & links[int(row.head) - 1], english)
        self.assertGreater(count, 200)


class GeneratorTest(unittest.TestCase):
    def test_writes_the_committed_files(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [sys.executable, str(EXAMPLES.parent / "tools" / "generate_examples.py"), folder],
                check=True,
                timeout=300,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            )
            for pair, language in PAIRS:
                written = sorted(path.name for path in (pathlib.Path(folder) / pair).iterdir())
                self.assertEqual(written, sorted(path.name for path in (EXAMPLES / pair).iterdir()))
                for name in written:
                    self.assertEqual(
                        (pathlib.Path(folder) / pair / name).read_bytes(),
                        (EXAMPLES / pair / name).read_bytes(),
                        f"{pair}/{name}: run tools/generate_examples.py",
                    )


if __name__ == "__main__":
    unittest.main()

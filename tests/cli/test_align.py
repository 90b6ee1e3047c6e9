"""`graft align`: links, symmetrisation, scores, determinism, errors."""
import lzma
import os
import random
import re
import subprocess
import unittest

from graft_calls import GRAFT, GraftTest, run

SOURCE = os.environ.get("GRAFT_SOURCE", ".")
METHODS = ("hmm", "ibm1")
HEURISTICS = ("grow-diag-final-and", "grow-diag-final", "grow-diag", "intersect", "union")


def parse(text):
    return [set(line.split()) for line in text.split("\n")[:-1]]


def generated(pairs, seed=1):
    """Source and target text of a toy language pair: word by word, neighbours swapped now and then."""
    numbers = random.Random(seed)
    source, target = [], []
    for _ in range(pairs):
        words = [int(60 * numbers.random() ** 2) for _ in range(numbers.randint(1, 9))]
        source.append(" ".join(f"s{w}" for w in words))
        for i in range(len(words) - 1):
            if numbers.random() < 0.2:
                words[i], words[i + 1] = words[i + 1], words[i]
        target.append(" ".join(f"t{w}" for w in words))
    return "\n".join(source) + "\n", "\n".join(target) + "\n"


class AlignTest(GraftTest):
    def setUp(self):
        self.folder = self.own_folder()

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
        return path

    def align(self, *arguments, stdin=""):
        return run("align", *arguments, stdin=stdin.encode())

    def links(self, *arguments, stdin=""):
        result = self.align(*arguments, stdin=stdin)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode()

    def error(self, *arguments, stdin=""):
        output = self.path("unwanted")
        result = self.align("-o", output, *arguments, stdin=stdin)
        self.assertEqual(result.returncode, 1, result.stderr.decode())
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("unwanted")], [])
        message = result.stderr.decode()
        self.assertRegex(message, r"^graft: error: .*\n$")
        return message

    def toy(self, pairs=300):
        source, target = generated(pairs)
        return self.path("toy.s", source), self.path("toy.t", target)

    def test_finds_the_words_of_a_toy_language(self):
        source, target = self.toy()
        lines = self.links(source, target).split("\n")[:-1]
        right = total = 0
        with open(source) as s, open(target) as t:
            for s_line, t_line, line in zip(s, t, lines, strict=True):
                s_words, t_words = s_line.split(), t_line.split()
                for link in line.split():
                    i, j = map(int, link.split("-"))
                    right += s_words[i][1:] == t_words[j][1:]
                    total += 1
        self.assertGreater(right / total, 0.97)

    def test_same_bytes_for_any_threads_and_memory(self):
        source, target = self.toy(2000)
        for method in METHODS:
            expected = self.links(source, target, "--method", method, "--threads", "1")
            for options in (["--threads", "2"], ["--threads", "5"], ["-S", "70M"], ["--seed", "1"]):
                self.assertEqual(self.links(source, target, "--method", method, *options), expected)

    def test_heuristics_contain_each_other(self):
        source, target = self.toy()
        results = {name: parse(self.links(source, target, "--symmetrise", name)) for name in HEURISTICS}
        self.assertEqual(parse(self.links(source, target)), results["grow-diag-final-and"])
        chain = ("intersect", "grow-diag", "grow-diag-final-and", "union")
        for smaller, larger in zip(chain, chain[1:]):
            for a, b in zip(results[smaller], results[larger], strict=True):
                self.assertLessEqual(a, b)
        for a, b in zip(results["grow-diag-final"], results["union"], strict=True):
            self.assertLessEqual(a, b)
        for line in results["intersect"]:  # one to one
            self.assertEqual(len({link.split("-")[0] for link in line}), len(line))
            self.assertEqual(len({link.split("-")[1] for link in line}), len(line))

    def test_links_are_sorted_and_in_range(self):
        source, target = self.toy()
        with open(source) as s, open(target) as t:
            for s_line, t_line, line in zip(s, t, self.links(source, target).split("\n")[:-1], strict=True):
                links = [tuple(map(int, link.split("-"))) for link in line.split()]
                self.assertEqual(links, sorted(set(links)))
                for i, j in links:
                    self.assertLess(i, len(s_line.split()))
                    self.assertLess(j, len(t_line.split()))

    def test_files_of_every_kind_give_the_same(self):
        source, target = self.toy()
        expected = self.links(source, target)
        with open(source) as file:
            text = file.read()
        conllu = "".join(
            "".join(f"{k}\t{word}\t_\t_\t_\t_\t{k - 1}\t_\t_\t_\n" for k, word in enumerate(line.split(), 1)) + "\n"
            for line in text.splitlines())
        self.assertEqual(self.links(self.path("toy.conllu", conllu), target), expected)
        self.assertEqual(self.links("-", target, "--input", "conllu", stdin=conllu), expected)
        self.assertEqual(self.links(self.path("text.conllu", text), target, "--input", "text"), expected)
        self.assertEqual(self.links(self.path("toy.s.xz", lzma.compress(text.encode())), target), expected)
        self.assertEqual(self.links("-", target, stdin=text), expected)
        self.assertEqual(self.links(source, target, "--lowercase"), expected)
        self.assertEqual(self.links(self.path("upper", text.upper()), target, "--lowercase"), expected)
        output = self.path("links.xz")
        self.assertEqual(self.links(source, target, "-o", output), "")
        with lzma.open(output, "rt") as file:
            self.assertEqual(file.read(), expected)

    def test_words_splits_multiword_tokens(self):
        block = ("1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_\n1\tin\t_\t_\t_\t_\t3\t_\t_\t_\n2\tdem\t_\t_\t_\t_\t3\t_\t_\t_\n"
                 "3\thaus\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
        source = self.path("s.conllu", block * 3)
        target = self.path("t", "in the house\n" * 3)
        self.assertEqual(self.links(source, target, "--words"), "0-0 1-1 2-2\n" * 3)
        self.assertNotIn("2-", self.links(source, target))

    def test_skipped_pairs_have_an_empty_line_and_are_counted(self):
        source = self.path("s", "a b\n\na b\n" + "a " * 251 + "\na b\n")
        target = self.path("t", "x y\nx\n\nx\nx y\n")
        result = self.align(source, target)
        self.assertEqual(result.stdout.decode(), "0-0 1-1\n\n\n\n0-0 1-1\n")
        self.assertIn("5 pairs, 4 links, 3 skipped (2 with an empty side, 1 over 250 words)", result.stderr.decode())

    def test_score(self):
        source, target = self.path("s", "a b\na c\n"), self.path("t", "x y\nx z\n")
        output = self.path("out")
        gold = self.path("gold", "0-0 1-1\n0-0 1-0 1?1\n")
        result = self.links(source, target, "-o", output, "--score", gold)
        with open(output) as file:
            self.assertEqual(file.read(), "0-0 1-1\n0-0 1-1\n")
        # A = 4 links, S = 4, A and S share 3, A and P share 4
        self.assertEqual(result, "AER 0.1250  precision 1.0000  recall 0.7500  F1 0.8571  "
                                 "(4 links, 4 sure, 1 possible; 2 pairs)\n")

    def test_score_goes_to_stderr_when_the_links_go_to_stdout(self):
        source, target = self.path("s", "a b\n"), self.path("t", "x y\n")
        result = self.align(source, target, "--score", self.path("gold", "0-0\n"))
        self.assertEqual(result.stdout.decode(), "0-0 1-1\n")
        self.assertIn("AER 0.3333  precision 0.5000  recall 1.0000", result.stderr.decode())

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_score_that_cannot_be_written_is_an_error(self):
        source, target, gold = self.path("s", "a b\n"), self.path("t", "x y\n"), self.path("gold", "0-0\n")
        with open("/dev/full", "wb") as full:
            result = subprocess.run([GRAFT, "align", source, target, "-o", self.path("out"), "--score", gold], stdout=full,
                                    stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"graft: error: cannot write <stdout>: .+\n$")

    def test_errors_of_score(self):
        source, target = self.path("s", "a b\na c\n"), self.path("t", "x y\nx z\n")
        for name, text, message in (("short", "0-0\n", r"short:2: .*the corpus has 2 pairs"),
                                    ("long", "0-0\n\n\n", r"long:3: .*the corpus has 2 pairs"),
                                    ("bad", "0-0\n0:0\n", r"bad:2: .*0:0.* is not a link"),
                                    ("one", "1-1\n2-1\n", r"one:2: link 2-1, but the source .* 2 words, counted from 0"),
                                    ("possible", "1?2\n\n", r"possible:1: link 1-2, but the target .* 2 words, counted from 0")):
            self.assertRegex(self.error(source, target, "--score", self.path(name, text)), message)
        self.assertIn("absent", self.error(source, target, "--score", self.path("absent")))

    def test_errors_say_what_to_do(self):
        source, target = self.toy(10)
        short = self.path("short", "x\ny\n")
        self.assertRegex(self.error(source, short), r"toy\.s:3: .*10 lines.*2 lines")
        self.assertRegex(self.error(short, target), r"toy\.t:3: .*2 lines.*10 lines")
        empty = self.path("empty", "")
        self.assertIn("are empty; an alignment needs at least one pair", self.error(empty, empty))
        blank = self.path("blank", "\n\n")
        self.assertIn("no pair to align", self.error(blank, self.path("two", "a\nb\n")))
        self.assertIn("did you mean `hmm`?", self.error(source, target, "--method", "hm"))
        self.assertIn("did you mean `union`?", self.error(source, target, "--symmetrise", "onion"))
        self.assertIn("Give -S", self.error(source, target, "-S", "1M"))
        self.assertIn("stdin", self.error("-", "-"))
        self.assertIn("absent", self.error(self.path("absent"), target))
        self.assertIn("invalid UTF-8", self.error(self.path("latin", b"\xe4\n" * 10), target))

    def test_example_treebanks(self):
        """2,400 pairs with alignments that are known."""
        for name, extension, least in (("de-en", "de", 0.80), ("zh-en", "zh", 0.74)):
            folder = os.path.join(SOURCE, "examples", name)
            result = self.links(os.path.join(folder, f"train.{extension}.conllu"), os.path.join(folder, "train.en"),
                                "-o", self.path("out"), "--score", os.path.join(folder, "train.align"))
            self.assertGreater(float(re.search(r"F1 ([\d.]+)", result).group(1)), least)


if __name__ == "__main__":
    unittest.main()

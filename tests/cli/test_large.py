"""Trees of ten thousand words in depth and width, words and lines of megabytes, through every verb that reads sentences: done within bounds of
time, or a named error; the sentences beside them as ever."""
import os
import pathlib
import resource
import unittest

from faulty_system import usable
from graft_calls import GraftTest, blocks, forms, run, succeed, text

EXAMPLE = pathlib.Path(os.environ["GRAFT_SOURCE"]) / "examples" / "de-en"
WORDS = 10_000
HEADS = {
    "chain": lambda n: n - 1,
    "star": lambda n: min(n - 1, 1),
    "comb": lambda n: max(n - 2, 0),
    "caterpillar": lambda n: n - 1 if n % 2 else max(n - 2, 0),
    "two interleaved chains": lambda n: n + WORDS // 2 - 1 if 1 < n <= WORDS // 2 else max(n - WORDS // 2, 0),
    "crossing": lambda n: 0 if n == 1 else 1 + (n * 7919) % (n - 1),
}
LONG_WORD = "wort" * 750_000
SEARCH = [part for key in ("beam=5", "pop_limit=10", "table_limit=3") for part in ("--set", f"search.{key}")]
SYSTEMS = {"pbmt": ["pbmt"], "tbmt": ["tbmt"], "dbg": ["seggbmt", "--graph", "dbg"], "hpbmt": ["hpbmt"], "dep2str": ["dep2str"], "serg": ["serg"],
           "gram-b": ["gramgbmt-b", "--graph", "dsg"], "gram-c": ["gramgbmt-c", "--graph", "dbg"]}


def tree(words, head):
    return "".join(f"{n}\t{word}\t_\tX\tX\t_\t{head(n)}\tdep\t_\t_\n" for n, word in enumerate(words, 1)) + "\n"


class Large(GraftTest):
    @classmethod
    def setUpClass(cls):
        cls.root = root = cls.shared_folder()
        parsed = blocks(EXAMPLE / "train.de.conllu")[:400]
        cls.first, cls.last = parsed[0], parsed[1]
        cls.english = (EXAMPLE / "train.en").read_text(encoding="utf-8").splitlines(keepends=True)[:400]
        cls.links = (EXAMPLE / "train.align").read_text(encoding="utf-8").splitlines(keepends=True)[:400]
        some = [form for block in parsed for form in forms(block)][:97]
        cls.long = [(some * (WORDS // len(some) + 1))[:WORDS]]
        cls.giants = [tree(cls.long[0], head) for head in HEADS.values()]
        cls.write("train.conllu", parsed)
        cls.write("train.en", cls.english)
        cls.write("train.align", cls.links)
        # Giants between common sentences, with a translation as long and one as short as can be.
        cls.write("giant.conllu", [cls.first, *cls.giants, tree([LONG_WORD], lambda n: 0), cls.last])
        cls.write("giant.en", [cls.english[0], *[" ".join(cls.long[0]) + "\n", "yes\n"] * (len(HEADS) // 2), LONG_WORD + "\n", cls.english[1]])
        cls.write("giant.align", [cls.links[0], *["0-0\n"] * (len(HEADS) + 1), cls.links[1]])
        cls.write("giant.de", [" ".join(words) + "\n" for words in [forms(cls.first), *cls.long * len(HEADS), [LONG_WORD], forms(cls.last)]])
        cls.write("all.conllu", [*parsed, *cls.giants, tree([LONG_WORD], lambda n: 0)])
        cls.write("all.en", [*cls.english, *["yes\n"] * len(HEADS), LONG_WORD + "\n"])
        succeed("lm", root / "train.en", "--order", "3", "-o", root / "lm.arpa")

    @classmethod
    def write(cls, name, parts):
        (cls.root / name).write_text("".join(parts), encoding="utf-8")

    def corpus(self, name):
        return ["--source", self.root / f"{name}.conllu", "--target", self.root / f"{name}.en", "--align", self.root / f"{name}.align"]

    def model(self, name):
        folder = self.root / name
        if not folder.exists():
            succeed("table", "build", "--system", *SYSTEMS[name], *self.corpus("train"), "-o", self.root / f"{name}.graft", timeout=120)
            succeed("model", "new", "--table", self.root / f"{name}.graft", "--lm", self.root / "lm.arpa", "-o", folder)
        return folder

    def done(self, *arguments, **options):
        """The call ends in time: well, or with one line that names what it could not take."""
        result = run(*arguments, timeout=300, stdin=b"", **options)
        self.assertIn(result.returncode, (0, 1), text(result.stderr)[-2000:])
        if result.returncode:
            self.assertIn("graft: error: ", text(result.stderr))
            self.assertLess(len(result.stderr), 200_000)
        return result

    def well(self, *arguments, **options):
        result = self.done(*arguments, **options)
        self.assertEqual(result.returncode, 0, text(result.stderr)[-2000:])
        self.assertLess(len(result.stderr), 20_000, "a word of megabytes is not shown whole")
        return result

    def test_translate(self):
        for name in SYSTEMS:
            with self.subTest(name):
                model = self.model(name)
                result = self.well("translate", "-m", model, *SEARCH, self.root / "giant.conllu")
                lines = text(result.stdout).split("\n")
                self.assertEqual(len(lines), len(HEADS) + 4)
                expected = text(succeed("translate", "-m", model, *SEARCH, stdin=(self.first + self.last).encode()).stdout).split("\n")
                self.assertEqual([lines[0], lines[-2]], expected[:2])
                self.assertEqual(lines[-3], LONG_WORD)
                for line in lines[1:-3]:
                    self.assertGreater(len(line.split()), WORDS // 4)

    def test_combine(self):
        self.well("combine", "-m", self.model("pbmt"), "-m", self.model("dbg"), "--nbest", "2", self.root / "giant.conllu")

    def test_align(self):
        for source in ("giant.conllu", "giant.de"):
            links = text(self.well("align", self.root / source, self.root / "giant.en").stdout).split("\n")
            self.assertEqual(len(links), len(HEADS) + 4)
            self.assertNotEqual(links[0], "")
            self.assertEqual(set(links[1:1 + len(HEADS)]), {""}, "pairs of more than 250 words get no links")

    def test_tables(self):
        for name, system in SYSTEMS.items():
            with self.subTest(name):
                giant = self.root / "giant.graft"
                self.well("table", "build", "--system", *system, *self.corpus("giant"), "-o", giant)
                self.well("table", "dump", giant, "-o", self.root / "dump")
                self.well("table", "inspect", giant)
        self.assertEqual(self.done("table", "inspect", giant, LONG_WORD[:1_000]).returncode, 1)

    def test_check(self):
        found = self.done("check", *self.corpus("giant"))
        self.assertLess(len(found.stdout) + len(found.stderr), 40_000)

    def test_sentences_without_blank_lines(self):
        """Millions of bad lines make one sentence with millions of problems."""
        self.write("lines.conllu", ["a\n" * 4_000_000])
        self.write("numbers.conllu", [f"{n}\n" for n in range(1, 2_000_001)])

        def limit():
            if usable():  # sanitisers take more memory
                resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20))
        for name in ("lines", "numbers"):
            source = self.root / f"{name}.conllu"
            found = self.done("check", "--source", source, preexec_fn=limit)
            self.assertEqual(found.returncode, 1)
            said = text(found.stdout) + text(found.stderr)
            self.assertIn("more than 1000 problems in this sentence", said)
            self.assertLess(said.count("\n"), 1100)
            self.assertIn(f"{name}.conllu:1:", text(self.done("translate", "-m", self.model("dbg"), "--threads", "1", source, preexec_fn=limit).stderr))

    def test_language_models_and_tokens(self):
        self.well("lm", self.root / "giant.en", "--order", "3", "-o", self.root / "giant.arpa")
        tokens = text(self.well("tokenise", self.root / "giant.de").stdout)
        self.assertEqual(tokens.count("\n"), len(HEADS) + 3)
        self.assertIn(LONG_WORD, tokens)
        undone = self.well("tokenise", "--undo", self.root / "giant.de")
        self.assertEqual(text(undone.stdout).count("\n"), len(HEADS) + 3)

    def test_scores(self):
        self.well("eval", self.root / "giant.en", self.root / "giant.en", "--metrics", "bleu,chrf")
        self.well("compare", "--ref", self.root / "giant.en", "--system", "a", self.root / "giant.en", "--system", "b", self.root / "giant.de",
                  "--metrics", "bleu", "--shuffles", "10", "--replicas", "10")

    def test_train_and_tune(self):
        config = (f'[corpus]\nsource = "{self.root}/all.conllu"\ntarget = "{self.root}/all.en"\n[lm]\norder = 2\n'
                  f'[dev]\nsource = "{self.root}/giant.conllu"\nreferences = ["{self.root}/giant.en"]\n'
                  "[tune]\niterations = 2\nnbest = 10\n[search]\nbeam = 5\npop_limit = 10\ntable_limit = 3\n")
        for name in ("pbmt", "dbg"):
            with self.subTest(name):
                self.write("train.toml", [f'output = "{self.root}/trained-{name}"\n[system]\nname = "{SYSTEMS[name][0]}"\n',
                                          f'graph = "{SYSTEMS[name][2]}"\n' if len(SYSTEMS[name]) > 1 else "", config])
                self.well("train", self.root / "train.toml")
                self.well("model", "verify", self.root / f"trained-{name}")


if __name__ == "__main__":
    unittest.main()

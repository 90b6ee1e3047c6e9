"""graft tokenise as users call it: tokens and back, truecasing, files and errors."""
import lzma
import unittest

from graft_calls import GraftTest, succeed


TEXT = """He doesn't know (yet), said the U.S. ambassador at 12:30.
"Hello," he said. See https://example.org/a?b=c.

It costs $5.50, i.e. 10% of 1,000.50!
"""
TOKENS = """He doesn 't know ( yet ) , said the U.S. ambassador at 12:30 .
" Hello , " he said . See https://example.org/a?b=c .

It costs $ 5.50 , i.e. 10 % of 1,000.50 !
"""


class Tokenise(GraftTest):
    def setUp(self):
        self.root = self.own_folder()

    def succeed(self, *arguments, stdin=None):
        result = succeed("tokenise", *arguments, stdin=stdin)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def fail_with(self, message, *arguments, stdin=None):
        super().fail_with(message, "tokenise", *arguments, stdin=stdin)

    def test_tokens_and_back(self):
        self.assertEqual(self.succeed("--language", "en", stdin=TEXT), TOKENS)
        self.assertEqual(self.succeed("--language", "en", "--undo", stdin=TOKENS), TEXT)

    def test_the_language_counts(self):
        self.assertEqual(self.succeed("--language", "fr", stdin="L'eau, qu'est-ce ?\n"), "L' eau , qu' est-ce ?\n")
        self.assertEqual(self.succeed("--language", "fr", "--undo", stdin="L' eau , qu' est-ce ?\n"), "L'eau, qu'est-ce ?\n")
        self.assertEqual(self.succeed("--language", "zh", stdin="我们去公园。\n"), "我们 去 公园 。\n")
        self.assertEqual(self.succeed("--language", "zh", "--undo", stdin="我们 去 公园 。\n"), "我们去公园。\n")

    def test_files_and_threads(self):
        lines = [f"Line {i} isn't {i * 7},{i:03d} long; it's short." for i in range(3000)]
        source = self.root / "text.xz"
        with lzma.open(source, "wt", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        outputs = set()
        for threads in (1, 2, 4):
            target = self.root / f"tokens.{threads}"
            self.assertEqual(self.succeed(source, "--language", "en", "--threads", threads, "-o", target), "")
            outputs.add(target.read_text(encoding="utf-8"))
        self.assertEqual(len(outputs), 1)
        self.assertEqual(self.succeed(target, "--language", "en", "--undo").splitlines(), lines)

    def test_truecasing(self):
        model = self.root / "truecase"
        text = "Das Haus ist alt.\nWir sehen das Haus und die EU.\nHier ist das Haus.\n"
        tokens = self.succeed("--language", "de", "--truecase-train", model, stdin=text)
        self.assertEqual(tokens.splitlines()[0], "Das Haus ist alt .")
        self.assertEqual(model.read_text(encoding="utf-8"), "graft truecase 1\nalt\ndas\ndie\nEU\nHaus\nist\nsehen\nund\n")
        cased = self.succeed("--language", "de", "--truecase", model, stdin="Das ist es. Haus und Hof.\n")
        self.assertEqual(cased, "das ist es . Haus und Hof .\n")
        self.assertEqual(self.succeed("--language", "de", "--truecase", model, "--undo", stdin=cased), "Das ist es. Haus und Hof.\n")
        self.assertEqual(self.succeed("--tokenised", "--truecase", model, stdin="Das ist's .\n"), "das ist's .\n")
        self.assertEqual(self.succeed("--tokenised", "--truecase", model, "--undo", stdin="das ist's .\n"), "Das ist's .\n")

    def test_errors(self):
        self.fail_with("missing", self.root / "missing")
        self.fail_with("means nothing with --undo", "--undo", "--truecase-train", self.root / "x", stdin="a\n")
        self.fail_with("nothing to do", "--tokenised", stdin="a\n")
        wrong = self.root / "wrong"
        wrong.write_text("das\n")
        self.fail_with("wrong:1: not a truecase model", "--truecase", wrong, stdin="a\n")
        bad = self.root / "bad"
        bad.write_bytes(b"good\nb\xffd\n")
        self.fail_with("bad:2:", bad)


if __name__ == "__main__":
    unittest.main()

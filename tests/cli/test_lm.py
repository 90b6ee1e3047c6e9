"""`graft lm` against KenLM's own lmplz, byte for byte, and its errors."""
import glob
import gzip
import lzma
import os
import random
import subprocess
import unittest

import graft_calls

GRAFT = graft_calls.GRAFT
BUILD = os.environ.get("GRAFT_BUILD", os.path.dirname(GRAFT))
SOURCE = os.environ.get("GRAFT_SOURCE", ".")
SHARED = os.environ.get("GRAFT_SHARED", "")
LMPLZ = os.path.join(BUILD, "kenlm", "lmplz")
QUERY = os.path.join(BUILD, "kenlm", "query")


def run(*command, stdin=b""):
    return subprocess.run(command, input=stdin, capture_output=True, check=False)


def lmplz(text, order, *options):
    """The ARPA file lmplz writes for this text, with its fallback for small texts."""
    result = run(LMPLZ, "-o", str(order), "-S", "64M", "--vocab_estimate", "100000", "--discount_fallback", *options, stdin=text)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.decode())
    return result.stdout


def generated_text():
    """Words with a long-tailed distribution, so that all discounts can be estimated."""
    random.seed(1)
    words = [f"w{i}" for i in range(2000)]
    weights = [1 / (i + 1) for i in range(2000)]
    lines = [" ".join(random.choices(words, weights, k=random.randint(0, 20))) for _ in range(3000)]
    return ("\n".join(lines) + "\n").encode()


class LmTest(graft_calls.GraftTest):
    def setUp(self):
        self.folder = self.own_folder()

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        return path

    def graft(self, *arguments, stdin=b""):
        return graft_calls.run("lm", "-T", self.folder, *arguments, stdin=stdin)

    def model(self, *arguments, stdin=b""):
        """The ARPA file graft writes to stdout; stderr must stay free of KenLM's own prints."""
        result = self.graft("-o", "-", *arguments, stdin=stdin)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        for line in result.stderr.decode().splitlines():
            self.assertTrue(line.startswith("graft: "), line)
        return result.stdout

    def error(self, *arguments, stdin=b""):
        output = self.path("unwanted.arpa")
        result = self.graft("-o", output, *arguments, stdin=stdin)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(os.listdir(self.folder).count("unwanted.arpa"), 0)
        return result.stderr.decode()

    def texts(self):
        yield "generated", generated_text()
        for path in sorted(glob.glob(os.path.join(SOURCE, "examples", "*", "train.en"))):
            with open(path, "rb") as file:
                yield path, file.read()

    def test_equals_lmplz(self):
        for name, text in self.texts():
            file = self.path("text", text)
            for order in range(1, 7):
                with self.subTest(text=name, order=order):
                    self.assertEqual(self.model(file, "--order", str(order)), lmplz(text, order))
            for prune in (["0", "0", "1"], ["0", "1"], ["0", "0", "2", "3"], ["1"]):
                with self.subTest(text=name, prune=prune):
                    self.assertEqual(self.model(file, "--order", "4", "--prune", *prune),
                                     lmplz(text, 4, "--prune", *prune))

    def test_equals_lmplz_on_real_text(self):
        path = os.path.join(SHARED, "data", "multi30k-deen", "train.en.xz")
        if not os.path.exists(path):
            self.skipTest("no " + path)
        with lzma.open(path) as file:
            text = file.read()
        self.assertEqual(self.model(path), lmplz(text, 5))
        self.assertEqual(self.model(path, "--order", "6", "-S", "2M"), lmplz(text, 6))

    def test_same_as_plain_lmplz_where_discounts_exist(self):
        text = generated_text()
        plain = run(LMPLZ, "-o", "3", "-S", "64M", "--vocab_estimate", "100000", stdin=text)
        self.assertEqual(plain.returncode, 0, plain.stderr.decode())
        result = self.graft("-o", "-", "--order", "3", "-", stdin=text)
        self.assertEqual(result.stdout, plain.stdout)
        self.assertEqual(result.stderr, b"")

    def test_small_text_falls_back_with_a_warning(self):
        for text in (b"a\n", b"a b c\n", b"a b a b\n\nx y z\n"):
            result = self.graft("-o", "-", "--order", "5", "-", stdin=text)
            self.assertEqual(result.stdout, lmplz(text, 5))
            self.assertIn("fallback discounts", result.stderr.decode())

    def test_memory_limit_and_inputs_do_not_change_the_model(self):
        text = generated_text()
        lines = text.splitlines(keepends=True)
        expected = lmplz(text, 3)
        first = self.path("first.gz", gzip.compress(b"".join(lines[:1000])))
        second = self.path("second", b"".join(lines[1000:]).rstrip(b"\n"))
        windows = self.path("windows", text.replace(b"\n", b"\r\n"))
        self.assertEqual(self.model("--order", "3", first, second), expected)
        self.assertEqual(self.model("--order", "3", windows), expected)
        self.assertEqual(self.model("--order", "3", "-", stdin=text), expected)
        for limit in ("1M", "10M", "1G"):
            self.assertEqual(self.model("--order", "3", "-S", limit, second, first),
                             self.model("--order", "3", second, first))

    def test_lowercase(self):
        self.assertEqual(self.model("--order", "2", "--lowercase", "-", stdin="Ein ÄPFEL ein\n".encode()),
                         lmplz("ein äpfel ein\n".encode(), 2))

    def test_compressed_output(self):
        text = self.path("text", generated_text())
        for name, opener in (("lm.arpa.gz", gzip.open), ("lm.arpa.xz", lzma.open)):
            self.assertEqual(self.graft(text, "-o", self.path(name)).returncode, 0)
            with opener(self.path(name)) as file:
                self.assertEqual(file.read(), lmplz(generated_text(), 5))

    def test_binary_output_scores_like_the_arpa_file(self):
        text = self.path("text", generated_text())
        self.assertEqual(self.graft(text, "-o", self.path("lm.arpa")).returncode, 0)
        sentences = b"w1 w2 w3 unknown w1\nw5\n"
        expected = run(QUERY, self.path("lm.arpa"), stdin=sentences).stdout
        self.assertIn(b"Total", expected)
        for name in ("lm.bin", "lm.binary", "lm.klm"):
            self.assertEqual(self.graft(text, "-o", self.path(name)).returncode, 0)
            with open(self.path(name), "rb") as file:
                self.assertTrue(file.read().startswith(b"mmap lm"))
            self.assertEqual(run(QUERY, self.path(name), stdin=sentences).stdout, expected)
        self.assertEqual(sorted(os.listdir(self.folder)), ["lm.arpa", "lm.bin", "lm.binary", "lm.klm", "text"])

    def test_errors(self):
        text = self.path("text", b"a b\nc <s> d\n")
        self.assertIn("text:2: the text contains <s>", self.error(text))
        self.assertIn("<stdin>:1: the text contains <unk>", self.error("--lowercase", "-", stdin=b"<UNK> a\n"))
        self.assertIn("no words", self.error(self.path("empty", b"")))
        self.assertIn("no words", self.error(self.path("blank", b"\n\n")))
        self.assertIn("no-such-file", self.error(self.path("no-such-file")))
        good = self.path("good", b"a b\n")
        self.assertIn("1 to 6", self.error(good, "--order", "7"))
        self.assertIn("1 to 6", self.error(good, "--order", "0"))
        self.assertIn("must not decrease", self.error(good, "--prune", "1", "0"))
        self.assertIn("pruning thresholds", self.error(good, "--order", "2", "--prune", "0", "0", "1"))
        self.assertIn("too small", self.error(good, "-S", "10K"))
        self.assertIn("not a folder", run(GRAFT, "lm", good, "-o", self.path("x"), "-T", good).stderr.decode())
        self.assertIn("order 2 or more",
                      self.graft(good, "--order", "1", "-o", self.path("x.bin")).stderr.decode())
        self.assertIn("x.bin", self.graft(good, "-o", self.path("nowhere/x.bin")).stderr.decode())

    def test_a_full_disk_is_an_error(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "wb") as full:
            result = subprocess.run([GRAFT, "lm", self.path("text", generated_text()), "-o", "-"], stdout=full,
                                    stderr=subprocess.PIPE, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(b"graft: error:", result.stderr)


if __name__ == "__main__":
    unittest.main()

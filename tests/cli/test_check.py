"""graft check as users call it: every kind of bad input shows its message or its effect."""
import gzip
import lzma
import os
import unittest

from graft_calls import GraftTest



def word(number, form, head, tag="X"):
    return f"{number}\t{form}\t_\t{tag}\t_\t_\t{head}\tdep\t_\t_\n"


GOOD = word(1, "ein", 2) + word(2, "Hund", 0) + "\n"


class CheckTest(GraftTest):
    def setUp(self):
        self.folder = self.own_folder()

    def write(self, name, text):
        data = text if isinstance(text, bytes) else text.encode()
        opener = {".gz": gzip.open, ".xz": lzma.open}.get(os.path.splitext(name)[1], open)
        with opener(os.path.join(self.folder, name), "wb") as file:
            file.write(data)
        return name

    def read(self, name):
        opener = {".gz": gzip.open, ".xz": lzma.open}.get(os.path.splitext(name)[1], open)
        with opener(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def graft(self, *arguments, stdin=b""):
        result = super().graft(*arguments, cwd=self.folder, stdin=stdin, timeout=60)
        result.out, result.err = result.stdout.decode(), result.stderr.decode()
        self.assertIn(result.returncode, (0, 1), result.err)
        self.assertNotIn("\x1b", result.err, "no terminal, no colours and no bar")
        return result

    def corpus(self, source=GOOD, target="a dog\n", align="0-0 1-1\n", source_name="s.conllu", *more):
        return self.graft("check", "--source", self.write(source_name, source), "--target", self.write("t", target),
                          "--align", self.write("a", align), *more)

    def assert_good(self, run):
        self.assertEqual(run.returncode, 0, run.out + run.err)

    def assert_problems(self, run, *problems):
        self.assertEqual(run.out.splitlines(), list(problems), run.err)
        self.assertEqual(run.returncode, 1)
        self.assertIn("graft: error: ", run.err)

    def test_good_corpus(self):
        run = self.corpus()
        self.assert_good(run)
        self.assertEqual(run.out, "")
        self.assertEqual(run.err, "1 pair, no problems (0 warnings, 0 notes)\n")

    def test_empty_lines_are_noted(self):
        run = self.corpus("# text =\n\n" + GOOD, "\na dog\n", "\n0-0\n")
        self.assert_good(run)
        self.assertEqual(run.out.splitlines(), ["note: s.conllu:1: empty sentence; it gives no rules",
                                                "note: t:1: empty line; it gives no rules"])

    def test_tabs_separate_tokens(self):
        self.assert_good(self.corpus("ein\tHund\n", "a\tdog\n", "0-0\t1-1\n", "s"))
        self.assert_problems(self.corpus("ein\tHund\n", "a\tdog\n", "2-0\n", "s"),
                             "a:1: link 2-0, but the source sentence has 2 words, counted from 0")

    def test_other_unicode_spaces_do_not(self):
        self.assert_problems(self.corpus(target="a\u00a0dog\n"),
                             "a:1: link 1-1, but the target sentence has 1 word, counted from 0")

    def test_carriage_returns_and_byte_order_mark(self):
        run = self.corpus(("\ufeff" + GOOD).replace("\n", "\r\n"))
        self.assert_good(run)
        self.assertEqual(run.out.splitlines(), [
            "warning: s.conllu:1: the byte-order mark is removed",
            "warning: s.conllu:1: the line ends in CR LF; the CR is removed, here and in later lines"])

    def test_invalid_utf8(self):
        self.assert_problems(self.corpus(GOOD + GOOD, b"a dog\nt\xfcr x\n", "0-0\n0-0\n"), "t:2: invalid UTF-8")

    def test_heads_out_of_range(self):
        run = self.corpus(GOOD + word(1, "a", 2) + word(2, "b", 17) + "\n", "a dog\na b\n", "\n\n")
        self.assert_problems(run, "s.conllu:5: head 17 of word 2, but the sentence has 2 words (sentence 2)")

    def test_cycles(self):
        run = self.corpus(word(1, "a", 2) + word(2, "b", 3) + word(3, "c", 2) + "\n")
        self.assert_problems(run, "s.conllu:2: the heads form a cycle: 2 → 3 → 2 (sentence 1)")

    def test_long_cycles_are_named_in_short(self):
        words = 10_000
        run = self.corpus("".join(word(n, "a", n % words + 1) for n in range(1, words + 1)) + "\n")
        self.assertEqual(run.returncode, 1)
        self.assertLess(len(run.out), 400)
        self.assertIn("s.conllu:1: the heads form a cycle: 1 → 2 → ", run.out)
        self.assertIn("… (9980 more) → 1", run.out)

    def test_hardly_aligned_pairs_are_warned_of(self):
        """Fewer than a third of the words of a side have a link, of sides of 8 words or more."""
        side = " ".join("abcdefghijkl") + "\n"
        short = "a b c d e f g\n"
        cases = [("0-0 1-1 2-2", side, side, "3 of 12 source words and 3 of 12 target words"),
                 ("0-0 1-1 2-2 3-3", side, side, None),
                 ("", side, side, "0 of 12 source words and 0 of 12 target words"),
                 ("0-0 0-1 0-2 0-3 1-4", side, side, "2 of 12 source words"),
                 ("0-0 1-0 2-1 3-0", side, side, "2 of 12 target words"),
                 ("0-0", short, short, None),
                 ("0-0", "a b c d e f g h\n", short, "1 of 8 source words"),
                 ("", "\n", side, None),
                 ("", "a " * 251 + "\n", side, None)]
        source, target, align = ("".join(case[n] + ("" if n else "\n") for case in cases) for n in (1, 2, 0))
        run = self.graft("check", "--source", self.write("s", source), "--target", self.write("t", target),
                         "--align", self.write("a", align))
        self.assertEqual(run.returncode, 0, "a warning is no problem")
        expected = [f"warning: a:{n}: hardly aligned: only {message} have a link; "
                    "are these sentences translations of each other?"
                    for n, (*_, message) in enumerate(cases, 1) if message]
        self.assertEqual([line for line in run.out.splitlines() if "warning" in line], expected)
        self.assertIn("5 warnings", run.err)

    def test_hardly_aligned_pairs_need_both_sides(self):
        """Without its sentences an alignment says nothing of them; a side alone tells of itself."""
        align = self.write("a", "0-0\n")
        self.assertEqual(self.graft("check", "--align", align).out, "")
        source = self.write("s", "a b c d e f g h i\n")
        self.assertIn("only 1 of 9 source words have a link", self.graft("check", "--source", source, "--align", align).out)

    def test_columns_and_ids(self):
        run = self.corpus("1 a b\n\n" + word(1, "a", 0) + word(3, "b", 1) + "\n" + word(1, "a", "_"), "a\nb\nc\n", "\n\n\n")
        self.assert_problems(run, "s.conllu:1: 1 column, but CoNLL-U has 10, separated by tabs (sentence 1)",
                             "s.conllu:4: word 3 where word 2 comes next (sentence 2)",
                             "s.conllu:6: head `_` of word 1 is not a number (sentence 3)")

    def test_links(self):
        run = self.corpus(align="0-0 2-0 0-2 -1-0 x\n")
        self.assert_problems(run, "a:1: link 2-0, but the source sentence has 2 words, counted from 0",
                             "a:1: link 0-2, but the target sentence has 2 words, counted from 0",
                             "a:1: `-1-0` is not a link; links are written i-j, counted from 0",
                             "a:1: `x` is not a link; links are written i-j, counted from 0")
        self.assert_problems(self.graft("check", "--source", self.write("long", "a " * 70_000 + "\n"),
                                        "--align", self.write("a", "65535-0 65536-0\n")),
                             "note: long:1: 70000 tokens; pairs of more than 250 are skipped in training",
                             "a:1: link 65536-0: of the 70000 words of the source sentence only the first 65536 can have "
                             "links")

    def test_multiword_tokens_and_words(self):
        source = "1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_\n" + word(1, "in", 2) + word(2, "dem", 0) + "\n"
        self.assert_problems(self.corpus(source), "a:1: link 1-1, but the source sentence has 1 word, counted from 0")
        self.assert_good(self.corpus(source, "a dog\n", "0-0 1-1\n", "s.conllu", "--words"))

    def test_line_counts(self):
        self.assert_problems(self.corpus(GOOD + GOOD, "a dog\n", "0-0\n0-0\n"),
                             "the files do not run in step: s.conllu has 2 sentences, t has 1 line, a has 2 lines")

    def test_missing_and_unreadable_files(self):
        self.write("t", b"\xff\n")
        run = self.graft("check", "--source", "missing.conllu", "--target", "t", "--align", ".")
        self.assert_problems(run, "cannot open missing.conllu: No such file or directory",
                             "cannot open .: Is a directory", "t:1: invalid UTF-8")
        if os.geteuid() != 0:
            os.chmod(os.path.join(self.folder, "t"), 0)
            self.assert_problems(self.graft("check", "--target", "t"), "cannot open t: Permission denied")

    def test_truncated_compressed_file(self):
        self.write("t.gz", "a dog\n" * 1000)
        with open(os.path.join(self.folder, "t.gz"), "r+b") as file:
            file.truncate(30)
        run = self.graft("check", "--target", "t.gz")
        self.assertIn("t.gz: the compressed data ends too early", run.out)
        self.assertEqual(run.returncode, 1)

    def test_empty_corpus(self):
        self.assert_problems(self.graft("check", "--target", self.write("t", "")), "t: no lines; the corpus is empty")

    def test_long_sentences_are_noted(self):
        run = self.graft("check", "--target", self.write("t", "x " * 251 + "\n"))
        self.assert_good(run)
        self.assertEqual(run.out, "note: t:1: 251 tokens; pairs of more than 250 are skipped in training\n")

    def test_stdin(self):
        self.assert_good(self.graft("check", "--source", "-", "--input", "conllu", stdin=GOOD.encode()))
        run = self.graft("check", "--target", "-", stdin=b"a\n\xff\n")
        self.assert_problems(run, "<stdin>:2: invalid UTF-8")

    def test_write_clean(self):
        source = self.write("s.conllu.xz", GOOD + word(1, "a", 9) + "\n" + GOOD.replace("ein", "kein"))
        target = self.write("t.gz", "a  dog\r\nb\nno dog\n")
        run = self.graft("check", "--source", source, "--target", target, "--align",
                         self.write("a", "0-0 1-1\n0-0\n0-0  1-1\n"), "--write-clean", "clean")
        self.assertEqual(run.returncode, 1)
        self.assertIn("1 problem in 1 of 3 pairs (1 warning, 0 notes); 2 good pairs written to clean", run.err)
        self.assertEqual(self.read("clean/s.conllu.xz").decode(), GOOD + GOOD.replace("ein", "kein"))
        self.assertEqual(self.read("clean/t.gz"), b"a  dog\nno dog\n")
        self.assertEqual(self.read("clean/a"), b"0-0 1-1\n0-0  1-1\n")
        again = self.graft("check", "--source", "clean/s.conllu.xz", "--target", "clean/t.gz", "--align", "clean/a")
        self.assert_good(again)

    def test_options(self):
        run = self.graft("check")
        self.assertEqual(run.returncode, 1)
        self.assertIn("nothing to check", run.err)
        self.write("t", "a\n")
        run = self.graft("check", "--target", "t", "--write-clean", ".")
        self.assertEqual(run.returncode, 1)
        self.assertIn("would overwrite t", run.err)
        self.assertIn("Example:", self.graft("check", "--help").out)


if __name__ == "__main__":
    unittest.main()

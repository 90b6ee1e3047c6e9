"""bench/same and bench/compare: what must be noticed is, and nothing else; times and intended differences are left out."""
import math
import os
import pathlib
import random
import subprocess
import sys
import unittest

from graft_calls import GRAFT, GraftTest

BENCH = pathlib.Path(os.environ["GRAFT_SOURCE"]).resolve() / "bench"
sys.path.insert(0, str(BENCH))

from harness import intervals, outputs  # noqa: E402 (found by the path above)

# Calls the binary and passes on what it does; `translate` is changed as the body says.
WRAPPER = """#!{python}
import subprocess, sys
done = subprocess.run(["{graft}", *sys.argv[1:]], stdout=subprocess.PIPE)
out = done.stdout
if sys.argv[1] == "translate":
    {body}
sys.stdout.buffer.write(out)
sys.exit(done.returncode)
"""
FLIP = "out = out[:100] + bytes([out[100] ^ 1]) + out[101:]"
AGAIN = 'subprocess.run(["{graft}", *sys.argv[1:]], stdout=subprocess.DEVNULL)'


class BenchTest(GraftTest):
    def setUp(self):
        self.folder = self.own_folder()

    def wrapper(self, body="pass"):
        path = self.folder / "wrapper"
        path.write_text(WRAPPER.format(python=sys.executable, graft=GRAFT, body=body.format(graft=GRAFT)))
        path.chmod(0o755)
        return path

    def bench(self, script, *arguments):
        return subprocess.run([sys.executable, BENCH / script, *map(str, arguments), "--work", self.folder / "work", "--data",
                               self.folder / "none"],
                              capture_output=True, text=True, encoding="utf-8")

    def same(self, new, *arguments):
        return self.bench("same", GRAFT, new, "--quick", "--corpora", "de-en", "--systems", "pbmt", "--only", "translate.pbmt", *arguments)

    def test_same_bytes(self):
        result = self.same(self.wrapper())
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"\d+ outputs compared, 0 differ")
        again = self.same(self.wrapper())
        self.assertIn("4 of OLD kept from before", again.stdout)

    def test_one_flipped_bit_is_noticed_unless_it_is_intended(self):
        result = self.same(self.wrapper(FLIP))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("DIFFERS de-en-quick/translate.pbmt/best.stdout", result.stdout)
        self.assertIn("graft translate -m given/model.pbmt/model --threads 1 corpus/test.de", result.stdout)
        self.assertIn(" 1 differ", result.stdout)
        meant = self.folder / "meant"
        meant.write_text("# why\n*/translate.pbmt/best.stdout :: flipped on purpose\n", encoding="utf-8")
        result = self.same(self.wrapper(FLIP), "--intended", meant)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("flipped on purpose", result.stdout)
        meant.write_text("*/translate.pbmt/best.stdout\n", encoding="utf-8")
        self.assertIn("meant:1: ", self.same(GRAFT, "--intended", meant).stderr)

    def test_compare(self):
        options = ("--tasks", "decode", "--systems", "pbmt", "--pairs", "500", "--seconds", "0.05", "--runs", "1")
        result = self.bench("compare", GRAFT, self.wrapper(AGAIN), *options)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("SLOWER by cpu", result.stdout)
        result = self.bench("compare", GRAFT, GRAFT, *options, "--bound", "3")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("nothing is slower", result.stdout)
        early = self.bench("compare", GRAFT, GRAFT, *options, "--minutes", "0.0001")
        self.assertEqual(early.returncode, 1)
        self.assertIn("ended before anything can be said of", early.stderr)
        self.assertIn("nothing can be said yet", early.stderr)

    def test_mistakes_are_named(self):
        self.assertIn("known are pbmt", self.bench("compare", GRAFT, GRAFT, "--systems", "pbtm").stderr)
        self.assertIn("needs 6 blocks", self.bench("compare", GRAFT, GRAFT, "--repetitions", "3").stderr)
        self.assertIn("no such binary", self.bench("compare", GRAFT, self.folder / "absent").stderr)
        self.assertIn("known are pbmt", self.bench("same", GRAFT, GRAFT, "--systems", "pbtm").stderr)
        self.assertIn("no corpus in", self.bench("same", GRAFT, GRAFT, "--corpora", "data").stderr)


class IntervalTest(unittest.TestCase):
    def test_intervals_hold_the_true_ratio_as_often_as_they_say(self):
        generator = random.Random(1)
        for noise in (lambda: generator.gauss(0, 1), lambda: generator.expovariate(1) - generator.expovariate(1)):
            held = 0
            for _ in range(1000):
                interval = intervals.Interval([1.1 * math.exp(0.05 * noise()) for _ in range(12)], 0.95)
                held += interval.low <= 1.1 <= interval.high
            self.assertGreater(held, 930)
            self.assertLess(held, 985)

    def test_rank_sums_are_those_of_all_subsets(self):
        for n in range(8):
            expected = [0] * (n * (n + 1) // 2 + 1)
            for subset in range(2**n):
                expected[sum(i + 1 for i in range(n) if subset >> i & 1)] += 1
            self.assertEqual(intervals.rank_sum_counts(n), expected)

    def test_geometric_mean(self):
        mean, low, high = intervals.geometric_mean([[2.0, 2.0, 2.0], [0.5, 0.5, 0.5]], 0.95)
        self.assertEqual((mean, low, high), (1, 1, 1))


class OutputTest(unittest.TestCase):
    def test_times_and_memory_are_left_out_and_nothing_else(self):
        plain = lambda text: outputs.normal("x/train/run.messages", text.encode())
        self.assertEqual(plain("      lm took 0.1 s, 16 MB: 936 kB\n"), plain("      lm took 12.5 s, 9 MB: 936 kB\n"))
        self.assertNotEqual(plain("      lm took 0.1 s, 16 MB: 936 kB\n"), plain("      lm took 0.1 s, 16 MB: 937 kB\n"))
        self.assertEqual(plain("corpus    0.0 s   12 MB  4 pairs\n"), plain("corpus    2 min 1 s  1,120 MB  4 pairs\n"))
        self.assertEqual(plain("   1         2    56.96        0.999       23511      0.4\n"),
                         plain("   1         2    56.96        0.999       23511     10.4\n"))
        self.assertNotEqual(plain("   1         2    56.96        0.999       23511      0.4\n"),
                            plain("   1         2    56.97        0.999       23511      0.4\n"))
        table = lambda bleu, speed: f"| System | BLEU | Sentences/s |\n|---|---:|---:|\n| PBMT | {bleu} | {speed} |\n".encode()
        report = lambda *cells: outputs.normal("x/experiment/report.md", table(*cells))
        self.assertEqual(report(40.1, 7.1), report(40.1, 8.2))
        self.assertNotEqual(report(40.1, 7.1), report(40.2, 7.1))
        ledger = lambda seconds, key: outputs.normal("x/ledger.json", b'{"steps": {"lm": {"key": "%s", "seconds": %s}}}' % (key, seconds))
        self.assertEqual(ledger(b"1", b"a"), ledger(b"2", b"a"))
        self.assertNotEqual(ledger(b"1", b"a"), ledger(b"1", b"b"))

    def test_translations_are_compared_to_the_byte(self):
        self.assertEqual(outputs.normal("x/translate.pbmt/best.stdout", b"took 0.1 s\n"), b"took 0.1 s\n")

    def test_where_contents_differ(self):
        self.assertIn("line 2", outputs.first_difference(b"a\nb\nc\n", b"a\nB\nc\n"))
        self.assertIn("byte 1", outputs.first_difference(b"\0a", b"\0b"))


if __name__ == "__main__":
    unittest.main()

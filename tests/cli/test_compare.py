"""`graft compare`: p-values against exact ones by enumeration, s_sel and s_opt, marks, forms and errors."""
import itertools
import json
import math
import os
import statistics
import time
import unittest

from graft_calls import GraftTest, run

SHUFFLES = 10000

REFERENCE = ["a b c d e f", "g h i j k", "l m n o p q r", "s t u v w x", "y z a c e g"]
# Two systems, two runs each.
FIRST = [["a b c d e x", "g h i j k", "l m n x p q r", "s t x v w x", "y z a c e g"],
         ["a b c d x f", "g h i j x", "l m n o p q r", "s t x v w", "y z a c x g"]]  # fmt: skip
SECOND = [["a b c d e f", "g h i j k", "l m n o p q r", "s t u v w x", "y z a c x x"],
          ["a b c d e f", "g h i x k", "l m n o p q x", "s t u v w x", "y z a c e g"]]  # fmt: skip


def ngrams(words, order):
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def bleu_statistics(hypothesis, reference):
    """match and total by order, lengths; one reference."""
    hypothesis, reference = hypothesis.split(), reference.split()
    result = []
    for order in range(1, 5):
        left, match = ngrams(reference, order), 0
        for ngram in ngrams(hypothesis, order):
            if ngram in left:
                left.remove(ngram)
                match += 1
        result += [match, len(ngrams(hypothesis, order))]
    return result + [len(hypothesis), len(reference)]


def add(rows):
    return [sum(column) for column in zip(*rows)]


def bleu(sums):
    """Without zero counts, which the texts here do not have in sums."""
    *counts, length, reference_length = sums
    logs = sum(math.log(counts[2 * n] / counts[2 * n + 1]) if counts[2 * n] else -1e9 for n in range(4)) / 4
    return 100 * math.exp(logs + min(0, 1 - reference_length / length))


def points(runs):
    """Statistics of all (run, sentence)."""
    return [[bleu_statistics(line, reference) for line, reference in zip(run, REFERENCE)] for run in runs]


def pooled(runs):
    return [point for run in runs for point in run]


def exact_randomisation(first, second, strictly=False):
    """p over all ways to swap, each as likely."""
    first, second = pooled(points(first)), pooled(points(second))
    observed = abs(bleu(add(first)) - bleu(add(second)))
    count = 0
    for swaps in itertools.product((False, True), repeat=len(first)):
        a = add([y if swap else x for x, y, swap in zip(first, second, swaps)])
        b = add([x if swap else y for x, y, swap in zip(first, second, swaps)])
        difference = abs(bleu(a) - bleu(b))
        count += difference > observed + 1e-9 if strictly else difference >= observed - 1e-9
    return count / 2 ** len(first)


def replicas(runs):
    """Scores of all replicas of the test set, on the sums over the runs given."""
    sentences = list(zip(*points(runs)))  # by sentence: its points
    drawn = itertools.product(range(len(sentences)), repeat=len(sentences))
    return [bleu(add([point for i in indices for point in sentences[i]])) for indices in drawn]


class CompareTest(GraftTest):
    def setUp(self):
        self.folder = self.own_folder()
        self.files = 0

    def file(self, lines):
        self.files += 1
        path = os.path.join(self.folder, f"text{self.files}")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        return path

    def graft(self, *arguments):
        return run("compare", *arguments)

    def system(self, name, runs):
        return ["--system", name, *map(self.file, runs)]

    def text(self, systems, *options, reference=REFERENCE):
        arguments = ["--ref", self.file(reference)]
        for name, runs in systems.items():
            arguments += self.system(name, runs)
        result = self.graft(*arguments, "--tokenize", "none", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def bleu(self, systems, *options):
        """The systems of the BLEU part of the JSON, by name."""
        metrics = json.loads(self.text(systems, "--json", "--metrics", "bleu", *options))["metrics"]
        self.assertEqual([metric["name"] for metric in metrics], ["BLEU"])
        return {system["name"]: system for system in metrics[0]["systems"]}

    def error(self, *arguments):
        result = self.graft(*arguments)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(result.stdout, "")
        return result.stderr

    def assert_estimates(self, estimate, exact, trials=SHUFFLES):
        """Within four standard errors of a share estimated from so many trials."""
        self.assertLess(abs(estimate - exact), 4 * math.sqrt(exact * (1 - exact) / trials) + 2 / trials)

    def test_randomisation_is_what_enumeration_gives(self):
        for first, second in ((FIRST, SECOND), (FIRST[:1], SECOND[:1]), (FIRST[:1], FIRST[1:]), (SECOND[:1], FIRST[1:])):
            exact = exact_randomisation(first, second)
            for seed in (1, 2):
                got = self.bleu({"a": first, "b": second}, "--seed", str(seed))["b"]["against"][0]["p"]
                self.assert_estimates(got, exact)
            strictly = exact_randomisation(first, second, strictly=True)
            self.assertLess(strictly, exact)  # the swaps that change nothing are as great, not greater
            got = self.bleu({"a": first, "b": second}, "--multeval")["b"]["against"][0]["p"]
            self.assert_estimates(got, strictly)

    def test_permuting_points_among_runs_changes_no_p(self):
        """Pooled sums do not depend on which run a point of a sentence is in."""
        swapped = [FIRST[0][:2] + FIRST[1][2:], FIRST[1][:2] + FIRST[0][2:]]
        other = [SECOND[0][:2] + SECOND[1][2:], SECOND[1][:2] + SECOND[0][2:]]
        before, after = self.bleu({"a": FIRST, "b": SECOND})["b"], self.bleu({"a": swapped, "b": other})["b"]
        self.assertNotEqual(before["scores"], after["scores"])
        before, after = before["against"][0], after["against"][0]
        for key in ("delta_pooled", "p_bootstrap"):
            self.assertEqual(before[key], after[key], key)
        # Coins belong to places, so that the same shuffles give other sums: two estimates of one p.
        exact = exact_randomisation(FIRST, SECOND)
        self.assert_estimates(before["p"], exact)
        self.assert_estimates(after["p"], exact)

    def test_paired_bootstrap_is_what_enumeration_gives(self):
        for first, second in ((FIRST, SECOND), (FIRST[:1], SECOND[:1])):
            differences = [abs(a - b) for a, b in zip(replicas(first), replicas(second))]
            observed = abs(bleu(add(pooled(points(first)))) - bleu(add(pooled(points(second)))))
            mean = statistics.mean(differences)
            exact = sum(d - mean >= observed for d in differences) / len(differences)
            got = self.bleu({"a": first, "b": second})["b"]["against"][0]
            self.assertAlmostEqual(abs(got["delta_pooled"]), observed, 6)
            # The mean is estimated from the replicas too: look at both sides of it.
            margin = 4 * statistics.stdev(differences) / math.sqrt(SHUFFLES)
            low, high = (sum(d - mean >= observed + m for d in differences) / len(differences) for m in (margin, -margin))
            self.assertLessEqual(low, exact)
            self.assertGreater(got["p_bootstrap"], low - 4 * math.sqrt(low * (1 - low) / SHUFFLES) - 2e-4)
            self.assertLess(got["p_bootstrap"], high + 4 * math.sqrt(high * (1 - high) / SHUFFLES) + 2e-4)

    def test_means_and_deviations(self):
        systems = self.bleu({"a": FIRST, "b": SECOND})
        for name, runs in (("a", FIRST), ("b", SECOND)):
            scores = [bleu(add(run)) for run in points(runs)]
            for got, expected in zip(systems[name]["scores"], scores, strict=True):
                self.assertAlmostEqual(got, expected, 6)
            self.assertAlmostEqual(systems[name]["mean"], statistics.mean(scores), 6)
            self.assertAlmostEqual(systems[name]["s_opt"], statistics.stdev(scores), 6)
            exact = statistics.mean(statistics.pstdev(replicas([run])) for run in runs)
            self.assertLess(abs(systems[name]["s_sel"] - exact), 0.05 * exact)
        self.assertAlmostEqual(systems["b"]["against"][0]["delta"], systems["b"]["mean"] - systems["a"]["mean"], 9)
        self.assertIsNone(self.bleu({"a": FIRST[:1], "b": SECOND[:1]})["a"]["s_opt"])

    def test_identical_systems(self):
        got = json.loads(self.text({"a": FIRST, "b": FIRST}, "--json", "--metrics", "bleu,chrf,chrf++,ter"))
        for metric in got["metrics"]:
            against = metric["systems"][1]["against"][0]
            self.assertEqual((against["delta"], against["p"], against["p_bootstrap"]), (0, 1, 1), metric["name"])
            self.assertEqual(metric["systems"][1]["marks"], "")
        got = self.bleu({"a": FIRST, "b": FIRST}, "--multeval")
        self.assertAlmostEqual(got["b"]["against"][0]["p"], 1 / (SHUFFLES + 1))

    def test_seed_decides_and_threads_do_not(self):
        texts = [self.text({"a": FIRST, "b": SECOND}, "--json", "--threads", threads, "--seed", seed)
                 for threads, seed in (("1", "7"), ("4", "7"), ("1", "8"))]  # fmt: skip
        self.assertEqual(texts[0], texts[1])
        self.assertNotEqual(texts[0].replace('"seed": 7', '"seed": 8'), texts[2])

    def test_marks(self):
        """One per baseline beaten at p <= 0.01, for TER by the lower score; the table says what they mean."""
        reference = ["a b c d e f g h"] * 20
        bad, middle, good = ([[line] * 20] for line in ("a b c d e x y z", "a b c d e f y z", "a b c d e f g h"))
        systems = {"bad": bad, "middle": middle, "good": good}
        for options in (("--baseline", "bad", "--baseline", "middle"), ("--baseline", "middle", "--baseline", "bad")):
            got = json.loads(self.text(systems, "--json", *options, reference=reference))
            self.assertEqual([metric["name"] for metric in got["metrics"]], ["BLEU", "chrF2", "TER"])
            for metric in got["metrics"]:
                marks = {system["name"]: system["marks"] for system in metric["systems"]}
                first_is_bad = options[1] == "bad"
                self.assertEqual(marks, {"bad": "", "middle": "*" if first_is_bad else "+", "good": "*+"}, metric["name"])
        text = self.text(systems, "--baseline", "bad", "--baseline", "middle", reference=reference)
        self.assertIn("100.00*+", text)
        self.assertIn("* significantly better than bad (p <= 0.01)\n+ significantly better than middle (p <= 0.01)", text)
        self.assertIn("BLEU|nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:", text)
        markdown = self.text(systems, "--markdown", reference=reference)
        self.assertIn("| system | BLEU | s\\_sel | s\\_opt | Δ bad | p | p boot |\n|---|---:|---:|---:|---:|---:|---:|\n", markdown)
        self.assertIn("| 100.00\\* |", markdown)
        # Without significance no mark: with alpha 0 nothing is.
        self.assertNotIn("*", self.text(systems, "--alpha", "0", reference=reference).split("significantly")[0][:-2])

    def test_errors(self):
        reference, first = self.file(REFERENCE), self.file(FIRST[0])
        short, empty = self.file(REFERENCE[:3]), self.file([])
        start = "--ref", reference, "--system", "a", first
        self.assertIn("system b has 2 runs, a has 1", self.error(*start, "--system", "b", first, first))
        self.assertIn(f"{reference}:4: {short} ends after 3 lines", self.error(*start, "--system", "b", short))
        self.assertIn("nothing to score", self.error(*start, "--system", "b", empty))
        self.assertIn("one system alone", self.error(*start))
        self.assertIn("system b: no output", self.error(*start, "--system", "b"))
        self.assertIn("two systems are called a", self.error(*start, "--system", "a", first))
        self.assertIn("no system is called `bb`; did you mean `b`", self.error(*start, "--system", "b", first, "--baseline", "bb"))
        self.assertIn("twice", self.error(*start, "--system", "b", first, "--baseline", "a", "--baseline", "a"))
        self.assertIn("stdin (-) can be only one of the files", self.error(*start, "--system", "b", "-", "-"))
        self.assertIn("stdin (-) can be only one of the files", self.error("--ref", "-", "--system", "a", first, "--system", "b", "-"))
        self.assertIn("did you mean `ter`", self.error(*start, "--system", "b", first, "--metrics", "terr"))

    def test_speed(self):
        """Ten thousand shuffles of 1,000 sentences in 3 runs take about a second; far less than this even when busy."""
        runs = [[f"{line} {i}" for i in range(200) for line in FIRST[0]] for _ in range(3)]
        others = [[f"{line} {i}" for i in range(200) for line in SECOND[0]] for _ in range(3)]
        reference = [f"{line} {i}" for i in range(200) for line in REFERENCE]
        start = time.monotonic()
        self.text({"a": runs, "b": others}, "--metrics", "bleu", reference=reference)
        self.assertLess(time.monotonic() - start, 30)


if __name__ == "__main__":
    unittest.main()

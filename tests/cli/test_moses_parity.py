"""Same table, same language model, same weights: Graft's scores against those Moses gave (skipped where the reference runs are absent)."""
import os
import pathlib
import subprocess
import tempfile
import unittest

GRAFT = os.environ["GRAFT"]
REFERENCE = pathlib.Path(os.environ.get("GRAFT_SHARED", "")) / "reference" / "multi30k-pbmt"

WEIGHTS = """[weights]
TranslationModel = [0.146175358968551, 0.0232270766594186, 0.101618678445175, 0.109420873055546]
LM = 0.184932509926319
RulePenalty = -0.0638141017449789
WordPenalty = -0.24787253909231
Jump = 0.122938862107702
[search]
distortion_rule = "moses"
"""


def totals(lines):
    """The total of every line of an n-best list, by sentence."""
    by_sentence = {}
    for line in lines:
        fields = line.split("|||")
        by_sentence.setdefault(int(fields[0]), []).append(float(fields[3]))
    return by_sentence


@unittest.skipUnless(REFERENCE.is_dir(), f"no reference runs of Moses in {REFERENCE}")
class MosesParity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        (root / "weights.toml").write_text(WEIGHTS)
        cls.model = root / "model"
        cls.graft("table", "import", "--moses", REFERENCE / "phrase-table.gz", "--scores", "f32", "-o", root / "rules.graft")
        cls.graft("model", "new", "--table", root / "rules.graft", "--lm", REFERENCE / "lm.5gram.arpa.xz", "--weights",
                  root / "weights.toml", "-o", cls.model)
        cls.nbest = (REFERENCE / "moses.stack200.nbest10").read_text().splitlines()
        cls.best = {sentence: scores[0] for sentence, scores in totals(cls.nbest).items()}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def graft(cls, *arguments):
        run = subprocess.run([GRAFT, *map(str, arguments)], capture_output=True, text=True)
        if run.returncode != 0:
            raise AssertionError(f"graft {' '.join(map(str, arguments))}\n{run.stderr}")
        return run.stdout

    def translate(self, *options):
        out = self.graft("translate", "-m", self.model, "--nbest", "1", *options, REFERENCE / "input.de")
        found = {sentence: scores[0] for sentence, scores in totals(out.splitlines()).items()}
        self.assertEqual(sorted(found), sorted(self.best))
        return {sentence: found[sentence] - self.best[sentence] for sentence in found}

    def test_forced_decoding_reproduces_every_total(self):
        out = self.graft("translate", "-m", self.model, "--rescore", REFERENCE / "moses.stack200.nbest10", REFERENCE / "input.de")
        lines = out.splitlines()
        self.assertEqual(len(lines), len(self.nbest))
        equal = 0
        for moses_line, line in zip(self.nbest, lines):
            moses, ours = (float(text.split("|||")[3]) for text in (moses_line, line))
            self.assertGreaterEqual(ours, moses - 0.01, moses_line)
            equal += abs(ours - moses) <= 0.01
        self.assertGreaterEqual(equal, 0.99 * len(lines))

    def test_default_search_is_as_good(self):
        difference = self.translate()
        good = sum(d >= -0.01 for d in difference.values())
        mean = sum(difference.values()) / len(difference)
        print(f"cube pruning: {good} of {len(difference)} at least Moses's score, mean difference {mean:+.5f}")
        self.assertGreaterEqual(good, 0.99 * len(difference))
        self.assertGreaterEqual(mean, -0.0005)

    def test_exhaustive_search_equals(self):
        difference = self.translate("--set", "search.algorithm=exhaustive")
        self.assertEqual([s for s, d in difference.items() if abs(d) > 0.01], [])


if __name__ == "__main__":
    unittest.main()

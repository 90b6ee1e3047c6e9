"""Same table, same language model, same weights: Graft's scores against those Moses gave (skipped where the reference runs are absent)."""
import os
import pathlib
import unittest

from graft_calls import GraftTest, output, succeed

REFERENCE = pathlib.Path(os.environ.get("GRAFT_SHARED", "")) / "reference"
PHRASES = REFERENCE / "multi30k-pbmt"
HIERARCHICAL = REFERENCE / "multi30k-hpbmt"

PHRASE_WEIGHTS = """[weights]
TranslationModel = [0.146175358968551, 0.0232270766594186, 0.101618678445175, 0.109420873055546]
LM = 0.184932509926319
RulePenalty = -0.0638141017449789
WordPenalty = -0.24787253909231
Jump = 0.122938862107702
[search]
distortion_rule = "moses"
"""
# Moses's chart decoder counts every rule as a phrase, glue rules and the two that add <s> and </s> included, prices a glue rule
# log 2.718 = 0.99990 besides, and takes <s> and </s> for words.
PHRASE_PENALTY, GLUE, WORD_PENALTY = 0.150849671456362, 0.067119550886072, -0.144720306670251
HIERARCHICAL_WEIGHTS = f"""[weights]
TranslationModel = [0.177610289133893, 0.00970667392091834, 0.146363502492555, 0.0856040598888672]
LM = 0.218025945551081
RulePenalty = {-PHRASE_PENALTY}
WordPenalty = {WORD_PENALTY}
Glue = {-(0.99990 * GLUE + PHRASE_PENALTY)}
"""


def totals(lines):
    """The total of every line of an n-best list, by sentence."""
    by_sentence = {}
    for line in lines:
        fields = line.split("|||")
        by_sentence.setdefault(int(fields[0]), []).append(float(fields[3]))
    return by_sentence


class Parity:
    """What both decoders have in common; a class says where its table comes from, and which lines it must meet."""

    moses_constant = 0.0  # Moses's total less ours
    share = 0.99          # of the totals that must be equal, or of the sentences that must be as good

    @classmethod
    def setUpClass(cls):
        root = cls.shared_folder()
        (root / "weights.toml").write_text(cls.weights)
        cls.model = root / "model"
        succeed("table", "import", *cls.import_options(), "--scores", "f32", "-o", root / "rules.graft")
        succeed("model", "new", "--table", root / "rules.graft", "--lm", PHRASES / "lm.5gram.arpa.xz", "--weights", root / "weights.toml", "-o", cls.model)
        cls.nbest = cls.nbest_file.read_text().splitlines()
        cls.best = {sentence: scores[0] for sentence, scores in totals(cls.nbest).items()}

    def differences(self, *options):
        """Our best total less Moses's, by sentence."""
        out = output("translate", "-m", self.model, "--nbest", "1", *options, PHRASES / "input.de")
        found = {sentence: scores[0] for sentence, scores in totals(out.splitlines()).items()}
        self.assertEqual(sorted(found), sorted(self.best))
        return {sentence: found[sentence] + self.moses_constant - self.best[sentence] for sentence in found}

    def check_search(self, name, *options):
        difference = self.differences(*options)
        good = sum(d >= -0.01 for d in difference.values())
        mean = sum(difference.values()) / len(difference)
        print(f"{name}: {good} of {len(difference)} at least Moses's score, mean difference {mean:+.5f}")
        self.assertGreaterEqual(good, self.share * len(difference))
        self.assertGreaterEqual(mean, -0.0005)

    def test_forced_decoding_reproduces_every_total(self):
        lines = output("translate", "-m", self.model, "--rescore", self.nbest_file, PHRASES / "input.de").splitlines()
        self.assertEqual(len(lines), len(self.nbest))
        equal = 0
        for moses_line, line in zip(self.nbest, lines):
            moses, ours = (float(text.split("|||")[3]) for text in (moses_line, line))
            ours += self.moses_constant
            self.assertGreaterEqual(ours, moses - 0.01, moses_line)
            equal += abs(ours - moses) <= 0.01
        print(f"forced decoding: {equal} of {len(lines)} totals equal")
        self.assertGreaterEqual(equal, self.share * len(lines))


@unittest.skipUnless(PHRASES.is_dir(), f"no reference runs of Moses in {PHRASES}")
class Phrases(Parity, GraftTest):
    weights = PHRASE_WEIGHTS
    nbest_file = PHRASES / "moses.stack200.nbest10"

    @classmethod
    def import_options(cls):
        return ["--moses", PHRASES / "phrase-table.gz"]

    def test_default_search_is_as_good(self):
        self.check_search("cube pruning")

    def test_exhaustive_search_equals(self):
        difference = self.differences("--set", "search.algorithm=exhaustive")
        self.assertEqual([s for s, d in difference.items() if abs(d) > 0.01], [])


@unittest.skipUnless(PHRASES.is_dir() and HIERARCHICAL.is_dir(), f"no reference runs of Moses in {HIERARCHICAL}")
class Hierarchical(Parity, GraftTest):
    weights = HIERARCHICAL_WEIGHTS
    nbest_file = HIERARCHICAL / "moses.pop1000.nbest10"
    moses_constant = 2 * PHRASE_PENALTY - 2 * WORD_PENALTY
    share = 0.98

    @classmethod
    def import_options(cls):
        return ["--moses-hierarchical", HIERARCHICAL / "rule-table.gz", "--moses-glue", HIERARCHICAL / "glue-grammar"]

    def test_default_search_is_as_good(self):
        self.check_search("chart, defaults")

    def test_the_fast_setting_is_as_good(self):
        self.check_search("chart, pop limit 400, beam 100", "--set", "search.pop_limit=400", "--set", "search.beam=100")


if __name__ == "__main__":
    unittest.main()

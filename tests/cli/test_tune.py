"""graft tune as users call it, on the German-English example."""
import gzip
import os
import pathlib
import re
import unittest

from graft_calls import GraftTest, run, succeed

EXAMPLE = pathlib.Path(os.environ["GRAFT_SOURCE"]) / "examples" / "de-en"
SENTENCES = 60


class Tune(GraftTest):
    @classmethod
    def setUpClass(cls):
        cls.root = root = cls.shared_folder()
        cls.model = root / "model"
        succeed("lm", EXAMPLE / "train.en", "--order", "3", "-o", root / "lm.arpa")
        for name, system in (("model", ["pbmt"]), ("dbg", ["seggbmt", "--graph", "dbg"])):
            succeed("table", "build", "--system", *system, "--source", EXAMPLE / "train.de.conllu", "--target", EXAMPLE / "train.en",
                    "--align", EXAMPLE / "train.align", "-o", root / f"{name}.graft")
            succeed("model", "new", "--table", root / f"{name}.graft", "--lm", root / "lm.arpa", "-o", root / name)
        blocks = (EXAMPLE / "dev.de.conllu").read_text(encoding="utf-8").strip().split("\n\n")[:SENTENCES]
        cls.source, cls.text, cls.references = root / "dev.conllu", root / "dev.de", root / "dev.en"
        cls.source.write_text("".join(b + "\n\n" for b in blocks), encoding="utf-8")
        forms = [" ".join(l.split("\t")[1] for l in b.splitlines() if not l.startswith("#")) for b in blocks]
        cls.text.write_text("".join(f + "\n" for f in forms), encoding="utf-8")
        lines = (EXAMPLE / "dev.en").read_text(encoding="utf-8").splitlines(keepends=True)[:SENTENCES]
        cls.references.write_text("".join(lines), encoding="utf-8")

    def tune(self, name, *arguments, model=None, source=None, iterations=3, stdin=None):
        output = self.root / name
        tuned = succeed("tune", "-m", model or self.model, "--source", source or self.source, "--references", self.references, "-o", output,
                        "--iterations", iterations, "--nbest", "50", *arguments, stdin=stdin)
        return output.read_text(encoding="utf-8"), tuned.stderr

    def fail_with(self, *parts, source=None, references=None, output="never.toml", options=()):
        super().fail_with(parts, "tune", "-m", self.model, "--source", source or self.source, "--references", *(references or [self.references]),
                          "-o", self.root / output, "--iterations", "3", *options)
        self.assertFalse((self.root / output).exists())

    def file(self, name, text):
        path = self.root / name
        path.write_text(text, encoding="utf-8")
        return path

    def start_row(self, log):
        """What the model's own weights gave: BLEU, length ratio, candidates."""
        return re.search(r"^ +1 +1 +([\d.]+) +([\d.]+) +(\d+) ", log, re.MULTILINE).groups()

    def test_weights_table_and_a_better_model(self):
        before = sorted(p.read_bytes() for p in self.model.iterdir())
        weights, log = self.tune("weights.toml")
        self.assertRegex(weights, r"\A# graft tune: method mira, seed 1, dev BLEU \d+\.\d\d at iteration \d of 3\n\[text\]\n")
        self.assertRegex(weights, r"\n\[search\]\nalgorithm = \"cube\"\n(.+\n)+\n\[weights\]\nTranslationModel = \[")
        self.assertIn("UnknownWordPenalty = 1.0\n", weights)
        rows = [line.split() for line in log.splitlines() if re.match(r" +1 +\d+ ", line)]
        self.assertEqual([row[1] for row in rows], ["1", "2", "3"])
        header = next(line for line in log.splitlines() if "iteration" in line)
        for word in ("BLEU", "length ratio", "candidates", "seconds"):
            self.assertIn(word, header)
        bleu = [float(row[2]) for row in rows]
        self.assertGreater(max(bleu), bleu[0] + 1)
        self.assertEqual(sorted(p.read_bytes() for p in self.model.iterdir()), before)
        # Decoding with them gives the BLEU that was promised: the first iteration of another run shows it.
        succeed("model", "new", "--table", self.root / "model.graft", "--lm", self.root / "lm.arpa", "--weights", self.root / "weights.toml", "-o",
                self.root / "tuned")
        _, again = self.tune("again.toml", iterations=1, model=self.root / "tuned")
        self.assertRegex(again, rf" 1 +1 +{max(bleu):.2f} ")

    def test_same_bytes_for_any_number_of_threads_and_other_weights_for_other_seeds(self):
        first, _ = self.tune("a.toml", "--threads", "1")
        self.assertEqual(first, self.tune("b.toml", "--threads", "1")[0])
        self.assertEqual(first, self.tune("c.toml", "--threads", "3")[0])
        self.assertEqual(first, self.tune("d.toml", source=self.text)[0])
        self.assertNotEqual(first.splitlines()[2:], self.tune("e.toml", "--seed", "2")[0].splitlines()[2:])

    def test_several_runs(self):
        best, log = self.tune("runs.toml", "--runs", "2", "--seed", "4")
        files = [(self.root / f"runs.run{i}.toml").read_text(encoding="utf-8") for i in (1, 2)]
        self.assertIn("seed 4,", files[0])
        self.assertIn("seed 5,", files[1])
        self.assertIn(best, files)
        bleu = [float(re.search(r"dev BLEU ([\d.]+)", text).group(1)) for text in files]
        self.assertEqual(float(re.search(r"dev BLEU ([\d.]+)", best).group(1)), max(bleu))
        self.assertRegex(log, r"dev BLEU of 2 runs: mean \d+\.\d\d, standard deviation \d+\.\d\d")
        self.assertEqual(files[1], self.tune("alone.toml", "--seed", "5")[0])
        self.assertFalse((self.root / "alone.run1.toml").exists())

    def test_a_run_that_fails_costs_no_other(self):
        lists = self.root / "obstacle"
        (lists / "run2.iteration02.nbest.gz").mkdir(parents=True)
        self.fail_with("run2.iteration02.nbest.gz", "(run 2); weights of the runs that ended are kept: ", "part.run1.toml\n", output="part.toml",
                       options=["--runs", "3", "--nbest", "50", "--nbest-folder", lists])
        kept = (self.root / "part.run1.toml").read_text(encoding="utf-8")
        self.assertEqual(kept, self.tune("whole.toml")[0])
        self.assertFalse((self.root / "part.run2.toml").exists())

    def test_paper_method_and_overrides(self):
        weights, log = self.tune("paper.toml", "--method", "paper")
        self.assertIn("method paper", weights)
        self.assertNotEqual(weights.splitlines()[1:], self.tune("mira.toml")[0].splitlines()[1:])
        self.assertNotEqual(self.start_row(log), self.start_row(self.tune("narrow.toml", "--method", "paper", "--set", "search.beam=1")[1]))

    def test_graph_system(self):
        weights, _ = self.tune("dbg.toml", model=self.root / "dbg")
        self.assertIn("Gap = ", weights)

    def test_trees_from_stdin(self):
        weights, _ = self.tune("file.toml", model=self.root / "dbg")
        piped, _ = self.tune("piped.toml", model=self.root / "dbg", source="-", stdin=self.source.read_text(encoding="utf-8"))
        self.assertEqual(piped, weights)

    def test_several_references(self):
        """The model's own translations as second references: every n-gram matches, whichever order the files have."""
        translated = succeed("translate", "-m", self.model, self.source)
        own = self.file("own.en", translated.stdout)
        bleu = {}
        for name, references in (("one", [self.references]), ("two", [self.references, own]), ("turned", [own, self.references])):
            tuned = succeed("tune", "-m", self.model, "--source", self.source, "--references", *references, "-o", self.root / f"{name}.toml",
                            "--iterations", "1")
            bleu[name] = float(self.start_row(tuned.stderr)[0])
        self.assertGreater(bleu["two"], bleu["one"])
        self.assertEqual((bleu["two"], bleu["turned"]), (100, 100))

    def test_lists_only_where_asked_for(self):
        folder = self.root / "lists"
        self.tune("lists.toml", "--nbest-folder", folder, iterations=2)
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ["run1.iteration02.nbest.gz", "start.nbest.gz"])
        with gzip.open(folder / "start.nbest.gz", "rt", encoding="utf-8") as lines:
            text = lines.read().splitlines()
        self.assertEqual({line.split(" ||| ")[0] for line in text}, {str(i) for i in range(SENTENCES)})
        expected = succeed("translate", "-m", self.model, "--nbest", "50", self.source)
        self.assertEqual(text, expected.stdout.splitlines())

    def test_lists_have_no_line_of_an_empty_sentence(self):
        lines = self.text.read_text(encoding="utf-8").splitlines()
        gap = self.file("gap.de", "".join(("" if i == 2 else line) + "\n" for i, line in enumerate(lines)))
        folder = self.root / "gap"
        self.tune("gap.toml", "--nbest-folder", folder, source=gap, iterations=1)
        with gzip.open(folder / "start.nbest.gz", "rt", encoding="utf-8") as listed:
            text = listed.read().splitlines()
        self.assertEqual({line.split(" ||| ")[0] for line in text}, {str(i) for i in range(SENTENCES) if i != 2})
        expected = succeed("translate", "-m", self.model, "--nbest", "50", gap)
        self.assertEqual(text, expected.stdout.splitlines())

    def test_bleu_is_that_of_eval_where_tokens_hold_spaces(self):
        """sacreBLEU takes Unicode spaces for white space; tokens of Graft may hold them."""
        lines = self.text.read_text(encoding="utf-8").splitlines()
        source = self.file("spaces.de", "".join(f"{line} 10\u00a0000 a\u3000b\u2009c\n" for line in lines))
        references = self.file("spaces.en", "".join(line.rstrip("\n") + " 10 000 a\u00a0b\u3000d\n" for line in open(self.references, encoding="utf-8")))
        tuned = succeed("tune", "-m", self.model, "--source", source, "--references", references, "-o", self.root / "spaces.toml", "--iterations", "1")
        translated = succeed("translate", "-m", self.model, source)
        scored = succeed("eval", "--tokenize", "none", "--metrics", "bleu", "--score-only", "--width", "2", self.file("spaces.out", translated.stdout),
                         references)
        self.assertEqual(self.start_row(tuned.stderr)[0], scored.stdout.strip())

    def test_lower_casing_is_the_models(self):
        weights, _ = self.tune("cased.toml")
        succeed("table", "build", "--system", "pbmt", "--source", EXAMPLE / "train.de.conllu", "--target", EXAMPLE / "train.en", "--align",
                EXAMPLE / "train.align", "--lowercase", "-o", self.root / "lower.graft")
        succeed("lm", EXAMPLE / "train.en", "--order", "3", "--lowercase", "-o", self.root / "lower.arpa")
        succeed("model", "new", "--table", self.root / "lower.graft", "--lm", self.root / "lower.arpa", "--lowercase", "-o", self.root / "lower")
        upper = self.file("upper.en", self.references.read_text(encoding="utf-8").upper())
        logs = []
        for references in (self.references, upper):
            tuned = succeed("tune", "-m", self.root / "lower", "--source", self.source, "--references", references, "-o", self.root / "l.toml",
                            "--iterations", "1")
            logs.append(tuned.stderr)
        bleu = [re.search(r" 1 +1 +([\d.]+) ", log).group(1) for log in logs]
        self.assertEqual(bleu[0], bleu[1])
        self.assertGreater(float(bleu[0]), 20)

    def test_failures_say_what_to_do(self):
        empty = self.file("empty.conllu", "")
        self.fail_with("empty.conllu: the development set is empty", source=empty, references=[self.file("empty.en", "")])
        self.fail_with("missing.en", references=[self.root / "missing.en"])
        self.fail_with("missing.conllu", source=self.root / "missing.conllu")
        lines = self.references.read_text(encoding="utf-8").splitlines(keepends=True)
        short = self.file("short.en", "".join(lines[:50]))
        self.fail_with("short.en:50: ", f"has {SENTENCES} sentences", references=[self.references, short])
        long = self.file("long.en", "".join(lines) + "one more\n")
        self.fail_with(f"long.en:{SENTENCES + 1}: ", "too many", references=[long])
        strange = self.file("strange.en", "zq zq zq zq zq\n" * SENTENCES)
        self.fail_with("BLEU is 0 at every iteration", "check that", references=[strange])
        blank = self.file("blank.de", "\n" * SENTENCES)
        self.fail_with("every translation of the development set is empty", source=blank)
        zero = ["--set", "weights.TranslationModel=[0,0,0,0]"]
        for key in ("LM", "RulePenalty", "WordPenalty", "Jump"):
            zero += ["--set", f"weights.{key}=0"]
        self.fail_with("degenerate", "all are 0", options=zero)
        self.fail_with("mert", options=["--method", "mert"])
        self.fail_with("no/such/folder", output="no/such/folder/weights.toml")

    def test_trees_are_needed_by_systems_that_read_them(self):
        result = run("tune", "-m", self.root / "dbg", "--source", self.text, "--references", self.references, "-o", self.root / "never.toml")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("CoNLL-U", result.stderr)


if __name__ == "__main__":
    unittest.main()

"""graft experiment as users call it, on the embedded examples: tables, orderings, resumption, one more row, a consensus."""
import csv
import fcntl
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from graft_calls import GraftTest, run, succeed

EXAMPLES = pathlib.Path(os.environ["GRAFT_SOURCE"]).resolve() / "examples"


def steps_done(result):
    """(stage, step) of the steps a run worked on."""
    return re.findall(r"^\[\d+/\d+\] (\S+): (\S+) …$", result.stderr, re.MULTILINE)


def rows(*tables):
    return "".join("[[row]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()) for table in tables)


class Experiment(GraftTest):
    exit_codes = (1,)

    def setUp(self):
        self.root = self.own_folder()
        self.results = self.root / "results"

    def config(self, table, extra="", limit=400, held=60, tune="runs = 2\niterations = 2", baselines='["pbmt"]', name="experiment.toml"):
        data = EXAMPLES / "zh-en"
        text = f'output = "results"\nbaselines = {baselines}\n{table}{extra}'
        text += f'[corpus]\nsource = "{data}/train.zh.conllu"\ntarget = "{data}/train.en"\nlimit = {limit}\n[lm]\norder = 3\n'
        for section, part in (("dev", "dev"), ("test.unseen", "test")):
            text += f'[{section}]\nsource = "{data}/{part}.zh.conllu"\nreferences = ["{data}/{part}.en"]\nlimit = {held}\n'
        text += f"[tune]\n{tune}\n[search]\nbeam = 30\npop_limit = 100\ndistortion_limit = 5\n[report]\nspeed_sentences = 20\nerror_sentences = 10\nexamples = 2\n"
        path = self.root / name
        path.write_text(text, encoding="utf-8")
        return path

    def report(self):
        return json.loads((self.results / "report.json").read_text(encoding="utf-8"))

    def test_report_resumption_and_one_more_row(self):
        first = rows({"name": "pbmt"}, {"name": "seggbmt", "graph": "dbg"})
        consensus = '[[consensus]]\nrows = ["pbmt", "seggbmt-dbg"]\nnbest = 10\n'
        config = self.config(first, consensus)
        plan = succeed("experiment", config, "--dry-run").stdout
        self.assertIn("0 steps done", plan)
        self.assertFalse(self.results.exists())
        result = succeed("experiment", config)
        done = steps_done(result)
        self.assertEqual([stage for stage, step in done if step in ("align", "lm")], ["shared", "shared"])
        report = self.report()
        self.assertEqual([row["id"] for row in report["rows"]], ["pbmt", "seggbmt-dbg", "consensus"])
        for row in report["rows"]:
            test = row["tests"]["unseen"]
            self.assertEqual(len(test["runs"]), 2)
            self.assertAlmostEqual(test["bleu"], sum(test["runs"]) / 2)
        pbmt, seggbmt = report["rows"][:2]
        self.assertGreater(pbmt["sentences_per_second"], 0)
        self.assertEqual(pbmt["shares"]["continuous"], 1)
        self.assertLess(seggbmt["shares"]["continuous"], 1)
        self.assertEqual(len(seggbmt["examples"]), 2)
        # The figures are those of the other verbs.
        work = self.results / "rows" / "seggbmt-dbg.work"
        score = succeed("eval", work / "test.unseen.run1.out", self.held_out(), "--tokenize", "none").stdout
        self.assertIn(f"{seggbmt['tests']['unseen']['runs'][0]:.2f}", score)
        compared = json.loads(succeed("compare", "--ref", self.held_out(), "--tokenize", "none", "--json", "--metrics", "bleu",
                                           "--system", "pbmt", *(self.results / "rows" / "pbmt.work" / f"test.unseen.run{r}.out" for r in (1, 2)),
                                           "--system", "dbg", *(work / f"test.unseen.run{r}.out" for r in (1, 2))).stdout)
        self.assertAlmostEqual(compared["metrics"][0]["systems"][1]["against"][0]["p"], seggbmt["tests"]["unseen"]["against"][0]["p"])
        # Model folders translate.
        translated = succeed("translate", "-m", self.results / "rows" / "pbmt", EXAMPLES / "zh-en" / "test.zh.conllu").stdout
        self.assertEqual(len(translated.splitlines()), 200)
        # Forms of the report.
        with open(self.results / "report.csv", newline="", encoding="utf-8") as file:
            self.assertEqual([row["id"] for row in csv.DictReader(file)], ["pbmt", "seggbmt-dbg", "consensus"])
        markdown = (self.results / "report.md").read_text(encoding="utf-8")
        self.assertIn("| SegGBMT | DBG |", markdown)
        page = (self.results / "report.html").read_text(encoding="utf-8")
        self.assertIn("<svg", page)
        self.assertNotIn("<script", page)
        # Nothing is done twice, and a new row is all that is worked on.
        self.assertEqual(steps_done(succeed("experiment", config)), [])
        self.config(first + rows({"name": "dep2str"}, {"name": "serg", "pos": True}), consensus)
        done = steps_done(succeed("experiment", config))
        self.assertEqual({stage for stage, _ in done}, {"dep2str", "serg-pos"})
        after = self.report()
        self.assertEqual(after["rows"][:2], report["rows"][:2])
        self.assertEqual([row["id"] for row in after["rows"][2:]], ["dep2str", "serg-pos", "consensus"])
        # What was lost is made again, and what follows from it is not.
        (self.results / "rows" / "pbmt.work" / "test.unseen.run1.out").unlink()
        self.assertEqual(steps_done(succeed("experiment", config)), [("pbmt", "test.unseen.run1")])

    def files(self):
        return {path: path.read_bytes() for path in self.results.rglob("*") if path.is_file() and path.name != "lock"}

    def test_one_run_at_a_time(self):
        config = self.config(rows({"name": "pbmt"}), '[[consensus]]\nrows = ["pbmt"]\nnbest = 3\n')
        succeed("experiment", config)
        before = self.files()
        with open(self.results / "lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.fail_with("another run is using this folder", "experiment", config, "--set", "corpus.limit=300", "--set", "tune.runs=1")
        self.assertEqual(self.files(), before, "nothing may change under the other's feet")

    def test_what_fewer_runs_leave_is_removed(self):
        config = self.config(rows({"name": "pbmt"}), '[[consensus]]\nrows = ["pbmt"]\nnbest = 3\n')
        succeed("experiment", config)
        second = {path.name for path in self.files() if ".run2" in path.name}
        self.assertEqual(second, {"weights.run2.toml", "test.unseen.run2.out", "nbest.unseen.run2.3.zst"})
        succeed("experiment", config, "--set", "tune.runs=1")
        self.assertEqual([path for path in self.files() if ".run2" in path.name], [])

    def test_a_copy_knows_its_own_files(self):
        config = self.config(rows({"name": "pbmt"}))
        succeed("experiment", config)
        copy = self.root / "copy"
        shutil.copytree(self.results, copy)
        self.assertEqual(steps_done(succeed("experiment", config, "--set", f"output={copy}")), [])
        (copy / "rows" / "pbmt" / "model.toml").unlink()
        self.assertEqual(steps_done(succeed("experiment", config, "--set", f"output={copy}")), [("pbmt", "model")])
        self.assertTrue((copy / "rows" / "pbmt" / "model.toml").exists())

    def held_out(self):
        path = self.root / "held.en"
        lines = (EXAMPLES / "zh-en" / "test.en").read_text(encoding="utf-8").splitlines(keepends=True)[:60]
        path.write_text("".join(lines), encoding="utf-8")
        return path

    def test_every_system_and_variant_of_the_paper_has_a_row(self):
        text = (EXAMPLES / "paper-tables.toml").read_text(encoding="utf-8")
        plan = succeed("experiment", EXAMPLES / "paper-tables.toml", "--dry-run", "--set", f"output={self.results}").stdout
        self.assertIn("23 rows", plan)
        self.assertEqual(text.count("[[row]]"), 23)
        for name in ("pbmt", "tbmt", "sdtu", "seggbmt", "hpbmt", "dep2str", "serg", "gramgbmt-b", "gramgbmt-c"):
            self.assertIn(f'"{name}"', text)

    def test_mistakes_are_named(self):
        one = rows({"name": "pbmt"})
        self.fail_with("there is no row `hpbmt`", "experiment", self.config(one, baselines='["hpbmt"]'))
        self.fail_with("there is a row pbmt already", "experiment", self.config(one + one))
        self.fail_with("needs a graph", "experiment", self.config(rows({"name": "seggbmt"})))
        self.fail_with("unknown key row.grph", "experiment", self.config(rows({"name": "seggbmt", "grph": "dbg"})))
        self.fail_with("has no [[row]] tables", "experiment", self.config("", baselines="[]"))
        self.fail_with("search.glue_limit: means nothing for any of the rows", "experiment", self.config(one), "--set", "search.glue_limit=3")
        self.fail_with("becomes the name of a folder", "experiment", self.config(one, '[[consensus]]\nrows = ["pbmt"]\nid = "../x"\n'))
        self.fail_with("consensus.scale: must be 0 to 1000000", "experiment", self.config(one, '[[consensus]]\nrows = ["pbmt"]\nscale = -3\n'))
        self.fail_with("names no folder", "experiment", self.config(one), "--set", "output=")
        (self.root / "results").mkdir()
        (self.root / "results" / "report.md").write_text("mine")
        self.fail_with("is not of an experiment", "experiment", self.config(one))
        self.fail_with("needs rows", "experiment", self.config(one, "[[consensus]]\nnbest = 3\n"))
        self.fail_with("read the corpus in different ways", "experiment",
                       self.config(one + rows({"name": "tbmt", "upos": True}, {"name": "seggbmt", "graph": "dsg"})))


class Orderings(GraftTest):
    """What the phenomena built into the Chinese-English example must produce, with its own links: errors of an aligner play no part."""

    exit_codes = (1,)

    def test_graphs_pay(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            data = EXAMPLES / "zh-en"
            systems = [{"name": "pbmt"}, {"name": "hpbmt"}]
            systems += [{"name": name, "graph": graph} for name in ("seggbmt", "gramgbmt-c") for graph in ("tree", "dsg", "dbg")]
            text = 'output = "results"\nbaselines = ["pbmt", "hpbmt"]\n' + rows(*systems)
            text += f'[corpus]\nsource = "{data}/train.zh.conllu"\ntarget = "{data}/train.en"\nalign = "{data}/train.align"\n[lm]\norder = 4\n'
            for section, part in (("dev", "dev"), ("test.unseen", "test")):
                text += f'[{section}]\nsource = "{data}/{part}.zh.conllu"\nreferences = ["{data}/{part}.en"]\n'
            text += "[tune]\niterations = 4\n[search]\nbeam = 50\npop_limit = 200\n[report]\nspeed_sentences = 0\nerror_sentences = 0\nexamples = 0\n"
            (root / "experiment.toml").write_text(text, encoding="utf-8")
            result = run("experiment", root / "experiment.toml")
            self.assertEqual(result.returncode, 0, result.stderr)
            report = json.loads((root / "results" / "report.json").read_text(encoding="utf-8"))
        bleu = {row["id"]: row["tests"]["unseen"]["bleu"] for row in report["rows"]}
        self.assertGreater(bleu["seggbmt-dbg"], bleu["pbmt"], bleu)
        self.assertGreaterEqual(bleu["gramgbmt-c-dbg"], bleu["hpbmt"], bleu)
        for system in ("seggbmt", "gramgbmt-c"):
            for graph in ("dsg", "dbg"):
                self.assertGreater(bleu[f"{system}-{graph}"], bleu[f"{system}-tree"], bleu)


if __name__ == "__main__":
    unittest.main()

"""graft train as users call it, on the German-English example: results, resumption after kill -9, plans, failures."""
import fcntl
import hashlib
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

from graft_calls import GRAFT, GraftTest, blocks, succeed

EXAMPLE = pathlib.Path(os.environ["GRAFT_SOURCE"]).resolve() / "examples" / "de-en"
PAIRS, HELD_OUT = 500, 40


def forms(block):
    return " ".join(line.split("\t")[1] for line in block.splitlines() if re.match(r"\d+\t", line))


def contents(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def steps_done(result):
    """Names of the steps a run worked on."""
    return re.findall(r"^\[\d+/\d+\] (\S+) …$", result.stderr, re.MULTILINE)


class Train(GraftTest):
    exit_codes = (1,)

    @classmethod
    def setUpClass(cls):
        cls.data = data = cls.shared_folder()
        for part, limit in (("train", PAIRS), ("dev", HELD_OUT), ("test", HELD_OUT)):
            parsed = blocks(EXAMPLE / f"{part}.de.conllu")[:limit]
            (data / f"{part}.de.conllu").write_text("".join(parsed), encoding="utf-8")
            (data / f"{part}.de").write_text("".join(forms(block) + "\n" for block in parsed), encoding="utf-8")
            for name in (f"{part}.en", f"{part}.align"):
                lines = (EXAMPLE / name).read_text(encoding="utf-8").splitlines(keepends=True)[:limit]
                (data / name).write_text("".join(lines), encoding="utf-8")

    def setUp(self):
        self.root = self.own_folder()

    def config(self, name="train.toml", output="model", system='name = "pbmt"', source="de", corpus="", dev=True, test=True, extra=""):
        """Writes a configuration; `source` is the extension of source files."""
        text = f'output = "{output}"\n[system]\n{system}\n[corpus]\nsource = "{self.data}/train.{source}"\ntarget = "{self.data}/train.en"\n{corpus}\n'
        text += "[lm]\norder = 3\n"
        for section, part, wanted in (("dev", "dev", dev), ("test.held", "test", test)):
            if wanted:
                text += f'[{section}]\nsource = "{self.data}/{part}.{source}"\nreferences = ["{self.data}/{part}.en"]\n'
        path = self.root / name
        path.write_text(text + ("[tune]\niterations = 3\n" if dev else "") + extra, encoding="utf-8")
        return path

    # --- the whole way

    def test_from_text_to_a_tuned_model(self):
        result = succeed("train", self.config())
        self.assertEqual(steps_done(result), ["corpus", "dev", "test.held", "align", "lm", "table", "tune.run1", "test.held.run1", "model"])
        for line in ("dev BLEU", "test BLEU, held", "rules", "model", "peak memory"):
            self.assertIn(line, result.stdout)
        self.assertEqual(set(contents(self.root / "model")), {"model.toml", "rules.graft", "lm.bin", "weights.run1.toml"})
        translated = succeed("translate", "-m", self.root / "model", self.data / "test.de").stdout
        self.assertEqual(translated, (self.root / "model.work" / "test.held.run1.out").read_text(encoding="utf-8"))
        score = succeed("eval", self.root / "model.work" / "test.held.run1.out", self.data / "test.en", "--tokenize", "none").stdout
        stated = re.search(r"test BLEU, held +([0-9.]+)", result.stdout)[1]
        self.assertIn(stated, score)
        self.assertGreater(float(stated), 20)

    def test_trees_given_alignments_and_several_runs(self):
        config = self.config(system='name = "seggbmt"\ngraph = "dbg"', source="de.conllu", corpus=f'align = "{self.data}/train.align"\nlowercase = true',
                             extra="runs = 2\n")
        result = succeed("train", config)
        self.assertNotIn("align", steps_done(result))
        files = set(contents(self.root / "model"))
        self.assertLessEqual({"weights.run1.toml", "weights.run2.toml"}, files)
        toml = (self.root / "model" / "model.toml").read_text(encoding="utf-8")
        best = re.search(r"the model has run (\d)", result.stdout)[1]
        weights = (self.root / "model" / f"weights.run{best}.toml").read_text(encoding="utf-8")
        self.assertIn(weights[weights.index("TranslationModel"):].strip(), toml)
        self.assertRegex(result.stdout, r"dev BLEU +[0-9.]+ ± [0-9.]+ \([0-9.]+, [0-9.]+\)")

    def test_relative_names_are_those_of_the_configuration(self):
        self.config(dev=False, test=False)
        (self.root / "elsewhere").mkdir()
        succeed("train", "train.toml", cwd=self.root)
        self.assertEqual(steps_done(succeed("train", "../train.toml", cwd=self.root / "elsewhere")), [])
        self.assertEqual(steps_done(succeed("train", self.root / "train.toml")), [])

    def test_without_a_development_set_weights_stay_and_a_warning_says_so(self):
        result = succeed("train", self.config(dev=False))
        self.assertIn("no [dev] set", result.stderr)
        self.assertIn("LM = 0.5", (self.root / "model" / "model.toml").read_text(encoding="utf-8"))

    def test_other_text_for_the_language_model(self):
        config = self.config(dev=False, test=False)
        config.write_text(config.read_text(encoding="utf-8").replace("[lm]\n", f'[lm]\ntext = ["{self.data}/train.en", "{EXAMPLE}/dev.en"]\n'), encoding="utf-8")
        succeed("train", config)
        from_corpus = self.config("other.toml", output="other", dev=False, test=False)
        succeed("train", from_corpus)
        self.assertNotEqual(contents(self.root / "model")["lm.bin"], contents(self.root / "other")["lm.bin"])
        given = self.config("given.toml", output="given", dev=False, test=False)
        given.write_text(given.read_text(encoding="utf-8").replace("[lm]\norder = 3\n", '[lm]\nfile = "model/lm.bin"\n'), encoding="utf-8")
        succeed("train", given)
        self.assertEqual(contents(self.root / "given"), contents(self.root / "model"))

    def test_limits_take_the_first_pairs(self):
        (self.root / "short.en").write_text("".join((self.data / "train.en").read_text(encoding="utf-8").splitlines(keepends=True)[:100]), encoding="utf-8")
        (self.root / "short.de").write_text("".join((self.data / "train.de").read_text(encoding="utf-8").splitlines(keepends=True)[:100]), encoding="utf-8")
        limited = self.config(corpus="limit = 100", dev=False, test=False)
        short = self.config("short.toml", output="short", dev=False, test=False)
        short.write_text(short.read_text(encoding="utf-8").replace(f"{self.data}/train", f"{self.root}/short"), encoding="utf-8")
        succeed("train", limited)
        succeed("train", short)
        self.assertEqual(contents(self.root / "model"), contents(self.root / "short"))

    # --- raw text and case

    def test_raw_text_is_tokenised_truecased_and_comes_back_whole(self):
        for side in ("de", "en"):
            for part in ("train", "dev", "test"):
                lines = (self.data / f"{part}.{side}").read_text(encoding="utf-8").splitlines()
                raw = [re.sub(r" ([.,?!])", r"\1", line) for line in lines]
                (self.root / f"{part}.{side}").write_text("".join(line[:1].upper() + line[1:] + "\n" for line in raw), encoding="utf-8")
        config = self.config(corpus='tokenised = false\ntruecase = true\nlanguages = ["de", "en"]')
        config.write_text(config.read_text(encoding="utf-8").replace(str(self.data), str(self.root)), encoding="utf-8")
        succeed("train", config)
        self.assertLessEqual({"truecase.source", "truecase.target"}, set(contents(self.root / "model")))
        translated = succeed("translate", "-m", self.root / "model", self.root / "test.de").stdout.splitlines()
        self.assertEqual(len(translated), HELD_OUT)
        for line in translated:
            self.assertNotIn(" .", line)
            self.assertTrue(line[0].isupper() or not line[0].isalpha(), line)

    # --- doing only what changed

    def test_what_is_done_is_not_done_again(self):
        config = self.config()
        succeed("train", config)
        model = contents(self.root / "model")
        again = succeed("train", config)
        self.assertEqual(steps_done(again), [])
        self.assertEqual(contents(self.root / "model"), model)
        self.assertEqual(steps_done(succeed("train", config, "--threads", "1", "-S", "200M")), [])

        seed = succeed("train", config, "--set", "tune.seed=7")
        self.assertEqual(steps_done(seed)[0], "tune.run1")
        self.assertEqual(steps_done(succeed("train", config, "--set", "tune.nbest=20"))[0], "tune.run1")
        back = succeed("train", config)
        self.assertEqual(contents(self.root / "model"), model)
        self.assertNotIn("table", steps_done(back))

        config.write_text(config.read_text(encoding="utf-8") + f'[test.more]\nsource = "{self.data}/dev.de"\nreferences = ["{self.data}/dev.en"]\n', encoding="utf-8")
        self.assertEqual(steps_done(succeed("train", config)), ["test.more", "test.more.run1"])

    def test_changed_inputs_and_damaged_files_are_noticed(self):
        for name in ("train.de", "train.en"):
            shutil.copy(self.data / name, self.root / name)
        config = self.config(dev=False, test=False)
        config.write_text(config.read_text(encoding="utf-8").replace(f"{self.data}/train", f"{self.root}/train"), encoding="utf-8")
        succeed("train", config)
        model = contents(self.root / "model")

        target = self.root / "train.en"
        before = target.read_text(encoding="utf-8")
        os.utime(target)
        self.assertEqual(steps_done(succeed("train", config)), [], "the content counts, not the time")
        target.write_text(before.replace("the", "teh", 1), encoding="utf-8")
        self.assertEqual(steps_done(succeed("train", config)), ["corpus", "align", "lm", "table", "model"])
        self.assertNotEqual(contents(self.root / "model"), model)
        target.write_text(before, encoding="utf-8")
        succeed("train", config)
        self.assertEqual(contents(self.root / "model"), model)

        links = self.root / "model.work" / "corpus.align.zst"
        damaged = bytearray(links.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        links.write_bytes(damaged)
        self.assertEqual(steps_done(succeed("train", config)), ["align"])
        (self.root / "model.work" / "ledger.json").write_text("not JSON", encoding="utf-8")
        succeed("train", config)
        self.assertEqual(contents(self.root / "model"), model)

    def test_an_edited_model_is_replaced_but_kept(self):
        config = self.config(dev=False, test=False)
        succeed("train", config)
        toml = self.root / "model" / "model.toml"
        written = toml.read_text(encoding="utf-8")
        toml.write_text(written.replace("LM = 0.5", "LM = 0.75"), encoding="utf-8")
        result = succeed("train", config)
        self.assertIn("model.toml.old", result.stderr)
        self.assertEqual(toml.read_text(encoding="utf-8"), written)
        self.assertIn("LM = 0.75", (self.root / "model" / "model.toml.old").read_text(encoding="utf-8"))
        toml.write_text(written.replace("LM = 0.5", "LM = 0.25"), encoding="utf-8")
        for name in ("notes.tmp", "weights.running-notes.toml"):
            (self.root / "model" / name).write_text("mine", encoding="utf-8")
        succeed("train", config)
        self.assertIn("LM = 0.75", (self.root / "model" / "model.toml.old").read_text(encoding="utf-8"))
        self.assertIn("LM = 0.25", (self.root / "model" / "model.toml.old2").read_text(encoding="utf-8"))
        for name in ("notes.tmp", "weights.running-notes.toml"):
            self.assertTrue((self.root / "model" / name).exists(), name)

    def test_results_of_runs_no_longer_asked_for_go(self):
        config = self.config()
        succeed("train", config, "--set", "tune.runs=2", "--set", "tune.iterations=2")
        self.assertTrue((self.root / "model.work" / "test.held.run2.out").exists())
        self.assertEqual(steps_done(succeed("train", config, "--set", "tune.iterations=2")), ["model"])
        self.assertFalse((self.root / "model.work" / "test.held.run2.out").exists())
        self.assertFalse((self.root / "model" / "weights.run2.toml").exists())

    def test_threads_and_memory_change_nothing(self):
        expected = None
        for output, options in (("one", ["--threads", "1"]), ("three", ["--threads", "3", "-S", "200M"])):
            succeed("train", self.config(f"{output}.toml", output=output, system='name = "seggbmt"\ngraph = "dsg"', source="de.conllu"), *options)
            expected = expected or contents(self.root / output)
            self.assertEqual(contents(self.root / output), expected)

    def test_killed_at_any_moment_it_ends_with_the_same_model(self):
        whole = self.config("whole.toml", output="whole")
        started = time.monotonic()
        succeed("train", whole)
        duration = time.monotonic() - started
        expected = contents(self.root / "whole")
        killed = 0
        for trial, share in enumerate((0.9, 0.35, 0.65, 0.15)):
            output = f"trial{trial}"
            config = self.config(f"{output}.toml", output=output)
            pause = duration * share
            for _ in range(40):
                process = subprocess.Popen([GRAFT, "train", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                try:
                    _, errors = process.communicate(timeout=pause)
                    self.assertEqual(process.returncode, 0, errors.decode())
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
                    killed += 1
                    pause *= 1.25
            else:
                self.fail("never finished")
            self.assertEqual(contents(self.root / output), expected)
            files = {path.name for path in (self.root / f"{output}.work").iterdir()}
            self.assertEqual(files, {path.name for path in (self.root / "whole.work").iterdir()}, "nothing is left lying about")
        self.assertGreater(killed, 2)

    # --- folders that were moved, copied or damaged

    def test_copied_work_folder_makes_a_model_where_it_is_asked_for(self):
        config = self.config()
        succeed("train", config)
        expected = contents(self.root / "model")
        shutil.copytree(self.root / "model.work", self.root / "other.work")
        result = succeed("train", config, "--set", f"output={self.root}/other")
        self.assertEqual(steps_done(result), ["model"])
        self.assertEqual(contents(self.root / "other"), expected)
        plan = succeed("train", config, "--set", f"output={self.root}/other", "--dry-run").stdout
        self.assertNotIn("to do", plan)
        self.assertEqual(steps_done(succeed("train", config)), [], "the first is as it was")

    def test_folders_moved_to_other_names_and_places(self):
        config = self.config()
        succeed("train", config)
        expected = contents(self.root / "model")
        place = self.root / "a" / "b"
        place.mkdir(parents=True)
        for part in ("", ".work"):
            shutil.move(self.root / f"model{part}", place / f"moved{part}")
        result = succeed("train", config, "--set", f"output={place}/moved")
        self.assertLessEqual(set(steps_done(result)), {"model"})
        self.assertEqual(contents(place / "moved"), expected)
        self.assertFalse((self.root / "model").exists())
        shutil.move(place / "moved", self.root / "model")  # the model alone: its work folder is elsewhere
        self.assertEqual(steps_done(succeed("train", config, "--set", f"output={place}/moved")), ["model"])
        self.assertEqual(contents(place / "moved"), expected)

    def test_damage_in_a_model_is_repaired_whether_linked_or_copied(self):
        config = self.config()
        succeed("train", config)
        expected = contents(self.root / "model")
        for part in ("", ".work"):
            shutil.copytree(self.root / f"model{part}", self.root / f"copy{part}")
        for output in ("copy", "model"):
            for name in expected:
                path = self.root / output / name
                data = bytearray(path.read_bytes())
                data[len(data) // 2] ^= 4
                with open(path, "r+b") as file:  # in place, so that linked files share the damage
                    file.write(data)
                result = succeed("train", config, "--set", f"output={self.root}/{output}")
                self.assertIn("model", steps_done(result), (output, name))
                now = {file: value for file, value in contents(self.root / output).items() if not file.startswith("model.toml.old")}
                self.assertEqual(now, expected, (output, name))
            (self.root / output / "lm.bin").unlink()
            succeed("train", config, "--set", f"output={self.root}/{output}")
            self.assertEqual(contents(self.root / output)["lm.bin"], expected["lm.bin"])

    # --- plans

    def test_dry_run_shows_the_plan_and_does_nothing(self):
        config = self.config()
        plan = succeed("train", config, "--dry-run").stdout
        for step in ("corpus", "align", "lm", "table", "tune.run1", "test.held.run1", "model"):
            self.assertRegex(plan, rf"(?m)^{re.escape(step)} +to do")
        self.assertRegex(plan, r"(?m)^table +to do +~[0-9.]+ [kMG]B +~[0-9.]+ [kMG]B")
        self.assertIn("Free on this disk", plan)
        self.assertEqual([path.name for path in self.root.iterdir()], ["train.toml"])
        succeed("train", config)
        self.assertNotIn("to do", succeed("train", config, "--dry-run").stdout)
        changed = succeed("train", config, "--dry-run", "--set", "lm.order=2").stdout
        self.assertRegex(changed, r"(?m)^table +done")
        self.assertRegex(changed, r"(?m)^lm +to do")
        self.assertRegex(changed, r"(?m)^tune.run1 +to do")

    # --- no configuration at all

    def test_quick_text(self):
        result = succeed("train", "--quick", self.data / "train.de", self.data / "train.en", "-o", self.root / "quick", "--set", "tune.iterations=2")
        self.assertIn("pbmt", result.stderr)
        self.assertIn(f"Pairs 1-{PAIRS - 50} are trained on, {PAIRS - 49}-{PAIRS - 25} tune the weights, {PAIRS - 24}-{PAIRS} are the test set", result.stderr)
        self.assertIn("test BLEU, held-out", result.stdout)
        succeed("translate", "-m", self.root / "quick", self.data / "test.de")
        again = succeed("train", self.root / "quick.work" / "train.toml")
        self.assertEqual(steps_done(again), [], "what --set said is in the file")

    def test_quick_with_another_system(self):
        plan = succeed("train", "--quick", self.data / "train.de.conllu", self.data / "train.en", "-o", self.root / "quick",
                            "--set", "system.name=gramgbmt-c", "--set", "system.graph=dsg", "--dry-run")
        self.assertIn("gramgbmt-c on the dependency-sibling graph", plan.stderr)
        for name, text in (("dep2str", "dep2str on the dependency tree"), ("serg", "serg on the dependency edge graph"), ("sdtu", "sdtu."),
                           ("gramgbmt-b", "gramgbmt-b on the dependency-bigram graph")):
            plan = succeed("train", "--quick", self.data / "train.de.conllu", self.data / "train.en", "-o", self.root / "quick",
                                "--set", f"system.name={name}", "--dry-run")
            self.assertIn(text, plan.stderr)
        result = succeed("train", "--quick", self.data / "train.de", self.data / "train.en", "-o", self.root / "quick",
                              "--set", "system.name=hpbmt", "--set", "tune.iterations=1")
        self.assertIn("hpbmt", result.stderr)
        self.assertNotIn("pbmt.", result.stderr.replace("hpbmt", ""))
        again = succeed("train", self.root / "quick.work" / "train.toml")
        self.assertEqual(steps_done(again), [])

    def test_quick_trees(self):
        result = succeed("train", "--quick", self.data / "train.de.conllu", self.data / "train.en", "-o", self.root / "quick", "--set", "tune.iterations=2")
        self.assertIn("seggbmt", result.stderr)
        self.assertIn('graph = "dbg"', (self.root / "quick" / "model.toml").read_text(encoding="utf-8"))

    def test_quick_judges_raw_text(self):
        for side in ("de", "en"):
            text = (self.data / f"train.{side}").read_text(encoding="utf-8")
            (self.root / f"raw.{side}").write_text(re.sub(r" ([.,?!])", r"\1", text), encoding="utf-8")
        plan = succeed("train", "--quick", self.root / "raw.de", self.root / "raw.en", "-o", self.root / "m", "--dry-run")
        self.assertIn("raw", plan.stderr)
        self.assertFalse((self.root / "m.work").exists())
        plan = succeed("train", "--quick", self.root / "raw.de", self.root / "raw.en", "-o", self.root / "m", "--dry-run", "--tokenised")
        self.assertIn("stays as it is", plan.stderr)

    def test_quick_with_very_few_pairs(self):
        for pairs in (1, 15, 40, 150):
            for side in ("de", "en"):
                lines = (self.data / f"train.{side}").read_text(encoding="utf-8").splitlines(keepends=True)[:pairs]
                (self.root / f"few.{side}").write_text("".join(lines), encoding="utf-8")
            result = succeed("train", "--quick", self.root / "few.de", self.root / "few.en", "-o", self.root / f"m{pairs}")
            self.assertIn("too few", result.stderr)
            succeed("translate", "-m", self.root / f"m{pairs}", self.root / "few.de")

    def test_quick_notices_files_of_different_length_first(self):
        for side in ("de", "de.conllu", "en"):
            source, target = self.data / ("train.de" if side == "en" else f"train.{side}"), self.data / "train.en"
            whole = target if side == "en" else source
            shorter = self.root / whole.name
            if side == "de.conllu":
                shorter.write_text("".join(blocks(whole)[:-9]), encoding="utf-8")
            else:
                shorter.write_text("".join(whole.read_text(encoding="utf-8").splitlines(keepends=True)[:-9]), encoding="utf-8")
            files = [source, shorter] if side == "en" else [shorter, target]
            result = self.fail_with([f"{PAIRS - 9}", f"{PAIRS}", "graft check"], "train", "--quick", *files, "-o", self.root / "model")
            self.assertNotIn("trained on", result.stderr)
            self.assertFalse((self.root / "model.work").exists())

    def test_quick_keeps_an_edited_configuration(self):
        quick = ["train", "--quick", self.data / "train.de", self.data / "train.en", "-o", self.root / "m", "--set", "tune.iterations=1"]
        succeed(*quick)
        path = self.root / "m.work" / "train.toml"
        path.write_text(path.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
        self.assertIn("train.toml.old", succeed(*quick).stderr)
        self.assertIn("# mine", (self.root / "m.work" / "train.toml.old").read_text(encoding="utf-8"))

    def test_quick_sees_unspaced_and_swapped_files(self):
        (self.root / "zh").write_text("这是一个测试，它没有空格。\n" * 30, encoding="utf-8")
        (self.root / "en").write_text("this is a test , it has no spaces .\n" * 30, encoding="utf-8")
        plan = succeed("train", "--quick", self.root / "zh", self.root / "en", "-o", self.root / "m", "--dry-run")
        self.assertIn("zh is raw text", plan.stderr)
        self.fail_with("swapped", "train", "--quick", self.data / "train.en", self.data / "train.de.conllu", "-o", self.root / "m")
        self.fail_with("no such file", "train", "--quick", self.root / "absent", self.root / "en", "-o", self.root / "m")

    # --- what a user can get wrong

    def broken(self, old, new, **options):
        config = self.config(**options)
        text = config.read_text(encoding="utf-8")
        self.assertIn(old, text)
        config.write_text(text.replace(old, new), encoding="utf-8")
        return config

    def test_mistakes_in_the_configuration_name_file_line_and_remedy(self):
        self.fail_with([".toml:5: unknown key corpus.sorce", "source"], "train", self.broken("source = ", "sorce = "))
        self.fail_with(["unknown key tune.iteration", "iterations"], "train", self.broken("iterations = 3", "iteration = 3"))
        self.fail_with(["train.toml:8: unknown key crpus", "corpus"], "train", self.broken("[lm]", "[crpus]"))
        self.fail_with("tune.iterations: must be a whole number", "train", self.broken("iterations = 3", 'iterations = "3"'))
        self.fail_with("lm.order: must be between 1 and 6", "train", self.broken("order = 3", "order = 7"))
        self.fail_with(["unknown system `pbtm`", "pbmt"], "train", self.broken('"pbmt"', '"pbtm"'))
        self.fail_with("has no `output", "train", self.broken('output = "model"', ""))
        self.fail_with("lowercase", "train", self.config(corpus="lowercase = true\ntruecase = true"))
        self.fail_with("test sets have names", "train", self.broken("[test.held]", "[test]"))
        self.fail_with("symmetrise", "train", self.config(extra='[align]\nsymmetrise = "grow-dig"\n'))
        self.fail_with("tune.runs: must be between", "train", self.config(), "--set", "tune.runs=0")
        result = self.fail_with(["train.toml:4: [system]: graph means nothing for pbmt", "seggbmt"], "train", self.config(system='name = "pbmt"\ngraph = "dbg"'))
        self.assertNotIn("--graph", result.stderr)
        self.fail_with("train.toml:4: [system]: max_length is 99; it must be", "train", self.config(system='name = "pbmt"\nmax_length = 99'))
        self.fail_with("--set: tune.runs: must be", "train", self.config(), "--set", "tune.runs=0")
        self.fail_with("--set: [system]: unknown graph `foo`", "train", self.config(system='name = "seggbmt"\ngraph = "dbg"', source="de.conllu"), "--set", "system.graph=foo")
        self.fail_with(":1: a key of more than 100 parts", "train", self.broken('output = "model"', "a" + ".a" * 200000 + " = 1"))
        self.fail_with("cannot open", "train", self.root / "absent.toml")
        self.fail_with("give a configuration", "train")
        self.fail_with("--quick needs -o", "train", "--quick", self.data / "train.de", self.data / "train.en")
        self.assertEqual([path.name for path in self.root.iterdir()], ["train.toml"], "nothing was begun")

    def test_missing_files_are_noticed_before_any_work(self):
        config = self.broken(f"{self.data}/dev.en", f"{self.data}/absent.en")
        self.fail_with(["dev.references", "absent.en does not exist"], "train", config)
        self.fail_with(["corpus.target", "is a folder"], "train", self.broken(f"{self.data}/train.en", str(self.data)))
        self.fail_with("is plain text, but seggbmt translates parsed sentences", "train", self.config(system='name = "seggbmt"\ngraph = "dbg"'))
        self.assertFalse((self.root / "model.work").exists())

    def test_an_empty_development_set(self):
        (self.root / "none").write_text("", encoding="utf-8")
        config = self.config()
        text = config.read_text(encoding="utf-8").replace(f"{self.data}/dev.de", f"{self.root}/none").replace(f"{self.data}/dev.en", f"{self.root}/none")
        config.write_text(text, encoding="utf-8")
        result = self.fail_with(["none: is empty", "step dev"], "train", config)
        self.assertNotIn("align", steps_done(result))

    def test_settings_that_would_mean_nothing(self):
        links = f'align = "{self.data}/train.align"'
        self.fail_with("[align] is for links made here", "train", self.config(corpus=links, extra="[align]\nseed = 2\n"))
        self.fail_with("corpus.align counts the tokens", "train", self.config(corpus=links + "\ntokenised = false"))
        self.fail_with("max_pair_rules", "train", self.config(corpus="max_pair_rules = 249"))
        self.fail_with("[tune] means nothing without", "train", self.config(dev=False, extra="[tune]\nruns = 2\n"))
        self.fail_with("train.toml: pruning thresholds must not decrease", "train", self.broken("order = 3", "order = 3\nprune = [0, 3, 1]"))
        self.fail_with("lm.order and lm.prune", "train", self.broken("order = 3", f'order = 3\nfile = "{self.data}/train.en"'))
        self.fail_with("swapped", "train", self.broken(f"{self.data}/train.en", f"{self.data}/train.de.conllu"))
        self.fail_with("train.toml:4: unknown key system.max_lenght", "train", self.config(system='name = "pbmt"\nmax_lenght = 5'))

    def test_set_reaches_every_key(self):
        config = self.config(dev=False)
        succeed("train", config, "--set", f"output={self.root}/other", "--set", "test.held.limit=5")
        self.assertEqual(len((self.root / "other.work" / "test.held.run1.out").read_text(encoding="utf-8").splitlines()), 5)
        self.fail_with("unknown key outptu", "train", config, "--set", "outptu=x")

    def test_words_a_language_model_cannot_hold(self):
        lines = (self.data / "train.en").read_text(encoding="utf-8").splitlines(keepends=True)
        lines[6] = "an <s> here\n"
        (self.root / "odd.en").write_text("".join(lines), encoding="utf-8")
        result = self.fail_with("odd.en:7: the text contains <s>", "train", self.broken(f"{self.data}/train.en", f"{self.root}/odd.en"))
        self.assertEqual(steps_done(result), ["corpus"])

    def test_files_out_of_step(self):
        short = self.root / "short.en"
        short.write_text("".join((self.data / "dev.en").read_text(encoding="utf-8").splitlines(keepends=True)[:-3]), encoding="utf-8")
        self.fail_with([f"short.en:{HELD_OUT - 2}", f"has {HELD_OUT - 3} lines"], "train", self.broken(f"{self.data}/dev.en", str(short)))
        links = self.root / "links"
        links.write_text("0-0\n" * (PAIRS - 1) + "0-99\n", encoding="utf-8")
        self.fail_with(f"links:{PAIRS}", "train", self.config(corpus=f'align = "{links}"'))

    def test_a_full_disk_loses_nothing(self):
        config = self.config()
        expected = self.config("whole.toml", output="whole")
        succeed("train", expected)

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

        result = self.fail_with("the same command goes on from here", "train", config, preexec_fn=small_files)
        self.assertIn("corpus", steps_done(result))
        self.assertFalse((self.root / "model").exists())
        resumed = succeed("train", config)
        self.assertNotIn("corpus", steps_done(resumed))
        self.assertEqual(contents(self.root / "model"), contents(self.root / "whole"))

    def test_too_little_memory(self):
        self.fail_with("too small", "train", self.config(), "-S", "1K")
        self.fail_with(["needs", "Give -S"], "train", self.config(), "-S", "70K")

    def test_two_runs_at_once(self):
        config = self.config()
        work = self.root / "model.work"
        work.mkdir()
        with open(work / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.fail_with("another run is using this folder", "train", config)
        succeed("train", config)

    def test_runs_with_other_work_folders_and_the_same_output(self):
        config, model = self.config(dev=False, test=False), self.root / "model"
        succeed("train", config)
        ended = subprocess.Popen(["true"])
        ended.wait()
        theirs, left = model / f"lm.bin.tmp{os.getpid()}.0", model / f"lm.bin.tmp{ended.pid}.0"
        for file in (theirs, left, model / "truecase.source"):
            file.write_text("", encoding="utf-8")
        folder = os.open(model, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)  # another run is installing
        process = subprocess.Popen([GRAFT, "train", config, "--set", "system.max_length=2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)
        self.assertIsNone(process.poll())
        self.assertTrue(left.exists())
        fcntl.flock(folder, fcntl.LOCK_UN)
        self.assertEqual(process.wait(), 0)
        self.assertTrue(theirs.exists())
        self.assertFalse(left.exists())
        self.assertFalse((model / "truecase.source").exists())

    def test_a_folder_that_is_no_model_is_left_alone(self):
        (self.root / "model").mkdir()
        (self.root / "model" / "thesis.tex").write_text("years of work", encoding="utf-8")
        self.fail_with("holds files that are not a model's", "train", self.config())
        self.assertEqual((self.root / "model" / "thesis.tex").read_text(encoding="utf-8"), "years of work")


if __name__ == "__main__":
    unittest.main()

"""graft model inspect, verify and seal; models that are not what was written."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from graft_calls import GraftTest, output, run, succeed

FORMATS = pathlib.Path(os.environ["GRAFT_SOURCE"]) / "tests" / "data" / "formats"
PARTS = ("rules.graft", "lm.bin", "truecase.source", "truecase.target")


class Model(GraftTest):
    def setUp(self):
        self.root = self.own_folder()
        self.model = self.root / "model"
        shutil.copytree(FORMATS / "model-1-sums", self.model)
        self.toml = self.model / "model.toml"

    def translate(self, *options):
        return run("translate", "-m", self.model, *options, stdin="das haus ist klein.\n")

    def edit(self, old, new):
        text = self.toml.read_text(encoding="utf-8")
        self.assertIn(old, text)
        self.toml.write_text(text.replace(old, new), encoding="utf-8")

    def test_inspect_says_what_is_in_it(self):
        text = output("model", "inspect", self.model)
        for part in ("system          PBMT (pbmt)", "de to en", "raw text, truecased", "order 2, probing hash tables", "table 1.0", "sums            as written",
                     "UnknownWordPenalty = 1.0"):
            self.assertIn(part, text)
        for file in self.model.iterdir():
            self.assertRegex(text, rf"{re.escape(file.name)} +{file.stat().st_size}  as written")
        self.fail_with("nowhere", "model", "inspect", self.root / "nowhere")
        self.fail_with("nowhere", "model", "verify", self.root / "nowhere")
        self.fail_with("nowhere", "model", "seal", self.root / "nowhere")

    def test_verify_reads_everything(self):
        self.assertIn("every file is whole", succeed("model", "verify", self.model).stderr)
        table = self.model / "rules.graft"
        data = bytearray(table.read_bytes())
        data[-1] ^= 1  # in the last section
        table.write_bytes(data)
        self.fail_with("rules.graft: damaged", "model", "verify", self.model)

    def test_every_truncation_of_every_file_is_found(self):
        for part in PARTS + ("model.toml",):
            whole = (self.model / part).read_bytes()
            step = max(1, len(whole) // 40)
            for size in sorted({*range(0, len(whole), step), len(whole) - 1}):
                (self.model / part).write_bytes(whole[:size])
                result = self.translate()
                if part == "model.toml" and size == len(whole) - 1:  # the last line break
                    self.assertEqual(result.returncode, 0)
                    self.assertIn("model.toml: was changed", result.stderr)
                    continue
                self.assertEqual(result.returncode, 1, f"{part} cut at {size}")
                self.assertIn(part, result.stderr)
                self.assertEqual(result.stdout, "")
            (self.model / part).write_bytes(whole)
        self.assertEqual(self.translate().returncode, 0)

    def test_a_missing_file_is_named(self):
        for part in PARTS + ("model.toml",):
            moved = self.root / "moved"
            shutil.move(self.model / part, moved)
            self.fail_with(part, "translate", "-m", self.model, stdin="a\n")
            self.fail_with(part, "model", "verify", self.model)
            shutil.move(moved, self.model / part)

    def test_one_bit_of_the_language_model(self):
        lm = self.model / "lm.bin"
        data = bytearray(lm.read_bytes())
        data[171] ^= 1
        lm.write_bytes(data)
        said = self.fail_with(["lm.bin: damaged or changed", "copy or train the model again", "graft model seal"], "translate", "-m", self.model, stdin="a\n")
        self.assertEqual(said.stderr.count("\n"), 1)
        result = run("model", "inspect", self.model)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"lm.bin +641 .*damaged or changed")

    def test_a_sound_table_of_another_model_is_refused(self):
        succeed("table", "build", "--dump", "-", "-o", self.root / "other.graft", stdin=output("table", "dump", self.model / "rules.graft").replace("klein", "winzig"))
        shutil.copy(self.root / "other.graft", self.model / "rules.graft")
        self.fail_with("rules.graft", "translate", "-m", self.model, stdin="a\n")

    def test_a_weight_that_is_missing(self):
        text = self.toml.read_text(encoding="utf-8")
        self.toml.write_text(text[:text.index("[weights]")], encoding="utf-8")
        self.fail_with(["model.toml: has no [weights] table", "copy the model again"], "translate", "-m", self.model, stdin="a\n")
        for name in ("TranslationModel", "LM", "RulePenalty", "WordPenalty", "Jump", "UnknownWordPenalty"):
            self.toml.write_text(re.sub(rf"(?m)^{name} = .*\n", "", text), encoding="utf-8")
            self.fail_with(["model.toml:", f"[weights] has no {name}"], "translate", "-m", self.model, stdin="a\n")
        self.toml.write_text(re.sub(r'(?m)^"lm.bin" = .*\n', "", text), encoding="utf-8")
        self.fail_with(["model.toml:", "[files] has no lm.bin"], "translate", "-m", self.model, stdin="a\n")

    def test_an_edit_is_accepted_and_told_until_it_is_sealed(self):
        before = self.translate().stdout
        self.edit("LM = 0.5", "LM = 0.25  # less of it")
        result = self.translate()
        self.assertEqual((result.returncode, result.stdout), (0, before))
        self.assertRegex(result.stderr, r"^graft: warning: .*model.toml: was changed after the model was written; .*graft model seal .*\n$")
        self.assertIn("edited", output("model", "inspect", self.model))
        self.assertEqual(run("model", "verify", self.model).returncode, 0)
        sealed = succeed("model", "seal", self.model)
        self.assertIn("sealed", sealed.stderr)
        self.assertEqual(self.translate().stderr, "")
        self.assertIn("LM = 0.25  # less of it", self.toml.read_text(encoding="utf-8"))
        self.edit("beam = 200", "beam = -3")
        self.fail_with("beam", "translate", "-m", self.model, stdin="a\n")
        self.fail_with("beam", "model", "seal", self.model)

    def test_sealing_keeps_what_toml_allows(self):
        text = self.toml.read_text(encoding="utf-8")
        before = self.translate().stdout
        indented = re.sub(r"(?m)^(\[|\w)", r"  \1", text)
        for written in (indented, text.replace("[files]", "[ files ]"), text.replace("[files]", '["files"]'), indented.replace("[files]", "[ 'files' ]")):
            self.toml.write_text(written.replace("LM = 0.5", "LM = 0.5 # mine"), encoding="utf-8")
            self.assertIn("was changed", self.translate().stderr)
            succeed("model", "seal", self.model)
            result = self.translate()
            self.assertEqual((result.stdout, result.stderr), (before, ""))
            sealed = self.toml.read_text(encoding="utf-8")
            self.assertEqual(sealed.count("files"), 1)
            self.assertIn("LM = 0.5 # mine", sealed)
            self.toml.write_text(sealed.replace("LM = 0.5", "LM = 0.6"), encoding="utf-8")
            self.assertIn("was changed", self.translate().stderr)

    def test_sealing_refuses_sums_that_it_cannot_replace(self):
        text = self.toml.read_text(encoding="utf-8")
        section = re.search(r"(?ms)^\[files\].*?\n(.*?)\n\n", text)
        lines = section[1].split("\n")
        rest = text.replace(section[0], "")
        dotted = "\n".join("files." + line for line in lines)
        inline = "files = { " + ", ".join(lines) + " }"
        split = "\n".join(re.sub(r"(\S+) = \{ (.*), (.*) \}", r"[files.\1]\n\2\n\3", line) for line in lines) + "\n"
        for written in (rest.replace("format = 1", "format = 1\n" + dotted), rest.replace("format = 1", "format = 1\n" + inline), rest + split):
            self.toml.write_text(written, encoding="utf-8")
            self.assertEqual(self.translate().returncode, 0)
            self.fail_with(["model.toml", "take out all of `files`"], "model", "seal", self.model)
            self.assertEqual(self.toml.read_text(encoding="utf-8"), written)
        self.toml.write_text(rest, encoding="utf-8")
        succeed("model", "seal", self.model)
        self.assertEqual(self.translate().stderr, "")

    def test_another_language_model_on_purpose(self):
        arpa = (FORMATS / "lm.arpa").read_text(encoding="utf-8").replace("-0.3\tis old", "-0.9\tis old")
        (self.root / "other.arpa").write_text(arpa, encoding="utf-8")
        succeed("model", "new", "--table", FORMATS / "model-1" / "rules.graft", "--lm", self.root / "other.arpa", "-o", self.root / "other")
        shutil.copy(self.root / "other" / "lm.bin", self.model / "lm.bin")
        self.fail_with("lm.bin", "translate", "-m", self.model, stdin="a\n")
        succeed("model", "seal", self.model)
        self.assertEqual(self.translate().stderr, "")
        lm = self.model / "lm.bin"
        lm.write_bytes(lm.read_bytes()[:300])
        self.fail_with("lm.bin: not a usable language model", "model", "seal", self.model)

    def test_pipes_instead_of_files_are_errors(self):
        for part in (*PARTS, "model.toml"):
            (self.model / part).rename(self.root / "whole")
            os.mkfifo(self.model / part)
            for verb in (["translate", "-m"], ["model", "inspect"], ["model", "verify"], ["model", "seal"]):
                self.fail_with(f"{part}: not a regular file", *verb, self.model, stdin="a\n", timeout=20)
            (self.model / part).unlink()
            (self.root / "whole").rename(self.model / part)
        os.mkfifo(self.root / "pipe")
        table, lm = FORMATS / "model-1" / "rules.graft", FORMATS / "lm.arpa"
        for option in (["--table", self.root / "pipe", "--lm", lm], ["--table", table, "--lm", self.root / "pipe"]):
            self.fail_with("pipe: cannot open: not a regular file" if option[3] == lm else "pipe: not a regular file",
                           "model", "new", *option, "-o", self.root / "made", timeout=20)

    def test_what_is_read_once_may_be_a_pipe(self):
        weights = "[weights]\nLM = 0.25\n"
        made = succeed("model", "new", "--table", FORMATS / "model-1" / "rules.graft", "--lm", FORMATS / "lm.arpa", "--weights", "/dev/stdin",
                       "-o", self.root / "made", stdin=weights, timeout=20)
        self.assertEqual(made.returncode, 0)
        self.assertIn("LM = 0.25", (self.root / "made" / "model.toml").read_text(encoding="utf-8"))
        for name, pack in (("pipe", "cat"), ("pipe.gz", "gzip -c")):
            os.mkfifo(self.root / name)
            with subprocess.Popen(["sh", "-c", f"echo 'das haus ist klein.' | {pack} > {self.root}/{name}"]):
                self.assertEqual(succeed("translate", "-m", self.model, self.root / name, timeout=20).stdout, self.translate().stdout)

    def test_sums_are_not_a_setting(self):
        self.fail_with("graft model seal", "translate", "-m", self.model, "--set", "files.x=1", stdin="a\n")


if __name__ == "__main__":
    unittest.main()

"""Damaged files of a model and of a training's work folder: a named error, or the results of undamaged ones. Never a crash, a hang, or another
translation without a word.

    python3 tests/cli/test_damage.py 10000     # so many mutations; 500 without a number. Or: ./run damage 10000
"""
import concurrent.futures
import hashlib
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile
import unittest

from graft_calls import GraftTest, blocks, forms, run, succeed

sys.path.insert(0, str(pathlib.Path(os.environ["GRAFT_SOURCE"]).resolve() / "bench"))
from harness.outputs import normal, without_times  # noqa: E402

EXAMPLE = pathlib.Path(os.environ["GRAFT_SOURCE"]) / "examples" / "de-en"
MUTATIONS = 500
WORK_SHARE = 25  # every so many mutations one of a work folder, which takes a training
TIME_LIMIT = 120  # seconds; a call takes a fraction of one
WORKERS = os.cpu_count() or 1


def mutate(data, random):
    """Other bytes than `data`, and what was done."""
    size = len(data)
    block = random.choice([1, 8, 64, 512, 4096, 65536])
    at = random.randrange(size) if size else 0
    other = random.randrange(size) if size else 0
    kind = random.choice(["cut", "cut", "cut at a line", "flip", "flip", "flip", "zero", "swap", "double", "remove", "grow", "noise", "copy", "empty"])
    changed = bytearray(data)
    if kind == "cut":
        del changed[at:]
    elif kind == "cut at a line":
        end = data.find(b"\n", at)
        del changed[end + 1 if end >= 0 else at:]
    elif kind == "flip" and size:
        for _ in range(random.choice([1, 1, 1, 2, 8])):
            changed[random.randrange(size)] ^= 1 << random.randrange(8)
    elif kind == "zero":
        part = changed[at:at + block]
        changed[at:at + block] = bytes(len(part))
    elif kind == "swap":
        first, second = sorted((at, other))
        length = min(block, second - first, size - second)
        changed[first:first + length], changed[second:second + length] = changed[second:second + length], changed[first:first + length]
    elif kind == "double":
        changed[at:at] = changed[at:at + block]
    elif kind == "remove":
        del changed[at:at + block]
    elif kind == "grow":
        changed += bytes(block) if random.random() < 0.5 else random.randbytes(block)
    elif kind == "noise":
        part = changed[at:at + block]
        changed[at:at + block] = random.randbytes(len(part))
    elif kind == "copy":
        part = changed[other:other + block]
        changed[at:at + len(part)] = part
    elif kind == "empty":
        changed.clear()
    return bytes(changed), f"{kind} at {at} (block {block}, other {other}) of {size} bytes"


def sums(folder, skip=()):
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest()
            for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in skip}


class Damage(GraftTest):
    @classmethod
    def setUpClass(cls):
        cls.root = root = cls.shared_folder()
        pairs = 400
        trees = blocks(EXAMPLE / "train.de.conllu")[:pairs]
        (root / "train.conllu").write_text("".join(trees), encoding="utf-8")
        (root / "train.de").write_text("".join(" ".join(forms(b)) + "\n" for b in trees), encoding="utf-8")
        for name, file in (("en", "train.en"), ("align", "train.align")):
            lines = (EXAMPLE / file).read_text(encoding="utf-8").splitlines(keepends=True)[:pairs]
            (root / f"train.{name}").write_text("".join(lines), encoding="utf-8")
        test = blocks(EXAMPLE / "test.de.conllu")[:12]
        (root / "test.conllu").write_text("".join(test), encoding="utf-8")
        (root / "test.de").write_text("".join(" ".join(forms(b)) + "\n" for b in test), encoding="utf-8")
        succeed("lm", root / "train.en", "--order", "3", "-o", root / "lm.arpa")
        for side, file in (("source", "train.de"), ("target", "train.en")):
            succeed("tokenise", "--tokenised", root / file, "--truecase-train", root / f"truecase.{side}", "-o", root / "ignored")
        cased = ["--tokeniser", "icu", "--languages", "de", "en", "--truecase-source", root / "truecase.source", "--truecase-target", root / "truecase.target"]
        for name, system, options in (("cased", ["pbmt"], cased), ("tree", ["seggbmt", "--graph", "dbg", "--edge-labels"], []), ("grammar", ["hpbmt"], [])):
            succeed("table", "build", "--system", *system, "--source", root / "train.conllu", "--target", root / "train.en", "--align", root / "train.align",
                    "-o", root / f"{name}.graft")
            succeed("model", "new", "--table", root / f"{name}.graft", "--lm", root / "lm.arpa", *options, "-o", root / name)
        shutil.copytree(root / "tree", root / "old")  # as older versions wrote models: no sums
        toml = root / "old" / "model.toml"
        toml.write_text(re.sub(r"\[files\].*?(?=\n\[)\n", "", toml.read_text(encoding="utf-8"), flags=re.S), encoding="utf-8")
        cls.models = {}
        for name in ("cased", "tree", "grammar", "old"):
            arguments = ["translate", "--threads", "1", root / ("test.de" if name == "cased" else "test.conllu")]
            cls.models[name] = (arguments, succeed(*arguments, "-m", root / name).stdout)

    def attempt_model(self, number):
        """One mutation of one file of a model; what went wrong, or None and whether it mattered."""
        chance = random.Random(number)
        name = chance.choice(list(self.models))
        arguments, expected = self.models[name]
        files = sorted(self.root.joinpath(name).iterdir())
        victim = chance.choice(files)
        data = victim.read_bytes()
        damaged, what = mutate(data, chance)
        if damaged == data:
            return None, "same"
        with tempfile.TemporaryDirectory(dir=self.root) as folder:
            folder = pathlib.Path(folder)
            for file in files:
                if file != victim:
                    (folder / file.name).symlink_to(file)
            (folder / victim.name).write_bytes(damaged)
            label = f"mutation {number}: {name}/{victim.name}: {what}"
            call = ["model", "verify", folder] if chance.random() < 0.1 else [*arguments, "-m", folder]
            try:
                result = run(*call, stdin=b"", timeout=TIME_LIMIT)
            except Exception as error:  # noqa: a hang
                return f"{label}: {error}", "hang"
            said = result.stderr.decode(errors="replace")
            if result.returncode == 1:
                if f"graft: error: {folder}" not in said:
                    return f"{label}: the error does not name the file: {said}", "refused"
                return None, "refused"
            if result.returncode != 0:
                return f"{label}: exit {result.returncode}: {said}", "crash"
            if call[0] == "model":
                # What nobody reads (a comment, white space, zeros between sections) may change.
                known = victim.name == "model.toml" or name == "old" or victim.name == "rules.graft"
                return (None if known else f"{label}: verify finds nothing"), "unnoticed"
            if result.stdout.decode() != expected and "model.toml: was changed" not in said and not (name == "old" and victim.name != "rules.graft"):
                return f"{label}: another translation without a word: {said}", "silent"
            return None, "same translations"

    def test_models(self):
        count = MUTATIONS - MUTATIONS // WORK_SHARE
        outcomes = {}
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            for problem, outcome in pool.map(self.attempt_model, range(count)):
                self.assertIsNone(problem, problem)
                outcomes[outcome] = outcomes.get(outcome, 0) + 1
        print(f"{count} mutations of models: {outcomes}", file=sys.stderr)
        self.assertGreater(outcomes["refused"], count // 2)

    def work(self, kind, folder):
        return run(kind, folder / f"{kind}.toml", "--threads", "1", stdin=b"", timeout=TIME_LIMIT)

    def outcome(self, folder, result):
        """All that a user gets of a training or an experiment, without times."""
        summary = without_times(result.stdout.decode().split("\n\n", 1)[-1])
        found = {"printed": [line for line in summary.splitlines() if "BLEU" in line]}
        for part in ("model", "results"):
            for file in sorted((folder / part).glob("*")):
                if file.is_file() and file.name not in ("ledger.json", "lock") and not file.name.startswith("model.toml.old"):
                    found[f"{part}/{file.name}"] = hashlib.sha256(normal(file.name, file.read_bytes())).hexdigest()
        for model in sorted((folder / "results").glob("*/run*/model*")):
            found.update({f"{model.relative_to(folder)}/{name}": value for name, value in sums(model).items()})
        return found

    def attempt_work(self, number):
        chance = random.Random(number)
        kind = chance.choice(list(self.works))
        with tempfile.TemporaryDirectory(dir=self.root) as folder:
            folder = pathlib.Path(folder) / "run"
            shutil.copytree(self.works[kind], folder, copy_function=shutil.copy2)
            files = sorted(p for part in ("model", "model.work", "results") for p in (folder / part).rglob("*") if p.is_file())
            victim = chance.choice(files)
            damaged, what = mutate(victim.read_bytes(), chance)
            victim.write_bytes(damaged)
            label = f"mutation {number}: {victim.relative_to(folder)}: {what}"
            try:
                result = self.work(kind, folder)
            except Exception as error:  # noqa: a hang
                return f"{label}: {error}", "hang"
            said = result.stderr.decode(errors="replace")
            if result.returncode == 1:
                named = "graft: error: " in said and victim.name in said
                return (None if named else f"{label}: the error does not name the file: {said}"), "refused"
            if result.returncode != 0:
                return f"{label}: exit {result.returncode}: {said}", "crash"
            made, expected = self.outcome(folder, result), self.expected[kind]
            if made != expected:
                changed = {name: (expected.get(name), made.get(name)) for name in sorted({*made, *expected}) if made.get(name) != expected.get(name)}
                return f"{label}: the results are others: {changed}\n{said}", "other results"
            return None, f"{kind} repaired"

    def test_work_folders(self):
        corpus = '[corpus]\nsource = "train.de"\ntarget = "train.en"\nlimit = 150\ntruecase = true\n[lm]\norder = 3\n'
        for section in ("dev", "test.held"):
            corpus += f'[{section}]\nsource = "dev.de"\nreferences = ["dev.en"]\n'
        corpus += "[tune]\niterations = 2\nruns = 2\n[search]\nbeam = 20\n"
        texts = {"train": 'output = "model"\n[system]\nname = "pbmt"\n' + corpus,
                 "experiment": 'output = "results"\nbaselines = ["pbmt"]\n[[row]]\nname = "pbmt"\n[[row]]\nname = "hpbmt"\n' + corpus +
                               "[report]\nspeed_sentences = 2\nerror_sentences = 2\nexamples = 1\n"}
        type(self).works, type(self).expected = {}, {}
        for kind, text in texts.items():
            self.works[kind] = folder = self.root / f"work-{kind}"
            folder.mkdir()
            for side in ("de", "en"):
                shutil.copy(self.root / f"train.{side}", folder)
                lines = (self.root / f"train.{side}").read_text(encoding="utf-8").splitlines(keepends=True)
                (folder / f"dev.{side}").write_text("".join(lines[:12]), encoding="utf-8")
            (folder / f"{kind}.toml").write_text(text, encoding="utf-8")
            first = self.work(kind, folder)
            self.assertEqual(first.returncode, 0, first.stderr.decode())
            self.expected[kind] = self.outcome(folder, first)
            self.assertEqual(self.outcome(folder, self.work(kind, folder)), self.expected[kind], "a second run, of an undamaged folder")
        count = MUTATIONS // WORK_SHARE
        outcomes = {}
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            for problem, outcome in pool.map(self.attempt_work, range(count)):
                self.assertIsNone(problem, problem)
                outcomes[outcome] = outcomes.get(outcome, 0) + 1
        print(f"{count} mutations of work folders: {outcomes}", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        MUTATIONS = int(sys.argv.pop(1))
    unittest.main()

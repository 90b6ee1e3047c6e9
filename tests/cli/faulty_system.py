"""Runs of the binary on a system that fails: cases for every verb that writes, and a preloaded library that lets chosen calls fail."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from graft_calls import GRAFT, blocks, forms

sys.path.insert(0, str(pathlib.Path(os.environ["GRAFT_SOURCE"]).resolve() / "bench"))
from harness.outputs import normal  # noqa: E402

EXAMPLE = pathlib.Path(os.environ["GRAFT_SOURCE"]).resolve() / "examples" / "de-en"
SHIM = next(pathlib.Path(os.environ["GRAFT_BUILD"]).resolve().glob("tests/libgraft_faults.*"), None)
TEMPORARY = re.compile(r"\.tmp\d+(\.\d+)?$|graft-lm-(\d+\.\d+\.)?\w{6}$")
THREADED = ("align", "combine", "compare", "experiment", "extract", "train", "translate", "tune")  # verbs; "table build" is another


def usable():
    """Sanitisers want to be loaded first, and count themselves."""
    binary = pathlib.Path(GRAFT).read_bytes()
    return SHIM is not None and b"__asan_init" not in binary and b"__tsan_init" not in binary


class Case:
    """A command, what it makes from scratch, and what an earlier run of it with other settings had made."""

    def __init__(self, name, arguments, results, earlier=(), atomic=True, first=None, older=None, given=None):
        self.name, self.arguments, self.results = name, arguments, results
        self.given = given      # makes what the command changes
        self.earlier = earlier  # more arguments
        self.first = first      # or a command of its own
        self.older = older      # makes of its results what an older version would have written
        self.atomic = atomic    # all results are exchanged at once; else each file by itself


class Faults:
    """A folder with inputs, the cases, and the results of undisturbed runs."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory()
        base = pathlib.Path(self.temporary.name).resolve()
        self.data, self.root, self.kept = base / "data", base / "run", base / "kept"
        for folder in (self.data, self.kept):
            folder.mkdir()
        for part, limit in (("train", 40), ("dev", 6), ("test", 6)):  # of the same sentences, so that BLEU is above 0
            parsed = blocks(EXAMPLE / "train.de.conllu")[:limit]
            (self.data / f"{part}.de.conllu").write_text("".join(parsed), encoding="utf-8")
            (self.data / f"{part}.de").write_text("".join(" ".join(forms(block)) + "\n" for block in parsed), encoding="utf-8")
            for side in ("en", "align"):
                lines = (EXAMPLE / f"train.{side}").read_text(encoding="utf-8").splitlines(keepends=True)[:limit]
                (self.data / f"{part}.{side}").write_text("".join(lines), encoding="utf-8")
        common = f'[corpus]\nsource = "{self.data}/train.de.conllu"\ntarget = "{self.data}/train.en"\nlimit = 40\ntruecase = true\n[lm]\norder = 2\n'
        for section, part in (("dev", "dev"), ("test.held", "test")):
            common += f'[{section}]\nsource = "{self.data}/{part}.de.conllu"\nreferences = ["{self.data}/{part}.en"]\n'
        common += "[tune]\niterations = 2\n[search]\nbeam = 10\n"
        (self.data / "train.toml").write_text(f'output = "{self.root}/model"\n[system]\nname = "pbmt"\n{common}', encoding="utf-8")
        (self.data / "experiment.toml").write_text(
            f'output = "{self.root}/results"\n[[row]]\nname = "pbmt"\n[[row]]\nname = "seggbmt"\ngraph = "dbg"\n{common}'
            "[report]\nspeed_sentences = 2\nerror_sentences = 2\nexamples = 1\n", encoding="utf-8")
        self.model = self.data / "model"
        self.call("lm", self.data / "train.en", "--order", "2", "-o", self.data / "lm.arpa")
        self.call("table", "build", *self.corpus(), "--system", "pbmt", "-o", self.data / "rules.graft")
        self.call("model", "new", "--table", self.data / "rules.graft", "--lm", self.data / "lm.arpa", "-o", self.model)

        self.call("lm", self.data / "train.de", "--order", "3", "-o", self.data / "other.arpa")
        self.call("table", "build", *self.corpus(), "--system", "sdtu", "-o", self.data / "other.graft")
        for side in ("de", "en"):
            self.call("tokenise", "--tokenised", self.data / f"train.{side}", "--truecase-train", self.data / f"case.{side}", "-o", self.data / "ignored")

        for name in ("rules", "other"):
            self.call("table", "dump", self.data / f"{name}.graft", "-o", self.data / f"{name}.dump")
        self.call("extract", *self.corpus(), "--system", "pbmt", "--lexicon", self.data / "lexicon", "-o", self.data / "occurrences")
        self.call("translate", "-m", self.model, self.data / "dev.de.conllu", "--nbest", "3", "-o", self.data / "dev.nbest")
        self.second_model = self.data / "second"
        self.call("model", "new", "--table", self.data / "other.graft", "--lm", self.data / "lm.arpa", "-o", self.second_model)
        pairs = zip(*((self.data / f"train.{side}").read_text(encoding="utf-8").split("\n") for side in ("de", "en")))
        phrases = sorted({(f"{source.split()[0]} ||| {target.split()[0]}") for source, target in pairs if source and target})
        (self.data / "phrases").write_text("".join(f"{phrase} ||| 0.5 0.25 0.5 0.125 ||| 0-0 ||| 2 2 1 ||| |||\n" for phrase in phrases), encoding="utf-8")

    def new_model(self, name, case=False):
        parts = ["--table", self.data / f"{name[0]}.graft", "--lm", self.data / f"{name[1]}.arpa", "-o", self.root / "made"]
        return ["model", "new", *parts, *(["--truecase-source", self.data / "case.de", "--truecase-target", self.data / "case.en"] if case else [])]

    def without_sums(self):
        file = self.root / "made" / "model.toml"
        file.write_text(re.sub(r"(?ms)^\[files\].*?\n\n", "", file.read_text(encoding="utf-8")), encoding="utf-8")

    def changed_model(self):
        self.call(*self.new_model(("rules", "lm"), case=True))
        file = self.root / "made" / "model.toml"
        file.write_text(file.read_text(encoding="utf-8").replace("LM = 0.5", "LM = 0.625"), encoding="utf-8")
        (self.root / "made" / "truecase.source").write_bytes((self.data / "case.en").read_bytes())

    def corpus(self):
        return ["--source", self.data / "train.de.conllu", "--target", self.data / "train.en", "--align", self.data / "train.align"]

    def cases(self):
        root, data = self.root, self.data
        dev = ["--source", data / "dev.de.conllu", "--references", data / "dev.en"]
        return [
            Case("check", ["check", *self.corpus(), "--write-clean", root / "clean"], ["clean"]),
            Case("align", ["align", data / "train.de", data / "train.en", "-o", root / "links"], ["links"], ["--symmetrise", "union"]),
            Case("extract", ["extract", *self.corpus(), "--system", "pbmt", "-o", root / "rules.gz"], ["rules.gz"], ["--max-length", "2"]),
            Case("table build", ["table", "build", *self.corpus(), "--system", "seggbmt", "--graph", "dbg", "-S", "64K", "-o", root / "rules.graft"],
                 ["rules.graft"], ["--max-length", "2"]),
            Case("lm", ["lm", data / "train.en", "-S", "1M", "-o", root / "lm.bin"], ["lm.bin"], ["--order", "2"]),
            Case("lm as text", ["lm", data / "train.en", "--order", "3", "-o", root / "lm.arpa.zst"], ["lm.arpa.zst"], ["--lowercase"]),
            Case("model new", self.new_model(("rules", "lm")), ["made"], first=self.new_model(("other", "other"), case=True)),
            Case("model new over an old one", self.new_model(("rules", "lm"), case=True), ["made"], first=self.new_model(("other", "other")), older=self.without_sums),
            Case("tune", ["tune", "-m", self.model, *dev, "--iterations", "2", "--nbest", "20", "-o", root / "weights.toml"], ["weights.toml"], ["--seed", "7"]),
            Case("translate", ["translate", "-m", self.model, data / "test.de.conllu", "-o", root / "out.gz"], ["out.gz"], ["--set", "search.beam=1"]),
            Case("extract with a lexicon", ["extract", *self.corpus(), "--system", "tbmt", "--lexicon", root / "lexicon", "-o", root / "rules.zst"],
                 ["rules.zst", "lexicon"], ["--max-length", "2"], atomic=False),
            Case("table build from occurrences", ["table", "build", "--system", "pbmt", data / "occurrences", "--lexicon", data / "lexicon", "-o", root / "rules.graft"],
                 ["rules.graft"], ["--keep", "1"]),
            Case("table build from a dump", ["table", "build", "--dump", data / "rules.dump", "-o", root / "rules.graft"], ["rules.graft"],
                 first=["table", "build", "--dump", data / "other.dump", "-o", root / "rules.graft"]),
            Case("table import", ["table", "import", "--moses", data / "phrases", "-o", root / "rules.graft"], ["rules.graft"], ["--scores", "f32"]),
            Case("table prune", ["table", "prune", data / "rules.graft", "--keep", "1", "-o", root / "rules.graft"], ["rules.graft"], ["--min-prob", "0.5"]),
            Case("table dump", ["table", "dump", data / "rules.graft", "-o", root / "rules.xz"], ["rules.xz"], first=["table", "dump", data / "other.graft", "-o", root / "rules.xz"]),
            Case("tokenise", ["tokenise", data / "train.de", "--truecase-train", root / "case", "-o", root / "tokens"], ["tokens", "case"], ["--language", "de"], atomic=False),
            Case("model seal", ["model", "seal", root / "made"], ["made"], given=self.changed_model),
            Case("rescore", ["translate", "-m", self.model, data / "dev.de.conllu", "--rescore", data / "dev.nbest", "-o", root / "scores"], ["scores"], ["--set", "weights.LM=2"]),
            Case("combine", ["combine", "-m", self.model, "-m", self.second_model, data / "test.de.conllu", "--json", "-o", root / "out"], ["out"], ["--nbest", "2"]),
            Case("eval", ["eval", data / "dev.en", data / "test.en", "-o", root / "scores"], ["scores"], ["--lowercase"]),
            Case("compare", ["compare", "--ref", data / "dev.en", "--system", "a", data / "dev.en", "--system", "b", data / "dev.de", "--shuffles", "99", "-o", root / "scores"],
                 ["scores"], ["--lowercase"]),
            Case("tune in several runs", ["tune", "-m", self.model, *dev, "--iterations", "2", "--nbest", "20", "--runs", "2", "--nbest-folder", root / "lists",
                                          "-o", root / "weights.toml"], ["weights.toml", "weights.run1.toml", "weights.run2.toml", "lists"], ["--seed", "7"], atomic=False),
            Case("train --quick", ["train", "--quick", data / "train.de", data / "train.en", "--tokenised", "-o", root / "quick"], ["quick", "quick.work"],
                 ["--set", "lm.order=2"], atomic=False),
            Case("train", ["train", data / "train.toml"], ["model", "model.work"], ["--set", "corpus.limit=25"], atomic=False),
            Case("experiment", ["experiment", data / "experiment.toml"], ["results"], ["--set", "corpus.limit=25"], atomic=False),
        ]

    def call(self, *arguments, **options):
        result = subprocess.run([GRAFT, *map(str, arguments)], capture_output=True, encoding="utf-8", **options)
        if result.returncode != 0:
            raise AssertionError(f"{arguments}: {result.stderr}")
        return result

    def environment(self, **faults):
        temporary = self.root / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        return {**os.environ, "TMPDIR": str(temporary), **{name: str(value) for name, value in faults.items()}}

    def run(self, case, threads=1, more=(), **faults):
        arguments = list(map(str, case.arguments))
        if arguments[0] in THREADED or arguments[:2] == ["table", "build"]:
            arguments += ["--threads", str(threads)]
        environment = self.environment(**({"LD_PRELOAD": SHIM, **faults} if faults else {}))
        return subprocess.run([GRAFT, *arguments, *map(str, more)], capture_output=True, encoding="utf-8", env=environment, timeout=60)

    def faulty(self, case, **faults):
        """A run with faults: (result, calls that failed as (call, path), number of calls)."""
        log = self.kept / "log"
        log.unlink(missing_ok=True)
        result = self.run(case, GRAFT_FAULT_ROOT=self.root, GRAFT_FAULT_LOG=log, **{f"GRAFT_FAULT_{name}": value for name, value in faults.items()})
        lines = [line.split(" ", 1) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
        return result, [(call, path) for call, path in lines if call != "calls"], sum(int(n) for call, n in lines if call == "calls")

    def results(self, case):
        """{path: hash} of all that the case makes, but for times in reports and ledgers."""
        found = {}
        for result in case.results:
            path = self.root / result
            for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file()):
                name = str(file.relative_to(self.root))
                content = None if TEMPORARY.search(name) else normal(name, file.read_bytes())
                if content is not None:
                    found[name] = hashlib.sha256(content).hexdigest()
        return found

    def leftovers(self):
        return [str(path) for path in self.root.rglob("*") if TEMPORARY.search(path.name)]

    def begin(self, case):
        """Undisturbed runs: what was there before, and what the case makes."""
        def call(*arguments, **options):
            result = self.run(*arguments, **options)
            if result.returncode != 0:
                raise AssertionError(f"{case.name}: {result.stderr}")

        def done(earlier, this):
            shutil.rmtree(self.root, ignore_errors=True)
            self.root.mkdir()
            if case.given:
                case.given()
            if earlier and not case.given:
                call(Case(case.name, case.first or case.arguments, case.results), more=case.earlier)
                if case.older:
                    case.older()
            if this:
                call(case)
            return self.results(case)
        case.made = done(False, True)
        case.before = done(True, False)
        case.prepared = self.kept / case.name.replace(" ", "-")
        shutil.copytree(self.root, case.prepared, dirs_exist_ok=True)
        case.after = done(True, True)  # files of the earlier run that no later one makes stay
        return self

    def restore(self, case, empty=False):
        shutil.rmtree(self.root, ignore_errors=True)
        if empty:
            self.root.mkdir()
        else:
            shutil.copytree(case.prepared, self.root)

    def close(self):
        self.temporary.cleanup()

"""What `bench/compare` measures: calls of the binary, and the files they need."""
import dataclasses
import math
import os
import sys

from harness import calls, cases, corpora, intervals
from harness.systems import SYSTEMS, has_grammar, reads_text, weights

KINDS = ("decode", "build", "align", "lm", "tune", "parallel")
TUNED = ["pbmt", "seggbmt-dbg", "hpbmt", "gramgbmt-b-dsg"]
PARALLEL = ["pbmt", "hpbmt"]
TRIAL = {"decode": 10, "build": 1000}  # sentences or pairs of the run that says how many give the wanted time


def say(text):
    """Progress, where somebody looks."""
    if sys.stderr.isatty():
        print(f"\r{text:70}\r", end="", file=sys.stderr, flush=True)


@dataclasses.dataclass
class Task:
    kind: str
    name: str
    arguments: list  # of the binary
    blocks: list = dataclasses.field(default_factory=list)  # of measurements: (those of old, those of new)

    @property
    def title(self):
        return f"{self.kind} {self.name}".strip()

    def ratios(self, what):
        return [min(run[what] for run in new) / min(run[what] for run in old) for old, new in self.blocks]

    def interval(self, what, confidence):
        return intervals.Interval(self.ratios(what), confidence)


class Workshop:
    """Files that tasks need, made by OLD once and kept under its hash."""

    def __init__(self, arguments, old):
        self.old, self.seconds, self.quick = old, arguments.seconds, arguments.quick
        data = arguments.data
        size = f"{arguments.pairs or 'all'}"
        if corpora.is_data_folder(data):
            self.corpus = corpora.prepare("data", data, arguments.work / corpora.folder_name(data, size), "de", arguments.pairs, None)
        else:
            print(f"no corpus in {data}: the embedded German-English example instead", file=sys.stderr)
            repeat = 1 if arguments.pairs and arguments.pairs <= 2400 else 10
            self.corpus = corpora.example("de-en", arguments.work / f"de-en-{size}", arguments.pairs, None, repeat)
        self.folder = arguments.work / f"{cases.digest(old)[:16]}-{self.corpus.folder.name}"
        self.folder.mkdir(parents=True, exist_ok=True)

    def make(self, name, *command):
        """A file or folder of this name, made by OLD; `-o` and a name are added to the command."""
        path = self.folder / name
        if not path.exists():
            part = self.folder / f"part.{name}"
            calls.Run([self.old, *command, "-o", part])
            part.rename(path)
        return path

    def lm(self):
        return self.make("lm.bin", "lm", self.corpus.target("train"), "--lowercase")

    def model(self, system):
        table = self.make(f"{system}.graft", "table", "build", *SYSTEMS[system], *self.training(system, self.corpus), "--lowercase")
        path = self.folder / f"{system}.weights"
        path.write_text(weights(system))
        return self.make(f"{system}.model", "model", "new", "--table", table, "--lm", self.lm(), "--weights", path, "--lowercase")

    @staticmethod
    def training(system, corpus):
        source = corpus.text("train") if reads_text(SYSTEMS[system]) else corpus.trees("train")
        return ["--source", source, "--target", corpus.target("train"), "--align", corpus.align]

    def sentences(self, part, system, count):
        """The first `count` sentences of a part, from the beginning again where there are fewer."""
        text = reads_text(SYSTEMS[system])
        path = self.corpus.folder / f"{part}.{count}{'' if text else '.conllu'}"
        if not path.exists():
            lines = corpora.read_lines(self.corpus.text(part)) if text else ["".join(s) + "\n" for s in corpora.read_sentences(self.corpus.trees(part))]
            path.write_text("".join(lines[i % len(lines)] for i in range(count)), encoding="utf-8")
        return path

    def beginning(self, pairs):
        """The first pairs of the training corpus, or the whole."""
        whole = len(corpora.read_lines(self.corpus.align))
        if pairs >= whole:
            return self.corpus
        part = corpora.Corpus("part", self.corpus.folder / f"first-{pairs}", self.corpus.language)
        if not (part.folder / "done").exists():
            part.folder.mkdir(exist_ok=True)
            part.write("train", corpora.read_sentences(self.corpus.trees("train"), pairs),
                       corpora.read_lines(self.corpus.target("train"), pairs))
            part.align.write_text("".join(corpora.read_lines(self.corpus.align, pairs)), encoding="utf-8")
            (part.folder / "done").touch()
        return part

    def amount(self, name, trial, run):
        """How many sentences or pairs take about the wanted time: found by a trial with a few, remembered."""
        record = self.folder / f"{name}.{self.seconds:g}.amount"
        if not record.exists():
            small, large = min(run(trial).cpu for _ in range(2)), min(run(4 * trial).cpu for _ in range(2))
            each = max((large - small) / (3 * trial), 1e-6)
            amount = trial + max(0, self.seconds - small) / each
            record.write_text(str(math.ceil(amount / 10) * 10))
        return int(record.read_text())

    # --- tasks

    def decode(self, system, threads=1):
        verb = ["translate", "-m", self.model(system), "--threads", threads]
        count = self.amount(f"decode.{system}", TRIAL["decode"], lambda n: calls.Run([self.old, *verb, self.sentences("test", system, n)]))
        return [*verb, self.sentences("test", system, count * threads)]

    def build(self, system):
        command = lambda corpus: ["table", "build", *SYSTEMS[system], *self.training(system, corpus), "--lowercase", "--threads", 1, "-o",
                                  self.folder / "out.graft"]
        pairs = self.amount(f"build.{system}", TRIAL["build"], lambda n: calls.Run([self.old, *command(self.beginning(n))]))
        return command(self.beginning(max(1000, pairs // 1000 * 1000)))

    def align(self):
        return ["align", self.corpus.text("train"), self.corpus.target("train"), "--lowercase", "--threads", 1, "-o",
                self.folder / "out.align"]

    def language_model(self):
        return ["lm", *[self.corpus.target("train")] * 3, "--lowercase", "-o", self.folder / "out.bin"]

    def tune(self, system):
        count = (40 if has_grammar(system) else 120) // (3 if self.quick else 1)
        references = self.corpus.folder / f"dev.{count}.en"
        references.write_text("".join(corpora.read_lines(self.corpus.target("dev"), count)), encoding="utf-8")
        return ["tune", "-m", self.model(system), "--source", self.sentences("dev", system, count), "--references", references,
                "--iterations", 3, "--threads", 1,
                "-o", self.folder / "out.toml"]

    def tasks(self, kinds, systems):
        """All tasks; what they need is made on the way."""
        tasks = []
        for kind in kinds:
            if kind in ("align", "lm"):
                tasks.append(Task(kind, "", self.align() if kind == "align" else self.language_model()))
                continue
            chosen = {"tune": TUNED[:1] if self.quick else TUNED, "parallel": [] if self.quick else PARALLEL}.get(kind, systems)
            for system in systems:
                if system not in chosen:
                    continue
                say(f"preparing: {kind} {system}")
                made = {"decode": self.decode, "build": self.build, "tune": self.tune,
                        "parallel": lambda s: self.decode(s, os.cpu_count())}[kind](system)
                tasks.append(Task(kind, system, made))
        say("")
        return tasks

#!/usr/bin/env python3
"""Speed, size and memory of Graft's systems, one table a corpus.

    bench/run.py [speed|ratios|align|tune|all] [--binary build/graft] [--shared DIR] [--systems pbmt,...] [--skip-europarl]

speed    builds a table, a language model and a model for each system, translates the test set on one thread and prints
         sentences/s, table build rules/s, bytes a rule, opening time and peak memory
ratios   prints how many rules each system has beside the paper's ratios, and what kinds of rules the bigram graph gives
align    aligns each corpus and prints time, memory, and how far the links agree with those of other aligners in the data folder
tune     tunes PBMT on each corpus with both methods, several runs each, and prints dev BLEU by iteration and test BLEU

Uses Multi30k German-English (lower-cased) and Europarl where the data folder has them, else the embedded example. Machines are
shared and noisy: compare figures of one run, not of two.
"""
import argparse
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYSTEMS = {
    "pbmt": ["--system", "pbmt"],
    "sdtu": ["--system", "sdtu"],
    "tbmt": ["--system", "tbmt"],
    "seggbmt-tree": ["--system", "seggbmt", "--graph", "tree"],
    "seggbmt-dsg": ["--system", "seggbmt", "--graph", "dsg"],
    "seggbmt-dbg": ["--system", "seggbmt", "--graph", "dbg"],
}
# Weights tuned for Multi30k by Moses (its PBMT), in Graft's signs; the gap weight is the jump weight.
WEIGHTS = """[weights]
TranslationModel = [0.146175358968551, 0.0232270766594186, 0.101618678445175, 0.109420873055546]
LM = 0.184932509926319
RulePenalty = -0.0638141017449789
WordPenalty = -0.24787253909231
Jump = 0.122938862107702
"""


class Run:
    """A finished command: seconds, peak memory, and what it printed on stderr."""

    def __init__(self, command, stdout=subprocess.DEVNULL):
        started = time.time()
        with tempfile.TemporaryFile("w+") as errors:
            process = subprocess.Popen([str(c) for c in command], stdout=stdout, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds = time.time() - started
            self.cpu = usage.ru_utime + usage.ru_stime
            self.peak_mb = usage.ru_maxrss / 1024
            errors.seek(0)
            self.errors = errors.read()
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{self.errors}")


def unpack(source, target, lines=None):
    """Copies a .xz file, plain, optionally only its first lines or (CoNLL-U) sentences."""
    if target.exists():
        return target
    temporary = target.with_suffix(".part")
    with lzma.open(source, "rt", encoding="utf-8", newline="\n") as reader, open(temporary, "w", encoding="utf-8") as writer:
        seen = 0
        for line in reader:
            if lines is not None and seen >= lines:
                break
            writer.write(line)
            if ".conllu" not in target.name or line == "\n":
                seen += 1
    temporary.rename(target)
    return target


class Corpus:
    def __init__(self, name, folder, train, test, lowercase, text_train=None, text_test=None):
        self.name, self.folder = name, folder
        self.train, self.test, self.lowercase = train, test, lowercase
        self.text_train, self.text_test = text_train, text_test


def multi30k(shared, work):
    data = shared / "data" / "multi30k-deen"
    if not data.is_dir():
        return None
    get = lambda name: unpack(data / (name + ".xz"), work / ("m30k." + name))
    return Corpus("Multi30k de-en, lower-cased", work,
                  (get("train.de.conllu"), get("train.en"), get("train.fast_align.gdfa")), get("test.de.conllu"), True,
                  get("train.de"), get("test.de"))


def europarl(shared, work):
    data = shared / "data" / "europarl-deen"
    if not data.is_dir():
        return None
    get = lambda name, lines=None: unpack(data / (name + ".xz"), work / ("ep50k." + name), lines)
    return Corpus("Europarl de-en, first 50,000 pairs; newstest2012", work,
                  (None, get("train.en", 50000), get("train.first400k.fast_align.gdfa", 50000)), None, True,
                  get("train.de", 50000), get("test.de"))


def example(work):
    folder = ROOT / "examples" / "de-en"
    return Corpus("embedded example de-en", work, tuple(folder / f"train.{e}" for e in ("de.conllu", "en", "align")),
                  folder / "test.de.conllu", False)


def weights_file(work, has_gap):
    path = work / ("weights.gap.toml" if has_gap else "weights.toml")
    path.write_text(WEIGHTS + ("Gap = 0.122938862107702\n" if has_gap else ""))
    return path


def measure(binary, corpus, system):
    options = SYSTEMS[system]
    plain = system in ("pbmt", "sdtu") and corpus.text_train is not None
    source = corpus.text_train if plain else corpus.train[0]
    test = corpus.text_test if plain else corpus.test
    lower = ["--lowercase"] if corpus.lowercase else []
    stem = corpus.folder / f"{re.sub('[^a-z0-9]+', '-', corpus.name.lower())[:24]}.{system}"
    table, model, lm = f"{stem}.graft", f"{stem}.model", corpus.folder / (re.sub("[^a-z0-9]+", "-", corpus.name.lower())[:24] + ".lm.bin")
    build = Run([binary, "table", "build", *options, "--source", source, "--target", corpus.train[1], "--align", corpus.train[2], *lower, "-o", table])
    if not lm.exists():
        Run([binary, "lm", corpus.train[1], *lower, "-o", lm])
    Run([binary, "model", "new", "--table", table, "--lm", lm, "--weights", weights_file(corpus.folder, system != "pbmt"), *lower, "-o", model])
    opened = min(Run([binary, "table", "inspect", table]).seconds for _ in range(3))
    inspect = subprocess.run([binary, "table", "inspect", "--json", table], capture_output=True, text=True, check=True).stdout
    rules = int(re.search(r'"rules": ?(\d+)', inspect).group(1))
    translate = Run([binary, "translate", "-m", model, "--threads", "1", "--stats", test])
    rate = float(re.search(r"([\d.]+) sentences/s", translate.errors).group(1))
    size = os.path.getsize(table)
    print(f"| {system} | {rules:,} | {build.seconds:.2f} | {rules / build.seconds:,.0f} | {size / rules:.1f} | {opened * 1000:.0f} | {build.peak_mb:.0f} "
          f"| {rate:.0f} | {translate.peak_mb:.0f} |", flush=True)


def speed(arguments, work):
    corpora = [c for c in (multi30k(arguments.shared, work),) if c]
    if not corpora:
        print(f"no Multi30k under {arguments.shared}: the embedded example instead", file=sys.stderr)
        corpora = [example(work)]
    plans = [(c, list(arguments.systems)) for c in corpora]
    if not arguments.skip_europarl and "pbmt" in arguments.systems:
        corpus = europarl(arguments.shared, work)
        if corpus:
            plans.append((corpus, ["pbmt"]))
    for corpus, systems in plans:
        print(f"\n{corpus.name}: tables built on {os.cpu_count()} cores, translation on one thread\n")
        print("| system | rules | build s | rules/s | bytes/rule | open ms (process included) | build MB | sentences/s | translate MB |")
        print("|---|---|---|---|---|---|---|---|---|", flush=True)
        for system in systems:
            measure(arguments.binary, corpus, system)


def ratios(arguments, work):
    corpus = multi30k(arguments.shared, work) or example(work)
    program = pathlib.Path(arguments.binary).parent / "rule_ratios"
    lower = ["--lowercase"] if corpus.lowercase else []
    print(f"\n{corpus.name}\n", flush=True)
    subprocess.run([program, *map(str, corpus.train), *lower], check=True)


def align(arguments, work):
    """Word alignment of both directions, reading and writing included."""
    plans = []
    for name, languages, pairs, lower in (("multi30k-deen", ("de", "en"), None, ["--lowercase"]),
                                          ("europarl-deen", ("de", "en"), 50000, ["--lowercase"])):
        folder = arguments.shared / "data" / name
        if folder.exists() and not (arguments.skip_europarl and name.startswith("europarl")):
            texts = [unpack(folder / f"train.{language}.xz", work / f"align.{name}.{language}", pairs) for language in languages]
            others = {path.name.split(".")[-3]: unpack(path, work / f"align.{path.name[:-3]}.{name}", pairs)
                      for path in sorted(folder.glob("train.*.gdfa.xz"))}
            plans.append((f"{name}, {pairs or 'all'} pairs", texts, others, lower))
    if not plans:
        folder = ROOT / "examples" / "de-en"
        plans = [("embedded example de-en", [folder / "train.de.conllu", folder / "train.en"], {"gold": folder / "train.align"}, [])]
    print(f"\nWord alignment on {os.cpu_count()} cores\n")
    print("| corpus | s | CPU s | MB | agreement |")
    print("|---|---|---|---|---|", flush=True)
    for name, texts, others, lower in plans:
        run = Run([arguments.binary, "align", *texts, *lower, "-o", work / "bench.align"])
        scores = []
        for other, path in others.items():
            output = subprocess.run([arguments.binary, "align", *texts, *lower, "-o", work / "bench.align", "--score", path],
                                    capture_output=True, text=True, check=True).stdout
            scores.append(f"AER {re.search('AER ([0-9.]+)', output).group(1)} against {other}")
        print(f"| {name} | {run.seconds:.2f} | {run.cpu:.2f} | {run.peak_mb:.0f} | {'; '.join(scores)} |", flush=True)


def forms(source, target, sentences=None):
    """The words of a CoNLL-U file as plain text."""
    if target.exists():
        return target
    temporary = target.with_suffix(".part")
    with lzma.open(source, "rt", encoding="utf-8", newline="\n") as reader, open(temporary, "w", encoding="utf-8") as writer:
        words, seen = [], 0
        for line in reader:
            if line == "\n":
                writer.write(" ".join(words) + "\n")
                words, seen = [], seen + 1
                if seen == sentences:
                    break
            elif not line.startswith("#"):
                words.append(line.split("\t")[1])
    temporary.rename(target)
    return target


def tuning_corpora(shared, work):
    """(name, files by role, BLEU on the test set that Moses reaches on the same data)."""
    data = shared / "data"
    for folder, name, source, pairs, moses in (("multi30k-deen", "Multi30k de-en", "de", None, 39.25),
                                               ("europarl-deen", "Europarl de-en, first 50,000 pairs", "de", 50000, 13.8),
                                               ("techdocs-zhen", "techdocs zh-en, first 50,000 pairs", "zh", 50000, 23.2)):
        if not (data / folder).is_dir():
            continue
        get = lambda file, lines, target: unpack(data / folder / (file + ".xz"), work / f"{folder}.tune.{target}", lines)
        align = "train.first400k.fast_align.gdfa" if folder == "europarl-deen" else "train.fast_align.gdfa"
        files = {"align": get(align, pairs, "align")}
        for part, lines in (("train", pairs), ("dev", 1000 if pairs else None), ("test", None)):
            files[part + ".target"] = get(part + ".en", lines, part + ".en")
            if source == "zh":
                files[part + ".source"] = forms(data / folder / f"{part}.zh.conllu.xz", work / f"{folder}.tune.{part}.zh", lines)
            else:
                files[part + ".source"] = get(f"{part}.{source}", lines, f"{part}.{source}")
        yield folder, name, files, moses


def tune(arguments, work):
    """PBMT, lower-cased, fast_align's alignments, 5-gram model of the target side, distortion limit 6."""
    print("\n| corpus | method | seconds | dev BLEU by iteration (first run) | dev BLEU | test BLEU by run | Moses |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for folder, name, files, moses in tuning_corpora(arguments.shared, work):
        if arguments.skip_europarl and folder != "multi30k-deen":
            continue
        stem = work / f"{folder}.tune"
        table, lm, model = f"{stem}.graft", f"{stem}.lm.bin", f"{stem}.model"
        Run([arguments.binary, "table", "build", "--system", "pbmt", "--source", files["train.source"], "--target", files["train.target"], "--align",
             files["align"], "--lowercase", "-o", table])
        Run([arguments.binary, "lm", files["train.target"], "--lowercase", "-o", lm])
        Run([arguments.binary, "model", "new", "--table", table, "--lm", lm, "--lowercase", "-o", model])
        for method in ("mira", "paper"):
            weights = f"{stem}.{method}.toml"
            run = Run([arguments.binary, "tune", "-m", model, "--source", files["dev.source"], "--references", files["dev.target"], "--method", method,
                       "--runs", arguments.runs, "-o", weights])
            course = re.findall(r"^ +1 +\d+ +([\d.]+) ", run.errors, re.M)
            dev = re.findall(r"^run \d+ .*dev BLEU ([\d.]+)", run.errors, re.M)
            test = []
            for number in range(1, arguments.runs + 1):
                tuned, output = f"{stem}.tuned", f"{stem}.out"
                Run([arguments.binary, "model", "new", "--table", table, "--lm", lm, "--lowercase", "--weights",
                     weights if arguments.runs == 1 else weights.replace(".toml", f".run{number}.toml"), "-o", tuned])
                Run([arguments.binary, "translate", "-m", tuned, files["test.source"], "-o", output])
                bleu = subprocess.run([arguments.binary, "eval", output, files["test.target"], "--tokenize", "none", "--lowercase", "--score-only",
                                       "--width", "2"], capture_output=True, text=True, check=True)
                test.append(float(bleu.stdout.split()[0]))
            mean = sum(test) / len(test)
            print(f"| {name} | {method} | {run.seconds:.0f} | {' '.join(course)} | {' '.join(dev)} | {' '.join(f'{b:.2f}' for b in test)}, mean {mean:.2f} "
                  f"| {moses} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="all", choices=["speed", "ratios", "align", "tune", "all"])
    parser.add_argument("--binary", default=str(ROOT / "build" / "graft"))
    parser.add_argument("--shared", type=pathlib.Path, default=ROOT.parent / "shared", help="folder with data/ (may be absent)")
    parser.add_argument("--systems", type=lambda text: text.split(","), default=list(SYSTEMS))
    parser.add_argument("--skip-europarl", action="store_true")
    parser.add_argument("--runs", type=int, default=3, help="tuning runs of each method")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "bench", help="folder for tables and models")
    arguments = parser.parse_args()
    unknown = [s for s in arguments.systems if s not in SYSTEMS]
    if unknown:
        parser.error(f"unknown systems {unknown}; known are {list(SYSTEMS)}")
    arguments.work.mkdir(parents=True, exist_ok=True)
    if arguments.what in ("speed", "all"):
        speed(arguments, arguments.work)
    if arguments.what in ("align", "all"):
        align(arguments, arguments.work)
    if arguments.what in ("tune", "all"):
        tune(arguments, arguments.work)
    if arguments.what in ("ratios", "all"):
        ratios(arguments, arguments.work)


if __name__ == "__main__":
    main()

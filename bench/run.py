#!/usr/bin/env python3
"""Speed, size and memory of Graft's systems, one table a corpus.

    bench/run.py [speed|ratios|length|align|tune|all] [--binary build/graft] [--shared DIR] [--systems pbmt,...] [--skip-europarl]

speed    builds a table, a language model and a model for each system, translates the test set on one thread and prints
         sentences/s (systems with a grammar: also at the fast setting), table build rules/s, bytes a rule, opening time
         and peak memory
ratios   prints how many rules each system has beside the paper's ratios, on each corpus, and what kinds of rules the
         bigram graph gives
length   translates Europarl sentences of 10, 20, ... 80 words with each system and prints CPU milliseconds a sentence
align    aligns each corpus and prints time, memory, and how far the links agree with those of other aligners in the data folder
tune     tunes systems (default: PBMT, with both methods) on each corpus, several runs each, and prints dev BLEU by iteration
         and test BLEU

Uses Multi30k German-English, and the first 50,000 pairs of Europarl German-English and of the technical documents Chinese-English,
all lower-cased, where the data folder has them, else the embedded example. Machines are shared and noisy: compare figures of one
run, not of two.
"""
import argparse
import lzma
import os
import pathlib
import re
import subprocess
import sys

from harness.calls import ROOT, Run, shared_folder
from harness.corpora import unpack
from harness.systems import FAST, SYSTEMS as PLAIN, VARIANTS, has_grammar, reads_text, weights

SYSTEMS = {**PLAIN, **{name: VARIANTS[name] for name in ("gramgbmt-c-dsg-pos", "gramgbmt-b-dsg-pos")}}

# Rules of the systems with a grammar, and of what these are compared with: name, options, what the paper's count is compared with, and the paper's counts in millions (zh, de).
GRAMMAR_ROWS = [
    ("PBMT", SYSTEMS["pbmt"], "PBMT", 69, 107),
    ("Dep2Str", SYSTEMS["dep2str"], "PBMT", 84, 92),
    ("HPBMT", SYSTEMS["hpbmt"], "HPBMT", 388, 684),
    ("GramGBMT_c Tree", SYSTEMS["gramgbmt-c-tree"], "HPBMT", 76, 160),
    ("GramGBMT_c DSG", SYSTEMS["gramgbmt-c-dsg"], "HPBMT", 157, 241),
    ("GramGBMT_c DBG", SYSTEMS["gramgbmt-c-dbg"], "HPBMT", 415, 740),
    ("SERG", SYSTEMS["serg"], "GramGBMT_c DSG", 131, 98),
    ("GramGBMT_c DSG, MGS 1", SYSTEMS["gramgbmt-c-dsg"] + ["--mgs", "1"], "GramGBMT_c DSG", 312, 480),
    ("GramGBMT_c DSG +EdgeLabel", SYSTEMS["gramgbmt-c-dsg"] + ["--edge-labels"], "GramGBMT_c DSG", 160, 243),
    ("GramGBMT_c Tree +POS", SYSTEMS["gramgbmt-c-tree"] + ["--pos"], "GramGBMT_c Tree", 79, 172),
    ("GramGBMT_c DSG +POS", SYSTEMS["gramgbmt-c-dsg"] + ["--pos"], "GramGBMT_c DSG", 185, 276),
    ("GramGBMT_b Tree", SYSTEMS["gramgbmt-b-tree"], "GramGBMT_c Tree", 188, 380),
    ("GramGBMT_b DSG", SYSTEMS["gramgbmt-b-dsg"], "GramGBMT_c DSG", 423, 684),
    ("GramGBMT_b DBG", SYSTEMS["gramgbmt-b-dbg"], "GramGBMT_c DBG", 1141, 1932),
]


class Corpus:
    """Files of a corpus. Trees and text are the same sentences; systems without trees read text where there is one."""

    def __init__(self, name, folder, train, test, lowercase, text_train=None, text_test=None):
        self.name, self.folder = name, folder
        self.stem = folder / re.sub("[^a-z0-9]+", "-", name.lower())[:24]
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
                  (get("train.first400k.de.conllu", 50000), get("train.en", 50000), get("train.first400k.fast_align.gdfa", 50000)),
                  get("test.de.conllu"), True, get("train.de", 50000), get("test.de"))


def techdocs(shared, work):
    data = shared / "data" / "techdocs-zhen"
    if not data.is_dir():
        return None
    get = lambda name, lines=None: unpack(data / (name + ".xz"), work / ("td50k." + name), lines)
    return Corpus("techdocs zh-en, first 50,000 pairs", work,
                  (get("train.zh.conllu", 50000), get("train.en", 50000), get("train.fast_align.gdfa", 50000)), get("test.zh.conllu"), True)


def example(work):
    folder = ROOT / "examples" / "de-en"
    return Corpus("embedded example de-en", work, tuple(folder / f"train.{e}" for e in ("de.conllu", "en", "align")),
                  folder / "test.de.conllu", False)


def weights_file(work, system):
    path = work / f"weights.{system}.toml"
    path.write_text(weights(system))
    return path


def lower(corpus):
    return ["--lowercase"] if corpus.lowercase else []


def source_files(corpus, options):
    """(training source, test source) for a system."""
    if reads_text(options) and corpus.text_train is not None:
        return corpus.text_train, corpus.text_test
    return corpus.train[0], corpus.test


def build_table(binary, corpus, options, table):
    return Run([binary, "table", "build", *options, "--source", source_files(corpus, options)[0], "--target", corpus.train[1], "--align", corpus.train[2],
                *lower(corpus), "-o", table])


def count_rules(binary, table):
    inspect = subprocess.run([binary, "table", "inspect", "--json", table], capture_output=True, text=True, check=True).stdout
    return int(re.search(r'"rules": ?(\d+)', inspect).group(1))


def build_model(binary, corpus, system, table, model):
    lm = f"{corpus.stem}.lm.bin"
    if not os.path.exists(lm):
        Run([binary, "lm", corpus.train[1], *lower(corpus), "-o", lm])
    Run([binary, "model", "new", "--table", table, "--lm", lm, "--weights", weights_file(corpus.folder, system), *lower(corpus), "-o", model])


def translate_rate(binary, model, source, *options):
    """A run of `translate` on one thread, and its sentences per CPU second without loading: other processes do not count."""
    command = [binary, "translate", "-m", model, "--threads", "1", "--stats", *options]
    loading = min(Run([*command, os.devnull, "--input", "conllu"]).cpu for _ in range(2))
    run = Run([*command, source])
    return run, int(re.search(r"sentences +([\d,]+)", run.errors).group(1).replace(",", "")) / (run.cpu - loading)


def measure(binary, corpus, system):
    table, model = f"{corpus.stem}.{system}.graft", f"{corpus.stem}.{system}.model"
    test = source_files(corpus, SYSTEMS[system])[1]
    build = build_table(binary, corpus, SYSTEMS[system], table)
    build_model(binary, corpus, system, table, model)
    opened = min(Run([binary, "table", "inspect", table]).seconds for _ in range(3))
    rules = count_rules(binary, table)
    translate, rate = translate_rate(binary, model, test)
    fast = f"{translate_rate(binary, model, test, *FAST)[1]:.0f}" if has_grammar(system) else ""
    size = os.path.getsize(table)
    print(f"| {system} | {rules:,} | {build.seconds:.2f} | {rules / build.seconds:,.0f} | {size / rules:.1f} | {opened * 1000:.0f} | {build.peak_mb:.0f} "
          f"| {rate:.0f} | {fast} | {translate.peak_mb:.0f} |", flush=True)


def speed(arguments, work):
    corpora = [c for c in (multi30k(arguments.shared, work),) if c]
    if not corpora:
        print(f"no Multi30k under {arguments.shared}: the embedded example instead", file=sys.stderr)
        corpora = [example(work)]
    systems = arguments.systems or list(SYSTEMS)
    plans = [(c, systems) for c in corpora]
    if not arguments.skip_europarl and "pbmt" in systems:
        corpus = europarl(arguments.shared, work)
        if corpus:
            plans.append((corpus, ["pbmt"]))
    for corpus, planned in plans:
        print(f"\n{corpus.name}: tables built on {os.cpu_count()} cores, translation on one thread, by CPU time\n")
        print("| system | rules | build s | rules/s | bytes/rule | open ms (process included) | build MB | sentences/s | fast setting | translate MB |")
        print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
        for system in planned:
            measure(arguments.binary, corpus, system)


def ratios(arguments, work):
    program = pathlib.Path(arguments.binary).parent / "rule_ratios"
    corpora = [multi30k(arguments.shared, work)]
    if not arguments.skip_europarl:
        corpora += [europarl(arguments.shared, work), techdocs(arguments.shared, work)]
    for number, corpus in enumerate([c for c in corpora if c] or [example(work)]):
        print(f"\n{corpus.name}\n", flush=True)
        if number == 0:
            subprocess.run([program, *map(str, corpus.train), *lower(corpus)], check=True)
        grammar_ratios(arguments.binary, corpus)


def grammar_ratios(binary, corpus):
    print("\n| system | rules | compared with | here | paper zh | paper de |")
    print("|---|---|---|---|---|---|", flush=True)
    here, paper = {}, {}
    for name, options, base, paper_zh, paper_de in GRAMMAR_ROWS:
        table = f"{corpus.stem}.ratios.graft"
        build_table(binary, corpus, options, table)
        here[name], paper[name] = count_rules(binary, table), (paper_zh, paper_de)
        os.remove(table)
        print(f"| {name} | {here[name]:,} | {base} | {here[name] / here[base]:.3f} | {paper_zh / paper[base][0]:.2f} | {paper_de / paper[base][1]:.2f} |",
              flush=True)


LENGTHS = range(10, 90, 10)
SENTENCES_OF_A_LENGTH = 20


def sentences_by_length(source, work, skip):
    """Of the sentences after the first `skip`, the first few of each length (one word more or less), as CoNLL-U and as text."""
    paths = {length: (work / f"length{length}.conllu", work / f"length{length}.txt") for length in LENGTHS}
    if all(path.exists() for pair in paths.values() for path in pair):
        return paths
    found = {length: [] for length in LENGTHS}
    with lzma.open(source, "rt", encoding="utf-8", newline="\n") as reader:
        block, words, seen = [], [], 0
        for line in reader:
            if line != "\n":
                block.append(line)
                if not line.startswith("#"):
                    words.append(line.split("\t")[1])
                continue
            seen += 1
            length = 10 * ((len(words) + 5) // 10)
            if seen > skip and length in found and abs(len(words) - length) <= 1 and len(found[length]) < SENTENCES_OF_A_LENGTH:
                found[length].append(("".join(block) + "\n", " ".join(words) + "\n"))
            block, words = [], []
            if all(len(sentences) == SENTENCES_OF_A_LENGTH for sentences in found.values()):
                break
    for length, (trees, text) in paths.items():
        trees.write_text("".join(tree for tree, _ in found[length]), encoding="utf-8")
        text.write_text("".join(words for _, words in found[length]), encoding="utf-8")
    return paths


def length(arguments, work):
    """Time against sentence length: sentences of the training corpus after those the tables were made of."""
    corpus = europarl(arguments.shared, work)
    if not corpus:
        print(f"no Europarl under {arguments.shared}: sentences of 10 to 80 words are needed for `length`", file=sys.stderr)
        return
    inputs = sentences_by_length(arguments.shared / "data" / "europarl-deen" / "train.first400k.de.conllu.xz", work, 50000)
    print(f"\n{corpus.name}: CPU milliseconds a sentence by its words, one thread; {SENTENCES_OF_A_LENGTH} sentences of each length\n")
    print(f"| system | {' | '.join(map(str, LENGTHS))} | 80 words against 40 |")
    print(f"|---|{'---|' * len(LENGTHS)}---|", flush=True)
    for system in arguments.systems or SYSTEMS:
        table, model = f"{corpus.stem}.{system}.graft", f"{corpus.stem}.{system}.model"
        build_table(arguments.binary, corpus, SYSTEMS[system], table)
        build_model(arguments.binary, corpus, system, table, model)
        os.remove(table)
        text = reads_text(SYSTEMS[system])
        cost = {n: 1000 / translate_rate(arguments.binary, model, trees_and_text[text])[1] for n, trees_and_text in inputs.items()}
        print(f"| {system} | {' | '.join(f'{cost[n]:.1f}' for n in LENGTHS)} | {cost[80] / cost[40]:.1f} |", flush=True)


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


def tuning_corpora(shared, work, trees):
    """(folder, name, files by role, BLEU on the test set that Moses's PBMT and hierarchical system reach on the same data)."""
    data = shared / "data"
    for folder, name, source, pairs, moses in (("multi30k-deen", "Multi30k de-en", "de", None, {"pbmt": 39.25, "hpbmt": 39.87}),
                                               ("europarl-deen", "Europarl de-en, first 50,000 pairs", "de", 50000, {"pbmt": 13.8}),
                                               ("techdocs-zhen", "techdocs zh-en, first 50,000 pairs", "zh", 50000, {"pbmt": 23.2})):
        if not (data / folder).is_dir():
            continue
        get = lambda file, lines, target: unpack(data / folder / (file + ".xz"), work / f"{folder}.tune.{target}", lines)
        first = "train.first400k" if folder == "europarl-deen" else "train"
        files = {"align": get(f"{first}.fast_align.gdfa", pairs, "align")}
        for part, lines in (("train", pairs), ("dev", 1000 if pairs else None), ("test", None)):
            files[part + ".target"] = get(part + ".en", lines, part + ".en")
            parsed = f"{first if part == 'train' else part}.{source}.conllu"
            if trees:
                files[part + ".source"] = get(parsed, lines, f"{part}.{source}.conllu")
            elif source == "zh":
                files[part + ".source"] = forms(data / folder / (parsed + ".xz"), work / f"{folder}.tune.{part}.zh", lines)
            else:
                files[part + ".source"] = get(f"{part}.{source}", lines, f"{part}.{source}")
        yield folder, name, files, moses


def tune(arguments, work):
    """Lower-cased, fast_align's alignments, 5-gram model of the target side, default search."""
    print("\n| corpus | system | method | seconds | dev BLEU by iteration (first run) | dev BLEU | test BLEU by run | Moses |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for system in arguments.systems or ["pbmt"]:
        for folder, name, files, moses in tuning_corpora(arguments.shared, work, not reads_text(SYSTEMS[system])):
            if arguments.skip_europarl and folder != "multi30k-deen":
                continue
            for method in ("mira", "paper") if arguments.systems is None else ("mira",):
                tune_system(arguments, work / f"{folder}.tune", name, files, system, method, moses.get(system, ""))


def tune_system(arguments, stem, name, files, system, method, moses):
    table, lm, model = f"{stem}.{system}.graft", f"{stem}.lm.bin", f"{stem}.{system}.model"
    if not os.path.exists(table):
        Run([arguments.binary, "table", "build", *SYSTEMS[system], "--source", files["train.source"], "--target", files["train.target"], "--align",
             files["align"], "--lowercase", "-o", table])
    if not os.path.exists(lm):
        Run([arguments.binary, "lm", files["train.target"], "--lowercase", "-o", lm])
    Run([arguments.binary, "model", "new", "--table", table, "--lm", lm, "--lowercase", "-o", model])
    weights = f"{stem}.{system}.{method}.toml"
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
        bleu = subprocess.run([arguments.binary, "eval", output, files["test.target"], "--tokenize", "none", "--lowercase", "--score-only", "--width", "2"],
                              capture_output=True, text=True, check=True)
        test.append(float(bleu.stdout.split()[0]))
    mean = sum(test) / len(test)
    print(f"| {name} | {system} | {method} | {run.seconds:.0f} | {' '.join(course)} | {' '.join(dev)} | {' '.join(f'{b:.2f}' for b in test)}, mean {mean:.2f} "
          f"| {moses} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="all", choices=["speed", "ratios", "length", "align", "tune", "all"])
    parser.add_argument("--binary", default=str(ROOT / "build" / "graft"))
    parser.add_argument("--shared", type=pathlib.Path, default=shared_folder(), help="folder with data/ (may be absent)")
    parser.add_argument("--systems", type=lambda text: text.split(","), help="default: all for speed and length, pbmt for tune")
    parser.add_argument("--skip-europarl", action="store_true", help="Multi30k only")
    parser.add_argument("--runs", type=int, default=3, help="tuning runs of each method")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "bench", help="folder for tables and models")
    arguments = parser.parse_args()
    unknown = [s for s in arguments.systems or [] if s not in SYSTEMS]
    if unknown:
        parser.error(f"unknown systems {unknown}; known are {list(SYSTEMS)}")
    arguments.work.mkdir(parents=True, exist_ok=True)
    if arguments.what in ("speed", "all"):
        speed(arguments, arguments.work)
    if arguments.what == "length" or (arguments.what == "all" and not arguments.skip_europarl):
        length(arguments, arguments.work)
    if arguments.what in ("align", "all"):
        align(arguments, arguments.work)
    if arguments.what in ("tune", "all"):
        tune(arguments, arguments.work)
    if arguments.what in ("ratios", "all"):
        ratios(arguments, arguments.work)


if __name__ == "__main__":
    main()

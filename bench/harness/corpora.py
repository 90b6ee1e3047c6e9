"""Corpora to measure and to compare with: parts of a data folder or of an embedded example, under one set of names.

A corpus is a folder with `PART.SOURCE.conllu`, `PART.SOURCE` (the same sentences as tokens), `PART.en` for the parts train, dev and
test, and `train.align`; SOURCE is the language, de or zh. What is there already is not made again.
"""
import itertools
import lzma
import pathlib
import re
import zlib

from harness.calls import ROOT

PARTS = ("train", "dev", "test")
EXAMPLES = {"de-en": "de", "zh-en": "zh"}


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


def read_lines(path, limit=None):
    """Lines of a file or of its .xz form, each with its newline."""
    path = pathlib.Path(path)
    opened = open(path, encoding="utf-8", newline="\n") if path.exists() else lzma.open(f"{path}.xz", "rt", encoding="utf-8", newline="\n")
    with opened as reader:
        return list(itertools.islice(reader, limit))


def read_sentences(path, limit=None):
    """Sentences of a CoNLL-U file or of its .xz form, as lists of lines without the empty one behind them."""
    sentences, block = [], []
    for line in read_lines(path):
        if line != "\n":
            block.append(line)
            continue
        sentences.append(block)
        block = []
        if len(sentences) == limit:
            break
    return sentences


def forms(sentence):
    """The surface tokens of a sentence."""
    words, hidden = [], 0
    for line in sentence:
        fields = line.split("\t")
        if re.fullmatch(r"\d+-\d+", fields[0]):
            hidden = int(fields[0].split("-")[1])
            words.append(fields[1])
        elif fields[0].isdigit() and int(fields[0]) > hidden:
            words.append(fields[1])
    return words


class Corpus:
    def __init__(self, name, folder, language):
        self.name, self.folder, self.language = name, pathlib.Path(folder), language

    def trees(self, part):
        return self.folder / f"{part}.{self.language}.conllu"

    def text(self, part):
        return self.folder / f"{part}.{self.language}"

    def target(self, part):
        return self.folder / f"{part}.en"

    @property
    def align(self):
        return self.folder / "train.align"

    def write(self, part, sentences, targets):
        self.trees(part).write_text("".join("".join(s) + "\n" for s in sentences), encoding="utf-8")
        self.text(part).write_text("".join(" ".join(forms(s)) + "\n" for s in sentences), encoding="utf-8")
        self.target(part).write_text("".join(targets), encoding="utf-8")


def is_data_folder(folder):
    return all((folder / f"{name}.xz").exists() for name in ("train.de.conllu", "train.en", "test.de.conllu", "dev.de.conllu",
                                                             "train.fast_align.gdfa"))


def folder_name(data, *sizes):
    """A name for the prepared form of a data folder: other folders and sizes get other names."""
    return "-".join([data.name, f"{zlib.crc32(str(data.resolve()).encode()):08x}", *map(str, sizes)])


def prepare(name, source, folder, language, pairs, sentences, repeat=1):
    """The first `pairs` training pairs, `repeat` times, and the first `sentences` of dev and test of the corpus in `source`."""
    corpus = Corpus(name, folder, language)
    done = corpus.folder / "done"
    if done.exists():
        return corpus
    corpus.folder.mkdir(parents=True, exist_ok=True)
    for part, limit in zip(PARTS, (pairs, sentences, sentences)):
        trees = read_sentences(source / f"{part}.{language}.conllu", limit)
        times = repeat if part == "train" else 1
        corpus.write(part, trees * times, read_lines(source / f"{part}.en", limit) * times)
    links = "train.align" if (source / "train.align").exists() else "train.fast_align.gdfa"
    corpus.align.write_text("".join(read_lines(source / links, pairs) * repeat), encoding="utf-8")
    done.touch()
    return corpus


def example(name, folder, pairs=None, sentences=None, repeat=1):
    return prepare(name, ROOT / "examples" / name, folder, EXAMPLES[name], pairs, sentences, repeat)


def raw(text):
    """Tokens as running text: enough to have something to tokenise."""
    return re.sub(r" ([.,?!;:。，？！])", r"\1", text)


def without_spaces(line):
    return line.replace(" ", "")

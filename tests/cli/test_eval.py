"""`graft eval` against sacreBLEU: scores to the printed digits, and signatures; then its forms and errors."""
import json
import logging
import lzma
import os
import random
import subprocess
import sys
import unittest

import sacrebleu_package
from graft_calls import GraftTest

SHARED = os.environ.get("GRAFT_SHARED", "")
TOKENISERS = ("13a", "zh", "none", "intl", "char")

ENGLISH = """the a cat dog house is was on in and man woman street red playing with two of . , ! ? his her""".split()
PUNCTUATION = """3.14 1,000 1990. U.S. don't - -- -5 5-6 10-year (hi) "quoted" 's it's '' ... ,,, .,. 1.2.3 a.b,c 5. .5 ,5
    5, $5 50% a/b foo_bar [x] {y} ~ ` ^ @ # = + | \\ http://a.b/c?d=e … — – “q” ‘s’ «x» ¿que? ¡Hola! ؟ ; : _ <b> &""".split()
ENTITIES = "&quot;x&quot; &amp;lt; &lt;b&gt; &amp;amp; &apos; <skipped> x<skipped>y &nbsp; AT&T &".split()
CHINESE = "你好 世界 中文abc 第3章 ， 。 、 《书》 “引” ３．５ ｆｕｌｌ 日本語 カタカナ ㈱ ㍻ ⿰ 한국어 𠀀 𪛖 2024年 5.5亿 … ——".split()
SYMBOLS = "🙂 👨‍👩‍👧 🇩🇪 € £ ₿ © ™ ° № ☃ ✓ ➔ ½ ² Ⅷ x²+y² 𝒳 ٣٫١٤ १२ ۵ a\u200bb x\u2060y \u180e".split(" ")
LETTERS = "É e\u0301 n\u0303o \u0130stanbul ΣΑΣ ΟΔΟΣ. STRASSE straße ǅ ﬁ Ünï NAÏVE ไทย العربية עברית ЁЖ".split(" ")
SPACES = " ", "  ", "\t", "\u00a0", "\u3000", "\u2009", "\x0b", "\x1c", "\x85", "\u2028", " \r "


class Maker:
    """Sentences of some words, and versions of them that differ as translations do."""

    def __init__(self, seed, words, spaces=(" ",)):
        self.random, self.words, self.spaces = random.Random(seed), words, spaces

    def sentence(self, length):
        return [self.random.choice(self.words) for _ in range(length)]

    def version(self, words, changes):
        words = list(words)
        for _ in range(changes):
            at = self.random.randint(0, len(words))
            kind = self.random.choice("dirsc")
            if kind == "i":
                words.insert(at, self.random.choice(self.words))
            elif kind == "s" and len(words) > 2:
                begin, end = sorted(self.random.sample(range(len(words) + 1), 2))
                block = words[begin:end]
                del words[begin:end]
                at = self.random.randint(0, len(words))
                words[at:at] = block
            elif at < len(words):
                if kind == "d":
                    del words[at]
                elif kind == "r":
                    words[at] = self.random.choice(self.words)
                else:
                    words[at] = words[at].swapcase()
        return words

    def line(self, words):
        return "".join(word + self.random.choice(self.spaces) for word in words)

    def corpus(self, sentences, references, lengths=(0, 1, 2, 3, 5, 8, 12, 20), changes=4):
        """(hypotheses, references): lists of lines."""
        texts = [self.sentence(self.random.choice(lengths)) for _ in range(sentences)]
        versions = [[self.line(self.version(text, self.random.randint(0, changes))) for text in texts]
                    for _ in range(references + 1)]  # fmt: skip
        return versions[0], versions[1:]


def inputs():
    """Name, hypotheses, references: at least 20 of different kinds."""
    everything = ENGLISH + PUNCTUATION + ENTITIES + CHINESE + SYMBOLS + LETTERS
    kinds = (("english", ENGLISH, (" ",)), ("punctuation", ENGLISH + PUNCTUATION, (" ",)), ("entities", ENTITIES, (" ",)),
             ("chinese", CHINESE, ("", " ")), ("symbols", ENGLISH + SYMBOLS, (" ", "")), ("letters", LETTERS, (" ",)),
             ("spaces", ENGLISH, SPACES), ("everything", everything, SPACES + ("",)))  # fmt: skip
    for seed, (name, words, spaces) in enumerate(kinds):
        for references in (1, 2, 4):
            yield f"{name}, {references} references", *Maker(seed * 10 + references, words, spaces).corpus(15, references)
    one = "The cat sat on the mat .", "A cat was sitting on the mat ."
    yield "one sentence", [one[0]], [[one[1]]]
    yield "identical", [one[0], one[1]], [[one[0], one[1]]]
    yield "nothing in common", ["x y z w v"], [["a b c d e"]]
    yield "no 4-gram", ["a b", "c"], [["a b", "c d"]]
    yield "empty hypotheses", ["", ""], [["a b", "c d e f"]]
    yield "empty references", ["a b", "c d e f"], [["", ""]]
    yield "empty lines", ["", "a b c d", "", "e f"], [["", "a b c d", "x", ""], ["", "", "y z", "e f"]]
    yield "only spaces", [" \t", "a b c d e"], [["a", "\u3000"]]
    yield "hypotheses too short", ["a b c d"] * 3, [["a b c d e f g h i j k l"] * 3]
    yield "hypotheses too long", ["a b c d e f g h i j k l"] * 3, [["a b c d"] * 3]
    yield "repeated words", ["the the the the the the the"], [["the cat is on the mat"], ["there is a cat on the mat"]]
    yield "long line", *Maker(91, ENGLISH).corpus(1, 1, (70,), 25)
    yield "very different lengths", ["a", "b " * 300], [["a " * 300, "b"]]
    yield "few words, many shifts", *Maker(92, "a b c d e f".split()).corpus(20, 2, (12, 16), 12)
    yield "no final stop in numbers", ["in 1990.", "it costs 5.", "5,", ".", ",."], [["in 1990 .", "it costs 5 .", "5 ,", "..", ".,"]]
    folder = os.path.join(SHARED, "reference", "multi30k-pbmt")
    if SHARED and os.path.isdir(folder):
        texts = []
        for name in ("moses.stack200.out", "reference.en"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts.append(file.read().split("\n")[:-1])
        yield "a decoder's output", texts[0], [texts[1]]


class Folder(GraftTest):
    verb = ("eval",)

    def setUp(self):
        self.folder = self.own_folder()

    def file(self, name, lines):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.writelines(line + "\n" for line in lines)
        return path

    def output(self, *arguments, stdin=""):
        return self.succeed(*arguments, stdin=stdin.encode()).stdout.decode()

    def error(self, *arguments, stdin=""):
        result = self.graft(*arguments, stdin=stdin.encode())
        self.assert_fails(result)
        self.assertEqual(result.stdout, b"")
        return result.stderr.decode()


class SacrebleuTest(Folder):
    @classmethod
    def setUpClass(cls):
        sacrebleu_package.load()
        from sacrebleu.metrics import BLEU, CHRF, TER  # pylint: disable=import-outside-toplevel,import-error

        logging.getLogger("sacrebleu").setLevel(logging.ERROR)
        cls.bleu, cls.chrf, cls.ter = BLEU, CHRF, TER

    def check(self, name, hypotheses, references, metrics, width, *options):
        """The lines graft prints are those sacreBLEU prints for these metrics (sacrebleu --format text)."""
        paths = [self.file(f"text{i}", lines) for i, lines in enumerate([hypotheses, *references])]
        stripped = [line.rstrip() for line in hypotheses], [[line.rstrip() for line in lines] for lines in references]
        expected = []
        for metric in metrics:
            score = metric.corpus_score(*stripped)
            expected.append(score.format(width, False, str(metric.get_signature())))
        got = [line.lstrip() for line in self.output(*paths, "--width", str(width), *options).splitlines()]
        self.assertEqual(got, expected, (name, options))

    def test_all_metrics(self):
        count = 0
        for count, (name, hypotheses, references) in enumerate(inputs(), 1):
            with self.subTest(name):
                metrics = self.bleu(), self.chrf(), self.chrf(word_order=2), self.ter()
                self.check(name, hypotheses, references, metrics, 2)
                metrics = (self.bleu(lowercase=True), self.chrf(lowercase=True), self.chrf(word_order=2, lowercase=True),
                           self.ter(case_sensitive=True))  # fmt: skip
                self.check(name, hypotheses, references, metrics, 5, "--lowercase", "--ter-case-sensitive")
        self.assertGreaterEqual(count, 20)

    def test_tokenisers_and_smoothing(self):
        smoothing = "exp", "floor", "add-k", "none"
        for count, (name, hypotheses, references) in enumerate(inputs()):
            for i, tokeniser in enumerate(TOKENISERS):
                with self.subTest(name, tokeniser=tokeniser):
                    smooth = smoothing[(count + i) % 4]
                    metric = self.bleu(tokenize=tokeniser, smooth_method=smooth)
                    self.check(name, hypotheses, references, [metric], 4,
                               "--metrics", "bleu", "--tokenize", tokeniser, "--smooth", smooth)  # fmt: skip

    def test_text_and_json_of_the_command(self):
        """Byte for byte what sacreBLEU's own command line prints; its JSON has the same keys and values."""
        hypotheses, references = Maker(5, ENGLISH + PUNCTUATION).corpus(10, 2)
        paths = [self.file(f"text{i}", lines) for i, lines in enumerate([hypotheses, *references])]
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))

        def sacrebleu(*options):
            command = [sys.executable, "-m", "sacrebleu", *paths[1:], "-i", paths[0], "-w", "2", *options]
            return subprocess.run(command, env=environment, capture_output=True, check=True).stdout.decode()

        metrics = "-m", "bleu", "chrf", "ter"
        self.assertEqual(self.output(*paths, "--metrics", "bleu,chrf,ter"), sacrebleu("-f", "text", *metrics))
        self.assertEqual(self.output(*paths, "--metrics", "bleu,chrf,ter", "--score-only"),
                         sacrebleu("-f", "text", "-b", *metrics))  # fmt: skip
        ours = json.loads(self.output(*paths, "--metrics", "bleu,chrf,ter", "--json"))
        for mine, theirs in zip(ours, json.loads(sacrebleu(*metrics)), strict=True):
            self.assertEqual({key: mine[key] for key in theirs}, theirs)
        self.assertEqual(len(ours[0]["precisions"]), 4)
        self.assertEqual(ours[0]["hyp_len"], sum(ours[0]["totals"][:1]))
        self.assertIn("num_edits", ours[2])


class FormsTest(Folder):
    """What needs no sacreBLEU."""

    def test_stdin_compression_and_output_file(self):
        lines = ["a b c d e", "f g h i"]
        hypotheses, reference = self.file("hyp", lines), self.file("ref", ["a b c d x", "f g h i"])
        plain = self.output(hypotheses, reference)
        packed = os.path.join(self.folder, "ref.xz")
        with lzma.open(packed, "wt", encoding="utf-8") as file:
            file.write("a b c d x\nf g h i\n")
        self.assertEqual(self.output("-", packed, stdin="\n".join(lines)), plain)
        target = os.path.join(self.folder, "scores")
        self.assertEqual(self.output(hypotheses, reference, "-o", target, "--threads", "3"), "")
        with open(target, encoding="utf-8") as file:
            self.assertEqual(file.read(), plain)

    def test_names_of_the_metrics(self):
        path = self.file("text", ["a b c d e"])
        names = [line.split("|")[0].strip() for line in self.output(path, path).splitlines()]
        self.assertEqual(names, ["BLEU", "chrF2", "chrF2++", "TER"])
        self.assertEqual(self.output(path, path, "--metrics", "ter,bleu", "--score-only", "--width", "1"), "0.0\n100.0\n")
        self.assertEqual(self.output(path, path, "--metrics", "ter", "--metrics", "chrf", "--score-only"), "0.00\n100.00\n")

    def test_line_counts(self):
        three, two = self.file("three", ["a"] * 3), self.file("two", ["a"] * 2)
        self.assertIn(f"{three}:3: {two} ends after 2 lines, but {three} has 3", self.error(three, two))
        self.assertIn(f"{three}:3: {two} ends after 2 lines, but {three} has 3", self.error(two, three))
        self.assertIn(f"{three}:3: {two} ends after 2 lines", self.error(two, two, three))
        self.assertIn("<stdin>:3:", self.error("-", two, stdin="a\nb\nc\n"))

    def test_errors(self):
        path, empty = self.file("text", ["a"]), self.file("empty", [])
        missing = os.path.join(self.folder, "missing")
        self.assertIn(missing, self.error(path, missing))
        self.assertIn("nothing to score", self.error(empty, path))
        self.assertIn("nothing to score", self.error(path, empty))
        self.assertIn("stdin", self.error("-", "-"))
        self.assertIn("did you mean `bleu`", self.error(path, path, "--metrics", "blue"))
        self.assertIn("13a", self.error(path, path, "--tokenize", "13"))
        self.assertIn("add-k", self.error(path, path, "--smooth", "addk"))
        self.assertIn("--width", self.error(path, path, "--width", "-1"))
        self.error(path)
        with open(path, "wb") as file:
            file.write(b"a\n\xff\n")
        self.assertIn(f"{path}:2:", self.error(path, self.file("other", ["a", "b"])))

    def test_warns_of_tokenised_text(self):
        path = self.file("text", ["This is it ."] * 100)
        self.assertIn(b"100 lines end in a tokenised full stop", self.graft(path, path).stderr)
        self.assertEqual(self.graft(path, path, "--tokenize", "none").stderr, b"")


if __name__ == "__main__":
    unittest.main()

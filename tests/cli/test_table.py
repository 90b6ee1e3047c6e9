"""`graft table build | inspect | dump | import | prune` as users call them."""
import gzip
import json
import math
import os
import random
import struct
import subprocess
import unittest

from graft_calls import GRAFT, GraftTest

SHARED = os.environ.get("GRAFT_SHARED", "")

SYSTEMS = [
    ["pbmt"],
    ["sdtu"],
    ["tbmt"],
    ["seggbmt", "--graph", "dsg"],
    ["seggbmt", "--graph", "dbg", "--edge-labels"],
    ["hpbmt", "--mgs", "1"],
    ["serg", "--pos", "--mgs", "1"],
    ["dep2str", "--floating"],
    ["gramgbmt-c", "--graph", "dbg", "--pos"],
    ["gramgbmt-b", "--graph", "dsg", "--pos", "--edge-labels", "--adjacent-nt"],
]


def random_tree(words):
    """Heads, 1-based, 0 = root, free of cycles."""
    order = list(range(1, words + 1))
    random.shuffle(order)
    heads = [0] * words
    for i, word in enumerate(order[1:], 1):
        heads[word - 1] = random.choice(order[:i])
    return heads


def random_corpus(pairs):
    random.seed(3)
    conllu, target, align = [], [], []
    for _ in range(pairs):
        n, m = random.randint(1, 12), random.randint(1, 12)
        words = [f"w{min(int(random.expovariate(0.1)), 60)}" for _ in range(n)]
        conllu.extend(f"{i + 1}\t{word}\t_\tN\t{'NVP'[len(word) + i % 2 - 2]}\t_\t{head}\tdep\t_\t_\n"
                      for i, (word, head) in enumerate(zip(words, random_tree(n))))
        conllu.append("\n")
        target.append(" ".join(f"v{min(int(random.expovariate(0.1)), 60)}" for _ in range(m)) + "\n")
        links = {(i, min(m - 1, max(0, i * m // n + random.randint(-1, 1)))) for i in range(n) if random.random() < 0.8}
        align.append(" ".join(f"{s}-{t}" for s, t in sorted(links)) + "\n")
    return conllu, target, align


HIERARCHICAL = """\
das [X][X] [X] ||| the [X][X] [X] ||| 0.5 0.25 0.8 1e-20 ||| 0-0 1-1 ||| 0.2 0.25 0.2 ||| |||
[X][X] und [X][X] [X] ||| [X][X] and [X][X] [X] ||| 1 0.5 0.75 0.125 ||| 0-2 1-1 2-0 ||| 3 4 3 ||| |||
[X][X] und [X][X] [X] ||| [X][X] &amp; [X][X] [X] ||| 1 0.5 0.25 0.125 ||| 0-0 2-2 ||| 1 4 1 ||| |||
Haus [X] ||| house [X] ||| 1 1 1 1 ||| 0-0 ||| 1 1 1 ||| |||
"""

GLUE = """\
<s> [X] ||| <s> [S] ||| 1 ||| 0-0 ||| 0 ||| |||
[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 1-1 ||| 0 ||| |||
[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718 ||| 0-0 1-1 ||| 0 ||| |||
"""

MOSES = """\
das Haus ||| the house ||| 0.5 0.25 0.8 1e-20 ||| 1-1 0-0 ||| 2 10 8
Haus ||| house ||| 1 0.5 0.75 0.125 ||| 0-0 ||| 3 4 3
Haus ||| home &apos; ||| 0 1 0.25 1e-400 |||  ||| 1 4 1 ||| |||
und so weiter ||| etc. ||| 1 1 1 1 ||| 2-0 0-0 1-0 ||| 1 1 1
"""


class TableTest(GraftTest):
    def setUp(self):
        self.folder = self.own_folder()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        mode = "wb" if isinstance(content, bytes) else "w"
        with open(self.path(name), mode, encoding=None if mode == "wb" else "utf-8") as file:
            file.write(content)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write_corpus(self, pairs, name="c"):
        conllu, target, align = random_corpus(pairs)
        self.write(name + ".conllu", "".join(conllu))
        self.write(name + ".t", "".join(target))
        self.write(name + ".a", "".join(align))
        return conllu, target, align

    def corpus(self, name="c"):
        return ["--source", self.path(name + ".conllu"), "--target", self.path(name + ".t"),
                "--align", self.path(name + ".a")]

    def build(self, out, *arguments):
        return self.succeed("table", "build", *arguments, "-o", self.path(out))

    def dump(self, table):
        """Header lines and rule lines of a table."""
        header, rules = self.succeed("table", "dump", self.path(table)).stdout.decode().split("\n\n", 1)
        return header.splitlines(), rules.splitlines()

    def test_every_way_gives_the_same_bytes(self):
        conllu, target, align = self.write_corpus(300)
        sentence_ends = [i for i, line in enumerate(conllu) if line == "\n"]
        for part, (begin, end) in {"p": (0, 100), "q": (100, 300)}.items():
            first = 0 if begin == 0 else sentence_ends[begin - 1] + 1
            self.write(part + ".conllu", "".join(conllu[first:sentence_ends[end - 1] + 1]))
            self.write(part + ".t", "".join(target[begin:end]))
            self.write(part + ".a", "".join(align[begin:end]))
        codings = [["--scores", "q16", "--counts"], ["--scores", "f32"], ["--scores", "q8", "--keep", "3"]]
        for number, system in enumerate(SYSTEMS):
            system = ["--system", *system]
            options = codings[number % len(codings)]
            self.build("table", *system, *self.corpus(), *options, "--threads", "1")
            expected = self.read("table")
            for work in (["--threads", "2"], ["--threads", "4", "-S", "64M"], ["--threads", "2", "-S", "200K"]):
                self.build("again", *system, *self.corpus(), *options, *work)
                self.assertEqual(self.read("again"), expected, system + work)
            for part in "pq":
                self.succeed("extract", *system, *self.corpus(part), "-o", self.path(part + ".occ.gz"),
                             "--lexicon", self.path(part + ".lex"))
            self.build("merged", *system, self.path("q.occ.gz"), self.path("p.occ.gz"), *options, "--lexicon",
                       self.path("p.lex"), self.path("q.lex"))
            self.assertEqual(self.read("merged"), expected, system)
            self.succeed("table", "dump", self.path("table"), "-o", self.path("dump.zst"))
            self.build("restored", "--dump", self.path("dump.zst"))
            self.assertEqual(self.read("restored"), expected, system)

    def test_dump_prints_scores_and_counts(self):
        self.write("s", "a\na\na b\n")
        self.write("t", "x\ny\nx y\n")
        self.write("l", "0-0\n0-0\n0-0 1-1\n")
        corpus = ["--source", self.path("s"), "--target", self.path("t"), "--align", self.path("l")]
        self.build("q", "--system", "pbmt", *corpus, "--counts")
        header, rules = self.dump("q")
        self.assertEqual(header[0], "#graft dump 1")
        self.assertIn('#graft spec name = "pbmt"', header)
        self.assertIn("#graft flags counts", header)
        self.assertEqual([line for line in header if line.startswith("#graft source ")],
                         ["#graft source a", "#graft source b"])
        # c(a)=3: x twice, y once; c(x)=2, c(y)=2. w(x|a)=2/3, w(a|x)=1, w(a|y)=1/2, w(y|a)=1/3, w(y|b)=1, w(b|y)=1/2
        q = lambda p: f"{-round(-512 * math.log(p)) / 512:.9f}".rstrip("0").rstrip(".").replace("-0", "0", p == 1)
        self.assertEqual(rules, [
            f"X ||| a |||  ||| x ||| 0 0 {q(2 / 3)} {q(2 / 3)} ||| 0-0 ||| 2 3 2",
            f"X ||| a |||  ||| y ||| {q(1 / 2)} {q(1 / 2)} {q(1 / 3)} {q(1 / 3)} ||| 0-0 ||| 2 3 1",
            f"X ||| a b |||  ||| x y ||| 0 {q(1 / 2)} 0 {q(2 / 3)} ||| 0-0 1-1 ||| 1 1 1",
            f"X ||| b |||  ||| y ||| {q(1 / 2)} {q(1 / 2)} 0 0 ||| 0-0 ||| 2 1 1",
        ])
        self.build("f", "--system", "pbmt", *corpus, "--scores", "f32")
        _, rules = self.dump("f")
        fields = rules[0].split(" ||| ")
        self.assertEqual(fields[6], "")
        as_float = lambda x: struct.unpack("f", struct.pack("f", x))[0]
        self.assertEqual(as_float(float(fields[4].split()[2])), as_float(math.log(2 / 3)))

    def test_inspect(self):
        self.write_corpus(100)
        self.build("table", "--system", "seggbmt", "--graph", "dbg", *self.corpus())
        facts = json.loads(self.succeed("table", "inspect", self.path("table"), "--json", "--verify").stdout)
        _, rules = self.dump("table")
        self.assertEqual(facts["rules"], len(rules))
        self.assertEqual(facts["source_sides"], len({tuple(rule.split(" ||| ")[1:3]) for rule in rules}))
        self.assertEqual(facts["bytes"], len(self.read("table")))
        self.assertEqual(facts["system"]["graph"], "dbg")
        self.assertEqual(facts["scores"], "q16")
        text = self.succeed("table", "inspect", self.path("table")).stdout.decode()
        self.assertIn("bytes per rule", text)
        source = rules[-1].split(" ||| ")[1]
        shown = self.succeed("table", "inspect", self.path("table"), *source.split()).stdout.decode().splitlines()
        self.assertEqual(shown, [rule for rule in rules if rule.split(" ||| ")[1] == source])
        self.assert_fails(self.graft("table", "inspect", self.path("table"), "nosuchword"), "nosuchword")

    def test_a_model_stands_for_its_table(self):
        self.write_corpus(20)
        os.mkdir(self.path("model"))
        self.build("model/rules.graft", "--system", "pbmt", *self.corpus())
        self.assertEqual(self.dump("model"), self.dump("model/rules.graft"))
        text = self.succeed("table", "inspect", self.path("model")).stdout.decode()
        self.assertIn("bytes per rule", text)
        self.succeed("table", "prune", self.path("model"), "--keep", "1", "-o", self.path("small.graft"))
        os.mkdir(self.path("empty"))
        for verb in (["dump"], ["inspect"], ["prune", "--keep", "1", "-o", self.path("x")]):
            self.assert_fails(self.graft("table", verb[0], self.path("empty"), *verb[1:]), "is a folder without a rules.graft")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_an_output_that_cannot_be_written_is_an_error(self):
        self.write_corpus(10)
        self.build("table", "--system", "pbmt", *self.corpus())
        with open("/dev/full", "wb") as full:
            result = subprocess.run([GRAFT, "table", "inspect", self.path("table")], stdout=full, stderr=subprocess.PIPE,
                                    text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write <stdout>: ", result.stderr)

    def test_prune(self):
        self.write_corpus(300)
        self.build("table", "--system", "pbmt", *self.corpus(), "--counts")
        self.build("kept", "--system", "pbmt", *self.corpus(), "--counts", "--keep", "1")
        self.succeed("table", "prune", self.path("table"), "--keep", "1", "-o", self.path("pruned"))
        self.assertEqual(self.read("pruned"), self.read("kept"))
        _, rules = self.dump("table")
        self.succeed("table", "prune", self.path("table"), "--min-count", "2", "-o", self.path("frequent"))
        self.assertEqual(self.dump("frequent")[1], [rule for rule in rules if int(rule.split()[-1]) >= 2])
        self.succeed("table", "prune", self.path("table"), "--min-prob", "0.5", "-o", self.path("probable"))
        half = [rule for rule in rules if 2 * int(rule.split()[-1]) >= int(rule.split()[-2])]
        self.assertEqual(self.dump("probable")[1], half)
        self.assert_fails(self.graft("table", "prune", self.path("table"), "-o", self.path("x")), "--keep")
        self.build("bare", "--system", "pbmt", *self.corpus())
        self.assert_fails(self.graft("table", "prune", self.path("bare"), "--min-count", "2", "-o", self.path("x")),
                          "counts")
        self.assertFalse(os.path.exists(self.path("x")))

    def test_limits_that_are_not_limits(self):
        moses = self.write("p.txt", MOSES)
        for keep in ("-1", "18446744073709551615"):
            self.assertNotEqual(self.graft("table", "import", "--moses", moses, "--keep", keep, "-o", self.path("x.graft")).returncode, 0)
        self.assertIn(b"too small", self.graft("table", "import", "--moses", moses, "-S", "80", "-o", self.path("x.graft")).stderr)
        self.assertIn(b"cannot be compressed", self.graft("table", "import", "--moses", moses, "-o", self.path("x.graft.gz")).stderr)
        high = self.write("high.txt", "a ||| b ||| 0.5 2 0.5 0.5 ||| 0-0\n")
        self.assertIn(b"high.txt:1: ", self.graft("table", "import", "--moses", high, "-o", self.path("x.graft")).stderr)
        large = self.write("large.txt", "a ||| b ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 2e+06 1.5e+06 1e+06\n")
        self.succeed("table", "import", "--moses", large, "--counts", "-o", self.path("large.graft"))
        self.assertIn(b"2000000 1500000 1000000", self.graft("table", "dump", self.path("large.graft")).stdout)

    def test_import(self):
        with gzip.open(self.path("phrases.gz"), "wt", encoding="utf-8") as file:
            file.write(MOSES)
        self.succeed("table", "import", "--moses", self.path("phrases.gz"), "--scores", "f32", "--counts",
                     "-o", self.path("table"))
        header, rules = self.dump("table")
        self.assertIn("#graft spec max_length = 7", header)
        # Haus three times; the others once, bytewise.
        self.assertEqual([line.split()[2] for line in header if line.startswith("#graft source ")],
                         ["Haus", "das", "so", "und", "weiter"])
        rows = [rule.split(" ||| ") for rule in rules]
        self.assertEqual([(row[1], row[3], row[5], row[6]) for row in rows], [
            ("Haus", "house", "0-0", "3 4 3"),
            ("Haus", "home &amp;apos;", "", "1 4 1"),
            ("das Haus", "the house", "0-0 1-1", "2 10 8"),
            ("und so weiter", "etc.", "0-0 1-0 2-0", "1 1 1"),
        ])
        scores = [[float(x) for x in row[4].split()] for row in rows]
        for got, probabilities in zip(scores[2], (0.5, 0.25, 0.8, 1e-20)):
            self.assertAlmostEqual(got, math.log(probabilities), places=5)
        self.assertEqual(scores[1], [-100, 0, scores[1][2], -100])
        self.build("again", "--dump", self.write("d", self.succeed("table", "dump", self.path("table")).stdout))
        self.assertEqual(self.read("again"), self.read("table"))
        # The order of lines means nothing.
        self.write("reversed", "".join(reversed(MOSES.splitlines(keepends=True))))
        self.succeed("table", "import", "--moses", self.path("reversed"), "--scores", "f32", "--counts",
                     "-S", "100K", "--threads", "3", "-o", self.path("other"))
        self.assertEqual(self.read("other"), self.read("table"))

    def test_import_errors(self):
        def imported(text, *options):
            return self.graft("table", "import", "--moses", self.write("m", text), "-o", self.path("x"), *options)

        good = "a ||| b ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n"
        self.assert_fails(imported(good + "c ||| d ||| 1 1 1 ||| 0-0\n"), "m:2:", "four")
        self.assert_fails(imported(good + "c ||| d ||| 1 1 1 1 2.718 ||| 0-0\n"), "m:2:", "four")
        self.assert_fails(imported(good + "c ||| d ||| 1 1 x 1 ||| 0-0\n"), "m:2:", "x")
        self.assert_fails(imported(good + "c ||| d ||| 1 1 -1 1 ||| 0-0\n"), "m:2:", "-1")
        self.assert_fails(imported("c ||| d ||| 1 1 1 1 ||| 0-1\n"), "m:1:")
        self.assert_fails(imported("c ||| ||| 1 1 1 1 ||| 0-1\n"), "m:1:")
        self.assert_fails(imported(good + good), "m:", "twice")
        self.assert_fails(imported(good + good.replace("1 1 1 1", "1 1 0.5 1")), "m:", "twice")
        self.assert_fails(imported(" ".join("a" * 17) + " ||| b ||| 1 1 1 1\n"), "m:1:", "17")
        self.assert_fails(imported("a ||| b ||| 1 1 1 1 ||| 0-0\n", "--counts"), "m:1:", "counts")
        self.assert_fails(imported(""), "m:")
        self.assert_fails(self.graft("table", "import", "-o", self.path("x")), "--moses-hierarchical")
        self.assert_fails(imported(good, "--moses-hierarchical", self.path("m")), "give one of")
        self.assert_fails(imported(good, "--moses-glue", self.path("m")), "--moses-glue goes with")
        self.assertFalse(os.path.exists(self.path("x")))

    def test_import_of_a_table_of_moses(self):
        phrases = os.path.join(SHARED, "reference", "multi30k-pbmt", "phrase-table.gz")
        if not os.path.exists(phrases):
            self.skipTest("no reference data")
        self.succeed("table", "import", "--moses", phrases, "--scores", "f32", "-o", self.path("table"))
        expected = {}
        with gzip.open(phrases, "rt", encoding="utf-8") as file:
            for line in file:
                source, target, scores = line.split(" ||| ")[:3]
                expected[source, target] = [max(-100, math.log(float(p))) for p in scores.split()]
        _, rules = self.dump("table")
        self.assertEqual(len(rules), len(expected))
        unescape = lambda text: text.replace("&#91;", "[").replace("&#124;", "|").replace("&amp;", "&")
        for rule in rules:
            fields = rule.split(" ||| ")
            scores = expected[unescape(fields[1]), unescape(fields[3])]
            for got, score in zip(fields[4].split(), scores):
                self.assertAlmostEqual(float(got), score, places=4)

    def test_import_of_hierarchical_rules(self):
        rules = self.write("rules", HIERARCHICAL)
        glue = self.write("glue", GLUE)
        self.succeed("table", "import", "--moses-hierarchical", rules, "--moses-glue", glue, "--scores", "f32",
                     "--counts", "-o", self.path("table"))
        header, dumped = self.dump("table")
        self.assertIn('#graft spec name = "hpbmt"', header)
        self.assertIn("#graft label X", header)
        rows = [rule.split(" ||| ") for rule in dumped]
        self.assertEqual([(row[0], row[1], row[3], row[5], row[6]) for row in rows], [
            ("X", "Haus", "house", "0-0", "1 1 1"),
            ("X", "das [X,1]", "the [X,1]", "0-0", "0.2 0.25 0.2"),
            ("X", "[X,1] und [X,2]", "[X,2] and [X,1]", "1-1", "3 4 3"),
            ("X", "[X,1] und [X,2]", "[X,1] &amp;amp; [X,2]", "", "1 4 1"),
        ])
        self.build("again", "--dump", self.write("d", self.succeed("table", "dump", self.path("table")).stdout))
        self.assertEqual(self.read("again"), self.read("table"))
        shown = self.succeed("table", "inspect", self.path("table"), "--source", "[X,1] und [X,2]").stdout.decode()
        self.assertEqual(shown.splitlines(), dumped[2:])
        self.assert_fails(self.graft("table", "import", "--moses-hierarchical", rules, "--moses-glue",
                                     self.write("glue", GLUE.replace("[X][X] [S]", "[X][X] [Q]")), "-o",
                                     self.path("x")), "glue:3:")
        self.assert_fails(self.graft("table", "import", "--moses-hierarchical",
                                     self.write("bad", HIERARCHICAL + MOSES), "-o", self.path("x")), "bad:5:")
        self.assertFalse(os.path.exists(self.path("x")))

    def test_import_of_a_hierarchical_table_of_moses(self):
        folder = os.path.join(SHARED, "reference", "multi30k-hpbmt")
        if not os.path.exists(folder):
            self.skipTest("no reference data")
        rule_table = os.path.join(folder, "rule-table.gz")
        self.succeed("table", "import", "--moses-hierarchical", rule_table, "--moses-glue",
                     os.path.join(folder, "glue-grammar"), "--scores", "f32", "-o", self.path("table"))
        expected = {}
        with gzip.open(rule_table, "rt", encoding="utf-8") as file:
            for line in file:
                source, target, scores, links = line.split(" ||| ")[:4]
                source, target = source.split()[:-1], target.split()[:-1]
                links = [tuple(map(int, link.split("-"))) for link in links.split()]
                places = [i for i, symbol in enumerate(source) if symbol == "[X][X]"]
                for s, t in links:
                    if s in places:
                        target[t] = f"[X,{places.index(s) + 1}]"
                for k, place in enumerate(places):
                    source[place] = f"[X,{k + 1}]"
                expected[" ".join(source), " ".join(target)] = (
                    [max(-100, math.log(float(p))) for p in scores.split()],
                    " ".join(f"{s}-{t}" for s, t in sorted(links) if s not in places))
        _, rules = self.dump("table")
        self.assertEqual(len(rules), len(expected))
        unescape = lambda text: text.replace("&#91;", "[").replace("&#124;", "|").replace("&amp;", "&")
        for rule in rules:
            fields = rule.split(" ||| ")
            scores, links = expected[unescape(fields[1]), unescape(fields[3])]
            self.assertEqual(fields[5], links)
            for got, score in zip(fields[4].split(), scores):
                self.assertLess(abs(float(got) - score), 1e-4)

    def test_inspect_finds_sources_with_gaps_as_printed(self):
        self.write_corpus(100)
        self.build("table", "--system", "sdtu", *self.corpus())
        _, rules = self.dump("table")
        source = next(rule.split(" ||| ")[1] for rule in rules if "[*]" in rule.split(" ||| ")[1])
        shown = self.succeed("table", "inspect", self.path("table"), "--source", source).stdout.decode()
        self.assertIn(f" ||| {source} ||| ", shown)

    def test_inspect_of_a_grammar(self):
        self.write_corpus(100)
        self.build("table", "--system", "gramgbmt-b", "--graph", "dsg", "--pos", *self.corpus())
        facts = json.loads(self.succeed("table", "inspect", self.path("table"), "--json", "--verify").stdout)
        header, rules = self.dump("table")
        labels = [line for line in header if line.startswith("#graft label ")]
        self.assertIn("#graft flags lhs", header)
        self.assertEqual(labels[0], "#graft label X")
        self.assertEqual(facts["labels"], len(labels))
        self.assertTrue(facts["labelled_left_hand_sides"])
        by_number = [0, 0, 0]
        for rule in rules:
            by_number[rule.split(" ||| ")[3].count("[X,")] += 1
        self.assertEqual([count["rules"] for count in facts["non_terminals"]], by_number)
        text = self.succeed("table", "inspect", self.path("table")).stdout.decode()
        self.assertIn("non-terminals", text)

    def test_structures(self):
        """Variables with labels of their own, targets of any length."""
        self.write_corpus(100)
        self.build("table", "--system", "dep2str", *self.corpus(), "--counts")
        _, rules = self.dump("table")
        rule = next(rule for rule in rules if "[w=" in rule and "[p=" in rule)
        source, edges = rule.split(" ||| ")[1:3]
        shown = self.succeed("table", "inspect", self.path("table"), "--source", source).stdout.decode().splitlines()
        self.assertEqual(shown, [other for other in rules if other.split(" ||| ")[1] == source])
        self.assertRegex(edges, r"^\d>\d")
        self.succeed("table", "prune", self.path("table"), "--keep", "1", "-o", self.path("pruned"))
        self.build("kept", "--system", "dep2str", *self.corpus(), "--counts", "--keep", "1")
        self.assertEqual(self.read("pruned"), self.read("kept"))

        words = 200
        self.write("c.conllu", "1\ta\t_\t_\tA\t_\t2\tdep\t_\t_\n2\tb\t_\t_\tB\t_\t0\troot\t_\t_\n\n")
        self.write("c.t", " ".join(f"t{j}" for j in range(words)) + "\n")
        self.write("c.a", f"0-1 0-{words - 1} 1-0\n")
        self.build("table", "--system", "dep2str", *self.corpus())
        self.build("restored", "--dump", self.write("dump", self.succeed("table", "dump", self.path("table")).stdout))
        self.assertEqual(self.read("restored"), self.read("table"))
        _, rules = self.dump("table")
        long = [rule.split(" ||| ") for rule in rules if rule.split(" ||| ")[1] == "a b"]
        self.assertEqual(len(long), 1)
        self.assertEqual(len(long[0][3].split()), words)
        self.assertIn(f"0-1 0-{words - 1} 1-0", long[0])

    def test_keep_is_for_each_left_hand_side(self):
        self.write_corpus(300)
        system = ["--system", "gramgbmt-c", "--graph", "dsg", "--pos"]
        self.build("table", *system, *self.corpus(), "--counts")
        self.build("kept", *system, *self.corpus(), "--counts", "--keep", "1")
        self.succeed("table", "prune", self.path("table"), "--keep", "1", "-o", self.path("pruned"))
        self.assertEqual(self.read("pruned"), self.read("kept"))
        sides = lambda table: [tuple(rule.split(" ||| ")[:3]) for rule in self.dump(table)[1]]
        self.assertEqual(sorted(sides("kept")), sorted(set(sides("table"))))

    def test_damaged_tables_are_named(self):
        self.write_corpus(300)
        self.build("table", "--system", "gramgbmt-c", "--graph", "tree", "--pos", *self.corpus())
        whole = self.read("table")
        for name, damaged in {"short": whole[:-1], "page": whole[:100], "empty": b"", "text": b"not a table\n" * 1000,
                              "list": whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:]}.items():
            self.write(name, damaged)
            for verb in (["inspect", "--verify"], ["dump", "-o", self.path("x")],
                         ["prune", "--keep", "1", "-o", self.path("x")]):
                self.assert_fails(self.graft("table", *verb, self.path(name)), name)
                self.assertFalse(os.path.exists(self.path("x")))

    def test_bad_lines_are_named(self):
        self.write("lex", "a ||| x ||| 1\nb |||  ||| 2\n ||| y ||| 1\n")
        good = "X ||| a |||  ||| x ||| 1 ||| 0-0\n"

        def built(occurrences, *options, system="pbmt"):
            return self.graft("table", "build", "--system", *system.split(), self.write("occ", occurrences),
                              "--lexicon", self.path("lex"), "-o", self.path("x"), *options)

        self.assertEqual(built(good).returncode, 0)
        os.remove(self.path("x"))
        for line in ("X ||| a ||| x ||| 1 ||| 0-0", "X ||| a |||  ||| x ||| one ||| 0-0",
                     "X ||| a |||  ||| x ||| 0 ||| 0-0", "X ||| a |||  ||| x ||| 1 ||| 0-1",
                     "X ||| a |||  ||| z ||| 1 ||| 0-0", "X ||| a b ||| 0>1 ||| x ||| 1 ||| 0-0",
                     "X ||| [*] a |||  ||| x ||| 1 ||| 0-0", "Y ||| a |||  ||| x ||| 1 ||| 0-0", "",
                     "X ||| " + " ".join("a" * 8) + " |||  ||| x ||| 1 ||| 0-0"):
            for threads in "13":
                self.assert_fails(built(good * 2 + line + "\n" + good, "--threads", threads), "occ:3:")
        self.assert_fails(built(good.replace("x ", "nosuch ")), "occ:1:", "nosuch", "lexicon")
        for line in ("X ||| a [X,2] |||  ||| x [X,2] ||| 1 ||| 0-0", "X ||| a [X,1] |||  ||| x ||| 1 ||| 0-0",
                     "X ||| a [N,1] |||  ||| x [X,1] ||| 1 ||| 0-0", "N ||| a |||  ||| x ||| 1 ||| 0-0",
                     "X ||| a [X,1] |||  ||| x [X,1] ||| 1 ||| 0-0 1-1", "X ||| a a a a a a |||  ||| x ||| 1 ||| 0-0",
                     "X ||| a [X,1] ||| 0>1 ||| x [X,1] ||| 1 ||| 0-0"):
            self.assert_fails(built(good + line + "\n", system="hpbmt"), "occ:2:")
        self.assert_fails(built(""), "no rules")
        # Sums that do not fit a number are no small ones.
        much = "X ||| a |||  ||| x ||| 18446744072 ||| 0-0\n"
        self.assertEqual(built(much).returncode, 0)
        os.remove(self.path("x"))
        for more in (much, "X ||| a |||  ||| y ||| 18446744072 ||| 0-0\n"):  # of one rule, of one source side
            self.assert_fails(built(much + more), "add up to more")
        self.write("lex", f"a ||| x ||| {2**53}\na ||| y ||| 1\n")
        self.assert_fails(built(good), "lex:2:", "in all")
        for line in ("a ||| x", "a ||| x ||| many", " |||  ||| 1", "a ||| x ||| 0"):
            self.write("lex", "b ||| x ||| 1\n" + line + "\n")
            self.assert_fails(built(good), "lex:2:")
        self.assertFalse(os.path.exists(self.path("x")))

    def test_bad_dumps_are_named(self):
        self.write_corpus(50)
        self.build("table", "--system", "pbmt", *self.corpus(), "--counts")
        text = self.succeed("table", "dump", self.path("table")).stdout.decode()
        lines = text.splitlines()
        first = lines.index("") + 1

        def restored(changed):
            return self.graft("table", "build", "--dump", self.write("d", "\n".join(changed) + "\n"), "-o",
                              self.path("x"))

        self.assertEqual(restored(lines).returncode, 0)
        self.assertEqual(self.read("x"), self.read("table"))
        os.remove(self.path("x"))
        swapped = lines[:first] + [lines[-1]] + lines[first:-1]
        self.assert_fails(restored(swapped), f"d:{first + 2}:", "order")
        for field, value in ((1, "nosuch"), (4, "0 0 0"), (4, "0 0 0 x"), (5, "9-9"), (6, "1 1"), (3, "")):
            fields = lines[first].split(" ||| ")
            fields[field] = value
            self.assert_fails(restored(lines[:first] + [" ||| ".join(fields)]), f"d:{first + 1}:")
        for kind in ("source", "target", "alignment"):
            at = next(i for i, line in enumerate(lines) if line.startswith(f"#graft {kind} "))
            self.assert_fails(restored(lines[:at + 1] + lines[at:]), f"d:{at + 2}:", "comes twice")
        self.assert_fails(restored(lines[:first - 1] + ["#graft label NP"] + lines[first - 1:]), f"d:{first}:", "X")
        self.assert_fails(restored(lines[1:]), "d:1:")
        self.assert_fails(restored(["#graft dump 2"] + lines[1:]), "d:1:", "version")
        self.assert_fails(restored([lines[0], "#graft nonsense 1"] + lines[1:]), "d:2:", "nonsense")
        self.assert_fails(restored(lines[:first - 1]), "d:")
        self.assert_fails(restored([lines[first]]), "d:1:")
        self.assertFalse(os.path.exists(self.path("x")))

    def test_errors_of_build(self):
        self.write_corpus(5)
        build = lambda *arguments: self.graft("table", "build", *arguments)
        out = ["-o", self.path("x")]
        self.assert_fails(build("--system", "pbmt", *out), "corpus")
        self.assert_fails(build("--system", "pbmt", *self.corpus(), self.path("occ"), *out), "one of")
        self.assert_fails(build("--system", "pbmt", *self.corpus(), "-o", self.path("no/folder/x")), "no/folder")
        self.assert_fails(build("--system", "pbmt", *self.corpus(), "-o", "-"), "stdout")
        self.assert_fails(build("--system", "pbmt", *self.corpus(), "--scores", "q4", *out), "q4")
        self.assert_fails(build("--system", "pbmt", self.write("occ", ""), *out), "lexicon")
        self.assert_fails(build("--dump", self.path("d"), "--counts", *out), "--counts")
        self.assert_fails(build("--system", "pbmt", "--source", self.write("s", ""), "--target", self.path("s"), "--align",
                                self.path("s"), *out), "empty")
        self.assert_fails(build("--system", "neural", *self.corpus(), *out), "neural")
        self.assert_fails(build("--system", "pbmt", *self.corpus(), "-S", "lots", *out), "lots")
        self.assertFalse(os.path.exists(self.path("x")))

    def test_sources_from_stdin_are_what_the_system_reads(self):
        conllu, _, _ = self.write_corpus(50)
        files = ["--target", self.path("c.t"), "--align", self.path("c.a")]
        self.build("file", "--system", "tbmt", *self.corpus())
        self.succeed("table", "build", "--system", "tbmt", "--source", "-", *files, "-o", self.path("piped"), stdin="".join(conllu).encode())
        self.assertEqual(self.read("piped"), self.read("file"))

    def test_skipped_pairs_are_counted(self):
        self.write("s", "a\n\nb\n" + "w " * 251 + "\n")
        self.write("t", "x\ny\nz\nv\n")
        self.write("l", "0-0\n\n\n0-0\n")
        result = self.build("x", "--system", "pbmt", "--source", self.path("s"), "--target", self.path("t"), "--align",
                            self.path("l"))
        self.assertIn("4 pairs, 3 skipped (1 with an empty side, 1 without links, 1 over 250 words), 1 occurrences",
                      result.stderr.decode())
        self.assertEqual(result.stdout, b"")


if __name__ == "__main__":
    unittest.main()

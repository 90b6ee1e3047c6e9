"""`graft extract` as users call it: golden files byte for byte, forms of input, options, errors."""
import gzip
import os
import unittest

from graft_calls import GraftTest, output, succeed

SOURCE = os.environ.get("GRAFT_SOURCE", ".")
GOLDEN = os.path.join(SOURCE, "tests", "data", "golden")

SYSTEMS = {
    "PBMT": ["pbmt"],
    "SDTU": ["sdtu"],
    "TBMT": ["tbmt"],
    "SegGBMT-tree": ["seggbmt", "--graph", "tree"],
    "SegGBMT-dsg": ["seggbmt", "--graph", "dsg"],
    "SegGBMT-dbg": ["seggbmt", "--graph", "dbg"],
    "SegGBMT-dbg.el1": ["seggbmt", "--graph", "dbg", "--edge-labels"],
    "HPBMT": ["hpbmt"],
    "SERG": ["serg"],
    **{f"GramGBMT_{kind}-{graph}": [f"gramgbmt-{kind}", "--graph", graph]
       for kind in "bc" for graph in ("tree", "dsg", "dbg")},
}


def options_of(name):
    """The options for the system of a golden file, such as GramGBMT_c-dsg.mgs1.pos1; None if it is not ours."""
    if name.split(".")[0] == "Dep2Str":  # whose files name the switches that are on
        options = ["dep2str"]
        options += [] if ".blocks1" in name else ["--no-blocks"]
        options += [] if ".ext1" in name else ["--no-extend"]
        return options + (["--floating"] if ".float1" in name else [])
    for system in sorted(SYSTEMS, key=len, reverse=True):
        if name != system and not name.startswith(system + "."):
            continue
        options = list(SYSTEMS[system])
        for setting in name[len(system) + 1:].split(".") if name != system else []:
            if setting.startswith("mgs"):
                options += ["--mgs", setting[3:]]
            elif setting in ("adj1", "pos1", "el1"):
                options.append({"adj1": "--adjacent-nt", "pos1": "--pos", "el1": "--edge-labels"}[setting])
            elif setting not in ("adj0", "pos0", "el0"):
                return None
        return options
    return None


def golden_corpus(lines):
    """CoNLL-U, target and 0-based links of golden records."""
    conllu, target, align = [], [], []
    for line in lines:
        words, tags, heads, translation, links = (field.split() for field in line.split(" ||| "))
        for i, (word, tag, head) in enumerate(zip(words, tags, heads)):
            conllu.append(f"{i + 1}\t{word}\t_\t_\t{tag}\t_\t{head}\tdep\t_\t_\n")
        conllu.append("\n")
        target.append(" ".join(translation) + "\n")
        pairs = [link.split("-") for link in links]
        align.append(" ".join(f"{int(s) - 1}-{int(t) - 1}" for s, t in pairs) + "\n")
    return "".join(conllu), "".join(target), "".join(align)


class ExtractTest(GraftTest):
    verb = ("extract",)

    def setUp(self):
        self.folder = self.own_folder()
        with open(os.path.join(GOLDEN, "ABC.corpus.txt"), encoding="utf-8") as file:
            self.records = file.read().splitlines()
        self.write_corpus(self.records)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write_corpus(self, records):
        conllu, target, align = golden_corpus(records)
        self.write("s.conllu", conllu)
        self.write("t", target)
        self.write("a", align)
        self.write("s.txt", "".join(record.split(" ||| ")[0] + "\n" for record in records))

    def corpus(self, source="s.conllu"):
        return ["--source", self.path(source), "--target", self.path("t"), "--align", self.path("a")]

    def extract(self, *arguments, stdin=b""):
        return output("extract", *arguments, stdin=stdin)

    def test_golden(self):
        seen = 0
        for name in sorted(os.listdir(GOLDEN)):
            if not name.endswith(".extract"):
                continue
            which, system = name[: -len(".extract")].split(".", 1)
            options = options_of(system)
            if options is None:
                continue
            self.write_corpus(self.records if which == "ABC" else [self.records["ABC".index(which)]])
            with open(os.path.join(GOLDEN, name), "rb") as file:
                self.assertEqual(self.extract("--system", *options, *self.corpus()), file.read(), name)
            seen += 1
        self.assertGreaterEqual(seen, 55)

    def test_text_source_gives_the_same_where_no_tree_is_read(self):
        for system in ("pbmt", "sdtu", "hpbmt"):
            self.assertEqual(self.extract("--system", system, *self.corpus("s.txt")),
                             self.extract("--system", system, *self.corpus()))

    def test_stdin_and_compressed_files(self):
        expected = self.extract("--system", "tbmt", *self.corpus())
        with gzip.open(self.path("t.gz"), "wb") as file:
            file.write(self.read("t"))
        self.assertEqual(self.extract("--system", "tbmt", "--source", "-", "--target", self.path("t.gz"), "--align",
                                      self.path("a"), stdin=self.read("s.conllu")), expected)
        self.extract("--system", "tbmt", *self.corpus(), "-o", self.path("o.gz"))
        with gzip.open(self.path("o.gz")) as file:
            self.assertEqual(file.read(), expected)
        text = self.extract("--system", "pbmt", "--source", "-", "--target", self.path("t"), "--align", self.path("a"),
                            stdin=self.read("s.txt"))
        self.assertEqual(text, self.extract("--system", "pbmt", *self.corpus("s.txt")))

    def test_threads_and_memory_change_nothing(self):
        for system in (["sdtu"], ["gramgbmt-b", "--graph", "dsg", "--pos", "--mgs", "1"],
                       ["dep2str", "--floating"]):
            expected = None
            for options in (["--threads", "1"], ["--threads", "4"], ["--threads", "3", "-S", "100K"]):
                out = self.extract("--system", *system, *self.corpus(), "--lexicon", self.path("lex"), *options)
                expected = expected or (out, self.read("lex"))
                self.assertEqual((out, self.read("lex")), expected, options)

    def test_labels(self):
        """Tags that need escapes; a corpus without tags has the tag _."""
        for tag, label in (("N|A", "N&#124;A"), ("$,", "$,"), ("_", "_")):
            self.write("s.conllu", "".join(f"{i}\tw{i}\t_\t_\t{tag}\t_\t{head}\tdep\t_\t_\n"
                                           for i, head in ((1, 0), (2, 1), (3, 2))) + "\n")
            self.write("t", "a b c\n")
            self.write("a", "0-0 1-1 2-2\n")
            out = self.extract("--system", "gramgbmt-c", "--graph", "tree", "--pos", *self.corpus()).decode()
            self.assertIn(f"{label} ||| w1 [{label},1] ||| 0>1 ||| a [X,1] ||| 0.333333333 ||| 0-0\n", out)

    def test_variables(self):
        """Words and tags in the labels of variables are escaped as labels are."""
        self.write("s.conllu", "1\ta|b\t_\t_\t$,\t_\t2\tdep\t_\t_\n2\t[x]\t_\t_\tN&A\t_\t0\troot\t_\t_\n"
                               "3\tc\t_\t_\tC\t_\t1\tdep\t_\t_\n\n")
        self.write("t", "[y] z w\n")
        self.write("a", "0-0 1-1 2-2\n")
        out = self.extract("--system", "dep2str", "--no-projectivise", *self.corpus()).decode()
        self.assertNotIn("2>", out)
        self.write("a", "0-0 2-0 1-2\n")
        out = self.extract("--system", "dep2str", "--no-projectivise", *self.corpus()).decode()
        self.assertNotIn("[w=", out)  # no consistent word below a|b
        self.write("a", "0-0 2-1 1-2\n")
        out = self.extract("--system", "dep2str", "--no-projectivise", *self.corpus()).decode()
        self.assertIn("X ||| [w=a&#124;b,1] &#91;x] ||| 1>0 ||| [X,1] w ||| 1 ||| 1-1\n", out)
        self.assertIn("X ||| [p=$,,1] [p=N&amp;A,2] ||| 1>0 ||| [X,1] [X,2] ||| 1 ||| \n", out)
        self.assertIn("X ||| a&#124;b c ||| 0>1 ||| &#91;y] z ||| 1 ||| 0-0 1-1\n", out)

    def test_lexicon(self):
        self.write("s.txt", "das Haus\nHaus ja\n\n")
        self.write("t", "the house\nhouse\nnothing\n")
        self.write("a", "0-0 1-1 1-1\n0-0\n\n")
        result = self.graft("--system", "pbmt", *self.corpus("s.txt"), "--lexicon", self.path("lex"))
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertEqual(self.read("lex").decode(),
                         " ||| nothing ||| 1\nHaus ||| house ||| 2\ndas ||| the ||| 1\nja |||  ||| 1\n")
        self.assertIn("3 pairs, 1 skipped (1 with an empty side", result.stderr.decode())

    def test_escapes(self):
        self.write("s.conllu", "1\ta b\t_\t_\tN\t_\t0\troot\t_\t_\n2\t[x]\t_\t_\tN\t_\t1\tdep\t_\t_\n\n")
        self.write("t", "a|b &\n")
        self.write("a", "0-0 1-1\n")
        self.assertEqual(self.extract("--system", "pbmt", *self.corpus()).decode(),
                         "X ||| &#91;x] |||  ||| &amp; ||| 1 ||| 0-0\n"
                         "X ||| a&#32;b |||  ||| a&#124;b ||| 1 ||| 0-0\n"
                         "X ||| a&#32;b &#91;x] |||  ||| a&#124;b &amp; ||| 1 ||| 0-0 1-1\n")

    def test_lowercase(self):
        self.write("s.txt", "GROẞE ÄPFEL\n")
        self.write("t", "BIG Apples\n")
        self.write("a", "0-0 1-1\n")
        self.assertIn("X ||| große äpfel |||  ||| big apples ||| 1 ||| 0-0 1-1\n",
                      self.extract("--system", "pbmt", "--lowercase", *self.corpus("s.txt")).decode())

    def test_options_of_systems(self):
        out = self.extract("--system", "pbmt", "--max-length", "1", *self.corpus()).decode()
        self.assertTrue(out)
        for line in out.splitlines():
            self.assertEqual(len(line.split(" ||| ")[1].split()), 1, line)
        wide = self.extract("--system", "sdtu", *self.corpus()).decode()
        narrow = self.extract("--system", "sdtu", "--max-span", "2", *self.corpus()).decode()
        self.assertLess(len(narrow), len(wide))
        self.assertNotIn("[*]", narrow)

    def test_errors(self):
        self.assert_fails(self.graft("--system", "tbmt", *self.corpus("s.txt")), "s.txt", "CoNLL-U")
        self.assert_fails(self.graft("--system", "dep2str", *self.corpus("s.txt")), "s.txt", "CoNLL-U")
        self.assert_fails(self.graft("--system", "dep2str", "--mgs", "1", *self.corpus()), "--mgs means nothing for dep2str")
        self.assert_fails(self.graft("--system", "pbmt", "--no-blocks", *self.corpus()), "--no-blocks", "it is for dep2str")
        self.assert_fails(self.graft("--system", "seggbmt", *self.corpus()), "graph")
        self.assert_fails(self.graft("--system", "pbmt", "--graph", "dsg", *self.corpus()), "graph")
        self.assert_fails(self.graft(*self.corpus()), "--system")
        self.assert_fails(self.graft("--system", "pbtm", *self.corpus()), "pbmt")
        self.assert_fails(self.graft("--system", "pbmt", "--source", self.path("s.txt")), "--target")
        self.assert_fails(self.graft("--system", "pbmt", "--source", "-", "--target", "-", "--align", self.path("a")),
                          "stdin")
        self.assert_fails(self.graft("--system", "pbmt", *self.corpus("nowhere.txt")), "nowhere.txt")
        self.assert_fails(self.graft("--system", "pbmt", *self.corpus(), "-o", self.path("no/folder/o")), "no/folder")
        self.write("a", "0-0\n0-0\n99-0\n")
        self.assert_fails(self.graft("--system", "pbmt", *self.corpus(), "-o", self.path("o")), "a:3:", "99")
        self.assertFalse(os.path.exists(self.path("o")))
        self.write("a", "0-0\n")
        self.assert_fails(self.graft("--system", "pbmt", *self.corpus()), "a")

    def write_pairs(self, pairs):
        """CoNLL-U of stars, target and links of pairs (words on each side, links)."""
        conllu, target, align = [], [], []
        for words, links in pairs:
            head = words // 2
            conllu += [f"{n}\tw{n}\t_\t_\tT\t_\t{0 if n == head else head}\tdep\t_\t_\n" for n in range(1, words + 1)]
            conllu.append("\n")
            target.append(" ".join(f"t{n}" for n in range(words)) + "\n")
            align.append(" ".join(f"{link}-{link}" for link in links) + "\n")
        for name, lines in (("b.conllu", conllu), ("b.t", target), ("b.a", align)):
            self.write(name, "".join(lines))
        return ["--source", self.path("b.conllu"), "--target", self.path("b.t"), "--align", self.path("b.a")]

    def test_a_hardly_aligned_pair_is_bounded(self):
        """Without a bound each of the last three has millions of rules, and the last one does not end."""
        good = [(9, range(9))] * 5
        bad = [(30, (3, 14, 25)), (40, (3, 14, 25, 36)), (60, (3, 14, 33))]
        alone = len(self.extract("--system", "tbmt", *self.write_pairs(good)).splitlines())
        result = succeed("extract", "--system", "tbmt", *self.write_pairs(good + bad), timeout=60)
        self.assertIn("3 pairs had more than 120000 rules: only those of their small units are kept (--max-pair-rules)",
                      result.stderr)
        self.assertLess(len(result.stdout.splitlines()), alone + 3 * 120_000)
        one = succeed("extract", "--system", "tbmt", *self.write_pairs(bad[:1]), "--max-pair-rules", "250")
        self.assertIn("1 pair had more than 250 rules: only those of its small units are kept", one.stderr)
        self.assertLessEqual(len(one.stdout.splitlines()), 250)
        self.assertNotIn("had more than", succeed("extract", "--system", "tbmt", *self.write_pairs(good)).stderr)

    def test_what_is_kept_does_not_depend_on_threads_or_shards(self):
        pairs = [(12 + k % 29, range(k % 7, 12 + k % 29, 2 + k % 9)) for k in range(60)]
        for system in (["tbmt"], ["sdtu"], ["seggbmt", "--graph", "dbg"], ["gramgbmt-b", "--graph", "dsg"], ["dep2str"]):
            options = ["--system", *system, "--max-pair-rules", "400"]
            whole = succeed("extract", *options, *self.write_pairs(pairs), "--threads", "1", "--lexicon", self.path("l"))
            self.assertIn("had more than 400 rules", whole.stderr)
            self.assertEqual(self.extract(*options, *self.write_pairs(pairs), "--threads", "3", "-S", "1M"), whole.stdout.encode())
            self.write("o", whole.stdout)
            succeed("table", "build", *options, *self.write_pairs(pairs), "-o", self.path("r1"))
            succeed("table", "build", "--system", *system, self.path("o"), "--lexicon", self.path("l"), "-o", self.path("r2"))
            self.assertEqual(self.read("r1"), self.read("r2"))
            shards = []
            for n, part in enumerate((pairs[:17], pairs[17:])):
                shards += [self.path(f"o{n}"), "--lexicon", self.path(f"l{n}")]
                succeed("extract", *options, *self.write_pairs(part), "-o", self.path(f"o{n}"), "--lexicon", self.path(f"l{n}"))
            succeed("table", "build", "--system", *system, self.path("o0"), self.path("o1"), "--lexicon", self.path("l0"),
                    self.path("l1"), "-o", self.path("r3"))
            self.assertEqual(self.read("r1"), self.read("r3"))

    def test_the_bound_is_a_number_that_single_words_fit(self):
        for bound in ("249", "0", "-1", "many", "2000001"):
            self.fail_with("--max-pair-rules", "extract", "--system", "pbmt", *self.corpus(), "--max-pair-rules", bound)
        self.write("o", self.extract("--system", "pbmt", *self.corpus(), "--lexicon", self.path("l")).decode())
        build = ["table", "build", "-o", self.path("r"), "--max-pair-rules", "300"]
        self.fail_with("--max-pair-rules means nothing with occurrences", *build, "--system", "pbmt", self.path("o"),
                       "--lexicon", self.path("l"))
        self.fail_with("--max-pair-rules means nothing with --dump", *build, "--dump", self.path("o"))

    def test_trees_of_ten_thousand_words_and_words_of_megabytes(self):
        """They are too long to train on; what is left of the corpus is extracted as ever."""
        words, good = 10_000, [(9, range(9))]
        expected = self.extract("--system", "tbmt", *self.write_pairs(good))
        heads = {"chain": lambda n: n - 1, "halves": lambda n: n + words // 2 - 1 if 1 < n <= words // 2 else max(n - words // 2, 0), "star": lambda n: 0 if n == 1 else 1, "comb": lambda n: max(n - 2, 0),
                 "crossing": lambda n: 0 if n == 1 else 1 + (n * 7919) % (n - 1)}
        corpus = self.write_pairs(good)
        with open(self.path("b.conllu"), "a") as conllu, open(self.path("b.t"), "a") as target, open(self.path("b.a"), "a") as align:
            for head in heads.values():
                conllu.writelines(f"{n}\tw\t_\t_\tT\t_\t{head(n)}\tdep\t_\t_\n" for n in range(1, words + 1))
                conllu.write("\n")
                target.write("t " * words + "\n")
                align.write("0-0\n")
            conllu.write("1\t" + "w" * 3_000_000 + "\t_\t_\tT\t_\t0\tdep\t_\t_\n\n")
            target.write("t " * 300_000 + "\n")
            align.write("\n")
        result = succeed("extract", "--system", "tbmt", *corpus, stdin=b"", timeout=60)
        self.assertEqual(result.stdout, expected)
        self.assertIn(b"5 over 250 words", result.stderr)
        succeed("check", *corpus, timeout=60)

    def test_help_has_an_example(self):
        self.assertIn("Example", self.extract("--help").decode())


if __name__ == "__main__":
    unittest.main()

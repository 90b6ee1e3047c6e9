"""The verbs as users call them for systems with a grammar, on part of the German-English example."""
import json
import os
import pathlib
import re
import unittest

from graft_calls import GraftTest, blocks, conllu, forms, output, run, succeed

EXAMPLE = pathlib.Path(os.environ["GRAFT_SOURCE"]) / "examples" / "de-en"
PAIRS, SENTENCES = 500, 30

SYSTEMS = {
    "hpbmt": ["--system", "hpbmt"],
    "serg": ["--system", "serg"],
    "serg-rich": ["--system", "serg", "--pos", "--mgs", "1", "--adjacent-nt"],
    "c-dsg": ["--system", "gramgbmt-c", "--graph", "dsg"],
    "c-rich": ["--system", "gramgbmt-c", "--graph", "dbg", "--edge-labels", "--pos", "--mgs", "1"],
    "b-dsg": ["--system", "gramgbmt-b", "--graph", "dsg"],
    "b-rich": ["--system", "gramgbmt-b", "--graph", "dbg", "--edge-labels", "--pos", "--mgs", "1", "--adjacent-nt"],
    "d2s": ["--system", "dep2str"],
}
WEIGHTS = {"TranslationModel": [0.2] * 4, "LM": [0.5], "RulePenalty": [-0.2], "WordPenalty": [-1.0], "Gap": [0.3], "Glue": [-1.0], "GlueDistortion": [0.3],
           "UnknownWordPenalty": [1.0]}


def features(text):
    """The feature field of an n-best line as lists of values by name, in order."""
    values = {}
    for word in text.split():
        if word.endswith("="):
            values[word[:-1]] = []
        else:
            values[list(values)[-1]].append(float(word))
    return values


def weighted(values):
    return sum(w * v for name in values for w, v in zip(WEIGHTS[name], values[name], strict=True))


class Grammar(GraftTest):
    @classmethod
    def setUpClass(cls):
        cls.root = root = cls.shared_folder()
        for part, limit in (("train", PAIRS), ("dev", SENTENCES), ("test", SENTENCES)):
            parsed = blocks(EXAMPLE / f"{part}.de.conllu")[:limit]
            (root / f"{part}.de.conllu").write_text("".join(parsed), encoding="utf-8")
            (root / f"{part}.de").write_text("".join(" ".join(forms(b)) + "\n" for b in parsed), encoding="utf-8")
            for name in (f"{part}.en", f"{part}.align"):
                lines = (EXAMPLE / name).read_text(encoding="utf-8").splitlines(keepends=True)[:limit]
                (root / name).write_text("".join(lines), encoding="utf-8")
        cls.corpus = ["--source", root / "train.de.conllu", "--target", root / "train.en", "--align", root / "train.align"]
        cls.test = root / "test.de.conllu"
        cls.sentences = blocks(cls.test)
        succeed("lm", root / "train.en", "--order", "3", "-o", root / "lm.bin")
        for name, options in SYSTEMS.items():
            succeed("table", "build", *options, *cls.corpus, "-o", root / f"{name}.graft")
            succeed("model", "new", "--table", root / f"{name}.graft", "--lm", root / "lm.bin", "-o", root / name)

    def translate(self, name, *options, source=None, stdin=None):
        return output("translate", "-m", self.root / name, *options, *([] if stdin is not None else [source or self.test]), stdin=stdin)

    # --- rules and tables

    def test_same_occurrences_and_table_for_any_threads_and_any_way(self):
        for name, options in SYSTEMS.items():
            occurrences, lexicon, table = (self.root / f"{name}.{part}" for part in ("occ", "lex", "again.graft"))
            seen = {output("extract", *options, *self.corpus, "--threads", threads) for threads in (1, 2, 4)}
            self.assertEqual(len(seen), 1, name)
            succeed("extract", *options, *self.corpus, "--lexicon", lexicon, "-o", occurrences)
            self.assertEqual({occurrences.read_text(encoding="utf-8")}, seen)
            for threads in (1, 2, 4):
                succeed("table", "build", *options, occurrences, "--lexicon", lexicon, "--threads", threads, "-o", table)
                self.assertEqual(table.read_bytes(), (self.root / f"{name}.graft").read_bytes(), f"{name}, {threads} threads")
            dump = self.root / f"{name}.dump"
            succeed("table", "dump", table, "-o", dump)
            succeed("table", "build", "--dump", dump, "-o", table)
            self.assertEqual(table.read_bytes(), (self.root / f"{name}.graft").read_bytes(), f"{name}, restored")

    def test_rules_are_of_the_form_the_options_ask_for(self):
        for name, options in SYSTEMS.items():
            lines = output("extract", *options, *self.corpus).splitlines()
            fields = [line.split(" ||| ") for line in lines]
            self.assertTrue(any("[" in source for _, source, *_ in fields), f"{name}: no rule has a non-terminal")
            self.assertEqual(any(lhs != "X" for lhs, *_ in fields), "--pos" in options, name)
            self.assertEqual(any(edges for _, _, edges, *_ in fields), name != "hpbmt", name)
            self.assertEqual(any(":" in edges for _, _, edges, *_ in fields), "--edge-labels" in options, name)
            for _, source, _, target, *_ in fields:
                self.assertEqual(source.count(",1]") + source.count(",2]"), target.count("[X,1]") + target.count("[X,2]"), (source, target))
                self.assertLessEqual(len(source.split()), 16 if name == "d2s" else 5)

    def test_symbols_of_serg_are_edges_between_numbered_nodes(self):
        lines = output("extract", "--system", "serg", *self.corpus).splitlines()
        for line in lines:
            _, source, edges, *_ = line.split(" ||| ")
            ends = [tuple(map(int, edge.split(">"))) for edge in edges.split()]
            self.assertEqual(len(ends), len(source.split()), line)
            nodes = [node for pair in ends for node in pair]
            self.assertEqual(list(dict.fromkeys(nodes)), list(range(max(nodes) + 1)), line)
            self.assertEqual(max(nodes), len(ends), f"not a tree: {line}")
        plain = self.root / "train.de"
        result = run("extract", "--system", "serg", "--source", plain, *self.corpus[2:])
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("CoNLL-U", result.stderr)

    def test_explanations_show_the_rules_of_the_table(self):
        table = {}
        for line in output("table", "dump", self.root / "serg.graft").splitlines():
            if line.startswith("X ||| "):
                _, source, edges, *_ = line.split(" ||| ")
                table.setdefault(source, set()).add(edges)
        steps = [step for line in self.translate("serg", "--json", "--explain").splitlines() for step in json.loads(line)["derivation"] if step.get("lhs") == "X"]
        known = [step for step in steps if " ".join(step["rule_source"]) in table]
        self.assertGreater(len(known), len(steps) / 2)
        for step in known:
            self.assertIn(" ".join(step["edges"]), table[" ".join(step["rule_source"])])

    # --- translation

    def test_same_output_for_any_number_of_threads(self):
        for name in SYSTEMS:
            few = ["--set", "search.beam=5"] if name == "d2s" else []  # all combinations, of any number of non-terminals
            for options in (["--nbest", "5"], ["--json", "--explain"], ["--nbest", "5", "--distinct", "--set", "search.algorithm=exhaustive", *few]):
                outputs = {self.translate(name, *options, "--threads", threads) for threads in (1, 2, 4)}
                self.assertEqual(len(outputs), 1, f"{name} {options}")

    def test_what_may_never_end_is_said(self):
        exhaustive = ["--set", "search.algorithm=exhaustive", "--set", "search.beam=5"]
        for name, warned in (("d2s", True), ("hpbmt", False), ("b-dsg", False)):
            said = succeed("translate", "-m", self.root / name, *exhaustive, stdin="").stderr
            self.assertEqual("bounds nothing where a word has many dependents" in said, warned, said)

    def test_text_and_trees_give_the_same_without_a_graph(self):
        self.assertEqual(self.translate("hpbmt"), self.translate("hpbmt", source=self.root / "test.de"))
        for name in ("c-dsg", "serg"):
            self.fail_with("CoNLL-U", "translate", "-m", self.root / name, self.root / "test.de")

    def test_nbest_totals_are_weighted_sums_and_fall(self):
        for name in SYSTEMS:
            last = {}
            for line in self.translate(name, "--nbest", "20").splitlines():
                number, tokens, text, total = line.split(" ||| ")
                values = features(text)
                expected = [f for f in WEIGHTS if name.startswith("b-") or f not in ("Gap", "GlueDistortion")]
                self.assertEqual([f for f in values if f != "UnknownWordPenalty"], expected[:-1], name)
                self.assertAlmostEqual(float(total), weighted(values), delta=1e-3)
                self.assertEqual(values["WordPenalty"], [-len(tokens.split())])
                self.assertLessEqual(values["Glue"][0], 0 if name == "d2s" else -1)
                self.assertLessEqual(float(total), last.get(number, 1e9))
                last[number] = float(total)
            self.assertEqual(sorted(map(int, last)), list(range(SENTENCES)))

    def test_translations_use_non_terminals(self):
        for name in SYSTEMS:
            used = 0
            for line in self.translate(name, "--nbest", "1", "--set", "weights.Glue=1.0").splitlines():
                values = features(line.split(" ||| ")[2])
                used += values["RulePenalty"] < values["Glue"]
            self.assertGreater(used, SENTENCES // 2, f"{name}: rules within rules in {used} sentences")

    def test_rescoring_gives_the_same_or_a_better_total(self):
        for name in SYSTEMS:
            nbest = self.root / f"{name}.nbest"
            nbest.write_text(self.translate(name, "--nbest", "5") + "0 ||| nothing of the kind ||| LM0= 1 ||| 0\n", encoding="utf-8")
            result = run("translate", "-m", self.root / name, "--rescore", nbest, self.test)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("lines cannot be derived", result.stderr)
            before, after = nbest.read_text(encoding="utf-8").splitlines(), result.stdout.splitlines()
            self.assertEqual(after.pop(), "0 ||| nothing of the kind |||  ||| -inf")
            for old, new in zip(before[:-1], after, strict=True):
                self.assertEqual(old.split(" ||| ")[:2], new.split(" ||| ")[:2])
                self.assertGreaterEqual(float(new.split(" ||| ")[3]), float(old.split(" ||| ")[3]) - 1e-3, f"{name}: {old}")
                self.assertAlmostEqual(float(new.split(" ||| ")[3]), weighted(features(new.split(" ||| ")[2])), delta=1e-3)
            result = run("translate", "-m", self.root / name, "--rescore", nbest, "--max-edges", "1", self.test)
            self.assertEqual(result.returncode, 0)
            self.assertIn("too large", result.stderr)

    def test_alignment_and_explanation(self):
        for name in SYSTEMS:
            plain = self.translate(name).splitlines()
            aligned = self.translate(name, "--alignment").splitlines()
            objects = [json.loads(line) for line in self.translate(name, "--json", "--explain", "--nbest", "2").splitlines()]
            for sentence, text, line, entry in zip(self.sentences, plain, aligned, objects, strict=True):
                target, links = line.split(" ||| ")
                self.assertEqual(target, text)
                self.assertEqual(entry["text"], text)
                self.assertEqual(" ".join(f"{s}-{t}" for s, t in entry["alignment"]), links)
                for s, t in entry["alignment"]:
                    self.assertLess(s, len(forms(sentence)))
                    self.assertLess(t, len(target.split()))
                self.assertEqual({p for step in entry["derivation"] for p in step["positions"]}, set(range(len(forms(sentence)))))
                self.assertAlmostEqual(sum(step["score"] for step in entry["derivation"]), entry["score"], delta=1e-3)
                for feature, value in entry["features"].items():
                    if feature not in ("TranslationModel", "UnknownWordPenalty"):
                        self.assertAlmostEqual(sum(step["features"][feature] for step in entry["derivation"]), value, delta=1e-3)
            explained = self.translate(name, "--explain", stdin=self.sentences[0])
            for needed in ("source", "target", "score", "→", "TranslationModel=", "Glue="):
                self.assertIn(needed, explained)

    def test_odd_sentences(self):
        words = [w for sentence in self.sentences for w in forms(sentence)]
        for name in SYSTEMS:
            source = self.sentences[0] + "# text =\n\n" + conllu(["Xyzzy|1"]) + conllu(words[:60]) + conllu(words[:251])
            objects = [json.loads(line) for line in self.translate(name, "--json", "--input", "conllu", stdin=source).splitlines()]
            self.assertEqual(objects[1]["text"], "")
            self.assertEqual(objects[2]["text"], "Xyzzy|1")
            self.assertEqual(objects[2]["features"]["UnknownWordPenalty"], -100)
            self.assertEqual(objects[2]["alignment"], [[0, 0]])
            self.assertTrue(all(objects[k]["text"] for k in (3, 4)))

    def test_search_keys(self):
        total = lambda text: sum(float(line.split(" ||| ")[3]) for line in text.splitlines())
        for name in SYSTEMS:
            wide = self.translate(name, "--nbest", "1", "--set", "search.beam=500", "--set", "search.pop_limit=3000")
            narrow = self.translate(name, "--nbest", "1", "--set", "search.beam=1", "--set", "search.pop_limit=1")
            self.assertGreater(total(wide), total(narrow), name)
            if name == "d2s":
                continue
            short = self.translate(name, "--nbest", "1", "--set", "search.max_span=1")
            for line, sentence in zip(short.splitlines(), self.sentences, strict=True):
                self.assertEqual(features(line.split(" ||| ")[2])["Glue"], [-len(forms(sentence))], "an X of one word each")
        free = self.translate("b-dsg", "--nbest", "1", "--set", "search.glue_order=free", "--set", "search.glue_limit=-1")
        self.assertGreaterEqual(total(free), total(self.translate("b-dsg", "--nbest", "1")) - 1)
        jump = self.translate("b-dsg", "--nbest", "1", "--set", "search.glue_distortion=jump", "--set", "search.max_words=3")
        self.assertNotEqual(jump, self.translate("b-dsg", "--nbest", "1"))

    def test_what_means_nothing_is_refused(self):
        for options, message in ((["hpbmt", "--graph", "dsg"], "means nothing for hpbmt"), (["hpbmt", "--pos"], "--pos means nothing for hpbmt"),
                                 (["hpbmt", "--edge-labels"], "--edge-labels means nothing for hpbmt"), (["gramgbmt-c"], "needs a graph"),
                                 (["serg", "--graph", "dsg"], "--graph means nothing for serg"), (["serg", "--edge-labels"], "--edge-labels means nothing for serg"),
                                 (["serg", "--max-span", "9"], "--max-span means nothing for serg"), (["serg", "--max-symbols", "17"], "it must be 1 to 16"),
                                 (["gramgbmt-b", "--graph", "chain"], "graph"),
                                 (["gramgbmt-c", "--graph", "dsg", "--max-span", "9"], "--max-span means nothing"),
                                 (["seggbmt", "--graph", "dsg", "--pos"], "--pos means nothing"), (["pbmt", "--adjacent-nt"], "--adjacent-nt means nothing")):
            self.fail_with(message, "extract", "--system", *options, *self.corpus)
        for name, setting, message in (("hpbmt", "search.distortion_limit=3", "means nothing for hpbmt"), ("hpbmt", "search.glue_limit=3", "means nothing"),
                                       ("c-dsg", "search.max_words=3", "means nothing"), ("c-dsg", "weights.Gap=1.0", "no such feature"),
                                       ("hpbmt", "weights.GlueDistortion=1.0", "no such feature"), ("b-dsg", "weights.Jump=1.0", "no such feature"),
                                       ("d2s", "search.max_span=3", "means nothing for dep2str"), ("d2s", "weights.Gap=1.0", "no such feature"),
                                       ("b-dsg", "search.glue_order=right", "glue_order"), ("b-dsg", "search.glue_limti=3", "did you mean `glue_limit`")):
            self.fail_with(message, "translate", "-m", self.root / name, "--set", setting, self.test)

    def test_input_without_the_tags_a_model_uses_gets_a_warning(self):
        untagged = "".join(re.sub(r"(?m)^(\d+\t[^\t]*\t[^\t]*)\t[^\t]*\t[^\t]*", r"\1\t_\t_", block) for block in self.sentences[:3])
        for name, source, warned in (("serg-rich", untagged, True), ("d2s", untagged, True), ("hpbmt", untagged, False),
                                     ("serg-rich", self.sentences[0] + untagged, False)):
            result = run("translate", "-m", self.root / name, "--input", "conllu", stdin=source)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual("no word has a part of speech" in result.stderr, warned, name)

    # --- learning

    def test_tuning(self):
        for name in SYSTEMS:
            weights = []
            for threads in (1, 2):
                output = self.root / f"{name}.{threads}.toml"
                succeed("tune", "-m", self.root / name, "--source", self.root / "dev.de.conllu", "--references", self.root / "dev.en", "--iterations", "2",
                             "--nbest", "30", "--threads", threads, "-o", output)
                weights.append(output.read_text(encoding="utf-8"))
            self.assertEqual(weights[0], weights[1], name)
            self.assertIn("\nGlue = ", weights[0])
            self.assertEqual("\nGlueDistortion = " in weights[0], name.startswith("b-"))
            self.assertNotIn("Jump", weights[0])
            succeed("model", "new", "--table", self.root / f"{name}.graft", "--lm", self.root / "lm.bin", "--weights", output, "-o", self.root / "tuned")
            self.assertEqual(len(self.translate("tuned").splitlines()), SENTENCES)

    def test_training(self):
        for number, (system, source) in enumerate((('name = "hpbmt"', "de"), ('name = "gramgbmt-c"\ngraph = "dsg"\npos = true', "de.conllu"),
                                                   ('name = "serg"\nmgs = 1', "de.conllu"),
                                                   ('name = "gramgbmt-b"\ngraph = "dsg"\nmgs = 1\nedge_labels = true', "de.conllu"),
                                                   ('name = "dep2str"', "de.conllu"))):
            config = self.root / f"train{number}.toml"
            config.write_text(f'output = "trained{number}"\n[system]\n{system}\n'
                              f'[corpus]\nsource = "train.{source}"\ntarget = "train.en"\nalign = "train.align"\n'
                              f'[lm]\norder = 3\n[dev]\nsource = "dev.{source}"\nreferences = ["dev.en"]\n'
                              f'[test.held]\nsource = "test.{source}"\nreferences = ["test.en"]\n[tune]\niterations = 2\n', encoding="utf-8")
            report = output("train", config)
            self.assertIn("test BLEU, held", report)
            translated = self.translate(f"trained{number}", source=self.root / f"test.{source}")
            self.assertEqual(translated, (self.root / f"trained{number}.work" / "test.held.run1.out").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()

"""graft translate and graft model as users call them, on the German-English example."""
import gzip
import json
import os
import pathlib
import unittest

from graft_calls import GraftTest, blocks, conllu, forms, output, run, succeed

EXAMPLE = pathlib.Path(os.environ["GRAFT_SOURCE"]) / "examples" / "de-en"


class Translate(GraftTest):
    @classmethod
    def setUpClass(cls):
        cls.root = root = cls.shared_folder()
        succeed("lm", EXAMPLE / "train.en", "--order", "3", "-o", root / "lm.arpa")
        for name, system in (("pbmt", ["pbmt"]), ("dbg", ["seggbmt", "--graph", "dbg"]), ("labels", ["seggbmt", "--graph", "dbg", "--edge-labels"]),
                             ("sdtu", ["sdtu"]), ("tbmt", ["tbmt"])):
            succeed("table", "build", "--system", *system, "--source", EXAMPLE / "train.de.conllu", "--target", EXAMPLE / "train.en",
                        "--align", EXAMPLE / "train.align", "-o", root / f"{name}.graft")
            succeed("model", "new", "--table", root / f"{name}.graft", "--lm", root / "lm.arpa", "-o", root / name)
        cls.test = EXAMPLE / "test.de.conllu"
        cls.text = root / "test.de"
        cls.sentences = blocks(cls.test)
        cls.text.write_text("".join(" ".join(forms(b)) + "\n" for b in cls.sentences), encoding="utf-8")

    def test_same_output_for_any_number_of_threads(self):
        for name in ("pbmt", "dbg", "labels", "sdtu", "tbmt"):
            outputs = {output("translate", "-m", self.root / name, "--nbest", "5", "--threads", t, self.test) for t in (1, 2, 4)}
            self.assertEqual(len(outputs), 1, name)
        json_outputs = {output("translate", "-m", self.root / "dbg", "--json", "--explain", "--threads", t, self.test) for t in (1, 2, 4)}
        self.assertEqual(len(json_outputs), 1)

    def test_text_and_conllu_input_give_the_same(self):
        from_trees = output("translate", "-m", self.root / "pbmt", self.test)
        self.assertEqual(from_trees, output("translate", "-m", self.root / "pbmt", self.text))
        self.assertEqual(from_trees, output("translate", "-m", self.root / "pbmt", stdin=self.text.read_text(encoding="utf-8")))
        self.assertEqual(len(from_trees.splitlines()), len(self.sentences))

    def test_raw_text_is_tokenised_and_translations_are_put_together(self):
        parts = ["--table", self.root / "pbmt.graft", "--lm", self.root / "lm.arpa"]
        for side, file in (("source", self.root / "train.de"), ("target", EXAMPLE / "train.en")):
            if side == "source":
                file.write_text("".join(" ".join(forms(b)) + "\n" for b in blocks(EXAMPLE / "train.de.conllu")), encoding="utf-8")
            succeed("tokenise", "--tokenised", file, "--truecase-train", self.root / f"truecase.{side}", "-o", self.root / "ignored")
        cased = ["--truecase-source", self.root / "truecase.source", "--truecase-target", self.root / "truecase.target"]
        raw, plain = self.root / "raw", self.root / "pbmt"
        succeed("model", "new", *parts, "--tokeniser", "icu", "--languages", "de", "en", "-o", raw)
        text = output("tokenise", "--undo", "--language", "de", self.text)
        file = self.root / "raw.de"
        file.write_text(text, encoding="utf-8")
        self.assertNotEqual(text, self.text.read_text(encoding="utf-8"))
        tokens = output("translate", "-m", plain, self.text)
        written = output("tokenise", "--undo", "--language", "en", stdin=tokens)
        self.assertNotEqual(tokens, written)
        for threads in (1, 2):
            self.assertEqual(output("translate", "-m", raw, "--threads", threads, file), written)
        self.assertEqual(output("translate", "-m", raw, "--input", "raw", stdin=text), written)
        self.assertEqual(output("translate", "-m", raw, self.test), written, "tokens of CoNLL-U are given")
        self.assertEqual(output("translate", "-m", raw, "--input", "text", self.text), tokens, "tokens in, tokens out")
        objects = [json.loads(line) for line in output("translate", "-m", raw, "--json", file).splitlines()]
        self.assertEqual([o["text"] for o in objects], written.splitlines())
        for option in (["--nbest", "3"], ["--alignment"], ["--explain"]):
            self.assertEqual(output("translate", "-m", raw, *option, file), output("translate", "-m", plain, *option, self.text))
        self.assertEqual(output("translate", "-m", raw, stdin="\n \n"), "\n\n")
        self.assertEqual(output("translate", "-m", raw, "--set", "text.tokeniser=none", self.text), tokens)
        self.fail_with("tokenises", "translate", "-m", plain, "--input", "raw", file)

        true = self.root / "true"
        succeed("model", "new", *parts, *cased, "-o", true)
        self.assertEqual(sorted(p.name for p in true.iterdir()), ["lm.bin", "model.toml", "rules.graft", "truecase.source", "truecase.target"])
        for line in output("translate", "-m", true, self.text).splitlines():
            first = next((c for c in line if c.isalpha()), "A")
            self.assertTrue(first.isupper(), line)
        # A word the model does not know is copied as it was typed, usual form or not.
        (true / "truecase.source").write_text("graft truecase 1\nxyzzy\n", encoding="utf-8")
        self.fail_with("truecase.source: cut short", "translate", "-m", true, stdin="Xyzzy plugh\n")
        succeed("model", "seal", true)
        self.assertEqual(output("translate", "-m", true, stdin="Xyzzy plugh\n"), "Xyzzy plugh\n")
        self.assertEqual(output("translate", "-m", true, "--alignment", stdin="Xyzzy\n"), "Xyzzy ||| 0-0\n")
        (true / "truecase.target").unlink()
        self.fail_with("has no truecase.target", "translate", "-m", true, self.text)
        succeed("model", "new", *parts, "-o", true)
        self.assertEqual(sorted(p.name for p in true.iterdir()), ["lm.bin", "model.toml", "rules.graft"])
        self.fail_with("truecase models of source and target", "model", "new", *parts, *cased[:2], "-o", self.root / "never")
        self.fail_with("exclude each other", "model", "new", *parts, *cased, "--lowercase", "-o", self.root / "never")

    def test_tree_systems_want_trees(self):
        self.fail_with("CoNLL-U", "translate", "-m", self.root / "dbg", self.text)
        self.fail_with("parser", "translate", "-m", self.root / "dbg", "--input", "raw", self.text)
        self.fail_with("parser", "translate", "-m", self.root / "dbg", "--set", "text.tokeniser=icu", self.text)

    def test_conllu_is_known_by_its_content(self):
        parsed = self.test.read_text(encoding="utf-8")
        odd = "# newdoc\n# sent_id = 1\n" + parsed
        for name, content in (("x.de", parsed), ("x.txt", odd), ("bom", "\ufeff" + odd), ("crlf", parsed.replace("\n", "\r\n"))):
            file = self.root / name
            file.write_bytes(content.encode("utf-8"))
            for model in ("pbmt", "dbg"):
                with self.subTest(name, model=model):
                    expected = output("translate", "-m", self.root / model, self.test)
                    self.assertEqual(output("translate", "-m", self.root / model, file), expected)
                    self.assertEqual(output("translate", "-m", self.root / model, stdin=content), expected)
        packed = self.root / "packed.gz"
        packed.write_bytes(gzip.compress(odd.encode("utf-8")))
        self.assertEqual(output("translate", "-m", self.root / "pbmt", packed), output("translate", "-m", self.root / "pbmt", self.test))
        self.assertEqual(output("align", packed, EXAMPLE / "test.en"), output("align", self.test, EXAMPLE / "test.en"))
        # Not what only looks a little like it.
        for content in ("1\tder\tHund\n", "# Kommentar\nder Hund bellt .\n", "1-1 der Hund\n", "\n1\n", "1\t" * 3 + "\n"):
            self.assertEqual(len(output("translate", "-m", self.root / "pbmt", stdin=content).splitlines()), len(content.splitlines()), content)

    def test_json_says_where_tokens_stand(self):
        raw = self.root / "json-raw"
        succeed("model", "new", "--table", self.root / "pbmt.graft", "--lm", self.root / "lm.arpa", "--tokeniser", "icu", "--languages", "de", "en", "-o", raw)
        source = '  Grußvater, "Zoe\u0308" \U0001F600\U0001F600   Haus!  Der\u00a0Arzt '
        for arguments, given in (((), source), (("--input", "text"), "Grußvater , der Arzt"), (("--input", "raw"), "schläft der Arzt?")):
            found = json.loads(output("translate", "-m", raw, "--json", "--nbest", "3", *arguments, stdin=given + "\n"))
            self.assertIn(found["source"], given)
            for item in (found, *found["alternatives"]):
                for s, t in item["alignment"]:
                    self.assertLess(s, len(found["source_tokens"]))
                    self.assertLess(t, len(item["tokens"]))
                for token in item["tokens"]:
                    self.assertEqual(item["text"][token["begin"]:token["end"]].casefold(), token["text"].casefold())
            self.assertEqual([found["source"][t["begin"]:t["end"]] for t in found["source_tokens"]], [t["text"] for t in found["source_tokens"]])
            self.assertEqual("".join(t["text"] for t in found["source_tokens"]), "".join(found["source"].split()))
        trees = [json.loads(line) for line in output("translate", "-m", self.root / "dbg", "--json", self.test).splitlines()]
        self.assertEqual([[t["text"] for t in o["source_tokens"]] for o in trees], [forms(b) for b in self.sentences])
        self.assertEqual([" ".join(t["text"] for t in o["tokens"]) for o in trees], [o["text"] for o in trees])

    def test_what_is_too_large_is_said(self):
        endless = ["--set", "search.beam=0", "--set", "search.pop_limit=0", "--set", "search.threshold=0"]
        warned = run("translate", "-m", self.root / "pbmt", *endless, stdin="der Arzt\n")
        self.assertEqual(warned.returncode, 0)
        self.assertIn("nothing bounds the search", warned.stderr)
        self.assertNotIn("bounds", run("translate", "-m", self.root / "pbmt", *endless[2:], stdin="der Arzt\n").stderr)
        words = " ".join(forms(b) and " ".join(forms(b)) for b in self.sentences)
        line = " ".join(words.split()[:250])
        self.fail_with(["list of the 1000000 best", "ask for at most"], "translate", "-m", self.root / "pbmt", "--nbest", "1000000", stdin=line + "\n")
        self.fail_with(["list of the 3000 best translations of a sentence of 2400 words", "--nbest"], "translate", "-m", self.root / "pbmt",
                       "--nbest", "3000", "--set", "search.pop_limit=20", stdin="der Arzt schläft . " * 600 + "\n")
        long = run("translate", "-m", self.root / "pbmt", "--set", "search.pop_limit=5", stdin="der Arzt\n" + "der Arzt schläft . " * 2600 + "\n")
        self.assertEqual(long.returncode, 0)
        self.assertIn("<stdin>:2: a sentence of 10400 words", long.stderr.replace("-:2", "<stdin>:2"))

    def test_empty_sentences_keep_their_place(self):
        source = self.sentences[0] + "# text =\n\n" + self.sentences[1]
        lines = output("translate", "-m", self.root / "dbg", stdin=source).split("\n")
        self.assertEqual(len(lines), 4)
        self.assertEqual(lines[1], "")
        nbest = output("translate", "-m", self.root / "dbg", "--nbest", "2", stdin=source).splitlines()
        self.assertEqual({line.split(" ||| ")[0] for line in nbest}, {"0", "2"})
        objects = [json.loads(line) for line in output("translate", "-m", self.root / "dbg", "--json", stdin=source).splitlines()]
        self.assertEqual(objects[1]["text"], "")

    def test_nbest_totals_are_weighted_sums_and_fall(self):
        weights = {"TranslationModel": [0.2] * 4, "LM": [0.5], "RulePenalty": [-0.2], "WordPenalty": [-1.0], "Jump": [0.3], "Gap": [0.3]}
        last = {}
        for line in output("translate", "-m", self.root / "dbg", "--nbest", "20", self.test).splitlines():
            number, _, features, total = line.split(" ||| ")
            names, values = [], {}
            for word in features.split():
                if word.endswith("="):
                    names.append(word[:-1])
                    values[names[-1]] = []
                else:
                    values[names[-1]].append(float(word))
            self.assertEqual(names[:6], ["TranslationModel", "LM", "RulePenalty", "WordPenalty", "Jump", "Gap"])
            expected = sum(w * v for name in weights for w, v in zip(weights[name], values[name])) + sum(values.get("UnknownWordPenalty", []))
            self.assertAlmostEqual(float(total), expected, delta=1e-3)
            self.assertLessEqual(float(total), last.get(number, 1e9))
            last[number] = float(total)

    def test_rescoring_gives_the_same_or_a_better_total(self):
        nbest = self.root / "dbg.nbest"
        nbest.write_text(output("translate", "-m", self.root / "dbg", "--nbest", "10", self.test), encoding="utf-8")
        rescored = output("translate", "-m", self.root / "dbg", "--rescore", nbest, self.test).splitlines()
        for before, after in zip(nbest.read_text(encoding="utf-8").splitlines(), rescored, strict=True):
            self.assertEqual(before.split(" ||| ")[:2], after.split(" ||| ")[:2])
            self.assertGreaterEqual(float(after.split(" ||| ")[3]), float(before.split(" ||| ")[3]) - 1e-3)

    def test_rescoring_what_cannot_be_derived(self):
        nbest = self.root / "odd.nbest"
        nbest.write_text("0 ||| nothing of the kind ||| LM0= 1 ||| 0\n", encoding="utf-8")
        result = run("translate", "-m", self.root / "dbg", "--rescore", nbest, self.test)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stdout, "0 ||| nothing of the kind |||  ||| -inf\n")
        self.assertIn("1 of 1 lines cannot be derived", result.stderr)
        nbest.write_text("0 ||| a\n9999 ||| b\n", encoding="utf-8")
        self.fail_with("odd.nbest:2: sentence 9999", "translate", "-m", self.root / "dbg", "--rescore", nbest, self.test, "-o", self.root / "unused")
        best = output("translate", "-m", self.root / "dbg", "--nbest", "1", self.test).splitlines()[0]
        nbest.write_text(best + "\n", encoding="utf-8")
        result = run("translate", "-m", self.root / "dbg", "--rescore", nbest, "--max-edges", "1", self.test)
        self.assertEqual(result.returncode, 0)
        self.assertIn("too large", result.stderr)

    def test_inputs_of_more_than_250_tokens(self):
        words = [w for b in self.sentences for w in forms(b)]
        for length in (250, 251, 700):
            source = conllu(words[:length])
            for name in ("dbg", "pbmt"):
                result = json.loads(output("translate", "-m", self.root / name, "--json", "--explain", "--input", "conllu", stdin=source))
                covered = sorted(p for step in result["derivation"] for p in step["positions"])
                self.assertEqual(covered, list(range(length)), f"{name}, {length} words")
                self.assertEqual(result["text"].split(), [w for step in result["derivation"] for w in step["target"]])

    def test_unknown_words_are_copied(self):
        result = json.loads(output("translate", "-m", self.root / "dbg", "--json", "--nbest", "1", stdin=conllu(["Xyzzy|1"])))
        self.assertEqual(result["text"], "Xyzzy|1")
        self.assertEqual(result["features"]["UnknownWordPenalty"], -100)
        self.assertEqual(result["alignment"], [[0, 0]])
        line = output("translate", "-m", self.root / "dbg", "--nbest", "1", stdin=conllu(["Xyzzy|1"]))
        self.assertTrue(line.startswith("0 ||| Xyzzy&#124;1 ||| "))

    def test_alignment_and_explanation(self):
        plain = output("translate", "-m", self.root / "dbg", self.test).splitlines()
        aligned = output("translate", "-m", self.root / "dbg", "--alignment", self.test).splitlines()
        for sentence, text, line in zip(self.sentences, plain, aligned, strict=True):
            target, links = line.split(" ||| ")
            self.assertEqual(target, text)
            for link in links.split():
                s, t = map(int, link.split("-"))
                self.assertLess(s, len(forms(sentence)))
                self.assertLess(t, len(target.split()))
        explained = output("translate", "-m", self.root / "dbg", "--explain", stdin=self.sentences[0])
        for needed in ("source", "target", "score", "→", "words", "TranslationModel=", "Jump=", "Gap="):
            self.assertIn(needed, explained)

    def test_overrides_and_their_errors(self):
        wide = output("translate", "-m", self.root / "dbg", "--nbest", "1", "--set", "search.beam=500", "--set", "search.pop_limit=3000", self.test)
        narrow = output("translate", "-m", self.root / "dbg", "--nbest", "1", "--set", "search.beam=1", "--set", "search.pop_limit=5", self.test)
        total = lambda text: sum(float(line.split(" ||| ")[3]) for line in text.splitlines())
        self.assertGreater(total(wide), total(narrow))
        self.fail_with("did you mean `beam`", "translate", "-m", self.root / "dbg", "--set", "search.beem=500", self.test)
        self.fail_with("48", "translate", "-m", self.root / "dbg", "--set", "search.max_span=45", self.test)
        self.fail_with("no such feature", "translate", "-m", self.root / "pbmt", "--set", "weights.Gap=1.0", self.test)

    def test_models_that_cannot_be(self):
        self.fail_with("there is no such folder", "translate", "-m", self.root / "missing", self.test)
        self.fail_with("not a model folder, but a file", "translate", "-m", self.text, self.test)
        other = self.root / "mixed"
        succeed("model", "new", "--table", self.root / "pbmt.graft", "--lm", self.root / "lm.arpa", "-o", other)
        (other / "rules.graft").write_bytes((self.root / "sdtu.graft").read_bytes())
        self.fail_with("does not agree", "translate", "-m", other, self.test)
        damaged = bytearray((self.root / "pbmt.graft").read_bytes())
        (other / "rules.graft").write_bytes(damaged[: len(damaged) // 2])
        self.fail_with("rules.graft", "translate", "-m", other, self.test)
        weights = self.root / "odd.toml"
        weights.write_text("[weights]\nLM = 0.5\nJmup = 0.3\n")
        self.fail_with("odd.toml:3: unknown key weights.Jmup", "model", "new", "--table", self.root / "pbmt.graft", "--lm", self.root / "lm.arpa",
                       "--weights", weights, "-o", self.root / "never")
        self.assertFalse((self.root / "never").exists())
        self.fail_with("exists and is not a model folder", "model", "new", "--table", self.root / "pbmt.graft", "--lm", self.root / "lm.arpa",
                       "-o", weights)

    def test_a_new_model_replaces_only_its_own_files(self):
        folder = self.root / "again"
        parts = ["--table", self.root / "pbmt.graft", "--lm", self.root / "lm.arpa"]
        succeed("model", "new", *parts, "-o", f"{folder}/")
        (folder / "NOTES.txt").write_text("mine")
        succeed("model", "new", *parts, "-o", f"{folder}/")
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ["NOTES.txt", "lm.bin", "model.toml", "rules.graft"])
        damaged = bytearray((self.root / "pbmt.graft").read_bytes())
        damaged[len(damaged) // 2] ^= 1
        (self.root / "damaged.graft").write_bytes(damaged)
        self.fail_with("damaged.graft: damaged", "model", "new", "--table", self.root / "damaged.graft", "--lm", self.root / "lm.arpa", "-o", folder)
        succeed("translate", "-m", folder, self.test)

    def test_options_that_mean_nothing_together(self):
        for option in ("--json", "--explain", "--alignment", "--stats"):
            self.fail_with("means nothing with --rescore", "translate", "-m", self.root / "dbg", "--rescore", "x", option, self.test)
        self.fail_with("without --rescore", "translate", "-m", self.root / "dbg", "--max-edges", "5", self.test)
        self.fail_with("stdin", "translate", "-m", self.root / "dbg", "--rescore", "-", "-")
        self.fail_with("is for pbmt", "translate", "-m", self.root / "sdtu", "--set", "search.distortion_rule=moses", self.test)
        self.fail_with("unknown verb `trnslate`; did you mean `translate`?", "trnslate")
        self.fail_with("unknown verb `inspct`; did you mean `inspect`?", "table", "inspct", "x")
        self.fail_with("unknown option `--verison`; did you mean `--version`?", "--verison")
        self.fail_with("unknown option `--thread`; did you mean `--threads`?", "translate", "-m", "x", "--thread", "3", self.test)
        self.assertEqual(run("--verison").returncode, 2)
        self.assertEqual(run("trnslate").returncode, 2)
        self.fail_with("--mgs means nothing for pbmt", "extract", "--system", "pbmt", "--mgs", "2", "--source", self.text, "--target", self.text,
                       "--align", self.text)

    def test_what_precedes_a_bad_sentence_is_not_lost(self):
        bad = "1\ta\t_\tX\tX\t_\t7\tdep\t_\t_\n\n"
        source = self.root / "bad.conllu"
        source.write_text("".join(self.sentences[:50]) + bad + "".join(self.sentences[50:]), encoding="utf-8")
        good = output("translate", "-m", self.root / "dbg", self.test).splitlines()[:50]
        for threads in (1, 2, 4):
            result = run("translate", "-m", self.root / "dbg", "--threads", threads, source)
            self.assertEqual(result.returncode, 1)
            self.assertIn("bad.conllu:", result.stderr)
            self.assertEqual(result.stdout.splitlines(), good)

    def test_copied_words_with_spaces_and_bars_can_be_counted_and_read_again(self):
        source = conllu(["New York", "a|b"])
        line = output("translate", "-m", self.root / "dbg", "--nbest", "1", stdin=source)
        self.assertTrue(line.startswith("0 ||| New&#32;York a&#124;b ||| "))
        self.assertEqual(output("translate", "-m", self.root / "dbg", "--alignment", stdin=source), "New&#32;York a&#124;b ||| 0-0 1-1\n")
        nbest, words = self.root / "spaces.nbest", self.root / "spaces.conllu"
        nbest.write_text(line, encoding="utf-8")
        words.write_text(source, encoding="utf-8")
        again = output("translate", "-m", self.root / "dbg", "--rescore", nbest, words)
        self.assertAlmostEqual(float(again.split(" ||| ")[3]), float(line.split(" ||| ")[3]), delta=1e-3)

    def test_statistics_name_the_counters(self):
        result = run("translate", "-m", self.root / "dbg", "--stats", self.test)
        for counter in ("pops", "LM evaluations", "LM calls", "new hypotheses", "recombined", "table steps", "sentences/s"):
            self.assertIn(counter, result.stderr)


if __name__ == "__main__":
    unittest.main()

"""graft combine as users call it, on the German-English example."""
import json
import os
import pathlib
import unittest

from graft_calls import GraftTest, blocks, conllu, forms, output, succeed

EXAMPLE = pathlib.Path(os.environ["GRAFT_SOURCE"]) / "examples" / "de-en"


class Combine(GraftTest):
    @classmethod
    def setUpClass(cls):
        cls.root = root = cls.shared_folder()
        succeed("lm", EXAMPLE / "train.en", "--order", "3", "-o", root / "lm.arpa")
        for name, system in (("pbmt", ["pbmt"]), ("hpbmt", ["hpbmt"]), ("dbg", ["seggbmt", "--graph", "dbg"]),
                             ("plain", ["seggbmt", "--graph", "dbg", "--no-projectivise"])):
            succeed("table", "build", "--system", *system, "--source", EXAMPLE / "train.de.conllu", "--target", EXAMPLE / "train.en",
                    "--align", EXAMPLE / "train.align", "-o", root / f"{name}.graft")
            succeed("model", "new", "--table", root / f"{name}.graft", "--lm", root / "lm.arpa", "-o", root / name)
        succeed("model", "new", "--table", root / "pbmt.graft", "--lm", root / "lm.arpa", "--lowercase", "-o", root / "lower")
        cls.sentences = blocks(EXAMPLE / "test.de.conllu")[:20]
        cls.test = root / "test.de.conllu"
        cls.test.write_text("".join(cls.sentences), encoding="utf-8")
        cls.text = root / "test.de"
        cls.text.write_text("".join(" ".join(forms(b)) + "\n" for b in cls.sentences), encoding="utf-8")

    def models(self, *names):
        return [argument for name in names for argument in ("-m", self.root / name)]

    def combine(self, names, *arguments, stdin=None):
        return output("combine", *self.models(*names), *arguments, stdin=stdin)

    def fail_with(self, message, *arguments, **options):
        super().fail_with(message, "combine", *arguments, **options)

    def test_same_output_for_any_number_of_threads(self):
        for options in ([], ["--json"]):
            outputs = {self.combine(("pbmt", "hpbmt", "dbg"), "--nbest", 30, "--threads", t, *options, self.test) for t in (1, 2, 4)}
            self.assertEqual(len(outputs), 1)
            self.assertEqual(len(outputs.pop().splitlines()), len(self.sentences))

    def test_one_best_of_one_model_is_its_translation(self):
        for name in ("pbmt", "hpbmt", "dbg"):
            translated = output("translate", "-m", self.root / name, self.test)
            self.assertEqual(self.combine((name,), "--nbest", 1, self.test), translated, name)
            self.assertEqual(self.combine((name,), "--nbest", 20, "--scale", 1e6, self.test), translated, name)
        translated = output("translate", "-m", self.root / "dbg", self.test)
        self.assertEqual(self.combine(("pbmt", "dbg"), "--nbest", 1, "--weights", "0,1", self.test), translated)

    def test_a_model_agrees_with_itself(self):
        once = self.combine(("pbmt",), "--nbest", 20, self.test)
        self.assertEqual(self.combine(("pbmt", "pbmt"), "--nbest", 20, self.test), once)
        self.assertEqual(self.combine(("pbmt", "dbg"), "--weights", "1,0", "--nbest", 20, self.test), once)

    def test_stdin_files_and_forms_of_input(self):
        trees = self.test.read_text(encoding="utf-8")
        both = self.combine(("pbmt", "dbg"), "--nbest", 10, self.test)
        self.assertEqual(self.combine(("pbmt", "dbg"), "--nbest", 10, stdin=trees), both, "stdin is CoNLL-U if any model reads trees")
        text = self.combine(("pbmt", "hpbmt"), "--nbest", 10, self.test)
        self.assertEqual(self.combine(("pbmt", "hpbmt"), "--nbest", 10, self.text), text)
        self.assertEqual(self.combine(("pbmt", "hpbmt"), "--nbest", 10, stdin=self.text.read_text(encoding="utf-8")), text)
        out = self.root / "out"
        self.assertEqual(self.combine(("pbmt", "hpbmt"), "--nbest", 10, "-o", out, self.text), "")
        self.assertEqual(out.read_text(encoding="utf-8"), text)

    def test_json_says_what_was_chosen_and_how_sure_it_is(self):
        names = ("pbmt", "hpbmt", "dbg")
        lines = self.combine(names, "--nbest", 20, self.test).splitlines()
        objects = [json.loads(line) for line in self.combine(names, "--nbest", 20, "--json", self.test).splitlines()]
        self.assertEqual([o["text"] for o in objects], lines)
        folders = [str(self.root / name) for name in names]
        lists = {}
        for name in names:
            for line in output("translate", "-m", self.root / name, "--nbest", 20, "--distinct", self.test).splitlines():
                number, tokens = line.split(" ||| ")[:2]
                lists.setdefault((int(number), tokens), []).append(str(self.root / name))
        for number, o in enumerate(objects):
            self.assertEqual(list(o), ["text", "expected_bleu", "probability", "models"])
            self.assertTrue(0 < o["probability"] <= 1 + 1e-9 and 0 < o["expected_bleu"] <= 100 + 1e-9, o)
            self.assertEqual(o["models"], lists[number, o["text"]])
            self.assertTrue(set(o["models"]) <= set(folders))

    def test_empty_and_long_sentences(self):
        source = self.sentences[0] + "# text =\n\n" + self.sentences[1]
        lines = self.combine(("pbmt", "dbg"), stdin=source).split("\n")
        self.assertEqual(len(lines), 4)
        self.assertEqual(lines[1], "")
        empty = json.loads(self.combine(("pbmt", "dbg"), "--json", stdin="# text =\n\n"))
        self.assertEqual((empty["text"], empty["expected_bleu"], empty["probability"]), ("", 0, 1))
        long = conllu((["Das", "ist", "Xyzzy", "."] * 70)[:260])
        self.assertEqual(self.combine(("pbmt",), "--nbest", 1, "--input", "conllu", stdin=long),
                         output("translate", "-m", self.root / "pbmt", "--input", "conllu", stdin=long))
        result = json.loads(self.combine(("pbmt", "dbg"), "--nbest", 5, "--json", stdin=long))
        self.assertEqual(result["text"].split().count("Xyzzy"), 65)

    def test_unknown_words_keep_their_case(self):
        self.assertEqual(self.combine(("lower", "lower"), stdin="XyZZy plugH\n"), "XyZZy plugH\n")

    def test_errors(self):
        self.fail_with("--model is required", self.test)
        self.fail_with("there is no such folder", "-m", self.root / "nowhere", self.test)
        self.fail_with("cannot be combined: their text differs", *self.models("pbmt", "lower"), self.test)
        self.fail_with("system.projectivise", *self.models("pbmt", "dbg", "plain"), self.test)
        self.fail_with("seggbmt translates parsed sentences", *self.models("pbmt", "dbg"), self.text)
        self.fail_with("3 weights (--weights) for 2 models", *self.models("pbmt", "dbg"), "--weights", "1,2,3", self.test)
        self.fail_with("weight above 0", *self.models("pbmt", "dbg"), "--weights", "0,0", self.test)
        self.fail_with("--weights", *self.models("pbmt", "dbg"), "--weights=1,-1", self.test)
        self.fail_with("--nbest", *self.models("pbmt"), "--nbest", 0, self.test)
        self.fail_with("--scale", *self.models("pbmt"), "--scale", "x", self.test)
        self.fail_with("nowhere.conllu", *self.models("pbmt"), self.root / "nowhere.conllu")
        never = self.root / "never"
        self.fail_with("parsed", *self.models("dbg"), "-o", never, self.text)
        self.assertFalse(never.exists())

    def test_help_shows_an_example(self):
        text = output("combine", "--help")
        self.assertIn("graft combine -m PBMT -m HPBMT", text)


if __name__ == "__main__":
    unittest.main()

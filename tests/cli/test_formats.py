"""Files of every version of every format open, or are refused with a message that says what to do."""
import hashlib
import os
import pathlib
import shutil
import struct
import unittest

from graft_calls import GraftTest, output, run, succeed

FORMATS = pathlib.Path(os.environ["GRAFT_SOURCE"]) / "tests" / "data" / "formats"
TABLES = {  # by the hash of their dump
    "grammar": "17dfbcf2fa0ada4b6da512f258285e772cefa8b7bb8473ca9cd29b9bd5da8589",
    "labels": "bd469f2fda75a3253ad355bf5deb5e4bcbe1fdd8aa7f061ea1820e4cbbe2f42e",
    "union": "f1eafb6f5ebf9af94c02ad4a94d3c0ca9a76a6c9e5d1cab50d495e4ba27717cf",
    "dep2str": "395f49a86c2347432d916fa8555f9bc07cb58e87547ce194e5fe4541bc0a211f",
}
OCCURRENCES = "3836ccf11a5f559ec6a716c9ff45335232b7e838678f592c259dbc4c935e62be"  # of the table that is made of them
LANGUAGE_MODELS = ("probing.bin", "rest.bin", "trie.bin", "quant.bin", "array.bin", "quant-array.bin")
TEXT = "das buch ist klein.\nein mann liest das haus.\n"


class Formats(GraftTest):
    def setUp(self):
        self.root = self.own_folder()

    def model(self, name):
        return shutil.copytree(FORMATS / name, self.root / name)

    def test_models_of_every_version_translate(self):
        for name in ("model-1", "model-1-sums"):
            result = succeed("translate", "-m", FORMATS / name, "--input", "raw", stdin=TEXT)
            self.assertEqual((result.stdout, result.stderr), ("The book is small.\nA man reads the house.\n", ""), name)
            self.assertIn("table 1.0", output("model", "inspect", FORMATS / name))
        self.assertIn("has no sums", succeed("model", "verify", FORMATS / "model-1").stderr)
        self.assertNotIn("warning", succeed("model", "verify", FORMATS / "model-1-sums").stderr)

    def test_a_model_without_sums_can_be_given_them(self):
        old = self.model("model-1")
        self.assertIn("none", output("model", "inspect", old))
        succeed("model", "seal", old)
        for file in old.iterdir():
            self.assertEqual(file.read_bytes(), (FORMATS / "model-1-sums" / file.name).read_bytes(), file.name)

    def dump_of(self, table):
        dump = output("table", "dump", table)
        return dump, hashlib.sha256(dump.encode()).hexdigest()

    def test_tables_of_every_version_open(self):
        for name, known in TABLES.items():
            with self.subTest(name):
                table = FORMATS / f"table-1.0-{name}.graft"
                succeed("table", "inspect", "--verify", table)
                dump, found = self.dump_of(table)
                self.assertEqual(found, known)
                (self.root / "dump").write_text(dump, encoding="utf-8")
                succeed("table", "build", "--dump", self.root / "dump", "-o", self.root / "again.graft")
                self.assertEqual((self.root / "again.graft").read_bytes(), table.read_bytes(), "today's writer gives the same bytes")

    def test_texts_of_tables_are_read(self):
        again = self.root / "again.graft"
        succeed("table", "build", "--dump", FORMATS / "dump-1.txt", "-o", again)
        self.assertEqual(output("table", "dump", again), (FORMATS / "dump-1.txt").read_text(encoding="utf-8"))
        succeed("table", "build", "--system", "sdtu", "--max-length", "2", FORMATS / "occurrences.txt", "--lexicon", FORMATS / "lexicon.txt", "-o", again)
        self.assertEqual(self.dump_of(again)[1], OCCURRENCES)

    def test_language_models_of_every_structure_open(self):
        old = FORMATS / "model-1"
        for file in ["lm.arpa", *LANGUAGE_MODELS]:
            with self.subTest(file):
                model = self.root / f"with-{file}"
                succeed("model", "new", "--table", old / "rules.graft", "--lm", FORMATS / "lm-5" / file, "-o", model)
                lines = output("translate", "-m", model, "--nbest", "1", stdin="das buch ist klein .\nein mann liest das haus .\n").splitlines()
                self.assertEqual([line.split(" ||| ")[1] for line in lines], ["the book is small .", "a man reads the house ."])
                for line, known in zip(lines, (-5.769741, -7.6836433)):
                    self.assertAlmostEqual(float(line.split("LM= ")[1].split()[0]), known, places=5)

    def test_what_a_newer_version_may_write_is_refused_with_advice(self):
        table = bytearray((FORMATS / "table-1.0-grammar.graft").read_bytes())
        table[8:10] = struct.pack("<H", 2)
        path = self.root / "two.graft"
        path.write_bytes(table)
        self.fail_with(["two.graft: rule table of format version 2", "use a newer graft, or build the table again"], "table", "inspect", path)
        model = self.model("model-1")
        shutil.copy(path, model / "rules.graft")
        self.fail_with(["rules.graft: rule table of format version 2", "use a newer graft"], "translate", "-m", model, stdin="a\n")
        model = self.model("model-1-sums")
        toml = model / "model.toml"
        toml.write_text(toml.read_text(encoding="utf-8").replace("format = 1", "format = 2"), encoding="utf-8")
        self.fail_with(["model.toml: format 2, but this version of graft reads format 1", "use a newer graft"], "translate", "-m", model, stdin="a\n")
        lm = bytearray((FORMATS / "model-1" / "lm.bin").read_bytes())
        at = lm.index(b"version 5") + 8
        lm[at:at + 1] = b"6"
        (self.root / "lm6.bin").write_bytes(lm)
        self.fail_with(["lm6.bin: not a usable language model", "version 6", "ARPA"], "model", "new", "--table", FORMATS / "table-1.0-grammar.graft",
                       "--lm", self.root / "lm6.bin", "-o", self.root / "new")
        truecase = self.root / "truecase"
        truecase.write_text("graft truecase 2\nHaus\n", encoding="utf-8")
        self.fail_with(["truecase:1: not a truecase model", "graft truecase 1"], "model", "new", "--table", FORMATS / "model-1" / "rules.graft",
                       "--lm", FORMATS / "lm.arpa", "--truecase-source", truecase, "--truecase-target", truecase, "-o", self.root / "new")


if __name__ == "__main__":
    unittest.main()

"""Files of every version of every format open, or are refused with a message that says what to do."""
import hashlib
import os
import pathlib
import shutil
import struct
import unittest

from graft_calls import GraftTest, output, run, succeed

FORMATS = pathlib.Path(os.environ["GRAFT_SOURCE"]) / "tests" / "data" / "formats"
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

    def test_tables_of_every_version_open(self):
        grammar = FORMATS / "table-1.0-grammar.graft"
        succeed("table", "inspect", "--verify", grammar)
        dump = output("table", "dump", grammar)
        self.assertEqual(hashlib.sha256(dump.encode()).hexdigest(), "17dfbcf2fa0ada4b6da512f258285e772cefa8b7bb8473ca9cd29b9bd5da8589")
        (self.root / "dump").write_text(dump, encoding="utf-8")
        succeed("table", "build", "--dump", self.root / "dump", "-o", self.root / "again.graft")
        self.assertEqual((self.root / "again.graft").read_bytes(), grammar.read_bytes(), "today's writer gives the same bytes")

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

"""`graft options`: the reference page of all settings, and that docs/options.md is it."""
import os
import pathlib
import unittest

from graft_calls import run

SOURCE = pathlib.Path(os.environ.get("GRAFT_SOURCE", ".")).resolve()


class OptionsTest(unittest.TestCase):
    def options(self, *sections):
        result = run("options", *sections)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_the_page_is_up_to_date(self):
        page = (SOURCE / "docs/options.md").read_text(encoding="utf-8")
        self.assertEqual(self.options(), page, "run: graft options > docs/options.md")

    def test_every_flag_on_the_page_exists(self):
        flags = [("system", "extract"), ("align", "align"), ("lm", "lm"), ("tune", "tune"), ("check", "check"), ("table", "table", "build"),
                 ("prune", "table", "prune"), ("model", "model", "new"), ("combine", "combine"), ("translate", "translate"), ("metric", "eval"), ("metric", "compare"),
                 ("compare", "compare")]  # fmt: skip
        for section, *verb in flags:
            text = run(*verb, "--help").stdout
            rows = [line.split(" | ") for line in self.options(section).splitlines() if line.startswith("| `")]
            shown = [row[1].strip("` ") for row in rows if row[1].strip()]
            self.assertTrue(shown, section)
            for flag in shown:
                self.assertRegex(text, rf"{flag}\b", section)

    def test_what_tables_have_is_checked_by_every_verb(self):
        wrong = [("combine", "-m", "x", "--nbest", "0"), ("combine", "-m", "x", "--scale", "-1"), ("tune", "--nbest", "1"), ("table", "prune", "x", "--keep", "0"),
                 ("table", "prune", "x", "--min-prob", "nan"), ("table", "build", "--scores", "q7"), ("compare", "--alpha", "2"), ("align", "--input", "pdf"),
                 ("check", "--input", "pdf"), ("model", "new", "--tokeniser", "moses")]  # fmt: skip
        for *verb, flag, value in wrong:
            result = run(*verb, flag, value)
            self.assertEqual(result.returncode, 2, (verb, flag))
            self.assertIn(flag, result.stderr)

    def test_sections_can_be_chosen(self):
        text = self.options("search", "tune")
        self.assertEqual([line for line in text.splitlines() if line.startswith("#")], ["## [search]", "## [tune]"])
        both = self.options("align")
        self.assertEqual([line for line in both.splitlines() if line.startswith("#")], ["## [align]", "## graft align"])
        self.assertIn("| `beam` |", text)
        result = run("options", "serach")
        self.assertEqual(result.returncode, 1)
        self.assertIn("did you mean `search`?", result.stderr)


if __name__ == "__main__":
    unittest.main()

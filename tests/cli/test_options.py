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
        flags = {"system": ("extract",), "align": ("align",), "lm": ("lm",), "tune": ("tune",)}
        for section, verb in flags.items():
            text = run(*verb, "--help").stdout
            rows = [line.split(" | ") for line in self.options(section).splitlines() if line.startswith("| `")]
            shown = [row[1].strip("` ") for row in rows if row[1].strip()]
            self.assertTrue(shown, section)
            for flag in shown:
                self.assertRegex(text, rf"{flag}\b", section)

    def test_sections_can_be_chosen(self):
        text = self.options("search", "tune")
        self.assertEqual([line for line in text.splitlines() if line.startswith("#")], ["## [search]", "## [tune]"])
        self.assertIn("| `beam` |", text)
        result = run("options", "serach")
        self.assertEqual(result.returncode, 1)
        self.assertIn("did you mean `search`?", result.stderr)


if __name__ == "__main__":
    unittest.main()

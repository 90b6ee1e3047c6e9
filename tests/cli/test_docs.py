"""The pages: links lead somewhere, commands and options shown exist, C++ shown compiles, and the README stays short."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from graft_calls import run

SOURCE = pathlib.Path(os.environ.get("GRAFT_SOURCE", ".")).resolve()
PAGES = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", SOURCE / "CHANGELOG.md", SOURCE / "examples/README.md", *sorted((SOURCE / "docs").glob("*.md"))]
COMPILER = next(filter(None, map(shutil.which, filter(None, [os.environ.get("GRAFT_CXX"), "c++", "g++"]))), None)
README_LINES = 120
COLUMNS = 120


def blocks(page, *kinds):
    """(line of the first, lines) of every fenced block of these kinds."""
    kind, found, first = None, [], 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if kind is None:
                kind, found, first = line[3:].strip(), [], number + 1
            else:
                if kind in kinds:
                    yield first, found
                kind = None
        elif kind is not None:
            found.append(line)


def prose(page):
    """The page without fenced blocks and code spans."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda span: span.group().replace("]", " ").replace("[", " "), text)


def links(page):
    return [target for target in re.findall(r"\]\(([^()\s]+)\)", prose(page)) if not re.match(r"[a-z]+:", target)]


def anchors(page):
    """As GitHub makes them of headings; a heading that occurs again gets a number."""
    seen = {}
    for heading in re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S), flags=re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        seen[anchor] = seen.get(anchor, -1) + 1
        yield anchor if seen[anchor] == 0 else f"{anchor}-{seen[anchor]}"


def long_lines(page):
    """Numbers of lines of prose that are too long: not of tables, blocks of code, and the targets of links."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = line.startswith("```")
        fenced ^= fence
        if not (fence or fenced or line.startswith(("|", "    "))) and len(re.sub(r"\]\([^()\s]+\)", "]", line)) > COLUMNS:
            yield number


def calls(page):
    """(line, words) of every call of graft in a block of commands."""
    for first, lines in blocks(page, "sh", "console"):
        joined = "\n".join(lines).replace("\\\n", "  ").splitlines()
        for number, line in enumerate(joined, first):
            for part in re.split(r" \| ", line):
                words = shlex.split(part, comments=True) if re.match(r"(\$ )?(build/)?graft ", part) else []
                if words:
                    yield number, words[words[0] == "$":][1:]


def in_one_function(lines, number):
    """A block of C++ as part of one file: what it includes, and the rest, in a function unless it has functions itself."""
    includes = [line for line in lines if line.startswith("#include")]
    rest = "\n".join(line for line in lines if not line.startswith("#include"))
    if re.search(r"^int main\(", rest, flags=re.M):
        return includes, re.sub(r"\bmain\(", f"Main{number}(", rest)
    return includes, f"void Block{number}() {{\n{rest}\n}}"


class DocsTest(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for page in PAGES:
            for link in links(page):
                path, _, anchor = link.partition("#")
                target = (page.parent / path).resolve() if path else page
                with self.subTest(page=page.name, link=link):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, set(anchors(target)))

    def test_every_page_is_reached_from_the_readme(self):
        reached, waiting = set(), [SOURCE / "README.md"]
        while waiting:
            page = waiting.pop()
            reached.add(page)
            linked = {(page.parent / link.partition("#")[0]).resolve() for link in links(page)}
            waiting += [target for target in linked & set(PAGES) if target not in reached]
        self.assertEqual([page.name for page in PAGES if page not in reached], [])

    def test_readme_is_short(self):
        self.assertLessEqual(len((SOURCE / "README.md").read_text(encoding="utf-8").splitlines()), README_LINES)

    def test_prose_reads_well_in_an_editor(self):
        pages = [*SOURCE.glob("*.md"), *(page for folder in ("bench", "docs", "examples", "src", "tests", "tools") for page in (SOURCE / folder).rglob("*.md"))]
        self.assertGreater(len(pages), 15)
        for page in pages:
            if page.name != "options.md":  # what `graft options` prints
                self.assertEqual(list(long_lines(page)), [], page)

    def test_commands_exist(self):
        helps = {}
        found = 0
        for page in PAGES:
            for line, words in calls(page):
                length = 2 if words[0] in ("table", "model") else 1
                verb = tuple(words[:length])
                if verb not in helps:
                    helped = run(*verb, "--help")
                    self.assertEqual(helped.returncode, 0, f"{page.name}:{line}: graft {' '.join(verb)}")
                    helps[verb] = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", helped.stdout))
                for option in (word.partition("=")[0] for word in words[length:] if re.match(r"--?[a-zA-Z]", word)):
                    self.assertIn(option, helps[verb], f"{page.name}:{line}: graft {' '.join(verb)}")
                found += 1
        self.assertGreater(found, 30)

    def test_limits_of_options(self):
        page = (SOURCE / "docs/limits.md").read_text(encoding="utf-8")
        for verb, row in (("translate", "`translate --nbest`"), ("tune", "`tune --nbest`, `combine --nbest`"), ("combine", "`tune --nbest`, `combine --nbest`")):
            figure = re.search(rf"^\| {re.escape(row)} \| ([\d,]+) \|", page, flags=re.M).group(1).replace(",", "")
            described = re.search(r"--nbest\b.*?(?=\n  -|\Z)", run(verb, "--help").stdout, flags=re.S).group()
            self.assertRegex(described, rf"\b{figure}\b", verb)

    @unittest.skipUnless(COMPILER, "no C++ compiler")
    def test_the_setting_of_adding_a_system_is_the_one_that_is_tested(self):
        page = SOURCE / "docs/adding-a-system.md"
        entries = [lines for _, lines in blocks(page, "text") if lines[0].startswith("{.key")]
        self.assertTrue(entries)
        test = " ".join((SOURCE / "src/cli/option_flags_test.cc").read_text(encoding="utf-8").split())
        for entry in entries:
            self.assertIn(" ".join(" ".join(entry).split()), test)

    def test_programs_compile(self):
        includes, parts = ["#include <cstdio>", "#include <iostream>"], []
        for page in [SOURCE / "README.md", SOURCE / "docs/library.md"]:
            for first, lines in blocks(page, "cpp"):
                included, part = in_one_function(lines, len(parts))
                includes += [line for line in ["#include <graft/graft.h>", *included] if line not in includes]
                parts.append(f'#line {first} "{page}"\n{part}')
        self.assertGreater(len(parts), 5)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "pages.cc"
            file.write_text("\n".join([*includes, *parts, ""]), encoding="utf-8")
            result = subprocess.run([COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused", "-Werror", "-I", SOURCE / "include", file],
                                    capture_output=True, text=True, encoding="utf-8", check=False)
            self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Includes keep the order of modules that src/README.md gives."""
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ.get("GRAFT_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
SOURCE = ROOT / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
READERS = ("model", "search", "translation")


def includes(path):
    """What a file includes, as written."""
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def module_of(path):
    return path.relative_to(SOURCE).parts[0]


def ordered_modules():
    return re.findall(r"^\| `(\w+)` \|", (SOURCE / "README.md").read_text(encoding="utf-8"), re.MULTILINE)


def source_files(folder=SOURCE):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".h", ".cc"))


def is_writer(name):
    return name.startswith("building/") or (name.startswith("table/") and name.endswith("_writer.h"))


class ModulesTest(unittest.TestCase):
    def test_every_folder_is_listed_once(self):
        folders = sorted(path.name for path in SOURCE.iterdir() if path.is_dir())
        self.assertEqual(sorted(ordered_modules()), folders)

    def test_files_belong_to_a_module(self):
        loose = [path.name for path in SOURCE.iterdir() if path.suffix in (".h", ".cc")]
        self.assertEqual(loose, [], "put them into a folder of src/")

    def test_includes_go_up_the_table_only(self):
        order = {name: place for place, name in enumerate(ordered_modules())}
        wrong = []
        for path in source_files():
            place = order.get(module_of(path), -1)
            wrong += [
                f"{path.relative_to(ROOT)} includes {name}"
                for name in includes(path)
                if (SOURCE / name).exists() and order.get(name.split("/")[0], len(order)) > place
            ]
        self.assertEqual(wrong, [], "against the order in src/README.md")

    def test_public_headers_include_no_others(self):
        wrong = [
            f"{path.relative_to(ROOT)} includes {name}"
            for path in source_files(ROOT / "include")
            for name in includes(path)
            if "/" in name and not name.startswith("graft/")
        ]
        self.assertEqual(wrong, [])

    def test_kenlm_stays_in_its_module(self):
        wrong = [
            f"{path.relative_to(ROOT)} includes {name}"
            for path in source_files()
            for name in includes(path)
            if name.endswith(".hh") and module_of(path) != "lm"
        ]
        self.assertEqual(wrong, [])

    def test_readers_of_tables_reach_no_writer(self):
        found = []
        for module in READERS:
            for start in source_files(SOURCE / module):
                if start.name.endswith("_test.cc"):
                    continue
                seen, todo = set(), [(start, ())]
                while todo:
                    path, way = todo.pop()
                    for name in includes(path):
                        if name in seen or not (SOURCE / name).exists():
                            continue
                        seen.add(name)
                        if is_writer(name):
                            found.append(" > ".join((str(start.relative_to(SOURCE)), *way, name)))
                        todo.append((SOURCE / name, (*way, name)))
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()

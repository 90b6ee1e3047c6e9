#!/usr/bin/env python3
"""Which lines of src/ (without cli) the tests reached, from gcov's counts (./run coverage calls it).

    tools/coverage.py BUILD_FOLDER [--at-least PERCENT] [--files]

Reads every .gcda below BUILD_FOLDER with gcov, adds the counts of a line over all objects that hold it (headers, and
sources that are compiled twice), and prints coverage by folder; with --files also by file, the worst first, with the
lines not reached. Exits with 1 below PERCENT (90). Standard library only.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SOURCE = pathlib.Path(__file__).resolve().parent.parent


def counted(path):
    """The file's path below src/ if its lines count, else None."""
    try:
        inside = (SOURCE / path).resolve().relative_to(SOURCE / "src")
    except ValueError:
        return None
    if inside.parts[0] == "cli" or inside.name.endswith("_test.cc") or inside.name.startswith("test_"):
        return None
    return str(inside)


def lines_of(counts):
    """{file: {line: times}} of one .gcda."""
    made = subprocess.run(["gcov", "--json-format", "--stdout", str(counts)], capture_output=True, check=True,
                          cwd=counts.parent).stdout
    found = collections.defaultdict(dict)
    for document in made.splitlines():
        if not document.strip():
            continue
        for file in json.loads(document)["files"]:
            name = counted(os.path.join(counts.parent, file["file"]))
            if name is None:
                continue
            lines = found[name]
            for line in file["lines"]:
                lines[line["line_number"]] = lines.get(line["line_number"], 0) + line["count"]
    return found


def runs_of(numbers):
    """[1, 2, 3, 7] -> '1-3 7'."""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs)


def percent(reached, lines):
    return 100.0 * reached / lines if lines else 100.0


def main():
    parser = argparse.ArgumentParser(description="Line coverage of src/ without cli.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--at-least", type=float, default=90.0)
    parser.add_argument("--files", action="store_true")
    options = parser.parse_args()
    counts = sorted(options.build.resolve().rglob("*.gcda"))
    if not counts:
        sys.exit(f"coverage: no counts below {options.build}; build the preset `coverage` and run its tests")
    total = collections.defaultdict(lambda: collections.defaultdict(int))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lines_of, counts):
            for name, lines in found.items():
                for line, times in lines.items():
                    total[name][line] += times
    files = {name: (sum(times > 0 for times in lines.values()), len(lines)) for name, lines in total.items()}
    folders = collections.defaultdict(lambda: [0, 0])
    for name, (reached, lines) in files.items():
        folder = folders[name.split("/")[0]]
        folder[0] += reached
        folder[1] += lines
    if options.files:
        for name, (reached, lines) in sorted(files.items(), key=lambda item: percent(*item[1])):
            missed = runs_of(sorted(line for line, times in total[name].items() if times == 0))
            print(f"{percent(reached, lines):6.1f} %  {reached:5} of {lines:5}  {name}  {missed}")
        print()
    for name, (reached, lines) in sorted(folders.items()):
        print(f"{percent(reached, lines):6.1f} %  {reached:5} of {lines:5}  {name}")
    reached = sum(count for count, _ in files.values())
    lines = sum(count for _, count in files.values())
    share = percent(reached, lines)
    print(f"{share:6.1f} %  {reached:5} of {lines:5}  all of src without cli")
    if share < options.at_least:
        sys.exit(f"coverage: {share:.1f} % of the lines, at least {options.at_least:g} % are wanted")


if __name__ == "__main__":
    main()

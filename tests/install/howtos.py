"""Makes a C++ file of the how-tos of the public headers: the lines `//   …` of a header's opening comment are the body of a function.

Usage: howtos.py FOLDER OUTPUT"""
import pathlib
import sys

MARK = "//   "


def opening_comment(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            return
        yield line


def main(folder, output):
    parts = ["#include <cstdio>\n#include <graft/graft.h>\n"]
    for path in sorted(pathlib.Path(folder).glob("*.h")):
        body = [line[len(MARK):] for line in opening_comment(path) if line.startswith(MARK)]
        if not body:
            sys.exit(f"{path}: the opening comment has no how-to (lines that begin with `{MARK}`)")
        # As the compiler names them, so that an error points into the header's comment.
        first = next(i for i, line in enumerate(opening_comment(path), 1) if line.startswith(MARK))
        parts.append(f'\nvoid HowTo_{path.stem}();\nvoid HowTo_{path.stem}() {{\n#line {first} "{path}"\n' + "\n".join(body) + "\n}\n")
    pathlib.Path(output).write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

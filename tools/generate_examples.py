#!/usr/bin/env python3
"""Writes the example treebanks zh-en and de-en.

Usage: generate_examples.py [FOLDER]    (default: examples/)

The output depends on nothing but this code: every run writes the same bytes.
"""

import pathlib
import sys

from treebank import chinese, german, writer

SEED = 2017
PAIRS = (("zh-en", "zh", chinese), ("de-en", "de", german))


def main():
    examples = pathlib.Path(__file__).resolve().parent.parent / "examples"
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else examples
    for name, language, grammar in PAIRS:
        writer.write(folder / name, language, grammar, SEED)


if __name__ == "__main__":
    main()

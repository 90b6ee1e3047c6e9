"""Calling the binary, and sentences in CoNLL-U, for the tests of this folder."""
import os
import subprocess

GRAFT = os.path.abspath(os.environ["GRAFT"])


def run(*arguments, stdin=None):
    return subprocess.run([GRAFT, *map(str, arguments)], capture_output=True, text=True, input=stdin, encoding="utf-8")


def blocks(path):
    return [block + "\n\n" for block in path.read_text(encoding="utf-8").strip().split("\n\n")]


def forms(block):
    return [line.split("\t")[1] for line in block.splitlines() if line and not line.startswith("#")]


def conllu(words):
    """A sentence whose words all hang on the first."""
    return "".join(f"{i}\t{w}\t_\tX\tX\t_\t{min(i - 1, 1)}\tdep\t_\t_\n" for i, w in enumerate(words, 1)) + "\n"

"""Calling the binary, and sentences in CoNLL-U, for the tests of this folder."""
import os
import pathlib
import subprocess
import tempfile
import unittest

GRAFT = os.path.abspath(os.environ["GRAFT"])


def run(*arguments, stdin=None, **options):
    """One call. Text in, text out; with bytes as stdin the outputs are bytes too."""
    if not isinstance(stdin, bytes):
        options["encoding"] = "utf-8"
    return subprocess.run([GRAFT, *map(str, arguments)], capture_output=True, input=stdin, **options)


def text(output):
    return output.decode() if isinstance(output, bytes) else output


def succeed(*arguments, **options):
    """The same for a call that must not fail."""
    result = run(*arguments, **options)
    if result.returncode != 0:
        raise AssertionError(f"graft {' '.join(map(str, arguments))}: exit {result.returncode}\n{text(result.stderr)}")
    return result


def output(*arguments, **options):
    """What such a call prints to stdout."""
    return succeed(*arguments, **options).stdout


class GraftTest(unittest.TestCase):
    exit_codes = (1, 2)  # of calls that fail: 2 for wrong arguments
    verb = ()            # of graft() and succeed()

    def own_folder(self):
        """A new folder, removed after this test."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        return pathlib.Path(temporary.name)

    @classmethod
    def shared_folder(cls):
        """The same for all tests of the class: removed after the last."""
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        return pathlib.Path(temporary.name)

    def graft(self, *arguments, stdin=b"", **options):
        """One call of the verb of this class, bytes in and out."""
        return run(*self.verb, *arguments, stdin=stdin, **options)

    def succeed(self, *arguments, stdin=b"", **options):
        """The same for a call that must not fail."""
        return succeed(*self.verb, *arguments, stdin=stdin, **options)

    def fail_with(self, messages, *arguments, **options):
        """The call fails with these messages (one or several) and prints nothing to stdout."""
        result = run(*arguments, **options)
        self.assertIn(result.returncode, self.exit_codes, f"graft {' '.join(map(str, arguments))}\n{text(result.stderr)}")
        for message in [messages] if isinstance(messages, str) else messages:
            self.assertIn(message, text(result.stderr))
        self.assertEqual(text(result.stdout), "")
        return result

    def assert_fails(self, result, *parts):
        """A finished call failed with one line that has these parts."""
        self.assertGreater(result.returncode, 0)
        message = text(result.stderr)
        self.assertEqual(message.count("\n"), 1, message)
        for part in parts:
            self.assertIn(part, message)


def blocks(path):
    return [block + "\n\n" for block in path.read_text(encoding="utf-8").strip().split("\n\n")]


def forms(block):
    return [line.split("\t")[1] for line in block.splitlines() if line and not line.startswith("#")]


def conllu(words):
    """A sentence whose words all hang on the first."""
    return "".join(f"{i}\t{w}\t_\tX\tX\t_\t{min(i - 1, 1)}\tdep\t_\t_\n" for i, w in enumerate(words, 1)) + "\n"

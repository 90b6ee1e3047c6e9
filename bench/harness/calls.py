"""Calls of a binary, with what they cost."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Run:
    """A finished command: wall seconds, CPU seconds of it and its children, peak memory, and what it printed on stderr. Ends the
    program with that if the command failed."""

    def __init__(self, command, stdout=subprocess.DEVNULL, cwd=None):
        with tempfile.TemporaryFile("w+") as errors:
            started = time.perf_counter()
            process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=stdout, stderr=errors, cwd=cwd)
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds = time.perf_counter() - started
            process.returncode = os.waitstatus_to_exitcode(status)
            self.cpu = usage.ru_utime + usage.ru_stime
            self.peak_mb = usage.ru_maxrss / 1024
            errors.seek(0)
            self.errors = errors.read()
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{self.errors}")


def binary(path):
    """The path of a binary as an absolute one; ends the program if there is none that runs."""
    path = pathlib.Path(path).absolute()
    if not os.access(path, os.X_OK) or path.is_dir():
        sys.exit(f"{path}: no such binary")
    return path


def shared_folder():
    """The folder of real corpora, which may be absent: $GRAFT_SHARED, else `shared` beside the checkout."""
    return pathlib.Path(os.environ.get("GRAFT_SHARED", ROOT.parent / "shared"))

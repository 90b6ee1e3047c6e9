"""Cases: calls of a binary in a folder of their own, and everything they leave there.

A case runs in WORK/room/CORPUS/CASE, whichever binary is called, so that paths in outputs are the same. There, `corpus` is the folder
of the corpus, and `given/OTHER` holds what the *old* binary left in an earlier case of this corpus: both binaries are given the same
files, so that one difference does not bring forth others. What a case leaves is moved to the store of its binary. The store of the
old binary is kept between runs: its name is the hash of the binary, and a case is known by the hash of its calls and of all it reads.
"""
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

TIME_LIMIT = 900  # seconds a call


@dataclasses.dataclass(eq=False)
class Call:
    label: str  # outputs are LABEL.stdout and LABEL.messages (exit status and stderr)
    arguments: list
    stdin: str = ""
    fails: bool = False  # may fail with the old binary: its message is what is compared

    def shown(self, binary):
        words = [str(binary), *self.arguments]
        return " ".join(w if re.fullmatch(r"[\w./,:=+%@-]+", w) else "'" + w.replace("'", "'\\''") + "'" for w in words)


@dataclasses.dataclass
class Case:
    corpus: str
    name: str
    calls: list
    files: dict = dataclasses.field(default_factory=dict)  # written before the first call: name to contents

    @property
    def title(self):
        return f"{self.corpus}/{self.name}"

    def needs(self):
        """Names of the cases of this corpus whose outputs this one is given."""
        words = [w for call in self.calls for w in call.arguments] + list(self.files.values())
        return sorted({match for word in words for match in re.findall(r"given/([^/\s\"']+)", word)})


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib,
            "file_digest") else hashlib.sha256(file.read()).hexdigest()


def digest_of_folder(folder):
    listed = [(str(path.relative_to(folder)), digest(path)) for path in sorted(folder.rglob("*")) if path.is_file()]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()


class Store:
    """What one binary left."""

    def __init__(self, work, binary, role):
        self.binary, self.work = binary, work
        self.folder = work / f"{role}-{digest(binary)[:16]}"
        self.folder.mkdir(parents=True, exist_ok=True)

    def outputs(self, case):
        return self.folder / case.corpus / case.name

    def has(self, case, key):
        record = self.folder / case.corpus / f"{case.name}.key"
        return record.exists() and record.read_text() == key and self.outputs(case).is_dir()

    def run(self, case, key, given):
        """Runs a case; `given` is the store of the old binary."""
        record = self.folder / case.corpus / f"{case.name}.key"
        record.unlink(missing_ok=True)
        room = self.work / "room" / case.corpus / case.name
        for old in (room, self.outputs(case)):
            shutil.rmtree(old, ignore_errors=True)
        room.mkdir(parents=True)
        links = {"corpus": self.work / "corpora" / case.corpus, "given": given.folder / case.corpus}
        for name, target in links.items():
            (room / name).symlink_to(target)
        for name, contents in case.files.items():
            (room / name).write_text(contents, encoding="utf-8")
        for call in case.calls:
            self.call(call, room)
        for name in links:
            (room / name).unlink()
        self.outputs(case).parent.mkdir(parents=True, exist_ok=True)
        room.rename(self.outputs(case))
        record.write_text(key)

    def call(self, call, room):
        stdout, messages = room / f"{call.label}.stdout", room / f"{call.label}.messages"
        with open(stdout, "wb") as out, open(messages, "w+b") as errors:
            try:
                done = subprocess.run([self.binary, *call.arguments], cwd=room, input=call.stdin.encode(), stdout=out, stderr=errors,
                                      timeout=TIME_LIMIT)
                status = f"exit status {done.returncode}\n"
            except subprocess.TimeoutExpired:
                status = f"stopped after {TIME_LIMIT} seconds\n"
            errors.seek(0)
            text = errors.read()
        messages.write_bytes(status.encode() + text)
        if stdout.stat().st_size == 0:
            stdout.unlink()

    def failed(self, case):
        """Calls that failed though they were not meant to: they compare little."""
        messages = {call: self.outputs(case) / f"{call.label}.messages" for call in case.calls if not call.fails}
        return [call for call, path in messages.items() if not path.read_bytes().startswith(b"exit status 0\n")]

    def forget(self, case):
        shutil.rmtree(self.outputs(case), ignore_errors=True)
        (self.folder / case.corpus / f"{case.name}.key").unlink(missing_ok=True)


def keys(cases, corpora):
    """For each case the hash of its calls and of all they read; `corpora` maps names of corpora to hashes of their files."""
    found = {}
    for case in cases:
        needed = [found[case.corpus, name] for name in case.needs()]
        text = json.dumps([corpora[case.corpus], needed, case.files, [dataclasses.astuple(call) for call in case.calls]])
        found[case.corpus, case.name] = hashlib.sha256(text.encode()).hexdigest()
    return found


def files_below(folder):
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()} if folder.is_dir() else {}


def lock(work):
    """Keeps a second run out of the folder; returns the open file, or None if there is another run."""
    import fcntl

    work.mkdir(parents=True, exist_ok=True)
    file = open(pathlib.Path(work) / "lock", "w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def temporary_folder(work):
    """Where calls put temporary files: the same for every call."""
    folder = work / "tmp"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["TMPDIR"] = str(folder)

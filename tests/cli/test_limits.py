"""A system that gives too little: memory, threads, places that cannot be written, a full stdout, another run in the folder, a clock that jumps."""
import fcntl
import os
import pathlib
import re
import resource
import signal
import subprocess
import unittest

from faulty_system import SHIM, Faults, usable
from graft_calls import GRAFT

RAW = re.compile(r"std::|filesystem error|bad_alloc|terminate called|basic_|[Bb]ad file descriptor|in fd \d|\bthrew\b|not a usable language model")
EROFS, EACCES = 30, 13


def before_main(result):
    """Whether the loader ran out of memory, or the initialisers of the libraries did; from main() on, graft has an end of its own."""
    return "while loading shared libraries" in result.stderr or result.stderr == "terminate called without an active exception\n"


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.faults = Faults()
        cls.by_name = {case.name: case for case in cls.faults.cases()}

    @classmethod
    def tearDownClass(cls):
        cls.faults.close()

    def call(self, case, *more, **options):
        return self.run_graft(*self.by_name[case].arguments, *more, **options)

    def run_graft(self, *arguments, memory=None, **environment):
        def limit():
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        return subprocess.run([GRAFT, *map(str, arguments)], capture_output=True, encoding="utf-8", timeout=120,
                              env={**self.faults.environment(), **{name: str(value) for name, value in environment.items()}}, preexec_fn=limit)

    def assert_clear(self, result, *parts):
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("graft: error: ", result.stderr)
        self.assertIsNone(RAW.search(result.stderr), result.stderr)
        for part in parts:
            self.assertRegex(result.stderr, part)

    @unittest.skipUnless(usable(), "sanitisers take more memory")
    def test_too_little_memory(self):
        least = next(megabytes for megabytes in range(20, 400) if not before_main(self.run_graft("--version", memory=megabytes << 20)))
        for case in ("train", "table build", "lm", "tune", "translate", "align", "extract", "check", "combine", "model new", "experiment"):
            self.faults.begin(self.by_name[case]).restore(self.by_name[case])
            before = self.faults.results(self.by_name[case])
            failed = False
            for megabytes in (least + more for more in (0, 1, 2, 4, 8, 16, 32, 64, 128, 192)):
                with self.subTest(case, megabytes=megabytes):
                    threads = ["--threads", "2"] if case not in ("lm", "check", "model new") else []
                    result = self.call(case, *threads, memory=megabytes << 20)
                    if before_main(result):
                        continue
                    if result.returncode == 0:  # just enough, this time: 20 MB more may be too little the next
                        self.assertEqual(self.faults.results(self.by_name[case]), self.by_name[case].after)
                        self.faults.restore(self.by_name[case])
                        continue
                    failed = True
                    self.assert_clear(result, "memory", "ulimit|-S")
                    if self.by_name[case].atomic:
                        self.assertEqual(self.faults.results(self.by_name[case]), before)
            self.assertTrue(failed, case)
            again = self.faults.run(self.by_name[case])
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual(self.faults.results(self.by_name[case]), self.by_name[case].after)

    @unittest.skipUnless(usable(), "without the preloaded library")
    def test_too_few_threads(self):
        for case in ("train", "table build", "translate", "tune", "align", "extract"):
            for threads in (0, 1, 2):
                with self.subTest(case, threads=threads):
                    result = self.call(case, "--threads", "6", LD_PRELOAD=SHIM, GRAFT_FAULT_THREADS=threads)
                    self.assert_clear(result, "thread", r"--threads|ulimit -u")
        result = self.call("lm", LD_PRELOAD=SHIM, GRAFT_FAULT_THREADS=1)
        self.assert_clear(result, "thread", "ulimit -u")

    @unittest.skipUnless(usable(), "without the preloaded library")
    def test_places_that_cannot_be_written(self):
        for name, case in self.by_name.items():
            self.faults.begin(case).restore(case)
            before = self.faults.results(case)
            for error, words in ((EROFS, "Read-only file system; write elsewhere"), (EACCES, "Permission denied; change the permissions of the file or its folder")):
                with self.subTest(name, error=error):
                    result, _, _ = self.faults.faulty(case, AT=1, LASTING=1, ERROR=error)
                    self.assert_clear(result, words, re.escape(str(self.faults.root)))
                    self.assertEqual(self.faults.results(case), before)

    @unittest.skipUnless(usable(), "without the preloaded library")
    def test_an_end_for_another_reason_is_not_lack_of_memory(self):
        result = self.call("translate", "--threads", "2", LD_PRELOAD=SHIM, GRAFT_FAULT_TERMINATE=1)
        self.assertEqual(result.returncode, -signal.SIGABRT)
        self.assertNotIn("memory", result.stderr)

    @unittest.skipUnless(usable(), "without the preloaded library")
    def test_folders_that_cannot_be_listed(self):
        for name in ("lm", "train"):
            case = self.by_name[name]
            self.faults.begin(case).restore(case)
            (self.faults.root / "tmp").mkdir(exist_ok=True)
            for k in range(3):
                (self.faults.root / "tmp" / f"somebody's.{k}").touch()
            result = self.call(name, LD_PRELOAD=SHIM, GRAFT_FAULT_LISTING=1)
            if name == "lm":
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.faults.results(case), case.after)
            else:
                self.assert_clear(result, "Input/output error")

    def test_a_file_where_a_folder_must_be(self):
        file = self.faults.data / "train.en"
        for arguments in (["train", "--quick", self.faults.data / "train.de", file, "-o", file / "model"],
                          ["train", self.faults.data / "train.toml", "--set", f"output={file}/model"],
                          ["experiment", self.faults.data / "experiment.toml", "--set", f"output={file}/results"],
                          ["check", "--target", file, "--write-clean", file / "clean"],
                          ["lm", file, "-o", file / "lm.bin"],
                          ["translate", "-m", self.faults.model, self.faults.data / "test.de.conllu", "-o", file / "out"]):
            with self.subTest(arguments[0]):
                result = subprocess.run([GRAFT, *map(str, arguments)], capture_output=True, encoding="utf-8")
                self.assert_clear(result, re.escape(str(file)))
                self.assertNotIn("No such file or directory", result.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_stdout(self):
        data = self.faults.data
        for arguments in (["--help"], ["--version"], ["train", "--help"], ["options"], ["train", data / "train.toml", "--dry-run"],
                          ["translate", "-m", self.faults.model, data / "test.de.conllu"],
                          ["extract", *self.faults.corpus(), "--system", "pbmt"], ["lm", data / "train.en", "--order", "2", "-o", "-"],
                          ["check", "--target", "/nowhere"], ["eval", data / "dev.en", data / "dev.en"]):
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                result = subprocess.run([GRAFT, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, encoding="utf-8")
                self.assert_clear(result, "cannot write <stdout>: No space left on device; free")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_log_stops_no_work(self):
        case = self.by_name["train"]
        self.faults.begin(case).restore(case)
        with open("/dev/full", "wb") as full:
            result = subprocess.run([GRAFT, *map(str, case.arguments)], stdout=subprocess.PIPE, stderr=full, env=self.faults.environment())
        self.assertEqual(result.returncode, 0)
        self.assertEqual(self.faults.results(case), case.after)

    def test_devices_are_not_replaced(self):
        for case in ("table build", "lm"):
            arguments = [str(argument) for argument in self.by_name[case].arguments]
            arguments[-1] = "/dev/null" if case == "table build" else "/dev/zero.bin"
            link = self.faults.data / "null.bin"
            if case == "lm":
                link.symlink_to("/dev/null")
                arguments[-1] = str(link)
            result = subprocess.run([GRAFT, *arguments], capture_output=True, encoding="utf-8")
            self.assert_clear(result, "not a regular file")
            self.assertTrue(pathlib.Path("/dev/null").is_char_device())

    def test_two_runs_in_one_folder(self):
        for name, folder in (("train", "model.work"), ("experiment", "results")):
            case = self.by_name[name]
            self.faults.begin(case).restore(case)
            before = self.faults.results(case)
            with open(self.faults.root / folder / "lock", "rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self.assert_clear(self.call(name), "another run is using this folder; wait for it")
            self.assertEqual(self.faults.results(case), before)

    @unittest.skipUnless(usable(), "without the preloaded library")
    def test_a_clock_that_jumps(self):
        for name in ("train", "tune", "translate", "experiment"):
            with self.subTest(name):
                case = self.by_name[name]
                self.faults.begin(case).restore(case)
                result = self.call(name, LD_PRELOAD=SHIM, GRAFT_CLOCK_JUMP=400_000_000)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.faults.results(case), case.after)
                self.assertNotRegex(result.stdout + result.stderr, r"(?<![\w.])-\d+(\.\d+)? (s|min|h)\b|\d{4,} (s|min|h)\b")


if __name__ == "__main__":
    unittest.main()

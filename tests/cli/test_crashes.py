"""Full disks and kills at every call that writes, and kills at random moments: a clear message, earlier results as they were, nothing half-written
taken for whole, and a second run that ends as if nothing had happened.

    python3 tests/cli/test_crashes.py              # a sample, as in continuous integration
    python3 tests/cli/test_crashes.py --all        # every single call of every verb, and 100 random moments; about an hour
    python3 tests/cli/test_crashes.py --all train  # of one verb

with GRAFT, GRAFT_BUILD and GRAFT_SOURCE as for the other tests.
"""
import argparse
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from faulty_system import TEMPORARY, Faults, usable
from graft_calls import GRAFT

RAW = re.compile(r"std::|filesystem error|bad_alloc|terminate called|basic_|[Bb]ad file descriptor|in fd \d|\bthrew\b|not a usable language model")
SAMPLE = {"train": 7, "experiment": 3, "table build": 8}  # calls tried of a verb; of others:
SAMPLE_OTHERS = 5
EXCHANGED = ("model new", "check")  # files that belong together
KILLS = {"train": 3, "experiment": 1, "table build": 3, "tune": 2}


class Crashes:
    def __init__(self, faults, say=lambda line: None):
        self.faults, self.say = faults, say
        self.tried, self.problems = 0, []

    def check(self, good, case, what, detail):
        if not good:
            self.problems.append(f"{case.name}, {what}: {detail}")
            self.say(self.problems[-1])

    def sane(self, case, what, killed):
        """What is there between the fault and the second run."""
        now = self.faults.results(case)
        models = {name.rsplit("/", 1)[0] for name in [*case.before, *case.after] if name.endswith("/model.toml")}
        for folder in models:
            files = {name: value for name, value in now.items() if name.startswith(folder + "/")}
            states = [{name: value for name, value in state.items() if name.startswith(folder + "/")} for state in (case.before, case.made, case.after)]
            whole = files in states or (killed and folder + "/model.toml" not in files)
            self.check(whole, case, what, f"{folder} is neither the earlier model nor the new one: {sorted(files)}")
        if case.atomic:
            self.check(now in (case.before, case.after) or killed and set(now.values()) <= {*case.before.values(), *case.after.values()}, case, what,
                       f"results are neither the earlier ones nor the new ones: {sorted(now)}")

    def rerun(self, case, what):
        result = self.faults.run(case)
        self.check(result.returncode == 0, case, what, f"the second run fails: {result.stderr}")
        now = self.faults.results(case)
        expected = case.after if now == case.after else case.made
        different = sorted(name for name in {*now, *expected} if now.get(name) != expected.get(name))
        self.check(not different, case, what, f"the second run gives other bytes: {different}")

    def message(self, case, what, result, failed):
        text = result.stderr
        self.check(result.returncode == 1, case, what, f"exit {result.returncode}: {text}")
        self.check("graft: error: " in text, case, what, f"no message: {text}")
        self.check(not RAW.search(text), case, what, f"raw message: {text}")
        # On a disk that stays full a failure that did not matter may come before the one that does.
        paths = [TEMPORARY.sub("", path.removesuffix(" (deleted)")) for _, path in failed]
        self.check(any(path in text or path.rsplit("/", 1)[0] in text for path in paths), case, what, f"{failed[0]} is not named: {text}")

    def full_disk(self, case, number, **how):
        self.faults.restore(case)
        result, failed, _ = self.faults.faulty(case, AT=number, **how)
        if not failed:
            return False
        self.tried += 1
        what = f"call {number} of {how or 'one failure'} ({failed[0][0]} {failed[0][1]})"
        if result.returncode == 0:  # what failed was not needed: a link that became a copy, the sync of a folder
            self.check(self.faults.results(case) == case.after, case, what, "success, but other results")
        else:
            self.message(case, what, result, failed)
            self.check(not self.faults.leftovers(), case, what, f"left behind: {self.faults.leftovers()}")
            self.sane(case, what, killed=False)
        self.rerun(case, what)
        return True

    def killed_at(self, case, number, **how):
        self.faults.restore(case)
        result, failed, _ = self.faults.faulty(case, AT=number, ERROR=0, **how)
        if not failed:
            return False
        self.tried += 1
        what = f"killed at call {number} {how or ''} ({failed[0][0]} {failed[0][1]})"
        self.check(result.returncode == -signal.SIGKILL, case, what, f"exit {result.returncode}")
        self.sane(case, what, killed=True)
        self.rerun(case, what)
        return True

    def killed_after(self, case, seconds):
        self.faults.restore(case)
        arguments = list(map(str, case.arguments))
        process = subprocess.Popen([GRAFT, *arguments, "--threads", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.faults.environment())
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self.tried += 1
        self.sane(case, f"killed after {seconds:.3f} s", killed=True)
        self.rerun(case, f"killed after {seconds:.3f} s")

    def calls(self, case):
        self.faults.begin(case).restore(case)
        result, _, count = self.faults.faulty(case, ERROR=0)
        self.check(result.returncode == 0 and count > 0, case, "counting", result.stderr)
        return count

    def sample(self, case):
        count = self.calls(case)
        wanted = SAMPLE.get(case.name, SAMPLE_OTHERS)
        for k in range(wanted):
            number = 1 + (2 * k + 1) * count // (2 * wanted)
            kinds = (lambda: self.full_disk(case, number), lambda: self.full_disk(case, number, LASTING=1), lambda: self.killed_at(case, number))
            kinds[k % 3]()

    def everything(self, case):
        count = self.calls(case)
        for kind in (lambda n: self.full_disk(case, n), lambda n: self.full_disk(case, n, LASTING=1), lambda n: self.killed_at(case, n)):
            number = 1
            while kind(number):  # removals count for kills, and a run that fails may call more than one that does not
                number += 1
            self.say(f"{case.name}: {number - 1} calls, {len(self.problems)} problems")
        self.say(f"{case.name}: {count} calls of an undisturbed run")

    def without_exchange(self, case, **how):
        """Every call on a file system that cannot exchange names."""
        self.faults.begin(case)
        for kind in (self.full_disk, self.killed_at):
            number = 1
            while kind(case, number, NO_EXCHANGE=1, **how):
                number += 1
        self.say(f"{case.name}: {how} without exchange of names, {len(self.problems)} problems")

    def random_kills(self, case, number, seed=13):
        self.faults.begin(case).restore(case)
        started = time.monotonic()
        self.faults.run(case, threads=2)
        seconds = time.monotonic() - started
        generator = random.Random(f"{seed}{case.name}")
        for _ in range(number):
            self.killed_after(case, generator.uniform(0, seconds))
        self.say(f"{case.name}: {number} kills within {seconds:.2f} s, {len(self.problems)} problems")


@unittest.skipUnless(usable(), "without the preloaded library")
class CrashTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.faults = Faults()

    @classmethod
    def tearDownClass(cls):
        cls.faults.close()

    def test_full_disks_and_kills_at_single_calls(self):
        for case in self.faults.cases():
            with self.subTest(case.name):
                crashes = Crashes(self.faults)
                crashes.sample(case)
                self.assertEqual(crashes.problems, [])
                self.assertGreater(crashes.tried, 2)

    def test_file_systems_that_cannot_exchange_names(self):
        for case in self.faults.cases():
            if case.name in EXCHANGED:
                with self.subTest(case.name):
                    crashes = Crashes(self.faults)
                    crashes.without_exchange(case)
                    if case.name == EXCHANGED[0]:
                        crashes.without_exchange(case, NO_LINK=1)
                    self.assertEqual(crashes.problems, [])
                    self.assertGreater(crashes.tried, 20)

    def test_kills_at_random_moments(self):
        for case in self.faults.cases():
            if case.name in KILLS:
                with self.subTest(case.name):
                    crashes = Crashes(self.faults)
                    crashes.random_kills(case, KILLS[case.name])
                    self.assertEqual(crashes.problems, [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("verbs", nargs="*")
    options = parser.parse_args()
    if not options.all:
        unittest.main(argv=sys.argv[:1])
    crashes = Crashes(Faults(), say=lambda line: print(line, flush=True))
    for case in crashes.faults.cases():
        if not options.verbs or case.name in options.verbs:
            crashes.everything(case)
            if case.name in KILLS:
                crashes.random_kills(case, options.kills)
    print(f"{crashes.tried} faults, {len(crashes.problems)} problems")
    crashes.faults.close()
    sys.exit(1 if crashes.problems else 0)


if __name__ == "__main__":
    main()

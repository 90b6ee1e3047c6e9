#!/usr/bin/env python3
"""Runs the fuzz targets of a `fuzz` build, as many at a time as there are cores (./run fuzz calls it).

    tools/fuzz.py build-fuzz/tests/fuzz/graft_fuzz [TARGET...] [SECONDS]

SECONDS are for each target (default 60). What a run learns is kept in build-fuzz/corpus/TARGET and used by the next;
seeds and old findings come from tests/fuzz/corpus/TARGET. Prints executions, coverage and result of each target; exits
with 1 if one found something, after saying which file shows it and how.
"""
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SOURCE = pathlib.Path(__file__).resolve().parent.parent
SEEDS = SOURCE / "tests" / "fuzz" / "corpus"
LIMITS = ["-timeout=20", "-rss_limit_mb=3000", "-malloc_limit_mb=2000", "-print_final_stats=1", "-use_value_profile=0"]


def targets_of(program):
    """Name -> largest input."""
    listed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return {line.split("\t")[0]: int(line.split("\t")[1]) for line in listed.splitlines()}


def environment():
    known = os.environ.copy()
    known.setdefault("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=0")
    known.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    return known


def run(program, name, size, seconds):
    """Fuzzes one target. (Line for the table, file that shows a finding or None, log)."""
    work = pathlib.Path(program).resolve().parents[2]
    kept, found, log = work / "corpus" / name, work / "findings" / name, work / f"fuzz-{name}.log"
    for folder in (kept, found):
        folder.mkdir(parents=True, exist_ok=True)
    command = [str(program), f"--target={name}", *LIMITS, f"-max_len={size}", f"-max_total_time={seconds}",
               f"-artifact_prefix={found}/", str(kept), str(SEEDS / name)]
    with open(log, "w", encoding="utf-8", errors="replace") as out:
        code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, env=environment(), check=False).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    runs = re.findall(r"stat::number_of_executed_units:\s*(\d+)", text)
    cover = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", text)
    shown = re.findall(r"Test unit written to (\S+)", text)
    states = re.findall(r"Done \d+ runs in (\d+) second", text)
    line = "{:<14}{:>12}{:>10}{:>10}{:>9}  {}".format(
        name, runs[-1] if runs else "-", cover[-1][0] if cover else "-", cover[-1][2] if cover else "-",
        (states[-1] if states else "-") + " s", "clean" if code == 0 else "FOUND SOMETHING")
    return line, (shown[-1] if shown else str(log)) if code != 0 else None, log


def advise(program, name, shown, log):
    print(f"\n{name}: {shown}")
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        if re.search(r"ERROR: |runtime error|what\(\):|SUMMARY|libFuzzer: ", line):
            print(f"    {line.strip()}")
    print(f"    the whole story: {log}")
    print(f"    again:           {program} --target={name} {shown}")
    print(f"    smaller:         {program} --target={name} -minimize_crash=1 -runs=10000 {shown}")
    print(f"    when mended:     cp {shown} {SEEDS.relative_to(SOURCE) / name}/")


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.exit(__doc__)
    program, rest = arguments[0], arguments[1:]
    known = targets_of(program)
    numbers, names = [a for a in rest if a.isdigit()], [a for a in rest if not a.isdigit()]
    for name in names:
        if name not in known:
            sys.exit(f"fuzz: no target '{name}'; there are: {', '.join(known)}")
    if len(numbers) > 1:
        sys.exit("fuzz: one number of seconds, for each target")
    seconds = int(numbers[0]) if numbers else 60
    names = names or list(known)
    print(f"{len(names)} targets, {seconds} seconds each")
    print("{:<14}{:>12}{:>10}{:>10}{:>11}  {}".format("target", "executions", "coverage", "inputs", "time", "result"), flush=True)
    failures = []
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        jobs = [(name, pool.submit(run, program, name, known[name], seconds)) for name in names]
        for name, job in jobs:
            line, shown, log = job.result()
            print(line, flush=True)
            if shown:
                failures.append((name, shown, log))
    for name, shown, log in failures:
        advise(program, name, shown, log)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

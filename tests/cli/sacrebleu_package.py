"""sacreBLEU for the tests, from the package index through pip, in the build folder (a few MB, once)."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

VERSION = "2.6.0"  # the one whose scores and signatures `graft eval` reproduces (src/eval/metric.h)
# Without dependencies, because numpy, the largest, is needed only for significance tests.
PACKAGES = (
    f"sacrebleu=={VERSION}",
    "colorama==0.4.6",
    "lxml==6.1.3",
    "portalocker==4.4.2",
    "regex==2026.11.9",
    "tabulate==0.10.0",
)


def load():
    """Fetches sacreBLEU if it is not there yet, and puts it on the path. Without a network: set GRAFT_OFFLINE=1 to skip."""
    build = os.environ.get("GRAFT_BUILD", os.path.dirname(os.environ["GRAFT"]))
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = os.path.join(build, f"sacrebleu-{VERSION}-python{python}")
    if not os.path.isdir(folder):
        fetched = tempfile.mkdtemp(dir=build, prefix="sacrebleu-")
        result = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check",
             "--no-warn-script-location", "--root-user-action=ignore", "--target", fetched, *PACKAGES],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if result.returncode != 0:
            shutil.rmtree(fetched)
            message = f"pip could not fetch sacreBLEU {VERSION}, which the scores are compared with:\n{result.stderr}"
            if os.environ.get("GRAFT_OFFLINE"):
                raise unittest.SkipTest(message)
            raise RuntimeError(message + "\nWithout a network, GRAFT_OFFLINE=1 skips the comparison.")
        try:
            os.rename(fetched, folder)
        except OSError:  # another test was faster
            shutil.rmtree(fetched)
    sys.path.insert(0, folder)

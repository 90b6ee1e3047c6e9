"""Files of a model that change while a process has them open."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from graft_calls import GRAFT, GraftTest, blocks, forms, output, succeed

EXAMPLE = pathlib.Path(os.environ["GRAFT_SOURCE"]) / "examples" / "de-en"


def threads_of(pid):
    """State and CPU time of each thread."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
        found.append((fields[0], *fields[11:13]))
    return sorted(found)


def wait_until_idle(pid, mapped):
    """Until the process has mapped the file and then all its threads slept for a while: it waits for more to do."""
    before, quiet = None, 0
    for _ in range(600):
        time.sleep(0.1)
        now = threads_of(pid)
        sleeping = mapped in pathlib.Path(f"/proc/{pid}/maps").read_text() and all(state == "S" for state, *_ in now)
        quiet = quiet + 1 if sleeping and now == before else 0
        if quiet == 2:
            return
        before = now


class InUse(GraftTest):
    @classmethod
    def setUpClass(cls):
        cls.root = root = cls.shared_folder()
        succeed("lm", EXAMPLE / "train.en", "--order", "3", "-o", root / "lm.arpa")
        for name, system in (("pbmt", "pbmt"), ("hpbmt", "hpbmt")):
            succeed("table", "build", "--system", system, "--source", EXAMPLE / "train.de.conllu", "--target", EXAMPLE / "train.en",
                    "--align", EXAMPLE / "train.align", "-o", root / f"{name}.graft")
            succeed("model", "new", "--table", root / f"{name}.graft", "--lm", root / "lm.arpa", "-o", root / name)
        cls.lines = [" ".join(forms(b)) + "\n" for b in blocks(EXAMPLE / "test.de.conllu")]
        cls.expected = {name: output("translate", "-m", root / name, "--input", "text", stdin="".join(cls.lines)).splitlines()
                        for name in ("pbmt", "hpbmt")}

    def translate_around(self, name, change, before=20):
        """Translates the first sentences, changes the model's table, gives the rest; returns code, lines and messages."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.root)) / "model"
        shutil.copytree(self.root / name, folder)
        with open(folder.parent / "out", "wb") as out, open(folder.parent / "err", "wb") as err:
            process = subprocess.Popen([GRAFT, "translate", "-m", folder, "--input", "text", "--threads", "2"], stdin=subprocess.PIPE, stdout=out, stderr=err)
            process.stdin.write("".join(self.lines[:before]).encode())
            process.stdin.flush()
            wait_until_idle(process.pid, "rules.graft")
            change(folder / "rules.graft")
            try:
                process.stdin.write("".join(self.lines[before:]).encode())
                process.stdin.close()
            except BrokenPipeError:
                pass
            code = process.wait(60)
        return code, (folder.parent / "out").read_text(encoding="utf-8").splitlines(), (folder.parent / "err").read_text(encoding="utf-8"), folder

    def check_stopped(self, name, change):
        code, lines, said, folder = self.translate_around(name, change)
        self.assertEqual(code, 1, said)
        self.assertIn(f"graft: error: {folder}/rules.graft: was written to while it was in use", said)
        self.assertEqual(said.count("\n"), 1)
        self.assertGreaterEqual(len(lines), 20, "translations already made are written")
        self.assertEqual(lines, self.expected[name][:len(lines)], "none of them is made of mixed bytes")

    def check_unharmed(self, name, change):
        code, lines, said, _ = self.translate_around(name, change)
        self.assertEqual((code, said), (0, ""))
        self.assertEqual(lines, self.expected[name])

    def test_a_table_that_gets_shorter(self):
        for name in ("pbmt", "hpbmt"):
            self.check_stopped(name, lambda table: os.truncate(table, 0))
            self.check_stopped(name, lambda table: os.truncate(table, 5000))
        self.check_stopped("pbmt", lambda table: os.truncate(table, table.stat().st_size // 2))

    def test_a_language_model_that_gets_shorter_while_it_is_read(self):
        arpa = self.root / "large.arpa"
        count = 600_000
        with open(arpa, "w", encoding="utf-8") as file:
            file.write(f"\\data\\\nngram 1={count + 3}\nngram 2=1\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\n-1\t</s>\n")
            file.writelines(f"-5.{k:06}\tword{k}\n" for k in range(count))
            file.write("\n\\2-grams:\n-1\t<s> word0\n\n\\end\\\n")
        whole = arpa.read_bytes()
        told = []
        for delay in (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.2, 1.8):  # until it hits the pass of KenLM
            arpa.write_bytes(whole)
            with subprocess.Popen([GRAFT, "model", "new", "--table", self.root / "pbmt.graft", "--lm", arpa, "-o", self.root / "large"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                time.sleep(delay)
                os.truncate(arpa, 5000)
                _, said = process.communicate(timeout=60)
            self.assertIn(process.returncode, (0, 1), said)
            if process.returncode == 1:
                self.assertIn(f"graft: error: {arpa}:", said.decode())
            told.append(said.decode())
            if "was cut short while it was read" in told[-1]:
                return
        self.fail(told)

    def test_another_table_copied_over_it(self):
        self.check_stopped("pbmt", lambda table: shutil.copyfile(self.root / "hpbmt.graft", table))
        self.check_stopped("hpbmt", lambda table: shutil.copyfile(self.root / "pbmt.graft", table))

    def test_a_dump_of_a_table_that_changes(self):
        table = self.root / "dumped.graft"
        shutil.copyfile(self.root / "hpbmt.graft", table)
        with subprocess.Popen([GRAFT, "table", "dump", table], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            wait_until_idle(process.pid, "dumped.graft")  # the pipe is full
            shutil.copyfile(self.root / "pbmt.graft", table)
            _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("dumped.graft: was written to while it was in use", said.decode())

    def test_other_bytes_of_the_same_size(self):
        def zero(table):
            with open(table, "r+b") as file:
                file.seek(4096)
                file.write(bytes(table.stat().st_size - 4096))

        def flip(table):
            with open(table, "r+b") as file:  # a block that was read already
                file.seek(4096 + 40)
                byte = file.read(1)
                file.seek(4096 + 40)
                file.write(bytes([byte[0] ^ 1]))
        self.check_stopped("pbmt", zero)
        self.check_stopped("hpbmt", flip)

    def test_what_changes_nothing_goes_on(self):
        self.check_unharmed("pbmt", lambda table: os.utime(table))

        def replace(table):
            other = table.with_suffix(".new")
            shutil.copyfile(self.root / "hpbmt.graft", other)
            os.replace(other, table)
        self.check_unharmed("pbmt", replace)

        def same_bytes(table):
            data = table.read_bytes()
            with open(table, "r+b") as file:
                file.write(data)
        self.check_unharmed("hpbmt", same_bytes)

        def rest(table):  # read when the model is opened
            for name in ("lm.bin", "model.toml"):
                os.truncate(table.parent / name, 0)
        self.check_unharmed("pbmt", rest)


if __name__ == "__main__":
    unittest.main()

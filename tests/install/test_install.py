"""The installed library as users have it: an installed tree, moved, with programs built against it by find_package and by pkg-config.

Environment: GRAFT_BUILD (a built tree), GRAFT_SOURCE, GRAFT_CMAKE, GRAFT_CXX, GRAFT_KENLM (KenLM's sources)."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["GRAFT_BUILD"]).resolve()
SOURCE = pathlib.Path(os.environ["GRAFT_SOURCE"]).resolve()
CMAKE = os.environ.get("GRAFT_CMAKE", "cmake")
CXX = os.environ.get("GRAFT_CXX", "g++")
PROGRAMS = pathlib.Path(__file__).resolve().parent / "program"
STRICT = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-pedantic"]
PAIRS = 400


def call(*arguments, stdin=None, **environment):
    """What a command prints; an error with all it said if it fails. The compiler's settings of whoever runs the tests do not count."""
    clean = {name: value for name, value in os.environ.items() if name not in ("CXXFLAGS", "LDFLAGS", "CPATH", "PKG_CONFIG_PATH")}
    result = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, encoding="utf-8", input=stdin, env={**clean, **environment})
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, arguments))}\nended with {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def text_of(conllu, limit):
    """The words of the first sentences, a line each."""
    blocks = conllu.read_text(encoding="utf-8").strip().split("\n\n")[:limit]
    return "".join(" ".join(line.split("\t")[1] for line in block.splitlines() if re.match(r"\d+\t", line)) + "\n" for block in blocks)


def names(*arguments):
    """(kind, demangled name) of the symbols that nm lists."""
    lines = call("nm", "--demangle", *arguments).splitlines()
    return [(kind, name) for kind, name in (re.fullmatch(r"[0-9a-f ]{16} (\S) (.*)", line).groups() for line in lines if " " in line)]


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.root = root = pathlib.Path(temporary.name)
        call(CMAKE, "--install", BUILD, "--prefix", root / "first")
        cls.prefix = root / "moved" / "graft"
        cls.prefix.parent.mkdir()
        (root / "first").rename(cls.prefix)
        cls.shared = not (cls.prefix / "lib" / "libgraft.a").exists()

        (root / "train.de").write_text(text_of(SOURCE / "examples/de-en/train.de.conllu", PAIRS), encoding="utf-8")
        english = (SOURCE / "examples/de-en/train.en").read_text(encoding="utf-8").splitlines(keepends=True)
        (root / "train.en").write_text("".join(english[:PAIRS]), encoding="utf-8")
        cls.input = text_of(SOURCE / "examples/de-en/test.de.conllu", 20)
        cls.graft = cls.prefix / "bin" / "graft"
        cls.model = root / "model"
        call(cls.graft, "train", "--quick", root / "train.de", root / "train.en", "-o", cls.model, "--raw")
        cls.expected = call(cls.graft, "translate", "-m", cls.model, stdin=cls.input)
        assert len(cls.expected.splitlines()) == 20

    def pkg_config(self, *arguments):
        return call("pkg-config", *arguments, "graft", PKG_CONFIG_PATH=str(self.prefix / "lib/pkgconfig")).split()

    def build(self, name, *flags, static=False, before=(), after=()):
        """A program made as a user makes it: what pkg-config says, and strict warnings."""
        program = self.root / f"{name}{'-static' if static else ''}"
        wanted = ["--static"] if static else []
        call(CXX, *STRICT, *flags, *self.pkg_config("--cflags"), PROGRAMS / f"{name}.cc", *before, "-o", program,
             *self.pkg_config("--libs", *wanted), *after)
        return program

    def run_program(self, *arguments):
        return call(*arguments, stdin=self.input, LD_LIBRARY_PATH=str(self.prefix / "lib"))

    # --- what is installed

    def test_files(self):
        found = {str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*") if not path.is_dir()}
        headers = {f"include/graft/{path.name}" for path in (SOURCE / "include/graft").glob("*.h")}
        package = {f"lib/cmake/graft/{name}.cmake" for name in ("graftConfig", "graftConfigVersion", "graftTargets", "graftTargets-release")}
        rest = {name for name in found - headers - package if not re.fullmatch(r"lib/libgraft\.(a|so(\.[0-9.]+)?)", name)}
        self.assertLessEqual(headers | package, found)
        self.assertEqual(rest, {"bin/graft", "lib/pkgconfig/graft.pc"})

    def test_nothing_installed_knows_where_it_was_made(self):
        for path in [*self.prefix.rglob("*.cmake"), *self.prefix.rglob("*.pc"), *self.prefix.rglob("*.h")]:
            text = path.read_text(encoding="utf-8")
            for place in (self.root / "first", BUILD, SOURCE):
                self.assertNotIn(str(place), text, path)

    def test_the_interface_has_none_of_the_settings_of_the_build(self):
        self.assertEqual([os.path.normpath(flag) for flag in self.pkg_config("--cflags")], [f"-I{self.prefix}/include"])
        for path in [*self.prefix.rglob("*.cmake"), *self.prefix.rglob("*.pc"), *self.prefix.rglob("*.h")]:
            text = path.read_text(encoding="utf-8")
            for word in ("KENLM", "kenlm", "march", "nlohmann", "<fmt/", "<boost/", "INTERFACE_COMPILE_DEFINITIONS", "INTERFACE_COMPILE_OPTIONS"):
                self.assertNotIn(word, text, path)
        self.assertEqual(self.pkg_config("--modversion"), call(self.graft, "--version").split()[-1:])

    # --- names

    def test_only_public_names_are_seen(self):
        library = self.prefix / "lib" / ("libgraft.so" if self.shared else "libgraft.a")
        dynamic = ["--dynamic"] if self.shared else []
        defined = names("--defined-only", "--extern-only", *dynamic, library)
        public = re.compile(r"((typeinfo|typeinfo name|vtable) for )?graft::(?!engine|internal)(?!.*\bImpl\b)")
        self.assertEqual([name for _, name in defined if not public.match(name)], [])
        self.assertIn("graft::Version()", [name for _, name in defined])
        missing = [name for _, name in names("--undefined-only", *dynamic, library)]
        self.assertEqual([name for name in missing if re.search(r"\b(lm|util|graft|nlohmann|toml|CLI)::", name)], [])

    def test_every_call_of_the_headers_is_there(self):
        call("python3", SOURCE / "tests/install/howtos.py", self.prefix / "include/graft", self.root / "howtos.cc")
        with (self.root / "howtos.cc").open("a", encoding="utf-8") as output:
            output.write("\nint main() {}\n")
        call(CXX, *STRICT, *self.pkg_config("--cflags"), self.root / "howtos.cc", "-o", self.root / "howtos", *self.pkg_config("--libs"))

    # --- programs

    def test_find_package(self):
        project = self.root / "project"
        shutil.copytree(PROGRAMS, project)
        call(CMAKE, "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={CXX}",
             "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        call(CMAKE, "--build", project / "build")
        self.assertEqual(self.run_program(project / "build/translate", self.model), self.expected)
        commands = (project / "build/compile_commands.json").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"-isystem (\S+)|-I(\S+)", commands), [(str(self.prefix / "include"), "")])
        self.assertEqual(re.findall(r" -[Dm]\S*", commands), [])

    def test_pkg_config(self):
        for static in (False, True):
            with self.subTest(static=static):
                program = self.build("translate", static=static)
                self.assertEqual(self.run_program(program, self.model), self.expected)
        # An error of the library reaches the program's handler as what it is.
        wrong = subprocess.run([program, self.root], capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": str(self.prefix / "lib")})
        self.assertEqual(wrong.returncode, 3, wrong.stderr)
        self.assertIn("model.toml", wrong.stderr)

    def test_a_program_may_have_the_names_of_kenlm(self):
        self.assertEqual(self.run_program(self.build("own_names"), self.model), self.expected)

    def test_a_program_may_have_a_kenlm_of_its_own(self):
        kenlm = pathlib.Path(os.environ["GRAFT_KENLM"])
        archives = [BUILD / f"lib{name}.a" for name in ("kenlm", "kenlm_util")]
        libraries = ["-lboost_thread", "-lboost_system", "-lz", "-llzma", "-lbz2", "-pthread"]
        for name, before, after in (("before", archives, libraries), ("after", [], [*archives, *libraries])):
            with self.subTest(name):
                program = self.build("own_kenlm", "-isystem", kenlm, "-DKENLM_MAX_ORDER=6", before=before, after=after)
                printed = self.run_program(program, self.model, self.model / "lm.bin").splitlines()
                self.assertEqual("".join(line + "\n" for line in printed[1::2]), self.expected)
                self.assertTrue(all(float(score) < 0 for score in printed[::2]))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: BSD-3-Clause
"""package.py PACKAGE VERSION CMAKE BUILD LIBDIR CC: wheel and source distribution as users get them: the examples of README.md and
docs/python.md against the wheel in a fresh environment, types as mypy sees them, the wheel of the source distribution against an
installed library. In namespaces of its own, because the examples use the usual UDP port."""
import glob
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import venv
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
PACKAGE, VERSION, CMAKE, BUILD, LIBDIR, CC = sys.argv[1:7]


def run(*command, **more):
    """Standard output; an error has the rest."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def example(page, words):
    """The block of Python in a page that has these words."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return next(block for block in re.findall(r"```python\n(.*?)```", file.read(), re.S) if words in block)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wheel, = glob.glob(PACKAGE + "/dist/*.whl")
        cls.sdist, = glob.glob(PACKAGE + "/dist/*.tar.gz")

    def environment(self, wheel):
        """A fresh one with the wheel; cffi is the system's."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        venv.create(folder, with_pip=True, system_site_packages=True)
        python = os.path.join(folder, "bin", "python")
        run(python, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)
        return python

    def test_the_wheel_has_what_it_should(self):
        with zipfile.ZipFile(self.wheel) as archive:
            names = archive.namelist()
        self.assertRegex(os.path.basename(self.wheel), rf"^usrsctp_cmt-{re.escape(VERSION)}-cp39-abi3-linux_")
        for name in ("py.typed", "_native.abi3.so", "_native.pyi", "lab.py"):
            self.assertIn("usrsctp_cmt/" + name, names)

    def test_the_examples_of_the_pages(self):
        python = self.environment(self.wheel)
        self.assertIn("b'hello over all paths'", run(python, "-c", example("python/README.md", "listen")))
        output = run(python, "-c", example("docs/python.md", "client.paths()"))
        self.assertIn("b'hello', stream=3, ppid=46", output)
        self.assertIn("127.0.1.1:9899", output)
        quick = example("docs/python.md", "lab.run").replace("seeds=5", "seeds=1, bytes='200kB'")
        self.assertRegex(run(python, "-c", quick), r"(?m)^auto [0-9.]+$")

    def test_types(self):
        program = example("docs/python.md", "client.paths()").replace("def main():", "def main() -> None:")
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "program.py"), "w", encoding="utf-8") as file:
                file.write(program)
            run("mypy", "--strict", "--cache-dir", os.path.join(folder, "cache"), "-p", "usrsctp_cmt", cwd=os.path.join(ROOT, "python/src"))
            run("mypy", "--strict", "--cache-dir", os.path.join(folder, "cache"), os.path.join(folder, "program.py"), env={
                **os.environ, "MYPYPATH": PACKAGE + "/site"})

    def test_the_source_distribution_against_an_installed_library(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        for component in ("library", "event", "blocking"):
            for suffix in ("", "_development") if component != "library" else ("",):
                run(CMAKE, "--install", BUILD, "--prefix", folder + "/prefix", "--component", component + suffix)
        run(CMAKE, "--install", BUILD, "--prefix", folder + "/prefix", "--component", "development")
        with tarfile.open(self.sdist) as archive:
            archive.extractall(folder)
        source, = glob.glob(folder + "/usrsctp*cmt-*")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("USRSCTP_CMT_")}
        environment.update(PKG_CONFIG_PATH=f"{folder}/prefix/{LIBDIR}/pkgconfig", CC=CC, LD_LIBRARY_PATH=f"{folder}/prefix/{LIBDIR}")
        run(sys.executable, "-c", "from setuptools import build_meta; build_meta.build_wheel('.')", cwd=source, env=environment)
        wheel, = glob.glob(source + "/*.whl")
        self.assertLess(os.path.getsize(wheel), os.path.getsize(self.wheel))  # it has no stack in it
        self.assertIn("b'hello over all paths'",
                      run(self.environment(wheel), "-c", example("python/README.md", "listen"), env=environment))


def main():
    if os.environ.get("CMT_NAMESPACES") is None:
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        sys.exit(subprocess.run(["unshare", *user, "--net", "--pid", "--fork", "--kill-child", sys.executable, "-B", *sys.argv],
                                env={**os.environ, "CMT_NAMESPACES": "1"}, check=False).returncode)
    run("ip", "link", "set", "lo", "up")
    unittest.main(argv=sys.argv[:1] + sys.argv[7:])


main()

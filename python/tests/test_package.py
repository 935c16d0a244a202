"""Test the installation, the types and the docstrings of the package."""

import hashlib
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

import plyfit
from backend import wheels

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLYFIT = os.environ.get("PLYFIT", "plyfit")

# pip has no index, no working proxy and no packages of the system, so it must not need any.
ALONE = {"PATH": os.defpath, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONDONTWRITEBYTECODE": "1",
         "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}


class TestInstalled(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        venv.create(os.path.join(self.folder, "venv"), with_pip=True)
        self.python = os.path.join(self.folder, "venv", "bin", "python")

    def run_(self, *args, **more):
        done = subprocess.run([self.python, *args], cwd=self.folder, env={**ALONE, **more}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{args}: {done.stdout}{done.stderr}")
        return done.stdout

    def test_source_without_network(self):
        self.run_("-m", "pip", "install", HERE + "[data]")
        self.run_("-c", "import os, plyfit; assert os.path.exists(os.path.join(os.path.dirname(plyfit.__file__), 'py.typed'))")
        subprocess.run([PLYFIT, "selfplay", "tictactoe", "-o", os.path.join(self.folder, "set"), "--games", "3", "--agent", "random",
                        "--quiet"], check=True, capture_output=True)
        out = self.run_("-c", "from plyfit import Server, data; print(len(list(data.rows('set'))) == data.manifest('set')['records']); "
                        "print(Server().new('pig').moves)", PLYFIT=PLYFIT)
        self.assertEqual(out, "True\n['roll', 'hold']\n")
        missing = subprocess.run([self.python, "-c", "from plyfit import data; data.records('set')"], cwd=self.folder, env=ALONE,
                                 capture_output=True, text=True)
        self.assertIn("package numpy is missing; run pip install './python[frames]'", missing.stderr)
        for module in ("solo", "aec", "parquet", "actions", "spaces"):
            missing = subprocess.run([self.python, "-c", f"import plyfit.{module}"], cwd=self.folder, env=ALONE, capture_output=True, text=True)
            self.assertRegex(missing.stderr, r"\nImportError: package numpy is missing; run pip install './python\[frames\]'.*\n$")

    def test_wheel_with_the_program(self):
        wheel = wheels.wheel_of(self.folder, PLYFIT, "linux/amd64")
        self.run_("-m", "pip", "install", os.path.join(self.folder, wheel))
        self.assertEqual(self.run_("-c", "from plyfit import Server; print(Server().new('pig').moves)"), "['roll', 'hold']\n")
        told = subprocess.run([os.path.join(os.path.dirname(self.python), "plyfit"), "--version"], capture_output=True, text=True)
        self.assertTrue(told.stdout.startswith("plyfit "), told)

    def test_editable_and_sdist(self):
        self.run_("-m", "pip", "install", "-e", HERE)
        self.assertEqual(self.run_("-c", "import plyfit; print(plyfit.__file__)").strip(), os.path.join(HERE, "plyfit", "__init__.py"))
        sdist = wheels.build_sdist(self.folder)
        self.run_("-m", "pip", "install", "--force-reinstall", os.path.join(self.folder, sdist))
        self.assertNotIn(HERE, self.run_("-c", "import plyfit; print(plyfit.__file__)"))


class TestWheel(unittest.TestCase):
    def test_same_bytes(self):
        digests = set()
        for _ in range(2):
            with tempfile.TemporaryDirectory() as folder:
                name = wheels.wheel_of(folder, PLYFIT, "windows/amd64", [os.path.join(HERE, "..", "LICENSE")])
                with open(os.path.join(folder, name), "rb") as f:
                    digests.add(hashlib.sha256(f.read()).hexdigest())
                with zipfile.ZipFile(os.path.join(folder, name)) as z:
                    self.assertIsNone(z.testzip())
                    names = z.namelist()
        self.assertEqual(len(digests), 1)
        info = f"plyfit-{plyfit.__version__}"
        for name in ("plyfit/server.py", "plyfit/py.typed", f"{info}.data/scripts/plyfit.exe", f"{info}.dist-info/licenses/LICENSE"):
            self.assertIn(name, names)


class TestTold(unittest.TestCase):
    def test_all_that_is_public_has_types_and_docstrings(self):
        faults = []
        for module in pkgutil.iter_modules(plyfit.__path__, "plyfit."):
            m = importlib.import_module(module.name)
            self.assertTrue(m.__doc__, module.name)
            for name in m.__all__:
                faults += untold(f"{module.name}.{name}", getattr(m, name))
        self.assertEqual(faults, [])

        def planted(x, y: int): ...
        self.assertEqual(untold("planted", planted), ["planted: no docstring", "planted: no type of x", "planted: no type of its result"])


def untold(name, thing):
    """List the docstrings and types missing from a public function or class."""
    if inspect.isclass(thing):
        if not thing.__module__.startswith("plyfit") or "_Space" in map(lambda c: c.__name__, thing.__mro__):
            return []  # Gymnasium's class or its replacement
        faults = [] if thing.__doc__ else [f"{name}: no docstring"]
        for key, member in vars(thing).items():
            member = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
            if inspect.isfunction(member) and (not key.startswith("_") or key == "__init__") and member.__module__ == thing.__module__:
                faults += untold(f"{name}.{key}", member)
        return faults
    if not inspect.isfunction(thing):
        return []
    faults = [] if thing.__doc__ or thing.__name__ == "__init__" else [f"{name}: no docstring"]
    signature = inspect.signature(thing)
    for p in signature.parameters.values():
        if p.annotation is p.empty and p.name not in ("self", "cls"):
            faults.append(f"{name}: no type of {p.name}")
    if signature.return_annotation is signature.empty:
        faults.append(f"{name}: no type of its result")
    return faults


if __name__ == "__main__":
    sys.exit(unittest.main())

"""Build the package for pip (PEP 517 and 660) with only Python's standard library.

pip calls the functions whose names begin with build_. A release runs the module:

    python3 backend/wheels.py FOLDER PROGRAM SYSTEM [LICENCE...]

This writes a wheel that contains PROGRAM, built for SYSTEM (such as linux/amd64), to FOLDER
and prints the wheel's name. The same files produce the same bytes.
"""

import base64
import hashlib
import io
import os
import re
import sys
import tarfile
import zipfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME, SUMMARY = "plyfit", "Games with exact chances, evaluations and searches of plyfit, for Python"
PYTHON = ">=3.9"

# Packages required by each extra. "data" requires none, because plyfit reads its own files.
EXTRAS = {
    "data": [],
    "frames": ["numpy", "pandas", 'zstandard; python_version < "3.14"'],
    "gymnasium": ["numpy", "gymnasium"],
    "pettingzoo": ["numpy", "gymnasium", "pettingzoo"],
}

# Platform tags of wheels for the systems of a release. The programs are static, so they run
# on any Linux, and on macOS from the version that Go requires.
SYSTEMS = {
    "linux/amd64": "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
}


def version():
    """Return the version in plyfit/__init__.py."""
    with open(os.path.join(HERE, "plyfit", "__init__.py"), encoding="utf-8") as f:
        return re.search(r'^__version__ = "(.+)"$', f.read(), re.M).group(1)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, "any", _sources())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, "any", {f"__editable__{NAME}.pth": (HERE + "\n").encode()})


def build_sdist(sdist_directory, config_settings=None):
    root = f"{NAME}-{version()}"
    files = {**_sources(), "PKG-INFO": _metadata()}
    for name in ("README.md", "pyproject.toml", "backend/wheels.py"):
        files[name] = _read(name)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", format=tarfile.PAX_FORMAT) as out:
        for name in sorted(files):
            item = tarfile.TarInfo(f"{root}/{name}")
            item.size = len(files[name])
            out.addfile(item, io.BytesIO(files[name]))
    with open(os.path.join(sdist_directory, root + ".tar.gz"), "wb") as f:
        f.write(packed.getvalue())
    return root + ".tar.gz"


def wheel_of(folder, program, system, licences=()):
    """Write a wheel that installs a program in the environment's scripts. Return its name."""
    ending = ".exe" if system.startswith("windows/") else ""
    files = _sources()
    with open(program, "rb") as f:
        files[f"{NAME}-{version()}.data/scripts/plyfit{ending}"] = f.read()
    for path in licences:
        with open(path, "rb") as f:
            files[f"{NAME}-{version()}.dist-info/licenses/{os.path.basename(path)}"] = f.read()
    return _wheel(folder, SYSTEMS[system], files)


def _read(name):
    with open(os.path.join(HERE, *name.split("/")), "rb") as f:
        return f.read()


def _sources():
    names = sorted(os.listdir(os.path.join(HERE, "plyfit")))
    return {f"plyfit/{n}": _read(f"plyfit/{n}") for n in names if n.endswith(".py") or n == "py.typed"}


def _metadata():
    lines = ["Metadata-Version: 2.1", f"Name: {NAME}", f"Version: {version()}", f"Summary: {SUMMARY}",
             "License: BSD-3-Clause", f"Requires-Python: {PYTHON}", "Description-Content-Type: text/markdown"]
    for extra, packages in EXTRAS.items():
        lines.append(f"Provides-Extra: {extra}")
        for p in packages:
            package, _, when = p.partition("; ")
            lines.append(f"Requires-Dist: {package}; " + (f"({when}) and " if when else "") + f'extra == "{extra}"')
    return ("\n".join(lines) + "\n\n").encode() + _read("README.md")


def _wheel(folder, system, files):
    """Write a wheel with the given files and return its name (PEP 427)."""
    info = f"{NAME}-{version()}.dist-info"
    files = dict(files)
    files[f"{info}/METADATA"] = _metadata()
    tags = "".join(f"Tag: py3-none-{s}\n" for s in system.split("."))
    pure = "true" if system == "any" else "false"
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: {pure}\n{tags}".encode()
    record = ""
    for name in sorted(files):
        digest = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(files[name])}\n"
    record += f"{info}/RECORD,,\n"
    wheel = f"{NAME}-{version()}-py3-none-{system}.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in sorted(files.items()) + [(f"{info}/RECORD", record.encode())]:
            item = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            item.create_system = 3
            item.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            item.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(item, text)
    return wheel


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[3] not in SYSTEMS:
        sys.exit("usage: wheels.py FOLDER PROGRAM " + "|".join(SYSTEMS) + " [LICENCE...]")
    print(wheel_of(*sys.argv[1:4], sys.argv[4:]))

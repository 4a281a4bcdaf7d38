# SPDX-License-Identifier: MIT
"""Wheel and source distribution: what is inside, and that the wheel works on a bare machine."""

import fcntl
import os
import subprocess
import sys
import tarfile
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from firmware_packages import run, version
from packaging.requirements import Requirement
from places import ROOT
from test_structure import tracked

AS_INSTALLED = "--config-settings=cmake.define.AESFIT_WARNINGS_ARE_ERRORS=ON"
"""What tools/setup.sh asks for: with it, the objects of build/python are up to date."""
BUILT = """
import sys
from scikit_build_core.build import build_wheel
asked = {"build-dir": sys.argv[2], "cmake.define.AESFIT_WARNINGS_ARE_ERRORS": "ON"}
print(build_wheel(sys.argv[1], asked))
"""
NO_PACKAGE = "bring it with: pip install -r requirements/test.txt"


def python(*arguments: object, where: Path = ROOT) -> str:
    """Both outputs of a module of this Python that must succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-m", *map(str, arguments)], cwd=where, env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    assert "No module named" not in done.stdout, f"{done.stdout}{NO_PACKAGE}"
    assert done.returncode == 0, done.stdout
    return done.stdout


def build_wheel(source: Path, build: Path, target: Path, *options: str) -> Path:
    """`pip wheel`, with what is installed here instead of an index."""
    python("pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", target,
           f"--config-settings=build-dir={build}", *options, source)  # fmt: skip
    return next(target.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, slow: bool) -> Path:
    """A wheel of the tree, made of the objects that `make setup` compiled where they are there.

    In short runs without pip, which asks for it in the same way.
    """
    build = ROOT / "build" / "python"
    build.mkdir(parents=True, exist_ok=True)
    target = tmp_path_factory.mktemp("wheel")
    with (build.parent / "wheel.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if slow:
            return build_wheel(ROOT, build, target, AS_INSTALLED)
        done = run(sys.executable, "-c", BUILT, target, build, cwd=ROOT)
        return target / done.splitlines()[-1]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution of the tree."""
    target = tmp_path_factory.mktemp("sdist")
    python("build", "--sdist", "--no-isolation", "--outdir", target, ROOT)
    return next(target.glob("*.tar.gz"))


def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def below(*folders: str) -> set[str]:
    """Files of the project under these folders."""
    every = (str(path.relative_to(ROOT)) for path in tracked())
    return {name for name in every if name.startswith(tuple(f"{f}/" for f in folders))}


def test_the_wheel_holds_what_runs_and_no_more(wheel: Path) -> None:
    held = names(wheel)
    data = {
        f"aesfit/data/{name}"
        for name in below("lib/include", "lib/src", "platforms", "third_party")
        | {"lib/LICENSE", "native/cache.cpp", "native/memory.cpp"}
    }
    package = {name for name in below("aesfit") if not name.startswith("aesfit/native/")}
    extension = {name for name in held if name.endswith(".so")}
    assert len(extension) == 1
    assert next(iter(extension)).startswith("aesfit/_native.")
    about = {name for name in held if ".dist-info/" in name}
    assert any(name.endswith("/licenses/LICENSE") for name in about)
    assert held - about == data | package | extension | {"aesfit/licences/nanobind.txt"}


@pytest.mark.slow
def test_the_wheel_is_clean(wheel: Path, tmp_path: Path) -> None:
    """It runs on any Linux from some glibc on, and nothing has to be put inside for that."""
    assert "manylinux" in python("auditwheel", "show", wheel)
    python("auditwheel", "repair", "--wheel-dir", tmp_path, wheel)
    repaired = next(tmp_path.glob("*.whl"))
    assert "manylinux" in repaired.name
    assert {n for n in names(repaired) if "sbom" not in n} == names(wheel)


def needed(package: Distribution, extra: str = "") -> dict[str, Distribution]:
    """What a distribution requires, directly or through another, as installed here."""
    found: dict[str, Distribution] = {}
    todo = list(package.requires or ())
    while todo:
        wanted = Requirement(todo.pop())
        if wanted.name in found or (wanted.marker and not wanted.marker.evaluate({"extra": extra})):
            continue
        found[wanted.name] = distribution(wanted.name)
        todo += found[wanted.name].requires or ()
    return found


def environment(wheel: Path, home: Path, extra: str = "") -> Path:
    """The programs of an environment with only the wheel and its requirements."""
    python("venv", "--without-pip", home)
    inside = home / "bin" / "python"
    python("pip", "--python", inside, "install", "--no-deps", "--no-index", wheel)
    site = next(home.glob("lib/python*/site-packages"))
    installed = PathDistribution(next(site.glob("aesfit-*.dist-info")))
    for package in needed(installed, extra).values():
        for top in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(package.locate_file(top))))
    return home / "bin"


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment without any extra."""
    return environment(wheel, tmp_path_factory.mktemp("bare"))


def bare_run(bare: Path, *command: object, where: Path) -> tuple[int, str, str]:
    """Exit code and outputs of a program of the environment; there is no other on the path."""
    done = subprocess.run(
        [bare / str(command[0]), *map(str, command[1:])], cwd=where, capture_output=True,
        text=True, check=False, stdin=subprocess.DEVNULL,
        env={"PATH": str(bare), "HOME": str(where), "COLUMNS": "100"},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


SEALS = """
import aesfit
for mode in (aesfit.AESGCM, aesfit.AESCCM):
    aead = mode(bytes(16))
    sealed = aead.encrypt(bytes(12), b"a packet", b"its head")
    assert aead.decrypt(bytes(12), sealed, b"its head") == b"a packet"
print(aesfit.__file__)
"""


@pytest.mark.slow
def test_the_wheel_works_without_a_compiler(bare: Path, tmp_path: Path) -> None:
    def aesfit(*arguments: object) -> str:
        code, said, error = bare_run(bare, "aesfit", *arguments, where=tmp_path)
        assert code == 0, error
        return said

    assert aesfit("--version") == f"aesfit {version()}\n"
    assert "known answers" in aesfit("cores", "selftest")
    assert "fixslice" in aesfit("cores")
    (letter := tmp_path / "letter").write_bytes(b"dear reader")
    (secret := tmp_path / "secret").write_text("a passphrase\n")
    aesfit("encrypt", "--passphrase-file", secret, letter)
    letter.unlink()
    aesfit("decrypt", "--passphrase-file", secret, tmp_path / "letter.aesfit")
    assert letter.read_bytes() == b"dear reader"
    aesfit("emit", "--core", "ttable1", "--mode", "ccm", "--output", tmp_path / "drop-in")
    assert {path.name for path in (tmp_path / "drop-in").iterdir()} == {"fitaes.c", "fitaes.h"}
    code, said, error = bare_run(bare, "python", "-c", SEALS, where=tmp_path)
    assert code == 0, error
    assert said.startswith(str(bare.parent))


@pytest.mark.slow  # test_extras.py has the same sentences without a wheel
@pytest.mark.parametrize(
    ("arguments", "bring"),
    [
        (["measure", "--platform", "x86-64"], "apt-get install gcc"),
        (["fit", "--platform", "cortex-m3"], "pip install 'aesfit[rig]'"),
        (["emit", "--platform", "cortex-m3"], "pip install 'aesfit[rig]'"),
    ],
)
def test_what_the_wheel_lacks_is_said(
    bare: Path, tmp_path: Path, arguments: list[str], bring: str
) -> None:
    more = ["--mode", "ccm", "--bytes", "100"]
    if arguments[0] != "fit":
        more += ["--core", "ttable1"]
    code, said, error = bare_run(bare, "aesfit", *arguments, *more, where=tmp_path)
    assert (code, said) == (1, "")
    assert len(error.splitlines()) == 1
    assert error.rstrip().endswith(bring)
    assert not list(tmp_path.glob("fitaes*"))


@pytest.mark.slow
def test_the_wheel_with_its_rig_answers(wheel: Path, tmp_path: Path) -> None:
    """The tracer goes into the user's cache folder, and site-packages stays as it was.

    The atlas lacks the payload, so that something is measured.
    """
    bin_folder = environment(wheel, tmp_path / "rig", "rig")
    (home := tmp_path / "home").mkdir()
    variables = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1",
                 "AESFIT_PROGRESS": "never"}  # fmt: skip
    command = [str(bin_folder / "aesfit"), "fit", "--platform", "cortex-m3", "--mode", "ccm",
               "--bytes", "100", "--core", "ttable1,fixslice"]  # fmt: skip
    (site,) = (tmp_path / "rig").glob("lib/python*/site-packages")
    before = sorted(site.rglob("*"))

    def run() -> tuple[str, str]:
        done = subprocess.run(
            command, cwd=home, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    said, told = run()
    assert said.startswith("Cortex-M3 with ideal memory")
    assert "Take fixslice:" in said
    assert told == "aesfit: the emulator's tracer is built once, into the cache folder\n"
    assert run() == (said, "")
    assert sorted(site.rglob("*")) == before
    assert len(list(home.rglob("*.so"))) == 1


@pytest.mark.slow
def test_the_source_distribution_is_the_tree(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    tree = {str(path.relative_to(ROOT)) for path in tracked()} | {".clang-format"}
    assert inside == tree | {"PKG-INFO"}


@pytest.mark.slow
def test_a_wheel_from_the_source_distribution_is_the_same(
    sdist: Path, wheel: Path, tmp_path: Path
) -> None:
    subprocess.run(["tar", "-xzf", sdist, "-C", tmp_path], check=True)
    source = next(tmp_path.glob("aesfit-*"))
    again = build_wheel(source, tmp_path / "build", tmp_path / "wheel")
    assert names(again) == names(wheel)

# SPDX-License-Identifier: MIT
"""Make what a release consists of, and try it in a fresh environment: `make release`.

One folder gets the wheel for this kind of computer, the source distribution, the C library alone
with the list of its proved images, the library for Arduino, the crate, the changelog of the
version, a bill of materials (CycloneDX 1.6) and SHA256SUMS.  Nothing is published and no tag is
made.  A version is released only if all its files can be made: what is missing ends the run.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROOFS = "aesfit/measuring/proven_images.tsv"
EPOCH = 315532800
"""Seconds to 1980, the date of all files in an archive: the same files give the same bytes."""
SELF_TEST = """\
#include <aesfit.h>
#include <stdio.h>
int main(void) {
    const char *failed = "";
    int status = aesfit_self_test(&failed);
    printf("%s %s\\n", AESFIT_VERSION, status ? failed : "works");
    return status != 0;
}
"""
BUILD = """\
cmake_minimum_required(VERSION 3.21)
project(try C)
add_subdirectory(aesfit)
add_executable(try try.c)
target_link_libraries(try aesfit)
"""


class ReleaseError(Exception):
    """Why there is no release."""


def run(*command: object, where: Path = ROOT) -> str:
    """What a program prints; ReleaseError if it is missing or fails."""
    words = [str(one) for one in command]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    try:
        done = subprocess.run(  # noqa: S603 - commands of this file
            words, cwd=where, env={**os.environ, "PATH": path},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise ReleaseError(f"{words[0]} is missing; a release needs it") from None
    if done.returncode:
        raise ReleaseError(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def say(what: str) -> None:
    """One line of progress."""
    print(f"release: {what}", flush=True)


def version_of(header: str) -> str:
    """Of the library, in aesfit.h."""
    return ".".join(re.findall(r"define AESFIT_VERSION_(?:MAJOR|MINOR|PATCH) +(\d+)", header))


def changes(changelog: str, version: str) -> str:
    """The part of the changelog about a version, or about what is not released yet."""
    parts = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    for name in (f"[{version}]", version, "Unreleased"):
        for part in parts:
            if part.startswith(name):
                return f"## {part}".rstrip() + "\n"
    raise ReleaseError(f"CHANGELOG.md says nothing about {version}; add a part for it")


def library_files() -> list[str]:
    """Of the C library, as git has them."""
    return run("git", "ls-files", "lib").split()


def archived(files: Mapping[str, bytes]) -> bytes:
    """A gzipped tar archive whose bytes depend on these files alone."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(content), EPOCH
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), mtime=EPOCH)


def c_library(version: str) -> bytes:
    """lib/ and the list of its proved images, with the digest of each."""
    top = f"aesfit-c-{version}"
    files = {name.removeprefix("lib/"): (ROOT / name).read_bytes() for name in library_files()}
    files["proven_images.tsv"] = (ROOT / PROOFS).read_bytes()
    return archived({f"{top}/{name}": content for name, content in files.items()})


def bill(version: str, inspected: Mapping[str, object], built_with: Iterable[str]) -> str:
    """CycloneDX 1.6: what `pip inspect` finds beside the wheel, and what is compiled into it."""
    installed = inspected["installed"]
    assert isinstance(installed, list)  # noqa: S101 - as pip documents it
    metadata = [one["metadata"] for one in installed]
    pairs = {(one["name"], one["version"]) for one in metadata if one["name"] != "aesfit"}
    pairs |= {(name, found) for name, _, found in (one.partition("==") for one in built_with)}
    components = [
        {"type": "library", "name": name, "version": found, "purl": f"pkg:pypi/{name}@{found}"}
        for name, found in sorted(pairs)
    ]
    about = {"type": "library", "name": "aesfit", "version": version, "bom-ref": "aesfit",
             "licenses": [{"license": {"id": "MIT"}}]}  # fmt: skip
    document = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
                "metadata": {"component": about}, "components": components}  # fmt: skip
    return json.dumps(document, indent=2) + "\n"


def sums(folder: Path) -> str:
    """Lines for `sha256sum --check`."""
    files = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    lines = (f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in files)
    return "".join(lines)


def packages(folder: Path, version: str) -> None:
    """Wheel, source distribution, C library, Arduino's zip and crate."""
    with tempfile.TemporaryDirectory() as scratch:
        say("wheel and source distribution")
        built = Path(scratch)
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", built)
        run(sys.executable, "-m", "auditwheel", "repair", "-w", folder, next(built.glob("*.whl")))
        shutil.copy(next(built.glob("*.tar.gz")), folder)
    say("C library, Arduino library, crate")
    (folder / f"aesfit-c-{version}.tar.gz").write_bytes(c_library(version))
    run(sys.executable, "tools/pack_arduino.py", "-o", folder / f"aesfit-arduino-{version}.zip")
    crate = ROOT / "build" / "rust-package"
    run("cargo", "package", "--locked", "--no-verify", "--target-dir", crate, where=ROOT / "rust")
    shutil.copy(crate / "package" / f"aesfit-{version}.crate", folder)


def try_wheel(folder: Path, scratch: Path) -> Mapping[str, object]:
    """Install it in an environment of its own, ask it a question, and list what came with it."""
    run(sys.executable, "-m", "venv", scratch / "venv")
    python = scratch / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", next(folder.glob("*.whl")), where=scratch)
    asked = ("fit", "--platform", "stm32f407", "--mode", "ccm", "--bytes", "1504", "--json")
    answer = json.loads(run(python, "-m", "aesfit", *asked, where=scratch))
    if not answer:
        raise ReleaseError("the installed wheel does not answer `aesfit fit`")
    run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "setuptools", where=scratch)
    found: Mapping[str, object] = json.loads(run(python, "-m", "pip", "inspect", where=scratch))
    return found


def try_library(folder: Path, version: str, scratch: Path) -> None:
    """Build the unpacked C library by CMake, and run its self-test."""
    with tarfile.open(folder / f"aesfit-c-{version}.tar.gz") as archive:
        archive.extractall(scratch, filter="data")
    (scratch / f"aesfit-c-{version}").rename(scratch / "aesfit")
    (scratch / "try.c").write_text(SELF_TEST, encoding="utf-8")
    (scratch / "CMakeLists.txt").write_text(BUILD, encoding="utf-8")
    run("cmake", "-S", scratch, "-B", scratch / "build", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", scratch / "build")
    if run(scratch / "build" / "try").strip() != f"{version} works":
        raise ReleaseError("the self-test of the unpacked C library fails")


def release(folder: Path) -> None:
    """Make the folder; where that fails, nothing is there."""
    if run("git", "status", "--porcelain").strip():
        raise ReleaseError("there are changes that are not committed; commit or stash them")
    commit = run("git", "rev-parse", "HEAD").strip()
    version = version_of((ROOT / "lib/include/aesfit.h").read_text(encoding="utf-8"))
    told = changes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    if folder.exists():
        raise ReleaseError(f"{folder} is there already; remove it, or name another by --output")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        made = Path(scratch) / "release"
        made.mkdir()
        fill(made, version, told)
        made.rename(folder)
    say(f"aesfit {version} of commit {commit} is in {folder}")
    if told.startswith("## Unreleased"):
        say(f"its changes stand under Unreleased: name them {version} before the tag is made")


def fill(folder: Path, version: str, told: str) -> None:
    """Make the packages, try them, and say what they are."""
    packages(folder, version)
    (folder / "CHANGES.md").write_text(told, encoding="utf-8")
    requires = re.findall(r'"(nanobind==[^"]+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        say("the wheel in a fresh environment, and the C library by CMake")
        found = try_wheel(folder, Path(scratch))
        try_library(folder, version, Path(scratch))
    (folder / "sbom.cdx.json").write_text(bill(version, found, requires), encoding="utf-8")
    (folder / "SHA256SUMS").write_text(sums(folder), encoding="utf-8")


def main() -> int:
    """Make it; 1 if that failed."""
    ask = argparse.ArgumentParser(description="Make what a release consists of.")
    ask.add_argument("--output", type=Path, default=ROOT / "build" / "release",
                     help="the folder to make [build/release]")  # fmt: skip
    folder = ask.parse_args().output.resolve()
    try:
        release(folder)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""The examples: what their READMEs show is run, in copies of the folders, and compared."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from few import slow_but
from places import ROOT

EXAMPLES = ROOT / "examples"
TEMPLATES = ROOT / "aesfit" / "emitting" / "firmware"
"""What `aesfit emit --project` writes around a drop-in."""
FOLDERS = sorted(path.parent.name for path in EXAMPLES.glob("*/README.md"))
FIRMWARE = {
    "firmware-cortex-m3": ("qemu-system-arm", "qemu-system-arm"),
    "firmware-rv32": ("qemu-system-riscv32", "qemu-system-misc"),
}
"""The emulator of each, and its package."""
RANDOM = ("host-c", "python-encrypt")
"""Keys and nonces differ each time."""
HEAVY = ("litex", "picorv32-aes")
"""Those that build a simulation, which takes half a minute or more: --slow."""
END = "-- end of a command, exit code "


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command line as a user gives it, both outputs as one."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    # As from a shell, though `make test` may be what runs this.
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**outside, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """A copy of the folder, the library beside it as in a checkout."""
    for name in ("CMakeLists.txt", "drivers", "lib", "rtl", "third_party"):
        (tmp_path / name).symlink_to(ROOT / name)
    unbuilt = shutil.ignore_patterns("build", "__pycache__")
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=unbuilt))


def need_emulator(name: str) -> None:
    emulator, package = FIRMWARE[name]
    if shutil.which(emulator) is None:
        pytest.fail(f"{emulator} is missing; install it with: sudo apt-get install {package}")


def blocks(readme: Path, language: str) -> list[str]:
    text = readme.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def sessions(readme: Path) -> list[tuple[str, str]]:
    """Commands and what is shown below them."""
    text = "".join(blocks(readme, "console"))
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)
    return [(str(command), str(output)) for command, output in found]


def comparable(output: str, name: str) -> str:
    """What must be the same each time."""
    return re.sub(r"\b[0-9a-f]{24,}\b", "random", output) if name in RANDOM else output


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("name", slow_but({*FOLDERS} - {*HEAVY}, FOLDERS))
def test_readme_is_true(name: str, slow: bool, examples: Path) -> None:
    """Its commands succeed and print what it shows; where it shows nothing, anything.

    In short runs without the core aesni, whose files for all modes compile slowly.
    """
    if name in FIRMWARE:
        need_emulator(name)
    shown = sessions(examples / name / "README.md")
    if not slow:
        shown = [(command.replace("aesni;", ""), output) for command, output in shown]
    script = "".join(f'{command}\necho "{END}$?"\n' for command, _ in shown)
    whole = run(script, examples / name).stdout
    results = re.findall(rf"(.*?){END}(\d+)\n", whole, re.DOTALL)
    assert len(results) == len(shown), whole
    for (command, expected), (output, status) in zip(shown, results, strict=True):
        assert status == "0", f"{command}\n{output}"
        if expected:
            assert comparable(output, name) == comparable(expected, name), command
    for number, snippet in enumerate(blocks(examples / name / "README.md", "c")):
        compiles(examples / name, f"shown_{number}", snippet)


def compiles(folder: Path, name: str, snippet: str) -> None:
    """What a README shows in C is correct behind the example's own main.c."""
    main = (folder / "main.c").read_text(encoding="utf-8")
    (folder / f"{name}.c").write_text(f"{main}\n{snippet}")
    made = run(f"make -s build/{name}.o", folder)
    assert made.returncode == 0, made.stdout


@pytest.mark.parametrize("name", FOLDERS)
def test_readme_lists_every_file(name: str) -> None:
    listed = set(re.findall(r"`([\w.-]+)`", (EXAMPLES / name / "README.md").read_text()))
    files = {path.name for path in (EXAMPLES / name).iterdir() if path.is_file()}
    assert files - {"README.md"} <= listed


def test_every_folder_is_listed() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    folders = {path.name for path in EXAMPLES.iterdir() if path.is_dir()}
    assert folders == set(re.findall(r"^\| \[([\w-]+)\]\(\1\)", text, re.MULTILINE)) == set(FOLDERS)


@pytest.mark.parametrize("name", ["board.h", "memory.c"])
def test_firmwares_share(name: str) -> None:
    folders = (EXAMPLES / "firmware-rv32", EXAMPLES / "picorv32-aes", TEMPLATES)
    assert len({(folder / name).read_text() for folder in folders}) == 1


STARTED = """
#include "board.h"
static volatile int set = 42, cleared;
int main(void) { return set++ != 42 || cleared++ != 0; }
"""
TRAPPED = """
#include "board.h"
int main(void) { __builtin_trap(); }
"""


@pytest.mark.parametrize("name", FIRMWARE)
@pytest.mark.parametrize(
    ("main", "shown"),
    [(STARTED, ""), (TRAPPED, "FAIL  unexpected")],
    ids=["variables", "exception"],
)
def test_start_up(name: str, main: str, shown: str, examples: Path) -> None:
    """main() finds its variables initialised; an exception is reported, with exit code 1."""
    need_emulator(name)
    folder = examples / name
    (folder / "main.c").write_text(main)
    aes = folder / "build" / "aes"
    shutil.copytree(TEMPLATES, aes)  # of which firmware-rv32 takes none
    for stand_in in ("fitaes.c", "fitaes.h"):
        (aes / stand_in).write_text("typedef int no_aes_here;\n")
    ran = run("make -s run", folder)
    assert (ran.returncode == 0) == (not shown), ran.stdout
    assert ran.stdout.startswith(shown)
    assert ("Error 1\n" in ran.stdout) == bool(shown)


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        ("", 2, "python file.py seal KEYFILE IN OUT"),
        ("seal key missing out", 1, "missing: No such file or directory\n"),
        ("seal key file.py message.py", 1, "file.py: message.py exists already\n"),
        ("seal README.md missing out", 1, "missing: No such file or directory\n"),
        ("open key file.py out", 1, "file.py: "),
    ],
)
def test_file_refuses(arguments: str, status: int, sentence: str, examples: Path) -> None:
    folder = examples / "python-encrypt"
    (folder / "key").write_text("00112233445566778899aabbccddeeff\n")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    refused = run(f"python file.py {arguments}", folder)
    assert refused.returncode == status
    assert sentence in refused.stdout
    assert "Traceback" not in refused.stdout
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before

# SPDX-License-Identifier: MIT
"""Every command that README and docs/commands.md show is run, block by block, among such files.

In short runs most are called in this process; those that ask a terminal, wait for a signal or
stand for all commands are run as a person does.  Then the examples in Python of README and
docs/python.md, which ask for the same rows.
"""

import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from PIL import Image
from places import ROOT

from aesfit.cli import VERBS, app

PAGES = [ROOT / "README.md", ROOT / "docs" / "commands.md"]
SHOWN = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
BLOCKS = [
    [
        line.removeprefix("$ ")
        for line in block.replace("$ .venv/bin/", "$ ").splitlines()
        if line.startswith("$ aesfit")
    ]
    + [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ tar")]
    for block in re.findall(r"```console\n(.*?)```", SHOWN, re.DOTALL)
]
SLOW = (
    *("prove", "silicon", "sweep", "sweep front", "predict validate", "wlan"),
    *("papers files", "papers report"),
)
"""Verbs that take minutes when nothing is stored, and one that reads what they wrote."""
NOT_CURRENT = "the atlas lacks current figures"
"""What `aesfit atlas` may say of a platform: after a change of the library, or by another compiler,
its lines are unused until they are renewed."""
AT_A_TERMINAL = ("fit", "encrypt", "decrypt", "serve")
"""Verbs that are always run as a person does: the first of the page, and those that a terminal or a
signal changes."""
PROMPTS = (b"Passphrase: ", b"The same again: ")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, slow: bool) -> Path:
    """What the commands read."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "report.pdf").write_bytes(b"%PDF-1.4 made up")
    (folder / "photos").mkdir()
    (folder / "photos" / "one.jpg").write_bytes(bytes(1000))
    (folder / "key").write_bytes(bytes(range(16)))
    (folder / "data.bin").write_bytes(bytes(100))
    bursts = [f"{core},{calls},{900 * calls + 4000}" for core in ("transposed", "ttable4")
              for calls in (1, 2, 5, 10)]  # fmt: skip
    (folder / "times.csv").write_text("\n".join(("core,calls,time", *bursts)))
    (folder / "sweeps").symlink_to(ROOT / "sweeps")
    source = "void my_encrypt(const unsigned char *k, unsigned char *o) { *o = *k ^ 1; }\n"
    (folder / "my_aes.c").write_text(source)
    cross = ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-O2", "-c", "my_aes.c"]
    subprocess.run(cross, cwd=folder, check=True)
    if slow:  # no first command of a verb reads it
        assert typed("aesfit image samples -o made", folder)[0] == 0
        Image.open(folder / "made" / "landscape-200.bmp").save(folder / "photo.png")
    return folder


def typed(command: str, folder: Path) -> tuple[int, str]:
    """Run a line as a person at a terminal does, who types a passphrase when asked."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        os.execvp("bash", ["bash", "-c", f"set -o pipefail\n{command}"])
    shown, answered, ended = b"", 0, False
    while True:
        try:
            shown += os.read(terminal, 4096)
        except OSError:  # the terminal is closed: the program has ended
            break
        if sum(shown.count(prompt) for prompt in PROMPTS) > answered:
            os.write(terminal, b"correct horse battery\n")
            answered += 1
        served = re.search(rb"(http://\S+) \(Ctrl-C ends it\)", shown)
        if served and not ended:
            assert httpx.get(served[1].decode(), trust_env=False, timeout=None).is_success
            os.write(terminal, b"\x03")
            ended = True
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode(errors="replace")


def called(command: str) -> tuple[int, str]:
    """The same in this process and its folder, without a terminal."""
    _, *words = shlex.split(command, comments=True)
    done = CliRunner().invoke(app, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), command
    return done.exit_code, done.output


def verb(command: str) -> str:
    words = shlex.split(command, comments=True)
    first, *others = words[words.index("aesfit") + 1 :]
    both = f"{first} {others[0]}" if others else first
    return both if first == "papers" or both in VERBS.seconds else first


def quick() -> set[str]:
    """The first command of each verb that takes no minutes."""
    every = [command for block in BLOCKS for command in block]
    firsts = {verb(command): command for command in reversed(every)}
    return {command for name, command in firsts.items() if name not in SLOW}


@pytest.mark.parametrize("commands", [block for block in BLOCKS if block], ids=lambda b: verb(b[0]))
def test_commands_run(
    commands: list[str], folder: Path, slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In short runs the first of each verb on the page."""
    monkeypatch.chdir(folder)
    shutil.rmtree(folder / "fitaes", ignore_errors=True)  # README and the page both write it
    for command in commands if slow else [one for one in commands if one in quick()]:
        at_a_terminal = slow or verb(command) in AT_A_TERMINAL
        status, shown = typed(command, folder) if at_a_terminal else called(command)
        lacking = (
            verb(command) == "atlas" and status == 1 and NOT_CURRENT in " ".join(shown.split())
        )
        ended = status == 0 or (verb(command), status) == ("serve", 130)
        assert ended or lacking, f"{command}\n{shown}"
        assert "Traceback" not in shown, command


def examples(page: Path) -> list[str]:
    """The examples in Python of a page."""
    found: list[str] = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert found
    return found


@pytest.mark.parametrize("example", examples(ROOT / "README.md"))
def test_python_example(example: str) -> None:
    exec(example, {})


def test_python_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its examples go on from one another."""
    monkeypatch.chdir(tmp_path)
    known: dict[str, object] = {}
    for example in examples(ROOT / "docs" / "python.md"):
        exec(example, known)
    assert (tmp_path / "fitaes" / "fitaes.c").is_file()


def test_commands_are_found() -> None:
    commands = [command for block in BLOCKS for command in block]
    assert len(commands) > 20
    assert {verb(command) for command in commands} > {*AT_A_TERMINAL, "measure", *SLOW}
    for command in quick():  # that no shell is needed for
        words = shlex.split(command, comments=True)
        assert words[0] == "aesfit"
        assert not set("|<>&;") & {*"".join(words)}

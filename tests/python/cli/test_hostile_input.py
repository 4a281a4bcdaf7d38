# SPDX-License-Identifier: MIT
"""Files and values made to hang the program, or to fill memory or screen: one short sentence."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from aesfit.cli import app, main
from aesfit.errors import shortened
from aesfit.platforms.find import load
from aesfit.platforms.toml_file import PlatformError, read_bytes, read_table
from aesfit.sweep.spec import read_spec
from aesfit.wlan.battery import load as load_battery

LONG = "x" * 100_000


@pytest.mark.parametrize("read", [load, read_spec, load_battery])
def test_pipes_and_devices_are_no_files(tmp_path: Path, read: object) -> None:
    assert callable(read)
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    for path in (pipe, tmp_path / "zero.toml"):
        with pytest.raises(PlatformError, match="not a file; name a TOML file"):
            read(path)


def test_a_picture_is_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.png")
    answer = CliRunner().invoke(app, ["image", "analyse", str(tmp_path / "a.png")])
    assert "this is not a file" in str(answer.exception) + answer.output


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a" * (1 << 19), "longer than 262144 bytes"),
        (f"a = '{'b' * 9000}'\n", ":1: a line of 9006 letters"),
        ("\n" + ".".join("a" * 2000) + " = 1\n", ":2: a key of more than 16 parts"),
        ("[" + " . ".join(["'b'"] * 1000) + "]\n", ":1: a key of more than 16 parts"),
        ("b = { " + ".".join("a" * 3000) + " = 1 }\n", ":1: a key of more than 16 parts"),
        (f"a = {'9' * 5000}\n", "a number of too many digits"),
        (f"a = 0x{'f' * 4000}\n", ":1: a number of too many digits"),
        (f"a = {'[' * 3000}{']' * 3000}\n", "nested too deeply"),
        ("[" + " " * 8000 + "\n", "not TOML"),
        (" " * 8000 + "\n" + "a" * 8000 + "\n", "not TOML"),
    ],
)
def test_toml_that_takes_long_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "cortex-m3.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PlatformError, match=re.escape(told)) as error:
        read_table(path, read_bytes(path))
    assert len(str(error.value)) < len(str(path)) + 200


def test_keys_of_usual_depth_are_read(tmp_path: Path) -> None:
    text = "\n".join(("[a.b.'c d'.e]", "f.g = 1", "h = 'i.j. k. l. m. n. o. p. q. r. s. t'", ""))
    table = read_table(tmp_path / "x.toml", text.encode())
    assert table.values["a"]["b"]["c d"]["e"]["f"] == {"g": 1}
    assert table.lines["a", "b", "c d", "e", "f", "g"] == 2


@pytest.mark.parametrize(
    "question",
    [
        ["fit", "--platform", LONG],
        ["fit", "--platform", "cortex-m3", "--mode", LONG],
        ["fit", "--platform", "cortex-m3", "--mode", "ecb", "--bytes", "9" * 5000],
        ["measure", "--platform", "cortex-m3", "--core", LONG],
        ["cores", f"--{LONG}"],
        [LONG],
        ["encrypt", "--mode", LONG, "a"],
    ],
)
def test_long_values_are_not_repeated(question: list[str]) -> None:
    answer = CliRunner().invoke(app, question)
    assert answer.exit_code != 0
    assert "Traceback" not in answer.stderr
    assert 0 < len(answer.stderr) < 3000


def test_failures_do_not_repeat_them_either(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise OSError(f"{LONG}: no such thing")

    monkeypatch.setattr("aesfit.cli.app", fails)
    with pytest.raises(SystemExit, match="1"):
        main()
    told = capsys.readouterr().err
    assert told == f"aesfit: {'x' * 60}... (100001 characters) no such thing\n"


def test_only_endless_words_are_shortened() -> None:
    usual = f"{'/folder' * 20}/file.toml:3: 'optimise' holds '-wrapper'"
    assert shortened(usual) == usual
    assert shortened(f"a {'b' * 200} c") == f"a {'b' * 60}... (200 characters) c"


def test_sentences_do_not_steer_a_terminal() -> None:
    assert shortened("a\x1b[2J\u202eb\nc\u00e9") == "a\\x1b[2J\\u202eb\nc\u00e9"


@pytest.mark.parametrize("title", ["a\\nb", "\\u001b[31ma", "a\\u202eb"])
def test_texts_of_platforms_are_one_printable_line(tmp_path: Path, title: str) -> None:
    path = tmp_path / "x.toml"
    table = read_table(path, f'title = "{title}"\n'.encode())
    with pytest.raises(PlatformError, match=r"x\.toml:1: 'title' .* one line of printable"):
        table.text("title")


def test_whole_numbers_are_bounded(tmp_path: Path) -> None:
    for number, told in ((1 << 53, None), ((1 << 53) + 1, "it must be a whole"), (10**400, "it")):
        table = read_table(tmp_path / "x.toml", f"ways = {number}\n".encode())
        if told is None:
            assert table.whole("ways") == number
            continue
        with pytest.raises(PlatformError, match=told):
            table.whole("ways")


@pytest.mark.parametrize(
    ("starts", "code", "traceback"),
    [("aesfit.__main__.main()", 130, False), ("aesfit.default_core", -signal.SIGINT, True)],
)
def test_ctrl_c_while_the_package_is_imported_ends_the_command_alone(
    starts: str, code: int, traceback: bool, tmp_path: Path
) -> None:
    """As if it came with the first module that the package needs."""
    script = tmp_path / "aesfit"
    script.write_text(
        "import os, signal, sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'aesfit._native':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Stop())\n"
        "import aesfit.__main__\n"
        f"{starts}\n",
        encoding="utf-8",
    )
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (code, "")
    assert (run.stderr != "") == traceback
    assert not traceback or "KeyboardInterrupt" in run.stderr


def test_ctrl_c_while_python_starts_is_quiet(tmp_path: Path) -> None:
    """As if it came while the command line is imported."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'aesfit.cli':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stop())\n",
        encoding="utf-8",
    )
    run = subprocess.run(
        [sys.executable, "-m", "aesfit", "cores"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "")

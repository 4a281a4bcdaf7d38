# SPDX-License-Identifier: MIT
"""What happens on a terminal: the passphrase is asked for and not shown, warnings, the bar."""

import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from crypt_runs import IV, QUICKLY, done, key_file, names, pattern

FIRST, AGAIN = "Passphrase: ", "The same again: "
ON_A_TERMINAL = """
import os, sys
os.open(sys.argv[1], os.O_RDWR)  # becomes the terminal of the session
os.execv(sys.executable, [sys.executable, "-m", "aesfit", *sys.argv[2:]])
"""


@dataclass
class Terminal:
    """A terminal, and all that was shown on it."""

    master: int
    slave: int
    shown: str = ""
    _open: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(
        self, *arguments: object, seen: tuple[str, ...] = (), stdin: int = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        """Run aesfit in a session of this terminal; `seen` says which streams it is."""
        running = subprocess.Popen(
            [sys.executable, "-c", ON_A_TERMINAL, os.ttyname(self.slave), *map(str, arguments)],
            stdin=stdin,
            stdout=self.slave if "stdout" in seen else subprocess.PIPE,
            stderr=self.slave if "stderr" in seen else subprocess.PIPE,
            start_new_session=True,
        )
        self._open.append(running)
        return running

    def until(self, text: str) -> None:
        """Wait until this has been shown."""
        while text not in self.shown:
            self.shown += os.read(self.master, 4096).decode(errors="replace")

    def answer(self, prompt: str, text: str) -> None:
        """Wait for a prompt, then type."""
        self.until(prompt)
        os.write(self.master, text.encode())

    def rest(self) -> str:
        """All that was shown until the program ended."""
        for running in self._open:
            running.wait()
        os.write(self.slave, b"\0")
        self.until("\0")
        return self.shown

    def close(self) -> None:
        for running in self._open:
            running.kill()
            with running:
                pass
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal(*pty.openpty())
    yield opened
    opened.close()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain").write_bytes(b"text")
    return tmp_path


def told(running: subprocess.Popen[bytes]) -> str:
    return running.communicate()[1].decode()


def test_a_passphrase_there_and_back(terminal: Terminal, here: Path) -> None:
    """Never shown; asked for twice, then once."""
    sealing = terminal.start("encrypt", "plain", *QUICKLY)
    terminal.answer(FIRST, "correct hörse\n")
    terminal.answer(AGAIN, "correct hörse\n")
    assert told(sealing) == ""
    assert sealing.returncode == 0
    (here / "words").write_text("correct hörse", encoding="utf-8")
    opening = terminal.start("decrypt", "plain.aesfit", "-o", "again")
    terminal.until(AGAIN + "\r\n" + FIRST)
    os.write(terminal.master, "correct hörse\n".encode())
    assert told(opening) == ""
    assert opening.returncode == 0
    assert (here / "again").read_bytes() == b"text"
    shown = terminal.rest()
    assert "hörse" not in shown
    assert shown.count(FIRST) == 2
    assert shown.count(AGAIN) == 1
    reading = terminal.start("decrypt", "plain.aesfit", "-o", "-", "--passphrase-file", "words")
    assert reading.communicate()[0] == b"text"


def test_the_terminal_is_asked_when_standard_input_is_the_data(
    terminal: Terminal, here: Path
) -> None:
    running = terminal.start("encrypt", "-", "-o", "sealed", *QUICKLY, stdin=subprocess.PIPE)
    terminal.answer(FIRST, "correct horse\n")
    terminal.answer(AGAIN, "correct horse\n")
    assert running.communicate(pattern(200_000))[1] == b""
    opening = terminal.start("decrypt", "sealed", "-o", "-")
    terminal.until(AGAIN + "\r\n" + FIRST)
    os.write(terminal.master, b"correct horse\n")
    assert opening.communicate()[0] == pattern(200_000)


@pytest.mark.parametrize(
    ("first", "again", "sentence"),
    [
        ("one secret\n", "another one\n", "the two passphrases differ; nothing was encrypted"),
        ("\n", None, "the passphrase is empty"),
        ("\x04", None, "no passphrase was given"),
        ("one secret\n", "\x04", "no passphrase was given"),
    ],
)
def test_passphrases_that_are_refused(
    first: str, again: str | None, sentence: str, terminal: Terminal, here: Path
) -> None:
    running = terminal.start("encrypt", "plain")
    terminal.answer(FIRST, first)
    if again is not None:
        terminal.answer(AGAIN, again)
    said = told(running)
    assert running.returncode == 1
    assert sentence in said
    assert said.count("\n") == 1
    assert names(here) == ["plain"]


def test_a_wrong_passphrase(terminal: Terminal, here: Path) -> None:
    sealing = terminal.start("encrypt", "plain", *QUICKLY)
    terminal.answer(FIRST, "correct horse\n")
    terminal.answer(AGAIN, "correct horse\n")
    sealing.communicate()
    running = terminal.start("decrypt", "plain.aesfit", "-o", "again")
    terminal.until(AGAIN + "\r\n" + FIRST)
    os.write(terminal.master, b"wrong horse\n")
    assert told(running) == "aesfit: plain.aesfit: the passphrase is wrong\n"
    assert running.returncode == 1
    assert names(here) == ["plain", "plain.aesfit"]


def test_a_short_passphrase_is_warned_of(terminal: Terminal, here: Path) -> None:
    running = terminal.start("encrypt", "plain")
    terminal.answer(FIRST, "horse\n")
    terminal.answer(AGAIN, "horse\n")
    assert "guessed quickly" in told(running)
    assert running.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_at_the_prompt(number: signal.Signals, terminal: Terminal, here: Path) -> None:
    """The terminal shows again what is typed."""
    running = terminal.start("encrypt", "plain")
    terminal.until(FIRST)
    if number == signal.SIGINT:
        os.write(terminal.master, b"\x03")
    else:
        running.send_signal(number)
    assert f"stopped by {number.name}" in told(running)
    assert running.returncode == -number
    assert termios.tcgetattr(terminal.slave)[3] & termios.ECHO
    assert names(here) == ["plain"]


def test_without_a_terminal_the_options_are_named(here: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "aesfit", "encrypt", "plain"],
        input=b"correct horse\ncorrect horse\n",
        capture_output=True,
        check=False,
        start_new_session=True,
    )
    assert result.returncode == 1
    assert result.stderr.startswith(b"aesfit: there is no terminal to ask for the passphrase; give")
    assert names(here) == ["plain"]


def test_nothing_is_asked_when_nothing_can_be_done(terminal: Terminal, here: Path) -> None:
    (here / "plain.aesfit").write_bytes(b"old")
    for arguments in (["plain"], ["gone"], ["plain", "--core", "none"]):
        running = terminal.start("encrypt", *arguments)
        assert running.wait() in (1, 2)
    assert terminal.rest() == "\0"


RAW = ("--raw", "--key-file", "key")


@pytest.mark.parametrize(
    ("verb", "options", "warning"),
    [
        ("encrypt", [*RAW, "--mode", "ecb"], "ecb: equal blocks of 16 bytes stay equal"),
        ("encrypt", [*RAW, "--mode", "ctr", "--iv", IV.hex()], "nothing detects a change"),
        ("decrypt", [*RAW, "--mode", "ctr", "--iv", IV.hex()], "nothing detects a change"),
        ("encrypt", [*RAW, "--mode", "ecb", "--quiet"], None),
        ("encrypt", ["--key-file", "key"], None),
    ],
)
def test_warnings_are_for_terminals(
    verb: str, options: list[str], warning: str | None, terminal: Terminal, here: Path
) -> None:
    key_file(here)
    source = "plain" if verb == "encrypt" else "plain.enc"
    (here / source).write_bytes(b"text")
    terminal.start(verb, *options, source, "-o", "one", seen=("stderr",)).communicate()
    shown = terminal.rest()
    assert ("aesfit: warning: " in shown) == (warning is not None)
    assert warning is None or warning in " ".join(shown.split())
    assert done(verb, *options, source, "-o", "two").stderr == ""
    assert (here / "one").stat().st_size == (here / "two").stat().st_size


def test_the_bar_shows_bytes_rate_and_time_left(terminal: Terminal, here: Path) -> None:
    """While the data still come, from a pipe of unknown length and from a file."""
    key_file(here)
    running = terminal.start(
        *("encrypt", "-", "-o", "sealed", "--key-file", "key"),
        seen=("stderr",),
        stdin=subprocess.PIPE,
    )
    assert running.stdin is not None
    os.write(running.stdin.fileno(), bytes(600_000))
    terminal.until("/s")
    assert "encrypting standard input" in terminal.shown
    running.communicate()
    os.mkfifo("pipe")
    terminal.start("decrypt", "sealed", "-o", "pipe", "--key-file", "key", seen=("stderr",))
    with Path("pipe").open("rb") as pipe:
        pipe.read(300_000)
        terminal.until("decrypting sealed")
        terminal.until("/600.2")
        terminal.until("0:00:")
        pipe.read()
    shown = terminal.rest()
    assert "Traceback" not in shown


def test_quiet_shows_nothing(terminal: Terminal, here: Path) -> None:
    key_file(here)
    terminal.start("encrypt", "plain", "-q", "--key-file", "key", seen=("stdout", "stderr"))
    assert terminal.rest() == "\0"
    assert (here / "plain.aesfit").exists()


def test_ciphertext_is_not_for_a_terminal(terminal: Terminal, here: Path) -> None:
    key_file(here)
    running = terminal.start("encrypt", "plain", "-o", "-", "--key-file", "key", seen=("stdout",))
    said = told(running)
    assert running.returncode == 2
    assert "ciphertext cannot go to a terminal" in " ".join(said.replace("│", " ").split())
    assert terminal.rest() == "\0"

# SPDX-License-Identifier: MIT
"""Runs of `aesfit encrypt` and `aesfit decrypt`, in this process or as programs of their own."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from click.testing import CliRunner, Result

from aesfit.cli import app

KEY = bytes(range(32))
IV = bytes(range(16, 32))
SIZES = (0, 1, 16, 17, 131072, 300001)
"""Nothing, parts of blocks, whole blocks, chunks of the container and of the raw modes."""
QUICKLY = ("--kdf-cost", "15")
"""The lowest cost of a passphrase, where a test is about something else."""
AESFIT = [sys.executable, "-m", "aesfit"]
_AS_NOBODY = """
import os, sys
from click.testing import CliRunner
from aesfit.cli import app, main
CliRunner().invoke(app, sys.argv[1:3])  # imports what nobody may read
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
main()
"""


def pattern(size: int) -> bytes:
    """Bytes that differ from block to block and chunk to chunk."""
    return b"".join(number.to_bytes(4, "big") for number in range(-(-size // 4)))[:size]


def run(*arguments: object) -> Result:
    """In this process."""
    return CliRunner().invoke(app, [str(one) for one in arguments])


def done(*arguments: object) -> Result:
    """In this process, and it must succeed."""
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    return result


def program(
    *arguments: object, data: bytes = b"", stdout: IO[bytes] | int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    """As a program of its own, without a terminal; `data` comes through standard input."""
    return subprocess.run(
        [*AESFIT, *map(str, arguments)],
        input=data,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        start_new_session=True,
    )


def as_nobody(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    """As a user without privileges."""
    return subprocess.run(
        [sys.executable, "-c", _AS_NOBODY, *map(str, arguments)],
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def openssl(*arguments: object, data: bytes = b"") -> bytes:
    """What the program openssl says."""
    return subprocess.run(
        ["openssl", *map(str, arguments)], input=data, capture_output=True, check=True
    ).stdout


def key_file(folder: Path, key: bytes = KEY) -> Path:
    path = folder / "key"
    path.write_text(key.hex() + "\n", encoding="ascii")
    return path


def names(folder: Path) -> list[str]:
    """All below a folder, hidden ones too."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@contextmanager
def open_to_all() -> Iterator[Path]:
    """A folder that user `nobody` can use, with a key file; pytest's folders are private."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        key_file(folder).chmod(0o644)
        yield folder

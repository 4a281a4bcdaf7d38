# SPDX-License-Identifier: MIT
"""Reads passphrases and keys: from the terminal, a file or an environment variable."""

import getpass
import os
import re
from pathlib import Path

import click

from ..files.output import named
from ..files.secret import (
    LEAST_KEY_BYTES,
    MAX_KEY_FILE_BYTES,
    KeyBytes,
    Passphrase,
    Secret,
    key_in_file,
)
from .crypt_options import CryptRequest

_HEX = re.compile("[0-9A-Fa-f]*")
AES_DIGITS = (32, 48, 64)
_SHORT = 8
"""Characters; a shorter passphrase is guessed soon, whatever derives the key."""
KEY_SEEN = (
    "warning: --key can be seen in the list of processes and in the shell's history; "
    "--key-file cannot"
)


def secret_given(asked: CryptRequest, warn: bool) -> Secret:
    """The secret of a call; without an option the user is asked, twice before encryption."""
    digits = AES_DIGITS if asked.form.raw else ()
    if asked.secret.key is not None:
        click.echo(f"aesfit: {KEY_SEEN}", err=True)
        return KeyBytes(from_hex(asked.secret.key, "--key", digits))
    if asked.secret.key_env is not None:
        value = os.environ.get(asked.secret.key_env)
        if value is None:
            raise ValueError(f"there is no environment variable {asked.secret.key_env}")
        return KeyBytes(from_hex(value.strip(), f"--key-env {asked.secret.key_env}", digits))
    if asked.secret.key_file is not None:
        return _from_key_file(asked, warn)
    if asked.secret.passphrase_file is not None:
        text = _first_line(_content(asked.secret.passphrase_file))
        if not text:
            raise ValueError(
                f"{asked.secret.passphrase_file}: the first line, the passphrase, is empty"
            )
    else:
        text = _asked_for(twice=asked.encrypt)
    if warn and asked.encrypt and len(text) < _SHORT:
        click.echo(
            f"aesfit: warning: under {_SHORT} letters a passphrase is guessed quickly", err=True
        )
    return Passphrase(text)


def from_hex(text: str, option: str, digits: tuple[int, ...] = ()) -> bytes:
    """Parse hex from an option: of the given digits, or enough for a container's key.

    The usage error does not repeat what may be a secret.
    """
    enough = len(text) in digits if digits else len(text) >= 2 * LEAST_KEY_BYTES
    if _HEX.fullmatch(text) and enough and len(text) % 2 == 0:
        return bytes.fromhex(text)
    *most, last = digits or (2 * LEAST_KEY_BYTES,)
    takes = f"{', '.join(map(str, most))}{' or ' if most else ''}{last}"
    raise click.BadParameter(
        f"it takes {takes} hexadecimal digits{'' if digits else ' or more, of an even number'}; "
        f"this is another text, of {len(text)} characters",
        param_hint=option,
    )


def _from_key_file(asked: CryptRequest, warn: bool) -> KeyBytes:
    content = _content(str(asked.secret.key_file))
    try:
        key = key_in_file(content, aes=asked.form.raw)
    except ValueError as error:
        raise ValueError(f"{asked.secret.key_file}: {error}") from None
    if warn and asked.encrypt and key.value == content and _is_text(content):
        click.echo(
            f"aesfit: warning: {asked.secret.key_file} holds text, which is taken as a key as it "
            "is; give a passphrase with --passphrase-file",
            err=True,
        )
    return key


def _is_text(content: bytes) -> bool:
    try:
        return all(one.isprintable() or one.isspace() for one in content.decode())
    except UnicodeDecodeError:
        return False


def _content(path: str) -> bytes:
    """Read a small file, or a pipe, as shells make for <(command)."""
    with named(path), Path(path).open("rb") as stream:
        content = stream.read(MAX_KEY_FILE_BYTES + 1)
    if len(content) > MAX_KEY_FILE_BYTES:
        raise ValueError(f"{path} is longer than {MAX_KEY_FILE_BYTES} bytes; is it the right file?")
    return content


def _first_line(content: bytes) -> bytes:
    """The first line, as openssl's -pass file: reads it; Windows line ends count too."""
    return content.split(b"\n", 1)[0].removesuffix(b"\r")


def _asked_for(*, twice: bool) -> bytes:
    """Ask on the terminal itself, which need not be standard input; typing is not shown."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        raise ValueError(
            "there is no terminal to ask for the passphrase; give --passphrase-file, --key-file or "
            "--key-env"
        ) from None
    text = _line("Passphrase: ")
    if not text:
        raise ValueError("the passphrase is empty; nothing was done")
    if twice and _line("The same again: ") != text:
        raise ValueError("the two passphrases differ; nothing was encrypted")
    return text


def _line(prompt: str) -> bytes:
    try:
        return getpass.getpass(prompt).encode()
    except EOFError:
        raise ValueError("no passphrase was given; nothing was done") from None
    except UnicodeError:
        raise ValueError("the passphrase is not UTF-8; nothing was done") from None

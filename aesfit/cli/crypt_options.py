# SPDX-License-Identifier: MIT
"""Options of `aesfit encrypt` and `aesfit decrypt`, and their valid combinations."""

from dataclasses import dataclass
from typing import Annotated

import click

from ..files.secret import LOG_COSTS
from .declared import Argument, Option

Inputs = Annotated[
    list[str],
    Argument(metavar="FILE", help="Files and folders, or - for standard input."),
]


@dataclass(frozen=True)
class SecretOptions:
    """Passphrase or key.  Without these options a passphrase is asked for."""

    passphrase_file: Annotated[
        str | None,
        Option(metavar="<file>", help="Use the first line of this file as the passphrase. [ask]"),
    ] = None
    key_file: Annotated[
        str | None,
        Option(
            metavar="<file>", help="Read the key from this file, in hex or as raw bytes. [none]"
        ),
    ] = None
    key_env: Annotated[
        str | None,
        Option(metavar="<name>", help="Read the key in hex from this environment variable. [none]"),
    ] = None
    key: Annotated[
        str | None,
        Option(metavar="<hex>", help="Key in hex, for tests: other users can see it. [none]"),
    ] = None

    def given(self) -> list[str]:
        """The options that give a secret."""
        values = {
            "--passphrase-file": self.passphrase_file,
            "--key-file": self.key_file,
            "--key-env": self.key_env,
            "--key": self.key,
        }
        return [name for name, value in values.items() if value is not None]


@dataclass(frozen=True)
class FormatOptions:
    """Format.  Without --raw and --openssl it is the container of aesfit."""

    core: Annotated[
        str | None,
        Option(
            metavar="<core>", help="An AES core that aesfit cores lists. [the library's choice]"
        ),
    ] = None
    raw: Annotated[
        bool,
        Option("--raw", help="Format of openssl enc -K -iv; not authenticated."),
    ] = False
    iv: Annotated[
        str | None,
        Option(metavar="<hex>", help="With --raw: IV of 32 hex digits, not for ecb. [none]"),
    ] = None
    nopad: Annotated[
        bool,
        Option("--nopad", help="Use no PKCS#7 padding in cbc and ecb."),
    ] = False
    openssl: Annotated[
        bool,
        Option("--openssl", help="Format of openssl enc -pbkdf2; not authenticated."),
    ] = False
    iterations: Annotated[
        int | None,
        Option("--iter", metavar="<n>", help="With --openssl: iterations of PBKDF2. [10000]"),
    ] = None

    kdf_cost: Annotated[
        int | None,
        Option(
            metavar="<n>",
            help="Cost of guessing the passphrase: log2 N of scrypt, 15 to 18; 18 takes 256 MiB. "
            "[17]",
            min=LOG_COSTS[0],
            max=LOG_COSTS[-1],
        ),
    ] = None

    @property
    def container(self) -> bool:
        """Whether files are containers of aesfit."""
        return not (self.raw or self.openssl)


@dataclass(frozen=True)
class RunOptions:
    """Output and run."""

    output: Annotated[
        str | None,
        Option(
            "-o",
            "--output",
            metavar="<path>",
            help="Output: a file, a folder for several, - for standard output. [beside the input]",
        ),
    ] = None
    jobs: Annotated[
        int | None,
        Option(
            "-j",
            "--jobs",
            metavar="<n>",
            help="Files processed at a time. [number of processors]",
            min=1,
            max=256,
        ),
    ] = None
    force: Annotated[bool, Option("--force", "-f", help="Replace files that exist.")] = False
    quiet: Annotated[bool, Option("-q", "--quiet", help="Print only errors and skipped files.")] = (
        False
    )


@dataclass(frozen=True)
class CryptRequest:
    """The options of one call."""

    encrypt: bool
    mode: str | None
    key_bits: int | None
    form: FormatOptions
    secret: SecretOptions


def check(asked: CryptRequest) -> None:
    """Refuse options that contradict each other, with a usage error."""
    if asked.form.raw and asked.form.openssl:
        raise click.BadParameter("--raw and --openssl are different formats; give one of them")
    secrets = asked.secret.given()
    if len(secrets) > 1:
        raise click.BadParameter(f"{' and '.join(secrets)} each give a secret; give one of them")
    form = asked.form
    for wrong, option, why in (*_misplaced(asked), *_of_secret(form, secrets), *_of_mode(asked)):
        if wrong:
            raise click.BadParameter(why, param_hint=option)


Contradiction = tuple[bool, str, str]
"""Whether the option is given, its name, and what to do instead."""


def _misplaced(asked: CryptRequest) -> list[Contradiction]:
    """Options that belong to another format."""
    form = asked.form
    reading = form.container and not asked.encrypt
    return [
        (form.iv is not None and not form.raw, "--iv", "it goes with --raw only"),
        (form.kdf_cost is not None and reading, "--kdf-cost", "decryption reads it from the file"),
        (
            form.kdf_cost is not None and not form.container,
            "--kdf-cost",
            "it goes with containers; --openssl has --iter",
        ),
        (
            form.kdf_cost is not None and bool(set(asked.secret.given()) - {"--passphrase-file"}),
            "--kdf-cost",
            "it goes with a passphrase; a key needs no slow derivation",
        ),
        (form.nopad and form.container, "--nopad", "it goes with --raw or --openssl"),
        (form.iterations is not None and not form.openssl, "--iter", "it goes with --openssl"),
        (
            reading and asked.mode is not None,
            "--mode",
            "the file contains its mode; leave it out, or add --raw or --openssl",
        ),
        (
            reading and asked.key_bits is not None,
            "--key-bits",
            "the file contains its key size; leave it out, or add --openssl",
        ),
    ]


def _of_secret(form: FormatOptions, secrets: list[str]) -> list[Contradiction]:
    """Checks of secrets that a format cannot take."""
    first = secrets[0] if secrets else ""
    by_key = first.startswith("--key")
    return [
        (form.openssl and by_key, first, "--openssl takes a passphrase, not a key"),
        (
            form.raw and not by_key,
            first or "--raw",
            "it needs a key: give --key-file, --key-env or --key",
        ),
    ]


def _of_mode(asked: CryptRequest) -> list[Contradiction]:
    """Checks of mode, key size and IV with --raw, and of padding."""
    form, mode = asked.form, asked.mode
    padded = mode in ("cbc", "ecb") or (form.openssl and mode is None)
    return [
        (form.raw and mode is None, "--raw", "it needs --mode cbc, ctr, ecb, cfb or ofb"),
        (
            form.raw and asked.key_bits is not None,
            "--key-bits",
            "with --raw the key itself determines the size; leave it out",
        ),
        (form.raw and mode == "ecb" and form.iv is not None, "--iv", "ecb has none"),
        (
            form.raw and mode not in ("ecb", None) and form.iv is None,
            "--raw",
            f"{mode} needs --iv, 16 bytes in hex",
        ),
        (form.nopad and not padded, "--nopad", "only cbc and ecb are padded; leave it out"),
    ]

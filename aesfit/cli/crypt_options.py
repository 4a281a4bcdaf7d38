# SPDX-License-Identifier: MIT
"""Options of `aesfit encrypt` and `aesfit decrypt`, and what they may say together."""

from dataclasses import dataclass
from typing import Annotated

import typer

Inputs = Annotated[
    list[str],
    typer.Argument(metavar="FILE", help="Files and folders, or - for standard input."),
]
Output = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="<path>",
        help="Output: a file, a folder for several, - for standard output.",
    ),
]
PassphraseFile = Annotated[
    str | None,
    typer.Option(metavar="<file>", help="Take the first line of the file, and ask for none."),
]
KeyFile = Annotated[
    str | None,
    typer.Option(metavar="<file>", help="Take a key, in hex or as it is, instead."),
]
KeyEnv = Annotated[
    str | None,
    typer.Option(metavar="<name>", help="Take a key in hex from an environment variable."),
]
Key = Annotated[
    str | None,
    typer.Option(metavar="<hex>", help="A key in hex, for tests: other users can see it."),
]
Core = Annotated[
    str | None, typer.Option(metavar="<core>", help="An AES core that aesfit cores lists.")
]
Raw = Annotated[
    bool,
    typer.Option("--raw", help="As openssl enc -K -iv; nothing is authenticated."),
]
Iv = Annotated[
    str | None,
    typer.Option(metavar="<hex>", help="With --raw: 32 hex digits; ecb has none."),
]
NoPad = Annotated[
    bool,
    typer.Option("--nopad", help="No PKCS#7 padding in cbc and ecb."),
]
OpenSsl = Annotated[
    bool,
    typer.Option("--openssl", help="As openssl enc -pbkdf2; nothing is authenticated."),
]
Iterations = Annotated[
    int | None,
    typer.Option("--iter", metavar="<n>", help="With --openssl: rounds of PBKDF2. [10000]"),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "-j", "--jobs", metavar="<n>", help="Files at a time. [processors]", min=1, max=256
    ),
]
Force = Annotated[bool, typer.Option("-f", "--force", help="Overwrite outputs that exist.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")]


@dataclass(frozen=True)
class Asked:
    """What the options of one call say."""

    encrypt: bool
    mode: str | None
    key_bits: int | None
    core: str | None
    raw: bool
    iv: str | None
    nopad: bool
    openssl: bool
    iterations: int | None
    passphrase_file: str | None
    key_file: str | None
    key_env: str | None
    key: str | None

    def secrets(self) -> list[str]:
        """The options that give a secret."""
        given = {
            "--passphrase-file": self.passphrase_file,
            "--key-file": self.key_file,
            "--key-env": self.key_env,
            "--key": self.key,
        }
        return [name for name, value in given.items() if value is not None]


def check(asked: Asked) -> None:
    """Refuse options that contradict each other, with a usage error."""
    if asked.raw and asked.openssl:
        raise typer.BadParameter("--raw and --openssl are two formats; give one of them")
    secrets = asked.secrets()
    if len(secrets) > 1:
        raise typer.BadParameter(f"{' and '.join(secrets)} each give a secret; give one of them")
    for wrong, option, why in _contradictions(asked, secrets):
        if wrong:
            raise typer.BadParameter(why, param_hint=option)


def _contradictions(asked: Asked, secrets: list[str]) -> list[tuple[bool, str, str]]:
    """Each with the option to blame, and what to do instead."""
    container = not (asked.raw or asked.openssl)
    reading = container and not asked.encrypt
    first = secrets[0] if secrets else ""
    by_key = first.startswith("--key")
    padded = asked.mode in ("cbc", "ecb") or (asked.openssl and asked.mode is None)
    return [
        (asked.iv is not None and not asked.raw, "--iv", "it goes with --raw only"),
        (asked.nopad and container, "--nopad", "it goes with --raw or --openssl"),
        (asked.iterations is not None and not asked.openssl, "--iter", "it goes with --openssl"),
        (
            reading and asked.mode is not None,
            "--mode",
            "the file says its mode; leave it out, or add --raw or --openssl",
        ),
        (
            reading and asked.key_bits is not None,
            "--key-bits",
            "the file says its key size; leave it out, or add --openssl",
        ),
        (asked.openssl and by_key, first, "--openssl takes a passphrase, not a key"),
        (
            asked.raw and not by_key,
            first or "--raw",
            "it takes a key: give --key-file, --key-env or --key",
        ),
        (asked.raw and asked.mode is None, "--raw", "it needs --mode cbc, ctr, ecb, cfb or ofb"),
        (
            asked.raw and asked.key_bits is not None,
            "--key-bits",
            "with --raw the key itself has the size; leave it out",
        ),
        (asked.raw and asked.mode == "ecb" and asked.iv is not None, "--iv", "ecb has none"),
        (
            asked.raw and asked.mode not in ("ecb", None) and asked.iv is None,
            "--raw",
            f"{asked.mode} needs --iv, 16 bytes in hex",
        ),
        (
            asked.nopad and not padded,
            "--nopad",
            "only cbc and ecb are padded; leave it out",
        ),
    ]

# SPDX-License-Identifier: MIT
"""`aesfit decrypt`: what `aesfit encrypt` or openssl made."""

from typing import Annotated

import typer

from .crypt import EXITS, Call, crypt
from .crypt_options import (
    Asked,
    Core,
    Force,
    Inputs,
    Iterations,
    Iv,
    Jobs,
    Key,
    KeyEnv,
    KeyFile,
    NoPad,
    OpenSsl,
    Output,
    PassphraseFile,
    Quiet,
    Raw,
)

EPILOG = f"""Examples:

\b
  Ask for the passphrase, write letter.pdf:
    aesfit decrypt letter.pdf.aesfit
  Every .aesfit file below backup, as restored/backup/...:
    aesfit decrypt backup -o restored
  A stream; its reader may get a genuine part before an error is found:
    aesfit decrypt - < src.aesfit | tar x
  Made by: openssl enc -aes-256-cbc -pbkdf2 -out letter.pdf.enc
    aesfit decrypt --openssl letter.pdf.enc
  Made by: openssl enc -aes-256-ctr -K ... -iv ...
    aesfit decrypt --raw --mode ctr --key-file k --iv 0001...0f a.bin.enc

{EXITS}"""


def command(
    inputs: Inputs,
    output: Output = None,
    passphrase_file: PassphraseFile = None,
    key_file: KeyFile = None,
    key_env: KeyEnv = None,
    key: Key = None,
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="<mode>",
            help="With --raw or --openssl: cbc, ctr, ecb, cfb, ofb. [cbc]",
        ),
    ] = None,
    key_bits: Annotated[
        int | None, typer.Option(metavar="<n>", help="With --openssl: 128, 192 or 256. [256]")
    ] = None,
    core: Core = None,
    raw: Raw = False,
    iv: Iv = None,
    nopad: NoPad = False,
    openssl: OpenSsl = False,
    iterations: Iterations = None,
    jobs: Jobs = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Decrypt files that aesfit encrypt made.

    FILE.aesfit becomes FILE, if it is genuine to its end; otherwise there is no output. The
    passphrase is asked for, unless an option gives it or a key.
    """
    asked = Asked(
        encrypt=False,
        mode=mode and mode.lower(),
        key_bits=key_bits,
        core=core,
        raw=raw,
        iv=iv,
        nopad=nopad,
        openssl=openssl,
        iterations=iterations,
        passphrase_file=passphrase_file,
        key_file=key_file,
        key_env=key_env,
        key=key,
    )
    crypt(asked, Call(inputs, output, jobs, force, quiet))

# SPDX-License-Identifier: MIT
"""`aesfit encrypt`: files into authenticated containers, or as openssl makes them."""

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
  Ask for a passphrase, write letter.pdf.aesfit:
    aesfit encrypt letter.pdf
  Every file below photos, as backup/photos/...aesfit:
    aesfit encrypt photos -o backup
  A stream:
    tar c src | aesfit encrypt - > src.aesfit
  Under a key, for programs:
    openssl rand -hex -out k 32; aesfit encrypt --key-file k *.csv
  For: openssl enc -d -aes-256-cbc -pbkdf2 -in letter.pdf.enc
    aesfit encrypt --openssl letter.pdf
  For: openssl enc -d -aes-256-ctr -K ... -iv ...
    aesfit encrypt --raw --mode ctr --key-file k --iv 0001...0f a.bin

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
            help="gcm, ccm; with --raw or --openssl cbc, ctr, ecb, cfb, ofb. [gcm; cbc]",
        ),
    ] = None,
    key_bits: Annotated[
        int | None, typer.Option(metavar="<n>", help="128, 192 or 256. [256]")
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
    """Encrypt files under a passphrase.

    FILE becomes FILE.aesfit, a container in which any change is detected; FILE itself stays. The
    passphrase is asked for, unless an option gives it or a key. An output appears whole or not at
    all.
    """
    asked = Asked(
        encrypt=True,
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

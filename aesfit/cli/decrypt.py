# SPDX-License-Identifier: MIT
"""`aesfit decrypt`: what `aesfit encrypt` or openssl made."""

from typing import Annotated

from .crypt import EXITS, Call, crypt
from .crypt_options import CryptRequest, FormatOptions, Inputs, RunOptions, SecretOptions
from .declared import Option

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
    secret: SecretOptions,
    form: FormatOptions,
    how: RunOptions,
    mode: Annotated[
        str | None,
        Option(
            metavar="<mode>",
            help="With --raw or --openssl: cbc, ctr, ecb, cfb, ofb. [cbc]",
        ),
    ] = None,
    key_bits: Annotated[
        int | None, Option(metavar="<n>", help="With --openssl: 128, 192 or 256 bits. [256]")
    ] = None,
) -> None:
    """Decrypt files that aesfit encrypt made.

    FILE.aesfit becomes FILE, if it is genuine to its end; otherwise there is no output. The
    passphrase is asked for, unless an option gives it or a key.
    """
    asked = CryptRequest(False, mode and mode.lower(), key_bits, form, secret)
    crypt(asked, Call(inputs, how))

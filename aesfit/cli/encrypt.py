# SPDX-License-Identifier: MIT
"""`aesfit encrypt`: files into authenticated containers, or as openssl makes them."""

from typing import Annotated

from .crypt import EXITS, Call, crypt
from .crypt_options import CryptRequest, FormatOptions, Inputs, RunOptions, SecretOptions
from .declared import Option

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
    secret: SecretOptions,
    form: FormatOptions,
    how: RunOptions,
    mode: Annotated[
        str | None,
        Option(
            metavar="<mode>",
            help="gcm, ccm; with --raw or --openssl cbc, ctr, ecb, cfb, ofb. [gcm; cbc]",
        ),
    ] = None,
    key_bits: Annotated[
        int | None, Option(metavar="<n>", help="Key size: 128, 192 or 256 bits. [256]")
    ] = None,
) -> None:
    """Encrypt files under a passphrase.

    FILE becomes FILE.aesfit, a container in which any change is detected; FILE itself stays. The
    passphrase is asked for, unless an option gives it or a key. An output appears whole or not at
    all.
    """
    asked = CryptRequest(True, mode and mode.lower(), key_bits, form, secret)
    crypt(asked, Call(inputs, how))

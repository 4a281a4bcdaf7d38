# SPDX-License-Identifier: MIT
"""Formats of encrypted files: the aesfit container, raw modes, and salted files of openssl.

Use seal() and unseal(); the other formats are for exchange with other programs and detect no
changes.  All work on binary file objects, pipes too, in constant memory.
"""

from .container import Options, WrongSecretError, seal, unseal
from .flow import FormatError, Progress, Sink, Source
from .openssl import SaltedOptions, decrypt_salted, encrypt_salted
from .raw import RAW_MODES, RawMode, RawOptions, decrypt_raw, encrypt_raw
from .secret import KeyBytes, Keyring, Passphrase, Scrypt, Secret, key_in_file

__all__ = [
    "RAW_MODES",
    "FormatError",
    "KeyBytes",
    "Keyring",
    "Options",
    "Passphrase",
    "Progress",
    "RawMode",
    "RawOptions",
    "SaltedOptions",
    "Scrypt",
    "Secret",
    "Sink",
    "Source",
    "WrongSecretError",
    "decrypt_raw",
    "decrypt_salted",
    "encrypt_raw",
    "encrypt_salted",
    "key_in_file",
    "seal",
    "unseal",
]

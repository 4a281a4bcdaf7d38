# SPDX-License-Identifier: MIT
"""AES for 32-bit and embedded processors: every implementation, every mode, in one library.

Data go in as any C-contiguous buffer and come out as `bytes`; nothing large is copied, and other
threads run during long calls.  See aesfit.errors for what is raised.
"""

from ._native import (
    AES,
    AESCCM,
    AESGCM,
    MODES,
    Cipher,
    CipherStream,
    cbc_mac,
    ccmp_decapsulate,
    ccmp_encapsulate,
    cmac,
    cmac_verify,
    default_core,
    key_unwrap,
    key_wrap,
    self_test,
)
from ._native import version as __version__
from .catalog import Core, Ghash, Table, cores, ghashes
from .errors import AuthenticationError, SelfTestError, UnavailableCore, UnknownCore

__all__ = [
    "AES",
    "AESCCM",
    "AESGCM",
    "MODES",
    "AuthenticationError",
    "Cipher",
    "CipherStream",
    "Core",
    "Ghash",
    "SelfTestError",
    "Table",
    "UnavailableCore",
    "UnknownCore",
    "__version__",
    "cbc_mac",
    "ccmp_decapsulate",
    "ccmp_encapsulate",
    "cmac",
    "cmac_verify",
    "cores",
    "default_core",
    "ghashes",
    "key_unwrap",
    "key_wrap",
    "self_test",
]

# SPDX-License-Identifier: MIT
"""AES for 32-bit and embedded processors: every implementation, every mode, in one library.

Data go in as any C-contiguous buffer and come out as `bytes`; nothing large is copied, and other
threads run during long calls.  See aesfit.errors for what is raised.

fit, measure, count, predict, emit and prove ask what the commands of these names ask.  Every name
is imported when it is first used: the command starts at once, and ciphers need no rigs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._native import (
        AES,
        AESCCM,
        AESGCM,
        AESGCMSIV,
        MODES,
        Cipher,
        CipherStream,
        Nonces,
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
    from .api.count import count
    from .api.emit import emit
    from .api.fit import fit
    from .api.measure import measure
    from .api.predict import predict
    from .api.prove import prove
    from .api.prove_function import prove_function
    from .catalog import Core, Ghash, Table, cores, ghashes
    from .errors import (
        ArgumentError,
        AuthenticationError,
        SelfTestError,
        UnavailableCore,
        UnknownCore,
    )
    from .rigs.rig import RigUnavailableError

__all__ = [
    "AES",
    "AESCCM",
    "AESGCM",
    "AESGCMSIV",
    "MODES",
    "ArgumentError",
    "AuthenticationError",
    "Cipher",
    "CipherStream",
    "Core",
    "Ghash",
    "Nonces",
    "RigUnavailableError",
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
    "count",
    "default_core",
    "emit",
    "fit",
    "ghashes",
    "key_unwrap",
    "key_wrap",
    "measure",
    "predict",
    "prove",
    "prove_function",
    "self_test",
]

_HOMES = {
    "RigUnavailableError": "rigs.rig",
    **dict.fromkeys(("Core", "Ghash", "Table", "cores", "ghashes"), "catalog"),
    **dict.fromkeys(("ArgumentError", "AuthenticationError", "SelfTestError"), "errors"),
    **dict.fromkeys(("UnavailableCore", "UnknownCore"), "errors"),
    **{name: f"api.{name}" for name in ("count", "emit", "fit", "measure", "predict")},
    **{name: f"api.{name}" for name in ("prove", "prove_function")},
}
"""Modules of public names; the others are the compiled extension's."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    home = import_module(f".{_HOMES.get(name, '_native')}", __name__)
    found = getattr(home, "version" if name == "__version__" else name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

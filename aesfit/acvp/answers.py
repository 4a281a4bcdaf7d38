# SPDX-License-Identifier: MIT
"""The answer to one test of a file, by its algorithm.

Names of algorithms and fields are those of NIST's ACVP JSON specifications for symmetric block
ciphers and for message authentication codes.
"""

from collections.abc import Callable, Mapping
from typing import Any

from .. import _native
from ..catalog import modes
from ..errors import AuthenticationError
from .monte_carlo import SEGMENTS, steps

Fields = Mapping[str, Any]
Answer = dict[str, Any]
_MODES = {mode.acvp: mode.called for mode in modes() if mode.acvp}
"""Confidentiality modes, by our names."""
_WRAPS = {"ACVP-AES-KW": False, "ACVP-AES-KWP": True}
"""Whether padded."""
_AEADS = ("ACVP-AES-GCM", "ACVP-AES-GMAC", "ACVP-AES-CCM")
ALGORITHMS = (*_MODES, *_AEADS, *_WRAPS, "CMAC-AES")
_DIRECTIONS = ("encrypt", "decrypt", "gen", "ver")
FAILED: Answer = {"testPassed": False}


class UnsupportedTestError(ValueError):
    """A sentence on a kind of test that the library does not support."""


def unsupported(algorithm: str, group: Fields) -> str | None:
    """Why no test of a group can be answered; None if they can."""
    kind, mode = group.get("testType", "AFT"), _MODES.get(algorithm)
    if algorithm not in ALGORITHMS:
        return f"{algorithm} is not in the library"
    if kind == "MCT" and mode not in SEGMENTS:
        return f"Monte-Carlo tests of {algorithm} are not run"
    if kind not in ("AFT", "MCT"):
        return f"tests of the type {kind} are not run"
    if group.get("direction", "encrypt") not in _DIRECTIONS:
        return "their direction is not encrypt, decrypt, gen or ver"
    if group.get("kwCipher", "cipher") != "cipher":
        return "wrapping by the inverse cipher is not in the library"
    return None


def answer(algorithm: str, group: Fields, test: Fields, core: str | None) -> Answer:
    """Answer a test: its output fields, or FAILED if the input is forged.

    UnsupportedTestError for what the library does not support; KeyError for a missing field.
    """
    if group.get("testType") == "MCT":
        return _monte_carlo(_MODES[algorithm], group, test, core)
    if algorithm in _MODES:
        return _confidential(_MODES[algorithm], group, test, core)
    if algorithm in _WRAPS:
        return _wrapped(_WRAPS[algorithm], group, test, core)
    return {"CMAC-AES": _cmac, "ACVP-AES-CCM": _ccm}.get(algorithm, _gcm)(group, test, core)


def _bytes(fields: Fields, name: str) -> bytes:
    try:
        return bytes.fromhex(fields[name])
    except ValueError:
        raise ValueError(f"{name!r} is not text of hexadecimal digits, two per byte") from None


def _whole(group: Fields, test: Fields, name: str) -> int:
    """Bytes of a length that a test or its group gives in bits."""
    bits = int(test[name] if name in test else group[name])
    if bits % 8:
        raise UnsupportedTestError(f"{name} is {bits} bits, not a whole number of bytes")
    return bits // 8


def _encrypts(group: Fields) -> bool:
    return bool(group["direction"] == "encrypt")


def _confidential(mode: str, group: Fields, test: Fields, core: str | None) -> Answer:
    for name in ("payloadLen", "dataUnitLen"):
        if test.get(name, group.get(name)) is not None:
            _whole(group, test, name)
    cipher = _native.Cipher(_bytes(test, "key"), mode, _iv(mode, group, test), core)
    if _encrypts(group):
        return {"ct": cipher.encrypt(_bytes(test, "pt")).hex()}
    return {"pt": cipher.decrypt(_bytes(test, "ct")).hex()}


def _iv(mode: str, group: Fields, test: Fields) -> bytes | None:
    """IV, counter block or tweak; a data unit's number is little-endian (IEEE 1619, 5.1)."""
    if mode == "ecb":
        return None
    if mode == "xts" and group.get("tweakMode") == "number":
        return int(test["sequenceNumber"]).to_bytes(16, "little")
    return _bytes(test, "tweakValue" if mode == "xts" else "iv")


def _monte_carlo(mode: str, group: Fields, test: Fields, core: str | None) -> Answer:
    given, made = ("pt", "ct") if _encrypts(group) else ("ct", "pt")
    iv = None if mode == "ecb" else _bytes(test, "iv")
    first = _bytes(test, given)
    if len(first) != SEGMENTS[mode]:
        raise ValueError(f"{given} has {len(first)} bytes; a call of {mode} has {SEGMENTS[mode]}")
    found = steps(mode, _bytes(test, "key"), iv, first, encrypt=_encrypts(group), core=core)
    return {
        "resultsArray": [
            {
                "key": one.key.hex(),
                **({} if one.iv is None else {"iv": one.iv.hex()}),
                given: one.given.hex(),
                made: one.made.hex(),
            }
            for one in found
        ]
    }


def _or_failed(open_it: Callable[[], Answer]) -> Answer:
    try:
        return open_it()
    except AuthenticationError:
        return FAILED


def _wrapped(padded: bool, group: Fields, test: Fields, core: str | None) -> Answer:
    key = _bytes(test, "key")
    if _encrypts(group):
        return {"ct": _native.key_wrap(key, _bytes(test, "pt"), padded, core).hex()}
    wrapped = _bytes(test, "ct")
    return _or_failed(lambda: {"pt": _native.key_unwrap(key, wrapped, padded, core).hex()})


def _cmac(group: Fields, test: Fields, core: str | None) -> Answer:
    key, data, size = _bytes(test, "key"), _bytes(test, "message"), _whole(group, test, "macLen")
    tag = _native.cmac(key, data, core, size)
    if group["direction"] == "gen":
        return {"mac": tag.hex()}
    return {"testPassed": tag == _bytes(test, "mac")}


def _ccm(group: Fields, test: Fields, core: str | None) -> Answer:
    """The tag is the end of `ct`."""
    cipher = _native.AESCCM(_bytes(test, "key"), _whole(group, test, "tagLen"), core)
    nonce, data = _bytes(test, "iv"), _bytes(test, "aad") if "aad" in test else b""
    if _encrypts(group):
        return {"ct": cipher.encrypt(nonce, _bytes(test, "pt"), data).hex()}
    sealed = _bytes(test, "ct")
    return _or_failed(lambda: {"pt": cipher.decrypt(nonce, sealed, data).hex()})


def _gcm(group: Fields, test: Fields, core: str | None) -> Answer:
    """GMAC is GCM without payload; only the verdict matters."""
    size = _whole(group, test, "tagLen")
    cipher = _native.AnyNonceGCM(_bytes(test, "key"), size, core)
    nonce, data = _bytes(test, "iv"), _bytes(test, "aad") if "aad" in test else b""
    if _encrypts(group):
        sealed = cipher.encrypt(nonce, _bytes({"pt": "", **test}, "pt"), data)
        text, tag = sealed[:-size].hex(), sealed[-size:].hex()
        return {"ct": text, "tag": tag} if "pt" in test else {"tag": tag}
    sealed = _bytes({"ct": "", **test}, "ct") + _bytes(test, "tag")
    if "ct" not in test:
        return _or_failed(lambda: {"testPassed": cipher.decrypt(nonce, sealed, data) == b""})
    return _or_failed(lambda: {"pt": cipher.decrypt(nonce, sealed, data).hex()})

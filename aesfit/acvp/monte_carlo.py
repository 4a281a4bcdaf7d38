# SPDX-License-Identifier: MIT
"""Monte-Carlo tests: 100 steps of 1000 calls, each fed with earlier outputs.

Source: NIST, AES Algorithm Validation Suite (AESAVS), 6.4; ACVP Symmetric Block Cipher Algorithm
JSON Specification, section 6.2, which asks for the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .. import _native
from ..catalog import modes

STEPS = 100
CALLS = 1000
_BLOCK = 16
SEGMENTS = {mode.called: mode.segment for mode in modes() if mode.segment}
"""Bytes of a call, by mode."""


@dataclass(frozen=True)
class MonteCarloStep:
    """The inputs of a step, and the output of its last call."""

    key: bytes
    iv: bytes | None
    given: bytes
    made: bytes


def steps(
    mode: str, key: bytes, iv: bytes | None, given: bytes, *, encrypt: bool, core: str | None = None
) -> Iterator[MonteCarloStep]:
    """Run all steps; `given` is one segment of the mode."""
    for _ in range(STEPS):
        cipher = _native.Cipher(key, mode, iv, core)
        update = (cipher.encryptor() if encrypt else cipher.decryptor()).update
        if iv is None:
            before, made = _fed_back(update, given)
            following = made
        else:
            outputs = _chained(update, iv, given)
            made, following = outputs[-1], outputs[-1 - _BLOCK // len(given)]
            before = b"".join(outputs[-2 * _BLOCK // len(given) :])
        yield MonteCarloStep(key, iv, given, made)
        tail = before + made if iv is None else before
        key = bytes(a ^ b for a, b in zip(key, tail[-len(key) :], strict=True))
        iv = None if iv is None else tail[-_BLOCK:]
        given = following


def _fed_back(update: Callable[[bytes], bytes], block: bytes) -> tuple[bytes, bytes]:
    """The last two outputs of a chain in which each output is the next input."""
    before = b""
    for _ in range(CALLS):
        before, block = block, update(block)
    return before, block


def _chained(update: Callable[[bytes], bytes], iv: bytes, given: bytes) -> list[bytes]:
    """The IV in segments, then all outputs; each input is the output one IV length earlier."""
    size = len(given)
    outputs = [iv[at : at + size] for at in range(0, _BLOCK, size)]
    feed = given
    for call in range(CALLS):
        outputs.append(update(feed))
        feed = outputs[call]
    return outputs

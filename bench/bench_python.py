# SPDX-License-Identifier: MIT
"""Time aesfit beside PyCA cryptography from Python, interleaved in one run.

Both sides are called the way their users call them: AEAD objects and single-block ciphers are made
once and kept, ciphers with an IV and CMAC take one call chain per message.  A round is a batch of
each side, in alternating order; the ratio is the median over the rounds.  Times are in microseconds
per message, and include Python's own call (about 0.03 us for the empty function below).
"""

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import cryptography
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM
from cryptography.hazmat.primitives.cmac import CMAC

import aesfit
from aesfit.rigs.host.rig import processor_name

SIZES = (16, 64, 256, 1504)  # bytes per message
BATCH_SECONDS = 0.0005
KEY = bytes(range(16))
IV = bytes(range(16))
NONCE = IV[:12]
AD = bytes(13)  # bytes, as in TLS

Call = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One mode at one message length; times in microseconds per message."""

    mode: str
    bytes: int
    ours_us: float
    peer_us: float
    ratio: float  # their time / ours: above 1, ours is faster


def gcm_calls(data: bytes) -> tuple[Call, Call]:
    """GCM under a kept key, 12-byte nonce and 13 bytes of associated data."""
    ours, peer = aesfit.AESGCM(KEY), AESGCM(KEY)
    return lambda: ours.encrypt(NONCE, data, AD), lambda: peer.encrypt(NONCE, data, AD)


def ccm_calls(data: bytes) -> tuple[Call, Call]:
    """CCM, as for GCM."""
    ours, peer = aesfit.AESCCM(KEY), AESCCM(KEY)
    return lambda: ours.encrypt(NONCE, data, AD), lambda: peer.encrypt(NONCE, data, AD)


def cbc_calls(data: bytes) -> tuple[Call, Call]:
    """CBC with a new IV per message."""
    algorithm = algorithms.AES(KEY)

    def peer() -> bytes:
        encryptor = Cipher(algorithm, modes.CBC(IV)).encryptor()
        return encryptor.update(data) + encryptor.finalize()

    return lambda: aesfit.Cipher(KEY, "cbc", IV).encrypt(data), peer


def ctr_calls(data: bytes) -> tuple[Call, Call]:
    """CTR with a new counter per message."""
    algorithm = algorithms.AES(KEY)

    def peer() -> bytes:
        encryptor = Cipher(algorithm, modes.CTR(IV)).encryptor()
        return encryptor.update(data) + encryptor.finalize()

    return lambda: aesfit.Cipher(KEY, "ctr", IV).encrypt(data), peer


def cmac_calls(data: bytes) -> tuple[Call, Call]:
    """CMAC, key given with each message."""
    algorithm = algorithms.AES(KEY)

    def peer() -> bytes:
        mac = CMAC(algorithm)
        mac.update(data)
        return mac.finalize()

    return lambda: aesfit.cmac(KEY, data), peer


def block_calls(data: bytes) -> tuple[Call, Call]:
    """One block under a kept key, whatever the length of `data`."""
    block = data[:16]
    ours = aesfit.AES(KEY)
    peer = Cipher(algorithms.AES(KEY), modes.ECB()).encryptor()  # noqa: S305 (one block)
    return lambda: ours.encrypt_block(block), lambda: peer.update(block)


MODES: dict[str, Callable[[bytes], tuple[Call, Call]]] = {
    "gcm": gcm_calls,
    "ccm": ccm_calls,
    "cbc": cbc_calls,
    "ctr": ctr_calls,
    "cmac": cmac_calls,
    "block": block_calls,
}


def batch_seconds(call: Call, count: int) -> float:
    """Seconds that `count` calls take."""
    start = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - start


def batch_count(call: Call) -> int:
    """Calls that fill a batch."""
    count = 1
    while batch_seconds(call, count) < BATCH_SECONDS:
        count *= 2
    return count


def measure(mode: str, size: int, rounds: int) -> Row:
    """Interleaved medians of one mode at one message length."""
    calls = MODES[mode](bytes(size))
    if mode != "block" and calls[0]() != calls[1]():
        raise SystemExit(f"{mode}: the results differ")
    counts = [batch_count(call) for call in calls]
    times: list[list[float]] = [[], []]
    for number in range(rounds):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            times[side].append(batch_seconds(calls[side], counts[side]) / counts[side] * 1e6)
    ratios = [peer / ours for ours, peer in zip(*times, strict=True)]
    ours_us, peer_us = (statistics.median(side) for side in times)
    ratio = statistics.median(ratios)
    return Row(mode, size, round(ours_us, 4), round(peer_us, 4), round(ratio, 3))


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--mode", choices=list(MODES), help="only this mode")
    parser.add_argument("--quick", action="store_true", help="a fifth of the rounds")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    options = parser.parse_args()
    rows = [
        measure(mode, size, 15 if options.quick else 75)
        for mode in ([options.mode] if options.mode else MODES)
        for size in (SIZES if mode != "block" else SIZES[:1])
    ]
    if options.json:
        run = {
            "version": aesfit.__version__,
            "processor": processor_name(),
            "python": platform.python_version(),
            "peer": f"cryptography {cryptography.__version__}",
            "unit": "microseconds per message",
        }
        print(json.dumps({**run, "rows": [asdict(row) for row in rows]}, indent=2))
        return
    print(f"{'mode':8}{'bytes':>6}{'aesfit us':>11}{'PyCA us':>9}{'ratio':>8}")
    for row in rows:
        print(f"{row.mode:8}{row.bytes:6}{row.ours_us:11.3f}{row.peer_us:9.3f}{row.ratio:8.2f}")
    slower = [f"{row.mode} at {row.bytes}" for row in rows if row.ratio <= 1]
    print("faster than PyCA in every row" if not slower else f"not faster: {', '.join(slower)}")


if __name__ == "__main__":
    main()

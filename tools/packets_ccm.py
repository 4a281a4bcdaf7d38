# SPDX-License-Identifier: MIT
"""CCM packets for the benches of the Verilog design aes_ccm: published, or made by the library."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import aesfit

VECTORS = Path(__file__).resolve().parent.parent / "tests" / "vectors" / "aead.txt"

MICS = range(4, 17, 2)
NONCES = range(7, 14)
"""Bytes that SP 800-38C, A.1 allows."""


@dataclass(frozen=True)
class Packet:
    """Input and output of a CCM call."""

    key: bytes
    nonce: bytes
    ad: bytes
    plain: bytes
    sealed: bytes
    """Ciphertext and MIC."""
    good: bool = True
    """The MIC is right."""

    @property
    def mic_bytes(self) -> int:
        """Bytes of the MIC."""
        return len(self.sealed) - len(self.plain)

    @property
    def headers(self) -> bytes:
        """SP 800-38C, A.2.1 and A.2.2."""
        length = len(self.plain).to_bytes(15 - len(self.nonce))
        flags = (0x40 if self.ad else 0) | (self.mic_bytes - 2) // 2 << 3 | len(length) - 1
        data = len(self.ad).to_bytes(2) + self.ad if self.ad else b""
        return bytes([flags]) + self.nonce + length + data + bytes(-len(data) % 16)

    @property
    def cipher(self) -> bytes:
        """The ciphertext without the MIC."""
        return self.sealed[: len(self.plain)]

    @property
    def mic(self) -> bytes:
        """The MIC."""
        return self.sealed[len(self.plain) :]


def sealed(key: bytes, nonce: bytes, ad: bytes, plain: bytes, mic: int) -> Packet:
    """A packet as the C library seals it."""
    return Packet(key, nonce, ad, plain, aesfit.AESCCM(key, mic).encrypt(nonce, plain, ad))


def published() -> Iterator[Packet]:
    """SP 800-38C, appendix C, and RFC 3610."""
    text = VECTORS.read_text(encoding="utf-8")
    for record in text.split("\n\n"):
        pairs = dict(line.split(" ", 1) for line in record.splitlines() if " " in line)
        if pairs.pop("mode", "") == "ccm":
            one = {name: bytes.fromhex(value) for name, value in pairs.items()}
            made = one["cipher"] + one["tag"]
            yield Packet(one["key"], one["nonce"], one["ad"], one["plain"], made)

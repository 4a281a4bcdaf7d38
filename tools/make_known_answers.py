# SPDX-License-Identifier: MIT
"""Write the self-test's known answers, computed by PyCA cryptography, into lib/src/known/.

Usage: make_known_answers.py [DIRECTORY]   (default: lib/src/known)

Everything except the answers in those headers is written by hand.  OpenSSL, used by PyCA, is
independent of aesfit; modes that it lacks are composed here from its ECB, CBC and CCM.  A test
compares the result.
"""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from cryptography.hazmat.decrepit.ciphers.modes import CFB, CFB8, OFB
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC, CTR, ECB, XTS, Mode
from cryptography.hazmat.primitives.cmac import CMAC
from cryptography.hazmat.primitives.keywrap import aes_key_wrap
from cryptography.hazmat.primitives.padding import PKCS7

FOLDER = Path(__file__).resolve().parent.parent / "lib" / "src" / "known"

TEXT = bytes(range(152))
"""lib/src/known/known.h: byte i is i; key, nonce, associated data and data are parts of it."""
IV, HEADER, DATA = TEXT[64:80], TEXT[80:104], TEXT[104:]
AD = HEADER[:20]
LONG = TEXT[80:]
"""Four blocks and a half: more than one batch of a core with two lanes."""
BLOCK = bytes(0x11 * i for i in range(16))
"""Plaintext of FIPS 197, appendix C."""

Answer = Callable[[bytes], bytes]


def crypt(key: bytes, mode: Mode, data: bytes) -> bytes:
    """Encryption under one of PyCA's modes."""
    encryptor = Cipher(AES(key), cast(CTR, mode)).encryptor()  # typed by kind
    return encryptor.update(data) + encryptor.finalize()


def ecb(key: bytes, data: bytes) -> bytes:
    """Whole blocks under the core alone."""
    return crypt(key, ECB(), data)  # noqa: S305 - a mode of the library, for study


def cbc_cs3(key: bytes, data: bytes = DATA[:40], iv: bytes = IV) -> bytes:
    """Addendum to SP 800-38A: CBC over zeros to the block's end, the last two blocks exchanged.

    For 17 bytes or more.
    """
    blocks = crypt(key, CBC(iv), data + bytes(-len(data) % 16))
    return (blocks[:-32] + blocks[-16:] + blocks[-32:-16])[: len(data)]


def cbc_mac(key: bytes) -> bytes:
    """FIPS 113: the last block of CBC under an IV of zero."""
    return crypt(key, CBC(bytes(16)), DATA)[-16:]


def pkcs7(key: bytes) -> bytes:
    """CBC over data padded as RFC 5652, 6.3."""
    padder = PKCS7(128).padder()
    return crypt(key, CBC(IV), padder.update(DATA[:40]) + padder.finalize())


def cmac(key: bytes) -> bytes:
    """SP 800-38B."""
    mac = CMAC(AES(key))
    mac.update(DATA[:40])
    return mac.finalize()


def ccmp(
    key: bytes,
    header: bytes = b"\x08\x01" + HEADER[2:],
    data: bytes = DATA[:40],
    number: bytes = bytes.fromhex("060504030201"),
) -> bytes:
    """CCMP header, data and MIC after IEEE 802.11-2012, 11.4.3, of a data frame without QoS.

    `number`: the packet number, its highest byte first.
    """
    # Frame control less what retransmission changes, with Protected; the fragment's number alone.
    ad = bytes((header[0] & 0x8F, header[1] & 0xC7 | 0x40)) + header[4:22]
    ad += bytes((header[22] & 0x0F, 0))
    nonce = bytes(1) + header[10:16] + number
    low_to_high = number[::-1]
    before = low_to_high[:2] + b"\x00\x20" + low_to_high[2:]  # key 0, extended IV
    return before + AESCCM(key, 8).encrypt(nonce, data, ad)


ANSWERS: Mapping[str, Answer] = {
    "block": lambda key: ecb(key, BLOCK),
    "ecb": lambda key: ecb(key, DATA),
    "cbc": lambda key: crypt(key, CBC(IV), DATA),
    "cbc_mac": cbc_mac,
    "cmac": cmac,
    "ccm": lambda key: AESCCM(key, 8).encrypt(IV[:13], DATA[:40], AD),
    "pkcs7": pkcs7,
    "cbc_cs3": cbc_cs3,
    "ctr": lambda key: crypt(key, CTR(b"\xff" * 16), LONG),
    "cfb": lambda key: crypt(key, CFB(IV), DATA[:40]),
    "cfb8": lambda key: crypt(key, CFB8(IV), DATA[:40]),
    "ofb": lambda key: crypt(key, OFB(IV), DATA[:40]),
    "xts": lambda key: crypt(key, XTS(IV), LONG),
    "gcm": lambda key: AESGCM(key).encrypt(IV[:12], LONG, AD),
    "kw": lambda key: aes_key_wrap(key, DATA[:40]),
    "ccmp": ccmp,
}
"""By file name."""

_KEY_BYTES = {"xts": (32, None, 64), "ccmp": (16, None, None)}
"""Bytes of keys for the three sizes, if not 16, 24 and 32."""


_PER_LINE = {16: 15, 40: 14, 48: 12, 56: 14, 72: 15, 88: 15}
"""Bytes of an answer -> bytes per line, as clang-format lays them out."""


def rows(mode: str) -> str:
    """The answers for each key size, compiled only if the size is built."""
    lines = []
    for size, key_bytes in enumerate(_KEY_BYTES.get(mode, (16, 24, 32))):
        if key_bytes is None:
            continue
        cells = [f"0x{byte:02x}" for byte in ANSWERS[mode](TEXT[:key_bytes])]
        lines.append(f"#if (AESFIT_BOUND_KEY_SIZES & {1 << size}) != 0")
        step = _PER_LINE[len(cells)]
        parts = [", ".join(cells[at : at + step]) for at in range(0, len(cells), step)]
        lines += ["    {" + ",\n     ".join(parts) + "},", "#endif"]
    return "\n".join(lines)


def filled(mode: str, text: str) -> str:
    """The header's text with its answers."""
    form = rf"(known_{mode}_answers\[\]\[\d+\] = {{)[^;]*(}};)"
    return re.sub(form, lambda found: f"{found[1]}\n{rows(mode)}\n{found[2]}", text, count=1)


def main() -> None:
    """Fill in every header of the folder named on the command line."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for mode in ANSWERS:
        path = folder / f"{mode}.h"
        path.write_text(filled(mode, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()

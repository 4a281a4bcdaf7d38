# SPDX-License-Identifier: MIT
"""Write the self-test's known answers, computed by PyCA cryptography, into lib/src/known/.

Usage: make_known_answers.py [DIRECTORY]   (default: lib/src)

Everything except the answers in those headers is written by hand.  In self_test.c the headers that
it includes and the calls of the modes are written too, from the register of modes.  OpenSSL, used
by PyCA, is independent of aesfit; modes that it lacks are composed here from its ECB, CBC and CCM.
A test compares the result.
"""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from cryptography.hazmat.decrepit.ciphers.modes import CFB, CFB8, OFB
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESGCMSIV
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC, CTR, ECB, XTS, Mode
from cryptography.hazmat.primitives.cmac import CMAC
from cryptography.hazmat.primitives.keywrap import aes_key_wrap
from cryptography.hazmat.primitives.padding import PKCS7

from aesfit.catalog import Mode as RegisteredMode
from aesfit.catalog import modes

FOLDER = Path(__file__).resolve().parent.parent / "lib" / "src"
SELF_TEST = "self_test.c"

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
    "gcm_siv": lambda key: AESGCMSIV(key).encrypt(IV[:12], LONG, AD),
    "kw": lambda key: aes_key_wrap(key, DATA[:40]),
    "ccmp": ccmp,
}
"""By file name."""

_MODES = {mode.name: mode for mode in modes()}


def key_bytes(name: str) -> tuple[int | None, ...]:
    """Bytes of a mode's keys for the three sizes; None for what it does not take."""
    if name not in _MODES:
        return (16, 24, 32)
    mode = _MODES[name]
    return tuple(
        bits // 8 * mode.keys if bits in mode.key_bits else None for bits in (128, 192, 256)
    )


_PER_LINE = {16: 15, 40: 14, 48: 12, 56: 14, 72: 15, 88: 15}
"""Bytes of an answer -> bytes per line, as clang-format lays them out."""


def rows(mode: str) -> str:
    """The answers for each key size, compiled only if the size is built."""
    lines = []
    for size, of_key in enumerate(key_bytes(mode)):
        if of_key is None:
            continue
        cells = [f"0x{byte:02x}" for byte in ANSWERS[mode](TEXT[:of_key])]
        lines.append(f"#if (AESFIT_BOUND_KEY_SIZES & {1 << size}) != 0")
        step = _PER_LINE[len(cells)]
        parts = [", ".join(cells[at : at + step]) for at in range(0, len(cells), step)]
        lines += ["    {" + ",\n     ".join(parts) + "},", "#endif"]
    return "\n".join(lines)


def filled(mode: str, text: str) -> str:
    """The header's text with its answers."""
    form = rf"(known_{mode}_answers\[\]\[\d+\] = {{)[^;]*(}};)"
    return re.sub(form, lambda found: f"{found[1]}\n{rows(mode)}\n{found[2]}", text, count=1)


def call(mode: RegisteredMode) -> str:
    """What the self-test does with a mode, for the sizes of key that it takes."""
    sizes = [bits // 8 for bits in mode.key_bits]
    left_out = [one for one in (16, 24, 32) if one not in sizes]
    some = f"key_bytes == {sizes[0]}" if len(sizes) == 1 else ""
    some = some or " && ".join(f"key_bytes != {one}" for one in left_out)
    name = mode.name
    return (
        f"#ifndef AESFIT_WITHOUT_{name.upper()}\n"
        f"    if ({some + ' && ' if some else ''}!known_{name}(core, key_bytes, text))\n"
        f'        return "{name}";\n'
        "#endif\n"
    )


def self_test(text: str) -> str:
    """self_test.c with its includes and its calls, in the order of the register."""
    headers = "".join(f'#include "known/{name}.h"\n' for name in sorted((*_MODES, "block")))
    calls = "".join(map(call, _MODES.values()))
    text = re.sub(r'(?:#include "known/\w+\.h"\n)+', headers, text, count=1)
    return re.sub(r"(?:#ifndef AESFIT_WITHOUT_\w+\n(?:  .*\n)+#endif\n)+", calls, text, count=1)


def written(folder: Path) -> Mapping[Path, str]:
    """Every file below `folder`, with what it should hold."""
    found = {}
    for mode in ANSWERS:
        path = folder / "known" / f"{mode}.h"
        found[path] = filled(mode, path.read_text(encoding="utf-8"))
    path = folder / SELF_TEST
    return {**found, path: self_test(path.read_text(encoding="utf-8"))}


def main() -> None:
    """Write the files of the folder named on the command line."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for path, text in written(folder).items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

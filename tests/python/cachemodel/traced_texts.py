# SPDX-License-Identifier: MIT
"""Table code that is not AES, compiled for an emulated processor, and its constants."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from places import ROOT

from aesfit.cachemodel.traced.sampling import TracedFunction
from aesfit.counting.arguments import parse, parse_varied
from aesfit.counting.count import count
from aesfit.platforms.platform import Platform

TEXTS = Path(__file__).with_name("texts")
SM4_SBOX = bytes.fromhex(
    "d690e9fecce13db716b614c228fb2c052b679a762abe04c3aa44132649860699"
    "9c4250f491ef987a33540b43edcfac62e4b31ca9c908e89580df94fa758f3fa6"
    "4707a7fcf37317ba83593c19e6854fa8686b81b27164da8bf8eb0f4b70569d35"
    "1e240e5e6358d1a225227c3b01217887d40046579fd327524c3602e7a0c4c89e"
    "eabf8ad240c738b5a3f7f2cef96115a1e0ae5da49b341a55ad933230f58cb1e3"
    "1df6e22e8266ca60c02923ab0d534e6fd5db3745defd8e2f03ff6a726d6c5b51"
    "8d1baf92bbddbc7f11d95c411f105ad80ac13188a5cd7bbd2d74d012b8e5b4b0"
    "8969974a0c96777e65b9f109c56ec68418f07dec3adc4d2079ee5f3ed7cb3948"
)
"""GB/T 32907-2016."""
CAMELLIA_SBOX = bytes.fromhex(
    "70822cecb327c0e5e4855735ea0cae4123ef6b934519a521ed0e4f4e1d6592bd"
    "86b8af8f7ceb1fce3e30dc5f5ec50b1aa6e139cad5475d3dd9015ad651566c4d"
    "8b0d9a66fbccb02d74122b20f0b18499df4ccbc2347e76056db7a931d11704d7"
    "14583a61de1b111c320f9c165318f222fe44cfb2c3b57a912408e8a860fc6950"
    "aad0a07da1896297545b1e95e0ff64d210c40048a3f775db8a03e6da093fdd94"
    "875c8302cd4a90337367f6f39d7fbfe2529bd826c837c63b81966f4b13be632e"
    "e979a78c9f6ebc8e29f5f9b62ffdb4597898066ae74671bad425ab4288a28dfa"
    "7207b955f8eeac0a36492a683c38f1a44028d37bbbc943c115e3adf477c7809e"
)
"""RFC 3713, section 2.4.1."""
_SIGMA = (
    0xA09E667F3BCC908B,
    0xB67AE8584CAA73B2,
    0xC6EF372FE94F82BE,
    0x54FF53A5F1D36F1C,
)


def compiled(platform: Platform, folder: Path, *names: str) -> tuple[Path, ...]:
    """Objects of the texts of those names."""
    (folder / "tables.h").write_text(_tables())
    compiler, found = platform.compiler, []
    for name in names:
        found.append(folder / f"{name}.o")
        words = [compiler.command, *compiler.target, *compiler.optimise, "-ffreestanding"]
        words += [f"-I{folder}", f"-I{ROOT / 'lib/src'}", f"-I{ROOT / 'lib/include'}"]
        subprocess.run([*words, "-c", TEXTS / f"{name}.c", "-o", found[-1]], check=True)
    return tuple(found)


def _rotated(x: int, left: int, bits: int) -> int:
    return (x << left | x >> (bits - left)) & (1 << bits) - 1


def _tables() -> str:
    """A header with the constants that the texts take."""
    sm4 = [s << 24 for s in SM4_SBOX]
    mixed = [
        s ^ _rotated(s, 2, 32) ^ _rotated(s, 10, 32) ^ _rotated(s, 18, 32) ^ _rotated(s, 24, 32)
        for s in sm4
    ]
    camellia = [
        [one * column for one in boxes]
        for boxes, column in zip(
            _boxes(), (0x01010100, 0x00010101, 0x01000101, 0x01010001), strict=True
        )
    ]
    lines = [
        f"static const uint8_t sm4_sbox[256] = {_list(SM4_SBOX)};",
        f"static const uint32_t sm4_words[256] = {_list(mixed)};",
        f"static const uint8_t camellia_sbox[256] = {_list(CAMELLIA_SBOX)};",
        f"static const uint32_t camellia_words[4][256] = {{{','.join(map(_list, camellia))}}};",
        f"static const uint32_t crc_words[8][256] = {{{','.join(map(_list, crc_words()))}}};",
    ]
    return "\n".join(lines) + "\n"


def _list(values: Sequence[int]) -> str:
    return "{" + ",".join(f"{one:#x}u" for one in values) + "}"


def crc_words() -> list[list[int]]:
    """CRC-32 tables: each byte followed by 0 to 7 zero bytes, by the reflected polynomial."""
    first = list(range(256))
    for _ in range(8):
        first = [one >> 1 ^ (0xEDB88320 if one & 1 else 0) for one in first]
    found = [first]
    for _ in range(7):
        found.append([one >> 8 ^ first[one & 255] for one in found[-1]])
    return found


def _boxes() -> list[list[int]]:
    """Camellia's SBOX1 to SBOX4."""
    one = CAMELLIA_SBOX
    return [
        list(one),
        [_rotated(s, 1, 8) for s in one],
        [_rotated(s, 7, 8) for s in one],
        [one[_rotated(x, 1, 8)] for x in range(256)],
    ]


def _round(x: int, key: int) -> int:
    """Camellia's F."""
    boxes, bytes_ = _boxes(), (x ^ key).to_bytes(8, "big")
    t = [boxes[n][b] for n, b in zip((0, 1, 2, 3, 1, 2, 3, 0), bytes_, strict=True)]
    rows = ("134678", "124578", "123568", "234567", "12678", "23578", "34568", "14567")
    y = 0
    for row in rows:
        byte = 0
        for digit in row:
            byte ^= t[int(digit) - 1]
        y = y << 8 | byte
    return y


def camellia_subkeys(key: bytes) -> bytes:
    """In the order of use, as words of a little-endian processor (RFC 3713, section 2.2)."""
    kl = int.from_bytes(key, "big")
    high, low = kl >> 64, kl & (1 << 64) - 1
    a, b = high, low
    b ^= _round(a, _SIGMA[0])
    a ^= _round(b, _SIGMA[1])
    a, b = a ^ high, b ^ low
    b ^= _round(a, _SIGMA[2])
    a ^= _round(b, _SIGMA[3])
    ka = a << 64 | b
    halves: Mapping[str, int] = {"l": kl, "a": ka}
    order = "l0h l0l a0h a0l l15h l15l a15h a15l a30h a30l l45h l45l a45h l60l a60h a60l"
    order += " l77h l77l l94h l94l a94h a94l l111h l111l a111h a111l"
    found = b""
    for word in order.split():
        whole = _rotated(halves[word[0]], int(word[1:-1]), 128)
        half = whole >> 64 if word[-1] == "h" else whole & (1 << 64) - 1
        found += half.to_bytes(8, "little")
    return found


@dataclass(frozen=True)
class Text:
    """A function of a text, and how it is called."""

    file: str
    function: str
    arguments: tuple[str, ...]

    def asked(self, platform: Platform, folder: Path) -> TracedFunction:
        """The question of it on a platform, compiled into the folder."""
        objects = compiled(platform, folder, self.file)
        return TracedFunction(platform, objects, self.function, parse_varied(self.arguments))


def block(file: str, function: str, key: bytes) -> Text:
    """A function that takes an expanded key, a block and the place of the result."""
    return Text(file, function, (f"hex:{key.hex()}", "random:16", "out:16"))


def expanded(platform: Platform, folder: Path, file: str, function: str, key: bytes) -> bytes:
    """What a key schedule of a text leaves in its second argument, of up to 256 bytes."""
    arguments = parse((f"hex:{key.hex()}", "out:256"))
    return count(platform, compiled(platform, folder, file), function, arguments).outputs[2]

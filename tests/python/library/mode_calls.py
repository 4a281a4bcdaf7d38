# SPDX-License-Identifier: MIT
"""A mode's public functions as its description calls them, compiled for this machine."""

import ctypes
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from aesfit.building.build import include_flags
from aesfit.building.unit import unit_source
from aesfit.catalog import Mode
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

ENCRYPT, BOTH = 1, 3
ANY_KEY = {
    "RIG_KEY_BITS": "rig_key_bits",
    "RIG_DIRECTIONS": "rig_directions",
    "AESFIT_KEY_WORDS": "120",
    "AESFIT_BOUND_KEY_SIZES": "7",
    "AESFIT_BOUND_DIRECTIONS": "3",
    "AESFIT_KEYS_FOR_BOTH": "1",
}
"""In the place of the job's: every size of key, and both directions at once."""
HEADER = bytes((0x08, 0x01, *range(22)))
"""Of a data frame to the distribution system, 24 bytes (IEEE 802.11-2012, 8.2.4)."""
CCMP_HEADER, ROOM = 8, 64
_WORDS = (
    *("key", "nonce", "nonce_bytes", "ad", "ad_bytes", "out", "out_size", "data", "bytes"),
    *("tag", "tag_bytes", "out_bytes"),
)


class _RigMessage(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_size_t if name.endswith(("bytes", "size")) else ctypes.c_void_p)
        for name in _WORDS
    ]


@dataclass(frozen=True)
class Done:
    """What a call gave."""

    status: int
    out: bytes
    tag: bytes
    nonce: bytes


@dataclass(frozen=True)
class ModeCalls:
    """Calls with parts of any size; what is not given has its usual size."""

    mode: Mode
    folder: Path
    key_bits: int = 128
    directions: int = BOTH

    @cached_property
    def _library(self) -> ctypes.CDLL:
        op = "both" if self.mode.decrypt else "encrypt"
        job = Job(platform_named("x86-64"), "bytewise", 128, op, self.mode.name, 64)
        lines = [
            f"#define {words[1]} {ANY_KEY[words[1]]}" if words[1] in ANY_KEY else line
            for line in unit_source(job).splitlines()
            if len(words := [*line.split(), "", ""]) > 1
        ]
        text = "unsigned rig_key_bits, rig_directions;\n" + "\n".join(lines) + "\n"
        source, made = self.folder / "unit.c", self.folder / "unit.so"
        if not made.exists():
            source.write_text(text, encoding="utf-8")
            words = ["cc", "-std=c11", "-O0", "-shared", "-fPIC", *include_flags()]
            subprocess.run([*words, "-o", made, source], check=True)
        return ctypes.CDLL(str(made))

    def expand(self) -> tuple[int, ctypes.Array[ctypes.c_char]]:
        """The status, and the key."""
        library = self._library
        room = ctypes.c_uint32.in_dll(library, "rig_context_bytes").value
        for name, value in (("key_bits", self.key_bits), ("directions", self.directions)):
            ctypes.c_uint.in_dll(library, f"rig_{name}").value = value
        key = ctypes.create_string_buffer(room + 15)
        raw = ctypes.create_string_buffer(bytes(range(1, 1 + self.key_bits // 8 * self.mode.keys)))
        return library.rig_key_setup(key, ctypes.byref(_RigMessage(key=_at(raw)))), key

    def encrypt(
        self, plain: bytes, nonce: bytes | None = None, ad: bytes | None = None, tag: int = -1
    ) -> Done:
        """Of CCMP: behind HEADER."""
        tag_bytes = bytes(self.mode.tag if tag < 0 else tag)
        return self._call("encrypt", self._framed(plain), nonce, ad, tag_bytes)

    def decrypt(self, sealed: bytes, tag: bytes) -> Done:
        """What encrypt() gave; with the usual nonce and associated data."""
        return self._call("decrypt", sealed, None, None, tag)

    def _framed(self, plain: bytes) -> bytes:
        return HEADER + plain if self.mode.header else plain

    def _call(
        self, op: str, data: bytes, nonce: bytes | None, ad: bytes | None, tag: bytes
    ) -> Done:
        nonce = bytes(range(self.mode.nonce)) if nonce is None else nonce
        ad = bytes(range(self.mode.ad)) if ad is None else ad
        status, key = self.expand()
        assert status == 0
        buffers = {
            name: ctypes.create_string_buffer(part, len(part) + 1)
            for name, part in (("nonce", nonce), ("ad", ad), ("data", data), ("tag", tag))
        }
        buffers["out"] = ctypes.create_string_buffer(len(data) + ROOM)
        message = _RigMessage(
            **{name: _at(one) for name, one in buffers.items()},
            nonce_bytes=1 if self.mode.header else len(nonce),
            ad_bytes=len(HEADER) if self.mode.header else len(ad),
            out_size=len(data) + ROOM, bytes=len(data), tag_bytes=len(tag),
        )  # fmt: skip
        status = getattr(self._library, f"rig_{op}")(key, ctypes.byref(message))
        call = self.mode.encrypt if op == "encrypt" else self.mode.decrypt
        grows = call is not None and "&out_bytes" in call.arguments
        written = message.out_bytes if grows else 0 if self.mode.is_mac else len(data)
        return Done(
            status, buffers["out"].raw[:written], buffers["tag"].raw[: len(tag)],
            buffers["nonce"].raw[: len(nonce)],
        )  # fmt: skip


def _at(buffer: "ctypes.Array[ctypes.c_char]") -> int:
    return ctypes.addressof(buffer)

# SPDX-License-Identifier: MIT
"""Proofs of a user's own linked firmware, through the library's public functions in it.

The claim is about the bytes that are shipped: no compiler, linker or flag has to be trusted.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from ..catalog import MODES, Mode, ModeCall
from ..errors import unknown
from ..jobs.job import Job
from ..measuring.proofs import provable_by_symbol
from ..platforms.platform import Platform
from ..rigs.program import read_program
from .answer import Proof
from .calls import Calls
from .code import Code
from .collecting import uncollected
from .image import ProofImage, assumed, read_image
from .messages import Parts, Places
from .modes import MessageProof

_CONTEXT_BYTES: Final = 8192
"""More than any key or state of the library takes."""
_ENCRYPT, _DECRYPT = 1, 2
"""AESFIT_ENCRYPT and AESFIT_DECRYPT: directions that keys are expanded for."""
_NAMES: Final = {
    "in": "data",
    "bytes": "#data",
    "&out_bytes": "message",
    "out_size": "#out",
    "nonce_bytes": "#nonce",
    "ad_bytes": "#ad",
    "tag_bytes": "#tag",
}
"""Arguments of lib/src/mode.h, as Parts and Places name them; "#" is before what is given as its
length."""


def _called(call: ModeCall) -> tuple[str, tuple[str, ...]]:
    """A function behind its prefix, and its arguments behind the key."""
    return _bare(call.function), tuple(_NAMES.get(one, one) for one in call.arguments)


def _bare(function: str) -> str:
    return function.removeprefix("aesfit_")


FUNCTIONS: Final = {
    name: (mode, op, _bare(mode.set_up), arguments)
    for mode in filter(provable_by_symbol, MODES.values())
    for op, call in (("encrypt", mode.encrypt), ("decrypt", mode.decrypt))
    if call
    for name, arguments in [_called(call)]
}
"""Public functions of aesfit.h behind their prefix: mode, operation, the function that expands the
key, and the arguments after the key."""


@dataclass(frozen=True)
class PublicFunction:
    """One public function, and how it is called."""

    prefix: str
    name: str

    @property
    def mode(self) -> Mode:
        """Its mode."""
        return FUNCTIONS[self.name][0]

    @property
    def op(self) -> str:
        """Encrypt or decrypt."""
        return FUNCTIONS[self.name][1]

    def context_bytes(self, calls: Calls) -> int:
        """Room for the expanded key."""
        return _CONTEXT_BYTES

    def set_up(self, parts: Parts, at: Places) -> tuple[str, tuple[int, ...]]:
        """Function and arguments that expand the key: of the default core and multiplier."""
        function = FUNCTIONS[self.name][2]
        key = (at["key"].start, len(parts.key))
        direction = _DECRYPT if self.op == "decrypt" and self.mode.inverse else _ENCRYPT
        last = (0, *key) if self.mode.hashes else (*key, direction)
        return f"{self.prefix}_{function}", (at["context"].start, 0, *last)

    def act(self, parts: Parts, at: Places) -> tuple[str, tuple[int, ...]]:
        """Function and arguments of the message."""
        sizes = {"#out": max(parts.out_bytes, len(parts.data))}
        for name in ("nonce", "ad", "data", "tag"):
            sizes[f"#{name}"] = len(getattr(parts, name))
        words = (
            sizes[one] if one.startswith("#") else at[one].start for one in FUNCTIONS[self.name][3]
        )
        return f"{self.prefix}_{self.name}", (at["context"].start, *words)


def function_named(symbol: str) -> PublicFunction:
    """The public function that a symbol is, whatever its prefix; ValueError names them."""
    for name in sorted(FUNCTIONS, key=len, reverse=True):
        if found := re.fullmatch(rf"(\w+)_{name}", symbol):
            return PublicFunction(found[1], name)
    raise unknown("public function", symbol, [f"aesfit_{name}" for name in FUNCTIONS])


def prove_firmware(  # long: what each argument means is said in api/prove.py
    path: Path,
    platform: Platform,
    symbol: str,
    key_bits: int,
    sizes: tuple[int, ...],
    values: Mapping[str, int],
) -> list[Proof]:
    """A proof for each length; ValueError where the file, a symbol or a value will not do."""
    function, image = function_named(symbol), assumed(_image(path, platform), values)
    for name in (symbol, f"{function.prefix}_{FUNCTIONS[function.name][2]}"):
        image.symbol(name)
    with uncollected():
        found = [_proved(path, platform, function, key_bits, size, image) for size in sizes]
    told = tuple(f"{name} = {value}" for name, value in values.items())
    return [replace(one, assumed=told) for one in found]


def _proved(  # long: a proof has this many fields
    path: Path,
    platform: Platform,
    function: PublicFunction,
    key_bits: int,
    size: int,
    image: ProofImage,
) -> Proof:
    job = Job(platform, path.name, key_bits, function.op, mode=function.mode.name, bytes=size)
    shown = MessageProof(job, Code(image), function)
    return Proof(
        platform=platform.name,
        core=path.name,
        key_bits=key_bits,
        op=function.op,
        mode=function.mode.name,
        bytes=size,
        image_sha256=image.sha256,
        compiler="",
        flags="",
        constant_time=True,
        statements=(shown.equal(), *shown.independent()),
    )


def _image(path: Path, platform: Platform) -> ProofImage:
    if not path.is_file():
        raise ValueError(f"{path} is no file; name a linked ELF file")
    try:
        with path.open("rb") as stream:
            elf = ELFFile(stream)
            if elf["e_type"] != "ET_EXEC":
                raise ValueError(f"{path} is not linked at fixed addresses; link it first")
            _check_processor(elf, platform)
        return read_image(path, platform.isa, whole=True)
    except ELFError:
        raise ValueError(f"{path} is no ELF file, or a damaged one") from None


def _check_processor(elf: ELFFile, platform: Platform) -> None:
    """ValueError where the file is for another processor."""
    if platform.isa != "x86-64":
        read_program(elf, platform)
    elif elf["e_machine"] != "EM_X86_64":
        raise ValueError(f"the file is not a program for {platform.name} ({platform.isa})")

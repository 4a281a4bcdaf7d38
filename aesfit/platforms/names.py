# SPDX-License-Identifier: MIT
"""Names that platform files and jobs refer to, and the files behind them."""

from functools import cache
from pathlib import Path

from .packaged import PACKAGED
from .places import PACKAGE, project_folder

BLOCK_OPS = ("key-setup-encrypt", "key-setup-decrypt", "encrypt-block", "decrypt-block")
"""Operations of a core alone.  A block operation is one call over as many blocks as the core has
lanes; key set-up is outside its window."""

MODE_OPS = ("message", "key-setup", "encrypt", "decrypt", "both")
"""Operations of a mode.  `encrypt` and `decrypt` are one message: associated data, payload and
tag; `message` is key set-up and one encrypted message; `both` is one message encrypted, then
decrypted, and its image carries what a firmware needs that does both."""


@cache
def timing_models() -> tuple[str, ...]:
    """Names of the timing models, one for each module of rigs/emulator/timing."""
    stems = (path.stem for path in (PACKAGE / "rigs" / "emulator" / "timing").glob("*.py"))
    return tuple(sorted(stem for stem in stems if stem != "model" and stem[0] != "_"))


GIVEN = "vexriscv_4k4k"
RESIZED = {"vexriscv_1k1k": 1 << 10, "vexriscv_512k512k": 512 << 10}
"""Soft processors whose Verilog is made from that of GIVEN (rigs/rtl/soc/resized.py), and the bytes
of each of their two caches."""


@cache
def processors() -> dict[str, Path]:
    """Verilog of soft processors that is here, each in one file, by name."""
    return {path.stem: path for path in sorted(project_folder("third_party").glob("*/*.v"))}


def vendored() -> tuple[str, ...]:
    """Soft processors whose Verilog is here or is made from what is here."""
    return (*processors(), *RESIZED)


def family_of(cpu: str) -> str:
    """The folder of third_party/ that such a processor comes from."""
    return processors()[GIVEN if cpu in RESIZED else cpu].parent.name


def simulated() -> tuple[str, ...]:
    """Names that a platform file may give as `cpu`: processors whose Verilog can be had."""
    return (*vendored(), *PACKAGED)

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


@cache
def processors() -> dict[str, Path]:
    """Verilog of soft processors that is here, each in one file, by name."""
    return {path.stem: path for path in sorted(project_folder("third_party").glob("*/*.v"))}


def simulated() -> tuple[str, ...]:
    """Names that a platform file may give as `cpu`: processors whose Verilog can be had."""
    return (*processors(), *PACKAGED)

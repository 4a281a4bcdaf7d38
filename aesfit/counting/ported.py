# SPDX-License-Identifier: MIT
"""Objects that hold the harness's entry points over another library: run and priced as cores are.

A core is a function that the library's modes call; a port is a whole library of somebody else, with
its own modes, behind the few functions that a rig calls (building/firmware/harness.h).  Whoever
compiled the library wrote those functions and compiled them too: nothing is built here.
"""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from ..building.build import Image
from ..jobs.job import Job, Row
from ..rigs.firing import WrongOutputError
from .own_image import ported_image
from .own_row import row_called

_JUDGED = {1: "ttable1", 2: "fixslice"}
"""A core of ours by the blocks of one call: the rig asks it for that number, and no more."""
_CALL = "the entry points of its port"
_OWN = "rig_"
"""How names of the port's own begin, functions and variables."""


@dataclass(frozen=True)
class Port:
    """Objects of one library, compiled for one platform, for the entry points of one mode."""

    title: str
    files: tuple[Path, ...]
    blocks: int = 1
    """Blocks of one call of the block cipher."""


def port_row(job: Job, port: Port) -> Row:
    """The row of a job.

    WrongOutputError where its output differs from the library's; RuntimeError where it does not
    run; ValueError for objects that do not fit the job.
    """
    if port.blocks not in _JUDGED:
        raise ValueError(
            f"{port.title} takes {port.blocks} blocks a call; give 1 or 2, or call it in a loop"
        )
    job = replace(job, core=_JUDGED[port.blocks])
    try:
        return row_called(job, port.title, _CALL, partial(_image, port=port))
    except WrongOutputError as error:
        raise WrongOutputError(
            f"{port.title} does not compute what the library does, so it is not measured: "
            f"{str(error).partition(', ')[2]}"
        ) from None


def _image(job: Job, port: Port) -> Image:
    image = ported_image(job, port.files)
    context = image.sizes.context_bytes - _own_bytes(image.elf)
    return replace(image, sizes=replace(image.sizes, context_bytes=context))


def _own_bytes(elf: Path) -> int:
    """RAM of variables that only the port has, such as a buffer for a text and its tag together."""
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        places = {i: one.name for i, one in enumerate(file.iter_sections())}
        tables = [one for one in file.iter_sections() if isinstance(one, SymbolTableSection)]
        return sum(
            symbol["st_size"]
            for table in tables
            for symbol in table.iter_symbols()
            if symbol.name.startswith(_OWN) and places.get(symbol["st_shndx"]) in (".bss", ".data")
        )

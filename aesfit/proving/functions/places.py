# SPDX-License-Identifier: MIT
"""Instructions as messages name them, in the words of the user's own files."""

from dataclasses import dataclass
from pathlib import Path

from ..code import Code


class FunctionCode(Code):
    """Code of a user's files."""

    def where(self, address: int) -> str:
        """The place of an instruction in words."""
        return place_of(self, address).told


def shown(file: str) -> str:
    """A source file as messages name it: below this folder, or by its name alone."""
    path = Path(file)
    if path.is_relative_to(Path.cwd()):
        return str(path.relative_to(Path.cwd()))
    return str(path) if path.is_file() else path.name


@dataclass(frozen=True)
class PlaceInCode:
    """One instruction."""

    function: str
    file: str
    line: int
    address: int
    instruction: str

    @property
    def told(self) -> str:
        """In words."""
        place = f"{shown(self.file)}:{self.line}" if self.line else "no line is known"
        return f"{self.function or hex(self.address)} ({place}): {self.instruction}"


def place_of(code: Code, address: int) -> PlaceInCode:
    """An instruction by its address."""
    file, line = code.image.line(address)
    name = code.image.function(address) or _named_before(code, address)
    return PlaceInCode(name, file if line else "", line, address, code.text(address))


def _named_before(code: Code, address: int) -> str:
    """The nearest name before an address: assembly often says no more of its functions."""
    piece = code.image.piece(address)
    start = piece[0] if piece else address
    names = [
        (at & ~1, name)
        for name, at in code.image.symbols.items()
        if start <= at & ~1 <= address and name[0] not in "$."
    ]
    return max(names, default=(0, ""))[1]

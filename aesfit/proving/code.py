# SPDX-License-Identifier: MIT
"""The instructions of an image, and what messages say of each."""

from .findings import Finding, Kind, StuckError
from .image import ProofImage
from .lifter import LONGEST, Lifted, Lifter, LiftError


class Code:
    """An image with what lifts it."""

    def __init__(self, image: ProofImage) -> None:
        """Nothing is lifted yet."""
        self.image, self._lifter = image, Lifter(image.isa)
        self.registers = self._lifter.registers
        self._known: dict[int, Lifted] = {}

    def lifted(self, address: int) -> Lifted:
        """The instruction there, which is lifted once."""
        found = self._known.get(address)
        if found is None:
            found = self._known[address] = self._lifted(address)
        return found

    def _lifted(self, address: int) -> Lifted:
        piece = self.image.piece(address)
        if piece is None:
            raise StuckError(f"it runs to {address:#x}, where there is no code")
        at = address - piece[0]
        try:
            return self._lifter.lift(piece[1][at : at + LONGEST], address)
        except LiftError as error:
            raise StuckError(str(error)) from None

    def text(self, address: int) -> str:
        """The instruction there as a disassembler prints it."""
        return self.lifted(address).text

    def finding(self, kind: Kind, address: int, text: str) -> Finding:
        """A finding with its function, file and line."""
        file, line = self.image.line(address)
        return Finding(kind, address, text, self.image.function(address), file, line)

    def where(self, address: int) -> str:
        """The place of an instruction in words."""
        return self.finding("branch", address, self.text(address)).where

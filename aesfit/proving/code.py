# SPDX-License-Identifier: MIT
"""The instructions of an image, and what messages say of each."""

from contextlib import suppress

from .findings import Finding, Kind, StuckError
from .image import ProofImage
from .lifter import LONGEST, Lifted, Lifter, LiftError
from .liveness import Flags, flags_of, is_control, live
from .repeated import Pieces


class Code:
    """An image with what lifts it."""

    def __init__(self, image: ProofImage) -> None:
        """Nothing is lifted yet."""
        self.image, self._lifter = image, Lifter(image.isa)
        self.pieces = Pieces()
        """Those that ran over secrets."""
        self.registers = self._lifter.registers
        self._flags = flags_of(self.registers)
        self._known: dict[int, tuple[Lifted, Flags]] = {}
        """Instructions by address, each with the flags that may be read when it begins."""

    def lifted(self, address: int) -> Lifted:
        """The instruction there, without what it computes for nobody."""
        if address not in self._known:
            self._learn(address)
        return self._known[address][0]

    def straight(self, address: int) -> list[Lifted]:
        """The instructions from there to the next branch, which is not among them."""
        found: list[Lifted] = []
        with suppress(StuckError):  # said when the run comes there
            while not is_control(one := self.lifted(address)):
                found.append(one)
                address += one.size
        return found

    def _learn(self, address: int) -> None:
        """Lift from there to the next branch; StuckError where there is no instruction."""
        straight = [self._lifted(address)]
        while not is_control(straight[-1]):
            after = straight[-1].address + straight[-1].size
            if after in self._known:
                break
            try:
                straight.append(self._lifted(after))
            except StuckError:  # said when the run comes there
                break
        after = straight[-1].address + straight[-1].size
        _, read = self._known.get(after, (None, self._flags))
        for one, before in live(straight, read, self._flags):
            self._known[one.address] = one, before

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

# SPDX-License-Identifier: MIT
"""A board while it is in use: what is changed there is noted, and put back at the end."""

import atexit
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache

from ...platforms.boards import Board, BoardPlatform
from ...platforms.debugging import REGISTER_KINDS, Debugging, debugging_of
from .calling import register_name
from .client import BoardError, StubClient
from .counters import held
from .deadline import Clock
from .features import BoardRegister, arm_registers, riscv_registers
from .guards import (
    disable_interrupts,
    disable_mpu,
    freeze_watchdogs,
    stack_limits,
    tell,
)
from .transport import BoardLostError, SocketTransport, Transport

_PARTS = {
    "cortex-m0": 0xC20,
    "cortex-m0plus": 0xC60,
    "cortex-m3": 0xC23,
    "cortex-m4": 0xC24,
    "cortex-m7": 0xC27,
    "cortex-m33": 0xD21,
}
"""Part number in CPUID at E000_ED00h, bits 15 to 4 (ARM DDI 0432, 0484, 0337, 0439
and 0489; of Cortex-M33 100230)."""
_CPUID = 0xE000_ED00
_MASKS = (("primask", 1, 1), ("mstatus", 1 << 3, 0))
"""Register, bits of it, and their value that masks interrupts (ARM DDI 0403E, B1.4.3; RISC-V
privileged architecture 1.12, 3.1.6)."""
_CONFIRM = 16
"""Bytes at the end of the RAM that must hold what is written there."""


@dataclass(frozen=True)
class _Found:
    """What a session met and puts back."""

    registers: dict[str, int] = field(default_factory=dict)
    memory: dict[int, bytes] = field(default_factory=dict)
    """By address; the oldest content of each range."""


class BoardSession:
    """A halted target that is put back as it was by `close`."""

    def __init__(
        self, platform: BoardPlatform, transport: Transport, now: Clock = time.monotonic
    ) -> None:
        """Greet the stub and see whether the chip is the one that was named."""
        self.platform, self.board = platform, platform.board
        self.known: Debugging = debugging_of(platform.chip_name)
        self.client = _greeted(transport, platform.board.timeout_seconds, now)
        self._found = _Found()
        self._names: dict[str, BoardRegister] = {}
        self.watchdogs = "the firmware's watchdogs run on, if it started any"
        try:
            self._check_server()
            for command in self.board.monitor:
                self.client.monitor(command)
            self._names = self._registers()
            self._save_registers()
            self.state: Mapping[str, int] = held(self.client, self.known.registers)
            self.number = self._unique()
            self._check_part()
            self._check_ram()
            self._mask_interrupts()
            self._guard()
        except BoardError as error:
            self.close()
            raise BoardLostError(
                f"{self._who} cannot be examined: {error}; is it locked against debuggers?"
            ) from None
        except BaseException:
            self.close()
            raise

    # --- what is there

    def _check_server(self) -> None:
        """BoardLostError for what this server cannot do."""
        dialect = self.client.dialect
        if dialect.resumes and self.board.left == "halted":
            raise BoardLostError(
                f"{dialect.name} lets its target run when aesfit goes, so {self._who} cannot be "
                "left halted; add it without --leave halted"
            )
        threads = self.client.threads if dialect.all_cores else ()
        if len(threads) > 1:
            raise BoardLostError(
                f"the debugger of {self._who} resumes {len(threads)} cores at once, and the others "
                "would run firmware in RAM that is in use; take a server that holds them, as "
                "OpenOCD, with the port of one core"
            )

    def _registers(self) -> dict[str, BoardRegister]:
        if described := self.client.described:
            return described
        arm = self.platform.isa.startswith("armv")
        return arm_registers() if arm else riscv_registers()

    @property
    def _all_names(self) -> list[str]:
        if self.platform.isa.startswith("armv"):
            return [*(f"r{n}" for n in range(13)), "sp", "lr", "pc", "xpsr"]
        most = 16 if self.platform.isa == "rv32ec" else 32
        return [*(f"x{n}" for n in range(1, most)), "pc"]

    def _check_part(self) -> None:
        chip, core = self.platform.chip_name, self.platform.processor_name
        client = self.client
        wanted = _PARTS.get(core)
        if wanted is not None:
            part = client.word(_CPUID) >> 4 & 0xFFF
            if part != wanted:
                raise BoardLostError(
                    f"{self._who} is not a {chip}: its processor says part {part:#x}, and a "
                    f"{core} says {wanted:#x}; name the right platform: aesfit board add"
                )
        if client.is_qemu or self.known.identity is None:
            return
        identity = self.known.identity
        told = client.word(identity.address) & identity.mask
        if told and told not in identity.values:  # 0 where its clock is off
            known = " or ".join(f"{one:#x}" for one in identity.values)
            raise BoardLostError(
                f"{self._who} is not a {chip}: it identifies itself as {told:#x}, not {known}; "
                "name the right platform: aesfit board add"
            )

    @property
    def _who(self) -> str:
        return f"the board {self.board.name}"

    def _check_ram(self) -> None:
        """RAM is there and keeps what is written; else the part is locked, or another."""
        ram = self.platform.memory("ram")
        for at in (ram.start, ram.start + ram.size - _CONFIRM):
            try:
                before = self.client.read(at, _CONFIRM)
                turned = bytes(255 - one for one in before)
                self.client.write(at, turned)
                kept = self.client.read(at, _CONFIRM) == turned
                self.client.write(at, before)
            except BoardError as error:
                raise BoardLostError(
                    f"{self._who} shows no RAM at {at:#x} ({error}): either it is no "
                    f"{self.platform.chip_name}, or it is locked against debuggers"
                ) from None
            if not kept:
                raise BoardLostError(
                    f"{self._who} has no RAM at {at:#x}, where {self.platform.chip_name} has "
                    f"{ram.size} bytes from {ram.start:#x}; name the right platform, or its RAM: "
                    "--ram START:SIZE"
                )

    def settings(self) -> tuple[str, ...]:
        """How the flash is set now, in words; nothing where no register of it is known."""
        registers = [one for one in self.known.registers if one.name in self.state]
        return tuple(one.told(self.state[one.name]) for one in registers if one.kind == "flash")

    def _unique(self) -> tuple[int, ...] | None:
        """The number that this chip alone has; None where there is none, or it is not shown."""
        unique = self.known.unique
        if unique is None or self.client.is_qemu:
            return None
        try:
            words = tuple(self.client.word(address) for address in unique.words)
        except BoardError:
            return None
        return None if set(words) <= {0, 0xFFFF_FFFF} else words

    @property
    def why_not_stored(self) -> str:
        """Why a row that was measured before may be another chip's; empty where it cannot be."""
        if self.number is None:
            return f"no number of this {self.platform.chip_name} alone can be read"
        missing = [one.name for one in self.known.registers if one.name not in self.state]
        if missing:
            return f"{', '.join(missing)} cannot be read"
        kinds = {one.kind for one in self.known.registers}
        lacking = [kind for kind in REGISTER_KINDS if kind not in kinds]
        if lacking:
            return f"no register is known that tells how its {' and '.join(lacking)} is set"
        return ""

    @property
    def wait_states(self) -> int | None:
        """Of the flash, as they are set now; None where that is not known."""
        if self.known.wait_states is None or self.known.wait_states[0] not in self.state:
            return None
        name, part = self.known.wait_states
        fields = next(one.fields for one in self.known.registers if one.name == name)
        return next(one for one in fields if one.name == part).of(self.state[name])

    # --- registers

    def register(self, name: str) -> int:
        """The value of a register."""
        return self.client.register(self._place(name))

    def set_register(self, name: str, value: int) -> None:
        """Give a register a value."""
        self.client.set_register(self._place(name), value)

    def _place(self, name: str) -> BoardRegister:
        known = register_name(name, self._names)
        if known is None:
            raise BoardLostError(
                f"the debugger of {self._who} knows no register {name}; is its target a "
                f"{self.platform.chip_name}?"
            )
        return self._names[known]

    def _save_registers(self) -> None:
        for name in self._all_names:
            self._found.registers[name] = self.register(name)

    def _mask_interrupts(self) -> None:
        """Keep the firmware's handlers from running over RAM that is in use here.

        Where a stub does not describe the register, the interrupt controller does it.
        """
        isa = self.platform.isa
        if isa.startswith("armv") and isa != "armv4t" and "primask" not in self._names:
            disable_interrupts(self, isa)
        for name, bits, masked in _MASKS:
            if name in self._names:
                before = self._found.registers[name] = self.register(name)
                self.set_register(name, before & ~bits | masked)

    def _guard(self) -> None:
        """Switch off what the firmware guards itself with, and say so; all of it is put back."""
        if freeze_watchdogs(self, self.known.freeze):
            self.watchdogs = "the watchdogs stand still while the processor is halted"
        if not self.platform.isa.startswith("armv") or self.platform.isa == "armv4t":
            return
        if not self.client.is_qemu and disable_mpu(self):
            tell(f"the memory protection of {self._who} is off until the end")
        for name in stack_limits(self._names):
            limit = self.register(name)
            if limit:
                self._found.registers[name] = limit
                self.set_register(name, 0)

    # --- memory

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into RAM; what was there is kept for the end."""
        self._keep(address, len(data))
        self.client.write(address, data)

    def write_word(self, address: int, value: int) -> None:
        """Put a word into memory or into a register of a peripheral."""
        self.write(address, value.to_bytes(4, "little"))

    def write_back(self, address: int, value: int) -> None:
        """Write that word at the end."""
        self._found.memory[address] = value.to_bytes(4, "little")

    def _keep(self, address: int, size: int) -> None:
        """Remember what of the range is not remembered yet."""
        at, end = address, address + size
        for start, data in sorted(self._found.memory.items()):
            if start + len(data) <= at or start >= end:
                continue
            if at < start:
                self._remember(at, start)
            at = max(at, start + len(data))
        if at < end:
            self._remember(at, end)

    def _remember(self, start: int, end: int) -> None:
        self._found.memory[start] = self.client.read(start, end - start)

    def guard(self, address: int, size: int) -> None:
        """What code on the board is going to write there is put back at the end, too."""
        self._keep(address, size)

    # --- the end

    def close(self) -> None:
        """Put memory and registers back, leave the processor as the board says, and hang up."""
        try:
            self.client.resynchronise()
            if lost := self._put_back():
                tell(f"{self._who} could not be put back at {', '.join(lost)}; reset it")
            if self.board.left == "running":
                self.client.resume()
        except (BoardLostError, BoardError):
            pass  # there is nobody to put it back; what failed before is what is told
        finally:
            self.client.close()

    def _put_back(self) -> list[str]:
        """Write memory and registers back; where the target refuses that."""
        lost: list[str] = []
        for address, data in self._found.memory.items():
            with _noted(lost, f"{address:#x}"):
                self.client.write(address, data)
        for name, value in self._found.registers.items():
            with _noted(lost, name):
                self.set_register(name, value)
        return lost


@contextmanager
def _noted(lost: list[str], place: str) -> Iterator[None]:
    """What is refused there is noted, and the rest goes on."""
    try:
        yield
    except BoardError:
        lost.append(place)


def _greeted(transport: Transport, seconds: float, now: Clock) -> StubClient:
    try:
        return StubClient(transport, seconds, now)
    except BaseException:
        transport.close()
        raise


_OPEN: dict[Board, BoardSession] = {}
Connect = Callable[[Board], Transport]


def _socket(board: Board) -> Transport:
    return SocketTransport(board.gdb, board.timeout_seconds)


def session_of(platform: BoardPlatform, connect: Connect = _socket) -> BoardSession:
    """The board's session, opened when it is first asked for."""
    board = platform.board
    if board not in _OPEN:
        _put_back_at_exit()
        _OPEN[board] = BoardSession(platform, connect(board))
    return _OPEN[board]


@cache
def _put_back_at_exit() -> None:
    atexit.register(close_all)


def close_session(platform: BoardPlatform) -> None:
    """Put a board back as it was, if it is in use."""
    if session := _OPEN.pop(platform.board, None):
        session.close()


def close_all() -> None:
    """Put every board back that is in use."""
    while _OPEN:
        _OPEN.popitem()[1].close()

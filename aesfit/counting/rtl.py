# SPDX-License-Identifier: MIT
"""Cycles of a function of any ELF file on a processor whose Verilog is simulated."""

from collections.abc import Mapping, Sequence

from .._native import version as __version__
from ..jobs.job import Placement, Provenance
from ..platforms.platform import Platform
from ..rigs.profile import Execution
from ..rigs.rtl.soc.machine import SocMachine
from ..rigs.rtl.soc.simulator import sources_sha256, versions
from .arguments import Argument
from .call import place, window, written
from .foreign import Function


def cycles_of(
    platform: Platform,
    called: Function,
    arguments: Sequence[Argument],
    placement: Placement,
    seen: Sequence[Execution],
    outputs: Mapping[int, bytes],
) -> tuple[int, ...]:
    """Cycles of consecutive calls, as many as the emulator has `seen`.

    RuntimeError if the processor's results differ from the emulator's; `outputs` holds the
    emulator's, by argument position from 1.
    """
    machine = SocMachine(called.image, platform, placement.flash_wait or 0, "kept")
    try:
        values, places = place(machine, arguments)
        found = [machine.call(called.address, *values) for _ in seen]
        ours = written(machine, arguments, places)
    finally:
        machine.close()
    counts = [[one.instructions for one in calls] for calls in (seen, found)]
    if counts[0] != counts[1] or ours != dict(outputs):
        raise RuntimeError(
            f"{called.name} behaves differently on the processor and in the emulator; does it "
            "read a counter, or an address of its own?"
        )
    return tuple(one.cycles for one in found)


def provenance_of(
    platform: Platform, called: Function, placement: Placement, result: int
) -> Provenance:
    """What the cycles depend on."""
    caches = "; caches are empty at first and stay as a call left them" if platform.caches else ""
    return Provenance(
        sources_sha256=called.files_sha256,
        platform_sha256=platform.sha256,
        timing_sha256=sources_sha256(str(platform.cpu)),
        compiler=called.compiler,
        flags="",
        rig=f"rtl, {versions()}",
        version=__version__,
        window=window(called, result),
        memory=f"the processor's own Verilog, one memory with {placement.flash_wait} wait states"
        f"{caches}",
    )

# SPDX-License-Identifier: MIT
"""The chooser's answer in plain sentences."""

from ..jobs.job import Placement, Row
from ..leaking.known import known_of
from ..measuring.evidence import evidence_told, may_refuse
from ..platforms.clock import waits_at
from ..platforms.interfaces import described
from ..platforms.platform import Platform
from ..platforms.uniform import uniform_memories, why_addresses_show
from ..rigs.emulator.trust import Trust, trust
from ..units import count, scaled
from .ranking import Candidate, Choice, charge, costs_of, excess, too_weak
from .request import BLOCK, Request, jobs, mix_told
from .unproved import supported, unproved


def place(request: Request) -> str:
    """The platform with its memory and clock, and what about it is not confirmed."""
    platform = request.platform
    if platform.chip is not None and platform.clock is not None:
        told = [
            f"{platform.title} at {platform.clock.value:g} MHz",
            _flash(platform, _waits(request)),
        ]
        unsure = platform.chip.unsure(platform.setting)
        told += [f"not confirmed in its maker's documents: {', '.join(unsure)}"] if unsure else []
        return ", ".join(told)
    if platform.ideal and not platform.caches:
        return f"{platform.title} with ideal memory (name a chip for cycles with its flash)"
    return platform.title


def _waits(request: Request) -> int:
    """Wait states of the flash in the measurement."""
    return jobs(request, ["any"])[0].placed.flash_wait or 0


def _flash(platform: Platform, waits: int) -> str:
    """A phrase on the flash of a chip."""
    interface = platform.memory("flash").interface
    told = f"flash with {waits or 'no'} wait state{'' if waits == 1 else 's'}"
    if waits and interface is not None:
        told += f" behind {described(interface.kind).title}"
    set_to = {"usual": "", "reset": " as after reset", "uniform": " set to be uniform"}
    return told + set_to[platform.setting]


def question(request: Request) -> str:
    """The question in words, without the platform."""
    asked = [
        f"AES-{request.key_bits}{_unit_asked(request)}",
        "encryption only" if request.only_encrypts else "encryption and decryption",
        charge(request),
        *([request.bursts.told, _caches(request)] if request.bursts else []),
        *_limits(request),
    ]
    return ", ".join(asked)


def _unit_asked(request: Request) -> str:
    if request.mode == BLOCK:
        return ", the block cipher alone, one block a call"
    mode = f"{request.mode} (GHASH {_listed(request.ghashes)})" if request.hashes else request.mode
    sent = mix_told(request.packets) if request.packets else f"messages of {request.bytes} bytes"
    return f" in {mode}, {sent}"


def _listed(names: tuple[str, ...]) -> str:
    """Join names with "or"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _caches(request: Request) -> str:
    """A phrase on the data cache in bursts."""
    data, penalty = request.hierarchy.data, request.hierarchy.penalty
    return (
        f"data cache of {count(data.size)} bytes, {data.ways} way{'s' if data.ways > 1 else ''}, "
        f"lines of {data.line} bytes, {penalty.of(data.line):g} cycles a miss"
    )


def verdict(choice: Choice, evidence: str) -> str:
    """The answer in one sentence; `evidence` says what the cycles were checked against."""
    winner = choice.winner
    if winner is None:
        return nothing_left(choice)
    parts = [
        _headline(choice, winner),
        _next(choice, winner),
        lead_told(choice, winner),
        _secrecy(choice, winner),
        trade_told(choice, winner),
        pace(choice, winner),
        winner.row.provenance.memory,
        evidence,
    ]
    return "; ".join(part for part in parts if part) + "."


def _headline(choice: Choice, winner: Candidate) -> str:
    request, row = choice.request, winner.row
    number = len(choice.rivals)
    able = "fit" if any(one.candidate for one in choice.dropped) else "run"
    kind = _OF_KIND[winner.row.secrecy.kind] if number < len(choice.ranking) else ""
    field = (
        f"of the {number} cores that {able}{kind}"
        if number > 1
        else f"(the only core{kind or ' left'})"
    )
    least = "fewest" if request.objective == "cycles" else "least"
    built = f" at {' '.join(winner.flags)}" if winner.flags else ""
    return (
        f"Take {winner.title}{built} on {place(request)}: the {least} "
        f"{objective_told(request)} {field}, {_cycles(request, row)}{_missed(request, row)}, with "
        f"{_sizes(request, row)}"
    )


def objective_told(request: Request) -> str:
    """The objective, named as the platform's figures are."""
    flash, ram = request.sizes
    return {"cycles": "cycles", "flash": flash, "ram": ram}[request.objective]


def _cycles(request: Request, row: Row) -> str:
    if request.mode == BLOCK:
        message = "for a call over one block"
    else:
        sent = "packet on average" if request.packets else "message"
        size = "" if request.packets else f"{request.bytes}-byte "
        message = f"for a {size}{request.mode} {sent}"
    unit = "time-stamp cycles" if row.provenance.clock.startswith("TSC") else "cycles"
    return f"{_range(request, row)} {unit} {message} ({count(row.cycles_per_byte or 0)} a byte)"


def trusted(request: Request) -> Trust:
    """What the cycles rest on."""
    return trust(request.counted_on, _waits(request))


def _range(request: Request, row: Row) -> str:
    """Cycles with their range over placements, which holds known silicon: "797 (781 to 893)"."""
    cycles = count(round(row.cycles, 1))
    ends = trusted(request).ends(row.cycles_min, row.cycles_max)
    return f"{cycles} ({count(ends[0])} to {count(ends[1])})" if ends else cycles


def _sizes(request: Request, row: Row) -> str:
    flash, ram = request.sizes
    unknown = row.stack_bytes is None and request.platform.rig != "published"
    stack = " (stack not counted)" if unknown else ""
    return f"{count(row.flash_bytes)} bytes of {flash} and {count(row.ram_bytes)} of {ram}{stack}"


def _missed(request: Request, row: Row) -> str:
    """A phrase on the cycles lost to cache misses."""
    if row.stall_cycles is None:
        return ""
    if request.bursts is None:
        return f", of which {count(row.stall_cycles)} cycles are cache misses"
    return (
        f", of which {count(row.stall_cycles)} cycles are expected cache misses in "
        f"{request.bursts.told}"
    )


def _next(choice: Choice, winner: Candidate) -> str:
    if len(choice.rivals) < 2:
        return ""
    request, second = choice.request, choice.rivals[1]
    if choice.ties:
        names = " and ".join(one.name for one in choice.ties)
        return f"a tie with {names}: the faster one depends on where the code lies"
    best, other = (costs_of(one.row, request.objective)[0] for one in (winner, second))
    if not best or f"{other / best:.2f}" == "1.00":
        return f"{second.name} is equal within 1 %"
    return f"{second.name} is next with {other / best:.2f} times the {objective_told(request)}"


_OF_KIND = {
    "proved": " with timing proved independent of the key",
    "independent": " with timing independent of the key",
    "here": " with timing independent of the key here",
    "depends": "",
}


def lead_told(choice: Choice, winner: Candidate) -> str:
    """Where a proved core would lead: that there is none."""
    leads = choice.request.limits.timing is None and winner.row.secrecy.kind == "independent"
    return "nothing that fits is proved here" if leads else ""


def trade_told(choice: Choice, winner: Candidate) -> str:
    """The question that decides for a core that costs less, with the option that takes it."""
    other, objective = choice.trade, choice.request.objective
    if other is None:
        return ""
    mine, its = (costs_of(one.row, objective)[0] for one in (winner, other))
    what = "" if objective == "cycles" else f" {objective_told(choice.request)}"
    asked, option = "Nobody can time you?", "any"
    if other.row.timing == "independent":
        asked, option = "No proof needed?", "independent"
    less = f"{100 * (1 - its / mine):.0f} % less{what}"
    return f"{asked} {other.title} takes {less} (--timing {option})"


def _secrecy(choice: Choice, winner: Candidate) -> str:
    """Whether and why the winner's time depends on the key, and what to do about it."""
    request, row = choice.request, winner.row
    match row.secrecy.kind:
        case "proved":
            told = evidence_of_answer(request, row)
            return f"its timing is independent of the key: {told}"
        case "independent":
            return f"its timing is {unproved(request, row, winner.flags)}"
        case "here":
            return f"{_uniform(request)}; {independent_told(choice, winner)}"
        case "depends":
            return f"{_leak(request, row)}; {independent_told(choice, winner)}"


def evidence_of_answer(request: Request, row: Row) -> str:
    """The evidence of a core's timing, with the lengths of a proof beside the question's."""
    asked = None if request.mode == BLOCK else request.bytes
    return evidence_told(row.secrecy, asked, may_refuse(request.mode, not request.only_encrypts))


def _uniform(request: Request) -> str:
    """Why secret addresses are harmless here, and where they would not be."""
    told = "its table addresses depend on secrets, and every access takes the same time here"
    if request.platform.ideal:
        told += ", because the memory is ideal; on a chip with caches or flash buffers it may leak"
    return told


def _leak(request: Request, row: Row) -> str:
    """Why its time may depend on the key, and where its tables would not show it."""
    waits = _waits(request)
    why = why_addresses_show(request.platform, row.tables_in, waits)
    known = why and row.table_bytes  # tables of a user's own function are unknown
    told = f"its {what_depends(row)} depend on the key" + (
        f", which can show in the time, because {why}" if known else ""
    )
    if out := way_out(request, row):
        told += f" (with {out} every access takes the same time)"
    return "; ".join(filter(None, (told, attacked(request, row))))


def what_depends(row: Row) -> str:
    """What of a core depends on the key: where it has no tables, not its addresses alone."""
    return "addresses" if row.table_bytes else "addresses, branches or operands"


def attacked(request: Request, row: Row) -> str:
    """What recorded attacks on the core showed on this platform; empty if there are none.

    They are on 128-bit keys, behind the platform's own caches and usual buffers.
    """
    usual = request.bursts is None and request.platform.setting == "usual"
    recorded = usual and request.key_bits == 128 and request.placement == Placement()
    return known_of(request.platform.name, row.core) if recorded else ""


def way_out(request: Request, row: Row) -> str:
    """Options with which table addresses do not leak; empty if there are none."""
    platform, waits = request.platform, _waits(request)
    if why_addresses_show(platform, row.tables_in, waits) is None:
        return ""
    others = uniform_memories(platform, row.table_bytes, waits)
    if others and row.table_bytes:
        return f"--tables {others[0]}"
    chip = platform.chip
    return "--buffers uniform" if chip is not None and "uniform" in chip.interfaces else ""


def independent_told(choice: Choice, winner: Candidate) -> str:
    """A phrase on the core whose time is independent of the key, with its cost."""
    safe = choice.independent
    if safe is None:
        return "no remaining core is independent of the key"
    times = safe.row.cycles / winner.row.cycles
    evidence = safe.row.evidence or "not proved"
    return f"independent of the key: {safe.title} ({evidence}), {times:.2f} times the cycles"


def pace(choice: Choice, winner: Candidate) -> str:
    """The rate at the clock, and whether it suffices for the required rate."""
    request = choice.request
    clock, needed = request.clock, choice.needed_clock_hz
    reached = _reached(request, winner.row, clock) if clock else ""
    if needed is None or request.rate is None:
        return reached
    rate, least = scaled(request.rate, "bit/s"), scaled(needed, "Hz")
    bound = " at least" if request.platform.ideal else ""
    if not clock:
        return f"{rate} needs a clock of{bound} {least}"
    if choice.keeps_up:
        load = f"{needed / clock:.0%} load"
        return f"{reached} and keeps up with {rate} at {load}; {least} would do"
    if choice.keeps_up is None:
        return (
            f"{reached}; {rate} needs{bound} {least}, and more where the flash waits: name a chip"
        )
    return f"{reached} and does not keep up with {rate}, {_short_of(request.platform, needed)}"


def _short_of(platform: Platform, needed: float) -> str:
    """The clock that would suffice; a chip's cycles hold only for the present wait states."""
    least, chip = scaled(needed, "Hz"), platform.chip
    if chip is None:
        return f"which needs {least}"
    if needed > chip.maximum.value * 1e6:
        return f"which needs {least} and more, beyond its highest clock"
    if waits_at(chip.waits, needed / 1e6).value == platform.memory("flash").wait_states.value:
        return f"which needs {least}"
    return f"which needs more than {least}, because its flash waits longer there (--clock sweep)"


def _reached(request: Request, row: Row, clock: float) -> str:
    unit = "calls" if request.mode == BLOCK else "messages"
    messages = clock / row.cycles
    rate = scaled(8 * request.payload * messages, "bit/s")
    most = "at most " if request.platform.ideal else ""
    bound = " (ideal memory: an upper bound)" if request.platform.ideal else ""
    return (
        f"at {scaled(clock, 'Hz')} it reaches {most}{rate} "
        f"({count(round(messages, 1))} {unit} a second){bound}"
    )


def nothing_left(choice: Choice) -> str:
    """The sentence if no core is within the limits: what the nearest core needs."""
    request = choice.request
    near = nearest(choice)
    if near is None:
        reason = choice.dropped[0].reason if choice.dropped else "there is none"
        return f"No core could be measured on {request.platform.title}: {reason}"
    wanted = " and ".join(_limits(request))
    needs = _needs(request, near.row)
    return f"No core on {request.platform.title} is {wanted}: the nearest, {near.name}, {needs}."


def nearest(choice: Choice) -> Candidate | None:
    """The dropped core nearest to the limits; None if nothing was measured."""
    measured = [one.candidate for one in choice.dropped if one.candidate]
    limits = choice.request.limits
    return min(measured, key=lambda one: excess(limits, one.row), default=None)


def _needs(request: Request, row: Row) -> str:
    """The limits that the core would need, in words."""
    limits, (flash, ram) = request.limits, request.sizes
    parts = []
    if limits.flash is not None and row.flash_bytes > limits.flash:
        parts.append(f"needs {count(row.flash_bytes)} bytes of {flash}")
    if limits.ram is not None and row.ram_bytes > limits.ram:
        parts.append(f"needs {count(row.ram_bytes)} bytes of {ram}")
    if too_weak(limits, row):
        independent = row.timing == "independent"
        parts.append(
            f"is {supported(row)}"
            if independent
            else f"has {what_depends(row)} that depend on the key"
        )
    return " and ".join(parts)


_WANTED = {
    "proved": ["proved independent of the key"],
    "independent": ["independent of the key"],
    "any": [],
    None: [],
}


def _limits(request: Request) -> list[str]:
    limits, (flash, ram) = request.limits, request.sizes
    found = []
    if limits.flash is not None:
        found.append(f"within {count(limits.flash)} bytes of {flash}")
    if limits.ram is not None:
        found.append(f"within {count(limits.ram)} bytes of {ram}")
    return [*found, *_WANTED[limits.timing]]

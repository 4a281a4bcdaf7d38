# SPDX-License-Identifier: MIT
"""What the chooser found, in plain sentences."""

from dataclasses import dataclass

from .fit import Candidate, Choice, Limits, Request, charge, excess, setups
from .quantity import count, scaled, seconds
from .rigs.rig import Row

_LEAST = {"cycles": "the fewest cycles", "flash": "the least flash", "ram": "the least RAM"}
_TIMES = {"cycles": "the cycles", "flash": "the flash", "ram": "the RAM"}


@dataclass(frozen=True)
class FileTotal:
    """What a whole file costs with the winner."""

    name: str
    message_bytes: int
    messages: int
    """Of full length."""
    last_bytes: int
    """Payload of the shorter one at the end; 0: there is none."""
    left_out: int
    """Bytes at the end that the mode cannot take as a message."""
    cycles: float


def file_cycles(
    winner: Candidate, messages: int, last: Row | None, messages_per_key: int | None
) -> float:
    """Cycles of full messages and a last shorter one, with the key set-ups charged to them."""
    share = winner.setup_cycles / messages_per_key if messages_per_key else 0.0
    keys = setups(messages + (last is not None), messages_per_key)
    whole = messages * (winner.row.cycles - share) + keys * winner.setup_cycles
    return whole + (last.cycles if last else 0)


def file_sentence(total: FileTotal, clock: float | None) -> str:
    """The whole file in one sentence."""
    parts = []
    if total.messages:
        parts.append(f"{_plural(total.messages, 'message')} of {total.message_bytes} bytes")
    if total.last_bytes:
        parts.append(f"one of {total.last_bytes}")
    sentence = f"{total.name}: {' and '.join(parts)}: {count(round(total.cycles))} cycles"
    if clock:
        sentence += f", {seconds(total.cycles / clock)} at {scaled(clock, 'Hz')}"
    if total.left_out:
        sentence += f"; the last {_plural(total.left_out, 'byte')} left out"
    return f"{sentence}."


def question(request: Request) -> str:
    """What was asked, without the platform."""
    mode = f"gcm (GHASH {request.ghash})" if request.mode == "gcm" else request.mode
    asked = [
        f"AES-{request.key_bits} in {mode}, messages of {request.bytes} bytes",
        "encryption only" if request.encrypt_only else "encryption and decryption",
        charge(request.messages_per_key),
        *([request.bursts.told] if request.bursts else []),
        *_limits(request.limits),
    ]
    return ", ".join(asked)


def verdict(choice: Choice, evidence: str) -> str:
    """The answer in one sentence; `evidence` says what the cycles were checked against."""
    winner = choice.winner
    if winner is None:
        return _nothing_left(choice)
    parts = [
        _headline(choice, winner),
        _next(choice, winner),
        _secrecy(choice, winner),
        _pace(choice, winner),
        winner.row.provenance.memory,
        evidence,
    ]
    return "; ".join(part for part in parts if part) + "."


def _headline(choice: Choice, winner: Candidate) -> str:
    request, row = choice.request, winner.row
    number = len(choice.ranking)
    able = "fit" if any(one.candidate for one in choice.dropped) else "run"
    field = f"of the {number} cores that {able}" if number > 1 else "(the only core left)"
    unit = "time-stamp cycles" if row.provenance.clock.startswith("TSC") else "cycles"
    stack = " (stack not counted)" if row.stack_bytes is None else ""
    built = f" at {' '.join(winner.flags)}" if winner.flags else ""
    return (
        f"Take {winner.name}{built} on {request.platform.title}: {_LEAST[request.objective]} "
        f"{field}, {count(row.cycles)} {unit} for a {request.bytes}-byte {request.mode} message "
        f"({count(row.cycles_per_byte or 0)} a byte){_missed(request, row)}, with "
        f"{count(row.flash_bytes)} bytes of flash and {count(row.ram_bytes)} of RAM{stack}"
    )


def _missed(request: Request, row: Row) -> str:
    """How many of the cycles are cache misses."""
    if row.stall_cycles is None:
        return ""
    if request.bursts is None:
        return f", of which {count(row.stall_cycles)} cycles are cache misses"
    return (
        f", of which {count(row.stall_cycles)} cycles are expected cache misses in "
        f"{request.bursts.told}"
    )


def _next(choice: Choice, winner: Candidate) -> str:
    if len(choice.ranking) < 2:
        return ""
    objective, second = choice.request.objective, choice.ranking[1]
    best, other = (_cost(objective, one.row) for one in (winner, second))
    if not best or f"{other / best:.2f}" == "1.00":
        return f"{second.name} is as good to a hundredth"
    return f"{second.name} is next with {other / best:.2f} times {_TIMES[objective]}"


def _secrecy(choice: Choice, winner: Candidate) -> str:
    if winner.row.constant_time == "always":
        return "it is constant-time"
    if winner.row.constant_time == "here":
        return (
            "its table addresses depend on secrets, which does not show in time here, where no "
            "cache is in the way"
        )
    safe = next((one for one in choice.ranking if one.row.constant_time != "no"), None)
    told = "its time tells about the key"
    if safe is None:
        return f"{told}, and so does that of every core that is left"
    times = safe.row.cycles / winner.row.cycles
    return f"{told}: where it can be observed, take {safe.name} ({times:.2f} times the cycles)"


def _pace(choice: Choice, winner: Candidate) -> str:
    request = choice.request
    clock, needed = request.clock, choice.needed_clock_hz
    reached = ""
    if clock:
        messages = clock / winner.row.cycles
        reached = (
            f"at {scaled(clock, 'Hz')} it reaches {scaled(8 * request.bytes * messages, 'bit/s')} "
            f"({count(round(messages, 1))} messages a second)"
        )
    if needed is None or request.rate is None:
        return reached
    rate, least = scaled(request.rate, "bit/s"), scaled(needed, "Hz")
    if not clock:
        return f"{rate} needs a clock of {least}"
    if choice.keeps_up:
        load = f"{needed / clock:.0%} load"
        return f"{reached} and keeps up with {rate} at {load}; {least} would do"
    return f"{reached} and does not keep up with {rate}, which needs {least}"


def _nothing_left(choice: Choice) -> str:
    request = choice.request
    near = nearest(choice)
    if near is None:
        reason = choice.dropped[0].reason if choice.dropped else "there is none"
        return f"No core could be measured on {request.platform.title}: {reason}"
    wanted = " and ".join(_limits(request.limits))
    needs = _needs(request.limits, near.row)
    return f"No core on {request.platform.title} is {wanted}: the nearest, {near.name}, {needs}."


def nearest(choice: Choice) -> Candidate | None:
    """The dropped core that breaks the limits least; None where nothing was measured."""
    measured = [one.candidate for one in choice.dropped if one.candidate]
    limits = choice.request.limits
    return min(measured, key=lambda one: excess(limits, one.row), default=None)


def _needs(limits: Limits, row: Row) -> str:
    """What the limits would have to be."""
    parts = []
    if limits.flash is not None and row.flash_bytes > limits.flash:
        parts.append(f"needs {count(row.flash_bytes)} bytes of flash")
    if limits.ram is not None and row.ram_bytes > limits.ram:
        parts.append(f"needs {count(row.ram_bytes)} bytes of RAM")
    if limits.constant_time and row.constant_time == "no":
        parts.append("is not constant-time")
    return " and ".join(parts)


def _limits(limits: Limits) -> list[str]:
    found = []
    if limits.flash is not None:
        found.append(f"within {count(limits.flash)} bytes of flash")
    if limits.ram is not None:
        found.append(f"within {count(limits.ram)} bytes of RAM")
    if limits.constant_time:
        found.append("constant-time")
    return found


def _cost(objective: str, row: Row) -> float:
    return {"cycles": row.cycles, "flash": row.flash_bytes, "ram": row.ram_bytes}[objective]


def _plural(number: int, what: str) -> str:
    return f"{count(number)} {what}{'s' if number != 1 else ''}"

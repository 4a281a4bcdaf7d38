# SPDX-License-Identifier: MIT
"""Measures a core's leak on a platform: all attacks over several keys, and the model."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import inf, log2
from statistics import median_high
from typing import Any

import numpy as np

from .. import _native
from ..cachemodel.leakage import PairGuesses, timings_needed
from ..cachemodel.versions import hierarchy, versions
from ..jobs import message
from ..jobs.job import Progress
from ..measuring import bursts
from ..platforms.interfaces import described
from ..platforms.platform import Platform
from .collisions import Collisions
from .conditions import CACHED, EMPTY, WARM, Condition
from .correlation import bits, means, ranks
from .decoding import width
from .flash import FlashClock, flash_before
from .identical import distinct_traces
from .lookups import Round, lookups
from .schedule import cipher_key, round_keys
from .victim import Clock, Victim, under, victim

KEYS, LIMIT, INPUTS = 20, 1 << 17, 1 << 12
_FEWEST = 1 << 9
"""Least number of timings with which an attack is tried."""
_EARLY = 16.0
"""An attack is first tried with the model's number of timings divided by this."""
_HOPELESS = 4
"""An attack is not run if the model predicts more than this multiple of the limit."""
_FEW = 16
"""Number of inputs for testing whether traces differ at all."""
_NEVER = 1 << 62
"""Stands in medians for the timings of a key that was not found."""


@dataclass(frozen=True)
class Broken:
    """A collision attack under a condition."""

    round: Round
    condition: str
    bits: float
    """Number of key bits that it finds."""
    timings: int | None
    """Median over keys, a power of two; None where half of the keys resist."""
    each: tuple[int | None, ...]
    """Timings by key; empty if not run, because the model puts it far beyond the limit."""
    predicted: float | None
    """Timings predicted by the cache model."""


@dataclass(frozen=True)
class Correlated:
    """Bernstein's correlation."""

    condition: str
    timings: int
    ranks: tuple[float, ...]
    """By key byte: median rank of the right one among 256 guesses; 128.5 is chance."""
    bits: tuple[float, ...]
    """By key byte: bits saved in a search."""


@dataclass(frozen=True)
class LeakCost:
    """What an attacker with exact timings needs."""

    platform: str
    core: str
    keys: int
    limit: int
    """Limit of timings for each key."""
    inputs: int
    """Random keys and texts whose address traces were compared."""
    distinct: int
    """Number of different traces among them; 1 if addresses do not depend on secrets."""
    times: int | None
    """Different times of a call from empty buffers, over the first texts of each key; None: not
    timed, or behind a data cache, where other code evicts lines at random."""
    collisions: tuple[Broken, ...]
    correlation: Correlated | None
    provenance: str

    def as_json(self) -> dict[str, Any]:
        """What `aesfit leak --json` prints."""
        return asdict(self)


def leak_cost(
    platform: Platform,
    core: str,
    *,
    keys: int = KEYS,
    limit: int = LIMIT,
    inputs: int = INPUTS,
    conditions: Sequence[Condition] | None = None,
    progress: Progress = lambda done, total: None,
) -> LeakCost:
    """Run the attacks; ValueError without a data cache or a flash with wait states.

    `conditions`: default all that the platform allows.
    `progress`: keys done, over all conditions.
    """
    first = victim(platform, core, 0)
    possible = possible_conditions(first)
    conditions = possible if conditions is None else conditions
    if impossible := [one.name for one in conditions if one not in possible]:
        raise ValueError(
            f"{impossible[0]} is not a condition of {platform.name}; choose from: "
            f"{', '.join(one.name for one in possible)}"
        )
    count = min(_FEW, inputs)
    distinct = distinct_traces(platform, core, count)
    if distinct == 1:
        count = inputs
        distinct = distinct_traces(platform, core, inputs)
    broken: list[Broken] = []
    times, correlated = set[float](), None
    told = _Told(progress, keys * len(conditions))
    for condition in conditions if distinct > 1 else ():
        if condition is WARM:
            correlated = _correlated(first, keys, limit, told)
        else:
            broken += _broken(first, condition, keys, limit, told, times)
    return LeakCost(
        platform.name, core, keys, limit, count, distinct, len(times) or None, tuple(broken),
        correlated, provenance(first),
    )  # fmt: skip


def possible_conditions(first: Victim) -> Sequence[Condition]:
    """Conditions of the data cache or else of flash buffers; ValueError without either."""
    if first.platform.data_cache:
        hierarchy(first.platform)  # raises ValueError with the reason
        return CACHED
    flash_before(first)
    return (EMPTY,)


def _clock(one: Victim, condition: Condition) -> Clock | FlashClock:
    return FlashClock(one) if condition is EMPTY else Clock(one, condition)


def _line(first: Victim) -> int:
    """Bytes that a look-up loads into the cache or buffer."""
    if first.platform.data_cache:
        return hierarchy(first.platform).data.line
    return int(flash_before(first).interface.parameters["line"])


@dataclass
class _Told:
    """Counts keys for a progress bar."""

    progress: Progress
    total: int
    done: int = 0

    def one(self) -> None:
        self.done += 1
        self.progress(self.done, self.total)


def _attacks(first: Victim) -> list[Collisions]:
    """The attacks that the core's look-ups allow; these are found under the attacker's own key."""
    own = under(first, message.made_up("leak attacker", 16), "attacker")
    seen = own.accesses()
    line = _line(first)
    rounds: tuple[Round, ...] = ("first", "last")
    found = [Collisions(which, lookups(seen, own.key, which), line) for which in rounds]
    return [one for one in found if one.groups()]


def _broken(
    first: Victim, condition: Condition, keys: int, limit: int, told: _Told, times: set[float]
) -> Iterator[Broken]:
    """What each attack needs; adds the times that were seen from empty buffers."""
    attacks = _attacks(first)
    expected = [_predicted(first, condition, attack) for attack in attacks]
    each: list[list[int | None]] = [[] for _ in attacks]
    for number in range(keys):
        one = victim(first.platform, first.core, number, first.machine)
        clock = _clock(one, condition)
        if condition is EMPTY:
            times.update(clock.first(_FEWEST).cycles.tolist())
        for found, attack, timings in zip(each, attacks, expected, strict=True):
            if timings is None or timings <= _HOPELESS * limit:
                found.append(_needed(clock, one.key, attack, _fewest(timings, limit), limit))
        told.one()
    for found, attack, timings in zip(each, attacks, expected, strict=True):
        typical = median_high(_NEVER if many is None else many for many in found or [None])
        yield Broken(
            attack.which,
            condition.name,
            attack.bits(),
            None if typical == _NEVER else typical,
            tuple(found),
            None if timings in (None, inf) else round(timings or 0),
        )


def _fewest(predicted: float | None, limit: int) -> int:
    """Timings, a power of two, at which an attack is tried first."""
    early = _FEWEST if predicted is None else 1 << int(log2(max(1.0, predicted / _EARLY)))
    return min(limit, max(_FEWEST, early))


def _needed(
    clock: Clock | FlashClock, key: bytes, attack: Collisions, many: int, limit: int
) -> int | None:
    """Timings with which the attack succeeds, doubled each time; None: more than the limit."""
    while many <= limit:
        if _succeeds(clock, key, attack, many):
            return many
        many *= 2
    return None


def _succeeds(clock: Clock | FlashClock, key: bytes, attack: Collisions, many: int) -> bool:
    """Check a whole key with one text, as an attacker would; compare parts with the true key."""
    seen = clock.first(many)
    guess = attack.found(seen)
    if attack.which == "last" and attack.bits() == 128:
        text, wanted = seen.plain[0].tobytes(), seen.cipher[0].tobytes()
        return bool(_native.AES(cipher_key(guess)).encrypt_block(text) == wanted)
    return attack.right(guess, round_keys(key)[0 if attack.which == "first" else -1])


def _predicted(first: Victim, condition: Condition, attack: Collisions) -> float | None:
    """The model's number of timings; infinite if collisions save no misses; for caches only."""
    if condition is EMPTY:
        return None
    (version,) = versions(first.platform, [first.core])
    groups = attack.groups()
    positions = max(map(len, groups))
    guesses = PairGuesses(
        tables=tuple(attack.table_of(group).name for group in groups),
        positions=positions,
        values=attack.values(groups[0]),
        fixed=attack.which == "first",
        kept=tuple(width(size) for size in range(2, positions + 1)),
    )
    return timings_needed(version, hierarchy(first.platform).data, condition.evicted, guesses)


def _correlated(first: Victim, keys: int, limit: int, told: _Told) -> Correlated:
    own = under(first, message.made_up("leak attacker", 16), "attacker")
    profile = means(Clock(own, WARM).first(limit), own.key)
    places = np.zeros((keys, 16))
    for number in range(keys):
        one = victim(first.platform, first.core, number, first.machine)
        seen = Clock(one, WARM).first(limit)
        places[number] = ranks(profile, means(seen, bytes(16)), one.key)
        told.one()
    typical = np.median(places, axis=0)
    saved = [round(float(one), 2) for one in bits(typical)]
    return Correlated(WARM.name, limit, tuple(map(float, typical)), tuple(saved))


def provenance(first: Victim) -> str:
    """How timings were made: caches or buffers, cycles, compiler."""
    compiler = first.platform.compiler
    flags = f"{compiler.command} {' '.join(compiler.optimise)}"
    if not first.platform.data_cache:
        flash = flash_before(first)
        return (
            f"every call emulated and replayed before a flash with {flash.wait} wait states behind "
            f"{described(flash.interface.kind).title}; no other noise; {flags}"
        )
    built, ideal = hierarchy(first.platform), bursts.coefficients(first.platform, first.core).E
    return (
        f"every data access emulated and replayed through a data cache of {built.data.size} bytes, "
        f"{built.data.ways} ways, lines of {built.data.line} bytes, {built.data.replacement}; "
        f"{ideal:g} cycles without misses and {built.penalty.of(built.data.line):g} a miss; code "
        f"cached, no other noise; {flags}"
    )

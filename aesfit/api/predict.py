# SPDX-License-Identifier: MIT
"""`aesfit.predict`: the cache model's answer for every core and burst length."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from ..cachemodel.predict import BurstQuestion, Prediction
from ..cachemodel.predict import predict as curves_of
from ..cachemodel.question import Version
from ..cachemodel.traffic import Packets as Traffic
from ..cachemodel.traffic import cycles_per_packet
from ..cachemodel.versions import (
    ALL,
    hierarchy,
    key_setup_cycles,
    modelled_cores,
    ranked_cores,
    versions,
)
from ..caches.cache import Hierarchy, Replacement
from ..choosing.request import BLOCK
from ..errors import ArgumentError, about, unknown
from ..jobs.job import Progress
from ..platforms.platform import Platform, counted
from ..units import check_packets
from .arguments import (
    Files,
    Names,
    Packets,
    PlatformLike,
    check_key_bits,
    files_of,
    mode_called,
    names_of,
    need_emulator,
    platform_of,
    sizes_of,
    text_of,
    told,
    whole,
)
from .own_code import OwnFunctions, check_own, own_code

LONGEST = 65536
"""Calls of a burst."""


def predict(  # long: what each argument means is said once, here
    platform: PlatformLike,
    *,
    cores: Names | None = None,
    mode: str | None = None,
    key_bits: int = 128,
    calls: int | tuple[int, int] = (1, 1024),
    evicted: float = 1.0,
    packets: Packets | None = None,
    messages_per_key: int | None = None,
    cache_bytes: int | None = None,
    ways: int | None = None,
    line_bytes: int | None = None,
    miss_penalty: float | None = None,
    replacement: str | None = None,
    critical_word_first: bool = False,
    instruction_cache_bytes: int | None = None,
    elf: Files = (),
    function: Names | None = None,
    arguments: Iterable[str | int | bytes] = (),
    progress: Progress | None = None,
) -> Prediction:
    """Predict the time of bursts of calls on a processor with caches, and the best core of each.

    Source: docs/cache-model.md derives the model.

    Args:
        platform: a name that `aesfit platforms` lists, the path of a TOML file, or a `Platform`.
        cores: only these; without it all whose coefficients are published or can be measured
            but those for the papers, which "all" adds.
        mode: "cbc", "ctr", "ccm" ...: messages of so many blocks; None or "block": the block
            cipher alone.
        key_bits: 128, 192 or 256.
        calls: shortest and longest burst, in calls of 16 bytes; or one length.
        evicted: fraction of the cache lines evicted between bursts, 0 to 1.
        packets: payload sizes in bytes and how often each comes, relative to the others; needs a
            mode.
        messages_per_key: packets under one key; None: the key never changes.
        cache_bytes: size of the data cache in bytes.
        ways: its associativity.
        line_bytes: bytes of a cache line.
        miss_penalty: cycles of a cache miss.
        replacement: "lru", "fifo" or "random"; the platform's by default, or LRU.
        critical_word_first: the missed word arrives first.
        instruction_cache_bytes: size of the instruction cache in bytes.
        elf: an executable, or one or more objects to link: your own functions instead of
            cores, whose tables are found in their data trace.
        function: one of its functions, or several to compare, all called with the same arguments.
        arguments: as `aesfit.count` has them, and "random:16", a buffer of other random bytes in
            each call, or "chunk:64:PATH", a part of that size from anywhere in a file.
        progress: called with the cores done and their number.

    Returns:
        Prediction: `calls` and `per_call` are NumPy arrays of one dimension, cycles per call by
        core; `best` and `crossovers` say which core is the fastest where; `cycles_per_packet` has
        mean cycles by core where packets are given.  `as_json()` is what `aesfit predict --json`
        prints; `rows` has a flat mapping for each core and burst length.

    Raises:
        ValueError: the question makes no sense, or names what does not exist.
        TypeError: an argument is of a wrong kind.
        RuntimeError: the function did not run to its end, the timing model has no rule for it, or
            its table reads are not as the cache model assumes.
        RigUnavailableError: something has to be installed; the sentence ends with the command.

    """
    with about():
        where, names = platform_of(platform), names_of(cores, "cores")
        built = hierarchy(
            counted(where),
            line=line_bytes,
            penalty=miss_penalty,
            ways=ways,
            size=cache_bytes,
            replacement=policy_of(replacement),
            critical_word_first=critical_word_first,
            icache=instruction_cache_bytes,
        )
        texts = [text_of(one) for one in arguments]
        own = own_code(where, files_of(elf), names_of(function, "function"), texts)
        sizes = sizes_of(packets)
        if own is not None:
            check_own(names or mode or key_bits != 128 or sizes or messages_per_key)
            return _predicted_own(own, built, lengths_of(calls), evicted, told(progress))
        asked = asked_of(where, names, mode, key_bits)
        traffic = traffic_of(sizes, whole("messages_per_key", messages_per_key), asked.mode)
        return _predicted(asked, built, lengths_of(calls), evicted, traffic, told(progress))


@dataclass(frozen=True)
class ModelledCores:
    """The cores whose time is predicted, with their messages."""

    platform: Platform
    cores: tuple[str, ...]
    mode: str | None
    """None: the block cipher alone."""
    key_bits: int


def _predicted_own(
    asked: OwnFunctions,
    built: Hierarchy,
    lengths: tuple[int, int],
    evicted: float,
    progress: Progress,
) -> Prediction:
    """Versions derived from the functions' data traces; then the model."""
    need_emulator()
    from ..cachemodel.traced.sampling import TracedFunction  # cannot be imported without the extra
    from ..cachemodel.traced.version import derive  # cannot be imported without the extra

    check_evicted(evicted)
    found = []
    for done, name in enumerate(asked.functions, 1):
        one = TracedFunction(asked.platform, asked.files, name, asked.arguments)
        found.append(derive(one, built))
        progress(done, len(asked.functions))
    answer = _curves(asked.platform, built, [one.version for one in found], lengths, evicted)
    warnings = dict.fromkeys(warning for one in found for warning in one.warnings)
    return replace(
        answer,
        provenance={one.version.core: one.provenance for one in found},
        warnings=tuple(warnings),
    )


def asked_of(
    platform: Platform, names: Sequence[str], mode: str | None, key_bits: int
) -> ModelledCores:
    """The question for cores on the platform; ValueError if it makes no sense."""
    target = counted(platform)
    named = None if mode is None else mode_called(mode, (BLOCK,))
    check_key_bits(key_bits)
    cores = tuple(cores_of(target, names))
    return ModelledCores(target, cores, None if named == BLOCK else named, key_bits)


def cores_of(platform: Platform, names: Sequence[str]) -> list[str]:
    """The named cores, or those that compete unnamed; ValueError suggests the nearest name."""
    able = modelled_cores(platform)
    if list(names) == [ALL]:
        return able
    if platform.rig != "published":  # versions() reports what is not published
        for name in names:
            if name not in able:
                error = unknown("core", name, able)
                with about("cores"):
                    raise type(error)(f"on {platform.name} {error}")
    return list(names) or ranked_cores(platform)


def policy_of(name: str | None) -> Replacement | None:
    """The replacement policy of that name."""
    if name is not None and name not in get_args(Replacement):
        raise unknown("replacement", name, get_args(Replacement))
    return cast("Replacement | None", name)


def lengths_of(calls: int | tuple[int, int]) -> tuple[int, int]:
    """Shortest and longest burst."""
    first, last = calls if isinstance(calls, tuple | list) else (calls, calls)
    if not 1 <= first <= last <= LONGEST:
        raise ValueError(
            f"bursts have 1 to {LONGEST} calls, the shorter length first, not {first} to {last}"
        )
    return first, last


def traffic_of(
    sizes: tuple[tuple[int, float], ...], per_key: int | None, mode: str | None
) -> Traffic | None:
    """The packets, if asked for; ValueError if they make no sense."""
    if not sizes:
        if per_key is not None:
            raise ArgumentError("keys change between packets; give {packets} too")
        return None
    if mode is None:
        raise ArgumentError("packets need a mode; give {mode} too")
    check_packets(sizes)
    return Traffic(sizes, per_key)


def _predicted(
    asked: ModelledCores,
    built: Hierarchy,
    lengths: tuple[int, int],
    evicted: float,
    traffic: Traffic | None,
    progress: Progress,
) -> Prediction:
    """Predict with coefficients, which are measured if not stored."""
    check_evicted(evicted)
    found = versions(
        asked.platform, asked.cores, mode=asked.mode, key_bits=asked.key_bits, progress=progress
    )
    answer = _curves(asked.platform, built, found, lengths, evicted)
    return replace(answer, cycles_per_packet=_per_packet(asked, answer, traffic))


def check_evicted(evicted: float) -> None:
    """Raise ValueError unless it is a fraction from 0 to 1."""
    if not 0.0 <= evicted <= 1.0:
        raise ValueError(f"a fraction of {evicted} evicted is not between 0 and 1")


def _curves(
    platform: Platform,
    built: Hierarchy,
    found: Sequence[Version],
    lengths: tuple[int, int],
    evicted: float,
) -> Prediction:
    return curves_of(BurstQuestion(platform.name, built, tuple(found), *lengths, evicted))


def _per_packet(
    asked: ModelledCores, answer: Prediction, traffic: Traffic | None
) -> dict[str, float]:
    """Mean cycles of a packet by core, the fastest first; empty if not asked for."""
    if traffic is None:
        return {}
    question = answer.question
    keys = key_setup_cycles(
        asked.platform,
        [one.core for one in question.versions],
        mode=asked.mode,
        key_bits=asked.key_bits,
    )
    mean = {
        one.core: cycles_per_packet(
            one, keys[one.core], question.hierarchy, traffic, question.evicted
        )
        for one in question.versions
    }
    return dict(sorted(mean.items(), key=lambda item: item[1]))

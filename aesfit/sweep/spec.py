# SPDX-License-Identifier: MIT
"""Reads the file that defines a sweep; mistakes are reported with file and line.

It is TOML with one or more [[sweep]]; each is the cross product of its lists.  docs/sweep.md has
the keys.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import prod
from pathlib import Path
from typing import Any, cast, get_args

from ..cachemodel.versions import hierarchy, ranked_cores
from ..caches.cache import Cache, Penalty, Replacement
from ..catalog import MODES, cores, ghashes
from ..errors import unknown
from ..hardware.designs import DESIGNS
from ..hardware.families import FAMILIES
from ..platforms.boards import named
from ..platforms.names import BLOCK_OPS, MODE_OPS
from ..platforms.platform import Platform
from ..platforms.toml_file import TomlTable, read_bytes, read_table
from ..platforms.trust import flag_refusal
from ..units import parse_size
from .point import METHODS, Method, SweepPoint
from .synthesised import (
    CCMP_DESIGN,
    MODE,
    OP,
    PACKET_BYTES,
    family_platform,
    is_soft,
    mode_of,
)

_CACHE_KEYS = ("cache_sizes", "cache_lines", "cache_ways", "replacements", "penalties")
_BURST_KEYS = (*_CACHE_KEYS, "calls", "evicted")
_KEYS = (
    *("method", "platforms", "cores", "key_bits", "ops", "modes", "bytes", "ghash", "flags"),
    *("families", "designs"),
    *_BURST_KEYS,
)
_SYNTHESISED_KEYS = ("method", "families", "designs", "platforms", "cores", "flags")
_MOST_POINTS = 5_000_000
"""Limit of points, so that a table fits in the memory of a small computer."""
_MOST = 1_000_000_000
"""Largest number in a list; larger ones do not fit in the table's columns."""
_BURST_OPS = {"block": ("encrypt-block",), "mode": ("encrypt",)}


@dataclass(frozen=True)
class Spec:
    """The points that a sweep evaluates."""

    points: tuple[SweepPoint, ...]
    """Each design once, in the order of the file."""
    platforms: dict[str, Platform]


def read_spec(path: Path) -> Spec:
    """Read a file; ValueError says what is wrong, with file and line."""
    root = read_table(path, read_bytes(path))
    root.only(("sweep",))
    tables = root.tables("sweep")
    if not tables:
        root.wrong("there is no [[sweep]], which says what to evaluate; see docs/sweep.md")
    platforms: dict[str, Platform] = {}
    points: dict[SweepPoint, None] = {}
    for table in tables:
        for point in _points(table, platforms):
            points[point] = None
            if len(points) > _MOST_POINTS:
                table.wrong(f"there are more than {_MOST_POINTS} points; make several files of it")
    return Spec(tuple(points), platforms)


def _list(table: TomlTable, key: str, what: str) -> list[Any]:
    values = table.values[key]
    if not isinstance(values, list) or not values:
        table.wrong(f"'{key}' in {table.title} is {values!r:.40}; it must be a list of {what}", key)
    return values


def _texts(table: TomlTable, key: str, allowed: Sequence[str], default: Sequence[str]) -> list[str]:
    """Texts of a list; each must be in `allowed`, unless that is empty."""
    if not table.has(key):
        return list(default)
    for value in _list(table, key, "texts"):
        if not isinstance(value, str):
            table.wrong(f"'{key}' in {table.title} holds {value!r:.40}, which is no text", key)
        if allowed and value not in allowed:
            sentence = unknown("value", value, allowed)
            table.wrong(f"in '{key}' of {table.title}: {sentence}", key)
    return list(table.values[key])


def _wholes(
    table: TomlTable, key: str, default: Sequence[int], least: int = 1, among: Sequence[int] = ()
) -> list[int]:
    """Whole numbers of a list; a text "FIRST:LAST" is a range."""
    if not table.has(key):
        return list(default)
    allowed = f"out of {', '.join(map(str, among))}" if among else f"from {least} to {_MOST}"
    found: list[int] = []
    for value in _list(table, key, f"whole numbers {allowed}"):
        some = [value] if not isinstance(value, str) else _range(value)
        if len(found) + len(some) > _MOST_POINTS:
            table.wrong(f"'{key}' in {table.title} has more than {_MOST_POINTS} numbers", key)
        for one in some:
            right = isinstance(one, int) and not isinstance(one, bool) and least <= one <= _MOST
            if not right or (among and one not in among):
                table.wrong(f"'{key}' in {table.title} holds {value!r:.40}; allowed are whole "
                            f"numbers {allowed}", key)  # fmt: skip
        found += some
    return found


def _range(text: str) -> Sequence[Any]:
    first, colon, last = text.partition(":")
    if colon and first.isdigit() and last.isdigit() and len(first + last) < 12:
        return range(int(first), int(last) + 1) or [text]
    return [text]


def _number(table: TomlTable, key: str, value: object, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        table.wrong(
            f"'{key}' in {table.title} holds {value!r:.40}; allowed are numbers from 0 to {most:g}",
            key,
        )
    return float(value)


def _platforms(table: TomlTable, known: dict[str, Platform]) -> list[Platform]:
    if not table.has("platforms"):
        table.wrong(f"{table.title} lacks the key 'platforms', which is a list of texts")
    found = []
    for name in _texts(table, "platforms", (), ()):
        try:
            platform = named(name)
        except ValueError as error:
            table.wrong(f"in 'platforms' of {table.title}: {error}", "platforms")
        if known.setdefault(platform.name, platform).path != platform.path:
            table.wrong(f"there are two platforms named '{platform.name}'; rename one", "platforms")
        found.append(platform)
    return found


def _cores(table: TomlTable, platform: Platform) -> list[str]:
    """The named cores, or those that compete unnamed on the platform."""
    every = [core.name for core in cores()]
    return _texts(table, "cores", every, ranked_cores(platform))


@dataclass(frozen=True)
class _Use:
    """The operation, mode and message of a point."""

    op: str
    mode: str | None
    bytes: int | None
    ghash: str | None


def _uses(table: TomlTable, method: Method) -> Iterator[_Use]:
    kind = "mode" if table.has("modes") else "block"
    allowed = {"block": BLOCK_OPS, "mode": MODE_OPS} if method == "measured" else _BURST_OPS
    default = {"block": "encrypt-block", "mode": "encrypt"}[kind]
    ops = _texts(table, "ops", allowed[kind], (default,))
    if kind == "block":
        for key in ("bytes", "ghash"):
            if table.has(key):
                table.wrong(f"'{key}' in {table.title} needs a mode; give 'modes' too", key)
        yield from (_Use(op, None, None, None) for op in ops)
        return
    if method != "measured" and table.has("bytes"):
        table.wrong(
            f"'bytes' in {table.title} is for measured points; here 'calls' are the blocks of a "
            "message",
            "bytes",
        )
    multipliers = _texts(table, "ghash", [one.name for one in ghashes()], ("shift32",))
    sizes: list[int | None] = [None]
    if method == "measured":
        sizes = list(_wholes(table, "bytes", (1504,), least=0))
    for mode, op, size in product(_texts(table, "modes", tuple(MODES), ()), ops, sizes):
        for ghash in multipliers if MODES[mode].hashes else [None]:
            yield _Use(op, mode, size, ghash)


def _flags(table: TomlTable, platform: Platform) -> list[str] | list[None]:
    """Sets of optimisation flags, each as one text; None if nothing is compiled."""
    if platform.rig in ("host", "published") and not table.has("flags"):
        return [None]
    if not table.has("flags"):
        return [" ".join(platform.compiler.optimise)]
    sets = [flags.split() for flags in _texts(table, "flags", (), ())]
    if refused := flag_refusal("flags", chain(*sets), table.path):
        table.wrong(refused, "flags")
    return [" ".join(flags) for flags in sets]


def _own_cache(platform: Platform) -> Cache | None:
    """The data cache of the platform file."""
    try:
        return hierarchy(platform, penalty=0).data
    except ValueError:
        return None


def _size(table: TomlTable, value: object) -> int:
    try:
        size = parse_size(str(value))
    except ValueError as error:
        table.wrong(f"in 'cache_sizes' of {table.title}: {error}", "cache_sizes")
    if size < 1 or isinstance(value, bool):
        table.wrong(f"in 'cache_sizes' of {table.title}: {value!r} is no size", "cache_sizes")
    return size


def _caches(table: TomlTable, platform: Platform) -> list[Cache]:
    own = _own_cache(platform)
    for key in ("cache_sizes", "cache_lines", "cache_ways"):
        if own is None and not table.has(key):
            table.wrong(
                f"{platform.name} has no data cache of its own; {table.title} must give '{key}'"
            )
    sizes = [own.size] if own else []
    if table.has("cache_sizes"):
        sizes = [_size(table, value) for value in _list(table, "cache_sizes", "sizes")]
    lines = _wholes(table, "cache_lines", [own.line] if own else [])
    ways = _wholes(table, "cache_ways", [own.ways] if own else [])
    default = own.replacement if own else "lru"
    policies = _texts(table, "replacements", get_args(Replacement), (default,))
    allocates = own.write_allocate if own else True
    every = product(sizes, lines, ways, cast("list[Replacement]", policies))
    return [Cache(size, line, way, policy, allocates) for size, line, way, policy in every]


def _penalties(table: TomlTable, platform: Platform) -> list[Penalty]:
    if not table.has("penalties"):
        own = platform.miss_penalty
        if own is None:
            table.wrong(
                f"the cost of a miss on {platform.name} is not known; {table.title} must give "
                "'penalties'"
            )
        return [own]
    return [_penalty(inner) for inner in table.tables("penalties")]


def _penalty(table: TomlTable) -> Penalty:
    table.only(("base", "per_byte", "critical_word_first"))
    for key in ("base", "per_byte"):
        if not table.has(key):
            table.wrong("a penalty is { base = cycles, per_byte = cycles }")
    first = table.has("critical_word_first") and table.flag("critical_word_first")
    base, each = (_number(table, key, table.values[key], 1e6) for key in ("base", "per_byte"))
    return Penalty(base, each, first)


def _points(table: TomlTable, known: dict[str, Platform]) -> Iterator[SweepPoint]:
    table.only(_KEYS)
    method: Method = table.choice("method", METHODS)  # type: ignore[assignment]
    if method == "synthesised":
        yield from _synthesised(table, known)
        return
    for key in ("families", "designs"):
        if table.has(key):
            table.wrong(f"'{key}' in {table.title} is for synthesised points alone", key)
    platforms = _platforms(table, known)
    if method == "measured":
        for key in _BURST_KEYS:
            if table.has(key):
                table.wrong(f"'{key}' in {table.title} is not for measured points", key)
    uses = list(_uses(table, method))
    bits = _wholes(table, "key_bits", (128,), among=(128, 192, 256))
    for platform in platforms:
        what: list[Sequence[Any]]
        what = [_cores(table, platform), bits, _flags(table, platform), uses]
        places = () if method == "measured" else _places(table, platform)
        if prod(map(len, (*what, *places))) > _MOST_POINTS:
            table.wrong(f"{table.title} has more than {_MOST_POINTS} points; make several of it")
        for core, key_bits, flags, use, *place in product(*what, *places):
            yield SweepPoint(
                *(method, platform.name, core, key_bits, use.op, use.mode, use.bytes),
                *(flags, use.ghash, *place),
            )


def _places(table: TomlTable, platform: Platform) -> tuple[Sequence[Any], ...]:
    """Caches, penalties, calls and evicted shares."""
    if not table.has("calls"):
        table.wrong(f"{table.title} lacks the key 'calls', which is a list of whole numbers")
    calls = _wholes(table, "calls", ())
    evicted = [1.0]
    if table.has("evicted"):
        shares = _list(table, "evicted", "shares from 0 to 1")
        evicted = [_number(table, "evicted", share, 1) for share in shares]
    return _caches(table, platform), _penalties(table, platform), calls, evicted


def _synthesised(table: TomlTable, known: dict[str, Platform]) -> Iterator[SweepPoint]:
    """Points of designs on families, and of soft CPUs with their cores on the same families."""
    for key in table.values:
        if key in _KEYS and key not in _SYNTHESISED_KEYS:
            table.wrong(f"'{key}' in {table.title} is not for synthesised points", key)
    every = [one.name for one in FAMILIES]
    families = _texts(table, "families", every, every)
    default = () if table.has("platforms") else (CCMP_DESIGN,)
    designs = _texts(table, "designs", [one.name for one in DESIGNS], default)
    platforms = _platforms(table, known) if table.has("platforms") else []
    for platform in platforms:
        if not is_soft(platform):
            table.wrong(
                f"{platform.name} has no Verilog to synthesise; name soft CPUs", "platforms"
            )
    for family in families:
        known[family] = family_platform(family)
        for design in designs:
            mode = mode_of(design)
            yield SweepPoint(
                "synthesised", family, design, 128, OP, mode, PACKET_BYTES, family=family
            )
        for platform in platforms:
            for core, flags in product(_cores(table, platform), _flags(table, platform)):
                yield SweepPoint(
                    *("synthesised", platform.name, core, 128, OP, MODE, PACKET_BYTES, flags),
                    family=family,
                )

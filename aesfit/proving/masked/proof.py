# SPDX-License-Identifier: MIT
"""Proves five statements on a masked function, or says which instruction refutes them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...counting.arguments import Buffer, Number, Same, Symbol
from ...counting.foreign import function_in
from ...errors import ArgumentError
from ...platforms.platform import Platform
from ..calls import Calls, stack_of
from ..code import Code
from ..collecting import uncollected
from ..convention import CONVENTIONS
from ..domain import Value
from ..findings import StuckError
from ..image import ProofImage, read_image
from ..state import Extent
from .shared import SharedArgument, shared_arguments
from .sharing import Sharing, Verdict
from .watched import STATEMENTS, Seen, Statement, WatchedExecutor, WholeCode

_PRESERVED = 0xA5A5_0000
"""Preserved registers hold numbers of their own, which are no secrets."""


@dataclass(frozen=True)
class MaskedFinding:
    """An observation that is refuted or open."""

    statement: Statement
    outcome: Verdict
    place: str
    function: str
    file: str
    line: int
    address: int
    instruction: str
    bits: tuple[int, ...]


@dataclass(frozen=True)
class MaskedProof:
    """What was proved of a function."""

    platform: str
    function: str
    outcomes: dict[Statement, Verdict]
    observed: dict[Statement, int]
    """Words that were judged."""
    findings: tuple[MaskedFinding, ...]
    instructions: int
    image_sha256: str
    detail: str
    """Why the run did not come to its end; empty if it did."""

    @property
    def proved(self) -> bool:
        """All five statements are."""
        return set(self.outcomes.values()) == {"proved"}

    def as_json(self) -> dict[str, Any]:
        """What `aesfit prove --masked --json` prints."""
        return asdict(self)


def prove_masked(
    platform: Platform, files: Sequence[Path], function: str, texts: Sequence[str]
) -> MaskedProof:  # fmt: skip
    """Judge every observation of one call; ValueError where files or arguments do not fit."""
    with uncollected():
        domain, executor, why = watched(platform, files, function, texts)
        return _judged(platform, function, executor, domain, why)


def watched(
    platform: Platform, files: Sequence[Path], function: str, texts: Sequence[str]
) -> tuple[Sharing, WatchedExecutor, str]:  # fmt: skip
    """All that one call shows, and why it did not come to its end."""
    if not platform.emulated or platform.isa not in CONVENTIONS or platform.isa == "x86-64":
        raise ArgumentError(
            "masked functions of {} cannot be followed; name an emulated ARM or RV32 platform, "
            "such as cortex-m3",
            platform.name,
        )
    arguments = shared_arguments(texts)
    if not any(one.role in ("secret", "share") for one in arguments):
        raise ValueError(
            "no argument is secret, so there is nothing to prove; give two of share:16:key"
        )
    named = tuple(one.given.name for one in arguments if isinstance(one.given, Symbol))
    with function_in(platform, files, function, named) as called:
        image = read_image(called.image, platform.isa)
    domain = Sharing()
    executor = WatchedExecutor(WholeCode(image), domain, stack=stack_of(image))
    try:
        _run(executor, domain, called.address, arguments)
    except StuckError as stuck:
        return domain, executor, str(stuck)
    return domain, executor, ""


def _run(
    executor: WatchedExecutor, domain: Sharing, entry: int, arguments: Sequence[SharedArgument]
) -> None:  # fmt: skip
    names = executor.convention.preserved
    calls = Calls(executor, lambda name: _PRESERVED + names.index(name) if name in names else 0)
    state = executor.fresh()
    words: list[Any] = []
    writable: list[Extent] = []
    for at, one in enumerate(arguments):
        values = _bytes_of(domain, one, at)
        if isinstance(one.given, Buffer):
            extent = calls.room(one.size)
            writable.append(extent)
            calls.put(state, extent.start, values)
            words.append(extent.start)
        elif one.role != "public":
            words.append(_joined(domain, values))
        else:
            words.append(_word(executor.image, one, words))
    executor.watch()
    executor.call(state, entry, words, writable, calls._saved)


def _word(image: ProofImage, one: SharedArgument, words: Sequence[int]) -> int:
    if isinstance(one.given, Symbol):
        return image.symbol(one.given.name)
    if isinstance(one.given, Same):
        return words[one.given.index]
    assert isinstance(one.given, Number)  # noqa: S101 - what shared_arguments() leaves
    return one.given.value


def _bytes_of(domain: Sharing, one: SharedArgument, at: int) -> list[Value]:
    """Bytes of an argument: shares of a secret, a secret in one piece, random, or public."""
    if one.role == "public":
        return list(one.given.content) if isinstance(one.given, Buffer) else []
    name = {"share": one.name, "secret": str(at)}.get(one.role)
    return [
        domain.variable(8, [None if name is None else (name, byte, bit) for bit in range(8)])
        for byte in range(one.size)
    ]


def _joined(domain: Sharing, values: Sequence[Value]) -> Value:
    found = values[0]
    for at, one in enumerate(values[1:], 1):
        found = domain.join(found, 8 * at, one, 8 * at + 8)
    return found


def _judged(
    platform: Platform, function: str, executor: WatchedExecutor, domain: Sharing, why: str
) -> MaskedProof:  # fmt: skip
    outcomes: dict[Statement, Verdict] = dict.fromkeys(STATEMENTS, "open" if why else "proved")
    findings: dict[tuple[Statement, int, str], MaskedFinding] = {}
    for seen in executor.seen:
        verdict, bits = judged_word(domain, seen)
        if verdict == "proved":
            continue
        if outcomes[seen.kind] != "refuted":
            outcomes[seen.kind] = verdict
        found = _finding(executor.code, seen, verdict, bits)
        before = findings.get((seen.kind, seen.address, seen.place))
        if before is None or before.outcome == "open":
            findings[seen.kind, seen.address, seen.place] = found
    counted = Counter(one.kind for one in executor.seen)
    return MaskedProof(
        platform=platform.name, function=function, outcomes=outcomes,
        observed={one: counted[one] for one in STATEMENTS}, findings=tuple(findings.values()),
        instructions=executor.instructions, image_sha256=executor.image.sha256, detail=why,
    )  # fmt: skip


def judged_word(domain: Sharing, seen: Seen) -> tuple[Verdict, tuple[int, ...]]:
    """The worst verdict of the bits, and the bits that have it."""
    words = domain.bits(domain.xor(seen.old, seen.new, 32), 32)
    verdicts = [domain.verdict(bit) if bit > 1 else "proved" for bit in words]
    worst: Verdict = (
        "refuted" if "refuted" in verdicts else "open" if "open" in verdicts else "proved"
    )  # fmt: skip
    return worst, tuple(at for at, one in enumerate(verdicts) if one == worst)


def _finding(code: Code, seen: Seen, verdict: Verdict, bits: tuple[int, ...]) -> MaskedFinding:
    file, line = code.image.line(seen.address)
    return MaskedFinding(
        seen.kind, verdict, seen.place, code.image.function(seen.address), file, line,
        seen.address, code.text(seen.address), bits,
    )  # fmt: skip

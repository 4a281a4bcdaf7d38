# SPDX-License-Identifier: MIT
"""What a call over forms gave, beside what its standard specifies: accepted, and refused."""

from collections.abc import Callable, Sequence

from .domain import Unwritten, Value
from .equality import same
from .fips197 import Byte
from .forms import Equality
from .messages import Ended
from .specified import Expected
from .verdicts import CallVerdict

_STATUS_BITS = 32


def wrong(domain: Equality, ended: Sequence[Ended], wanted: Expected) -> str:
    """What differs; empty where nothing does."""
    if wanted.verdict is None:
        if len(ended) != 1 or ended[0].status != 0:
            return _NOT_ACCEPTED
        return _accepted_wrong(domain, ended[0], wanted)
    accepted = [one for one in ended if one.state.accepted is not False]
    if len(accepted) != 1:
        return f"it returns in {len(accepted)} ways, not one, where it accepts"
    if _status(domain, accepted[0], wanted.verdict.accepted) != 0:
        return _NOT_ACCEPTED
    return _accepted_wrong(domain, accepted[0], wanted) or refused_wrong(domain, ended, wanted)


_NOT_ACCEPTED = "a genuine message may be refused"


def refused_wrong(domain: Equality, ended: Sequence[Ended], wanted: Expected) -> str:
    """The same where the call has to refuse."""
    refused = [one for one in ended if one.state.accepted is not True]
    if len(refused) != 1 or wanted.verdict is None:
        return f"it returns in {len(refused)} ways, not one, where it refuses"
    status = _status(domain, refused[0], wanted.verdict.refused)
    if status is None:
        return "a message that is not genuine is not refused by one status in every case"
    if status == 0:
        return "a message that is not genuine is accepted"
    left = _not_wiped(domain, refused[0], wanted, wanted.verdict)
    if left:
        return f"after a refusal bytes {', '.join(map(str, left[:4]))} of the output are not 0"
    return ""


def _status(domain: Equality, ended: Ended, constant: Callable[[int], int | None]) -> int | None:
    """The status, as a number where each of its bits is a constant."""
    if isinstance(ended.status, Unwritten):
        return None
    bits = [constant(form) for form in domain.bits(ended.status, _STATUS_BITS)]
    known = [bit << at for at, bit in enumerate(bits) if bit is not None]
    return sum(known) if len(known) == _STATUS_BITS else None


def _accepted_wrong(domain: Equality, ended: Ended, wanted: Expected) -> str:
    for name, got, meant in (
        ("output", ended.out, wanted.out),
        ("tag", ended.tag, wanted.tag),
        ("IV", ended.nonce, wanted.nonce),
    ):
        differing = _differing(domain, got, meant, wanted.verdict)
        if differing:
            some = ", ".join(map(str, differing[:4]))
            return f"bytes {some} of the {name} differ from the standard"
    return ""


def _differing(
    domain: Equality, got: Sequence[Value], meant: Sequence[Byte], verdict: CallVerdict | None
) -> list[int]:
    pairs = enumerate(zip(got, meant, strict=True))
    return [
        at
        for at, (one, other) in pairs
        if not same(domain, one, other) and not _same_accepted(domain, one, other, verdict)
    ]


def _same_accepted(domain: Equality, got: Value, meant: Byte, verdict: CallVerdict | None) -> bool:
    """A byte is the one that is specified wherever the call accepts."""
    if verdict is None or isinstance(got, Unwritten):
        return False
    pairs = zip(domain.bits(got, 8), meant, strict=True)
    return all(verdict.accepted(one ^ other) == 0 for one, other in pairs)


def _not_wiped(domain: Equality, ended: Ended, wanted: Expected, verdict: CallVerdict) -> list[int]:
    """Bytes of the output that are not 0, nor as the caller gave them where that is allowed.

    Where the key is refused there is no message, and no output.
    """
    size, given = len(ended.out), wanted.parts.data
    before, behind = wanted.kept
    left = [at for at, one in enumerate(ended.out) if not _is_zero(domain, one, verdict)]
    kept = {
        at: given[at if at < before else at - size]
        for at in left
        if not before <= at < size - behind
    }
    return [at for at in left if at not in kept or not _as_given(domain, ended.out[at], kept[at])]


def _is_zero(domain: Equality, value: Value, verdict: CallVerdict) -> bool:
    """A byte is 0 wherever the call refuses."""
    if isinstance(value, int | Unwritten):
        return value == 0
    return all(verdict.refused(form) == 0 for form in domain.bits(value, 8))


def _as_given(domain: Equality, value: Value, given: Value) -> bool:
    """A byte was not written, or is what was given."""
    return isinstance(value, Unwritten) or domain.bits(value, 8) == domain.bits(given, 8)

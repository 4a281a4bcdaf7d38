# SPDX-License-Identifier: MIT
"""Where the two sides of a branch meet again: the nearest instruction that no path avoids.

Source: Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm, Rice University TR-06-33870,
on the graph of the code with its arrows reversed.  A call goes on behind itself; a jump to a
computed address is an end, as a return is.

On ARMv6-M gcc also jumps by BL: beyond 2 KiB within a function, and into a table of a switch by a
function of libgcc, which does not return to where it was called.
"""

from collections import defaultdict
from typing import Final

from ..code import Code
from ..findings import StuckError
from ..lifter import CONSTANT, Lifted

_END: Final = -1
_LEAVES: Final = ("BRANCH", "BRANCHIND", "RETURN")
_SWITCH: Final = "__gnu_thumb1_case_"


class ControlGraph:
    """Meeting points by address of the branch."""

    def __init__(self, code: Code) -> None:
        """Nothing is known yet."""
        self._code = code
        self._meets: dict[int, int] = {}

    def meets(self, branch: int) -> int | None:
        """Where both sides of a branch come; None: they only return."""
        if branch not in self._meets:
            self._meets |= _meeting_points(self._reached(branch))
        found = self._meets.get(branch, _END)
        return None if found == _END else found

    def _reached(self, start: int) -> dict[int, tuple[int, ...]]:
        """Successors of every instruction that a path from there reaches."""
        found: dict[int, tuple[int, ...]] = {_END: ()}
        left = [start]
        while left:
            at = left.pop()
            if at in found:
                continue
            try:
                found[at] = self._after(self._code.lifted(at))
            except StuckError:  # said if the run comes there
                found[at] = (_END,)
            left += found[at]
        return found

    def _after(self, lifted: Lifted) -> tuple[int, ...]:
        target = jumped(self._code, lifted)
        if target is None:
            return successors(lifted)
        switch = self._code.image.function(target).startswith(_SWITCH)
        return (_END,) if switch else (target,)


def jumped(code: Code, lifted: Lifted) -> int | None:
    """Where a call goes that is a jump."""
    if code.image.isa != "armv6-m":
        return None
    calls = [
        one for one in lifted.operations if one.name == "CALL" and one.inputs[0][0] != CONSTANT
    ]
    if not calls:
        return None
    target = calls[0].inputs[0][1]
    own, name = code.image.function(lifted.address), code.image.function(target)
    if name.startswith(_SWITCH):
        return target
    recursive = code.image.function(target - 2) != own  # it goes to the function's begin
    return target if own and own == name and not recursive else None


def successors(lifted: Lifted) -> tuple[int, ...]:
    """Addresses that may be next; _END where the function is left."""
    found: list[int] = []
    behind = True
    for at, one in enumerate(lifted.operations):
        outside = not one.inputs or one.inputs[0][0] != CONSTANT
        if one.name in ("BRANCH", "CBRANCH") and outside:
            found.append(one.inputs[0][1])
        elif one.name in ("BRANCHIND", "RETURN"):
            found.append(_END)
        if one.name in _LEAVES and outside and at == len(lifted.operations) - 1:
            behind = any(
                other.name == "CBRANCH" and other.inputs[0][0] == CONSTANT
                for other in lifted.operations
            )
    if behind:
        found.append(lifted.address + lifted.size)
    return tuple(dict.fromkeys(found))


def _meeting_points(after: dict[int, tuple[int, ...]]) -> dict[int, int]:
    """The nearest common point of all ways on from each address."""
    before: dict[int, list[int]] = defaultdict(list)
    for at, others in after.items():
        for other in others:
            before[other].append(at)
    order = _in_post_order(before)
    number = {at: position for position, at in enumerate(order)}
    found = {_END: _END}
    changed = True
    while changed:
        changed = False
        for at in reversed(order[:-1]):
            known = [other for other in after[at] if other in found]
            nearest = known[0]
            for other in known[1:]:
                nearest = _common(nearest, other, found, number)
            if found.get(at) != nearest:
                found[at], changed = nearest, True
    return found


def _in_post_order(before: dict[int, list[int]]) -> list[int]:
    """Addresses from which the end is reached, each behind all that is reached over it."""
    order: list[int] = []
    seen, left = {_END}, [(_END, iter(before[_END]))]
    while left:
        at, others = left[-1]
        for other in others:
            if other not in seen:
                seen.add(other)
                left.append((other, iter(before[other])))
                break
        else:
            left.pop()
            order.append(at)
    return order


def _common(a: int, b: int, found: dict[int, int], number: dict[int, int]) -> int:
    while a != b:
        while number[a] < number[b]:
            a = found[a]
        while number[b] < number[a]:
            b = found[b]
    return a

# SPDX-License-Identifier: MIT
"""Whether an operation's time depends on secrets on a platform, from runs with different ones.

`independent`: the code claims to be constant-time (and the library's own tests hold it to that),
and the runs agree: the same instructions, the same data addresses, the same cycles, and no
instruction of variable time took, or could have taken, another time.  `independent here`: addresses
differ, but every memory that they reach answers in the same time (platforms/uniform.py), so
instructions and cycles are the same for every secret seen.  `depends on the key`: anything else.
The evidence is the number of runs, which shows nothing of other secrets; a proof is added where one
of the image is known (measuring/proofs.py).
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from ..jobs.secrecy import Secrecy, runs_agree
from .emulator.instruction import Instruction
from .emulator.timing.model import TimingModel
from .profile import Execution, Profile

Operands = frozenset[tuple[tuple[int, ...], int]]


@dataclass(frozen=True)
class Observation:
    """What someone with a clock and a probe could tell of one run."""

    cycles: int
    instruction_trace: tuple[int, ...]
    """Digests of the calls, in order."""
    address_trace: tuple[int, ...]
    operands: Operands
    """Executions of each instruction whose time depends on operands, by the cycles that these add
    or by the classes of operands where no rule gives the cycles."""


def observe(
    calls: Sequence[Execution],
    price: Callable[[Profile], int],
    known: dict[Hashable, int],
    model: TimingModel,
    instructions: Mapping[int, Instruction],
) -> Observation:
    """What one run of some calls shows; `known` remembers what was priced already."""
    return Observation(
        cycles=sum(_cycles(call, price, known) for call in calls),
        instruction_trace=tuple(call.instruction_trace for call in calls),
        address_trace=tuple(call.address_trace for call in calls),
        operands=frozenset(_operands(calls, model, instructions).items()),
    )


def _operands(
    calls: Sequence[Execution], model: TimingModel, instructions: Mapping[int, Instruction]
) -> Counter[tuple[int, ...]]:
    """Executions by call, address, and what their time depends on."""
    found = Counter[tuple[int, ...]]()
    for number, call in enumerate(calls):
        for (address, *values), times in call.profile.operands.items():
            one = instructions[address]
            if one.kind in model.variable_time:
                known = any(rule.applies(one) for rule in model.operands)
                shown = [model.operand_cycles(one, *values)] if known else values
                found[number, address, *shown] += times
    return found


def _cycles(call: Execution, price: Callable[[Profile], int], known: dict[Hashable, int]) -> int:
    """The same instructions, operands, regions and alignment cost the same."""
    profile = call.profile
    facts = (
        call.instruction_trace,
        frozenset(profile.operands.items()),
        frozenset(profile.accesses.items()),
        frozenset(profile.unaligned.items()),
    )
    if facts not in known:
        known[facts] = price(profile)
    return known[facts]


def judge(
    runs: Sequence[Observation], *, claimed: bool, addresses_show: bool, multiplies: bool
) -> Secrecy:
    """What is known from runs of one operation with different keys and texts.

    `claimed`: the code says of itself that it is constant-time; `addresses_show`: the platform has
    caches, or memory that is not uniform; `multiplies`: secrets are multiplied by an instruction of
    variable time.
    """
    if len(runs) < 2:
        raise ValueError("one run tells nothing about secrets; give two or more")
    same_work = len({(run.instruction_trace, run.cycles, run.operands) for run in runs}) == 1
    if not same_work or multiplies:
        return Secrecy("depends on the key")
    evidence = runs_agree(len(runs))
    if claimed and len({run.address_trace for run in runs}) == 1:
        return Secrecy("independent", evidence)
    if addresses_show:
        return Secrecy("depends on the key")
    return Secrecy("independent here", evidence)

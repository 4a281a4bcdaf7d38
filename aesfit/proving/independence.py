# SPDX-License-Identifier: MIT
"""Proves that no branch, address or variable time depends on a secret, and tells what is left."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from ..jobs.job import Job
from ..rigs.accounts import claims_constant_time, multiplies_secrets
from .answer import INDEPENDENT, Outcome, ProvedStatement
from .blocks import BlockCalls, told, ways
from .calls import Calls, stack_of
from .code import Code
from .domain import Domain, Value
from .equality import broken_rules
from .executor import Executor
from .findings import OF_SECRETS, Finding, StuckError
from .interpreter import Sides
from .known_bits import KnownBits, secret
from .left import left_statement
from .state import State
from .variable_time import timed_on

NOTHING: Mapping[int, Sides] = MappingProxyType({})
_PRESERVED = 0xA5A5_0000
"""Preserved registers hold numbers of their own, which are no secrets."""


def calls_of(job: Job, code: Code, public: Mapping[int, Sides] = NOTHING) -> Calls:
    """Calls over secrets; `public` are branches that were shown to tell the verdict alone."""
    calls = calls_over(job, code, KnownBits(), lambda address, condition: public.get(address))
    calls.executor.pieces = code.pieces
    return calls


def calls_over(
    job: Job,
    code: Code,
    domain: Domain,
    public: Callable[[int, Value], Sides | None],
    kind: type[Executor] = Executor,
) -> Calls:
    """Calls whose findings are those of the platform, over any domain."""
    executor = kind(
        code,
        domain,
        stack=stack_of(code.image),
        timed=timed_on(job.platform, code.image),
        public=public,
    )
    names = executor.convention.preserved
    return Calls(executor, lambda name: _PRESERVED + names.index(name) if name in names else 0)


def block_statements(job: Job, code: Code) -> tuple[ProvedStatement, ProvedStatement]:
    """INDEPENDENT and STACK for the job's direction."""
    shapes = ways(job)
    calls = calls_of(job, code)
    ends: list[State] = []
    why = ""
    try:
        run = BlockCalls(calls, job, [secret(8)] * (job.key_bits // 8))
        ends = [run.state]
        if job.op.startswith("key-setup"):
            return statements_of(calls, "key set-up", ends, "", claimed(job))
        for shape in shapes:
            after, _ = run.crypt(shape, [secret(8)] * (16 * shape.blocks))
            ends.append(after)
    except StuckError as stuck:
        why = str(stuck)
    return statements_of(calls, told(shapes), ends, why, claimed(job))


def claimed(job: Job) -> bool:
    """The code says of itself that it is independent of secrets there."""
    return claims_constant_time(job) and not multiplies_secrets(job)


def statements_of(
    calls: Calls,
    shapes: str,
    ends: Iterable[State],
    why: str,
    claimed: bool,
    promised: bool = False,
    status: bool = False,
) -> tuple[ProvedStatement, ProvedStatement]:
    """INDEPENDENT and STACK of what calls found; `why`: it did not come to its end.

    What a core with tables finds is what it is known for, and no failure.  `promised`: the library
    says that nothing is left; `status`: the functions return one.
    """
    executor = calls.executor
    secrets = tuple(sorted(one for one in executor.found.values() if one.kind in OF_SECRETS))
    broken = tuple(sorted(broken_rules(calls)))
    outcome: Outcome = "refuted" if broken or secrets else "open" if why else "proved"
    if not claimed and not broken and (secrets or why):
        outcome = "told"
    independent = ProvedStatement(
        INDEPENDENT, outcome, shapes, detail=why or _summary((*broken, *secrets)),
        findings=(*broken, *secrets), verdicts=tuple(sorted(executor.declassified)),
        instructions=executor.instructions, ran=executor.ran,
    )  # fmt: skip
    return independent, left_statement(calls, shapes, ends, why, promised, status)


def _summary(findings: Iterable[Finding]) -> str:
    counted = Counter(one.kind for one in findings)
    return ", ".join(f"{times} x {kind}" for kind, times in counted.items())

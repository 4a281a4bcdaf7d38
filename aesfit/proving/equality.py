# SPDX-License-Identifier: MIT
"""Proves a core's blocks equal to FIPS 197, for every key and every block."""

from collections.abc import Sequence
from random import Random

from ..jobs.job import Job
from .answer import EQUAL, ProvedStatement
from .blocks import BlockCalls, Way, told, ways
from .calls import Calls, stack_of
from .code import Code
from .domain import Unwritten, Value
from .executor import Executor
from .findings import OF_SECRETS, Finding, StuckError
from .fips197 import Aes, Byte
from .forms import Equality
from .tables import Bits
from .verdicts import CallVerdict
from .words import constant, made
from .zones import Atoms

_RANDOM_BLOCKS = 8
_DIRECTED_BLOCKS = 256


def calls_of(code: Code, domain: Equality, verdict: CallVerdict | None = None) -> Calls:
    """Calls over forms; preserved registers hold anything.

    A branch on what tells of its inputs nothing but the verdict is no branch on a secret.
    """

    def public(address: int, condition: Value) -> tuple[int, int] | None:
        return verdict.sides(domain.bits(condition, 1)[0]) if verdict else None

    executor = Executor(code, domain, stack=stack_of(code.image), public=public, strict=True)
    held: dict[str, Value] = {}

    def saved(name: str) -> Value:
        if name not in held:
            held[name] = made(domain.atoms.fresh(executor.width(name)))
        return held[name]

    return Calls(executor, saved)


def prove_blocks(job: Job, code: Code) -> ProvedStatement:
    """The claim for the job's direction: key expansion and all rounds."""
    some = ways(job)
    atoms = Atoms()
    key = [atoms.fresh(8) for _ in range(job.key_bits // 8)]
    data = [atoms.fresh(8) for _ in range(16 * max(one.blocks for one in some))]
    wanted = _specified(job, Aes(atoms, key), data)
    calls = calls_of(code, Equality(atoms))
    try:
        wrong = _differing(job, calls, some, key, data, wanted)
    except StuckError as stuck:
        return _failed(job, code, some, str(stuck))
    broken = tuple(sorted(broken_rules(calls)))
    if wrong:
        return _failed(job, code, some, wrong)
    return ProvedStatement(
        EQUAL, "refuted" if broken else "proved", told(some), findings=broken,
        detail=f"{broken[0].kind}: {broken[0].where}" if broken else "",
        instructions=calls.executor.instructions,
    )  # fmt: skip


def broken_rules(calls: Calls) -> list[Finding]:
    """What a function does to memory or registers that no function may."""
    return [one for one in calls.executor.found.values() if one.kind not in OF_SECRETS]


def _specified(job: Job, aes: Aes, data: Sequence[Byte]) -> list[Byte]:
    step = aes.encrypt if job.op == "encrypt-block" else aes.decrypt
    return [byte for at in range(0, len(data), 16) for byte in step(data[at : at + 16])]


def _differing(
    job: Job,
    calls: Calls,
    some: Sequence[Way],
    key: Sequence[Bits],
    data: Sequence[Bits],
    wanted: Sequence[Byte],
) -> str:
    """The bytes that differ in the first shape that is not equal; empty where all are."""
    domain = calls.executor.domain
    assert isinstance(domain, Equality)  # noqa: S101 - calls_of() made it
    run = BlockCalls(calls, job, [made(one) for one in key])
    for shape in some:
        size = 16 * shape.blocks
        _, got = run.crypt(shape, [made(one) for one in data[:size]])
        wrong = [at for at in range(size) if not same(domain, got[at], wanted[at])]
        if wrong:
            where = ", ".join(map(str, wrong[:4])) + (" ..." if len(wrong) > 4 else "")
            return f"with {shape.blocks} blocks, output bytes {where} differ from the standard"
    return ""


def same(domain: Equality, value: Value, wanted: Byte) -> bool:
    """A byte that was computed is the byte that is specified."""
    return not isinstance(value, Unwritten) and domain.bits(value, 8) == tuple(wanted)


def _failed(job: Job, code: Code, some: Sequence[Way], why: str) -> ProvedStatement:
    """Refuted where a key and a block show it, else open."""
    example = counterexample(job, code, some)
    if example:
        return ProvedStatement(EQUAL, "refuted", told(some), detail=example)
    return ProvedStatement(EQUAL, "open", told(some), detail=why)


def counterexample(
    job: Job, code: Code, some: Sequence[Way], directed: int = _DIRECTED_BLOCKS
) -> str:
    """A key and a block for which the output is wrong; empty where none was found.

    Random ones first, then blocks that lead every byte of the first round to the same entry of a
    table, for each entry; `directed` is the number of these, which take most of the time.
    """
    rng = Random(f"aesfit {job.core} {job.op} {job.key_bits}")  # noqa: S311 - repeatable, no secret
    key = rng.randbytes(job.key_bits // 8)
    atoms = Atoms()
    aes = Aes(atoms, [constant(one, 8) for one in key])
    calls = calls_of(code, Equality(atoms))
    first = 0 if job.op == "encrypt-block" else aes.rounds
    whitening = [_number(one) for word in aes.words[4 * first : 4 * first + 4] for one in word]
    blocks = [rng.randbytes(16) for _ in range(_RANDOM_BLOCKS)]
    blocks += [bytes(one ^ at for one in whitening) for at in range(directed)]
    try:
        run = BlockCalls(calls, job, list(key))
        for number, block in enumerate(blocks):
            shape = some[number % len(some)] if number < _RANDOM_BLOCKS else some[0]
            data = list(block) * shape.blocks
            _, got = run.crypt(shape, data)
            wanted = _specified(job, aes, [constant(one, 8) for one in data])
            if got != [_number(one) for one in wanted]:
                return _example(key, block, got, [_number(one) for one in wanted])
    except StuckError:  # the run over forms said why
        return ""
    return ""


def _number(byte: Byte) -> int:
    return sum(bit << at for at, bit in enumerate(byte))


def _example(key: bytes, block: bytes, got: Sequence[Value], wanted: Sequence[int]) -> str:
    shown = "".join(f"{one:02x}" if isinstance(one, int) else "??" for one in got[:16])
    return f"key {key.hex()}, block {block.hex()}: gives {shown}, not {bytes(wanted[:16]).hex()}"

# SPDX-License-Identifier: MIT
"""`aesfit prove`: machine code equal to FIPS 197, and independent of secrets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ..api.prove import Proofs, jobs_of, proved
from .common import (
    Align,
    able_cores,
    console,
    names_given,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    sizes_given,
    usage,
)
from .grouped import grouped
from .options import Fresh, Json

if TYPE_CHECKING:
    from ..proving.answer import Proof, Statement

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("platform", "<"),
    ("core", "<"),
    ("key", ">"),
    ("op", "<"),
    ("equal to the standard", "<"),
    ("independent of secrets", "<"),
    ("left on the stack", ">"),
)
_SHOWN = 8
"""Findings of one statement that are printed; --json has them all."""


@grouped
def command(
    platform: Annotated[str, typer.Option(metavar="<p,..>", help="By name or TOML file.")],
    core: Annotated[str, typer.Option(metavar="<core,..>", help="These cores, or all.")] = "all",
    key_bits: Annotated[
        str, typer.Option(metavar="<bits,..>", help="Key sizes: 128, 192, 256.")
    ] = "128",
    fresh: Fresh = False,
    json: Json = False,
) -> None:
    """Prove machine code equal to FIPS 197 and independent of secrets, for all keys and data."""
    where = platforms_named(platform)
    names = () if core == "all" else names_given(core, "--core")
    for one in where:
        able_cores(one, names)
    with usage("--platform"):
        jobs = jobs_of(where, names, sizes_given(key_bits))
    with progress_bar(f"proving {len(jobs)} images", quiet=json) as progress:
        answer = proved(jobs, fresh=fresh, progress=progress)
    if json:
        print_json(answer.as_json())
    else:
        _print(answer)
    if answer.failed:
        raise typer.Exit(1)


def _print(answer: Proofs) -> None:
    out = console()
    print_table(out, COLUMNS, [_row(one) for one in answer.proofs])
    for proof in answer.proofs:
        for line in _details(proof):
            print_text(out, line)
    print_text(
        out,
        "Proved for every key and every datum of the lengths that were run, of these images; "
        "not shown: other lengths, compilers and flags, power, faults, speculation.",
    )


def _row(proof: "Proof") -> list[str]:
    from ..proving.answer import EQUAL, INDEPENDENT, STACK  # start-up time

    cells = [_short(proof.of(claim)) for claim in (EQUAL, INDEPENDENT, STACK)]
    return [proof.platform, proof.core, str(proof.key_bits), proof.op, *cells]


def _short(statement: "Statement | None") -> str:
    """One cell."""
    if statement is None:
        return "-"
    return statement.detail if statement.outcome == "told" else statement.outcome


def _details(proof: "Proof") -> list[str]:
    """What is wrong, and what was refused, with its places."""
    lines = []
    for one in proof.statements:
        if one.outcome not in ("refuted", "refused"):
            continue
        subject = f"{proof.platform}, {proof.core}, {proof.key_bits} bits, {proof.op}"
        lines.append(f"{subject}: {one.claim}: {one.outcome}: {one.detail}")
        lines += _places(one)
    return lines


def _places(statement: "Statement") -> Sequence[str]:
    shown = [f"    {one.kind}: {one.where}" for one in statement.findings[:_SHOWN]]
    more = len(statement.findings) - len(shown)
    return [*shown, f"    and {more} more; --json has all"] if more else shown

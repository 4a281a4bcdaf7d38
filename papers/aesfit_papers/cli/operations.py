# SPDX-License-Identifier: MIT
"""`aesfit papers operations`: executed instructions by class beside the operation-count formula."""

import math
from typing import TYPE_CHECKING, Annotated

import click

from aesfit.catalog import cores as all_cores
from aesfit.cli.common import (
    Align,
    able_cores,
    console,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
)
from aesfit.cli.declared import Option
from aesfit.cli.options import Csv, Flags, Json, KeyBits, OnePlatform
from aesfit.cli.records import check_form, print_csv
from aesfit.extras import EMULATOR, missing
from aesfit.platforms.platform import Platform
from aesfit.rigs import why_not as rig_why_not
from aesfit.rigs.rig import RigUnavailableError

from ..instruction_counts.operation_model import ClassCosts
from ..instruction_counts.operations import CLASSES, why_not

if TYPE_CHECKING:
    from ..instruction_counts.block_run import BlockQuestion
    from ..instruction_counts.functions import Split, StepShare
    from ..instruction_counts.operation_answer import OperationAnswer

_TITLES = {"shift": "shift and rotate"}
_COSTS = ("and", "or", "shift")
_OPERATIONS: tuple[tuple[str, Align], ...] = (
    *(("operations", "<"), ("and", ">"), ("or", ">")),
    *(("xor", ">"), ("shift", ">"), ("time", ">")),
)
_FUNCTIONS: tuple[tuple[str, Align], ...] = (
    *(("window", "<"), ("function", "<"), ("calls", ">"), ("instr", ">")),
    *(("cycles", ">"), ("%", ">"), ("code", ">"), ("paper", ">")),
)


def _platform(name: str) -> Platform:
    """The one platform; a usage error if it does not report instruction classes."""
    found = platforms_named(name)
    if len(found) > 1:
        raise click.BadParameter("name one platform", param_hint="--platform")
    reason = why_not(found[0])
    if reason:
        raise click.BadParameter(reason, param_hint="--platform")
    unavailable = missing("the emulator", EMULATOR) or rig_why_not(found[0])
    if unavailable:
        raise RigUnavailableError(unavailable)
    return found[0]


def _rounds(core: str, key_bits: int, rounds: int | None) -> int:
    """The rounds; a usage error if the core cannot run with so few."""
    standard = key_bits // 32 + 6
    if rounds is None or rounds == standard:
        return standard
    if rounds > standard:
        raise click.BadParameter(
            f"AES-{key_bits} has {standard} rounds; give fewer", param_hint="--rounds"
        )
    able = [one.name for one in all_cores() if one.study_rounds]
    if core not in able:
        raise click.BadParameter(
            f"{core} cannot leave rounds out; choose {', '.join(able)}", param_hint="--rounds"
        )
    return rounds


def _costs(text: str) -> ClassCosts:
    """Parse costs such as "and=2,shift=0.5"; operations not named cost 1."""
    found = dict.fromkeys(_COSTS, 1.0)
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, value = part.partition("=")
        try:
            found[name] = float(value) if name in _COSTS else math.nan
        except ValueError:
            found[name] = math.nan
        if not 0 <= found[name] < math.inf:
            raise click.BadParameter(
                f"'{part}' is not a cost; write and=1,or=1,shift=1 with numbers from 0 up",
                param_hint="--cost",
            )
    return ClassCosts(found["and"], found["or"], found["shift"])


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _print_classes(answer: "OperationAnswer") -> None:
    columns: list[tuple[str, Align]] = [("instructions", "<"), ("encrypt", ">"), ("decrypt", ">")]
    both = [answer.counted[direction] for direction in ("encrypt", "decrypt")]
    lines = {_TITLES.get(name, name): [one.classes[name] for one in both] for name in CLASSES}
    lines["all"] = [one.instructions for one in both]
    lines["not executed, among other"] = [one.not_executed for one in both]
    lines["shifts within others"] = [one.folded_shifts for one in both]
    lines["words and bytes loaded"] = [one.loads for one in both]
    lines["words and bytes stored"] = [one.stores for one in both]
    rows = [[title, *map(str, numbers)] for title, numbers in lines.items()]
    print_table(console(), columns, rows, styles={len(CLASSES): "bold"})


def _print_formula(answer: "OperationAnswer") -> None:
    costs = answer.costs
    rows = []
    for direction in answer.counted:
        counted = answer.operations(direction)
        lines = {
            "formula as published": answer.published(direction),
            "formula as repaired": answer.repaired(direction),
            "counted": counted,
            "counted, XOR as 2 AND, 1 OR": counted.expanded(),
        }
        rows += [
            [
                f"{direction}: {name}",
                *map(str, (one.and_, one.or_, one.xor or "-", one.shift)),
                _number(one.time(costs)),
            ]
            for name, one in lines.items()
        ]
    print_table(console(), _OPERATIONS, rows)
    print_text(
        console(),
        f"Time: an AND costs {costs.and_:g}, an OR {costs.or_:g}, a shift {costs.shift:g}, an XOR "
        "two ANDs and an OR. The formula counts byte operations of AES alone; the counted ones "
        "work on words where the core does, and serve addresses and loops too.",
    )


def _function_row(one: "StepShare", whole: int, forms: bool) -> list[str]:
    return [
        one.window,
        f"{one.name}, {one.form}" if forms and one.form else one.name,
        str(one.calls) if one.form else "",
        str(one.instructions),
        str(one.cycles),
        f"{100 * one.cycles / whole:.1f}",
        str(one.code_bytes),
        "-" if one.paper_bytes is None else str(one.paper_bytes),
    ]


def _print_split(asked: "BlockQuestion", found: "Split") -> None:
    rows: list[list[str]] = []
    bold = {}
    forms = len({one.form for one in found.functions if one.form}) > 1
    for total in found.totals:
        ours = [one for one in found.functions if one.window == total.window]
        rows += [_function_row(one, total.cycles, forms) for one in ours]
        shipped = (total.inlined_instructions, total.inlined_cycles, total.inlined_code_bytes)
        for title, numbers in (
            ("all, steps apart", (total.instructions, total.cycles, total.code_bytes)),
            ("all, inlined", shipped),
        ):
            bold[len(rows)] = "bold"
            instructions, cycles, code = map(str, numbers)
            share = f"{100 * numbers[1] / total.cycles:.1f}"
            rows.append([total.window, title, "", instructions, cycles, share, code, "-"])
    print_table(console(), _FUNCTIONS, rows, styles=bold)
    print_text(
        console(),
        f"Steps apart and inlined at {_level(asked)}, inlined as the compiler sees fit"
        f"{_left_apart(found)}. code: bytes of the functions reached, tables left out; paper: of "
        "its table 2, on a Pentium 4.",
    )


def _level(asked: "BlockQuestion") -> str:
    return " ".join(asked.optimise) or "no optimisation flags"


def _left_apart(found: "Split") -> str:
    names = dict.fromkeys(name for total in found.totals for name in total.left_apart)
    return f", which leaves separate functions: {', '.join(names)}" if names else ""


def command(
    core: Annotated[str, Option(metavar="<core>", help="Core, as aesfit cores lists them.")],
    platform: OnePlatform,
    key_bits: KeyBits = 128,
    rounds: Annotated[
        int | None,
        Option(
            metavar="<n>",
            help="Rounds; fewer than the standard's are for study. [the standard's]",
            min=1,
        ),
    ] = None,
    cost: Annotated[
        str, Option(metavar="<costs>", help="Cost of each operation in the formula.")
    ] = "and=1,or=1,shift=1",
    flags: Flags = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Count instructions of a block by class and by function, beside a published formula."""
    quiet = check_form(json, csv)
    where = _platform(platform)
    name = able_cores(where, [core])[0]
    if key_bits not in (128, 192, 256):
        raise click.BadParameter(
            f"'{key_bits}' is not a key size; choose: 128, 192, 256", param_hint="--key-bits"
        )
    count, costs = _rounds(name, key_bits, rounds), _costs(cost)
    from ..instruction_counts.block_run import (
        BlockQuestion,  # these imports need the extra
    )
    from ..instruction_counts.operation_answer import answer  # start-up time

    words = None if flags is None else tuple(flags.split())
    with progress_bar("running blocks", quiet=quiet):
        found = answer(BlockQuestion(where, name, key_bits, count, words), costs)
    _show(found, json=json, csv=csv)


def _show(found: "OperationAnswer", *, json: bool, csv: bool) -> None:
    if csv:
        print_csv(_records(found))
    elif json:
        print_json(found.as_json())
    else:
        _print(found)


def _records(found: "OperationAnswer") -> list[dict[str, str | int]]:
    """A row for each class of instructions and direction."""
    asked = {"platform": found.asked.platform.name, "core": found.asked.core}
    return [
        {**asked, "direction": direction, "class": name, "instructions": number}
        for direction, counted in found.counted.items()
        for name, number in counted.classes.items()
    ]


def _print(found: "OperationAnswer") -> None:
    out, asked = console(), found.asked
    blocks = "1 block" if asked.blocks == 1 else f"{asked.blocks} blocks, worked on at once"
    study = "" if asked.rounds == asked.key_bits // 32 + 6 else ", which is not AES: for study only"
    caches = "; cache misses are not included" if asked.platform.caches else ""
    print_text(
        out,
        f"{asked.core} on {asked.platform.name}, {asked.key_bits}-bit key, {asked.rounds} "
        f"rounds{study}; {_level(asked)}; {blocks}{caches}.",
    )
    _print_classes(found)
    out.print()
    _print_formula(found)
    if found.split is not None:
        out.print()
        _print_split(asked, found.split)

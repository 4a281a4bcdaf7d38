# SPDX-License-Identifier: MIT
"""`aesfit atlas`: the figures that were measured in advance."""

from collections.abc import Sequence
from typing import Annotated, Any

import click

from ..atlas.holding import Holding, holding, holdings
from ..choosing.answer import Answer
from ..choosing.ranking import Candidate
from ..choosing.request import BLOCK
from ..choosing.usual import MODES, SIZES, usual_answer, usual_mode, usual_platforms
from ..errors import unknown
from ..measuring.evidence import evidence_cell
from ..units import count
from .common import (
    Align,
    console,
    payload_size,
    platforms_named,
    print_json,
    print_table,
    print_text,
    usage,
)
from .declared import Option
from .options import Csv, Json
from .records import check_form, print_csv

HELD: tuple[tuple[str, Align], ...] = (
    ("platform", "<"),
    ("lines", ">"),
    ("current", ">"),
    ("old", ">"),
    ("measured", "<"),
    ("compiler", "<"),
)
WINNERS: tuple[tuple[str, Align], ...] = (
    ("mode", "<"),
    ("bytes", ">"),
    ("core", "<"),
    ("cycles", ">"),
    ("flash", ">"),
    ("RAM", ">"),
    ("evidence", "<"),
    ("cycles of", ">"),
    ("any timing", "<"),
)
"""The last column is folded, since the names of a core and of a multiplier are long."""
CORES: tuple[tuple[str, Align], ...] = (
    ("", ">"),
    ("core", "<"),
    ("cycles", ">"),
    ("key set-up", ">"),
    ("flash", ">"),
    ("RAM", ">"),
    ("stack", ">"),
    ("timing", "<"),
    ("evidence", "<"),
)
_EXPENDABLE = ("stack", "key set-up")
_EXPENDABLE_OF_WINNERS = ("RAM", "flash", "evidence")
_RENEW = "in a checkout, make atlas renews the file"
_OLD = f"what is missing or old is measured when aesfit fit is asked; {_RENEW}"
_SIZES = f"{', '.join(map(str, SIZES[:-1]))} or {SIZES[-1]}"

PlatformName = Annotated[
    str | None, Option("--platform", metavar="<p>", help="Platform by name. [list all]")
]
ModeName = Annotated[
    str | None,
    Option("--mode", metavar="<mode>", help=f"One of {', '.join(MODES)}. [best of each]"),
]
Payload = Annotated[
    int | None,
    Option(
        "--bytes",
        metavar="<n>",
        help=f"Payload: {_SIZES} bytes. [{SIZES[-1]}]",
        parser=payload_size,
    ),
]


def command(
    platform: PlatformName = None,
    mode: ModeName = None,
    size: Payload = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """List the figures that were measured in advance, from which `fit` answers at once."""
    check_form(json, csv)
    if platform is None:
        if mode is not None or size is not None:
            raise click.BadParameter("name a platform too", param_hint="--platform")
        _show_holdings(holdings(), json=json, csv=csv)
        return
    name = _named(platform)
    if mode is None:
        _show_winners(_answers(name, SIZES if size is None else (_size(size),)), json=json, csv=csv)
    else:
        answer = _answer(name, _mode(mode), SIZES[-1] if size is None else _size(size))
        _show_cores(answer, json=json, csv=csv)


def _named(text: str) -> str:
    found = platforms_named(text)
    with usage("--platform"):
        if len(found) > 1:
            raise ValueError(f"name one platform, not {len(found)}")
        if found[0].rig != "emulator":
            raise unknown("platform of the atlas", text, usual_platforms())
    return found[0].name


def _mode(name: str) -> str:
    if name not in MODES:
        raise click.BadParameter(f"'{name}' is none of {', '.join(MODES)}", param_hint="--mode")
    return name


def _size(size: int) -> int:
    if size not in SIZES:
        raise click.BadParameter(
            f"the atlas has payloads of {_SIZES} bytes, not {size}; for others ask aesfit fit",
            param_hint="--bytes",
        )
    return size


def _answer(name: str, mode: str, size: int) -> Answer:
    answer = usual_answer(name, mode, size)
    if answer is None:
        alone = " --encrypt-only" if mode == BLOCK else ""
        raise _lacking(name, f"{mode} on {name}", f" --mode {mode} --bytes {size}{alone}")
    return answer


def _answers(name: str, sizes: Sequence[int]) -> list[Answer]:
    asked = (usual_answer(name, mode, size) for mode in MODES for size in sizes)
    found = [answer for answer in asked if answer is not None]
    if not found:
        raise _lacking(name, name)
    return found


def _lacking(name: str, what: str, options: str = "") -> RuntimeError:
    """Why there is no answer, and what gives one; `options`: of `aesfit fit`."""
    if told := holding(name).damaged:
        return RuntimeError(told)
    ask = f"aesfit fit --platform {name}{options}"
    return RuntimeError(
        f"the atlas lacks current figures of {what}; measure them with: {ask} ({_RENEW})"
    )


def _show_holdings(held: Sequence[Holding], *, json: bool, csv: bool) -> None:
    rows = [one.as_json() for one in held]
    if json:
        print_json({"platforms": rows})
    elif csv:
        print_csv(rows)
    else:
        out = console()
        cells = [
            (one.platform, count(one.lines), count(one.current), count(one.old), one.date,
             one.damaged or one.compiler)
            for one in held
        ]  # fmt: skip
        print_table(out, HELD, cells)
        if not held or any(one.old or one.damaged for one in held):
            print_text(out, _OLD, style="dim")


def _winner(answer: Answer) -> dict[str, Any]:
    """The stable keys of the winner, and of the fastest core whatever its timing."""
    request, choice = answer.choice.request, answer.choice
    return {
        "platform": request.platform.name,
        "mode": usual_mode(request),
        "bytes": request.bytes,
        "winner": _short(choice.winner),
        "fastest": _short(choice.fastest),
    }


def _short(one: Candidate | None) -> dict[str, Any] | None:
    if one is None:
        return None
    row = one.row
    sizes = {"flash_bytes": row.flash_bytes, "ram_bytes": row.ram_bytes}
    told = {"timing": row.timing, "evidence": row.evidence}
    return {"core": one.name, "ghash": one.ghash, "cycles": row.cycles, **sizes, **told}


def _show_winners(answers: Sequence[Answer], *, json: bool, csv: bool) -> None:
    rows = [_winner(one) for one in answers]
    if json:
        print_json({"winners": rows})
    elif csv:
        print_csv(rows)
    else:
        out = console()
        cells = [_winner_cells(one) for one in answers]
        print_table(out, WINNERS, cells, expendable=_EXPENDABLE_OF_WINNERS)
        _print_origin(answers[0])


def _winner_cells(answer: Answer) -> tuple[str, ...]:
    request, choice = answer.choice.request, answer.choice
    best, fastest = choice.winner, choice.fastest
    return (
        usual_mode(request),
        count(request.bytes),
        *(("-",) * 5 if best is None else (_title(best), *_costs(best), _evidence(best))),
        *(("-",) * 2 if fastest is None else (count(fastest.row.cycles), _title(fastest))),
    )


def _evidence(one: Candidate) -> str:
    return evidence_cell(one.row.secrecy)


def _title(one: Candidate) -> str:
    return one.name if one.ghash is None else f"{one.name} + {one.ghash}"


def _costs(one: Candidate) -> tuple[str, ...]:
    return count(one.row.cycles), count(one.row.flash_bytes), count(one.row.ram_bytes)


def _show_cores(answer: Answer, *, json: bool, csv: bool) -> None:
    if json:
        origin = answer.origin and answer.origin.as_json()
        print_json({"rows": list(answer.rows), "atlas": origin})
    elif csv:
        print_csv(answer.rows)
    else:
        out = console()
        cells = [_core_cells(one) for one in answer.choice.ranking]
        print_table(out, CORES, cells, expendable=_EXPENDABLE, styles={0: "bold green"})
        for one in answer.choice.dropped:
            print_text(out, f"{one.core}: {one.reason}")
        _print_origin(answer)


def _core_cells(one: Candidate) -> tuple[str, ...]:
    cycles, flash, ram = _costs(one)
    stack = "-" if one.row.stack_bytes is None else count(one.row.stack_bytes)
    place = (cycles, count(one.setup_cycles), flash, ram, stack)
    return str(one.rank), _title(one), *place, one.row.timing, _evidence(one)


def _print_origin(answer: Answer) -> None:
    if answer.origin is not None:
        print_text(console(), answer.origin.told, style="dim")

# SPDX-License-Identifier: MIT
"""`aesfit prove`: machine code equal to FIPS 197, and independent of secrets."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from ..api.prove import Proofs, check_prover, needed, prove
from ..api.prove_function import prove_function
from ..platforms.platform import Platform
from ..proving.answer import EQUAL, INDEPENDENT, STACK
from .common import (
    Align,
    console,
    cores_given,
    names_given,
    platform_named,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    size_given,
    sizes_given,
    usage,
)
from .declared import Asked, Option
from .options import Cores, Csv, Fresh, Ghash, Json
from .prove_function import ProvedFunction, print_verdict
from .prove_masked import print_masked
from .records import check_form, print_csv

if TYPE_CHECKING:
    from ..proving.answer import Proof, ProvedStatement

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("platform", "<"),
    ("core", "<"),
    ("key", ">"),
    ("op", "<"),
    ("bytes", ">"),
    ("equal to the standard", "<"),
    ("independent of secrets", "<"),
    ("no secret left", "<"),
)
_ALONE = (
    "--function goes with --platform, --elf, --arg, --stub, --assume, --why, --limit and --json"
)
_MASKED = "--masked goes with --platform, --elf, --function, --arg and --json alone"
_SHOWN = 8
"""Number of findings printed per statement; --json has them all."""


@dataclass(frozen=True)
class ProvedMessages:
    """Messages."""

    mode: Annotated[
        str | None, Option(metavar="<mode>", help="Mode of the messages. [blocks alone]")
    ] = None
    payload_bytes: Annotated[
        str | None,
        Option("--bytes", metavar="<n,..>", help="Payload bytes, or every. [the mode's]"),
    ] = None
    ghash: Ghash = None

    def asked(self) -> Asked:
        """Arguments; a usage error for a size that is none."""
        return {**asdict(self), "payload_bytes": _payloads(self.payload_bytes)}


@dataclass(frozen=True)
class ProvedFirmware:
    """Firmware of your own."""

    elf: Annotated[
        list[Path] | None,
        Option(
            metavar="<file>",
            help="A linked ELF file; with --function also objects and archives; repeatable. [none]",
            show_default=False,
        ),
    ] = None
    symbol: Annotated[
        str | None,
        Option(metavar="<name>", help="A public function in it, as aesfit_ccm_encrypt. [none]"),
    ] = None
    assume: Annotated[
        str | None,
        Option(metavar="<name=n,..>", help="What variables in it hold. [nothing is known]"),
    ] = None

    def asked(self) -> Asked:
        """Arguments; a usage error for several files."""
        if len(self.elf or ()) > 1:
            raise click.BadParameter("--symbol proves one linked file", param_hint="--elf")
        elf = self.elf[0] if self.elf else None
        return {**asdict(self), "elf": elf, "assume": self.values()}

    def values(self) -> dict[str, int]:
        """Values by the name of their variable; a usage error for what is none."""
        found = {}
        for one in (self.assume or "").split(",") if self.assume else []:
            name, _, value = one.partition("=")
            try:
                found[name] = int(value, 0)
            except ValueError:
                raise click.BadParameter(
                    f"'{one}' is no name=number, as ready=1", param_hint="--assume"
                ) from None
        return found


def command(
    platform: Annotated[str, Option(metavar="<p,..>", help="Platform by name or TOML file.")],
    messages: ProvedMessages,
    firmware: ProvedFirmware,
    own: ProvedFunction,
    cores: Cores = None,
    key_bits: Annotated[
        str, Option(metavar="<bits,..>", help="Key sizes in bits: 128, 192, 256.")
    ] = "128",
    fresh: Fresh = False,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Prove that machine code equals FIPS 197 and is independent of secrets, for all data."""
    if own != ProvedFunction():
        if cores or messages != ProvedMessages() or firmware.symbol or csv:
            raise click.UsageError(_MASKED if own.masked else _ALONE)
        _examine(platform_named(platform), own, firmware, json=json)
        return
    quiet, places = check_form(json, csv), platforms_named(platform)
    what: Asked = {"cores": cores_given(cores) or None, "key_bits": sizes_given(key_bits)}
    what |= messages.asked()
    if not quiet and firmware == ProvedFirmware():
        click.echo(f"this takes {needed(places, **what)}", err=True)
    with progress_bar("proving", quiet=quiet) as progress:
        answer = prove(places, **what, **firmware.asked(), fresh=fresh, progress=progress)
    _show(answer, json=json, csv=csv)
    if answer.failed:
        raise click.exceptions.Exit(1)


def _examine(
    platform: Platform, own: ProvedFunction, firmware: ProvedFirmware, *, json: bool
) -> None:
    """Any function of the user's files."""
    if own.function is None or not firmware.elf:
        raise click.UsageError("--elf and --function go together; give both")
    if own.masked:
        _examine_masked(platform, own, firmware, json=json)
        return
    answer = prove_function(platform, elf=firmware.elf, assume=firmware.values(), **own.asked())
    if json:
        print_json(answer.as_json())
    else:
        print_verdict(answer, why=own.why)
    if answer.verdict != "independent":
        raise click.exceptions.Exit(1)


def _examine_masked(
    platform: Platform, own: ProvedFunction, firmware: ProvedFirmware, *, json: bool
) -> None:
    """A masked function of the user's files."""
    if own != replace(
        ProvedFunction(), function=own.function, arguments=own.arguments, masked=True
    ):
        raise click.UsageError(_MASKED)
    if firmware.assume or own.function is None or not firmware.elf:
        raise click.UsageError(_MASKED)
    check_prover()
    with usage():
        from ..proving.masked.proof import prove_masked  # needs the extra

        answer = prove_masked(platform, firmware.elf, own.function, own.arguments or ())
    if json:
        print_json(answer.as_json())
    else:
        print_masked(answer)
    if not answer.proved:
        raise click.exceptions.Exit(1)


def _show(answer: Proofs, *, json: bool, csv: bool) -> None:
    if csv:
        print_csv(one.as_json() for one in answer.proofs)
    elif json:
        print_json(answer.as_json())
    else:
        _print(answer)


def _payloads(text: str | None) -> list[int] | Literal["every"] | None:
    """Bytes of a list with commas."""
    if text is None or text == "every":
        return None if text is None else "every"
    names = names_given(text, "--bytes")
    if "every" in names:
        raise click.BadParameter(
            "'every' has all lengths, so it stands alone; leave the others out, or leave it out",
            param_hint="--bytes",
        )
    found = [size_given(one, "--bytes") for one in names]
    return [one for one in found if one is not None]


def _print(answer: Proofs) -> None:
    out = console()
    print_table(out, COLUMNS, [_row(one) for one in answer.proofs])
    for proof in answer.proofs:
        for line in _details(proof):
            print_text(out, line)
    print_text(out, _proved(answer.proofs))


def _proved(proofs: "Sequence[Proof]") -> str:
    """What the rows show together, and nothing more."""
    shown = []
    for claim in (EQUAL, INDEPENDENT, STACK):
        asked = [one for proof in proofs if (one := proof.of(claim))]
        proved = sum(one.outcome == "proved" for one in asked)
        if proved:
            shown.append(f"{claim}: {proved} of {len(asked)} rows")
    if not shown:
        return "Nothing was proved; the lines above say why."
    return (
        "Proved for every key and all data of the lengths that the rows name, of these images: "
        f"{'; '.join(shown)}.  Not shown: other lengths, compilers and flags, power, faults, "
        "speculation."
    )


def _row(proof: "Proof") -> list[str]:
    cells = [_short(proof.of(claim)) for claim in (EQUAL, INDEPENDENT, STACK)]
    size = "" if proof.bytes is None else str(proof.bytes)
    return [proof.platform, proof.core, str(proof.key_bits), _op(proof), size, *cells]


def _op(proof: "Proof") -> str:
    return proof.op if proof.mode is None else f"{proof.mode} {proof.op}"


def _short(statement: "ProvedStatement | None") -> str:
    """The text of one cell."""
    if statement is None:
        return "-"
    words = {"told": statement.detail, "open": "not proved"}
    return words.get(statement.outcome, statement.outcome)


def _details(proof: "Proof") -> list[str]:
    """Sentences on findings and refusals, with their places in the code."""
    lines = [f"assumed: {one}" for one in proof.assumed]
    for one in proof.statements:
        if one.outcome in ("proved", "told"):
            lines += _of_every_length(proof, one)
            continue
        subject = f"{proof.platform}, {proof.core}, {proof.key_bits} bits, {_op(proof)}"
        subject += f" of {one.shapes}" if proof.mode else ""
        lines.append(f"{subject}: {one.claim}: {_short(one)}: {one.detail}")
        lines += _places(one)
    return lines


def _of_every_length(proof: "Proof", statement: "ProvedStatement") -> list[str]:
    """Where a property is shown at every length, in words."""
    if proof.bytes != "every" or statement.outcome != "proved" or statement.claim == STACK:
        return []
    subject = f"{proof.platform}, {proof.core}, {proof.key_bits} bits, {_op(proof)}"
    return [f"{subject}: {statement.claim} at {statement.shapes}"]


def _places(statement: "ProvedStatement") -> Sequence[str]:
    shown = [f"    {one.kind}: {one.where}" for one in statement.findings[:_SHOWN]]
    more = len(statement.findings) - len(shown)
    return [*shown, f"    and {more} more; --json has all"] if more else shown

# SPDX-License-Identifier: MIT
"""`aesfit emit`: a choice as one .c and one .h for a firmware."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from ..api.emit import BYTES, emit
from ..emitting import head
from ..emitting.default_core import default_core
from ..emitting.emitted import EmittedFiles
from ..emitting.figures import Figures
from ..emitting.psa import PSA_HEADERS
from ..errors import ArgumentError
from ..measuring.evidence import evidence_cell
from ..units import count
from .common import (
    Align,
    console,
    emitting_bar,
    listed,
    payload_size,
    platform_named,
    print_json,
    print_table,
    print_text,
    sizes_given,
)
from .declared import Asked, Option
from .options import ChipOptions, Force, Fresh, Ghash, Json, NoProof

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("mode", "<"),
    ("key", ">"),
    ("op", "<"),
    ("cycles", ">"),
    ("c/B", ">"),
    ("stack", ">"),
    ("timing", "<"),
    ("evidence", "<"),
)


@dataclass(frozen=True)
class ContentOptions:
    """Contents of the files."""

    mode: Annotated[
        list[str],
        Option(
            metavar="<mode,..>",
            help="ecb, cbc, ctr, ccm, gcm ...; with --encrypt-only also block.",
        ),
    ]
    core: Annotated[
        str | None,
        Option(
            metavar="<core>",
            help="Core, as aesfit cores lists them. [the library's default for the platform]",
        ),
    ] = None
    key_bits: Annotated[str, Option(metavar="<n,..>", help="Key sizes in bits: 128, 192, 256.")] = (
        "128"
    )
    encrypt_only: Annotated[
        bool, Option("--encrypt-only", help="Leave out decryption and verification.")
    ] = False
    separate_keys: Annotated[
        bool,
        Option("--separate-keys", help="A key holds one direction, which saves RAM in some cores."),
    ] = False
    least_ram: Annotated[
        bool,
        Option(
            "--least-ram", help="Clear only as much stack as is proved necessary; takes minutes."
        ),
    ] = False
    prefix: Annotated[
        str, Option(metavar="<name>", help="Prefix of all names and of both files.")
    ] = "fitaes"
    ghash: Ghash = None
    self_test: Annotated[
        bool, Option("--no-self-test", help="Leave out the self-test and its known answers.")
    ] = False
    streaming: Annotated[
        bool, Option("--streaming", help="Add functions that take a message in pieces.")
    ] = False
    all_functions: Annotated[
        bool, Option("--all-functions", help="Add streaming functions and status texts.")
    ] = False

    psa: Annotated[
        bool, Option("--psa", help="Write the driver of PSA Crypto around them too.")
    ] = False

    def asked(self) -> Asked:
        """Arguments; a usage error says what is wrong with a list."""
        return {
            **asdict(self),
            "mode": listed(",".join(self.mode)),
            "key_bits": sizes_given(self.key_bits),
            "self_test": not self.self_test,
        }


def command(  # long: half of it declares options
    contents: ContentOptions,
    chip: ChipOptions,
    platform: Annotated[
        str | None,
        Option(metavar="<p>", help="Platform to measure on, for the head. [none]"),
    ] = None,
    payload_bytes: Annotated[
        int,
        Option(
            "--bytes",
            metavar="<n>",
            help="Payload bytes of the measured message.",
            parser=payload_size,
        ),
    ] = BYTES,
    project: Annotated[
        str | None,
        Option(
            metavar="<chip>",
            help="Write start-up, linker script, Makefile and main.c for this chip too. [none]",
        ),
    ] = None,
    force: Force = False,
    no_proof: NoProof = False,
    fresh: Fresh = False,
    json: Json = False,
    folder: Annotated[
        Path | None,
        Option("-o", "--output", metavar="<folder>", help="New folder. [./<prefix>]"),
    ] = None,
) -> None:
    """Write one .c and one .h with only the chosen core, modes and key sizes."""
    if platform is not None and project is not None:
        raise ArgumentError("--project names the chip already; leave --platform out")
    named = project or platform
    where = None if named is None else platform_named(named)
    core = contents.core or default_core(where)
    with emitting_bar(core, contents.ghash, where, no_proof=no_proof, quiet=json) as progress:
        answer = emit(
            **contents.asked(),
            platform=where,
            **chip.asked(),
            payload_bytes=payload_bytes,
            project=project is not None,
            folder=folder,
            force=force,
            prove=False if no_proof else None,
            fresh=fresh,
            progress=progress,
        )
    if json:
        print_json(answer.as_json())
    else:
        _show(answer)


def _rows(figures: Figures) -> list[tuple[str, ...]]:
    return [
        (
            str(row.mode),
            str(row.key_bits),
            row.op,
            count(row.cycles),
            "" if row.cycles_per_byte is None else f"{row.cycles_per_byte:.1f}",
            "-" if row.stack_bytes is None else count(row.stack_bytes),
            row.timing,
            evidence_cell(row.secrecy),
        )
        for row in figures.rows
    ]


def _show(answer: EmittedFiles) -> None:
    """Print what was made and what to do next."""
    out, choice, figures = console(), answer.choice, answer.figures
    for path in answer.files:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        print_text(out, f"{path}: {count(lines)} lines")
    print_text(out, f"functions: {', '.join(answer.functions)}")
    held = ", ".join(f"{name} {count(size)} bytes" for name, size in answer.context_bytes.items())
    in_ram = figures.tables_in_ram if figures is not None else 0
    print_text(out, f"RAM: {held}" + (f", tables {count(in_ram)} bytes" if in_ram else ""))
    if figures is not None and choice.platform is not None:
        flash = figures.flash
        print_text(
            out,
            f"flash: {count(flash.code + flash.tables)} bytes ({count(flash.code)} code, "
            f"{count(flash.tables)} tables); {head.rest(choice)} {count(flash.rest)} more",
        )
        print_table(out, COLUMNS, _rows(figures), expendable=("stack",))
        told = figures.rows[0].provenance
        print_text(out, f"{choice.platform.title}; {told.compiler}; {told.memory}", style="dim")
    # On one line: a folded command could not be copied.
    firmware = next((path.parent for path in answer.files if path.name == "Makefile"), None)
    out.print(f"next: {f'make -C {firmware}' if firmware else answer.compile}", style="bold")
    if choice.psa and not firmware:
        print_text(out, f"{PSA_HEADERS} stands for the headers of your PSA implementation")

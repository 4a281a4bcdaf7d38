# SPDX-License-Identifier: MIT
"""`aesfit emit`: a choice as one .c and one .h for a firmware."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ..api.emit import (
    BYTES,
    check_provable,
    command_of,
    modes_called,
    multiplier_of,
    payload_of,
    put,
    target_of,
)
from ..emitting.choice import DropInChoice
from ..emitting.head import Origin
from ..platforms.platform import Platform
from .common import listed, payload_size, platforms_named, print_json, sizes_given, usage
from .emit_files import checked, figures_of, show
from .grouped import grouped
from .options import ChipOptions, Force, Fresh, Ghash, Json


@dataclass(frozen=True)
class ContentOptions:
    """Contents of the files."""

    core: Annotated[str, typer.Option(metavar="<core>", help="Core, as aesfit cores lists them.")]
    mode: Annotated[
        list[str],
        typer.Option(
            metavar="<mode,..>",
            help="ecb, cbc, ctr, ccm, gcm ...; with --encrypt-only also block.",
        ),
    ]
    key_bits: Annotated[
        str, typer.Option(metavar="<n,..>", help="Key sizes in bits: 128, 192, 256.")
    ] = "128"
    encrypt_only: Annotated[
        bool, typer.Option("--encrypt-only", help="Leave out decryption and verification.")
    ] = False
    separate_keys: Annotated[
        bool,
        typer.Option(
            "--separate-keys", help="A key holds one direction, which saves RAM in some cores."
        ),
    ] = False
    prefix: Annotated[
        str, typer.Option(metavar="<name>", help="Prefix of all names and of both files.")
    ] = "fitaes"
    ghash: Ghash = None
    no_self_test: Annotated[
        bool, typer.Option("--no-self-test", help="Leave out the self-test and its known answers.")
    ] = False
    streaming: Annotated[
        bool, typer.Option("--streaming", help="Add functions that take a message in pieces.")
    ] = False
    all_functions: Annotated[
        bool, typer.Option("--all-functions", help="Add streaming functions and status texts.")
    ] = False


def _platform(name: str | None, chip: ChipOptions, message_bytes: int) -> Platform | None:
    """The platform on which the files are measured, if any."""
    found = [] if name is None else platforms_named(name)
    if len(found) > 1:
        raise typer.BadParameter("name one platform", param_hint="--platform")
    named = found[0] if found else None
    with usage("--bytes"):
        payload_of(named, message_bytes)
    clock_hz = chip.clock_hz
    with usage():
        return target_of(named, clock_hz, chip.buffers)


def _choice(contents: ContentOptions, platform: Platform | None) -> DropInChoice:
    """Make the choice from the options of the command."""
    with usage("--mode"):
        modes = modes_called(listed(",".join(contents.mode)), contents.encrypt_only)
    with usage("--ghash"):
        ghash = multiplier_of(modes, contents.ghash, platform)
    return DropInChoice(
        core=contents.core,
        modes=modes,
        key_bits=tuple(sorted(sizes_given(contents.key_bits))),
        encrypt_only=contents.encrypt_only,
        separate_keys=contents.separate_keys,
        platform=platform,
        prefix=contents.prefix,
        ghash=ghash,
        self_test=not contents.no_self_test,
        streaming=contents.streaming,
        all_functions=contents.all_functions,
    )


@grouped
def command(
    contents: ContentOptions,
    chip: ChipOptions,
    platform: Annotated[
        str | None,
        typer.Option(metavar="<p>", help="Platform to measure on, for the head. [none]"),
    ] = None,
    message_bytes: Annotated[
        int,
        typer.Option(
            "--bytes",
            metavar="<n>",
            help="Payload bytes of the measured message.",
            parser=payload_size,
        ),
    ] = BYTES,
    force: Force = False,
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove the files independent of secrets.")
    ] = False,
    fresh: Fresh = False,
    json: Json = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="<folder>", help="New folder. [./<prefix>]"),
    ] = None,
) -> None:
    """Write one .c and one .h with only the chosen core, modes and key sizes."""
    choice = _choice(contents, _platform(platform, chip, message_bytes))
    folder = output or Path(contents.prefix)
    checked(choice, folder, force=force)
    with usage("--prove"):
        check_provable(choice, prove)
    origin = Origin(command_of(choice, message_bytes, prove))
    figures = figures_of(choice, origin, message_bytes, prove=prove, fresh=fresh, quiet=json)
    answer = put(choice, origin, figures, folder, force=force)
    if json:
        print_json(answer.as_json())
    else:
        show(answer)

# SPDX-License-Identifier: MIT
"""`aesfit emit`: a choice as one .c and one .h for a firmware."""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from ..emit.choice import Choice
from ..emit.head import Origin
from .common import (
    check_ghash,
    ghash_named,
    listed,
    mode_named,
    names_given,
    platforms_named,
    print_json,
)
from .emit_files import as_json, checked, figures_of, put, show
from .options import Fresh, Ghash, Json

EPILOG = "Example: aesfit emit --core transposed --mode ccm --platform cortex-m3"
_BYTES = 1504
_KEY_SIZES = ("128", "192", "256")
_NOT_IN_FILES = ("output", "force", "json", "fresh")


def _choice(given: dict[str, Any]) -> Choice:
    """From the options of the command."""
    platform = platforms_named(given["platform"]) if given["platform"] is not None else [None]
    if len(platform) > 1:
        raise typer.BadParameter("name one platform", param_hint="--platform")
    if platform == [None] and given["message_bytes"] != _BYTES:
        raise typer.BadParameter("nothing is measured; give --platform too", param_hint="--bytes")
    modes = tuple(dict.fromkeys(mode_named(mode) for mode in listed(",".join(given["mode"]))))
    ghash = given["ghash"]
    check_ghash(ghash, "gcm" if "gcm" in modes else None)
    if ghash is None and platform[0] is not None:
        ghash = ghash_named(None, platform[0])
    return Choice(
        core=given["core"],
        modes=modes,
        key_bits=_key_bits(given["key_bits"]),
        encrypt_only=given["encrypt_only"],
        platform=platform[0],
        prefix=given["prefix"],
        ghash=ghash or "shift32",
        self_test=not given["no_self_test"],
        all_functions=given["all_functions"],
    )


def _key_bits(text: str) -> tuple[int, ...]:
    sizes = names_given(text, "--key-bits", _KEY_SIZES)
    for size in sizes:
        if size not in _KEY_SIZES:
            raise typer.BadParameter(
                f"'{size}' is no key size; choose from {', '.join(_KEY_SIZES)}",
                param_hint="--key-bits",
            )
    return tuple(sorted(map(int, sizes)))


def _command(context: typer.Context, choice: Choice) -> str:
    """The command that makes the same files, in whatever folder."""
    words = ["aesfit", "emit"]
    for parameter in context.command.params:
        name = str(parameter.name)
        value = context.params.get(name)
        if name in _NOT_IN_FILES or value in (None, False) or value == parameter.default:
            continue
        if name == "platform" and choice.platform:
            value = Path(value).name
        if name == "mode":
            value = ",".join(value)
        words += [parameter.opts[0]] if value is True else [parameter.opts[0], str(value)]
    return shlex.join(words)


def command(
    context: typer.Context,
    core: Annotated[str, typer.Option(metavar="<core>", help="One that aesfit cores lists.")],
    mode: Annotated[
        list[str], typer.Option(metavar="<mode,..>", help="ecb, cbc, ctr, ccm, gcm ...")
    ],
    key_bits: Annotated[str, typer.Option(metavar="<n,..>", help="128, 192, 256.")] = "128",
    encrypt_only: Annotated[
        bool, typer.Option("--encrypt-only", help="Leave out what decrypts or verifies.")
    ] = False,
    platform: Annotated[
        str | None,
        typer.Option(metavar="<p>", help="Measure the files there; their head tells."),
    ] = None,
    prefix: Annotated[
        str, typer.Option(metavar="<name>", help="Before all names; of both files.")
    ] = "fitaes",
    ghash: Ghash = None,
    no_self_test: Annotated[
        bool, typer.Option("--no-self-test", help="Leave the known answers out.")
    ] = False,
    all_functions: Annotated[
        bool, typer.Option("--all-functions", help="Streamed calls and sentences for statuses too.")
    ] = False,
    message_bytes: Annotated[
        int, typer.Option("--bytes", metavar="<n>", help="Payload of a measured message.", min=1)
    ] = _BYTES,
    force: Annotated[
        bool, typer.Option("--force", help="Replace both files where the folder exists.")
    ] = False,
    fresh: Fresh = False,
    json: Json = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="<folder>", help="New folder; ./<prefix> otherwise."
        ),
    ] = None,
) -> None:
    """Write one .c and one .h with the functions of a choice, and nothing else."""
    choice = _choice(context.params)
    folder = output or Path(prefix)
    checked(choice, folder, force=force)
    origin = Origin(_command(context, choice))
    figures = figures_of(choice, origin, message_bytes, fresh=fresh, quiet=json)
    written = put(choice, origin, figures, folder, force=force)
    if json:
        print_json(as_json(choice, origin, figures, written))
    else:
        show(choice, origin, figures, written)

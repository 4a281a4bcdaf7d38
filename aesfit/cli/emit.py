# SPDX-License-Identifier: MIT
"""`aesfit emit`: a choice as one .c and one .h for a firmware."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ..emitting.choice import DropInChoice
from ..emitting.head import Origin
from ..platforms.platform import Platform
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
from .grouped import given_words, grouped
from .options import Fresh, Ghash, Json

EPILOG = "Example: aesfit emit --core transposed --mode ccm --platform cortex-m3"
_BYTES = 1504
_KEY_SIZES = ("128", "192", "256")
_NOT_IN_FILES = ("output", "force", "json", "fresh")


@dataclass(frozen=True)
class ContentOptions:
    """Contents of the files."""

    core: Annotated[str, typer.Option(metavar="<core>", help="One that aesfit cores lists.")]
    mode: Annotated[
        list[str], typer.Option(metavar="<mode,..>", help="ecb, cbc, ctr, ccm, gcm ...")
    ]
    key_bits: Annotated[str, typer.Option(metavar="<n,..>", help="128, 192, 256.")] = "128"
    encrypt_only: Annotated[
        bool, typer.Option("--encrypt-only", help="Leave out what decrypts or verifies.")
    ] = False
    prefix: Annotated[
        str, typer.Option(metavar="<name>", help="Before all names; of both files.")
    ] = "fitaes"
    ghash: Ghash = None
    no_self_test: Annotated[
        bool, typer.Option("--no-self-test", help="Leave the known answers out.")
    ] = False
    all_functions: Annotated[
        bool, typer.Option("--all-functions", help="Streamed calls and sentences for statuses too.")
    ] = False


def _platform(name: str | None, message_bytes: int) -> Platform | None:
    """Where the files are measured, if anywhere."""
    if name is None:
        if message_bytes != _BYTES:
            raise typer.BadParameter(
                "nothing is measured; give --platform too", param_hint="--bytes"
            )
        return None
    found = platforms_named(name)
    if len(found) > 1:
        raise typer.BadParameter("name one platform", param_hint="--platform")
    return found[0]


def _choice(contents: ContentOptions, platform: Platform | None) -> DropInChoice:
    """From the options of the command."""
    modes = tuple(dict.fromkeys(mode_named(mode) for mode in listed(",".join(contents.mode))))
    ghash = contents.ghash
    check_ghash(ghash, "gcm" if "gcm" in modes else None)
    if ghash is None and platform is not None:
        ghash = ghash_named(None, platform)
    return DropInChoice(
        core=contents.core,
        modes=modes,
        key_bits=_key_bits(contents.key_bits),
        encrypt_only=contents.encrypt_only,
        platform=platform,
        prefix=contents.prefix,
        ghash=ghash or "shift32",
        self_test=not contents.no_self_test,
        all_functions=contents.all_functions,
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


def _command(context: typer.Context, platform: str | None, mode: Sequence[str]) -> str:
    """The command that makes the same files, in whatever folder."""
    instead = {"mode": ",".join(mode)}
    if platform is not None:
        instead["platform"] = Path(platform).name
    return shlex.join(["aesfit", "emit", *given_words(context, _NOT_IN_FILES, instead)])


@grouped
def command(
    context: typer.Context,
    contents: ContentOptions,
    platform: Annotated[
        str | None,
        typer.Option(metavar="<p>", help="Measure the files there; their head tells."),
    ] = None,
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
    choice = _choice(contents, _platform(platform, message_bytes))
    folder = output or Path(contents.prefix)
    checked(choice, folder, force=force)
    origin = Origin(_command(context, platform, contents.mode))
    figures = figures_of(choice, origin, message_bytes, fresh=fresh, quiet=json)
    written = put(choice, origin, figures, folder, force=force)
    if json:
        print_json(as_json(choice, origin, figures, written))
    else:
        show(choice, origin, figures, written)

# SPDX-License-Identifier: MIT
"""`aesfit image visible`: what encryption leaves visible of a picture, predicted without a key."""

from pathlib import Path
from typing import Annotated, Any

import click

from ..files.output import refuse_existing
from ..pictures.panels import percent
from ..pictures.picture_file import MAX_PIXELS, check_available
from ..pictures.visible import AREA, REPEATED, ROUNDS, SIMILAR, Reused, Visible, reused, visible
from ..report.visible_strip import strip
from ..units import count
from .common import check_not_input, check_output, console, print_json, print_table, print_text
from .declared import Argument, Option
from .image_input import Force, MaxPixels, read, write_like
from .options import Json

_PRINTED = (1, 2, 3, 4, 10)
"""Rounds in the table."""


def as_json(path: Path, rounds: int, found: Visible, again: Reused | None) -> dict[str, Any]:
    """Values with the stable keys; shares are from 0 to 1."""
    shares = again and {
        "ctr_equal_bytes": again.equal_bytes,
        "xts_equal_blocks": again.equal_blocks,
        "cbc_common_start": again.common_start,
    }
    return {
        "file": str(path),
        "rounds": rounds,
        "blocks": found.blocks,
        "distinct": found.distinct,
        "repeated": found.share(REPEATED),
        "areas": found.share(AREA),
        "similar": found.share(SIMILAR),
        "equal_bytes": [
            {"rounds": number, "share": share}
            for number, share in zip(ROUNDS, found.similar, strict=False)
        ],
        "again": shares,
    }


def _print(found: Visible, rounds: int, again: Reused | None) -> None:
    out = console()
    print_text(
        out,
        f"{found.name}: {count(found.blocks)} blocks of 16 bytes, {count(found.distinct)} different"
        f"; ECB shows {percent(found.share(REPEATED))} of them, because they occur more than once, "
        f"and {percent(found.share(AREA))} as areas, beside an equal block, under every key and "
        "number of rounds",
    )
    print_text(
        out,
        f"with {rounds} round{'s' if rounds > 1 else ''} {percent(found.share(SIMILAR))} "
        "can be told from noise",
        "bold",
    )
    if found.similar:
        rows = [(str(n), f"{found.similar[n - 1]:.2%}") for n in _PRINTED]
        print_text(out, "neighbouring blocks that differ, expected equal bytes (chance 0.39 %):")
        print_table(out, (("rounds", ">"), ("equal bytes", ">")), rows)
    if again is not None:
        print_text(
            out,
            "under the same key and IV: CTR shows the XOR of the pictures, "
            f"{percent(again.equal_bytes)} of whose bytes are 0; XTS shows which blocks are equal, "
            f"{percent(again.equal_blocks)}; CBC shows how much is equal from the start, "
            f"{percent(again.common_start)}",
        )


def command(  # long: half of it declares options
    picture: Annotated[
        Path, Argument(metavar="PICTURE", exists=True, help="Any format that Pillow reads.")
    ],
    again: Annotated[
        Path | None,
        Option(
            metavar="<picture>",
            help="A second picture, encrypted under the same key and IV. [none]",
            exists=True,
        ),
    ] = None,
    rounds: Annotated[
        int,
        Option(metavar="<n>", help="Rounds of AES.", min=ROUNDS[0], max=ROUNDS[-1]),
    ] = 10,
    output: Annotated[
        Path | None,
        Option("--output", "-o", metavar="<map.png>", help="Draw a map of visible blocks. [none]"),
    ] = None,
    max_pixels: MaxPixels = MAX_PIXELS,
    force: Force = False,
    json: Json = False,
) -> None:
    """Predict what ECB, and IVs used twice, show of a picture, without a key.

    JSON: {file, rounds, blocks, distinct, repeated, areas, similar, equal_bytes: a list of {rounds,
    share}, again: {ctr_equal_bytes, xts_equal_blocks, cbc_common_start} or null}.
    """
    check_available()
    sources = [picture, *([] if again is None else [again])]
    if output is not None:
        check_output(output, "-o", (".png",))
        for source in sources:
            check_not_input(output, "-o", source)
        refuse_existing(output, force=force)
    first, *others = [read(source, max_pixels) for source in sources]
    other = others[0] if others else None
    try:
        found = visible(first, rounds)
        twice = None if other is None else reused(first, other)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if output is not None:
        write_like(sources, output, strip(first, found, other, twice), force=force)
    if json:
        print_json(as_json(picture, rounds, found, twice))
    else:
        _print(found, rounds, twice)

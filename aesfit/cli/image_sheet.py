# SPDX-License-Identifier: MIT
"""`aesfit image samples` and `aesfit image sheet`: test pictures, and a slide about a picture."""

from pathlib import Path
from typing import Annotated

from ..files.output import refuse_existing
from ..pictures import picture_file, scenes
from ..pictures.panels import panels, percent, sentence
from ..pictures.picture_file import MAX_PIXELS
from ..report import contact_sheet
from .common import check_not_input, check_picture, console, print_text, progress_bar, write_file
from .declared import Argument, Option
from .image_input import Force, MaxPixels, read, write_like


def samples(
    folder: Annotated[
        Path,
        Option("--output", "-o", metavar="<folder>", help="Folder to write; created if missing."),
    ] = Path(),
    force: Force = False,
) -> None:
    """Draw the test pictures: a logo, a gradient and a landscape, each in three sizes."""
    picture_file.check_available()
    folder.mkdir(parents=True, exist_ok=True)
    drawn = [scenes.scene(name, edge) for name in scenes.SCENES for edge in scenes.EDGES]
    there = [one.name for one in drawn if (folder / one.name).exists()]
    if there and not force:
        raise OSError(f"{folder / there[0]} exists already; --force overwrites it")
    for one in drawn:
        write_file(folder / one.name, picture_file.encoded(one, ".bmp"))
        print_text(console(), str(folder / one.name))


def sheet(
    path: Annotated[
        Path, Argument(metavar="PICTURE", exists=True, help="Any format that Pillow reads.")
    ],
    output: Annotated[
        Path,
        Option("--output", "-o", metavar="<sheet.png>", help="Sheet to write, 1920x1080 pixels."),
    ],
    max_pixels: MaxPixels = MAX_PIXELS,
    force: Force = False,
) -> None:
    """Draw a slide: the picture under ECB at 2 to 10 rounds, CBC and CTR, with histograms."""
    picture_file.check_available()
    check_picture(output, "-o", (".png",))
    check_not_input(output, "-o", path)
    refuse_existing(output, force=force)
    source = read(path, max_pixels)
    with progress_bar(f"encrypting {path.name}", quiet=False) as progress:
        found = panels(source, progress)
    write_like([path], output, contact_sheet.render(found), force=force)
    out = console()
    for one in found:
        print_text(out, f"{one.title:<24}{percent(one.repeated):>8} repeated blocks")
    print_text(out, sentence(found))

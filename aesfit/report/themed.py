# SPDX-License-Identifier: MIT
"""Pictures for light and dark: SVG files that follow the reader, and SVG in pages that do."""

import re
from collections.abc import Mapping
from html import escape

from .marks import GRID, INK, MUTED, PAPER

DARK: Mapping[str, str] = {
    INK: "#e8ebf1",
    MUTED: "#9aa4b5",
    GRID: "#2c3340",
    PAPER: "#171b24",
    "#c3c9d3": "#4a5263",
    "#0072b2": "#56b4e9",
    "#992c5b": "#e886b0",
    "#d99100": "#f0b73f",
    "#007a5e": "#4fd1a5",
    "#6f4ba0": "#b79be6",
    "#b34700": "#ff9a5c",
    "#009e73": "#4fd1a5",
    "#56a3d9": "#8cc8f2",
    "#6b6b6b": "#b0b0b0",
}
"""Colours of pictures on white, and their replacements on dark."""
_WIDE = 400.0
"""Width in points above which a picture scrolls in its box on a narrow page."""
_COLOUR = re.compile("|".join(DARK))


def dark_variables() -> str:
    """CSS declarations for the dark theme of a page; the light theme keeps the drawn colours."""
    return " ".join(f"{_variable(light)}: {dark};" for light, dark in DARK.items())


def for_page(svg: bytes, name: str, alt: str) -> str:
    """An SVG to embed in a page; `name` makes its identifiers unique there."""
    text = svg.decode("utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = unstyled(text)
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'((?:xlink:)?href="|url\()#', rf"\g<1>#{name}-", text)
    text = _COLOUR.sub(lambda found: f"var({_variable(found[0])}, {found[0]})", text)
    head = f'<svg role="img" aria-label="{escape(alt)}" stroke-linejoin="round"'
    wide = re.search(r'<svg[^>]*?\bwidth="([\d.]+)pt"', text)
    style = _widths(float(wide[1])) if wide else ""
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    return text.replace("<svg", head + style, 1)


def unstyled(text: str) -> str:
    """An SVG without its style sheets, which in a page would be those of the whole page."""
    return re.sub(r"<style[^>]*>.*?</style>", "", text, flags=re.DOTALL)


def _widths(points: float) -> str:
    """Limit the size: not much larger than drawn and, for wide pictures, not unreadably small."""
    least = f"; min-width: {points:.0f}px" if points > _WIDE else ""
    return f' style="max-width: {1.6 * points:.0f}px{least}"'


def for_both(svg: bytes) -> bytes:
    """The same file, which takes the colours of the dark theme where the reader prefers it."""
    text = svg.decode("utf-8")
    rules = "\n".join(
        f'[style*="{part}: {light}"] {{{part}: {DARK[light]} !important}}'
        for light in sorted(set(_COLOUR.findall(text)))
        for part in ("fill", "stroke")
        if f"{part}: {light}" in text
    )
    style = f'<style type="text/css">@media (prefers-color-scheme: dark) {{\n{rules}\n}}</style>'
    return text.replace("</defs>", f" {style}\n </defs>", 1).encode()


def _variable(colour: str) -> str:
    return f"--c-{colour[1:]}"

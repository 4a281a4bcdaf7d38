# SPDX-License-Identifier: MIT
"""Hooks of MkDocs: pages made from the sources, and links that leave the folder docs/.

The start page is README.md, and the C reference is the public header: neither is copied into docs/.
"""

import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))  # MkDocs loads this file by its path

import atlas_site  # noqa: E402
import python_reference  # noqa: E402

from aesfit.platforms.find import platform_named  # noqa: E402
from aesfit.web import export  # noqa: E402

CHOOSER = "fit"
"""Where the site holds the page that chooses, as static files."""
_PICTURED = "stm32f407"
"""The platform of the picture on the front page, as in README.md."""
_FIRST_HEADING = "\n## "
HEADER = ROOT / "lib" / "include" / "aesfit.h"
_PART = re.compile(r'^#include "(aesfit_(?:seal|messages)\.h)".*\n', re.MULTILINE)
"""Parts of it that are shown in their places."""
_LINK = re.compile(r"\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
_SECTION = re.compile(r"^/\* -+ (.+?) \*/\n", re.MULTILINE)
_COMMENT = re.compile(r"\A/\*(.*?)\*/\n?", re.DOTALL)
_LABEL = re.compile(r"\n(?=[A-Z]\w+(?: \w+)?: )")
"""A line break before a paragraph that begins with a word and a colon."""
_MACHINERY = re.compile(r"^\s*(#|#?\}|extern|\w+_H\b)")


def on_files(files: Files, config: Any) -> Files:  # noqa: ANN401 - MkDocs' own dictionary
    """Add the pages that have no file in docs/."""
    pages = {
        "index.md": front_page((ROOT / "README.md").read_text(encoding="utf-8")),
        "api-c.md": "\n".join(c_reference(header_text())),
        "api-python.md": "\n".join(python_reference.pages()),
    }
    atlas = list(atlas_site.pages())
    pages |= {f"atlas/{one.platform}.md": one.text for one in atlas}
    pages["atlas.md"] = (
        (ROOT / "docs" / "atlas.md")
        .read_text(encoding="utf-8")
        .replace(atlas_site.MARK, atlas_site.listed(atlas))
    )
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    for path, data in export.files():
        files.append(File.generated(config, f"{CHOOSER}/{path}", content=data))
    return files


def header_text() -> str:
    """The public header with its part, which begins behind its guard."""
    text = HEADER.read_text(encoding="utf-8")
    for found in _PART.finditer(text):
        part = HEADER.with_name(found[1]).read_text(encoding="utf-8")
        inside = part.partition("_H\n\n")[2].rpartition("#endif")[0]
        text = text.replace(found[0], inside)
    return text


def on_page_markdown(markdown: str, page: Any, **_: object) -> str:  # noqa: ANN401 - MkDocs' own
    """Replace links out of docs/ by the path in the sources, which the site does not hold."""
    return _LINK.sub(lambda link: _inside(link, page.file.src_uri), markdown)


def _inside(link: re.Match[str], source: str) -> str:
    text = link[1]
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[2]))
    if not target.startswith("../"):
        return link[0]
    path = target.removeprefix("../")
    if not (ROOT / path).exists():
        raise ValueError(f"{source} links to {path}, which does not exist")
    return f"`{path}`" if text in (path, posixpath.basename(path)) else f"{text} (`{path}`)"


def front_page(readme: str) -> str:
    """The start page with one picture, and room for its table."""
    opening, heading, rest = start_page(readme).partition(_FIRST_HEADING)
    return "\n".join(
        [
            "---\nhide:\n  - toc\n---",
            opening,
            f"[Choose here, in the browser]({CHOOSER}/index.html), nothing to install.\n",
            f"Every core on the {platform_named(_PICTURED).title}:\n",
            *atlas_site.pictured(_PICTURED),
            f"{heading}{rest}",
        ]
    )


def start_page(readme: str) -> str:
    """README.md with links as seen from docs/."""

    def moved(link: re.Match[str]) -> str:
        inside = link[2].startswith("docs/")
        target = link[2].removeprefix("docs/") if inside else f"../{link[2]}"
        return f"[{link[1]}]({target}{link[3] or ''})"

    return re.sub(r'\b(src|srcset)="docs/', r'\1="', _LINK.sub(moved, readme))


def _prose(comment: str) -> str:
    """The text of a comment, without its stars; characters of Markdown markup are escaped."""
    lines = (re.sub(r"^ ?\* ?", "", line).strip() for line in comment.strip().splitlines())
    parts = "\n".join(lines).split("`")
    escapes = str.maketrans({"<": "&lt;", ">": "&gt;", "*": "\\*", "_": "\\_"})
    parts[::2] = [part.translate(escapes) for part in parts[::2]]
    return "`".join(parts)


def c_reference(header: str) -> Iterator[str]:
    """The public header, section by section: comments as text, declarations as code."""
    opening, _, body = header.partition("#ifndef AESFIT_H")
    yield "# C reference\n"
    yield "`#include <aesfit.h>`: this page is that header, read aloud.\n"
    prose = _prose(opening.split("*/", 1)[1].strip().removeprefix("/*").removesuffix("*/"))
    yield _LABEL.sub("\n\n", prose) + "\n"
    parts = _SECTION.split(body)
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        yield f"\n## {title[0].upper()}{title[1:]}\n"
        for chunk in re.split(r"\n\s*\n", text.strip("\n")):
            yield from _declaration(chunk)


def _declaration(chunk: str) -> Iterator[str]:
    """A comment as prose and what follows as code; omits code of only guards and pragmas."""
    comment = _COMMENT.match(chunk)
    if comment:
        yield _prose(comment[1]) + "\n"
    code = chunk[comment.end() :] if comment else chunk
    if any(line and not _MACHINERY.match(line) for line in code.splitlines()) or "#define" in code:
        yield f"```c\n{code.rstrip()}\n```\n"

# SPDX-License-Identifier: MIT
"""The documentation: its pages as they lie there; and the site of them, which `make docs` builds
and has checked here."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
FETCHED = re.compile(r"""(?:src=|<link[^>]+href=|url\()["']?((?:https?:)?//[^"')\s>]+)""")
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
"""What a link names in this project: a path, and a heading of that page."""
MADE = ("api-c.md", "api-python.md", "atlas/")
"""Pages that have no file; the site alone knows their headings."""


def prose(page: Path) -> str:
    """The text of a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def headings(page: Path) -> set[str]:
    """The names of the headings of a page, by which links find them."""
    bare = (re.sub(r"[^\w\s-]", "", one) for one in re.findall(r"^#+ (.+)$", prose(page), re.M))
    return {re.sub(r"[-\s]+", "-", one.strip().lower()) for one in bare}


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for path, heading in LINK.findall(prose(page)):
        to = (page.parent / path).resolve() if path else page
        if to.is_relative_to(DOCS) and str(to.relative_to(DOCS)).startswith(MADE):
            continue
        assert to.exists(), path
        assert not heading or heading in headings(to), f"{path}#{heading}"


def test_every_page_of_docs_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r": (\S+\.md)$", menu, re.MULTILINE)
    assert len(listed) == len({*listed}) > 40
    made = {"index.md", *MADE[:2]}
    assert {str(page.relative_to(DOCS)) for page in PAGES} == {*listed} - made


@pytest.fixture(scope="module")
def site() -> Path:
    """The site as `make docs` leaves it: built in strict mode, where a dead link is an error."""
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build"],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return ROOT / "build" / "site"


@pytest.mark.slow
def test_every_page_of_docs_is_in_the_site(site: Path) -> None:
    for page in PAGES:
        shown = site / page.relative_to(DOCS).with_suffix(".html")
        assert shown.is_file(), f"{page.name} is not in mkdocs.yml"


@pytest.mark.slow
def test_nothing_is_fetched(site: Path) -> None:
    pages = list(site.glob("*.html"))
    assert pages
    for page in pages:
        assert not FETCHED.findall(page.read_text(encoding="utf-8")), page.name


@pytest.mark.slow
def test_references_hold_the_whole_interface(site: Path) -> None:
    folder = ROOT / "lib" / "include"
    header = "".join(
        (folder / f"aesfit{part}.h").read_text() for part in ("", "_seal", "_messages")
    )
    functions = set(re.findall(r"^\w[\w ]*\*?(aesfit_\w+)\(", header, re.MULTILINE))
    shown = re.sub(r"<[^>]+>", "", (site / "api-c.html").read_text(encoding="utf-8"))
    assert len(functions) > 50
    assert [name for name in functions if f"{name}(" not in shown] == []
    assert "aesfit_&lt;mode&gt;_&lt;verb&gt;" in shown
    python = (site / "api-python.html").read_text(encoding="utf-8")
    methods = ("AESGCM.encrypt", "Cipher.encryptor")
    for name in (*methods, "cmac", "key_wrap", "unseal", "fit", "measure", "predict"):
        assert f">{name}<" in python, name
    assert "<li><code>payload_bytes</code>: payload of one message, in bytes" in python

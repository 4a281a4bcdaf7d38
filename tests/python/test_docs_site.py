# SPDX-License-Identifier: MIT
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

FETCHED = re.compile(r"""(?:src=|<link[^>]+href=|url\()["']?((?:https?:)?//[^"')\s>]+)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it: in strict mode, where a dead link is an error."""
    folder = tmp_path_factory.mktemp("site")
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return folder


def test_every_page_of_docs_is_in_the_site(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        shown = site / page.relative_to(ROOT / "docs").with_suffix(".html")
        assert shown.is_file(), f"{page.name} is not in mkdocs.yml"


def test_nothing_is_fetched(site: Path) -> None:
    pages = list(site.glob("*.html"))
    assert pages
    for page in pages:
        assert not FETCHED.findall(page.read_text(encoding="utf-8")), page.name


def test_references_hold_the_whole_interface(site: Path) -> None:
    header = (ROOT / "lib" / "include" / "aesfit.h").read_text(encoding="utf-8")
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

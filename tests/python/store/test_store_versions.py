# SPDX-License-Identifier: MIT
"""Versions of packages, which stand for their contents in keys."""

from importlib import metadata
from pathlib import Path

import pytest

from aesfit.store import closure


def test_versions_are_those_that_the_notes_of_installers_name() -> None:
    found = {one.name: one.version for one in metadata.distributions()}
    assert len(found) > 20
    assert {name: closure.package_version(name) for name in found} == found
    assert closure.package_version("no_such_package") == "none"


def test_of_two_folders_of_a_package_neither_is_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("1.0", "2.0"):
        note = tmp_path / f"made_up-{version}.dist-info" / "METADATA"
        note.parent.mkdir()
        note.write_text(f"Metadata-Version: 2.1\nName: made-up\nVersion: {version}\n")
    monkeypatch.syspath_prepend(tmp_path)
    closure._folders.cache_clear()
    monkeypatch.setattr(metadata, "version", lambda name: f"of {name}")
    assert closure.package_version("made-up") == "of made-up"
    closure._folders.cache_clear()
    closure.package_version.cache_clear()

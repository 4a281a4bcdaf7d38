# SPDX-License-Identifier: MIT
"""tools/release.py: what a release says about itself, and the whole of one (--slow)."""

import io
import json
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path

import pytest
from places import ROOT

from rtl import script

RELEASE = script("release")
LOG = "# Changelog\n\n## Unreleased\n\n- new\n\n## [1.2.0] - 2027-01-01\n\n- old\n"


@pytest.mark.parametrize(("version", "found"), [("1.2.0", "old"), ("1.3.0", "new")])
def test_changes_of_a_version_or_unreleased(version: str, found: str) -> None:
    told = RELEASE.changes(LOG, version)
    assert told.startswith("## ")
    assert f"- {found}\n" in told
    assert told.count("## ") == 1


def test_a_version_without_changes_is_refused() -> None:
    with pytest.raises(RELEASE.ReleaseError, match="says nothing about 2"):
        RELEASE.changes(LOG.replace("Unreleased", "[1.3.0]"), "2.0.0")


def test_an_archive_depends_on_its_files_alone() -> None:
    first = RELEASE.archived({"a/x": b"1", "a/y": b"2"})
    assert first == RELEASE.archived({"a/y": b"2", "a/x": b"1"})
    with tarfile.open(fileobj=io.BytesIO(first)) as archive:
        assert archive.getnames() == ["a/x", "a/y"]


def test_the_c_library_has_its_sources_and_proofs() -> None:
    with tarfile.open(fileobj=io.BytesIO(RELEASE.c_library("9"))) as archive:
        names = archive.getnames()
    assert {"aesfit-c-9/include/aesfit.h", "aesfit-c-9/LICENSE"} <= {*names}
    assert "aesfit-c-9/proven_images.tsv" in names
    assert len(names) == len(RELEASE.library_files()) + 1


def test_the_bill_names_what_is_installed_and_compiled_in() -> None:
    found = [("aesfit", "9"), ("numpy", "2.0")]
    metadata = [{"metadata": {"name": name, "version": version}} for name, version in found]
    bill = json.loads(RELEASE.bill("9", {"installed": metadata}, ["nanobind==3.1.0"]))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["version"] == "9"
    urls = [one["purl"] for one in bill["components"]]
    assert urls == ["pkg:pypi/nanobind@3.1.0", "pkg:pypi/numpy@2.0"]


def test_sums_are_those_that_sha256sum_reads(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"1")
    (tmp_path / "SHA256SUMS").write_text("old", encoding="utf-8")
    assert RELEASE.sums(tmp_path) == f"{sha256(b'1').hexdigest()}  one\n"


def test_a_missing_or_failing_program_is_one_sentence() -> None:
    with pytest.raises(RELEASE.ReleaseError, match="no-such-program is missing"):
        RELEASE.run("no-such-program")
    with pytest.raises(RELEASE.ReleaseError, match="failed"):
        RELEASE.run("git", "no-such-verb")


@pytest.mark.slow
def test_a_whole_release(tmp_path: Path) -> None:
    """Of a clone, so that changes that are not committed do not stop it."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    target = tmp_path / "made"
    subprocess.run([sys.executable, str(clone / "tools/release.py"), f"--output={target}"],
                   check=True)  # fmt: skip
    kinds = {path.suffix for path in target.iterdir()}
    assert kinds == {".whl", ".gz", ".zip", ".crate", ".md", ".json", ""}
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=target, check=True)

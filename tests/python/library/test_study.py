# SPDX-License-Identifier: MIT
"""Cores that exist for the papers: their folder and their structs name the same ones."""

from places import ROOT

from aesfit.catalog import cores

STUDY = ROOT / "lib" / "src" / "cores" / "study"


def test_the_structs_of_the_folder_say_study() -> None:
    assert {core.name for core in cores() if core.study} == {
        file.stem for file in STUDY.glob("*.c")
    }

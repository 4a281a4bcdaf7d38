# SPDX-License-Identifier: MIT
"""The stored figures of Gladman's code: the page has them, and the claims are judged on them."""

import re

from claim_places import place
from places import ROOT

from aesfit_papers.judging import gladman
from aesfit_papers.judging.catalog import experiment_named
from aesfit_papers.judging.contract import OUR_CODE
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.run import judged, stored
from aesfit_papers.judging.transposed import ARMS

CYCLES = ("key_encrypt", "key_decrypt", "encrypt", "decrypt")


def test_the_page_has_every_stored_figure() -> None:
    page = (ROOT / "docs" / "peers.md").read_text(encoding="utf-8").partition("### Gladman")[2]
    told = [line.split(" | ")[1:] for line in re.findall(r"^\| \w.*[0-9] \|$", page, re.MULTILINE)]
    rows = [
        [f"`{row['platform']}`", str(row["flags"]), *(f"{row[name]:,}" for name in CYCLES)]
        for row in gladman.stored().rows
    ]
    assert [[cell.removesuffix(" |") for cell in line] for line in told] == rows


def test_every_code_has_every_processor_and_level() -> None:
    cell = gladman.cell()
    codes = (gladman.COLUMNS_2001, gladman.TABLES_2001, *gladman.BYTES_2006)
    assert len(gladman.stored().rows) == len(codes) * len(ARMS) * len(RELEASE)
    for code in codes:
        assert all(cell(code, arm, level) for arm in ARMS for level in RELEASE)


def test_the_ratios_of_arm_are_judged_on_his_code() -> None:
    """The decryption of the paper's table: 2,763 cycles by Gladman, 2,074 transposed."""
    experiment = experiment_named("transposed_gladman")
    measured = stored(experiment)
    assert measured is not None
    (one,) = (
        each
        for each in judged(experiment, measured.rows)
        if each.claim.sentence.startswith("Decryption of Gladman's takes 1.33")
    )
    assert set(one.verdict.places) == {place(f"arm7tdmi, {level}") for level in RELEASE}
    assert all(OUR_CODE in at for at in one.verdict.swept)
    theirs = gladman.cell()(gladman.COLUMNS_2001, "arm7tdmi", "-O2")["decrypt"]
    pair = one.claim.found[place("arm7tdmi, -O2")]
    assert getattr(pair, "a", None) == theirs
    assert any(line.startswith("Gladman's AES, measured") for line in measured.provenance)

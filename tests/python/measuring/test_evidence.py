# SPDX-License-Identifier: MIT
"""The two facts of a timing, what holds for several together, and their words."""

from dataclasses import replace

import pytest
import rows

from aesfit.jobs.secrecy import KINDS, Kind, Secrecy, runs_agree, weakest
from aesfit.measuring.evidence import evidence_cell, evidence_told, row_evidence

PROVED = Secrecy("independent", "proved", "0,1,15,16,17,33 bytes")
RUNS = Secrecy("independent", runs_agree(4))
CLAIM = Secrecy("independent")
MORE = Secrecy("independent", runs_agree(4), unproved="it executes more")
HERE = Secrecy("independent here", runs_agree(4))
DEPENDS = Secrecy("depends on the key")


@pytest.mark.parametrize(
    ("found", "kind", "cell"),
    [
        (PROVED, "proved", "proved"),
        (RUNS, "independent", "4 runs"),
        (CLAIM, "independent", "none"),
        (HERE, "here", "4 runs"),
        (DEPENDS, "depends", "-"),
    ],
)
def test_the_kind_follows_from_both_facts(found: Secrecy, kind: Kind, cell: str) -> None:
    assert (found.kind, found.place) == (kind, KINDS.index(kind))
    assert evidence_cell(found) == cell


def test_why_a_proof_is_no_evidence_is_said() -> None:
    assert evidence_told(MORE, 1504) == "4 runs; it executes more"
    assert (MORE.kind, evidence_cell(MORE)) == ("independent", "4 runs")


def test_the_weakest_counts_and_of_equals_the_first() -> None:
    assert weakest((PROVED, HERE, RUNS)) == HERE
    assert weakest((PROVED, Secrecy("independent", "proved", "key set-up"))) == PROVED
    assert weakest((RUNS, DEPENDS, HERE)) == DEPENDS


@pytest.mark.parametrize(
    ("proved", "asked", "told"),
    [
        (
            "0,1,15,16,17,33 bytes",
            1504,
            "proved for 0 to 33 bytes (6 lengths); 1,504 run no other code",
        ),
        ("0,1,15,16,17,33 bytes", 33, "proved for 0 to 33 bytes (6 lengths)"),
        ("0,1,15,16,17,33 bytes", 14, "proved for 0 to 33 bytes (6 lengths); 14 run no other code"),
        ("0,1,15,16,17,33 bytes", None, "proved for 0 to 33 bytes (6 lengths)"),
        ("16,17 bytes", 16, "proved for 16 to 17 bytes"),
        ("16 bytes", 1504, "proved for 16 bytes; 1,504 run no other code"),
        ("3 blocks", None, "proved for 3 blocks"),
        ("key set-up", None, "proved for key set-up"),
        ("", 16, "proved"),
    ],
)
def test_the_lengths_of_a_proof_stand_beside_the_question(
    proved: str, asked: int | None, told: str
) -> None:
    assert evidence_told(Secrecy("independent", "proved", proved), asked) == told


def test_a_row_asks_about_its_own_length() -> None:
    """Messages alone: the image of a whole firmware has no length in question."""
    found = next(one for one in rows.ask().ranking if one.name == "safe").row
    message = replace(found, op="encrypt", bytes=1504, proved=PROVED.proved)
    assert row_evidence(message).endswith("(6 lengths); 1,504 run no other code")
    assert row_evidence(replace(message, op="both")).endswith(
        "(6 lengths; refusals at one or more)"
    )


def test_a_proof_of_code_that_may_refuse_says_so() -> None:
    """A recorded proof follows the branch that refuses at one length alone."""
    some = Secrecy("independent", "proved", "16,17,33 bytes")
    told = "proved for 16 to 33 bytes (3 lengths; refusals at one or more)"
    assert evidence_told(some, 16, refuses=True) == told
    assert (
        evidence_told(replace(some, proved="16 bytes"), 16, refuses=True) == "proved for 16 bytes"
    )
    found = next(one for one in rows.ask().ranking if one.name == "safe").row
    message = replace(found, mode="ccm", proved=some.proved)
    for op, refuses in (("encrypt", False), ("message", False), ("decrypt", True), ("both", True)):
        assert ("refusals" in row_evidence(replace(message, op=op))) == refuses


def test_runs_and_claims_have_no_lengths() -> None:
    assert evidence_told(RUNS, 1504) == "4 runs"
    assert evidence_told(CLAIM) == "none"

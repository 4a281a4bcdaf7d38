# SPDX-License-Identifier: MIT
"""The checked-in S-box circuits are what tools/make_sbox_circuit.py derives: 110 gates each."""

import re
import runpy

import pytest
from places import ROOT

HEADER = ROOT / "lib" / "src" / "parts" / "steps" / "sbox_circuit.h"


@pytest.mark.slow  # a search of many thousand orders
def test_derived_again() -> None:
    script = runpy.run_path(str(ROOT / "tools" / "make_sbox_circuit.py"))
    assert script["header"]() == HEADER.read_text(encoding="utf-8")


def test_gates() -> None:
    text = HEADER.read_text(encoding="utf-8")
    circuits = re.findall(r"^{\n(.*?)^}", text, re.DOTALL | re.MULTILINE)
    assert len(circuits) == 2
    for circuit in circuits:
        assert circuit.count(" & ") == 32
        assert circuit.count(" ^ ") == 78

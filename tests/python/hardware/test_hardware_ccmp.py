# SPDX-License-Identifier: MIT
"""Cycles of a CCMP packet on the Verilog design aes_ccm."""

import pytest

from aesfit.hardware.ccmp import ccmp_cycles


def test_a_full_packet() -> None:
    """Three blocks of headers and 94 of payload, each waiting for the last, without a pause."""
    cycles = ccmp_cycles(1504)
    assert cycles.encrypt == 88 * (3 + 94) + 37
    assert cycles.decrypt == cycles.encrypt + 2
    assert 0 < cycles.key < 100
    assert "Icarus" in cycles.provenance


def test_small_packets() -> None:
    """Each further block costs one of the MAC's chain, 88 cycles."""
    assert ccmp_cycles(0).encrypt < ccmp_cycles(1).encrypt
    assert ccmp_cycles(17).encrypt < ccmp_cycles(33).encrypt == ccmp_cycles(49).encrypt - 88


def test_a_payload_that_does_not_fit() -> None:
    with pytest.raises(ValueError, match="65535"):
        ccmp_cycles(65536)

# SPDX-License-Identifier: MIT
"""Processors by their own Verilog: cycles are counted, not modelled."""

# SPDX-License-Identifier: MIT
"""The Verilog cores of rtl/: simulation, synthesis, and what they cost."""

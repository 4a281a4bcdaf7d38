# SPDX-License-Identifier: MIT
"""A processor's own Verilog in a small system, simulated: its build, and a machine around it."""

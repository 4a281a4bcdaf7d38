# SPDX-License-Identifier: MIT
"""The rig of a board on the desk, reached through a debugger by the GDB remote serial protocol."""

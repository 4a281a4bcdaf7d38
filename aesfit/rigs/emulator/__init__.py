# SPDX-License-Identifier: MIT
"""The emulator: runs the bytes that would be flashed, and prices what was executed."""

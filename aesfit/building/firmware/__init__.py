# SPDX-License-Identifier: MIT
"""The C around a measured core: the harness, a file for each mode, the linker script, a driver."""

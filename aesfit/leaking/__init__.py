# SPDX-License-Identifier: MIT
"""How many timings reveal the key, measured by attacks on emulated timings."""

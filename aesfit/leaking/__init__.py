# SPDX-License-Identifier: MIT
"""What a timing leak costs: how many timings give the key away, measured on emulated timings."""

# SPDX-License-Identifier: MIT
"""CBC over a file of many sizes, as Javed (2010) timed it."""

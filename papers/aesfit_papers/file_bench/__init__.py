# SPDX-License-Identifier: MIT
"""Times CBC over files of many sizes, as Javed (2010) did."""

# SPDX-License-Identifier: MIT
"""Drop-ins: one .c and one .h made of the library's own sources for one choice."""

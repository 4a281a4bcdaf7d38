# SPDX-License-Identifier: MIT
"""Drop-ins: one .c and one .h, generated from the library's sources for one choice."""

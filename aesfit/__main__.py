# SPDX-License-Identifier: MIT
"""`python -m aesfit` is the command `aesfit`."""

from .cli import main

main()

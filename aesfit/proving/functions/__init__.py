# SPDX-License-Identifier: MIT
"""Whether any function of any ELF file is independent of its secrets.

Beside the rest of the room, which proves the library, a run goes on after a finding: both sides of
a branch on a secret are run and joined, and each secret remembers where it came from.
"""

# SPDX-License-Identifier: MIT
"""The processor that runs this program."""

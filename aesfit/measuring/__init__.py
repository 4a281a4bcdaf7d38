# SPDX-License-Identifier: MIT
"""Jobs in, rows or refusals out; and traces of bursts."""

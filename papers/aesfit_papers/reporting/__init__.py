# SPDX-License-Identifier: MIT
"""The report: the five papers beside what was measured, as one page."""

# SPDX-License-Identifier: MIT
"""The page: the questions of the command line with sliders, served on this computer."""

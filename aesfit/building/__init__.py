# SPDX-License-Identifier: MIT
"""Builds the image of a core and a mode for a platform, and measures its sizes."""

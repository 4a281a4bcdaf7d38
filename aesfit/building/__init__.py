# SPDX-License-Identifier: MIT
"""From (core, mode, platform, options) to an image and its sizes."""

# SPDX-License-Identifier: MIT
"""Whether platforms encrypt full packets as fast as a wireless network carries them."""

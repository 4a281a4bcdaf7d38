# SPDX-License-Identifier: MIT
"""Which platforms encrypt full packets as fast as a wireless network carries them."""

# SPDX-License-Identifier: MIT
"""What is kept between runs, and the digests that say whether it still holds."""

# SPDX-License-Identifier: MIT
"""Ways of running code and measuring it, one file each."""

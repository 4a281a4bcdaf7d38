# SPDX-License-Identifier: MIT
"""Pictures under encryption, and the statistics that papers judge them by."""

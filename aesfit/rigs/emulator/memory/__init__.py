# SPDX-License-Identifier: MIT
"""Memory interfaces: what stands between a processor and a flash with wait states."""

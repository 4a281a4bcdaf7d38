# SPDX-License-Identifier: MIT
"""Processors of the papers, and the ones that stand in for them."""

ARMS = ("arm7tdmi", "arm9tdmi")
"""The paper's own processors."""
STAND_INS = ("rv32i", "cortex-m0plus")
"""For ST22, whose property is that no instruction combines a shift or rotation with an addition:
the one has no rotation at all, which flatters the transposed form, the other has it as an
instruction of its own."""
PLATFORMS = (*ARMS, *STAND_INS, "cortex-m3", "rv32im-e31")
ARM_PROCESSORS = ("arm7tdmi", "arm9tdmi", "cortex-m0plus", "cortex-m3")
"""ARM processors with a timing model; the paper names ARM7TDMI."""

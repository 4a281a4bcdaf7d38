# SPDX-License-Identifier: MIT
"""What is known of a processor: registers, costs, text.  ONE INSTRUCTION SET = ONE FILE."""

# SPDX-License-Identifier: MIT
"""What experiments share: their contract, the rule of verdicts, charts, and code for one paper.

One experiment is one file of `aesfit_papers/<paper>/`; contract.py says what it holds.
"""

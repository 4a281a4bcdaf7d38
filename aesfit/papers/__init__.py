# SPDX-License-Identifier: MIT
"""Experiments: tables, figures and claims of papers, measured again beside what was published.

One experiment is one file of the folder `experiments/`; `contract.py` says what it holds.
"""

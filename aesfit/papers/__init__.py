# SPDX-License-Identifier: MIT
"""Experiments: tables, figures and claims of papers, measured again beside what was published.

One experiment is one file of `experiments/<paper>/`; contract.py says what it holds.  Here is what
experiments share: the rule of verdicts, charts, and the report on the papers.
"""

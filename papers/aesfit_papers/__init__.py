# SPDX-License-Identifier: MIT
"""Tables, figures and claims of five papers, measured again with aesfit and judged by one rule.

Nothing in aesfit imports this package; its verbs are found through the entry points `aesfit.verbs`.
"""

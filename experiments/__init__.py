# SPDX-License-Identifier: MIT
"""Tables, figures and claims of five papers, measured again: a folder each, a file each."""

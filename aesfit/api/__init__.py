# SPDX-License-Identifier: MIT
"""The public Python functions, one a file: aesfit.fit, measure, count, predict, emit, prove.

Each file holds the question in plain arguments, and the parts that the verb of the same name calls
too, so that Python and the command line give one answer.
"""

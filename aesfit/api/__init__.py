# SPDX-License-Identifier: MIT
"""The public Python functions, one per file: aesfit.fit, measure, count, predict, emit, prove.

Each file takes the question as plain arguments.  The verb of the same name calls the same parts, so
that Python and the command line give one answer.
"""

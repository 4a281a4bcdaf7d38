# SPDX-License-Identifier: MIT
"""The chooser: which core fits a processor.

A question (request.py) is measured (field.py), priced (pricing.py), ranked (ranking.py) and put
into words (words.py); answer.py does all of it.  The command line, the page, the report and Python
programs ask here, so one question has one answer.
"""

# SPDX-License-Identifier: MIT
"""Where the project lies that is tested."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# SPDX-License-Identifier: MIT
"""Where the project's folders lie: beside the package in a checkout, inside it once installed."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of the package."""


def project_folder(name: str) -> Path:
    """The folder of that name at the top of the project: "platforms", "third_party", "lib" ..."""
    checkout = PACKAGE.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    return PACKAGE / "data" / name

# SPDX-License-Identifier: MIT
"""The command `aesfit`, also as `python -m aesfit`; Ctrl-C ends it quietly while it starts, too."""

import sys

from .starting import restore


def main() -> None:
    """Run the command line."""
    try:
        restore()
        from .cli import main as run  # what takes a while to import stands within the try

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

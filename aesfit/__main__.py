# SPDX-License-Identifier: MIT
"""The command `aesfit`, also as `python -m aesfit`; Ctrl-C ends it quietly while it starts, too.

The package imports nothing itself, so all that takes time is imported within the try.
"""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from .cli import main as run  # what takes a while to import stands within the try

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""`python -m aesfit.rigs.emulator.tracer`: build the tracer and say where it is."""

import sys

from ...rig import RigUnavailableError
from .shared_object import build


def main() -> int:
    """Build; 0 when the object is there."""
    try:
        print(f"tracer: {build()}")
    except (RigUnavailableError, OSError) as error:
        print(f"tracer: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

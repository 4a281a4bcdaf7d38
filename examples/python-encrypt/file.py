# SPDX-License-Identifier: MIT
"""A file of any size in the container of aesfit, which `aesfit decrypt` opens too.

python file.py seal KEYFILE IN OUT
python file.py open KEYFILE IN OUT
"""

import sys
from pathlib import Path

from aesfit.files import FormatError, key_in_file, seal, unseal


def convert(verb: str, key_file: Path, source: Path, target: Path) -> None:
    """Seal or open `source`; `target` appears when all of it is written, and found genuine."""
    if target.exists():
        raise ValueError(f"{target} exists already")
    key = key_in_file(key_file.read_bytes())
    part = target.with_name(f"{target.name}.part")
    with source.open("rb", buffering=0) as data, part.open("xb", buffering=0) as result:
        try:
            if verb == "seal":
                seal(data, result, key)
            else:
                unseal(data, result, key)
            part.rename(target)
        finally:
            part.unlink(missing_ok=True)


def main() -> int:
    """Return the exit code: 0, 1 for a failure, 2 for wrong use."""
    if len(sys.argv) != 5 or sys.argv[1] not in ("seal", "open"):
        print(__doc__, file=sys.stderr)
        return 2
    verb, *names = sys.argv[1:]
    try:
        convert(verb, *map(Path, names))
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except (FormatError, ValueError) as error:
        print(f"{names[1]}: {error}", file=sys.stderr)
        return 1
    print(f"{names[1]} -> {names[2]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

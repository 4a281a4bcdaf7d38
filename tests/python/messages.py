# SPDX-License-Identifier: MIT
"""Which messages a mode takes, and messages in pieces."""

import random

WHOLE_BLOCKS = ("ecb", "cbc")
AT_LEAST_A_BLOCK = ("cbc-cs3", "xts")


def cuts(rng: random.Random, data: bytes) -> list[bytes]:
    """The data in random pieces, some of them empty."""
    borders = sorted(rng.choices(range(len(data) + 1), k=rng.randrange(6)))
    return [data[a:b] for a, b in zip([0, *borders], [*borders, len(data)], strict=True)]

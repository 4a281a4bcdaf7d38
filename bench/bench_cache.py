# SPDX-License-Identifier: MIT
"""Time the cache simulator on the addresses of one burst: accesses a second, on one core.

.venv/bin/python bench/bench_cache.py
"""

import time

from aesfit import _native
from aesfit.measuring import bursts
from aesfit.platforms.find import platform_named

CALLS = 1024
GEOMETRIES = [
    (16384, 32, 64, "random"), (16384, 32, 64, "lru"), (8192, 32, 4, "lru"), (4096, 16, 4, "fifo"),
    (1024, 16, 2, "lru"), (256, 16, 1, "lru"),
]  # fmt: skip
KINDS = {"data": 0b0110, "instructions": 0b1001}


def rate(records: bytes, kinds: int, geometry: tuple[int, int, int, str]) -> float:
    """Simulated accesses a second: the best of five runs from an empty cache."""
    best = 0.0
    for _ in range(5):
        cache = _native.CacheSimulator(*geometry)
        start = time.perf_counter()
        accesses, _, _ = cache.run(records, kinds)
        best = max(best, sum(accesses) / (time.perf_counter() - start))
    return best


def main() -> None:
    """Print the table."""
    print(f"one burst of {CALLS} calls on arm9tdmi; millions of accesses a second")
    for core in ("transposed", "ttable4"):
        records = bursts.trace(platform_named("arm9tdmi"), core, CALLS).records
        # Also separate records: with only a mask, skipping the others would cost nothing.
        for name, kinds in KINDS.items():
            part = b"".join(
                records[at : at + 8]
                for at in range(0, len(records), 8)
                if kinds >> records[at + 6] & 1
            )
            for geometry in GEOMETRIES:
                size, line, ways, replacement = geometry
                shape = f"{size:6} B {line:3} B lines {ways:3} ways {replacement:6}"
                print(f"{core:12} {name:12} {shape} {rate(part, kinds, geometry) / 1e6:8.1f}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Write docs/proving.md's table: where results are proved at every length, and in what time.

`python tools/make_every_length_table.py` proves each line anew, one after another.
"""

import sys
from pathlib import Path
from time import process_time

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.proving.code import Code
from aesfit.proving.collecting import uncollected
from aesfit.proving.compiled import proof_image
from aesfit.proving.modes import MessageProof
from aesfit.proving.prove import linked

PAGE = Path(__file__).resolve().parent.parent / "docs" / "proving.md"
MODES = ("cbc encrypt", "cbc_mac encrypt")
CORES = (
    ("cortex-m3", "transposed"),
    ("cortex-m3", "ttable1_armv7m"),
    ("cortex-m3", "sbox_columns"),
    ("cortex-m0plus", "transposed"),
    ("cortex-m33", "transposed"),
    ("rv32im-e31", "transposed"),
    ("arm7tdmi", "transposed"),
)
MORE = (
    ("cortex-m3", "transposed", "cbc decrypt"),
    ("cortex-m3", "transposed", "ctr encrypt"),
    ("cortex-m3", "tiny", "cbc encrypt"),
)
_BEGIN, _END = "<!-- every length -->\n", "<!-- /every length -->"
_HEAD = "| platform | core | call | processor time |\n|---|---|---|--:|\n"


def main() -> int:
    """Renew the page."""
    asked = [(*one, mode) for one in CORES for mode in MODES]
    rows = [_row(*one) for one in (*asked, *MORE)]
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    after = rest.partition(_END)[2]
    PAGE.write_text(f"{before}{_BEGIN}\n{_HEAD}{''.join(rows)}\n{_END}{after}", encoding="utf-8")
    return 0


def _row(platform: str, core: str, call: str) -> str:
    """One line: the time, or the reason."""
    mode, op = call.split()
    job = Job(platform_named(platform), core, 128, op, mode=mode)
    code = Code(proof_image(linked(job)))
    began = process_time()
    with uncollected():
        found = MessageProof(job, code).equal()
    told = f"{process_time() - began:.1f} s"
    if found.outcome != "proved":
        told = f"{found.outcome}: {found.detail}"
    print(platform, core, call, told, sep=", ", file=sys.stderr, flush=True)
    return f"| `{platform}` | `{core}` | {call} | {told} |\n"


if __name__ == "__main__":
    sys.exit(main())

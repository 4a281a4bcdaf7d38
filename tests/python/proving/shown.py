# SPDX-License-Identifier: MIT
"""What the prover says of an image, asked once: kept by the digest of all that it depends on.

Not for tests that change the prover itself while it runs, of which the digest knows nothing.
"""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from made_once import made_once

from aesfit.jobs.job import Job

if TYPE_CHECKING:
    from aesfit.proving.answer import ProvedStatement
    from aesfit.proving.code import Code
    from aesfit.proving.image import ProofImage

    Statements = tuple[ProvedStatement, ...]


def equality(
    job: Job, image: "ProofImage | None" = None, *, planted: bool = False
) -> "ProvedStatement":
    """Whether it computes what its standard says.

    `image` is another one than that of the job.  `planted`: the library has a fault; that -g
    changes no byte is then not asked, which saves a compilation.
    """
    from aesfit.proving.equality import prove_blocks
    from aesfit.proving.modes import MessageProof

    def ask(code: "Code") -> "ProvedStatement":
        return MessageProof(job, code).equal() if job.mode else prove_blocks(job, code)

    (found,) = _kept("equal", job, image, planted, lambda code: (ask(code),))
    return found


def independence(
    job: Job, image: "ProofImage | None" = None, *, planted: bool = False
) -> "tuple[ProvedStatement, ProvedStatement]":
    """Whether it is independent of secrets, and what it leaves behind; arguments as above."""
    from aesfit.proving.independence import block_statements
    from aesfit.proving.modes import MessageProof

    def ask(code: "Code") -> "Statements":
        return MessageProof(job, code).independent() if job.mode else block_statements(job, code)

    first, second = _kept("independent", job, image, planted, ask)
    return first, second


def _kept(
    what: str,
    job: Job,
    image: "ProofImage | None",
    planted: bool,
    ask: "Callable[[Code], Statements]",
) -> "Statements":
    from aesfit.proving.answer import Proof, proof_of
    from aesfit.proving.code import Code
    from aesfit.proving.collecting import uncollected
    from aesfit.proving.compiled import proof_image, unmeasured_image
    from aesfit.proving.prove import digest, linked

    def make(target: Path) -> None:
        asked = image or (unmeasured_image if planted else proof_image)(linked(job))
        with uncollected():
            found = ask(Code(asked))
        proof = Proof(
            job.platform.name, job.core, job.key_bits, job.op, job.mode, job.bytes, "", "", "",
            constant_time=False, statements=found,
        )  # fmt: skip
        target.write_text(json.dumps(proof.for_store()), encoding="utf-8")

    pieces = sha256(repr(image.pieces).encode()).hexdigest() if image else ""
    path = made_once(".json", make, "statements", what, digest(job), planted, pieces)
    return proof_of(json.loads(path.read_text(encoding="utf-8"))).statements

# SPDX-License-Identifier: MIT
"""Servers that differ from the protocol's manual, recognised by what they say of themselves.

Sources: what qSupported is answered with, and what a parting client does, in pyOCD (d1974ffd),
minichlink of ch32fun (d60d0fd3) and the crate gdbstub, with which probe-rs (67993c4b) is made.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """What is particular about a server."""

    name: str
    resumes: bool = False
    """It lets the target run when its client goes, whatever the client left."""
    all_cores: bool = False
    """Its threads are cores, and all of them run when one is resumed."""


PYOCD = Dialect("pyOCD", resumes=True)
_NOT_OF_PYOCD = {"vContSupported+", "hwbreak+", "swbreak+"}
MINICHLINK = Dialect("minichlink", resumes=True)
MULTIPROCESS = Dialect("probe-rs or a server like it", all_cores=True)
USUAL = Dialect("a debugger's server")


def dialect_of(features: Mapping[str, str]) -> Dialect:
    """The server by its answer to qSupported."""
    if "read+" in features:  # a slip of minichlink alone
        return MINICHLINK
    if "multiprocess+" in features:
        return MULTIPROCESS
    if "qXfer:threads:read+" in features and not features.keys() & _NOT_OF_PYOCD:
        return PYOCD
    return USUAL

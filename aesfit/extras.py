# SPDX-License-Identifier: MIT
"""Python packages that are there on demand: those of the extra `rig`, which measuring needs."""

from importlib.util import find_spec

INSTALL = "pip install 'aesfit[rig]'"
_DISTRIBUTIONS = {
    "capstone": "capstone",
    "elftools": "pyelftools",
    "matplotlib": "matplotlib",
    "unicorn": "unicorn",
}
"""Names to import, and what brings them."""

EMULATOR = ("capstone", "elftools", "unicorn")
SIZES = ("elftools",)
PLOTS = ("matplotlib",)


def missing(what: str, modules: tuple[str, ...]) -> str | None:
    """None when the modules are there; else that `what` needs them, and how to get them."""
    lacking = [_DISTRIBUTIONS[name] for name in modules if find_spec(name) is None]
    if not lacking:
        return None
    packages = f"package{'s' if len(lacking) > 1 else ''} {', '.join(lacking)}"
    return f"{what} needs the Python {packages}; install with: {INSTALL}"

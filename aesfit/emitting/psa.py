# SPDX-License-Identifier: MIT
"""The driver of PSA Crypto (lib/psa) around a drop-in, for its modes and key sizes."""

import json
import re
from collections.abc import Sequence
from typing import Any

from ..building.sources import library_folder
from ..errors import ArgumentError
from .choice import DropInChoice
from .head import renamed

_ALGORITHMS = {
    "cbc": "PSA_ALG_CBC_NO_PADDING",
    "ctr": "PSA_ALG_CTR",
    "cfb": "PSA_ALG_CFB",
    "ofb": "PSA_ALG_OFB",
    "ccm": "PSA_ALG_CCM",
    "gcm": "PSA_ALG_GCM",
    "cmac": "PSA_ALG_CMAC",
}
_SWITCHES = ("ECB", "CBC", "CBC_PKCS7", "CTR", "CFB", "OFB", "CCM", "GCM", "CMAC")
"""AESFIT_PSA_<name> of aesfit_psa_contexts.h."""
_DISPATCH = (
    "aesfit_psa_dispatch.h",
    "overlay/mbedtls/platform.h",
    "overlay/psa/crypto_driver_contexts_primitives.h",
    "overlay/psa/crypto_driver_contexts_composites.h",
)
_CONTEXTS = "aesfit_psa_contexts.h"
_LIBRARY = '#include "aesfit.h"\n'


def check(modes: Sequence[str], *, encrypt_only: bool) -> None:
    """Raise ValueError, in one sentence, for a driver that cannot be made."""
    for mode in modes:
        if mode not in _ALGORITHMS:
            raise ArgumentError(
                "a PSA driver is emitted for {}, not for {}; leave it to the built-in software, "
                "or build the driver over the library",
                ", ".join(_ALGORITHMS),
                mode,
                argument="mode",
            )
    if encrypt_only:
        raise ArgumentError("a PSA driver decrypts too; leave {encrypt_only} out")


def files(choice: DropInChoice, header: str) -> dict[str, str]:
    """The driver's files by their paths in the folder, under the prefix of the drop-in's header."""
    folder = library_folder() / "psa"
    names = [path.name for path in sorted(folder.glob("aesfit_psa*.[ch]"))]
    made = {}
    for name in dict.fromkeys((*names, *_DISPATCH)):
        text = (folder / name).read_text(encoding="utf-8")
        if name == _CONTEXTS:
            text = text.replace(_LIBRARY, _LIBRARY + _switches(choice) + _statuses(header), 1)
        made[renamed(name, choice.prefix)] = renamed(text, choice.prefix)
    description = json.loads((folder / "aesfit_psa.json").read_text(encoding="utf-8"))
    made[f"{choice.prefix}_psa.json"] = _described(description, choice)
    return made


def _switches(choice: DropInChoice) -> str:
    chosen = {_ALGORITHMS[mode] for mode in choice.modes}
    names = {"CBC": "CBC_NO_PADDING"}
    lines = [
        f"#define AESFIT_PSA_{one} {int(f'PSA_ALG_{names.get(one, one)}' in chosen)}\n"
        for one in _SWITCHES
    ]
    return "\n/* Chosen: one core, these modes. */\n#define AESFIT_PSA_CORE NULL\n" + "".join(lines)


def _statuses(header: str) -> str:
    """The statuses that the driver knows and no function of the drop-in returns."""
    public = (library_folder() / "include" / "aesfit.h").read_text(encoding="utf-8")
    missing = [
        f"    {name} = {value}"
        for name, value in re.findall(r"AESFIT_(ERR_\w+) = (-\d+)", public)
        if not re.search(rf"_{name}\b", header)
    ]
    lines = ",\n".join(line.replace("ERR", "AESFIT_ERR") for line in missing)
    return f"enum {{\n{lines}\n}}; /* which these functions never return */\n" if missing else ""


def _described(description: dict[str, Any], choice: DropInChoice) -> str:
    """The driver description with the algorithms and key sizes of the choice alone."""
    chosen = {_ALGORITHMS[mode] for mode in choice.modes}
    kept = []
    for capability in description["capabilities"]:
        algorithms = [one for one in capability["algorithms"] if one in chosen]
        if algorithms:
            sizes = list(choice.key_bits)
            kept.append(capability | {"algorithms": algorithms, "key_sizes": sizes})
    prefix = f"{choice.prefix}_psa"
    made = description | {"prefix": prefix, "headers": [f"{prefix}.h"], "capabilities": kept}
    return json.dumps(made, indent=2) + "\n"

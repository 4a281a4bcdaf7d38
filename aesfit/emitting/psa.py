# SPDX-License-Identifier: MIT
"""The driver of PSA Crypto (lib/psa) around a drop-in, for its modes and key sizes."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..building.sources import library_folder
from ..catalog import MODES
from ..errors import ArgumentError
from .choice import DropInChoice
from .figures import aligned, contexts
from .head import renamed

PSA_HEADERS = "mbedtls/include"
"""A user's headers of PSA, in a command for any user."""

_ALGORITHMS = {
    "cbc": "PSA_ALG_CBC_NO_PADDING",
    "ctr": "PSA_ALG_CTR",
    "cfb": "PSA_ALG_CFB",
    "ofb": "PSA_ALG_OFB",
    "ccm": "PSA_ALG_CCM",
    "gcm": "PSA_ALG_GCM",
    "cmac": "PSA_ALG_CMAC",
    "xts": "PSA_ALG_XTS",
}
_SWITCHES = ("ECB", "CBC", "CBC_PKCS7", "CTR", "CFB", "OFB", "CCM", "GCM", "CMAC", "XTS")
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
    made[f"{choice.prefix}_psa.json"] = json.dumps(_described(choice), indent=2) + "\n"
    return made


def functions(choice: DropInChoice) -> tuple[str, ...]:
    """Names of the driver's entry points in C."""
    told = _described(choice)
    entries = (one["entry_points"] for one in told["capabilities"])
    return tuple(dict.fromkeys(f"{told['prefix']}_{name}" for part in entries for name in part))


def include_folders(folder: Path) -> tuple[Path, ...]:
    """Folders that the driver's sources in `folder` include from, in this order."""
    return folder / "overlay", folder, Path(PSA_HEADERS)


def operations(choice: DropInChoice) -> dict[str, int]:
    """Bytes of RAM of the driver's operations (lib/psa/aesfit_psa_contexts.h), by their types.

    An operation holds its key, and the state of its mode where there is one.
    """
    keys = {name.removeprefix(f"{choice.prefix}_"): size for name, size in contexts(choice).items()}
    wide = choice.platform is not None and choice.platform.isa == "x86-64"
    x86 = choice.platform is not None and choice.platform.isa in ("i686", "x86-64")
    pointer, longest = 8 if wide else 4, 4 if x86 and not wide else 8
    block = 16 if x86 else 4
    u8, u64 = (1, 1), (8, longest)
    address = (pointer, pointer)
    key, gcm_key = (keys.get("key", 0), block), (keys.get("gcm_key", 0), block)
    ciphers = (keys["xts_key"], block) if "xts_key" in keys else key
    chosen, made = set(choice.modes), {}
    if chosen & {"cbc", "ctr", "cfb", "ofb", "xts"}:
        feedback = [(17, 1)] if chosen & {"cfb", "ofb"} else []
        chain = [*feedback, (16, 1)] + (
            [_struct([(32, 1), u64, u8, u8])] if "ctr" in chosen else []
        )
        made["cipher"] = [ciphers, _union(chain), (16, 1), *[u8] * 4]
    ccm = _struct([address, (48, 4), (16, 4), u64, u64, *[u8] * 3])
    gcm = _struct([address, (64, 1), u64, u64, *[u8] * 3])
    held = [_struct([key, ccm, (16, 1), u64, u64])] if "ccm" in chosen else []
    held += [_struct([gcm_key, gcm])] if "gcm" in chosen else []
    if held:
        made["aead"] = [_union(held), *[u8] * 6]
    if "cmac" in chosen:
        made["mac"] = [key, _struct([address, (32, 1), u8]), u8]
    return {
        f"{choice.prefix}_psa_{name}_operation_t": _struct(parts)[0] for name, parts in made.items()
    }


def _struct(parts: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Size and alignment of a struct of such parts."""
    end = 0
    for size, align in parts:
        end = aligned(end, align) + size
    most = max(align for _, align in parts)
    return aligned(end, most), most


def _union(parts: Sequence[tuple[int, int]]) -> tuple[int, int]:
    most = max(align for _, align in parts)
    return aligned(max(size for size, _ in parts), most), most


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


def _described(choice: DropInChoice) -> dict[str, Any]:
    """The driver description with the algorithms and key sizes of the choice alone."""
    path = library_folder() / "psa" / "aesfit_psa.json"
    description: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    chosen = {_ALGORITHMS[mode] for mode in choice.modes}
    kept = []
    for capability in description["capabilities"]:
        algorithms = [one for one in capability["algorithms"] if one in chosen]
        if algorithms:
            keys = MODES["xts"].keys if algorithms == [_ALGORITHMS["xts"]] else 1
            sizes = [keys * bits for bits in choice.key_bits]
            kept.append(capability | {"algorithms": algorithms, "key_sizes": sizes})
    prefix = f"{choice.prefix}_psa"
    return description | {"prefix": prefix, "headers": [f"{prefix}.h"], "capabilities": kept}

# SPDX-License-Identifier: MIT
"""The calls of a mode's public functions in C, written from what the mode says of itself.

They stand between harness.h, whose rig_message holds the arguments, and the library's sources.
"""

from ..catalog import Mode, ModeCall

_PARTS = {
    *("nonce", "nonce_bytes", "ad", "ad_bytes", "out", "out_size", "&out_bytes", "in", "bytes"),
    *("tag", "tag_bytes"),
}
"""Arguments that are members of a rig_message (lib/src/mode.h)."""
_STATE = "&state"


def public_calls(mode: Mode) -> tuple[str, ...]:
    """The library's functions that a message of the mode goes through."""
    every = (mode.start, mode.encrypt, mode.decrypt)
    return tuple(dict.fromkeys(one.function for one in every if one))


def context_type(mode: Mode) -> str:
    """The type of an expanded key."""
    return mode.set_up.replace("expand_key", "key")


def rig_calls(mode: Mode, *, decrypts: bool = True) -> str:
    """C that defines rig_context, rig_encrypt() and, where `decrypts`, rig_decrypt()."""
    lines = [
        f"typedef {context_type(mode)} rig_context;",
        f"#define RIG_EXPAND(key, bytes) {_expand(mode)}",
        *(f"RIG_PUBLIC({function});" for function in public_calls(mode)),
    ]
    lines += _entry(mode, "encrypt", mode.encrypt)
    if decrypts and mode.decrypt:
        lines += _entry(mode, "decrypt", mode.decrypt)
    return "\n".join(lines) + "\n"


def _expand(mode: Mode) -> str:
    """The call that expands a key with the default core, and the default multiplier."""
    defaults = "NULL, NULL" if mode.hashes else "NULL"
    directions = "" if mode.hashes else ", RIG_DIRECTIONS"
    return f"{mode.set_up}((key), {defaults}, (bytes), {mode.keys} * RIG_KEY_BITS / 8{directions})"


def _entry(mode: Mode, op: str, call: ModeCall) -> list[str]:
    """The function that takes the message's address."""
    done = f"{call.function}(key, {_arguments(call)})"
    lines = [f"RIG_OWN({op}) int rig_{op}(const rig_context *key, rig_message *m)", "{"]
    if _STATE in call.arguments:
        lines.append(f"    {mode.state} state;")
    if mode.start:
        lines.append(f"    int status = {mode.start.function}({_arguments(mode.start)});")
        done = f"status != AESFIT_OK ? status : {done}"
    return [*lines, f"    return {done};", "}"]


def _arguments(call: ModeCall) -> str:
    return ", ".join(map(_argument, call.arguments))


def _argument(name: str) -> str:
    if name in _PARTS:
        return f"&m->{name[1:]}" if name.startswith("&") else f"m->{name}"
    if name == _STATE or name.isdigit():
        return name
    raise ValueError(f"a call has no argument {name!r}; lib/src/mode.h lists them")

# SPDX-License-Identifier: MIT
"""What the help of every verb must say: defaults, units, long names, examples that can be typed."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

from aesfit.cli.verbs import VerbPackage

ONE_NAME = {
    "-o": "--output",
    "-f": "--force",
    "-j": "--jobs",
    "-q": "--quiet",
    "-h": "--help",
}
FREE = {"--arg", "--function", "--elf"}
"""Repeatable or named by the call itself: nothing holds without them."""
UNITS = re.compile(
    r"\b(bits?|bytes?|cycles|seconds|days|MHz|Hz|bit/s|fractions?|SIZE|MiB|iterations|"
    r"blocks|calls|messages|packets|keys|texts|timings|traces|instructions|rounds|pixels|files|"
    r"processes|runs|associativity|TCP port|percent)\b",
    re.IGNORECASE,
)
"""Units, and names of what is counted."""


def commands(package: VerbPackage, verb: str) -> Iterator[tuple[str, Any]]:
    """A verb, or those within it."""
    found: Any = package.verb(verb)
    within = getattr(found, "commands", None)
    if within is None:
        yield verb, found
    else:
        yield from ((f"{verb} {name}", one) for name, one in within.items())


def summaries(package: VerbPackage) -> dict[str, str]:
    """What lists of verbs say of each."""
    parts = (*package.headings.values(), package.seconds)
    return {name: told for verbs in parts for name, told in verbs.items()}


def options(package: VerbPackage, verb: str) -> Iterator[tuple[str, Any]]:
    """All options of a verb, with its name."""
    for name, one in commands(package, verb):
        yield from ((name, each) for each in one.params if each.param_type_name == "option")


def faults(found: Iterator[tuple[str, Any]]) -> list[str]:
    """What the help of these options lacks."""
    checks = {
        "says not what holds without it": _is_silent,
        "short options have one long name": _has_another_name,
        "names no unit": _lacks_unit,
    }
    return [
        f"{fault}: {name} {one.opts}: {one.help}"
        for name, one in found
        for fault, check in checks.items()
        if check(one)
    ]


def _is_silent(one: Any) -> bool:  # noqa: ANN401 - an option of Click's
    silent = not one.is_flag and one.default is None and not one.required
    return silent and one.opts[0] not in FREE and not one.help.rstrip(".").endswith("]")


def _has_another_name(one: Any) -> bool:  # noqa: ANN401 - as above
    short = [each for each in one.opts if not each.startswith("--")]
    missing = [each for each, long in ONE_NAME.items() if long in one.opts and not short]
    other = any(ONE_NAME[each] not in one.opts for each in short)
    return other or (bool(missing) and one.opts != ["--help"])


def _lacks_unit(one: Any) -> bool:  # noqa: ANN401 - as above
    shown = one.metavar or ""
    number = shown.startswith("<n>") or re.match("<[0-9]", shown)
    return not one.is_flag and bool(number) and not UNITS.search(one.help)


def can_be_typed(package: VerbPackage, example: str) -> bool:
    """Whether the example gives all that its verb requires; what it does not know fails."""
    program, *words = shlex.split(example)
    assert program == "aesfit"
    if words[0] not in package.verbs:
        del words[0]  # the name of the group
    both = " ".join(words[:2])
    verb = both if both in package.seconds else words[0]
    del words[: len(verb.split())]
    found: Any = package.verb(verb)
    if hasattr(found, "commands"):
        found = found.commands[words.pop(0)]
    context = found.make_context(verb, [], resilient_parsing=True)
    context.resilient_parsing = False  # else the parser passes over what it does not know
    given, _, _ = found.make_parser(context).parse_args(words)
    return all(given.get(one.name) for one in found.params if one.required)

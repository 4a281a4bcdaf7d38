# SPDX-License-Identifier: MIT
"""Wraps C at 100 columns, in the format of the library's sources."""

import re
import textwrap
from functools import cache

WIDTH = 100
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_GOES_ON = re.compile(r"( [|^&+=?-]|<<|\|\||&&)\Z")
"""Marks a line that ends in the middle of an expression."""
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_BREAK = re.compile(
    r"(?<=,) |(?<=&&) |(?<=\|\|) |(?<= [?:+|^=]) (?![^(]*\{)|(?<=<<) |(?<===) "
    r'|(?<=[")]) (?=["A-Z])'
)


@cache
def wrapped(text: str) -> str:
    """Wrap code again after its names changed length."""
    if re.match(r"[^(]*=\s*\{", text):  # tables keep their lines
        return text
    if text.lstrip().startswith("#"):
        return _continued(text)
    made: list[str] = []
    held: list[str] = []
    for line in text.split("\n"):
        held.append(line)
        text = "\n".join(held)
        if text.lstrip().startswith("#"):
            if not line.endswith("\\"):
                made, held = [*made, _continued(text)], []
        elif text.lstrip().startswith("/*"):
            if "*/" in text:
                made, held = made + held, []
        elif (
            text.count("/*") == text.count("*/")
            and _depth(text) <= 0
            and not _GOES_ON.search(_apart(line)[0])
        ):
            made, held = made + _set(held), []
    return "\n".join(made + held)


def refilled(comment: str) -> str:
    """Wrap the paragraphs of a comment that are too wide."""
    if max(map(len, comment.split("\n"))) <= WIDTH:
        return comment
    inner = comment.removeprefix("/*").removesuffix("*/").strip()
    lines = [re.sub(r"^ \* ?", "", line) for line in inner.split("\n")]
    made: list[str] = []
    for paragraph in "\n".join(lines).split("\n\n"):
        wide = max(map(len, paragraph.split("\n"))) > WIDTH - 6
        filled = textwrap.wrap(
            " ".join(paragraph.split()), WIDTH - 6, break_long_words=False, break_on_hyphens=False
        )
        made += ["", *(filled if wide else paragraph.split("\n"))]
    return "/* " + "\n".join(f" * {line}".rstrip() for line in made[1:])[3:] + " */"


def _continued(text: str) -> str:
    """A directive over several lines, with its backslashes in one column."""
    given = (line.removesuffix("\\").rstrip() for line in text.split("\n"))
    lines = [part for line in given for part in _broken(line, WIDTH - 1)]
    return "\n".join([line.ljust(WIDTH - 1) + "\\" for line in lines[:-1]] + lines[-1:])


def _depth(text: str) -> int:
    bare = _COMMENT.sub("", text) if "/*" in text else text
    bare = _STRING.sub("", bare) if '"' in bare else bare
    return sum(map(bare.count, "([")) - sum(map(bare.count, ")]"))


def _set(lines: list[str]) -> list[str]:
    """Split a logical line into as many lines as it needs."""
    if any("/*" in line for line in lines[:-1]):
        return lines
    if _is_assembly(lines):
        return [part for line in lines for part in _broken(line)]
    code, comment = _apart(lines[-1])
    *before, last = [*lines[:-1], code]
    margin = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    joined = before[0] if before else last
    for line in [*before[1:], last] if before else []:
        joined += ("" if joined.endswith("(") else " ") + line.strip()
    made = _broken(joined)
    if comment and len(made[-1]) + 1 + len(comment) <= WIDTH:
        return [*made[:-1], f"{made[-1]} {comment}"]
    return [*([margin + comment] if comment else []), *made]


def _is_assembly(lines: list[str]) -> bool:
    """Instructions, one per line."""
    return len(lines) > 1 and lines[0].lstrip().startswith("__asm__")


def _apart(line: str) -> tuple[str, str]:
    """Separate code from the comment at its end."""
    found = re.fullmatch(r"(.*\S)\s+(/\*(?:(?!\*/).)*\*/)", line)
    return (found[1], found[2]) if found else (line, "")


def _broken(line: str, width: int = WIDTH) -> list[str]:
    """Break at the last position that fits, and indent to the innermost open bracket."""
    made: list[str] = []
    open_at: list[int] = []
    margin = len(line) - len(line.lstrip())
    while len(line) > width:
        bare = _without_strings(line)
        places = [one.start() for one in _BREAK.finditer(bare) if margin < one.start() <= width]
        places = [at for at in places if line[at - 1] != "="] or places
        if not places:
            return [*made, *_shifted(line, margin)]
        at = _shallowest(line, places)
        here = _open(line[:at], open_at)
        made.append(line[:at])
        column = here[-1] + 1 if here else margin + (7 if line.lstrip()[:7] == "return " else 4)
        if column + 1 >= at:
            break
        line, open_at = " " * column + line[at + 1 :], here
    return [*made, line]


def _without_strings(line: str) -> str:
    """Mask strings, at the same length, so that no line breaks inside them."""
    return _STRING.sub(lambda one: '"' + "_" * (len(one[0]) - 2) + '"', line)


def _shifted(line: str, margin: int) -> list[str]:
    """A line that cannot be broken so: use a smaller indent, or break after its first bracket."""
    inner, code = " " * (margin + 4), line.lstrip()
    if len(line) - len(code) > len(inner):  # it was aligned to a bracket
        return _broken(inner + code)
    at = line.find("(") + 1
    return [line[:at], *_broken(inner + line[at:])] if 0 < at <= WIDTH else [line]


def _shallowest(line: str, places: list[int]) -> int:
    """The last of the positions inside the fewest brackets."""
    depths = {at: len(_open(line[:at], [])) for at in places}
    return max(at for at in places if depths[at] == min(depths.values()))


def _open(line: str, before: list[int]) -> list[int]:
    """Columns of the brackets still open after a line."""
    found = list(before)
    for column, sign in enumerate(_without_strings(line)):
        if sign in "([":
            found.append(column)
        elif sign in ")]" and found:
            found.pop()
    return found

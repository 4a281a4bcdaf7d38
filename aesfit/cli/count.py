# SPDX-License-Identifier: MIT
"""`aesfit count`: cycles of any function of any ELF file."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ..api.arguments import chip_of
from ..api.count import count
from ..counting.arguments import FORMS, LIMIT
from ..platforms.platform import Platform
from ..rigs.emulator.trust import Trust, trust
from .common import console, platform_named, print_json, print_text
from .count_compare import check_alike, compared_json, print_compared
from .declared import Asked, Option
from .options import ChipOptions, FlashWait, Json
from .spending import WhyOptions, print_why, why_json

if TYPE_CHECKING:
    from ..counting.count import Count
    from ..counting.spending import Spending
    from ..proving.image import ProofImage

_ARGUMENT_HELP = (
    f"An argument, in order: {FORMS}.  All but int are pointers to word-aligned memory; buf and "
    "out are zeroed; inout and out are printed at the end; same:1 is the pointer of argument 1 "
    "once more; sym:f is the address of f, such as a callback; struct:same:1,int:16,out:16 points "
    "to these words."
)


@dataclass(frozen=True)
class CallOptions:
    """The call."""

    function: Annotated[str, Option(metavar="<name>", help="The function to call.")]
    arguments: Annotated[
        list[str] | None,
        Option("--arg", metavar="<arg>", help=_ARGUMENT_HELP, show_default=False),
    ] = None
    repeat: Annotated[
        int,
        Option(
            metavar="<n>", help="Number of calls; memory keeps its contents between them.", min=1
        ),
    ] = 1
    max_instructions: Annotated[
        int,
        Option("--limit", metavar="<n>", help="Limit of instructions in one call.", min=1),
    ] = LIMIT
    include_call: Annotated[
        bool,
        Option(
            "--include-call",
            help="Include the caller's call instruction, as many published figures do.",
        ),
    ] = False

    def asked(self) -> Asked:
        """Arguments of the public function."""
        return {**asdict(self), "arguments": self.arguments or ()}


def command(
    platform: Annotated[str, Option(metavar="<p>", help="Platform by name or TOML file.")],
    elf: Annotated[
        list[Path],
        Option(metavar="<file>", help="An executable, or object files to link; repeatable."),
    ],
    call: CallOptions,
    chip: ChipOptions,
    why: WhyOptions,
    flash_wait: FlashWait = None,
    compare: Annotated[
        list[Path] | None,
        Option(
            metavar="<file>",
            help="Files of before: count the same call there too; repeatable. [none]",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Count cycles, instructions, loads, stores and stack of your own function."""
    target = platform_named(platform)
    seen = _Explained(target)
    asked = {**call.asked(), **chip.asked(), "flash_wait": flash_wait}
    before = count(target, elf=compare, **asked) if compare else None
    answer = count(target, elf=elf, **asked, look=seen.look if why.wanted else None)
    for warning in answer.warnings:
        print_text(console(stderr=True), f"warning: {warning}")
    told = {} if seen.spent is None else why_json(why, seen.lines, seen.spent)
    if before is not None:
        told |= compared_json(before, answer)
    if json:
        print_json({**answer.as_json(), **told})
    else:
        _print(answer, trust(chip_of(target, **chip.asked()), flash_wait))
        if seen.spent is not None:
            print_why(why, seen.lines, seen.spent, f"a call of {call.function}")
        if before is not None:
            print_compared(before, answer)
    if before is not None:
        check_alike(before, answer)


class _Explained:
    """Where the cycles of the last call went, and the image with its lines."""

    def __init__(self, platform: Platform) -> None:
        self.spent: Spending | None = None
        self._image: ProofImage | None = None
        self._isa = platform.isa

    def look(self, image: Path, spent: "Spending") -> None:
        """Read the lines now; the image is deleted afterwards."""
        from ..proving.image import read_image  # start-up time

        self.spent, self._image = spent, read_image(image, self._isa, whole=True)

    @property
    def lines(self) -> "ProofImage":
        """The image; RuntimeError before the first call."""
        if self._image is None:
            raise RuntimeError("no call was seen")
        return self._image


def _range(answer: "Count", basis: Trust) -> str:
    """The range of cycles on a chip: over placements of the code, and what is known of silicon."""
    ends = basis.ends(answer.cycles_min, answer.cycles_max)
    return f" ({ends[0]} to {ends[1]})" if ends else ""


def _seen(answer: "Count") -> list[tuple[str, str]]:
    """The figures; those that a board cannot show are left out."""
    found = {
        "instructions": answer.instructions,
        "loads": answer.loads,
        "stores": answer.stores,
    }
    return [(name, str(number)) for name, number in found.items() if number is not None]


def _print(answer: "Count", basis: Trust) -> None:
    out = console()
    lines = [
        ("cycles", f"{answer.cycles}{_range(answer, basis)}"),
        *_seen(answer),
        ("stack bytes", str(answer.stack_bytes)),
        ("returned", f"{answer.result} ({answer.result:#010x})"),
    ]
    lines += [(f"argument {at}", content.hex()) for at, content in answer.outputs.items()]
    if len(answer.runs) > 1:
        lines.append(("cycles of each call", " ".join(map(str, answer.runs))))
    width = max(len(name) for name, _ in lines)
    for name, text in lines:
        out.print(f"{name:{width}}  {text}")
    facts = answer.provenance
    print_text(out, f"Counted: {facts.window}.")
    print_text(out, facts.memory)

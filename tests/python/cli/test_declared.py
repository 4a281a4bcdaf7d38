# SPDX-License-Identifier: MIT
"""Groups of options: what Click sees of them, what the verb receives, and bad declarations."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import click
import pytest
from click.testing import CliRunner, Result

from aesfit.cli.declared import Option, command_of, given_words, names_of
from aesfit.cli.options import DataCacheOptions, Json, MemoryOptions


@dataclass(frozen=True)
class MadeUp:
    """Made-up cache.  This sentence is for readers of the code."""

    cache: Annotated[str, Option(metavar="<16K>", help="Bytes of the cache.")]
    ways: Annotated[int | None, Option(help="Associativity.", min=1)] = None
    wait: Annotated[int | None, Option("--flash-wait", help="Wait states.")] = None
    core: Annotated[list[str] | None, Option(help="Cores.")] = None


def run(verb: Callable[..., None], *words: str) -> Result:
    return CliRunner().invoke(command_of("verb", verb), words)


def shown(context: click.Context, cache: MadeUp, json: Json = False) -> None:
    """Print the received values."""
    click.echo(repr(cache))
    click.echo(f"{json} {sorted(context.params)}")
    click.echo(" ".join(given_words(context, left_out=("json",), instead={"cache": "8K"})))


def test_the_verb_receives_the_dataclass_and_the_context_the_options() -> None:
    told = run(shown, "--cache", "16K", "--ways", "4", "--json").stdout.splitlines()
    assert told == [
        "MadeUp(cache='16K', ways=4, wait=None, core=None)",
        "True ['cache', 'core', 'json', 'wait', 'ways']",
        "--cache 8K --ways 4",
    ]


def test_defaults_are_those_of_the_fields() -> None:
    told = run(shown, "--cache", "16K").stdout.splitlines()
    assert told[0] == "MadeUp(cache='16K', ways=None, wait=None, core=None)"
    assert names_of(MadeUp, MadeUp) == ("cache", "ways", "wait", "core") * 2


def test_a_command_that_is_given_again_keeps_zeros_and_repeated_options() -> None:
    told = run(shown, "--cache=1", "--flash-wait=0", "--core=a", "--core=b").stdout.splitlines()
    assert told[2] == "--cache 8K --flash-wait 0 --core a --core b"


def test_an_option_without_a_default_is_required_and_bounds_hold() -> None:
    missing, low = run(shown), run(shown, "--cache", "1", "--ways", "0")
    assert (missing.exit_code, low.exit_code) == (2, 2)
    assert "--cache" in missing.stderr
    assert "--ways" in low.stderr


def test_the_help_has_a_section_for_the_group() -> None:
    rest, _, section = run(shown, "--help").stdout.partition("Made-up cache:\n")
    assert [line.split()[0] for line in section.splitlines()] == [
        *("--cache", "--ways", "--flash-wait", "--core"),
    ]
    assert "Bytes of the cache.  [required]" in section
    assert "--json" in rest
    assert "--cache" not in rest


@dataclass(frozen=True)
class Bare:
    """Bare."""

    ways: int = 1


@dataclass(frozen=True)
class Twice:
    """Twice."""

    ways: Annotated[int, Option(), Option()] = 1


@dataclass(frozen=True)
class Made:
    """Made."""

    core: Annotated[list[str], Option()] = field(default_factory=list)


@dataclass
class Loose:
    """Loose."""

    ways: Annotated[int, Option()] = 1


@dataclass(frozen=True)
class Mute:
    ways: Annotated[int, Option()] = 1


@pytest.mark.parametrize(
    ("group", "told"),
    [
        (Bare, "Bare.ways needs one Option"),
        (Twice, "Twice.ways needs one Option"),
        (Made, "Made.core needs a plain default"),
        (Loose, "Loose must be frozen"),
        (Mute, "Mute needs a docstring"),
    ],
)
def test_a_badly_declared_group_is_refused(group: type, told: str) -> None:
    def verb(options: MadeUp) -> None: ...

    verb.__annotations__["options"] = group
    with pytest.raises(TypeError, match=told):
        command_of("verb", verb)


def test_one_option_in_two_places_is_refused() -> None:
    def verb(cache: MadeUp, ways: int = 1) -> None: ...

    with pytest.raises(TypeError, match="two options are called 'ways'"):
        command_of("verb", verb)


def test_the_shared_groups_are_declared_well() -> None:
    def verb(memory: MemoryOptions, cache: DataCacheOptions) -> None:
        click.echo(f"{memory} {cache}")

    told = run(verb, "--flash-wait", "0", "--cache", "16K", "--miss-penalty", "17").stdout
    assert told.split() == [
        *("MemoryOptions(flash_wait=0,", "tables=None)"),
        *(
            "DataCacheOptions(cache_bytes='16K',",
            "ways=None,",
            "line_bytes=None,",
            "miss_penalty=17.0)",
        ),
    ]


def typed(
    text: Annotated[str, Option()] = "a",
    number: Annotated[int, Option(min=-5, max=9)] = 1,
    texts: Annotated[list[str] | None, Option()] = None,
    flag: Annotated[bool, Option("--flag")] = False,
    path: Annotated[Path | None, Option()] = None,
    share: Annotated[float, Option()] = 0.5,
) -> None:
    """Print the received values."""
    click.echo(repr((text, number, texts, flag, path, share)))


TYPED = {
    (): ("a", 1, None, False, None, 0.5),
    ("--text", "", "--number", "-5", "--texts", "b", "--texts", "", "--flag"): (
        *("", -5, ["b", ""], True, None, 0.5),
    ),
    ("--number", "+7", "--path", "a/b", "--share", "1e3"): (
        *("a", 7, None, False, Path("a/b"), 1000.0),
    ),
    ("--number", " 7 "): ("a", 7, None, False, None, 0.5),
}
WRONG = [
    *(("--number", word) for word in ("10", "-6", "7.0", "seven", "9" * 40, "")),
    ("--share", "half"),
]


@pytest.mark.parametrize("words", TYPED)
def test_values_are_read_as_they_are_annotated(words: tuple[str, ...]) -> None:
    assert run(typed, *words).stdout == f"{TYPED[words]!r}\n"


@pytest.mark.parametrize("words", WRONG)
def test_other_values_are_usage_errors(words: tuple[str, ...]) -> None:
    done = run(typed, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words[0] in done.stderr

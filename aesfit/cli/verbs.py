# SPDX-License-Identifier: MIT
"""Groups of verbs, one verb a module, each imported only when it is called."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from .grouped import GroupedCommand, UncutGroup, write_verbs
from .plain import read_plainly

Headings = Mapping[str, tuple[str, ...]]
Examples = Mapping[str, tuple[str, ...]]
_SUMMARY = re.compile(
    r'^(?:def command\(.*?\) -> None:\n    """|app = typer\.Typer\(\n    help=")(.+?)["\n]',
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, eq=False)
class VerbPackage:
    """A package of verbs; each of its modules has a function command(), or an app of its own."""

    name: str
    """That of the package, as it is imported."""
    folder: Path
    headings: Headings
    """Names of modules by heading, with hyphens."""
    examples: Examples
    """Commands to copy, for the end of each verb's help."""

    @property
    def verbs(self) -> tuple[str, ...]:
        """All names, in the order of --help."""
        return tuple(verb for verbs in self.headings.values() for verb in verbs)

    def summary(self, verb: str) -> str:
        """First line of a verb's help, read from its source: importing all takes too long."""
        source = self.folder / f"{verb.replace('-', '_')}.py"
        found = _SUMMARY.search(source.read_text(encoding="utf-8"))
        assert found is not None, f"{verb} has no summary"  # noqa: S101 - tests look at each
        return found[1]

    @cache  # noqa: B019 - few packages, and programs that ask several times, such as the tests
    def verb(self, name: str) -> Any:  # noqa: ANN401 - typer's own kind of command
        """A verb, imported now."""
        module = import_module(f".{name.replace('-', '_')}", self.name)
        if hasattr(module, "app"):
            verb = group_named(name, module.app, UncutGroup)
        else:
            verb = _single(name, module.command, getattr(module, "EPILOG", None))
        verb.epilog = with_examples(self.examples.get(name, ()), verb.epilog)
        return verb


class LazyGroup(TyperGroup):
    """Verbs of `package`, which a class derived from this names."""

    package: VerbPackage

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - whatever typer passes
        """Names stand for verbs: typer suggests the nearest, and imports none."""
        super().__init__(**attributes)
        self.commands = dict.fromkeys(self.package.verbs)  # type: ignore[assignment]

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - typer's own kind of context
        """The options before the verb."""
        return read_plainly(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - as above
        """The names, as --help prints them."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """The list of verbs in --help, made without importing them."""
        for heading, verbs in self.package.headings.items():
            told = [(verb, self.package.summary(verb)) for verb in verbs]
            write_verbs(formatter, heading, told)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as above
        """The verb of that name, or None."""
        return self.package.verb(cmd_name) if cmd_name in self.package.verbs else None


def group_named(name: str, app: typer.Typer, cls: type[TyperGroup] | None = None) -> Any:  # noqa: ANN401
    """The command of an app that is a group of verbs."""
    alone = _root()
    alone.add_typer(app, name=name, cls=cls or app.info.cls)
    return get_group(alone).commands[name]


def _single(name: str, command: Any, epilog: str | None) -> Any:  # noqa: ANN401
    alone = _root()
    alone.command(name, cls=GroupedCommand, epilog=epilog)(command)
    return get_group(alone).commands[name]


def _root() -> typer.Typer:
    alone = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
    alone.callback()(_nothing)  # makes it a group
    return alone


def _nothing() -> None:
    pass


def with_examples(examples: tuple[str, ...], epilog: str | None) -> str | None:
    """The end of a verb's help: its own epilog, then its examples, one per line."""
    if not examples:
        return epilog
    lines = "\n".join(f"  {one}" for one in examples)
    return f"{epilog or ''}\n\n\b\nExamples:\n{lines}".strip("\n")

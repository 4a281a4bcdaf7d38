# SPDX-License-Identifier: MIT
"""Groups of verbs, one verb a module, each imported only when it is called."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from textwrap import fill, indent

import click

from .declared import Verb, command_of

Headings = Mapping[str, Mapping[str, str]]
"""Names of verbs and what they do, by heading."""
Examples = Mapping[str, tuple[str, ...]]
_INDENT, _FOLDED = 6 * " ", 70


@dataclass(frozen=True, eq=False)
class VerbPackage:
    """A package of verbs; each of its modules has a function command(), or a group `app`."""

    name: str
    """That of the package, as it is imported."""
    headings: Headings
    """Names of modules, with hyphens, and the first line of their help."""
    examples: Examples
    """Commands to copy, for the end of each verb's help."""
    seconds: Mapping[str, str] = field(default_factory=dict)
    """Verbs of two words, as "sweep front", and the first line of their help, which the help of
    the first word shows."""

    @property
    def verbs(self) -> tuple[str, ...]:
        """Names of one word, in the order of --help."""
        return tuple(verb for verbs in self.headings.values() for verb in verbs)

    @cache  # noqa: B019 - few packages, and programs that ask several times, such as the tests
    def verb(self, name: str) -> click.Command:
        """A verb, imported now."""
        module = import_module(f".{name.replace('-', '_').replace(' ', '_')}", self.name)
        verb: click.Command
        if hasattr(module, "app"):
            verb = module.app
        else:
            verb = command_of(name, module.command, getattr(module, "EPILOG", None))
        parts = verb.epilog, self._second_words(name), _listed(self.examples.get(name, ()))
        verb.epilog = "\n\n".join(filter(None, parts)) or None
        return verb

    def _second_words(self, name: str) -> str:
        """What a further word after the verb does."""
        told = [
            f"  aesfit {verb}\n{indent(fill(what, _FOLDED), _INDENT)}"
            for verb, what in self.seconds.items()
            if verb.partition(" ")[0] == name
        ]
        return "\b\nWith a second word:\n" + "\n".join(told) if told else ""


class VerbGroup(click.Group):
    """A verb with verbs of its own."""

    def __init__(self, name: str, help: str, verbs: Mapping[str, Verb] | None = None) -> None:  # noqa: A002 - Click's name
        """`verbs`: functions, as command_of() takes them."""
        commands = [command_of(one, verb) for one, verb in (verbs or {}).items()]
        super().__init__(name, commands, help=help, no_args_is_help=True)

    def sections(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Headings, each with names of verbs and what they do."""
        told = [(name, str(verb.help).splitlines()[0]) for name, verb in self.commands.items()]
        yield "Commands", told

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of verbs in --help, folded instead of cut."""
        for heading, verbs in self.sections():
            with formatter.section(heading):
                formatter.write_dl(verbs)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, as --help prints them."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that the arguments name; for an unknown one the nearest is suggested."""
        name = args[0]
        if not ctx.resilient_parsing and self.get_command(ctx, name) is None and name[:1] != "-":
            near = [f"'{one}'" for one in get_close_matches(name, self.list_commands(ctx))]
            hint = f" Did you mean {', '.join(near)}?" if near else ""
            raise click.UsageError(f"No such command '{name}'.{hint}", ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(VerbGroup):
    """Verbs of a package, each imported when it is called."""

    def __init__(self, name: str, help: str, package: VerbPackage) -> None:  # noqa: A002 - Click's name
        """No verb is imported for a list of them."""
        super().__init__(name, help)
        self.package = package

    def sections(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Headings, each with names of verbs and what they do."""
        for heading, verbs in self.package.headings.items():
            yield heading, list(verbs.items())

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, as --help prints them."""
        return list(self.package.verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name, or None."""
        known = (*self.package.verbs, *self.package.seconds)
        return self.package.verb(cmd_name) if cmd_name in known else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that the first one or two words name."""
        both = " ".join(args[:2])
        if both in self.package.seconds:
            return both, self.package.verb(both), args[2:]
        return super().resolve_command(ctx, args)


def _listed(examples: tuple[str, ...]) -> str:
    """Examples, one per line."""
    return "\b\nExamples:\n" + "\n".join(f"  {one}" for one in examples) if examples else ""

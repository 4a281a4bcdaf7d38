# SPDX-License-Identifier: MIT
"""Verbs are functions whose annotations declare options; here they become commands of Click.

    def command(
        platform: Annotated[str, Option(metavar="<p>", help="Platform by name.")],
        cache: DataCache,
        json: Annotated[bool, Option("--json", help="Print JSON.")] = False,
    ) -> None: ...

Groups of options are frozen dataclasses, which verbs can share; the first sentence of the docstring
heads the section of --help:

    @dataclass(frozen=True)
    class DataCache:  # with the docstring "Data cache."
        ways: Annotated[int | None, Option(help="Associativity.")] = None

The verb receives the dataclass, and `context.params` has one value per field.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import click

from ..errors import ArgumentError

Verb = Callable[..., None]
Asked = dict[str, Any]
"""Arguments of a public function, by their names in Python."""


class Option:
    """How an option is declared: its names, and settings of click.Option.

    Further settings: `min` and `max` of a number, `exists` and `dir_okay` of a path, and `parser`,
    which makes the value of a text.
    """

    kind: type[click.Parameter] = click.Option

    def __init__(self, *names: str, **settings: Any) -> None:  # noqa: ANN401 - as Click takes them
        """Without a name the option is called as its parameter."""
        self.names, self.settings = names, settings


class Argument(Option):
    """How an argument is declared; `help` too."""


class HelpedArgument(click.Argument):
    """An argument with a line in --help."""

    def __init__(self, names: list[str], help: str = "", **settings: Any) -> None:  # noqa: A002, ANN401 - Click's names
        """`help`: the line."""
        super().__init__(names, **settings)
        self.told = help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Its name and the line."""
        required = "  [required]" if self.required else ""
        return self.make_metavar(ctx), f"{self.told}{required}"

    def make_metavar(self, ctx: click.Context) -> str:
        """The name; dots say that several are taken."""
        name = super().make_metavar(ctx).removesuffix("...")
        return f"{name}..." if self.nargs == -1 else name


class VerbCommand(click.Command):
    """A verb; its --help shows each group in a section of its own."""

    sections: Mapping[str, str]
    """Headings by the names of options; others have those of their kind."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - what the verb returns
        """Run the verb; what of its question makes no sense is a usage error."""
        try:
            return super().invoke(ctx)
        except ArgumentError as error:
            hint = error.argument and option_called(error.argument)
            raise click.BadParameter(error.told(option_called), ctx, param_hint=hint) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write arguments, options of no group, and then the groups."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for one in self.get_params(ctx):
            alone = "Arguments" if isinstance(one, click.Argument) else "Options"
            record = one.get_help_record(ctx)
            if record is not None:
                heading = self.sections.get(str(one.name), alone)
                sections.setdefault(heading, []).append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def command_of(name: str, verb: Verb, epilog: str | None = None) -> VerbCommand:
    """The command of a verb; TypeError if an option is badly declared."""
    hints = get_type_hints(verb, include_extras=True)
    taken = signature(verb).parameters
    groups = {one: hints[one] for one in taken if is_dataclass(hints[one])}
    contexts = [one for one in taken if hints[one] is click.Context]
    params: dict[str, click.Parameter] = {}
    sections: dict[str, str] = {}
    for one in (one for one in taken if one not in contexts):
        own = _of_group(groups[one]) if one in groups else [_parameter(hints[one], taken[one])]
        for each in own:
            if each.name in params:
                raise TypeError(f"{verb.__module__}: two options are called '{each.name}'")
            params[str(each.name)] = each
        if one in groups:
            sections |= dict.fromkeys(names_of(groups[one]), _heading(groups[one]))

    several = {one: taken.default for one, taken in params.items() if _takes_several(taken)}

    def called(**given: Any) -> None:  # noqa: ANN401 - values of options, of any type
        given |= {one: list(given[one]) or empty for one, empty in several.items()}
        built = {
            one: group(**{each: given.pop(each) for each in names_of(group)})
            for one, group in groups.items()
        }
        built |= {one: click.get_current_context() for one in contexts}
        verb(**given, **built)

    told = verb.__doc__
    made = VerbCommand(name, callback=called, params=[*params.values()], help=told, epilog=epilog)
    made.sections = sections
    return made


def _takes_several(one: click.Parameter) -> bool:
    return one.multiple or one.nargs == -1


def _of_group(group: type) -> Iterator[click.Parameter]:
    """The fields of a group as options."""
    hints = get_type_hints(group, include_extras=True)
    for one in fields(group):
        if one.default_factory is not MISSING:
            where = f"{group.__name__}.{one.name}"
            raise TypeError(f"{where} needs a plain default; an option takes no default_factory")
        declared = [note for note in get_args(hints[one.name])[1:] if isinstance(note, Option)]
        if len(declared) != 1:
            raise TypeError(f"{group.__name__}.{one.name} needs one Option within Annotated[...]")
        default = Parameter.empty if one.default is MISSING else one.default
        kind = Parameter.KEYWORD_ONLY
        yield _parameter(hints[one.name], Parameter(one.name, kind, default=default))


def _heading(group: type) -> str:
    """The heading of a group's section."""
    if not group.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise TypeError(f"the group {group.__name__} must be frozen: @dataclass(frozen=True)")
    told = group.__doc__ or ""
    if not told or told.startswith(f"{group.__name__}("):  # the docstring that dataclass makes
        raise TypeError(f"the group {group.__name__} needs a docstring, which heads its section")
    return told.partition(".")[0]


def _parameter(hint: Any, taken: Parameter) -> click.Parameter:  # noqa: ANN401 - an annotation
    """The option or argument of a parameter."""
    kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    declared = next((note for note in notes if isinstance(note, Option)), Option())
    kinds = [one for one in get_args(kind) or (kind,) if one is not NoneType]
    several = get_origin(kind) is list or get_origin(kinds[0]) is list
    plain = next(iter(get_args(kinds[0])), kinds[0])
    required = taken.default is Parameter.empty
    settings: Asked = dict(declared.settings)
    settings |= {"type": _type(plain, settings), "required": required}
    if not required:
        settings["default"] = taken.default
    if isinstance(declared, Argument):
        return HelpedArgument([taken.name], nargs=-1 if several else 1, **settings)
    names = declared.names or (f"--{taken.name.replace('_', '-')}",)
    settings |= {"is_flag": True} if plain is bool else {"multiple": several}
    return click.Option([taken.name, *names], **{"show_default": True, **settings})


def _type(plain: type, settings: Asked) -> Any:  # noqa: ANN401 - what Click takes as a type
    """The type of a value; takes out of the settings what it depends on."""
    low, high = settings.pop("min", None), settings.pop("max", None)
    path = {name: settings.pop(name) for name in ("exists", "dir_okay") if name in settings}
    if parser := settings.pop("parser", None):
        return click.types.FuncParamType(parser)
    if plain is Path:
        return click.Path(path_type=Path, **path)
    if low is None and high is None:
        return plain
    return click.IntRange(low, high) if plain is int else click.FloatRange(low, high)


def names_of(*groups: type) -> tuple[str, ...]:
    """Names of the options of groups, as in `context.params`."""
    return tuple(field.name for group in groups for field in fields(group))


def given_words(
    context: click.Context,
    left_out: Collection[str] = (),
    instead: Mapping[str, str] | None = None,
) -> list[str]:
    """The options that differ from their defaults, as words of a command line.

    `left_out` names options that are not repeated, `instead` those that get another value.
    """
    words: list[str] = []
    for option in context.command.params:
        name = str(option.name)
        value = (instead or {}).get(name, context.params.get(name))
        if name in left_out or value is None or value is False or value in ((), option.default):
            continue  # 0 is kept: --flash-wait 0 is a choice
        for one in value if isinstance(value, tuple) else [value]:
            words += _words(option.opts[0], one)
    return words


def _words(option: str, value: object) -> list[str]:
    return [option] if value is True else [option, str(value)]


def option_called(argument: str) -> str:
    """The option for an argument of a public function, which has its name in the verb."""
    context = click.get_current_context(silent=True)
    options = {} if context is None else {one.name: one.opts[0] for one in context.command.params}
    return options.get(argument, f"--{argument.replace('_', '-')}")

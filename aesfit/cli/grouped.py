# SPDX-License-Identifier: MIT
"""Groups of options, which verbs can share; each has its own section in --help.

A group is a frozen dataclass whose fields are options of Typer.  The first sentence of its
docstring heads its section:

    @dataclass(frozen=True)
    class DataCache:  # with the docstring "Data cache."
        ways: Annotated[int | None, typer.Option(help="Associativity.")] = None

    @grouped
    def command(platform: OnePlatform, cache: DataCache, json: Json = False) -> None: ...

Typer sees the fields as options of the verb, so `context.params` has one value per field.
The verb itself receives the dataclass.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextvars import ContextVar
from copy import copy
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import OptionInfo

from ..errors import ArgumentError
from .plain import read_plainly

Verb = Callable[..., None]
Asked = dict[str, Any]
"""Arguments of a public function, by their names in Python."""


def grouped(verb: Verb) -> Verb:
    """Give each option of a verb's groups to Typer; TypeError if a group is badly declared."""
    hints = get_type_hints(verb, include_extras=True)
    taken = signature(verb).parameters
    groups = {name: hints[name] for name in taken if is_dataclass(hints[name])}
    options: dict[str, Parameter] = {}
    for name, parameter in taken.items():
        plain = parameter.replace(annotation=hints[name])
        own = _options(groups[name]) if name in groups else [plain]
        for one in own:
            if one.name in options:
                raise TypeError(f"{verb.__module__}: two options are called '{one.name}'")
            options[one.name] = one.replace(kind=Parameter.KEYWORD_ONLY)

    @wraps(verb)
    def expanded(**given: Any) -> None:  # noqa: ANN401 - values of options, of any type
        built = {
            name: group(**{one: given.pop(one) for one in names_of(group)})
            for name, group in groups.items()
        }
        verb(**given, **built)

    typed = {name: one.annotation for name, one in options.items()}
    expanded.__annotations__ = {**typed, "return": None}
    expanded.__signature__ = Signature(list(options.values()))  # type: ignore[attr-defined]
    return expanded


def names_of(*groups: type) -> tuple[str, ...]:
    """Names of the options of groups, as in `context.params`."""
    return tuple(field.name for group in groups for field in fields(group))


def given_words(
    context: typer.Context,
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
        if name in left_out or value is None or value is False or value == option.default:
            continue  # 0 is kept: --flash-wait 0 is a choice
        for one in value if isinstance(value, list | tuple) else [value]:
            words += _words(option.opts[0], one)
    return words


def _words(option: str, value: object) -> list[str]:
    return [option] if value is True else [option, str(value)]


_RUNNING: ContextVar[Any] = ContextVar("running")
"""The context of the verb that runs; Typer has no function for it that all its versions share."""


def running_verb() -> Any:  # noqa: ANN401 - typer's own kinds
    """The context of the verb that runs; None outside of one."""
    return _RUNNING.get(None)


def option_called(argument: str) -> str:
    """The option for an argument of a public function, which has its name in the verb."""
    context = running_verb()
    options = {} if context is None else {one.name: one.opts[0] for one in context.command.params}
    return str(options.get(argument, f"--{argument.replace('_', '-')}"))


class GroupedCommand(TyperCommand):
    """A verb whose --help shows each group in its own section, even without Rich."""

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - typer's own kinds
        """Its options with --help; plain values are read without Typer."""
        return read_plainly(super().get_params(ctx))

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Run the verb; meanwhile running_verb() returns its context."""
        token = _RUNNING.set(ctx)
        try:
            return super().invoke(ctx)
        except ArgumentError as error:
            hint = error.argument and option_called(error.argument)
            raise typer.BadParameter(error.told(option_called), ctx, param_hint=hint) from None
        finally:
            _RUNNING.reset(token)

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Write arguments, options of no group, and then the groups."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for one in self.get_params(ctx):
            alone = "Arguments" if one.param_type_name == "argument" else "Options"
            record = one.get_help_record(ctx)
            if record is not None:
                heading = getattr(one, "rich_help_panel", None) or alone
                sections.setdefault(heading, []).append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


class UncutGroup(TyperGroup):
    """A verb with sub-commands, whose summaries --help shows uncut."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """The list of --help."""
        verbs = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        told = [(name, str(verb.help).splitlines()[0]) for name, verb in verbs if verb is not None]
        write_verbs(formatter, "Commands", told)


def write_verbs(formatter: Any, heading: str, verbs: list[tuple[str, str]]) -> None:  # noqa: ANN401
    """Print names and summaries under a heading, folded instead of cut."""
    with formatter.section(heading):
        formatter.write_dl(verbs)


def _options(group: type) -> Iterator[Parameter]:
    """The fields of a group as parameters of a verb."""
    panel = _panel(group)
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        yield _option(group, field, hints[field.name], panel)


def _panel(group: type) -> str:
    """The heading of a group's section."""
    if not group.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise TypeError(f"the group {group.__name__} must be frozen: @dataclass(frozen=True)")
    told = group.__doc__ or ""
    if not told or told.startswith(f"{group.__name__}("):  # the docstring that dataclass makes
        raise TypeError(f"the group {group.__name__} needs a docstring, which heads its section")
    return told.partition(".")[0]


def _option(group: type, field: "Field[Any]", hint: Any, panel: str) -> Parameter:  # noqa: ANN401
    where = f"{group.__name__}.{field.name}"
    kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    found = [note for note in notes if isinstance(note, OptionInfo)]
    if len(found) != 1:
        raise TypeError(f"{where} needs one typer.Option within Annotated[...]")
    if field.default_factory is not MISSING:
        raise TypeError(f"{where} needs a plain default; an option takes no default_factory")
    option = copy(found[0])
    option.rich_help_panel = panel
    default = Parameter.empty if field.default is MISSING else field.default
    annotation: Any = Annotated[kind, option]
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)

# SPDX-License-Identifier: MIT
"""What `aesfit encrypt` and `aesfit decrypt` share: planning, asking, working, reporting."""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

import click

from ..files.source import STDIN
from ..files.tree import Naming, Plan, plan, sentence
from ..files.work import Advance, Interrupted, Outcome, interruptible, mirror, run
from ..units import count
from .console import bar_console
from .crypt_format import Format, format_asked
from .crypt_options import CryptRequest, RunOptions, check
from .crypt_secret import secret_given
from .there import check_there

EXITS = """Exit codes: 0 all done; 1 something failed and left no output, or links or empty folders
were left out; 2 called wrongly, nothing was begun; 130 stopped by Ctrl-C, 143 by SIGTERM: what was
unfinished left no output."""


@dataclass(frozen=True)
class Call:
    """The files to work on, and how."""

    inputs: Sequence[str]
    how: RunOptions


def crypt(asked: CryptRequest, call: Call) -> None:
    """Encrypt or decrypt, then exit with the right code."""
    try:
        with interruptible() as stop:
            _crypt(asked, call, stop)
    except Interrupted as error:
        _die(error.number)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        say(sentence(error))
        raise click.exceptions.Exit(1) from None


def _crypt(asked: CryptRequest, call: Call, stop: threading.Event) -> None:
    check(asked)
    chosen = format_asked(asked)
    planned = _planned(asked, call, chosen)
    if chosen.warning and _watched(call):
        say(chosen.warning)
    outcome = Outcome()
    if planned.items:
        secret = secret_given(asked, warn=not call.how.quiet)
        with chosen.work(secret) as work, _bar(asked, call, planned) as advance:
            outcome = run(
                planned.items,
                work,
                jobs=call.how.jobs or os.cpu_count() or 1,
                force=call.how.force,
                stop=stop,
                advance=advance,
            )
    outcome.failures += mirror(planned.folders)
    _tell(asked, call, planned, outcome)


def _planned(asked: CryptRequest, call: Call, chosen: Format) -> Plan:
    """Plan outputs for inputs; usage errors come before any question or work."""
    naming = Naming(chosen.suffix, asked.encrypt, chosen.magic)
    check_there(call.inputs)
    try:
        planned = plan(call.inputs, call.how.output, naming, force=call.how.force)
        if chosen.one_iv and len(planned.items) > 1:
            raise ValueError("one IV must not serve several files; encrypt each under its own")
        to_terminal = os.isatty(1) and any(item.target is None for item in planned.items)
        if asked.encrypt and to_terminal and not call.how.force:
            raise ValueError("ciphertext cannot go to a terminal; redirect it, or name a file: -o")
    except ValueError as error:
        raise click.BadParameter(shown(str(error))) from None
    return planned


def _watched(call: Call) -> bool:
    """Whether standard error is a terminal and --quiet was not given."""
    return not call.how.quiet and sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def _bar(asked: CryptRequest, call: Call, planned: Plan) -> Iterator[Advance]:
    """Show bytes done, rate and time left on standard error, if it is a terminal."""
    if not _watched(call):
        yield lambda more: None
        return
    from rich import progress  # a sixth of the start, for terminals only

    columns = (
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.DownloadColumn(),
        progress.TransferSpeedColumn(),
        progress.TimeRemainingColumn(),
    )
    sizes = [item.size for item in planned.items]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    what = f"{len(sizes)} files" if len(sizes) > 1 else shown(planned.items[0].source or STDIN)
    with progress.Progress(*columns, console=bar_console(), transient=True) as bar:
        task = bar.add_task(
            f"{'encrypting' if asked.encrypt else 'decrypting'} {what}", total=total
        )
        yield lambda more: bar.advance(task, more)


def _tell(asked: CryptRequest, call: Call, planned: Plan, outcome: Outcome) -> None:
    """Report what was done, and on standard error failures and omissions; these give Exit(1)."""
    verb = "encrypted" if asked.encrypt else "decrypted"
    failures = [*planned.refused, *outcome.failures]
    for note in _notes(asked, planned):
        say(note)
    if not call.how.quiet:
        made = [item.target for item in outcome.done if item.target is not None]
        if len(made) == 1:
            click.echo(f"{verb}: {shown(made[0])}")
        elif made:
            click.echo(f"{verb}: {count(len(made))} files")
        elif not failures and not outcome.done:
            say(f"there was nothing to be {verb}")
    for failure in failures:
        say(failure)
    if len(failures) > 1 or (failures and outcome.done):
        every = len(failures) + len(outcome.done)
        say(f"{count(len(failures))} of {count(every)} failed, {count(len(outcome.done))} {verb}")
    if failures or planned.links or planned.empty:
        raise click.exceptions.Exit(1)


def _notes(asked: CryptRequest, planned: Plan) -> Iterator[str]:
    """Sentences about what was skipped in folders."""
    sign = "the name" if asked.form.raw else "the first bytes"
    if planned.links:
        some = len(planned.links)
        which = f"{some} symbolic links were" if some > 1 else "a symbolic link was"
        yield f"{which} left out: {planned.links[0]}{' and others' if some > 1 else ''}"
    if planned.empty:
        some = len(planned.empty)
        which = f"{some} empty folders were" if some > 1 else "an empty folder was"
        yield f"{which} left out: {planned.empty[0]}{' and others' if some > 1 else ''}"
    if planned.left:
        why = "encrypted already" if asked.encrypt else "not encrypted"
        files = (
            f"{count(planned.left)} files that seem" if planned.left > 1 else "a file that seems"
        )
        yield f"{files} {why}, by {sign}, left alone"


def shown(text: object) -> str:
    """A text with file names, without characters that could control a terminal."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in str(text))


def say(line: str) -> None:
    """One line on standard error."""
    click.echo(f"aesfit: {shown(line)}", err=True)


def _die(number: int) -> NoReturn:
    """End the way the signal ends programs, so that shell loops stop too."""
    say(f"stopped by {signal.Signals(number).name}; unfinished files left nothing behind")
    sys.stderr.flush()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    raise SystemExit(128 + number)

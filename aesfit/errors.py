# SPDX-License-Identifier: MIT
"""The exceptions of aesfit beyond ValueError, TypeError and RuntimeError.

ValueError: an argument of a wrong size or value; the message names the wrong and the right one.
TypeError: an argument of a wrong kind.  RuntimeError: a stream used after its end, or by two
threads at once.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher
from string import Formatter


class ArgumentError(ValueError):
    """A question that makes no sense: a sentence, and the argument that is wrong.

    In the sentence `{}` stands for a value, and `{mode}` for the argument of that name: the command
    line calls it `--mode`, Python and the page by their own names (`told`).
    """

    def __init__(self, sentence: str, *values: object, argument: str | None = None) -> None:
        """`argument`: by its name in Python; None where several do not fit each other."""
        super().__init__(sentence, *values)
        self.sentence, self.values, self.argument = sentence, values, argument

    def told(self, called: Callable[[str], str]) -> str:
        """The sentence; `called` gives what an argument is called."""
        return Formatter().vformat(self.sentence, self.values, _Called(called))

    def __str__(self) -> str:
        """In the words of Python."""
        return self.told(str)


class _Called(dict[str, str]):
    """Names of arguments, as a sentence asks for them."""

    def __init__(self, called: Callable[[str], str]) -> None:
        super().__init__()
        self._called = called

    def __missing__(self, argument: str) -> str:
        return self._called(argument)


@contextmanager
def about(argument: str | None = None) -> Iterator[None]:
    """Make every ValueError within one about an argument; None: about none in particular."""
    try:
        yield
    except ArgumentError as error:
        error.argument = error.argument or argument
        raise
    except ValueError as error:
        raise ArgumentError("{}", error, argument=argument) from None


class AuthenticationError(ValueError):
    """The tag, integrity value or MIC is wrong; no plaintext is given out.

    A ValueError, as for input too short to be a message: who rejects bad input catches both.
    """


class UnknownCore(ArgumentError):
    """No core of that name is built in."""

    def __init__(self, sentence: str) -> None:
        """`sentence`: it may hold anything that the user wrote."""
        super().__init__("{}", sentence)
        self.args = (sentence,)


class UnavailableCore(ValueError):
    """The core is built in, but this processor lacks the instructions it needs."""


class SelfTestError(RuntimeError):
    """A known answer failed: do not use this build."""


_LONGEST_WORD = 200
_KEPT_OF_IT = 60


def shortened(sentence: str) -> str:
    """A sentence in which no word is endless, and nothing could steer a terminal.

    Sentences repeat what they were given, by the user or by a file.
    """

    def cut(word: re.Match[str]) -> str:
        return f"{word[0][:_KEPT_OF_IT]}... ({len(word[0])} characters)"

    plain = "".join(
        one if one.isprintable() or one == "\n" else ascii(one)[1:-1] for one in sentence
    )
    return re.sub(rf"\S{{{_LONGEST_WORD},}}+", cut, plain)


def _nearest(name: str, known: Sequence[str]) -> str | None:
    """The most similar name; of several alike the one that begins alike."""
    return max(
        known,
        key=lambda one: (SequenceMatcher(None, name, one).ratio(), one[:1] == name[:1]),
        default=None,
    )


def unknown(kind: str, name: str, known: Sequence[str]) -> ValueError:
    """Make the error for a name that is not among `known`, naming the nearest one."""
    near = _nearest(name[:_LONGEST_WORD].lower(), known)
    shown = name if len(name) <= 40 else name[:40] + "..."
    hint = f"; the nearest is '{near}'" if near else "; none is built in"
    sentence = f"there is no {kind} '{shown}'{hint}"
    return UnknownCore(sentence) if kind == "core" else ValueError(sentence)

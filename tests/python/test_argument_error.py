# SPDX-License-Identifier: MIT
"""An error about an argument: one sentence, in which each face names arguments in its own way."""

import pickle

import pytest

from aesfit.errors import ArgumentError, UnknownCore, about

ERROR = ArgumentError("on {} no caches are simulated; leave {ways} out", "{odd}", argument="ways")


def test_the_sentence_names_arguments_as_it_is_told() -> None:
    assert str(ERROR) == "on {odd} no caches are simulated; leave ways out"
    told = ERROR.told(lambda name: f"--{name}")
    assert told == "on {odd} no caches are simulated; leave --ways out"
    assert ERROR.argument == "ways"


def test_it_survives_its_way_between_processes() -> None:
    found = pickle.loads(pickle.dumps(ERROR))
    assert (str(found), found.argument) == (str(ERROR), "ways")
    core = pickle.loads(pickle.dumps(UnknownCore("there is no core '{}'")))
    assert str(core) == "there is no core '{}'"


def test_any_wrong_value_becomes_one_about_an_argument() -> None:
    with pytest.raises(ArgumentError, match=r"^no \{thing\}$") as caught, about("mode"):
        raise ValueError("no {thing}")
    assert caught.value.argument == "mode"


def test_the_innermost_argument_is_kept() -> None:
    with pytest.raises(ArgumentError) as caught, about(), about("ghash"), about("mode"):
        raise ERROR
    assert caught.value.argument == "ways"
    with pytest.raises(UnknownCore) as unknown, about(), about("cores"):
        raise UnknownCore("there is none")
    assert unknown.value.argument == "cores"


def test_other_errors_pass() -> None:
    with pytest.raises(TypeError), about("mode"):
        raise TypeError("no")

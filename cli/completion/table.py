"""All commands with their options and arguments, as a file beside this one has them.

It is made from the commands themselves (`python -m tests.repo.commands_table`, and a test compares
them): to import them all would take longer than a person waits for a Tab.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Final, TypedDict

FILE: Final = "commands.json"


class OptionTold(TypedDict):
    """One option: what it is called, what follows it (None: nothing), which values it may have."""

    names: list[str]
    value: str | None
    choices: list[str]
    help: str


class CommandTold(TypedDict):
    """One command: what its arguments are called, and its options."""

    arguments: list[str]
    options: list[OptionTold]


def commands() -> Mapping[str, CommandTold]:
    """By name."""
    told: dict[str, CommandTold] = json.loads(files("cli.completion").joinpath(FILE).read_text())
    return told


def option(command: CommandTold, name: str) -> OptionTold | None:
    """The option that is called so."""
    return next((one for one in command["options"] if name in one["names"]), None)


def arguments_in(command: CommandTold, words: Sequence[str]) -> list[str]:
    """Those of the words that are neither options nor what follows one."""
    found, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            told = option(command, word)
            skip = told is not None and told["value"] is not None
        else:
            found.append(word)
    return found

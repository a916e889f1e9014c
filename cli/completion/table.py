"""The program, its commands, options and arguments, as a file beside this module has them.

It is made from the commands themselves (`python -m tests.repo.commands_table`, and a test compares
them): to import them all would take longer than a person waits for a Tab, and what builds a package
has none of the libraries that they need.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
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
    """One command: what it does in a line and in paragraphs, what follows its name, an example.

    `arguments` are what its arguments are called, `usage` is that with what may be left out in
    brackets.
    """

    does: str
    usage: str
    paragraphs: list[str]
    arguments: list[str]
    options: list[OptionTold]
    example: str


class ProgramTold(CommandTold):
    """`nodealer` itself, with its commands by name and their names by section."""

    sections: dict[str, list[str]]
    commands: dict[str, CommandTold]


def program() -> ProgramTold:
    """All that the help tells."""
    told: ProgramTold = json.loads(files("cli.completion").joinpath(FILE).read_text("utf-8"))
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

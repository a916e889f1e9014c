"""The pages of `man`: `python -m cli.manual FOLDER` writes them, and so does what builds a package.

One page for the program and one for each command, from the table that is made from the commands
themselves.  Only the standard library is needed: what builds a package has nothing else.

The language is that of man(7): a line that begins with a dot is a request, and `-` alone would be
a hyphen, which nobody could copy as the minus sign that an option begins with.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version as installed
from pathlib import Path
from typing import Final

from cli.completion.table import CommandTold, OptionTold, ProgramTold, program

NAME: Final = "nodealer"
SECTION: Final = 1
"""Of the manual: programs that people run."""
EXITS: Final = {
    "0": "done",
    "1": "what was asked for is false: an audit failed, a game was not finished",
    "2": "wrong use, unreadable input, or output that cannot be written",
    "130": "Ctrl-C, before a table or a study had a result of its own",
}
"""What the exit codes mean; docs/reference/commands.md has them as a table."""
ENVIRONMENT: Final = {
    "NODEALER_HOME": "The folder of identity, settings and saved games, in place of the data "
    "folder of the system (on Linux ~/.local/share/nodealer).",
    "NO_COLOR": "If it is not empty: no colours (https://no-color.org).",
}


def pages(version: str) -> dict[str, str]:
    """Each page by the name of its file."""
    told = program()
    made = {NAME: "\n".join(_program(told, version))}
    for name in told["commands"]:
        made[f"{NAME}-{name}"] = "\n".join(_command(told, name, version))
    return {f"{name}.{SECTION}": page + "\n" for name, page in made.items()}


def write_pages(folder: Path, version: str) -> None:
    """Write all pages into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in pages(version).items():
        (folder / name).write_text(page, "utf-8")


def _program(told: ProgramTold, version: str) -> Iterator[str]:
    yield from _begin(NAME, told, version)
    yield from _options(told["options"])
    yield ".SH COMMANDS"
    for title, names in told["sections"].items():
        yield f".SS {_text(title)}"
        for name in names:
            yield from _item(_bold(name), told["commands"][name]["does"])
    yield ".SH ENVIRONMENT"
    for name, meaning in ENVIRONMENT.items():
        yield from _item(_bold(name), meaning)
    yield from _end(told, [f"{NAME}-{name}" for name in told["commands"]])


def _command(told: ProgramTold, name: str, version: str) -> Iterator[str]:
    command = told["commands"][name]
    yield from _begin(f"{NAME} {name}", command, version)
    yield from _options(command["options"])
    (beside,) = (names for names in told["sections"].values() if name in names)
    yield from _end(command, [NAME, *(f"{NAME}-{other}" for other in beside if other != name)])


def _begin(called: str, told: CommandTold, version: str) -> Iterator[str]:
    """The head of a page; `called` is what is typed."""
    page = called.replace(" ", "-")
    # Without a date: the same sources make the same page.
    yield f'.TH {_text(page.upper())} {SECTION} "" "{NAME} {_text(version)}" "{NAME}"'
    # Names of commands and options are read whole: no hyphenation, no stretched blanks.
    yield from (".nh", ".ad l", ".SH NAME")
    yield rf"{_text(page)} \- {_text(told['does'].rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield f"{_bold(called)} {_text(told['usage'])}"
    yield ".SH DESCRIPTION"
    for number, paragraph in enumerate(told["paragraphs"]):
        yield from [".PP"] if number else []
        yield _text(paragraph)


def _options(options: Sequence[OptionTold]) -> Iterator[str]:
    yield ".SH OPTIONS"
    for one in options:
        names = ", ".join(map(_bold, one["names"]))
        value = f" {_slanted(one['value'])}" if one["value"] else ""
        yield from _item(names + value, one["help"])


def _end(told: CommandTold, others: Sequence[str]) -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for code, meaning in EXITS.items():
        yield from _item(_bold(str(code)), f"{meaning}.")
    yield from (".SH EXAMPLE", ".EX", _text(told["example"]), ".EE", ".SH SEE ALSO")
    yield ",\n".join(f"{_bold(other)}({SECTION})" for other in others)


def _item(term: str, meaning: str) -> Iterator[str]:
    yield from (".TP", term, _text(meaning))


def _bold(words: str) -> str:
    return rf"\fB{_text(words)}\fR"


def _slanted(words: str) -> str:
    return rf"\fI{_text(words)}\fR"


def _text(words: str) -> str:
    """The words as man(7) wants them: nothing in them is a request."""
    escaped = words.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]), installed(NAME))

"""Writes cli/completion/commands.json from the commands: `python -m tests.repo.commands_table`."""

from __future__ import annotations

import importlib
import inspect
import json
import re
from collections.abc import Iterator

import click

from cli.completion.table import FILE, CommandTold, OptionTold, ProgramTold
from cli.main import COMMANDS, SECTIONS, main
from tests.repo.sources import ROOT

TABLE = ROOT / "cli" / "completion" / FILE


def table() -> str:
    """The whole file."""
    does, _, _ = inspect.cleandoc(main.help or "").partition("\n")
    told: ProgramTold = {
        **_told(main, does),
        "sections": {title: list(names) for title, names in SECTIONS.items()},
        "commands": {name: _told(command, COMMANDS[name][1]) for name, command in commands()},
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command by its name."""
    for name, (module, _) in COMMANDS.items():
        yield name, importlib.import_module(f"cli.commands.{module}").command


def _told(command: click.Command, does: str) -> CommandTold:
    given = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    context = click.Context(command, help_option_names=main.context_settings["help_option_names"])
    helping = command.get_help_option(context)
    return {
        "does": does,
        "usage": " ".join(command.collect_usage_pieces(context)),
        "paragraphs": re.sub(r"(?<!\n)\n(?!\n) *", " ", inspect.cleandoc(command.help or "")).split(
            "\n\n"
        ),
        "arguments": [
            one.make_metavar(context).replace("[", "").replace("]", "") for one in arguments
        ],
        "options": [_option(one, context) for one in [*given, helping] if one is not None],
        "example": (command.epilog or "").removeprefix("Example: "),
    }


def _option(option: click.Option, context: click.Context) -> OptionTold:
    takes = not option.is_flag and not option.count
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    told = option.get_help_record(context)
    return {
        "names": [*option.opts, *option.secondary_opts],
        "value": option.make_metavar(context) if takes else None,
        "choices": [str(one) for one in choices],
        "help": told[1] if told else "",
    }


if __name__ == "__main__":
    TABLE.write_text(table(), "utf-8")

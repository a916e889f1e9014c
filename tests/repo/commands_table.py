"""Writes cli/completion/commands.json from the commands: `python -m tests.repo.commands_table`."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator

import click

from cli.completion.table import FILE, CommandTold, OptionTold
from cli.main import COMMANDS, main
from tests.repo.sources import ROOT

TABLE = ROOT / "cli" / "completion" / FILE


def table() -> str:
    """The whole file."""
    told = {name: _told(command) for name, command in commands()}
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command by its name."""
    for name, (module, _) in COMMANDS.items():
        yield name, importlib.import_module(f"cli.commands.{module}").command


def _told(command: click.Command) -> CommandTold:
    given = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    context = click.Context(command, help_option_names=main.context_settings["help_option_names"])
    helping = command.get_help_option(context)
    return {
        "arguments": [
            one.make_metavar(context).replace("[", "").replace("]", "") for one in arguments
        ],
        "options": [_option(one, context) for one in [*given, helping] if one is not None],
    }


def _option(option: click.Option, context: click.Context) -> OptionTold:
    takes = not option.is_flag and not option.count
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    return {
        "names": [*option.opts, *option.secondary_opts],
        "value": option.make_metavar(context) if takes else None,
        "choices": [str(one) for one in choices],
        "help": option.help or "",
    }


if __name__ == "__main__":
    TABLE.write_text(table(), "utf-8")

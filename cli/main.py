"""`nodealer`: the group of all commands.

Each command lives in a module of its own that is imported when the command is asked for, so
that the help needs nothing of the peer-to-peer layers and appears at once (a test holds this).
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, cast

import click

from cli.failures import FALSE, explain
from cli.kit.flags import MANNER, letters_option, plain_option
from cli.kit.garbage import look_seldom

COMMANDS: Final = {
    "play": ("play", "You against bots; every bot is a peer with its own keys."),
    "host": ("host", "Open a table and invite people to it."),
    "join": ("join", "Sit down at somebody's table."),
    "watch": ("watch", "Watch a table or a game, and check everything."),
    "resume": ("resume", "Sit down again at a table that you left or lost."),
    "audit": ("audit", "Check saved games: every shuffle, share, signature and move."),
    "replay": ("replay", "Step through a saved game, from any seat."),
    "export": ("export", "A saved game as prose, lines, a page or a film."),
    "report": ("report", "What a bug report needs, without any secret."),
    "fairness": ("fairness", "Are the shuffles of saved games random?"),
    "stats": ("stats", "Your own games: wins, runs, and races."),
    "demo": ("demo", "Watch bots play a whole match, then audit its log."),
    "simulate": ("simulate", "Play many games with a trusted dealer, for numbers."),
    "bots": ("bots", "Measure bots against each other: who wins how often."),
    "bench": ("bench", "The benchmarks, each with its floor."),
    "rules": ("rules", "The rules of a game, as the program plays them."),
    "new-game": ("new_game", "Write a game of your own: a package that plays."),
    "id": ("identity", "Your identity and its fingerprint words."),
    "settings": ("settings", "Your name, theme, pace, bell and size of the cards."),
    "completion": ("completion", "Make your shell complete commands, games and logs."),
}
"""Command name: (module in cli.commands, what it does).  Help prints these without importing."""
SECTIONS: Final = {
    "Play": ("play", "host", "join", "watch", "resume"),
    "Saved games": ("audit", "replay", "export", "fairness", "stats", "report"),
    "Bots and numbers": ("demo", "simulate", "bots", "bench"),
    "Games": ("rules", "new-game"),
    "You": ("id", "settings", "completion"),
}
"""Under which heads the help lists them."""


class LazyGroup(click.Group):
    """A group that imports a command's module only to run it or to show its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = COMMANDS.get(cmd_name)
        if known is None:
            return None
        module = importlib.import_module(f"cli.commands.{known[0]}")
        return cast("click.Command", module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            meant = importlib.import_module("engine.errors").perhaps(args[0], COMMANDS)
            ctx.fail(f"No such command {args[0]!r}{meant}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        wide = max(map(len, COMMANDS))
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(wide), COMMANDS[name][1]) for name in names])

    def main(  # type: ignore[override]  # (click overloads this on standalone_mode)
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and turn errors that a user can cause into a sentence on stderr and an exit code."""
        if not standalone_mode:
            return super().main(args, prog_name, standalone_mode=False, **extra)
        with MANNER.of_a_command():
            code = self._run(args, prog_name, **extra)
        sys.exit(code)

    def _run(self, args: Sequence[str] | None, prog_name: str | None, **extra: Any) -> int:
        look_seldom()
        if isinstance(sys.stdout, io.TextIOWrapper):
            # A file name may not be text; what cannot be printed is escaped, as on stderr.
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            code = super().main(args, prog_name, standalone_mode=False, **extra)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader (`| head`) has seen enough; nothing may be flushed there at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return FALSE
        except BaseException as error:
            failure = explain(error)
            if failure is None:
                _output().guard()
                raise
            _output().say(f"nodealer: {failure.sentence}", err=True)
            return failure.code
        return code if isinstance(code, int) else 0


def _output() -> Any:
    """Not at the top: the help needs nothing of the layers below."""
    return importlib.import_module("cli.kit.output")


def _show_version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked:
        versions = importlib.import_module("cli.kit.versions")
        ours = versions.version(otherwise="from a folder of sources, not installed")
        _output().say(f"nodealer {ours}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="Example: nodealer play flip-over",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
    help="Show the version.",
)  # fmt: skip
@plain_option
@letters_option
@click.pass_context
def main(ctx: click.Context, plain: bool, letters: bool) -> Any:
    """Card games between people who trust nobody: no server, no dealer, no referee.

    Without a command: a menu, if there is a terminal.
    """
    if ctx.invoked_subcommand is not None:
        return None
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        for line in ctx.get_help().splitlines():
            _output().say(line)
        return None
    return _at_home(plain, letters)


def _at_home(plain: bool, letters: bool) -> int:
    """The menu, and what is chosen there, until nothing is; the exit code of the last of it.

    In lines there is no page to come back to: one thing is done, and the shell is home.
    """
    code, done = 0, ""
    while argv := importlib.import_module("cli.menu").choose(done, plain=plain, letters=letters):
        with MANNER.of_a_command():
            code, done = main._run(argv, "nodealer"), argv[0]
        if not importlib.import_module("cli.menu").comes_back(plain=plain):
            break
    return code


if __name__ == "__main__":
    main()

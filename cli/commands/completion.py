"""`nodealer completion`: what makes a shell offer commands, games, levels and saved games."""

from __future__ import annotations

from collections.abc import Iterable

import click

from cli.completion.scripts import SCRIPTS


@click.command("completion", epilog="Example: nodealer completion bash >> ~/.bash_completion")
@click.argument("shell", type=click.Choice(list(SCRIPTS)), metavar="SHELL", required=False)
@click.option("--words", hidden=True, help="What was typed, a word a line.")
@click.option("--line", hidden=True, help="What was typed in bash.")
@click.option("--breaks", default="", hidden=True, help="What ends a word there.")
def command(shell: str | None, words: str | None, line: str | None, breaks: str) -> None:
    """Print the script with which a shell completes nodealer's words.

    SHELL is bash, zsh or fish.  Then Tab offers commands, options, games with their levels and
    house rules, and saved games.
    """
    if words is not None:
        from cli.completion.candidates import candidates  # noqa: PLC0415 (not for the script)

        _print(candidates(words.split("\n")))
        return
    if line is not None:
        from cli.completion.bash import replies  # noqa: PLC0415 (as above)

        _print(replies(line, breaks))
        return
    if shell is None:
        raise click.UsageError(f"Say which shell: {', '.join(SCRIPTS)}.")
    print(SCRIPTS[shell], end="")


def _print(offered: Iterable[str]) -> None:
    for one in offered:
        print(one)

"""`nodealer completion`: what makes a shell offer commands, games, levels and saved games."""

from __future__ import annotations

import click

from cli.completion.scripts import SCRIPTS


@click.command("completion", epilog="Example: nodealer completion bash >> ~/.bash_completion")
@click.argument("shell", type=click.Choice(list(SCRIPTS)), metavar="SHELL", required=False)
@click.option("--words", hidden=True, help="What was typed, a word a line.")
def command(shell: str | None, words: str | None) -> None:
    """Print the script with which a shell completes nodealer's words.

    SHELL is bash, zsh or fish.  Then Tab offers commands, options, games with their levels and
    house rules, and saved games.
    """
    if words is not None:
        from cli.completion.candidates import candidates  # noqa: PLC0415 (not for the script)

        for one in candidates(words.split("\n")):
            print(one)
        return
    if shell is None:
        raise click.UsageError(f"Say which shell: {', '.join(SCRIPTS)}.")
    print(SCRIPTS[shell], end="")

"""`nodealer id`: who you are to others, and the words they compare."""

from __future__ import annotations

import click

from cli.home.first_start import greet
from cli.home.person_identity import own_identity
from cli.kit.output import Whole, say
from cli.options.settings import Settings, at_a_terminal, common, json_option, print_json


@click.command("id", epilog="Example: nodealer id --name Ada")
@click.option("--name", metavar="N", help="Take this name; the key stays.")
@json_option
@common
def command(name: str | None, as_json: bool, settings: Settings) -> None:
    """Your identity: the name others see and the fingerprint words that prove it is you.

    It is made on the first call and stays in your data folder.  The name is a label, which you may
    change; games that were played keep the old one.  Read the words to a friend over another
    channel; if they match what the friend's screen says, nobody is in between.
    """
    if name is None and not as_json and at_a_terminal():
        greet()
    identity, path = own_identity(name)
    if as_json:
        print_json(
            {
                "name": identity.name,
                "words": identity.words,
                "public": identity.public.hex(),
                "file": str(path),
            }
        )
        return
    say(settings.strong(identity.name, "name         "))
    say(settings.strong(identity.words, "fingerprint  "))
    say(Whole(f"kept in      {path}"))

"""`nodealer join`: sit down at somebody's table."""

from __future__ import annotations

import click

from cli.hosting import join_match
from cli.race_options import cap_option
from cli.settings import Settings, at_a_terminal, common, json_option
from cli.summary import conclude
from p2p.net.invite import Invite


@click.command("join", epilog="Example: nodealer join ND1:AHIVFHB5...")
@click.argument("invite")
@cap_option("Most delay you let a table credit in races.")
@click.option("--seed", type=int, hidden=True, help="Of the bot's choices.")
@json_option
@common
def command(invite: str, race_cap: int, seed: int | None, as_json: bool, settings: Settings) -> int:
    """Sit down at the table of INVITE, the line that its host sent you.

    Without a terminal your seat is played by a bot.
    """
    person = at_a_terminal() and not as_json
    summary = join_match(
        Invite.decode(invite), settings, seed, person=person, race_cap_us=1_000 * race_cap
    )
    return conclude(summary, as_json)

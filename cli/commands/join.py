"""`nodealer join`: sit down at somebody's table."""

from __future__ import annotations

from contextlib import nullcontext

import click

from cli.place import Place, place_for
from cli.race_options import cap_option
from cli.settings import Settings, at_a_terminal, common, json_option


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
    with place_for(settings, "joining a table") if person else nullcontext[Place | None]() as place:
        from cli.hosting import join_match  # noqa: PLC0415 (after the first picture)
        from cli.summary import conclude  # noqa: PLC0415
        from p2p.net.invite import Invite  # noqa: PLC0415

        summary = join_match(Invite.decode(invite), seed, place, race_cap_us=1_000 * race_cap)
    return conclude(summary, as_json)

"""`nodealer join`: sit down at somebody's table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from cli.options.gathered import gathered
from cli.options.give_up_option import give_up_option
from cli.options.host_options import AskedBot, AskedGuest
from cli.options.reach_option import reach_option
from cli.options.settings import Settings, at_a_terminal, common, json_option, ready_option
from cli.options.table_pace import table_pace
from cli.options.terms import cap_option
from cli.tables.place import Place, place_for

if TYPE_CHECKING:
    from p2p.net.addresses import Address


@click.command("join", epilog="Example: nodealer join ND1:AHIVFHB5...")
@click.argument("invite", nargs=-1, metavar="[INVITE]")
@reach_option
@cap_option("Largest delay a table may credit in races.")
@give_up_option()
@click.option("--seed", type=int, hidden=True, help="Of the bot's choices.")
@click.option("--leave-at", type=click.IntRange(1), hidden=True, help="The bot's last decision.")
@click.option("--die-at", type=click.IntRange(1), hidden=True, help="When this process dies.")
@gathered("bot", AskedBot)
@ready_option
@gathered("guest", AskedGuest)
@json_option
@common
@table_pace
def command(
    invite: tuple[str, ...], guest: AskedGuest, bot: AskedBot, as_json: bool, settings: Settings
) -> int:
    """Sit down at the table of INVITE, the line that its host sent you, whatever surrounds it.

    Without INVITE the tables on the local network are listed, to choose one or to paste an invite
    (with --json, or without a terminal, only listed).  With - the invite is read from standard
    input, and other users of this machine do not see it in the list of programs.  The game begins
    when everybody is ready (--yes: at once).  Without a terminal your seat is played by a bot.
    """
    addresses: Sequence[Address] = ()
    text = " ".join(invite)
    if text == "-":
        from cli.tables.pasted import read_invite  # noqa: PLC0415 (imports the peers)

        text = read_invite().encode()
    person = at_a_terminal() and not as_json
    if not text:
        from cli.tables.lan_tables import (  # noqa: PLC0415 (imports the peers)
            choose_table,
            line_and_addresses,
        )

        chosen = choose_table(as_json=as_json, choosing=person, ready=guest.ready, pasting=True)
        if chosen is None:
            return 0
        text, addresses = line_and_addresses(chosen)
    with _place(settings) if person else nullcontext[Place | None]() as place:
        from cli.tables.network import join_match  # noqa: PLC0415 (after the first picture)
        from cli.words.summary import conclude  # noqa: PLC0415
        from p2p.net.invite import Invite  # noqa: PLC0415

        summary = join_match(Invite.decode(text), guest, bot, place, addresses)
    return conclude(summary, as_json)


def _place(settings: Settings) -> Place:
    """The screen, or the lines, of the person who joins."""
    return place_for(settings, "joining a table", knocks=True)

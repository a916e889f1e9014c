"""`nodealer host`: open a table on this machine and invite people to it."""

from __future__ import annotations

from contextlib import nullcontext

import click

from cli.failures import FALSE, UserMistakeError
from cli.options.asked_table import AskedTable, table_options
from cli.options.bot_levels import bots_option, pace_option
from cli.options.gathered import gathered
from cli.options.give_up_option import give_up_option
from cli.options.host_options import AskedBots, AskedEndpoint, AskedHost, own_host
from cli.options.reach_option import reach_option
from cli.options.settings import Settings, at_a_terminal, common, json_option, ready_option
from cli.options.table_pace import table_pace
from cli.options.terms import TERMS, Said, check_terms, term_options
from cli.tables.place import Place, place_for


@click.command("host", epilog="Example: nodealer host flip-over --seats 4 --bots 1")
@table_options()
@bots_option(0, "0", "Seats for bots: how many, or the level of each (hard,easy).")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="P", help="TCP port.")
@click.option(
    "--bind",
    metavar="ADDRESS",
    callback=own_host,
    help="Listen on this address of the machine only.",
)
@click.option("--no-announce", is_flag=True, help="Do not tell the local network of the table.")
@click.option("--no-map", is_flag=True, help="Do not ask the router to let friends in.")
@click.option("--accept", is_flag=True, help="Let each guest in yourself: /admit NAME.")
@reach_option
@gathered("at", AskedEndpoint)
@term_options(*TERMS)
@give_up_option("carry_on")
@pace_option
@click.option("--seed", type=int, hidden=True, help="Of the bots' choices.")
@gathered("bots", AskedBots)
@ready_option
@gathered("own", AskedHost)
@json_option
@common
@table_pace
def command(
    asked: AskedTable,
    bots: AskedBots,
    at: AskedEndpoint,
    said: Said,
    own: AskedHost,
    as_json: bool,
    settings: Settings,
) -> int:
    """Open a table for GAME, print the invite and its QR code, and wait for players.

    Nobody runs a server: this machine only listens.  Everybody on the local network
    sees the table (nodealer join), and the router is asked to let friends from elsewhere
    in; --bind listens at one address only, and asks no router.  With --json the invite is the one
    object printed, and printed again if your network changes.  The game begins when all seats are
    taken and everybody has said to be ready (--yes: at once).  Without a terminal your seat is
    played by a bot.

    Until then you can remove a guest: type /remove NAME; the same key gets no seat
    at this table again.  With --accept, or after /lock, newcomers wait until you type
    /admit NAME; /unlock seats whoever comes.  To change the game or its terms, type
    /game sneak target=50 clock=30: the others see what has changed and are asked again.
    """
    check_terms(asked, said)
    if bots.count > asked.seats - 1:
        raise UserMistakeError(
            f"{asked.seats} seats have room for {asked.seats - 1} bots besides you, not "
            f"{bots.count}."
        )
    title = f"{asked.game.title}, {asked.seats} seats"
    person = at_a_terminal() and not as_json
    if at.accept and not person:
        raise UserMistakeError("--accept needs you at a terminal, to let the guests in.")
    with place_for(settings, title) if person else nullcontext[Place | None]() as place:
        from cli.tables.network import Hosting, host_match  # noqa: PLC0415 (after the first picture)
        from cli.words.summary import conclude  # noqa: PLC0415

        hosting = Hosting(bots, at, said, own, as_json)
        summary = host_match(asked, hosting, settings, place)
    if as_json:  # the invite was the only object
        return 0 if summary.verified else FALSE
    return conclude(summary, as_json=False)

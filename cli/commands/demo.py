"""`nodealer demo`: bots play a whole match over loopback TLS; its log is audited."""

from __future__ import annotations

import click

from cli.kit.output import say
from cli.options.asked_table import AskedTable, table_options, with_bots
from cli.options.departures_option import AskedDepartures, departures_option
from cli.options.give_up_option import SHORTEST, give_up_option, patience
from cli.options.settings import Settings, common, json_option
from cli.tables.bot_match import bot_match
from cli.tables.departures import drawn
from cli.tables.processes import match_of_processes
from cli.words.summary import conclude
from engine.games import FIRST


@click.command("demo", epilog="Example: nodealer demo flip-over --seats 3 --seed 7")
@with_bots(you=0)
@table_options(default_game=FIRST)
@click.option("--procs", is_flag=True, help="One process for each seat.")
@click.option("--seed", type=int, metavar="S", help="Of the bots' choices; never of keys.")
@departures_option
@give_up_option("lose", SHORTEST)
@json_option
@common
def command(
    asked: AskedTable,
    procs: bool,
    seed: int | None,
    departures: AskedDepartures,
    give_up: int,
    as_json: bool,
    settings: Settings,
) -> int:
    """Bots play GAME over loopback TLS, each a peer with its own keys.

    The game is saved and audited.  The seed decides what the bots choose, never a key, so
    the cards differ from run to run.  With --leave and --lose it also decides who goes, and at
    which decision; the others play on if the rules let them.  With --procs the process of a lost
    player is killed.
    """
    gone = drawn(asked, seed, departures, patience(give_up))
    if procs:
        summary = match_of_processes(asked, seed, gone)
    else:
        summary = bot_match(asked, seed, settings, silent=as_json, departures=gone)
    code = conclude(summary, as_json)
    went = len(summary.farewells) + len(summary.lost)
    if not as_json and went < len(gone.seats):
        say(f"       {went} of {len(gone.seats)} went: the game was over first")
    return code

"""`nodealer play`: you against bots, each of them a peer with its own keys."""

from __future__ import annotations

from dataclasses import replace

import click

from cli.asked_table import AskedTable, table_options, with_bots
from cli.bot_match import bot_match, person_match
from cli.race_options import pace_option, race_options
from cli.settings import Settings, at_a_terminal, common, json_option
from cli.summary import conclude
from p2p.bots import Pace
from p2p.protocol.race_terms import RaceTerms


@click.command("play", epilog="Example: nodealer play flip-over --bots 2")
@with_bots
@table_options()
@race_options
@pace_option
@json_option
@common
def command(
    asked: AskedTable, race: RaceTerms, pace: Pace, as_json: bool, settings: Settings
) -> int:
    """You against bots, each of them a peer with its own keys, over loopback TLS.

    Without a terminal your seat is played by a bot too, and nothing is held.
    """
    if at_a_terminal() and not as_json:
        summary = person_match(asked, race, pace, settings)
    else:
        among_bots = replace(race, hold_us=0)
        summary = bot_match(asked, None, settings, silent=as_json, race=among_bots)
    return conclude(summary, as_json)

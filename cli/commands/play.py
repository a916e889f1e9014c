"""`nodealer play`: you against bots, each of them a peer with its own keys."""

from __future__ import annotations

from dataclasses import replace

import click

from cli.options.asked_table import AskedTable, table_options, with_bots
from cli.options.bot_levels import AskedPace, pace_option
from cli.options.settings import Settings, at_a_terminal, common, json_option
from cli.options.table_pace import table_pace
from cli.options.terms import AMONG_BOTS, CLOCK, HOLD, RACE_CAP, Said, check_terms, term_options
from cli.tables.place import place_for
from engine.levels import NORMAL


@click.command("play", epilog="Example: nodealer play flip-over --bots 2")
@with_bots()
@table_options()
@term_options(RACE_CAP, HOLD, CLOCK)
@pace_option
@json_option
@common
@table_pace
def command(
    asked: AskedTable,
    said: Said,
    pace: AskedPace,
    as_json: bool,
    settings: Settings,
) -> int:
    """You against bots, each of them a peer with its own keys, over loopback TLS.

    Without a terminal your seat is played by a bot too, and nothing is held.
    """
    check_terms(asked, said)
    if at_a_terminal() and not as_json:
        return _with_you(asked, said, pace, settings)
    from cli.tables.bot_match import bot_match  # noqa: PLC0415 (imports the peers)
    from cli.words.summary import conclude  # noqa: PLC0415

    yours = replace(asked, levels=(NORMAL, *asked.levels))
    summary = bot_match(yours, None, settings, silent=as_json, said={**said, **AMONG_BOTS})
    return conclude(summary, as_json)


def _with_you(asked: AskedTable, said: Said, pace: AskedPace, settings: Settings) -> int:
    """The first picture comes before the peers are imported."""
    with place_for(settings, f"{asked.game.title}, {asked.seats} seats") as place:
        from cli.tables.bot_match import person_match  # noqa: PLC0415
        from cli.words.summary import conclude  # noqa: PLC0415

        summary = person_match(asked, said, pace.pace(), place)
    return conclude(summary, as_json=False)

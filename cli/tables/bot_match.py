"""Matches on this machine, in this process: bots only, or a person against bots."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

from cli.home.folders import seat_folder
from cli.home.own_bots import new_bots
from cli.home.person_identity import own_identity, own_store
from cli.kit.bar import bar_for
from cli.options.asked_table import AskedTable
from cli.options.settings import Settings, at_a_terminal
from cli.options.terms import AMONG_BOTS, Said, plan_of
from cli.tables.bot_names import bot_names, level_of, levels_of
from cli.tables.bots import Onlooker, bot_player
from cli.tables.departures import STAYING, Departures
from cli.tables.evening import Evening
from cli.tables.loopback import (
    Local,
    beside,
    bot_sitter,
    play_here,
    play_table,
)
from cli.tables.place import Place
from cli.words.summary import Summary, concluded
from engine.bots.pace import Pace
from p2p.peer import Sitter


def bot_match(
    asked: AskedTable,
    seed: int | None,
    settings: Settings,
    *,
    silent: bool,
    said: Said = AMONG_BOTS,
    departures: Departures = STAYING,
) -> Summary:
    """Bots play at every seat.  A person at a terminal sees what happens, or a bar if `silent`."""
    first, *others = [
        replace(sitter, player=departures.of(seat, sitter.player), patience=departures.patience)
        for seat, sitter in enumerate(bot_sitters(asked, seed))
    ]
    if at_a_terminal() and not silent:
        first = replace(first, player=Onlooker(settings, first.player))
    plan = plan_of(asked, {**said, **departures.said})
    with bar_for("a match", "Playing", counted=False) if silent else nullcontext():
        done = play_here(asked, first, others, seat_folder(), plan)
    return concluded(done.log, done.seconds)


def bot_sitters(asked: AskedTable, seed: int | None) -> list[Sitter]:
    """A bot for every seat, each with a fresh key."""
    return [
        bot_sitter(name, bot_player(asked.game.name, seed, seat, level=level_of(name)))
        for seat, name in enumerate(bot_names(levels_of(asked, asked.seats)))
    ]


def person_match(asked: AskedTable, said: Said, pace: Pace | None, place: Place) -> Summary:
    """You, who sit at `place`, against bots; `said` are the terms."""
    identity, _ = own_identity()
    person, store = place.player(), own_store()
    names, thinks = bot_names(levels_of(asked, asked.seats - 1), [identity.name]), place.pace.thinks
    with new_bots() as make_bot:
        guests = [
            beside(
                make_bot(name),
                bot_player(asked.game.name, None, seat, pace, thinks, level_of(name)),
            )
            for seat, name in enumerate(names, start=1)
        ]
        evening = Evening(place)
        host = Local(Sitter(identity, person, again=evening.again), store)
        plan = plan_of(asked, said)
        return evening.play(store.folder, lambda: place.run(play_table, plan, host, guests))

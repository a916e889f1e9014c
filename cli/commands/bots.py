"""`nodealer bots`: bots against bots, the same cards for each in turn."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import click

from cli.kit.bar import bar_for
from cli.kit.output import say
from cli.options.asked_table import AskedTable, table_options
from cli.options.crew import jobs_option
from cli.options.settings import Settings, common, json_option, print_json
from engine.bots.contest import (
    KINDS,
    Deal,
    Outcome,
    Pairing,
    Thought,
    deals,
    elo,
    kind_of_bot,
    pairings,
    play_deal,
    summed,
)
from engine.errors import UsageError
from engine.levels import NORMAL
from engine.wording import counted
from replay.workers import workers


@click.command("bots", epilog="Example: nodealer bots sneak --seats 2 --players normal,hard")
@table_options()
@click.option(
    "--games",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Least number of games for each pair.",
)
@click.option(
    "--players",
    default="easy,normal,hard",
    show_default=True,
    metavar="NAMES",
    help=f"Two or more of: {', '.join(KINDS)}, or module:function for a bot of your own.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all chance in them.")
@jobs_option
@json_option
@common
def command(
    asked: AskedTable,
    games: int,
    players: str,
    seed: int,
    jobs: int,
    as_json: bool,
    settings: Settings,
) -> None:
    """Measure bots of GAME against each other, with a trusted dealer.

    One of each kind sits among bots of each kind that was named before it, once at each seat of the
    same cards.  The same seed plays the same games, whatever the number of processes.
    """
    sys.path.insert(0, "")  # as `python -c` does: a bot of one's own lies here
    kinds = _kinds(asked, players)
    table = (asked.game.name, asked.seats, asked.options)
    due = [deal for pair in pairings(kinds) for deal in deals(*table, pair, games, seed)]
    found: dict[Pairing, list[Outcome]] = {}
    with bar_for("deals", "Playing") as bar:
        for number, (deal, outcome) in enumerate(zip(due, _played(due, jobs), strict=True), 1):
            found.setdefault(deal.pairing, []).append(outcome)
            bar(number, len(due))
    results = {pair: summed(outcomes) for pair, outcomes in found.items()}
    anchor = NORMAL if NORMAL in kinds else kinds[0]
    strengths = elo(asked.seats, results, anchor)
    if as_json:
        print_json(_as_json(asked, results, strengths))
        return
    for line in _as_text(asked, results, strengths):
        say(line)


def _kinds(asked: AskedTable, players: str) -> list[str]:
    """Who is to be measured; UsageError for a name that there is not, or for less than a pair."""
    kinds = list(dict.fromkeys(one.strip() for one in players.split(",")))
    for kind in kinds:
        kind_of_bot(asked.game.name, kind)
    if not pairings(kinds):
        raise UsageError("name two kinds of bots or more, one of them a level: normal,hard")
    return kinds


def _played(due: Sequence[Deal], jobs: int) -> Iterator[Outcome]:
    """What came of each deal, in their order."""
    play = partial(play_deal, clock=time.process_time)
    with workers(jobs) as crowd:
        yield from crowd.each(lambda deal: crowd.hand_out(play, deal), due)


def _thoughts(results: Mapping[Pairing, Outcome]) -> dict[str, Thought]:
    return dict(summed([*results.values()]).thought)


def _as_json(
    asked: AskedTable, results: Mapping[Pairing, Outcome], strengths: Mapping[str, float]
) -> dict[str, object]:
    thoughts = _thoughts(results)
    return {
        "game": asked.game.name,
        "seats": asked.seats,
        "pairs": [
            {
                "one": pair.one,
                "rest": pair.rest,
                "games": one.games,
                "share": round(one.share, 4),
                "interval": [round(limit, 4) for limit in one.interval()],
            }
            for pair, one in results.items()
        ],
        "players": [
            {
                "name": kind,
                "elo": round(strengths[kind], 1),
                "decisions": thoughts[kind].decisions,
                "seconds": round(thoughts[kind].seconds, 6),
                "longest": round(thoughts[kind].longest, 6),
            }
            for kind in strengths
        ],
    }


def _as_text(
    asked: AskedTable, results: Mapping[Pairing, Outcome], strengths: Mapping[str, float]
) -> Iterator[str]:
    seats, thoughts = asked.seats, _thoughts(results)
    yield f"{asked.game.title}, {seats} seats: each wins {1 / seats:.1%} if all are equal"
    width = max(map(len, strengths))
    for (one, rest), outcome in results.items():
        low, high = outcome.interval()
        among = rest if seats == 2 else f"{seats - 1} x {rest}"
        yield (
            f"  {one:<{width}} against {among:<{width + 4}} wins {outcome.share:6.1%}"
            f"  ({low:.1%} to {high:.1%}, {counted(outcome.games, 'game')})"
        )
    yield "Strength (Elo), and processor time for a decision"
    for kind in sorted(strengths, key=strengths.__getitem__, reverse=True):
        thought = thoughts[kind]
        mean = 1000 * thought.seconds / max(1, thought.decisions)
        longest = f"longest {1000 * thought.longest:.0f} ms"
        yield f"  {kind:<{width}} {strengths[kind]:+6.0f}  {mean:8.1f} ms, {longest}"

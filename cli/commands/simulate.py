"""`nodealer simulate`: many games with the trusted dealer, for numbers."""

from __future__ import annotations

import time

import click

from cli.kit.bar import bar_for
from cli.kit.output import say
from cli.options.asked_table import AskedTable, table_options
from cli.options.settings import Settings, common, json_option, print_json
from engine.simulate import Simulation, each_game, summed
from engine.wording import counted


@click.command("simulate", epilog="Example: nodealer simulate flip-over --games 1000")
@table_options()
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, metavar="N")
@click.option(
    "--bots", type=click.Choice(["random", "sensible"]), default="random", show_default=True
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the cards and the bots.")
@click.option(
    "--leave",
    type=float,
    default=0.0,
    show_default=True,
    metavar="P",
    help="Probability, 0 to 1, that a decision is a farewell: its player leaves for good.",
)
@json_option
@common
def command(
    asked: AskedTable,
    games: int,
    bots: str,
    seed: int,
    leave: float,
    as_json: bool,
    settings: Settings,
) -> None:
    """Play GAME many times with a trusted dealer: no peers, no keys, one process.

    The same seed plays the same games.
    """
    played, begun = [], time.perf_counter()
    with bar_for("games", "Playing") as bar:
        table = (asked.game, asked.seats, asked.options)
        for one in each_game(*table, games, seed, bots, leave=leave):
            played.append(one)
            bar(len(played), games)
    done = summed(asked.game, time.perf_counter() - begun, played)
    if as_json:
        print_json(_as_json(asked, done))
        return
    for line in _as_text(asked, done):
        say(line)


def _as_json(asked: AskedTable, done: Simulation) -> dict[str, object]:
    return {
        "game": done.game,
        "seats": asked.seats,
        "games": done.games,
        "seconds": round(done.seconds, 6),
        "games_per_s": round(done.games_per_s, 1),
        "steps_per_s": round(done.steps_per_s, 1),
        "returns": [round(mean, 4) for mean in done.means()],
        "shares": [round(share, 4) for share in done.shares()],
        "left": done.left,
    }


def _as_text(asked: AskedTable, done: Simulation) -> list[str]:
    rows = [
        f"  seat {seat}: {mean:+8.2f} points a game, wins {share:.1%}"
        for seat, (mean, share) in enumerate(zip(done.means(), done.shares(), strict=True))
    ]
    speed = f"{done.games_per_s:,.0f} games/s, {done.steps_per_s:,.0f} steps/s"
    head = f"{done.games:,} games of {asked.game.title}, {asked.seats} seats, {done.seconds:.2f} s"
    left = [f"  {counted(done.left, 'player')} left for good"] if done.left else []
    return [f"{head} ({speed})", *rows, *left]

"""What is printed of somebody's own games (`nodealer stats`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.wording import counted
from replay.history.history import History, Score

DIGITS = 4
NAME_MAX = 24
US = 1000


def as_text(history: History) -> Iterator[str]:
    """The history in lines of 80 columns."""
    if history.games:
        yield from _told(history)
    else:
        yield "No finished game of yours is here."
    yield from _left_out(history)


def _told(history: History) -> Iterator[str]:
    whole = history.whole()
    left = sum(one.left for one in history.games)
    gone = f"; you were gone before the end of {left}" if left else ""
    yield f"{counted(whole.games, 'game')}, {whole.won} won: {_share(whole)}{gone}"
    yield "In brackets: between these your share in the long run lies, 95 % sure."
    yield ""
    yield f"{'Game':{NAME_MAX}} {'games':>6} {'won':>5}  {'share':26} {'points a game':>14}"
    for one in history.by_game():
        mean = f"{one.points / one.games:+.2f}"
        yield f"{_name(one)} {one.games:>6} {one.won:>5}  {_share(one):26} {mean:>14}"
    yield ""
    yield f"{'With':{NAME_MAX}} {'games':>6} {'you won':>8} {'they won':>9}"
    for one in history.by_opponent():
        yield f"{_name(one)} {one.games:>6} {one.won:>8} {one.lost:>9}"
    yield ""
    yield from _runs(history)


def _runs(history: History) -> Iterator[str]:
    streaks = history.streaks()
    won = "won" if streaks.now > 0 else "not won"
    longest = f"{streaks.wins} won in a row, {streaks.without} not won in a row"
    run = abs(streaks.now)
    last = "game" if run == 1 else counted(run, "game")
    yield f"Runs: your last {last} {won}; at most {longest}"
    races = history.reactions()
    if races.races:
        yield f"Races in which you and others claimed: {races.races}, first in {races.first}"
        yield f"Median time in them: {_ms(races.own)}, of the others {_ms(races.others)}"


def _left_out(history: History) -> Iterator[str]:
    for one in history.unreadable:
        yield f"not read: {one.reason}"
    counts = {
        "unfinished": len(history.unfinished),
        "finished by a bot": len(history.by_bot),
        "of other people": history.foreign,
        "not readable": len(history.unreadable),
    }
    said = [f"{number} {what}" for what, number in counts.items() if number]
    if said:
        yield f"Not counted: {', '.join(said)}"


def _name(one: Score) -> str:
    cut = one.name if len(one.name) <= NAME_MAX else f"{one.name[: NAME_MAX - 3]}..."
    return f"{cut:{NAME_MAX}}"


def _share(one: Score) -> str:
    low, high = one.interval
    return f"{one.share:.1%} ({low:.1%} to {high:.1%})"


def _ms(microseconds: float | None) -> str:
    return "unknown" if microseconds is None else f"{microseconds / US:.0f} ms"


def as_json(history: History) -> dict[str, Any]:
    """One object, with the same numbers."""
    streaks, races = history.streaks(), history.reactions()
    return {
        "games": len(history.games),
        "won": sum(history.won()),
        "left": sum(one.left for one in history.games),
        "unfinished": len(history.unfinished),
        "by_bot": len(history.by_bot),
        "foreign": history.foreign,
        "unreadable": len(history.unreadable),
        "by_game": [
            {
                "title": one.name,
                "games": one.games,
                "won": one.won,
                "share": round(one.share, DIGITS),
                "interval": [round(end, DIGITS) for end in one.interval],
                "points": one.points,
            }
            for one in history.by_game()
        ],
        "by_opponent": [
            {"name": one.name, "games": one.games, "won": one.won, "they_won": one.lost}
            for one in history.by_opponent()
        ],
        "streaks": {"now": streaks.now, "wins": streaks.wins, "without": streaks.without},
        "races": {
            "contested": races.races,
            "first": races.first,
            "median_us": races.own,
            "others_median_us": races.others,
        },
    }

"""What a review comes to, and how it is told to people and to programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, NamedTuple

from engine.wording import counted
from engine.wording.words import ALIKE
from engine.zone import Seat
from replay.game import SavedGame

WORST: Final = 3
"""So many mistakes are told to people, the worst first."""


class Late(NamedTuple):
    """Who was first in a race, and by how much, in microseconds, before this seat.

    `by_us` is None if this seat claimed nothing in time for the race, or nobody agrees when.
    """

    first: Seat
    by_us: int | None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that was not the best: `gain` is the part of a win that the `better` one brings.

    The better one comes to `worth`, a part of a win too.  Both decisions, and what speaks for the
    better one and not for the other, are told in the game's words.  `missed` is a race in which
    nobody claimed anything: whoever was too slow and whoever did not want to cannot be told apart.
    `late` is a race that somebody else won: then `decided` is what that seat claimed, and `better`
    what this one would have been in time with.  Being late is no wrong decision.
    `alike`: all games that were tried came to the same, which is certain only of players as usual.
    """

    step: int
    decided: str
    better: str
    gain: float
    why: str
    worth: float
    missed: bool
    alike: bool
    late: Late | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """What came of a step, or of all: the mistakes, the worst first.

    `judged` decisions had a choice; `raced` races were won by others where one usually claims
    something; of `unknown` decisions the log does not show what the seat knew, and `by_bot` were
    taken by a bot in the player's place, as far as this machine knows.
    """

    seat: Seat
    judged: int = 0
    raced: int = 0
    unknown: int = 0
    by_bot: int = 0
    mistakes: tuple[Mistake, ...] = ()


def summed(seat: Seat, found: Iterable[Review]) -> Review:
    """What steps come to together."""
    each = [*found]
    worst = sorted(
        [mistake for one in each for mistake in one.mistakes], key=attrgetter("gain"), reverse=True
    )
    judged, raced = sum(one.judged for one in each), sum(one.raced for one in each)
    unknown, by_bot = sum(one.unknown for one in each), sum(one.by_bot for one in each)
    return Review(seat, judged, raced, unknown, by_bot, tuple(worst))


def review_lines(game: SavedGame, found: Review) -> list[str]:
    """The review for people: how much was looked at, and the worst mistakes."""
    name = game.names[found.seat]
    lines = [f"{name}: {counted(found.judged, 'decision')} with a choice."]
    if found.unknown:
        lines.append(
            f"Of {counted(found.unknown, 'decision')} the log does not show what {name} held:"
            " the player's own log does."
        )
    if found.by_bot:
        decisions = counted(found.by_bot, "decision")
        lines.append(f"Not looked at: {decisions} that a bot took in {name}'s place.")
    if not found.mistakes:
        return [*lines, "The hard bot found none that was surely better."]
    late = sum(one.late is not None for one in found.mistakes)
    wrong = len(found.mistakes) - late
    kinds = [f"better decisions in {wrong}"] * bool(wrong)
    kinds += [f"{counted(late, 'race')} that {name} was late for"] * bool(late)
    worst = f", the {WORST} worst" if len(found.mistakes) > WORST else ""
    lines.append(
        f"The hard bot found {' and '.join(kinds)}{worst}; by how much, in wins of 100 games"
        " played on from there:"
    )
    return lines + [_sentence(one, game.names, name) for one in found.mistakes[:WORST]]


def _sentence(mistake: Mistake, names: Sequence[str], name: str) -> str:
    """What was decided, the better decision and what it comes to, and why."""
    wins, gain = round(100 * mistake.worth), max(1, round(100 * mistake.gain))
    why = f": {mistake.why}" if mistake.why else ""
    alike = f" {ALIKE}" if mistake.alike else ""
    better = f"{mistake.better}, which wins {wins}, {gain} more{why}.{alike}"
    if mistake.late is not None:
        first, by_us = mistake.late
        before = "" if by_us is None else f", {round(by_us / 1000)} ms before {name}"
        was_first = f"{names[first]} was first: {mistake.decided}{before}"
        return f"Step {mistake.step}: {was_first}. In time: {better}"
    nobody = " (nobody was in time)" if mistake.missed else ""
    return f"Step {mistake.step}: {mistake.decided}{nobody}. Better: {better}"


def review_json(game: SavedGame, found: Review) -> dict[str, object]:
    """The review for programs: every mistake, the worst first."""
    return {
        "seat": found.seat,
        "player": game.names[found.seat],
        "judged": found.judged,
        "raced": found.raced,
        "unknown": found.unknown,
        "by_bot": found.by_bot,
        "mistakes": [
            {
                "step": one.step,
                "decided": one.decided,
                "better": one.better,
                "gain": round(one.gain, 4),
                "worth": round(one.worth, 4),
                "why": one.why,
                "missed": one.missed,
                "alike": one.alike,
                "late": None if one.late is None else one.late._asdict(),
            }
            for one in found.mistakes
        ],
    }

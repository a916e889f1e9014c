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
"""So many wrong decisions are told to people, the worst first, and so many lost races."""
FOUND: Final = "The hard bot found"
IN_WINS: Final = "wins are of 100 games played on from there:"


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

    @property
    def wrong(self) -> Sequence[Mistake]:
        """Decisions."""
        return [one for one in self.mistakes if one.late is None]

    @property
    def late(self) -> Sequence[Mistake]:
        """Races that somebody else won, which nobody learns to decide from."""
        return [one for one in self.mistakes if one.late is not None]


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
    wrong, late = found.wrong, found.late
    if wrong:
        lines.append(f"{FOUND} better decisions in {len(wrong)}{_worst(wrong)}; {IN_WINS}")
    else:
        lines.append(f"{FOUND} none that was surely better.")
    lines += [_better(one) for one in wrong[:WORST]]
    if late:
        lines.append(f"{name} was late for {counted(len(late), 'race')}{_worst(late)}; {IN_WINS}")
    return lines + [_in_time(one, one.late, game.names, name) for one in late[:WORST] if one.late]


def _worst(mistakes: Sequence[Mistake]) -> str:
    return f", the {WORST} worst" if len(mistakes) > WORST else ""


def _better(mistake: Mistake) -> str:
    """What was decided, the better decision and what both come to, and why."""
    nobody = " (nobody was in time)" if mistake.missed else ""
    better = f"{mistake.better}, which {_wins(mistake)}"
    return f"Step {mistake.step}: {mistake.decided}{nobody}. Better: {better}"


def _in_time(mistake: Mistake, late: Late, names: Sequence[str], name: str) -> str:
    """Who was first with what, and what the own claim would have come to."""
    first, by_us = late
    before = f"{name} had claimed nothing by then"
    if by_us is not None:
        before = f"{round(by_us / 1000)} ms before {name}"
    was_first = f"{names[first]} was first: {mistake.decided}; {before}"
    same = mistake.better == mistake.decided
    better = "In time that" if same else f"In time: {mistake.better}, which"
    return f"Step {mistake.step}: {was_first}. {better} {_wins(mistake)}"


def _wins(mistake: Mistake) -> str:
    wins, gain = round(100 * mistake.worth), max(1, round(100 * mistake.gain))
    why = f": {mistake.why}" if mistake.why else ""
    alike = f" {ALIKE}" if mistake.alike else ""
    return f"wins {wins}, not {wins - gain}{why}.{alike}"


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

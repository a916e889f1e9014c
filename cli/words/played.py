"""A game that was just played: who won, how it went, and how the evening stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from cli.kit.marks import mark
from cli.words.won import who_won
from engine.wording import MarkKind, chairs_of, with_chairs
from engine.wording.layout import chair_of
from engine.wording.roles import mark_kind
from engine.zone import Seat
from p2p.identity.keys import words
from replay.departures import departures
from replay.game import SavedGame, open_game
from replay.story import story_lines

MOMENTS: Final = 6
"""The most moments that are told of a game."""
WIDER: Final = -1
"""The weight of what changes all that follows."""
_KINDS: Final = tuple(MarkKind)
_ROUND: Final = _KINDS.index(MarkKind.ROUND)


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over; nothing of its log is verified by this.

    `names`, `fingerprints` and `result` by seat; `winners` are the seats that won; `own` is the
    reader's seat, and `bots` are the seats that said of themselves that a bot decides there.
    `untold` counts the parts that `moments` leave out; `scored` names the unit of `result`.
    `by_bot`: a bot finished it in `own`.
    """

    title: str
    names: tuple[str, ...]
    fingerprints: tuple[str, ...]
    result: tuple[int, ...]
    winners: tuple[Seat, ...]
    own: Seat | None
    moments: tuple[str, ...]
    log: Path
    untold: int = 0
    scored: str = ""
    bots: frozenset[Seat] = frozenset()
    empty: Mapping[Seat, str] = field(default_factory=dict)
    by_bot: bool = False

    def wins(self, seat: Seat) -> bool:
        """Whether whoever sits there has won it, and no bot in their place."""
        return seat in self.winners and not (self.by_bot and seat == self.own)

    @property
    def verdict(self) -> str:
        """Who won, in a few words."""
        return who_won(self.names, self.result, self.winners, by_bot=self.by_bot)


class Standing(NamedTuple):
    """A seat of the last game: its points there, and points and wins of the whole evening.

    `empty` is why nobody sits there any more.
    """

    seat: Seat
    name: str
    points: int
    first: bool
    total: int
    wins: int
    empty: str = ""


def played(log: Path, *, ascii: bool = False) -> Played:  # noqa: A002
    """The finished game in a log.  UnreadableError if it cannot be read."""
    game = open_game(log)
    proposal = game.header.proposal
    told, untold = moments(game, ascii=ascii)
    return Played(
        title=proposal.game.title,
        names=game.names,
        fingerprints=tuple(map(words, proposal.identities)),
        result=game.result or (0,) * len(game.names),
        winners=game.winners,
        own=game.own,
        moments=tuple(told),
        untold=untold,
        scored=game.wording.scored,
        log=log,
        bots=proposal.bots,
        empty=chairs_of(game.session.table),
        by_bot=game.by_bot.finished,
    )


def story_of(log: Path, *, ascii: bool = False) -> list[str]:  # noqa: A002
    """The game in a log as prose, as its reader saw it.  UnreadableError if it cannot be read."""
    return list(story_lines(open_game(log), ascii=ascii))


def moments(game: SavedGame, *, ascii: bool = False) -> tuple[list[str], int]:  # noqa: A002
    """What decided a game, in order: who went before its end, and how its last parts ended, the
    widest first to be told.  And how many more parts it had.

    Not the end of the game itself, if there is anything else: its result stands there already; and
    nothing narrower than a round where rounds are told with their reasons.
    """
    notes = [note for step in game.steps for note in step.notes]
    gone = {one.seat: one.told(game.names) for one in departures(game)}
    parts, why = list[tuple[int, int, str]](), list[tuple[object, ...]]()
    for at, note in enumerate(notes):
        weight = _weight(game, note)
        if note[0] in game.wording.reasons:
            why.append(note)
        if weight is None or (game.wording.reasons and weight > _ROUND):
            continue
        ends = weight != WIDER and _KINDS[weight] in (MarkKind.ROUND, MarkKind.END)
        lines = game.tell((*why, note) if ends else (note,), ascii=ascii)
        why = [] if ends else why
        said = [gone[seat] for seat in chair_of(note)] or lines
        parts.append((weight, -at, " ".join(said)))
    parts.sort()
    found = [one for one in parts if one[0]] or parts
    heaviest = sorted(found[:MOMENTS], key=lambda one: -one[1])
    return [said for _, _, said in heaviest], len(found) - len(heaviest)


def _weight(game: SavedGame, note: tuple[object, ...]) -> int | None:
    """How wide the part is that a note ends, 0 for the game; None if it ends nothing.

    A game without somebody is wider than any part of it.
    """
    word, wording = str(note[0]), game.wording
    if chair_of(note):
        return WIDER
    if word not in wording.endings:
        return None
    # What nobody takes is more than a trick: a round, with what it brought to each.
    unmarked = MarkKind.ROUND if wording.endings[word] is None else MarkKind.TRICK
    kind = mark_kind(wording.marks, word) or unmarked
    return _KINDS.index(kind)


def standings(games: Sequence[Played]) -> list[Standing]:
    """Everybody at the last of these games: its winners first, then the best first.

    Players are known by their fingerprints: seats and names may change from game to game.
    """
    last = games[-1]
    totals, wins = dict[str, int](), dict[str, int]()
    for game in games:
        for seat, (key, points) in enumerate(zip(game.fingerprints, game.result, strict=True)):
            totals[key] = totals.get(key, 0) + points
            wins[key] = wins.get(key, 0) + game.wins(seat)
    rows = zip(last.names, last.fingerprints, last.result, strict=True)
    found = [
        Standing(
            *(seat, name, points, last.wins(seat), totals[key], wins[key]),
            empty=last.empty.get(seat, ""),
        )
        for seat, (name, key, points) in enumerate(rows)
    ]
    return sorted(found, key=lambda one: (one.seat not in last.winners, -one.points))


def is_mixed(games: Sequence[Played]) -> bool:
    """Whether they are of several kinds: their points are then no sum, and wins are counted."""
    return len({game.title for game in games}) > 1


def evening_lines(games: Sequence[Played]) -> list[str]:
    """How the evening stands after several games; nothing after the first."""
    if len(games) < 2:
        return []
    last, mixed = games[-1], is_mixed(games)
    table = standings(games)
    names = with_chairs(last.names, last.empty, {seat: mark(bot=True) for seat in last.bots})
    broad = max(map(len, names))
    ranked = sorted(table, key=lambda one: -(one.wins if mixed else one.total))
    rows = [
        f"  {names[one.seat]:<{broad}}  {'' if mixed else f'{one.total:+4d}  '}won {one.wins}"
        for one in ranked
    ]
    return ["", f"This evening, {len(games)} games:", *rows]

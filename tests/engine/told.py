"""What the games tell: `python -m tests.engine.told` writes tests/engine/golden/told again.

For each game, what may be agreed on; and each kind of note that comes up in some games of chance
(its word, and others in it): how often, a digest of all of them with their sentences, and the
sentence of the first.  A note that is left out, comes twice, or names another seat changes a line.
At the end are some positions as text, the last one where the game is over.
`python -m tests.engine.told flaps` prints every note, so that `diff` shows which one is another.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.bots import Bot, random_bot, sensible
from engine.dealer import TrustedDealer
from engine.game import Game, Value
from engine.games import NAMES, load, load_text
from engine.session import Session
from engine.view import SPECTATOR, View
from engine.wording import Wording
from tests.engine.played import LIMITS

FOLDER: Final = Path(__file__).parent / "golden" / "told"
PEOPLE: Final = ("Ann", "Bo", "Cy", "Dee")
FEW, MANY = 7, 20
POSITIONS = (7, 25, 70)
SEEDS: Final = 2
STEPS, LONGEST = 700, 5000
"""Random players could play for ever."""


def tables(game: Game) -> Iterator[tuple[int, dict[str, Value]]]:
    """Three and four at a table, with each value of each option that has few."""
    few = [one for one in game.options if len(one.allowed) <= FEW]
    values = [{one.name: value} for one in few for value in one.allowed]
    yield from product((3, 4), [{}, *values])


def notes(game: Game) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """All notes of these games, with random and with sensible players in turn, and for how many."""
    for seats, options in tables(game):
        if game.unfit(seats, {**game.defaults(), **options}) is None:
            for seed in range(SEEDS):
                yield from ((seats, note) for note in _played(game, seats, options, seed))


def _played(game: Game, seats: int, options: dict[str, Value], seed: int) -> list[tuple[Any, ...]]:
    session, _ = after(STEPS, game, seats, options, seed)
    return list(session.table.notes or ())


def after(
    steps: int, game: Game, seats: int, options: dict[str, Value], seed: int
) -> tuple[Session, TrustedDealer]:
    """A game after as many answers, or at its end."""
    session = Session(game, seats, options, notes=True)
    dealer, rng = TrustedDealer(Random(seed)), Random(seed)
    bot: Bot = sensible(game.name) if seed % 2 else random_bot
    for _ in range(steps):
        asked = session.pending
        if asked is None:
            break
        views = {seat: dealer.view(session.table, seat) for seat in asked.deciders}
        decisions = {seat: bot(view, asked, rng) for seat, view in views.items()}
        session.answer(dealer.answer(session.table, asked, decisions))
    return session, dealer


def told(game: Game) -> str:
    """The page of one game."""
    text = load_text(game.name)
    assert text is not None
    said: dict[str, list[tuple[str, str]]] = {}
    for kind, note, sentence in sentences(game, text):
        said.setdefault(kind, []).append((note, sentence))
    lines = [f"{_summed(said[kind])} {kind}: {said[kind][0][1]}" for kind in sorted(said)]
    return "\n".join([*offered(game), "", *lines, *shown(game, text), ""])


def _summed(said: Sequence[tuple[str, str]]) -> str:
    """How many notes, and a digest of them with what they say."""
    return f"{len(said):6} {hashlib.sha256(repr(said).encode()).hexdigest()[:8]}"


def sentences(game: Game, text: Wording[Any]) -> Iterator[tuple[str, str, str]]:
    """Each note: its kind, the note itself, and its sentence."""
    for seats, note in notes(game):
        kind = ", ".join(part for part in note if isinstance(part, str))
        yield kind, repr(note), text.describe_note(note, PEOPLE[:seats], ascii=True)


def shown(game: Game, text: Wording[Any]) -> Iterator[str]:
    """Some positions of one game, as a seat at it sees them in lines of text."""
    for steps in POSITIONS:
        session, dealer = after(steps, game, 3, {}, 1)
        if session.pending is not None:
            view = dealer.view(session.table, 0)
            yield from ("", f"After {steps} answers:")
            yield from _lines(text, view)
            yield text.describe_question(view, session.pending, PEOPLE[:3], ascii=True)
    short = {one.name: LIMITS[one.name] for one in game.options if one.name in LIMITS}
    session, dealer = after(LONGEST, game, 3, short, 1)
    assert session.over
    for seat in (0, SPECTATOR):
        yield from ("", f"At the end, for {'a spectator' if seat else PEOPLE[seat]}:")
        yield from _lines(text, dealer.view(session.table, seat))


def _lines(text: Wording[Any], view: View) -> Iterator[str]:
    lines = text.table_lines(view, PEOPLE[: view.table.seats], ascii=True)
    yield from (line.rstrip() for line in lines)


def offered(game: Game) -> list[str]:
    """For how many it is, and what may be agreed on."""
    said = [f"{one.name}: usually {one.default!r}, of {_row(one.allowed)}" for one in game.options]
    return [f"version {game.rules_version} of the rules, for {list(game.seats)}", *said]


def _row(values: Sequence[Value]) -> str:
    if len(values) <= MANY:
        return ", ".join(map(repr, values))
    return f"{len(values)} values, {values[0]!r} to {values[-1]!r}"


def main(arguments: Sequence[str]) -> None:
    """Print all notes of one game, or write all pages."""
    for name in arguments:
        print(*map(": ".join, sentences(load(name), load_text(name))), sep="\n")  # noqa: T201
    if not arguments:
        FOLDER.mkdir(exist_ok=True)
        for name in NAMES:
            (FOLDER / f"{name}.txt").write_text(told(load(name)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

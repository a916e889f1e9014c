"""Pictures of every game for the documents, from real games: `make screenshots`.

The trusted dealer deals from a seed and bots play up to a moment worth seeing; the screen is
drawn by the code that draws it at the table.  The same seed gives the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from cli.kit.svg import svg
from cli.screen.asking import Asking
from cli.screen.layout import render
from cli.screen.presenter import Presenter, SeatState
from engine.bots import sensible
from engine.dealer import TrustedDealer
from engine.game import Value
from engine.games import load, load_text
from engine.question import Question
from engine.session import Session
from engine.view import View

YOU: Final = 0
NAMES: Final = ("Ana", "Bo", "Cleo", "Dara", "Eve", "Finn", "Gus", "Hana")
EVENTS: Final = 30
LINKED: Final = SeatState("direct, 12 ms", proof="proofs check")


@dataclass(frozen=True)
class Shot:
    """One picture: the game, its table, and after how many own decisions it is taken.

    `when` says whether a question is worth seeing.
    """

    game: str
    seats: int
    seed: int
    after: int
    options: Mapping[str, Value] = field(default_factory=dict)
    theme: str = "dark"
    columns: int = 84
    rows: int = 26
    when: Callable[[View, Question[Any]], bool] = lambda view, question: True

    @property
    def title(self) -> str:
        """What the picture shows, in words."""
        return f"{load(self.game).title}: {self.seats} players, seen by {NAMES[YOU]}"


def _own_turn(view: View, question: Question[Any]) -> bool:
    """One's own turn, with some cards on the pile."""
    lies = any(len(zone) > 2 for zone in view.table.zones if zone.name == "pile")
    return lies and question.timed and question.turn() == view.seat


SHOTS: Final = (
    Shot("flip-over", 4, 7, 3, theme="felt"),
    Shot("flaps", 4, 12, 4, {"level": 7}, rows=30),
    Shot("flop-a", 5, 3, 3, theme="felt", columns=100),
    Shot("sneak", 4, 5, 3),
    Shot("you-fink", 4, 9, 4, theme="felt", when=_own_turn),
)


def take(shot: Shot) -> str:
    """The picture as SVG."""
    game, bot = load(shot.game), sensible(shot.game)
    session = Session(game, shot.seats, {**game.defaults(), **shot.options}, notes=True)
    rng = Random(shot.seed)
    dealer, own = TrustedDealer(rng), 0
    views = [dealer.view(session.table, seat) for seat in range(shot.seats)]
    while (asked := session.pending) is not None:
        if YOU in asked.deciders and shot.when(views[YOU], asked):
            own += 1
            if own > shot.after:
                return _drawn(shot, session, views[YOU], asked)
        decisions = {seat: bot(views[seat], asked, rng) for seat in asked.deciders}
        session.answer(dealer.answer(session.table, asked, decisions))
    raise ValueError(f"the game of {shot.game} was over before the picture")


def _drawn(shot: Shot, session: Session, view: View, question: Question[Any]) -> str:
    text, names = load_text(shot.game), NAMES[: shot.seats]
    presenter = Presenter(text, names)
    asking = Asking(
        view,
        question,
        lambda seen, asked, decision: text.describe_decision(seen, asked, decision, names),
    )
    states = {seat: LINKED for seat in range(shot.seats) if seat != YOU}
    events = [text.describe_note(note, names) for note in session.table.notes or []]
    board = replace(
        presenter.board(view, asking=asking, states=states),
        events=tuple(line for event in events[-EVENTS:] for line in event.splitlines()),
        keys="Enter plays  Space picks  arrows, digits, names  ? help  l events  q leave",
    )
    return svg(render(board, shot.columns, shot.rows), shot.theme, shot.title)


def main(folder: str) -> None:
    """Write every picture into `folder`."""
    for shot in SHOTS:
        (Path(folder) / f"{shot.game}.svg").write_text(take(shot), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])

"""Pictures of every game for the documents, from real games: `make screenshots`.

What is shown is written beside them (SHOTS).
The trusted dealer deals from a seed and bots play up to a moment worth seeing; the screen is
drawn by the code that draws it at the table.  The same seed gives the same bytes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from cli.kit.svg import DEPTH, svg
from cli.kit.themes import is_solid
from cli.screen.asking import Asking
from cli.screen.board import Board
from cli.screen.layout import render
from cli.screen.low_rows import asked_keys
from cli.screen.presenter import Presenter, SeatState
from engine.bots import sensible
from engine.dealer import TrustedDealer
from engine.game import Value
from engine.games import load, load_text
from engine.question import Question
from engine.session import Session
from engine.view import View
from engine.wording import Wording
from p2p.disk.durable import write_file

SHOTS: Final = "shots.json"
"""The file in the folder of the pictures: for each game what a `Shot` is made of."""
YOU: Final = 0
NAMES: Final = ("Ana", "Bo", "Cleo", "Dara", "Eve", "Finn", "Gus", "Hana")
EVENTS: Final = 30
LINKED: Final = SeatState("direct, 12 ms", proof="proofs check")


@dataclass(frozen=True)
class Shot:
    """One picture: the game, its table, and after how many decisions of the seat it is taken.

    `own_turn` counts only decisions on one's own turn in a race, with some cards in the middle.
    """

    game: str
    seats: int
    seed: int
    after: int
    options: Mapping[str, Value] = field(default_factory=dict)
    theme: str = "dark"
    columns: int = 84
    rows: int = 26
    own_turn: bool = False

    @property
    def title(self) -> str:
        """What the picture shows, in words."""
        return f"{load(self.game).title}: {self.seats} players, seen by {NAMES[YOU]}"


def shots(folder: Path) -> list[Shot]:
    """What the pictures of this folder show."""
    written = json.loads((folder / SHOTS).read_text("utf-8"))
    return [Shot(game, **shown) for game, shown in written.items()]


def _own_turn(text: Wording[Any], view: View, question: Question[Any]) -> bool:
    table = view.table
    middle = [zone for zone in table.zones if zone.owner is None and zone is not text.stock(table)]
    lies = any(len(zone) > 2 for zone in middle)
    return lies and question.timed and question.turn() == view.seat


def take(shot: Shot) -> str:
    """The picture as SVG."""
    board, solid = moment(shot), is_solid(shot.theme, DEPTH)
    lines = render(board, shot.columns, shot.rows, solid=solid)
    return svg(lines, shot.theme, shot.title, board.cloth)


def moment(shot: Shot) -> Board:
    """What is on the table then."""
    game, bot, text = load(shot.game), sensible(shot.game), load_text(shot.game)
    session = Session(game, shot.seats, {**game.defaults(), **shot.options}, notes=True)
    rng = Random(shot.seed)
    dealer, own = TrustedDealer(rng), 0
    views = [dealer.view(session.table, seat) for seat in range(shot.seats)]
    while (asked := session.pending) is not None:
        if YOU in asked.deciders and (not shot.own_turn or _own_turn(text, views[YOU], asked)):
            own += 1
            if own > shot.after:
                return _drawn(shot, text, session, views[YOU], asked)
        decisions = {seat: bot(views[seat], asked, rng) for seat in asked.deciders}
        session.answer(dealer.answer(session.table, asked, decisions))
    raise ValueError(f"the game of {shot.game} was over before the picture")


def _drawn(
    shot: Shot, text: Wording[Any], session: Session, view: View, question: Question[Any]
) -> Board:
    names = NAMES[: shot.seats]
    presenter = Presenter(text, names)
    asking = Asking(
        view,
        question,
        lambda seen, asked, decision: text.describe_decision(seen, asked, decision, names),
        text.held,
    )
    states = {seat: LINKED for seat in range(shot.seats) if seat != YOU}
    events = [text.describe_note(note, names) for note in session.table.notes or []]
    return replace(
        presenter.board(view, asking=asking, states=states),
        events=tuple(line for event in events[-EVENTS:] for line in event.splitlines()),
        keys=asked_keys(asking, text.keys, heard=True),
    )


def main(folder: str) -> None:
    """Write every picture into `folder`."""
    for shot in shots(Path(folder)):
        write_file(Path(folder) / f"{shot.game}.svg", take(shot).encode())


if __name__ == "__main__":
    main(sys.argv[1])

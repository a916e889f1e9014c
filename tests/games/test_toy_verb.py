"""A new verb, made of what is there: in this file alone, and it is played, said, shown and proven.

`swap`: two seats put a card of their hands face down, and each gets that of the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from cli.line.choices import Decided, choices, read
from cli.screen.asking import Asking
from cli.screen.presenter import Presenter
from engine import acts
from engine import question as ask
from engine.cards import Card, Deck
from engine.dealer import TrustedDealer
from engine.game import Game, Options
from engine.games import load_text
from engine.session import Session
from engine.table import Table
from engine.zone import Slot, Zone, nowhere
from replay.legal import why_legal
from replay.narration import told
from tests.games.toys import between_peers, install, stands_the_kit

NAME = "toy-verb"
NAMES = ("Ann", "Bo", "Cy")
DECK = Deck("toy-verb/9", [Card(n, f"{n + 1}V", 0, n + 1) for n in range(9)])


@dataclass(slots=True, eq=False)
class SwapTable(Table):
    stock: Zone = field(default_factory=nowhere)
    between: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)

    async def swap(self, one: Zone, other: Zone) -> None:
        """The owners of two hands give each other a card of their choice."""
        given: list[Slot] = []
        for hand in (one, other):
            assert hand.owner is not None
            given += await self.lay_down(hand.owner, hand, 1, self.between)
        await self.hand_over(list(zip(given, (other, one), strict=True)))
        self.note("swap", one.owner, other.owner)


def new_table(seats: int, options: Options) -> SwapTable:
    t = SwapTable(seats, sums=[0] * seats)
    t.stock, t.between = t.zone("stock"), t.zone("between")
    t.hands = [t.zone("hand", seat) for seat in range(seats)]
    return t


async def turn(t: SwapTable) -> None:
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 3)
    for seat in range(1, t.seats):
        await t.swap(t.hands[0], t.hands[seat])
    for seat, hand in enumerate(t.hands):
        t.sums[seat] = sum(card.rank for card in await t.open(hand))
    t.over = True


GAME = Game(
    name=NAME,
    title="Swap",
    rules_version=1,
    seats=range(2, 4),
    options=(),
    table=new_table,
    turn=turn,
    returns=lambda t: tuple(t.sums),
    bounds=lambda seats, options: (6, 24),
)


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, NAME, __name__)


def test_it_stands_what_every_game_stands(tmp_path: Path) -> None:
    stands_the_kit(GAME, 3, tmp_path)


def test_peers_play_it_and_its_log_proves_it_and_tells_it() -> None:
    played = between_peers(GAME, 3)
    steps = played.exported()
    asked = [step["question"] for step in steps if step["decided"] or step["kind"] == "hand-over"]
    assert asked == ["lay-down", "lay-down", "hand-over"] * 2
    laid = [step for step in played.saved.steps if step.kind == "lay-down"]
    assert told(played.saved, laid[0]) == ["seat0: 1 card face down."]
    assert any("1 card of the hand" in line for line in why_legal(played.saved, laid[0]))
    swaps = [note for step in steps for note in step["notes"] if note[0] == "swap"]
    assert swaps == [["swap", 0, 1], ["swap", 0, 2]]


def test_it_is_asked_in_lines_and_on_the_screen() -> None:
    text, session, dealer = load_text(NAME), Session(GAME, 3, {}), TrustedDealer(Random(1))
    while not isinstance(asked := session.pending, ask.LayDown):
        assert isinstance(asked, acts.Fresh | acts.Shuffle | acts.Deal)
        session.answer(dealer.act(session.table, asked))
    view, presenter = dealer.view(session.table, 0), Presenter(text, NAMES)
    legal = choices(view, asked, presenter.describe)
    first = view.face(asked.zone[0]).name
    assert read(first.lower(), view, asked, legal, presenter.describe) == Decided((asked.zone[0],))
    asking = Asking(view, asked, presenter.describe)
    board = presenter.board(view, asking=asking)
    assert board.prompt == "Your turn: put 1 card face down."
    assert [card.playable for card in board.hand] == [True] * 3
    assert asking.enter() == Decided((asking.hand[0],))

"""A step of a saved game as a board: the same picture as at the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cli.screen.board import NO_SUIT, Board, CardShown
from cli.screen.presenter import Presenter, SeatState
from engine.zone import Seat, Slot
from replay.faces import SavedView
from replay.game import Position, SavedGame
from replay.narration import told

EVENTS: Final = 12
"""How many steps the pane of events looks back."""
Hand = tuple[CardShown, ...]
UNKNOWN: Final = CardShown("?", NO_SUIT)


def board_after(game: SavedGame, step: int, seat: Seat, *, ascii: bool = False) -> Board:  # noqa: A002
    """The table after a step as a seat saw it, with what happened up to then."""
    position = game.after(step)
    events, fresh = _events(game, step, ascii)
    board = replace(_table(game, position, seat, ascii), events=events, fresh=fresh)
    asked = f"Next: {board.prompt}" if board.prompt else ""
    return replace(board, prompt=asked, yours=False, saved=True)


def _table(game: SavedGame, position: Position, seat: Seat, ascii: bool) -> Board:  # noqa: A002
    presenter = Presenter(game.wording, game.names, ascii)
    states = {one: SeatState(bot=True) for one in game.header.proposal.bots}
    view = game.view(position, seat)
    hand = [slot for zone in game.wording.held(view.table, seat) for slot in zone]
    if all(map(view.knows, hand)):
        return presenter.board(view, question=position.pending, states=states)
    # Not every card of the hand is known: a card that nobody was shown stays a question mark.
    board = presenter.board(game.view(position), question=position.pending, states=states)
    seats = tuple(replace(shown, you=at == seat) for at, shown in enumerate(board.seats))
    return replace(board, you=seat, seats=seats, hand=_shown(game, view, hand, ascii), holds=True)


def _shown(game: SavedGame, view: SavedView, hand: list[Slot], ascii: bool) -> Hand:  # noqa: A002
    cards = sorted(view.cards(filter(view.knows, hand)), key=lambda card: (card.suit, card.rank))
    shown = [
        CardShown(game.wording.describe_card(card, ascii=ascii).split()[0], card.suit)
        for card in cards
    ]
    return (*shown, *[UNKNOWN] * (len(hand) - len(shown)))


def _events(game: SavedGame, step: int, ascii: bool) -> tuple[tuple[str, ...], int]:  # noqa: A002
    """Sentences of the last steps, and how many of them are of this one."""
    if step < 0:
        return (), 0
    steps = game.steps[max(0, step - EVENTS) : step + 1]
    lines = [told(game, one, ascii=ascii) for one in steps]
    return tuple(line for part in lines for line in part), len(lines[-1])

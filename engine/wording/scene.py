"""A table as one seat sees it, with the words to speak about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from engine.table import Table
from engine.view import View
from engine.wording.words import CardStyle, Teller, Words
from engine.zone import Slot

T = TypeVar("T", bound=Table)


class Scene(Words, Generic[T]):
    """The words of one seat, and what it may know of the table."""

    __slots__ = ("table", "view")

    def __init__(
        self,
        table: T,
        view: View,
        names: Sequence[str],
        style: CardStyle,
        ascii: bool,  # noqa: A002
        specs: Mapping[str, Teller],
    ) -> None:
        super().__init__(names, style, ascii, view.seat, specs)
        self.table = table
        self.view = view

    @property
    def watching(self) -> bool:
        """Whether no hand is to be shown: to a spectator, or to a player who has left."""
        return not 0 <= self.seat < self.table.seats or self.seat in self.table.lost

    def face(self, slot: Slot) -> str:
        """The card in a slot; a question mark if this seat has never seen it."""
        card = self.view.recall(slot)
        return "?" if card is None else self.card(card)

    def faces(self, slots: Iterable[Slot]) -> str:
        """The cards in several slots."""
        return " ".join(map(self.face, slots))

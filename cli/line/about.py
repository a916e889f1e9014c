"""What a card does, for somebody who asks "? 10h".  Pure."""

from __future__ import annotations

from typing import Any

from cli.line.forms import normal
from engine.cards import Card
from engine.view import View
from engine.wording import Wording


def about(typed: str, view: View, text: Wording[Any], *, ascii: bool) -> str:  # noqa: A002
    """The card of that name and what it does; `typed` is normal (see choices.normal).

    The beginning of a name is enough if all cards that begin like this do the same: of that in the
    corner, or of what stands below it (hoofersdoofers).  One in the hand is shown before others.
    """
    deck = view.table.deck
    faces = dict.fromkeys([*_held(view, text), *(deck.faces if deck is not None else ())])
    named = [face for face in faces if face.name.lower() == typed]
    named = named or [face for face in faces if _begins(face, typed, text)]
    if not named:
        return "No card has that name. Type ? for help."
    if len({text.about(face) if text.about else face.name for face in named}) > 1:
        names = ", ".join(text.describe_card(face, ascii=ascii) for face in named[:6])
        return f"That could be {names}: type more of it."
    return text.describe_effect(named[0], ascii=ascii)


def _held(view: View, text: Wording[Any]) -> list[Card]:
    """The cards of the reader's hand that it knows; a spectator has none."""
    zones = text.held(view.table, view.seat) if view.seat >= 0 else ()
    return [view.face(slot) for zone in zones for slot in zone if view.knows(slot)]


def _begins(face: Card, typed: str, text: Wording[Any]) -> bool:
    """Whether one of the names of this card begins like this."""
    _, _, called = text.describe_card(face, ascii=True).partition(" ")
    return any(name and name.startswith(typed) for name in (face.name.lower(), normal(called)))

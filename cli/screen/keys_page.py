"""The help at the table: what the marked card does, how the game goes, what keys do.  Pure."""

from __future__ import annotations

from typing import Final

from cli.kit.bindings import help_rows
from cli.kit.glyphs import ASCII, UNICODE
from cli.screen.cards import NEW
from cli.screen.model import Model
from engine.wording import SPACE

TABLE_KEYS: Final = """\
Arrows         over your cards and choices
Enter          plays what is marked
digits, names  mark a choice by the number before it, or by its name or the beginning of that \
(7c, 7, pass); Enter takes it, Tab completes, Esc clears the line
Space          picks a card where several are laid; in a race it slaps, flaps or calls
{keys:<14} in a race: {does}"""
"""What the keys do that play; a row for each, folded below itself (`cli.screen.story`)."""
LOW_KEYS: Final = """\
Ctrl-Z         to the shell, and back by fg: the others wait for you meanwhile
y n            go on without a player who is gone, or wait, while you are asked nothing
under a card   {signs}
A letter at the table is always text. It waits in the line until you are asked; nobody reads it.
Shift and the mouse select text: the mouse is left to your terminal."""


def help_lines(model: Model) -> list[str]:
    """All of it, for the table as it stands."""
    brief = model.presenter.text.brief if model.presenter else ""
    told = [one for one in (model.stated_keys or {}).values() if one.key != SPACE]
    keys = " ".join([*(one.key for one in told), "n", "u"])
    does = ", ".join([*(one.does for one in told), "not this window", "nothing until my turn"])
    playing = TABLE_KEYS.format(keys=keys, does=does).splitlines()
    low = LOW_KEYS.format(signs=_signs(model)).splitlines()
    return [*_card(model), *brief.splitlines(), "", *playing, *help_rows(model.where), *low]


def _signs(model: Model) -> str:
    """What stands under the cards of the hand, and means."""
    signs = ASCII if model.presenter is not None and model.presenter.ascii else UNICODE
    place = f"{signs.picked}1 {signs.picked}2"
    laid, new = f"{signs.playable} may be laid", f"{NEW} or {signs.new} drawn since you decided"
    return f"{laid}   {signs.cursor} marked   {place} picked, in this order   {new}"


def _card(model: Model) -> list[str]:
    """What the card under the cursor does, in full."""
    asking, presenter = model.asking, model.presenter
    if asking is None or presenter is None or asking.cursor >= len(asking.hand):
        return []
    face = asking.view.face(asking.hand[asking.cursor])
    if presenter.text.about is None:
        return []
    return [presenter.text.describe_effect(face, ascii=presenter.ascii), ""]

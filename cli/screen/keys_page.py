"""The help at the table: what the marked card does, how the game goes, what keys do.  Pure."""

from __future__ import annotations

from typing import Final

from cli.kit.glyphs import ASCII, UNICODE
from cli.screen.cards import NEW
from cli.screen.model import Model
from engine.wording import SPACE

KEYS: Final = """\
Arrows, h j k  over your cards and choices
Enter          plays what is marked
digits, names  mark a choice by the number before it, or by its name or the beginning of that \
(7c, 7, pass); Enter takes it, Tab completes, Esc takes back
Space          picks a card where several are laid; in a race it slaps, flaps or calls
{keys:<14} in a race: {does}
l  F2          what happened, the newest last; Page Up shows what was earlier
c  F3          say something
t  F4          the next theme
s              the next card size
p  F5          the next pace: how long what ended stays, how long bots think
e  F6          a hint: what a hard bot would do (in games against bots only)
w              who is here, with the words of their keys and their links
i              the line with which your friends can watch
b              in the lobby, if the table is yours: its bots, and how well they play
m              your own cards that lie by your side
?  F1          this page; a card's name after it (?al, Enter) tells what that card does
q  F10 Ctrl-C  leave: you are asked how
Ctrl-Z         to the shell, and back by fg: the others wait for you meanwhile
/              a command by its name: /help /hint /log /who /say /invite /theme /pace /size /leave
/go /wait      go on without somebody who is gone, or wait; y and n while you are asked nothing
under a card   {signs}
A letter that begins one of your cards or choices is typed; after / it is a command.
Shift and the mouse select text: the mouse is left to your terminal.
"""
"""A line for each key; what it does is folded below itself (`cli.screen.story.told_rows`)."""


def help_lines(model: Model) -> list[str]:
    """All of it, for the table as it stands."""
    brief = model.presenter.text.brief if model.presenter else ""
    told = [one for one in (model.stated_keys or {}).values() if one.key != SPACE]
    keys = " ".join([*(one.key for one in told), "n", "u"])
    does = ", ".join([*(one.does for one in told), "not this window", "nothing until my turn"])
    lines = KEYS.format(keys=keys, does=does, signs=_signs(model)).splitlines()
    return [*_card(model), *brief.splitlines(), "", *lines]


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

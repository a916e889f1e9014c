"""What each key does to the model: keys come by name, so that no terminal is needed.

At the table a letter is always text: it names a card or a choice, and waits in the line if nothing
is asked.  Functions have keys of their own (`cli.kit.bindings`).  In races, Space and the keys of
claims act at once; so do n and u in races during another player's turn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from cli.kit.bindings import (
    COMMAND,
    HELP,
    LEAVE,
    PAGE,
    REPLAY,
    STORY,
    Where,
    command,
    completed,
    meant,
)
from cli.line.choices import Decided
from cli.line.forms import normal
from cli.screen.asking import Asking
from cli.screen.functions import FUNCTIONS, PAGES, ask_how, go_on, say, tell_about, wait
from cli.screen.layout import Scroll
from cli.screen.line import LONGEST
from cli.screen.model import Model
from cli.screen.races import claims_by_key, letters
from cli.words.going import (
    AT_ONCE,
    BOT,
    BOT_SAID,
    BY_BOT,
    GOES_FOR_GOOD,
    GOOD_SAID,
    LATER_SAID,
    YOURSELF,
    YOURSELF_SAID,
)
from engine.question import PASS
from engine.wording import SPACE

CLOSED: Final = "That Enter came too soon for this question. Press it again to answer."
STAYS: Final = "You are not asked yet: the text stays in the line. Esc clears it."
CLEAR_FIRST: Final = "Esc clears the line, then y or n answers."
TALK: Final = "To talk: F3 or /chat."
SCROLLS: Final = {
    "up": Scroll(rows=-1),
    "down": Scroll(rows=1),
    "pageup": Scroll(pages=-1),
    **{key: Scroll(pages=1) for key in ("pagedown", " ")},
}
"""The keys that move a page, and how far."""


def press(model: Model, key: str) -> None:
    """One key: a character, or a name ("left", "enter", "c-c")."""
    model.events.calm()
    if (menu := model.over.menu) is not None:
        model.over.press(menu, key)
    elif model.mode in _LEAVING:
        _leaving(model, key)
    elif len(key) > 1 and _function(model, key):
        pass
    elif model.mode:
        _write(model, key)
    elif model.page is not None:
        _page(model, key)
    else:
        _open(model, key)
    model.changed()


def paste(model: Model, text: str) -> None:
    """Pasted text is typed, never obeyed: no key in it does anything."""
    clean = "".join(letter for letter in text if letter.isprintable())[:LONGEST]
    if model.mode in ("say", "command", "help"):
        model.entry = (model.entry + clean)[:LONGEST]
    elif model.where is Where.TABLE and not model.mode and model.page is None:
        model.notice = model.line.type(clean)
    model.changed()


def _function(model: Model, key: str) -> bool:
    """Do what this key means on this screen, by the table of bindings; whether it means anything.

    A letter may belong to a word that was begun on the screen before.
    """
    found = meant(key, model.where)
    if found is None:
        return False
    if key == found.letter and model.where is Where.OVER:
        # A page that only shows something does no harm when it comes early.
        shows = found in _LOOKS and not model.eyes.word_goes_on(model.now())
        if not shows and _early(model, key):
            return True
    before = model.page
    if found in PAGES:
        model.hide()
    FUNCTIONS[found](model, "")
    if before is not None and model.page is not None and model.page.title == before.title:
        model.hide()
    return True


def _early(model: Model, key: str) -> bool:
    """Whether this letter was meant for what was on the screen before."""
    return model.hasty(key) or model.line.takes()


# -- leaving ------------------------------------------------------------------------------


def _leaving(model: Model, key: str) -> None:
    """A key while the person is asked how to leave; Ctrl-C again leaves for later."""
    if key in LEAVE.keys:
        model.mode = ""
        _leave_for_later(model)
    elif model.eyes.sees_leaving:
        _LEAVING[model.mode](model, key)


def _sure(model: Model, key: str) -> None:
    going, model.mode = model.going, ""
    if going.is_way(AT_ONCE, key.lower()):
        _leave_for_later(model)
    elif going.is_way(BY_BOT, key.lower()):
        going.let_bot_play()
        model.notice = BOT.format("Enter") if going.bot_plays else ""
        _tell(model, BOT_SAID)
    elif going.is_way(GOES_FOR_GOOD, key.lower()):
        ask_how(model, "for good")


def _leave_for_later(model: Model) -> None:
    (model.part if _tell(model, LATER_SAID) else model.leave)()


def _for_good(model: Model, key: str) -> None:
    model.mode = ""
    if key.lower() == "y":
        model.going.leave()
        _tell(model, GOOD_SAID)


def _tell(model: Model, said: str) -> bool:
    """The others read how somebody leaves, if a game is played and anybody is there."""
    if model.view is None or model.send_chat is None:
        return False
    model.send_chat(said)
    return True


_LEAVING: Final[dict[str, Callable[[Model, str], None]]] = {"sure": _sure, "for good": _for_good}


# -- pages and lines ----------------------------------------------------------------------


def _page(model: Model, key: str) -> None:
    names = model.page is not None and model.page.names
    if names and len(key) == 1 and key.isalnum():
        model.hide()
        model.mode, model.entry = "help", key
    elif key in SCROLLS:
        if not model.scroll(SCROLLS[key]) and key == " ":
            model.hide()  # Space reads on, and after the last line goes back
    elif key not in HELP.keys or not _function(model, key):
        model.hide()


def _write(model: Model, key: str) -> None:
    """Keys while a chat line, a command or the name of a card is written."""
    if key == "enter":
        said, model.entry, mode, model.mode = model.entry.strip(), "", model.mode, ""
        _ENTERED[mode](model, said)
    elif key == "escape" or (key == "backspace" and not model.entry):
        model.mode, model.entry = "", ""
    elif key == "backspace":
        model.entry = model.entry[:-1]
    elif key == "tab" and model.mode == "command":
        model.entry = completed(model.entry, model.where)
    elif len(key) == 1 and len(model.entry) < LONGEST:
        model.entry += key


def _command(model: Model, said: str) -> None:
    name, _, rest = said.partition(" ")
    if not name:
        return
    found = command(normal(name), model.where)
    if isinstance(found, str):
        model.notice = found
    else:
        FUNCTIONS[found](model, rest.strip())


_ENTERED: Final[dict[str, Callable[[Model, str], None]]] = {
    "say": say,
    "help": tell_about,
    "command": _command,
}


# -- the table ----------------------------------------------------------------------------


def _open(model: Model, key: str) -> None:
    """A key while nothing lies over the table."""
    held = model.held is not None
    if not held:
        model.notice = ""
    if key in (*HELP.keys, *COMMAND.keys) and _function(model, key):
        return
    if held:
        _held(model, key)
    elif model.where is Where.TABLE:
        _table(model, key)
    elif model.where is Where.OVER:
        _at_the_end(model, key)
    elif not _function(model, key) and model.gathers and key in _IN_LOBBY:
        _IN_LOBBY[key](model)


def _held(model: Model, key: str) -> None:
    """A key while something that has ended is held on the screen: it acts on nothing else.

    But Enter takes one's place back from a bot: that is no decision of the game.
    """
    if key == "enter" and model.going.bot_plays and not model.line:
        _play_again(model)
    elif model.where is Where.TABLE and _edits(model, key):
        return
    elif model.where is not Where.OVER or len(key) > 1 or not model.line.takes():
        model.go_on()


def _at_the_end(model: Model, key: str) -> None:
    deciding = model.afterwards.deciding
    if _function(model, key) or (_early(model, key) if len(key) == 1 else model.hasty(key)):
        return
    if deciding is not None:
        model.notice = deciding.press(key)


def _table(model: Model, key: str) -> None:
    asking = model.asking
    if asking is None:
        _unasked(model, key)
    elif not model.line.goes_on and _claims(model, asking, key):
        return
    elif asking.aside:
        _aside(model, asking, key)
    elif key in _MOVES:
        _move(model, asking, key)
    elif len(key) == 1:
        model.notice = model.line.type(key)


def _edits(model: Model, key: str) -> bool:
    """Type, or take back what was typed, while no question takes it; whether this key does so."""
    if key in ("escape", "backspace") and model.line:
        model.line.erase(key)
    elif len(key) == 1 and (key != SPACE or model.line.goes_on):
        model.line.type(key)
    else:
        return False
    return True


def _unasked(model: Model, key: str) -> None:
    """A key while nothing is asked: text stays, and Space or Enter may count for what comes."""
    again = partial(_table, model, key)
    if key == "enter" and model.going.bot_plays and not model.line:
        _play_again(model)
    elif key in _VOTES and model.missing.asks and not model.line and not model.line.takes():
        _VOTES[key](model)
    elif key in letters(model.stated_keys, aside=model.line.raced) and not model.line:
        model.eyes.keep_claim(again, model.now())
    elif _edits(model, key):
        return
    elif key == SPACE:
        model.eyes.keep_claim(again, model.now())
    elif key == "enter":
        stays = CLEAR_FIRST if model.missing.asks else STAYS
        model.notice = stays if model.line else ""
        model.eyes.keep_answer(again, model.now())


def _play_again(model: Model) -> None:
    model.going.play_again()
    model.notice = YOURSELF
    _tell(model, YOURSELF_SAID)


def _aside(model: Model, asking: Asking, key: str) -> None:
    """A key of a race during another player's turn; text waits for one's own turn."""
    if key in _ARROWS:
        _ARROWS[key](asking)
    elif key == "enter" and model.line:
        model.notice = STAYS
    elif key == "enter":
        _enter(model, asking)
    else:
        _edits(model, key)


def _move(model: Model, asking: Asking, key: str) -> None:
    if key in _ARROWS:
        _ARROWS[key](asking)
    elif key == SPACE:
        _space(model, asking)
    elif key == "tab":
        asking.complete()
    elif key == "backspace":
        asking.erase()
    elif key == "escape":
        asking.erase()
        asking.clear()
    else:
        _enter(model, asking)


def _space(model: Model, asking: Asking) -> None:
    if asking.typed:
        model.line.type(SPACE)
    elif asking.several:
        model.notice = asking.pick()
    else:
        model.claim()


def _enter(model: Model, asking: Asking) -> None:
    if model.hasty("enter"):
        model.notice = CLOSED if model.eyes.rests(model.now()) else model.notice
        return
    found = asking.enter()
    if isinstance(found, Decided):
        model.decide(found.decision)
    else:
        # A player who types several words may have wanted to say them.
        meant_as_talk = TALK if " " in asking.typed and model.is_heard else ""
        model.notice = f"{found.why} {meant_as_talk}".rstrip()
        if not asking.longer():  # else more of it can be typed
            asking.clear()


def _claims(model: Model, asking: Asking, key: str) -> bool:
    """Do what this key means at once in the race that is asked, if anything; whether it did."""
    claims = claims_by_key(asking, model.stated_keys)
    stated = {told.key: option for option, told in (model.stated_keys or {}).items()}
    if key == SPACE and asking.racing and not asking.several:
        model.claim()
    elif key in claims:
        if not model.eyes.hasty_claim(model.now()):
            model.decide(claims[key].decision)
    elif key != SPACE and key in stated and not asking.begins(key):
        model.notice = asking.why_not(stated[key])
    elif asking.aside and key in _IN_RACES:
        _IN_RACES[key](model)
    else:
        return False
    return True


_LOOKS: Final = frozenset({REPLAY, STORY, PAGE})
_ARROWS: Final[dict[str, Callable[[Asking], None]]] = {
    "left": lambda asking: asking.move(-1),
    "right": lambda asking: asking.move(1),
    "up": lambda asking: asking.jump(-1),
    "down": lambda asking: asking.jump(1),
}
_MOVES: Final = frozenset({*_ARROWS, SPACE, "tab", "backspace", "escape", "enter"})
_VOTES: Final[dict[str, Callable[[Model], None]]] = {"y": go_on, "n": wait}
"""While a player is missed, and nothing is asked of the person."""


def enter_lobby(model: Model) -> None:
    """Go on to who is here, or say that this person is ready, or not yet."""
    model.notice = model.lobby.enter(model.now())


_IN_LOBBY: Final[dict[str, Callable[[Model], object]]] = {
    "enter": enter_lobby,
    "tab": lambda model: model.lobby.turn(),
    **{key: partial(Model.scroll, by=by) for key, by in SCROLLS.items()},
}
_IN_RACES: Final[dict[str, Callable[[Model], None]]] = {
    SPACE: Model.claim,
    "n": lambda model: model.decide(PASS),
    "u": Model.rest,
}

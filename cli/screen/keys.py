"""What each key does to the model: keys come by name, so that no terminal is needed.

A letter is text if one of the cards or choices begins with it, and a command otherwise;
after "/" it is always a command.  In races, Space and the keys of claims act at once; so do n
and u in races for others' turns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from cli.home.preferences import CARDS, PACE, THEME
from cli.kit.themes import following
from cli.line.about import about
from cli.line.choices import Decided, normal
from cli.screen.asking import Asking
from cli.screen.cards import NEXT_SIZE
from cli.screen.keys_page import help_lines
from cli.screen.layout import Scroll
from cli.screen.model import Model
from cli.screen.races import claims_by_key
from cli.words.clock import AWAY
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
from cli.words.hints import REFUSED
from cli.words.said import COMPARE, NOT_INVITED, UNHEARD
from engine.question import PASS
from engine.wording import SPACE, counted

HAIL: Final = "Hail!"
CLOSED: Final = "That Enter was for what was asked before, and is over. Press it again for this."
TALK: Final = "To talk: F3."
LEAVE: Final = "To leave: F10."
"""Where q begins the name of a queen, it is typed."""
SCROLLS: Final = {
    **{key: Scroll(rows=-1) for key in ("up", "k")},
    **{key: Scroll(rows=1) for key in ("down", "j")},
    "pageup": Scroll(pages=-1),
    **{key: Scroll(pages=1) for key in ("pagedown", " ")},
}
"""The keys that move a page, and how far."""
LONGEST: Final = 200
"""The longest line that can be typed or pasted."""


def press(model: Model, key: str) -> None:
    """One key: a character, or a name ("left", "enter", "c-c")."""
    model.events.calm()
    if (menu := model.over.menu) is not None:
        model.over.press(menu, key)
    elif model.mode in _LEAVING:
        _LEAVING[model.mode](model, key)
    elif key in _ALWAYS:
        _ALWAYS[key](model)
    elif model.mode:
        _write(model, key)
    elif model.page is not None:
        _page(model, key)
    elif model.held is not None:
        _held(model, key)
    elif model.ended:
        _at_the_end(model, key)
    elif model.gathers and key in _IN_LOBBY:
        _IN_LOBBY[key](model)
    else:
        model.notice = ""
        _table(model, key)
    model.changed()


def paste(model: Model, text: str) -> None:
    """Pasted text is typed, never obeyed: no key in it does anything."""
    clean = "".join(letter for letter in text if letter.isprintable())[:LONGEST]
    if model.mode in ("say", "command", "help"):
        model.entry = (model.entry + clean)[:LONGEST]
    elif model.asking is not None and not model.mode and model.page is None:
        room = LONGEST - len(model.asking.typed)
        model.notice = model.asking.type(clean[:room])
    model.changed()


def _sure(model: Model, key: str) -> None:
    going, model.mode = model.going, ""
    if going.is_way(AT_ONCE, key.lower()):
        (model.part if _tell(model, LATER_SAID) else model.leave)()
    elif going.is_way(BY_BOT, key.lower()):
        going.let_bot_play()
        model.notice = BOT.format("Enter") if going.bot_plays else ""
        _tell(model, BOT_SAID)
    elif going.is_way(GOES_FOR_GOOD, key.lower()):
        model.mode = "for good"


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


def _ask_to_leave(model: Model) -> None:
    if model.watching:
        model.leave()
    else:
        model.hide()
        model.mode, model.entry = "sure", ""


def _held(model: Model, key: str) -> None:
    """A key while something that has ended is held on the screen: it acts on nothing else.

    But Enter takes one's place back from a bot: that is no decision of the game.
    """
    if key in _COMMANDS:
        _COMMANDS[key](model)
    elif key == "enter" and model.going.bot_plays:
        _play_again(model)
    else:
        model.go_on()


def _at_the_end(model: Model, key: str) -> None:
    deciding = model.afterwards.deciding
    if key in _IN_THE_END:
        _IN_THE_END[key](model)
    elif model.afterwards.look(key) or model.hasty(key):
        return
    elif deciding is not None:
        model.notice = deciding.press(key)
    elif key == "q":
        model.leave()


def _page(model: Model, key: str) -> None:
    if model.page is not None and model.page.names and len(key) == 1 and key.isalnum():
        model.hide()
        model.mode, model.entry = "help", key
        return
    if key not in SCROLLS:
        _another_page(model, key)
    elif not model.scroll(SCROLLS[key]) and key == " ":
        model.hide()  # Space reads on, and after the last line goes back


def _another_page(model: Model, key: str) -> None:
    """The key of a page opens it from another one too; any other key goes back."""
    before = model.page
    model.hide()
    if key in _PAGES:
        _PAGES[key](model)
    if before is not None and model.page is not None and model.page.title == before.title:
        model.hide()


def _write(model: Model, key: str) -> None:
    """Keys while a chat line, a command or the name of a card is written."""
    if key == "enter":
        said, model.entry, mode, model.mode = model.entry.strip(), "", model.mode, ""
        if mode == "say":
            _say(model, said)
        elif mode == "help":
            _about(model, said)
        else:
            _command(model, said)
    elif key == "escape" or (key == "backspace" and not model.entry):
        model.mode, model.entry = "", ""
    elif key == "backspace":
        model.entry = model.entry[:-1]
    elif len(key) == 1 and len(model.entry) < LONGEST:
        model.entry += key


def _table(model: Model, key: str) -> None:
    asking = model.asking
    if asking is None:
        _unasked(model, key)
    elif not asking.typed and _claims(model, asking, key):
        return
    elif key in _MOVES:
        _move(model, asking, key)
    elif len(key) == 1:
        _letter(model, asking, key)


def _unasked(model: Model, key: str) -> None:
    """A key while nothing is asked."""
    if key == "enter" and model.going.bot_plays:
        _play_again(model)
    elif key in _GOING_ON and model.missing.asks and not model.hasty(key):
        _GOING_ON[key](model)
    elif key in (" ", "enter"):
        model.keep(key, lambda: _table(model, key))
    elif key in ("escape", "backspace"):
        model.forget()
    elif key in _COMMANDS:
        _COMMANDS[key](model)


def _play_again(model: Model) -> None:
    model.going.play_again()
    model.notice = YOURSELF
    _tell(model, YOURSELF_SAID)


def _letter(model: Model, asking: Asking, key: str) -> None:
    """A digit is typed; so is a letter if something begins like that, or it is a command."""
    begins = asking.begins(key)
    if key in _COMMANDS and not begins:
        _COMMANDS[key](model)
    elif key in _VI and not begins:
        asking.move(_VI[key])
    elif key.strip() or asking.typed:
        model.notice = asking.type(key)


def _move(model: Model, asking: Asking, key: str) -> None:
    if key in ("left", "right"):
        asking.move(1 if key == "right" else -1)
    elif key in ("up", "down"):
        asking.jump(1 if key == "down" else -1)
    elif key == " ":
        _space(model, asking)
    elif key == "tab":
        asking.complete()
    elif key in ("backspace", "escape"):
        asking.erase()
        if key == "escape":
            asking.clear()
    else:
        _enter(model, asking)


def _space(model: Model, asking: Asking) -> None:
    if asking.typed:
        asking.type(" ")
    elif asking.several:
        model.notice = asking.pick()
    else:
        model.claim()


def _enter(model: Model, asking: Asking) -> None:
    if model.hasty("enter"):
        model.notice = CLOSED if model.rests else model.notice
        return
    found = asking.enter()
    if isinstance(found, Decided):
        model.decide(found.decision)
    else:
        # Whoever types several words may have wanted to say them.
        meant = TALK if " " in asking.typed and model.is_heard else ""
        meant = LEAVE if asking.typed.lower() == "q" else meant
        model.notice = f"{found.why} {meant}".rstrip()
        if not asking.longer():  # else more of it can be typed
            asking.clear()


def _claims(model: Model, asking: Asking, key: str) -> bool:
    """Do what this key means at once in the race that is asked, if anything; whether it did."""
    claims = claims_by_key(asking, model.stated_keys)
    stated = {told.key: option for option, told in (model.stated_keys or {}).items()}
    if key in claims:
        model.decide(claims[key].decision)
    elif key != SPACE and key in stated and not asking.begins(key):
        model.notice = asking.why_not(stated[key])
    elif asking.aside and key in _IN_RACES:
        _IN_RACES[key](model)
    else:
        return False
    return True


def _help(model: Model) -> None:
    model.show_help("Help", help_lines(model))


def _about(model: Model, named: str) -> None:
    """What the card of this name does."""
    presenter, view = model.presenter, model.view
    if presenter is None or view is None:
        _help(model)
        return
    told = about(normal(named), view, presenter.text, ascii=presenter.ascii)
    model.show_help("What a card does", [told])


def _mine(model: Model) -> None:
    """One's own cards that lie by one's side: who laid them may look at them again."""
    presenter, view = model.presenter, model.view
    if presenter is not None and view is not None:
        lines = presenter.text.own_side_lines(view, presenter.names, ascii=presenter.ascii)
        model.show("Your cards by your side", lines)


def _log(model: Model) -> None:
    model.show("What happened", model.events.looked_back(), end=True)


def _who(model: Model) -> None:
    names = model.presenter.names if model.presenter is not None else ()
    links = [
        f"  {names[seat]:<16}  {state.link or 'not linked yet'}   "
        f"{AWAY if state.away else state.proof}".rstrip()
        for seat, state in model.states.items()
    ]
    model.show("Who is at the table", [*model.people, COMPARE, "", "Links:", *links])


def _chat(model: Model) -> None:
    if model.send_chat is None:
        model.notice = UNHEARD
    else:
        model.mode, model.entry = "say", ""


def _say(model: Model, said: str) -> None:
    if model.send_chat is None:
        model.notice = UNHEARD
    elif said and model.send_chat(said) is False:
        model.notice = "That was too much at once: say it again in a moment."


def _hail(model: Model) -> None:
    """The salute to whoever has won: one key when the game is over."""
    _say(model, HAIL)


def _theme(model: Model) -> None:
    model.theme = following(model.theme)
    model.notice = f"Theme: {model.theme}."
    model.remember(THEME, model.theme)


def _pace(model: Model) -> None:
    pace = model.pictures.pace
    pace.follow()
    model.notice = f"Pace: {pace.name}."
    model.remember(PACE, pace.name)


def _size(model: Model) -> None:
    model.card_size = NEXT_SIZE[model.card_size]
    lines = counted(model.card_size, "line") if model.card_size else "as many lines as fit"
    model.notice = f"Cards in {lines}."
    model.remember(CARDS, str(model.card_size or CARDS.default))


def _go_on(model: Model) -> None:
    model.notice = model.missing.say(True)


def _wait(model: Model) -> None:
    model.notice = model.missing.say(False)


def _begin_command(model: Model) -> None:
    model.mode, model.entry = "command", ""


def _command(model: Model, said: str) -> None:
    name, _, rest = said.partition(" ")
    found = [known for known in _NAMED if name and known.startswith(normal(name))]
    if found and rest.strip() and found[0] in _WITH_WORDS:
        _WITH_WORDS[found[0]](model, rest.strip())
    elif found:
        _NAMED[found[0]](model)
    elif said:
        model.notice = f"There is no command {name!r}: {', '.join(_NAMED)}."


def _hint(model: Model) -> None:
    if model.asking is None or model.asking.hint is None:
        model.notice = REFUSED
    else:
        model.asking.hint()


def _bots(model: Model) -> None:
    model.notice = model.lobby.ask_for_bots()


def _invite(model: Model) -> None:
    if not model.invite():
        model.notice = NOT_INVITED


_MOVES: Final = frozenset(
    {"left", "right", "up", "down", " ", "tab", "backspace", "escape", "enter"}
)
_VI: Final = {"h": -1, "k": -1, "j": 1}
_PAGES: Final[dict[str, Callable[[Model], None]]] = {
    "?": _help,
    "l": _log,
    "w": _who,
    "m": _mine,
}
_COMMANDS: Final[dict[str, Callable[[Model], None]]] = {
    **_PAGES,
    "c": _chat,
    "t": _theme,
    "p": _pace,
    "s": _size,
    "/": _begin_command,
    "i": _invite,
    "e": _hint,
    "q": _ask_to_leave,
}
_ALWAYS: Final[dict[str, Callable[[Model], None]]] = {
    "f1": _help,
    "f2": _log,
    "f3": _chat,
    "f4": _theme,
    "f5": _pace,
    "f6": _hint,
    "f10": _ask_to_leave,
    "c-c": _ask_to_leave,
}
_GOING_ON: Final[dict[str, Callable[[Model], None]]] = {"y": _go_on, "n": _wait}
"""While somebody is missed, and nothing is asked of the person."""
_NAMED: Final[dict[str, Callable[[Model], None]]] = {
    "help": _help,
    "log": _log,
    "say": _chat,
    "theme": _theme,
    "pace": _pace,
    "size": _size,
    "who": _who,
    "mine": _mine,
    "hail": _hail,
    "hint": _hint,
    "invite": _invite,
    "bots": _bots,
    "go": _go_on,
    "wait": _wait,
    "leave": _ask_to_leave,
    "quit": _ask_to_leave,
    "?": _help,
}
_WITH_WORDS: Final[dict[str, Callable[[Model, str], None]]] = {
    "help": _about,
    "?": _about,
    "say": _say,
}
"""Commands that mean something else if words follow."""
_IN_THE_END: Final[dict[str, Callable[[Model], None]]] = {
    "h": _hail,
    "c": _chat,
    "l": _log,
    "w": _who,
    "i": _invite,
}
_IN_LOBBY: Final[dict[str, Callable[[Model], object]]] = {
    "enter": lambda model: model.lobby.enter(),
    "tab": lambda model: model.lobby.turn(),
    "b": _bots,
    **{key: partial(Model.scroll, by=by) for key, by in SCROLLS.items()},
}
_IN_RACES: Final[dict[str, Callable[[Model], None]]] = {
    " ": Model.claim,
    "n": lambda model: model.decide(PASS),
    "u": Model.rest,
}

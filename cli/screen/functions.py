"""The functions of the table of bindings at a table, called by key or by command.

Each takes the words that follow the command; a key has none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cli.home.preferences import CARDS, PACE, THEME
from cli.kit import bindings
from cli.kit.bindings import Binding, Where
from cli.kit.clock import AWAY
from cli.kit.themes import following
from cli.line.about import about
from cli.line.forms import card_names, normal
from cli.screen.asking import own_cards
from cli.screen.cards import NEXT_SIZE
from cli.screen.keys_page import help_lines
from cli.screen.model import Model
from cli.words.hints import REFUSED
from cli.words.said import COMPARE, NOT_INVITED, UNHEARD
from engine.wording import counted

Function = Callable[[Model, str], None]
HAIL: Final = "Hail!"
NOT_THE_HOST: Final = "Only the host admits and removes players."
TOO_MUCH: Final = "That was too much at once: say it again in a moment."
DOUBTED: Final = "{} is a card of yours. Enter again sends this line to everyone; Esc does not."


def say(model: Model, said: str) -> None:
    """Send a chat line; one that names a card of the own hand is asked about once."""
    doubted, model.doubted = model.doubted, ""
    if model.send_chat is None:
        model.notice = UNHEARD
    elif said and said != doubted and (card := _own_card(model, said)):
        model.mode, model.entry, model.doubted = "say", said, said
        model.notice = DOUBTED.format(card)
    elif said and model.send_chat(said) is False:
        model.notice = TOO_MUCH


def _own_card(model: Model, said: str) -> str:
    """The first word that names a card of the own hand while a game is played."""
    presenter, view = model.presenter, model.view
    if presenter is None or view is None or view.seat < 0 or model.ended:
        return ""
    faces = {view.face(slot) for slot in own_cards(view, presenter.text.held)}
    named = {spelling for face in faces for spelling in card_names(face.name)}
    words = (word.strip(".,;:!?()\"'") for word in said.split())
    return next((word for word in words if normal(word) in named), "")


def chat(model: Model, said: str) -> None:
    """Open the line for talk, or say the words that follow."""
    if said:
        say(model, said)
    elif model.send_chat is None:
        model.notice = UNHEARD
    else:
        model.mode, model.entry, model.doubted = "say", "", ""


def ask_to_leave(model: Model, _words: str = "") -> None:
    """Ask how the person leaves; where nobody waits for them they leave at once."""
    if model.where in (Where.WATCHING, Where.OVER):
        model.leave()
    else:
        ask_how(model, "sure")


def ask_how(model: Model, mode: str) -> None:
    """Ask how, or whether for good; no letter was meant for that yet."""
    model.hide()
    model.mode, model.entry = mode, ""
    model.eyes.sees_leaving = False


def tell_about(model: Model, named: str) -> None:
    """Show what the card of this name does, or the help."""
    presenter, view = model.presenter, model.view
    if not named or presenter is None or view is None:
        model.show_help("Help", help_lines(model))
        return
    told = about(normal(named), view, presenter.text, ascii=presenter.ascii)
    model.show_help("What a card does", [told])


def _mine(model: Model, _words: str) -> None:
    """Show the own cards that lie by one's side: who played them may look at them again."""
    presenter, view = model.presenter, model.view
    if presenter is not None and view is not None:
        lines = presenter.text.own_side_lines(view, presenter.names, ascii=presenter.ascii)
        model.show("Your cards by your side", lines)


def _events(model: Model, _words: str) -> None:
    model.show("What happened", model.events.looked_back(), end=True)


def _who(model: Model, _words: str) -> None:
    names = model.presenter.names if model.presenter is not None else ()
    links = [
        f"  {names[seat]:<16}  {state.link or 'not linked yet'}   "
        f"{AWAY if state.away else state.proof}".rstrip()
        for seat, state in model.states.items()
    ]
    model.show("Who is at the table", [*model.people, COMPARE, "", "Links:", *links])


def _hail(model: Model, _words: str) -> None:
    """Send the salute to the winner."""
    say(model, HAIL)


def _theme(model: Model, _words: str) -> None:
    model.theme = following(model.theme)
    model.notice = f"Theme: {model.theme}."
    model.remember(THEME, model.theme)


def _pace(model: Model, _words: str) -> None:
    pace = model.pictures.pace
    pace.follow()
    model.notice = f"Pace: {pace.name}."
    model.remember(PACE, pace.name)


def _size(model: Model, _words: str) -> None:
    model.card_size = NEXT_SIZE[model.card_size]
    lines = counted(model.card_size, "line") if model.card_size else "as many lines as fit"
    model.notice = f"Cards in {lines}."
    model.remember(CARDS, str(model.card_size or CARDS.default))


def go_on(model: Model, _words: str = "") -> None:
    """Vote to go on without the player who is gone."""
    model.notice = model.missing.say(True)


def wait(model: Model, _words: str = "") -> None:
    """Vote to wait for the player who is gone."""
    model.notice = model.missing.say(False)


def _begin_command(model: Model, _words: str) -> None:
    model.mode, model.entry = "command", ""


def _hint(model: Model, _words: str) -> None:
    if model.asking is None or model.asking.hint is None:
        model.notice = REFUSED
    else:
        model.asking.hint()


def _bots(model: Model, _words: str) -> None:
    model.notice = model.lobby.ask_for_bots()


def _invite(model: Model, _words: str) -> None:
    if not model.invite():
        model.notice = NOT_INVITED


def _door(key: Binding) -> Function:
    """Return what a command for the door of the lobby does: the host's line of talk is one."""

    def act(model: Model, words: str) -> None:
        if model.send_chat is None or not model.lobby.invite:
            model.notice = NOT_THE_HOST
        else:
            model.send_chat(f"{bindings.SLASH}{key.name} {words}".rstrip())

    return act


def _game(model: Model, words: str) -> None:
    if words:
        _door(bindings.GAME)(model, words)
    else:
        model.notice = model.lobby.ask_for_game()


def _afterwards(key: Binding) -> Function:
    """Return what a function of the page after a game does."""

    def act(model: Model, _words: str) -> None:
        deciding = model.afterwards.deciding
        if not model.afterwards.look(key) and deciding is not None:
            model.notice = deciding.press(key.letter)

    return act


DOOR: Final = (bindings.ADMIT, bindings.REMOVE, bindings.LOCK, bindings.UNLOCK)
FUNCTIONS: Final[dict[Binding, Function]] = {
    bindings.HELP: tell_about,
    bindings.EVENTS: _events,
    bindings.CHAT: chat,
    bindings.THEME: _theme,
    bindings.PACE: _pace,
    bindings.HINT: _hint,
    bindings.SIZE: _size,
    bindings.WHO: _who,
    bindings.MINE: _mine,
    bindings.LEAVE: ask_to_leave,
    bindings.COMMAND: _begin_command,
    bindings.INVITE: _invite,
    bindings.BOTS: _bots,
    bindings.GAME: _game,
    bindings.GO: go_on,
    bindings.WAIT: wait,
    bindings.HAIL: _hail,
    **{key: _door(key) for key in DOOR},
    **{key: _afterwards(key) for key in bindings.TABLE if key.where is Where.OVER},
}
PAGES: Final = frozenset({bindings.HELP, bindings.EVENTS, bindings.WHO, bindings.MINE})
"""Functions that show a page; the same key hides it again."""

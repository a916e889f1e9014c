"""One table of key bindings for all full screens; keys, last rows and help pages come from it.

A function has the same keys on every screen that has it, and a command after "/" as well: some
terminals keep function keys for themselves.  A bare letter is a key only where no name can be
typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Flag, auto
from typing import Final, NamedTuple

from cli.kit.canvas import KEY_GAP


class Where(Flag):
    """The screens on which a key can be pressed."""

    LOBBY = auto()
    TABLE = auto()
    WATCHING = auto()
    OVER = auto()
    """After a game."""
    VIEWER = auto()
    MENU = auto()


SEATED: Final = Where.LOBBY | Where.TABLE | Where.OVER
AT_TABLE: Final = SEATED | Where.WATCHING
SHOWN: Final = AT_TABLE | Where.VIEWER
EVERYWHERE: Final = SHOWN | Where.MENU
UNNAMED: Final = EVERYWHERE & ~Where.TABLE
"""The screens on which no name can be typed, so that a letter may be a key."""
SLASH: Final = "/"
_LABELS: Final = {"c-c": "Ctrl-C", " ": "Space", "pageup": "PgUp", "pagedown": "PgDn"}
_WIDE: Final = 14


class Binding(NamedTuple):
    """A function: its command after "/", its keys (the first is the one shown), where it exists.

    `does` stands in the help and `foot` in the last row; `letter` is a key only where no name can
    be typed, and is the one shown there.
    """

    name: str
    keys: tuple[str, ...]
    does: str
    where: Where
    foot: str = ""
    letter: str = ""
    aliases: tuple[str, ...] = ()

    def pressed(self, where: Where) -> tuple[str, ...]:
        """The keys of this function on that screen."""
        own = (self.letter,) if self.letter and where & UNNAMED else ()
        return (*own, *self.keys) if where & self.where else ()

    def shown(self, where: Where) -> str:
        """The key and what it does, as in the last row."""
        keys = self.pressed(where)
        return f"{label(keys[0])} {self.foot or self.name}" if keys else f"{SLASH}{self.name}"

    @property
    def names(self) -> tuple[str, ...]:
        """The commands that mean this."""
        return (self.name, *self.aliases)


def label(key: str) -> str:
    """The name of a key as people read it."""
    return _LABELS.get(key, key.capitalize() if len(key) > 1 else key)


HELP: Final = Binding(
    "help",
    ("?", "f1"),
    "this page; a card's name after it (?al, Enter) tells what that card does",
    EVERYWHERE,
    aliases=("?",),
)
EVENTS: Final = Binding(
    "events",
    ("f2",),
    "what happened, the newest last; Page Up shows what was earlier",
    AT_TABLE,
    aliases=("log",),
)
CHAT: Final = Binding("chat", ("f3",), "say something", SEATED, aliases=("say",))
THEME: Final = Binding("theme", ("f4",), "the next theme", SHOWN)
PACE: Final = Binding(
    "pace",
    ("f5",),
    "the next pace: how long what ended stays, how long bots think",
    AT_TABLE,
)
HINT: Final = Binding(
    "hint",
    ("f6",),
    "a hint: what a hard bot would do (in games against bots only)",
    Where.TABLE,
)
SIZE: Final = Binding("size", ("f7",), "the next card size", SHOWN)
WHO: Final = Binding(
    "who",
    ("f8",),
    "who is here, with the words of their keys and their links",
    AT_TABLE,
)
MINE: Final = Binding("mine", ("f9",), "your own cards that lie by your side", Where.TABLE)
LEAVE: Final = Binding(
    "leave",
    ("c-c", "f10"),
    "leave; during a game you are asked how, and Ctrl-C again means for later",
    EVERYWHERE,
    letter="q",
    aliases=("quit",),
)
COMMAND: Final = Binding(
    "commands",
    (SLASH,),
    "a command by its name or the beginning of it; Tab completes",
    SHOWN,
)
INVITE: Final = Binding(
    "invite", (), "the line with which your friends can join or watch", AT_TABLE, letter="i"
)
BOTS: Final = Binding(
    "bots", (), "your table's bots, and how well they play", Where.LOBBY | Where.TABLE, letter="b"
)
ADMIT: Final = Binding("admit", (), "let a newcomer who waits sit down: /admit Bo", Where.LOBBY)
REMOVE: Final = Binding("remove", (), "remove a guest: /remove Bo", Where.LOBBY)
LOCK: Final = Binding("lock", (), "let newcomers wait until the host admits them", Where.LOBBY)
UNLOCK: Final = Binding("unlock", (), "let newcomers sit down at once", Where.LOBBY)
GAME: Final = Binding(
    "game",
    (),
    "another game, or other terms; /game flaps level=3 clock=30 does it at once",
    Where.LOBBY,
    "game",
    "o",
)
GO: Final = Binding("go", (), "go on without a player who is gone", Where.TABLE)
WAIT: Final = Binding("wait", (), "wait for a player who is gone", Where.TABLE)
HAIL: Final = Binding("hail", (), 'say "Hail!" to the table', SEATED)
REPLAY: Final = Binding(
    "replay", (), "the game once more, step by step", Where.OVER, "replay, review", "v"
)
STORY: Final = Binding("story", (), "the game as prose", Where.OVER, letter="s")
PAGE: Final = Binding("html", (), "a page that shows and checks the game", Where.OVER, letter="x")
AGAIN: Final = Binding("again", (), "play the same game again", Where.OVER, letter="r")
OTHER: Final = Binding("other", (), "propose another game", Where.OVER, letter="o")
STEP: Final = Binding("step", ("right",), "one step forward", Where.VIEWER)
BACK: Final = Binding("back", ("left",), "one step back", Where.VIEWER)
TEN: Final = Binding("ten", ("pagedown",), "ten steps forward", Where.VIEWER)
TEN_BACK: Final = Binding("ten-back", ("pageup",), "ten steps back", Where.VIEWER)
MARK: Final = Binding("mark", ("down",), "to the next mark", Where.VIEWER)
MARK_BACK: Final = Binding("mark-back", ("up",), "to the mark before", Where.VIEWER)
BEGINNING: Final = Binding("beginning", ("home",), "to the beginning", Where.VIEWER)
END: Final = Binding("end", ("end",), "to the end", Where.VIEWER)
PLAY: Final = Binding("play", (" ",), "play, or stop", Where.VIEWER)
FASTER: Final = Binding("faster", ("+",), "play faster", Where.VIEWER)
SLOWER: Final = Binding("slower", ("-",), "play slower", Where.VIEWER)
FIND: Final = Binding(
    "find", (), "search in what is told: /find 7h", Where.VIEWER, letter="f", aliases=("search",)
)
NEXT: Final = Binding("next", (), "the next place that was found", Where.VIEWER, letter="n")
BEFORE: Final = Binding("before", (), "the place before", Where.VIEWER, letter="N")
GO_TO: Final = Binding("go", (), "to a step by its number: /go 12", Where.VIEWER, letter="g")
MARKS: Final = Binding("marks", (), "all marks", Where.VIEWER, letter="m")
VIEW: Final = Binding("view", (), "look from the next seat", Where.VIEWER, letter="v")
WHY: Final = Binding("why", (), "why this was legal", Where.VIEWER, letter="w")
PROOFS: Final = Binding("proofs", (), "who proved what", Where.VIEWER, letter="p")
REVIEW: Final = Binding("review", (), "where this seat decided badly", Where.VIEWER, letter="r")
TABLE: Final = (
    *(STEP, BACK, TEN, TEN_BACK, MARK, MARK_BACK, BEGINNING, END, PLAY, FASTER, SLOWER),
    *(FIND, NEXT, BEFORE, GO_TO, MARKS, VIEW, WHY, PROOFS, REVIEW),
    *(AGAIN, OTHER, REPLAY, STORY, PAGE),
    *(HELP, EVENTS, CHAT, THEME, PACE, HINT, SIZE, WHO, MINE, INVITE, BOTS, LEAVE, COMMAND),
    *(GO, WAIT, HAIL, GAME, ADMIT, REMOVE, LOCK, UNLOCK),
)
"""All functions, in the order of the help."""


def meant(key: str, where: Where) -> Binding | None:
    """The function of this key on this screen, if it has one."""
    return next((one for one in TABLE if key in one.pressed(where)), None)


def foot(where: Where, *shown: Binding | str) -> str:
    """Keys for the last row; a text stands there as it is, an empty one not at all."""
    told = (one if isinstance(one, str) else one.shown(where) for one in shown)
    return KEY_GAP.join(filter(None, told))


def help_rows(where: Where) -> list[str]:
    """A row of the help for each function with a key, and one for those that are commands only."""
    rows, named = list[str](), list[str]()
    for one in TABLE:
        keys = one.pressed(where)
        if keys:
            rows.append(f"{' '.join(map(label, keys)):<{_WIDE}} {one.does}")
        if one.where & where and one is not COMMAND:
            named.append(f"{SLASH}{one.name}")
    return [*rows, f"{'commands':<{_WIDE}} {' '.join(named)}"] if COMMAND.where & where else rows


def command(typed: str, where: Where) -> Binding | str:
    """The only function whose name begins like this; if there is none, a sentence that says so."""
    found = _begun(typed, where)
    if len(found) == 1:
        return found[0]
    if found:
        could = " or ".join(f"{SLASH}{one.name}" for one in found)
        return f"{SLASH}{typed} could be {could}: type more of it."
    names = ", ".join(one.name for one in _commands(where))
    return f"There is no command {typed!r}: {names}."


def completed(typed: str, where: Where) -> str:
    """Return the typed text, completed as far as all matching commands agree."""
    names = [_named(one, typed) for one in _begun(typed, where)]
    return common(names) if names else typed


def common(words: Sequence[str]) -> str:
    """The beginning that all words share."""
    shortest = min(words, key=len)
    for at, letter in enumerate(shortest):
        if any(word[at] != letter for word in words):
            return shortest[:at]
    return shortest


def _begun(typed: str, where: Where) -> Sequence[Binding]:
    known = _commands(where)
    exact = [one for one in known if typed in one.names]
    return exact or [one for one in known if _named(one, typed)]


def _named(one: Binding, typed: str) -> str:
    """The first of its names that begins like this."""
    return next((name for name in one.names if name.startswith(typed)), "") if typed else ""


def _commands(where: Where) -> list[Binding]:
    return [one for one in TABLE if one.where & where and one is not COMMAND]

"""What each key does in the viewer: by names of keys, so that no terminal is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cli.home.preferences import CARDS, THEME
from cli.kit.themes import following
from cli.screen.cards import NEXT_SIZE
from cli.screen.keys import SCROLLS
from cli.viewer.model import Viewer
from replay.game import START

LONGEST: Final = 60
HELP: Final = """\
Left Right, h l     one step back or forward       PgUp PgDn   ten steps
Up Down, k j        to the mark before, the next   m           all marks
Home End            to the beginning, to the end   g           to a step by its number
Space               play, stop                     + -         faster, slower
/                   search in what is told         n N         the next place, the one before
v                   from the next seat             w           why this was legal
p                   who proved what                t s         next theme, card size
r                   where this seat decided badly  q           leave
?                   this page
The log is verified while you look; the line above the keys says how far that is."""


def press(viewer: Viewer, key: str) -> None:
    """One key: a character, or a name ("left", "enter")."""
    if key == "c-c":
        viewer.left = True
    elif viewer.page is not None:
        _page(viewer, key)
    elif viewer.mode:
        _write(viewer, key)
    else:
        viewer.notice = ""
        act = _KEYS.get(key)
        if act is not None:
            act(viewer)


def _page(viewer: Viewer, key: str) -> None:
    if key in SCROLLS:
        viewer.scroll(SCROLLS[key])
    else:
        viewer.page = None


def _write(viewer: Viewer, key: str) -> None:
    if key == "enter":
        said, mode = viewer.entry.strip(), viewer.mode
        viewer.mode = viewer.entry = ""
        if mode == "search":
            viewer.look_for(said)
        elif said.isdecimal():
            viewer.go(int(said))
        else:
            viewer.notice = "Steps are numbers."
    elif key == "escape" or (key == "backspace" and not viewer.entry):
        viewer.mode = viewer.entry = ""
    elif key == "backspace":
        viewer.entry = viewer.entry[:-1]
    elif len(key) == 1 and len(viewer.entry) < LONGEST:
        viewer.entry += key


def _by(steps: int) -> Callable[[Viewer], None]:
    def go(viewer: Viewer) -> None:
        viewer.playing = False
        viewer.go(viewer.step + steps)

    return go


def _begin(mode: str) -> Callable[[Viewer], None]:
    def begin(viewer: Viewer) -> None:
        viewer.mode, viewer.entry = mode, ""

    return begin


def _leave(viewer: Viewer) -> None:
    viewer.left = True


def _theme(viewer: Viewer) -> None:
    viewer.theme = following(viewer.theme)
    viewer.remember(THEME, viewer.theme)


def _size(viewer: Viewer) -> None:
    viewer.card_size = NEXT_SIZE[viewer.card_size]
    viewer.remember(CARDS, str(viewer.card_size or CARDS.default))


_KEYS: Final[dict[str, Callable[[Viewer], None]]] = {
    **dict.fromkeys(("right", "l"), _by(1)),
    **dict.fromkeys(("left", "h"), _by(-1)),
    "pagedown": _by(10),
    "pageup": _by(-10),
    **dict.fromkeys(("down", "j"), lambda viewer: viewer.go_to_mark(back=False)),
    **dict.fromkeys(("up", "k"), lambda viewer: viewer.go_to_mark(back=True)),
    "home": lambda viewer: viewer.go(START),
    "end": lambda viewer: viewer.go(viewer.last),
    " ": Viewer.play,
    "+": lambda viewer: viewer.faster(1),
    "-": lambda viewer: viewer.faster(-1),
    "/": _begin("search"),
    "g": _begin("go to step"),
    "n": lambda viewer: viewer.look_for(""),
    "N": lambda viewer: viewer.look_for("", back=True),
    "v": Viewer.next_seat,
    "w": Viewer.show_why,
    "p": Viewer.show_proofs,
    "m": Viewer.show_marks,
    "r": Viewer.show_review,
    "t": _theme,
    "s": _size,
    "?": lambda viewer: viewer.show("Keys", HELP.splitlines()),
    "q": _leave,
}

"""What each key does in the viewer: by names of keys, so that no terminal is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cli.home.preferences import CARDS, THEME
from cli.kit import bindings
from cli.kit.bindings import Binding, Where, command, completed, help_rows, meant
from cli.kit.themes import following
from cli.screen.cards import NEXT_SIZE
from cli.screen.keys import SCROLLS
from cli.viewer.model import Viewer
from replay.game import START

LONGEST: Final = 60
AT: Final = Where.VIEWER
VERIFIED: Final = """\
The log is verified while you look; the line above the keys says how far that is."""
Function = Callable[[Viewer, str], None]
"""Gets the words that follow the command; a key has none."""


def press(viewer: Viewer, key: str) -> None:
    """One key: a character, or a name ("left", "enter")."""
    found = meant(key, AT)
    if key in bindings.LEAVE.keys:
        viewer.left = True
    elif viewer.page is not None:
        _page(viewer, key)
    elif viewer.mode:
        _write(viewer, key)
    else:
        viewer.notice = ""
        if found is not None:
            FUNCTIONS[found](viewer, "")


def _page(viewer: Viewer, key: str) -> None:
    if key in SCROLLS:
        viewer.scroll(SCROLLS[key])
    else:
        viewer.page = None


def _write(viewer: Viewer, key: str) -> None:
    if key == "enter":
        said, mode = viewer.entry.strip(), viewer.mode
        viewer.mode = viewer.entry = ""
        _ENTERED[mode](viewer, said)
    elif key == "escape" or (key == "backspace" and not viewer.entry):
        viewer.mode = viewer.entry = ""
    elif key == "backspace":
        viewer.entry = viewer.entry[:-1]
    elif key == "tab" and viewer.mode == "command":
        viewer.entry = completed(viewer.entry, AT)
    elif len(key) == 1 and len(viewer.entry) < LONGEST:
        viewer.entry += key


def _command(viewer: Viewer, said: str) -> None:
    name, _, rest = said.partition(" ")
    found = command(name.lower(), AT) if name else ""
    if isinstance(found, str):
        viewer.notice = found
    else:
        FUNCTIONS[found](viewer, rest.strip())


def _go(viewer: Viewer, said: str) -> None:
    if said.isdecimal():
        viewer.go(int(said))
    else:
        viewer.notice = "Steps are numbers."


def _by(steps: int) -> Function:
    def go(viewer: Viewer, _words: str) -> None:
        viewer.playing = False
        viewer.go(viewer.step + steps)

    return go


def _asking(mode: str) -> Function:
    """Do it with these words, or ask for them."""

    def ask(viewer: Viewer, said: str) -> None:
        if said:
            _ENTERED[mode](viewer, said)
        else:
            viewer.mode, viewer.entry = mode, ""

    return ask


def _alone(act: Callable[[Viewer], None]) -> Function:
    return lambda viewer, _words: act(viewer)


def _leave(viewer: Viewer) -> None:
    viewer.left = True


def _theme(viewer: Viewer) -> None:
    viewer.theme = following(viewer.theme)
    viewer.remember(THEME, viewer.theme)


def _size(viewer: Viewer) -> None:
    viewer.card_size = NEXT_SIZE[viewer.card_size]
    viewer.remember(CARDS, str(viewer.card_size or CARDS.default))


def _help(viewer: Viewer) -> None:
    viewer.show("Keys", [*help_rows(AT), VERIFIED])


_ENTERED: Final[dict[str, Function]] = {
    "search": Viewer.look_for,
    "go to step": _go,
    "command": _command,
}
FUNCTIONS: Final[dict[Binding, Function]] = {
    bindings.STEP: _by(1),
    bindings.BACK: _by(-1),
    bindings.TEN: _by(10),
    bindings.TEN_BACK: _by(-10),
    bindings.MARK: _alone(lambda viewer: viewer.go_to_mark(back=False)),
    bindings.MARK_BACK: _alone(lambda viewer: viewer.go_to_mark(back=True)),
    bindings.BEGINNING: _alone(lambda viewer: viewer.go(START)),
    bindings.END: _alone(lambda viewer: viewer.go(viewer.last)),
    bindings.PLAY: _alone(Viewer.play),
    bindings.FASTER: _alone(lambda viewer: viewer.faster(1)),
    bindings.SLOWER: _alone(lambda viewer: viewer.faster(-1)),
    bindings.FIND: _asking("search"),
    bindings.GO_TO: _asking("go to step"),
    bindings.NEXT: _alone(lambda viewer: viewer.look_for("")),
    bindings.BEFORE: _alone(lambda viewer: viewer.look_for("", back=True)),
    bindings.VIEW: _alone(Viewer.next_seat),
    bindings.WHY: _alone(Viewer.show_why),
    bindings.PROOFS: _alone(Viewer.show_proofs),
    bindings.MARKS: _alone(Viewer.show_marks),
    bindings.REVIEW: _alone(Viewer.show_review),
    bindings.THEME: _alone(_theme),
    bindings.SIZE: _alone(_size),
    bindings.HELP: _alone(_help),
    bindings.COMMAND: _asking("command"),
    bindings.LEAVE: _alone(_leave),
}

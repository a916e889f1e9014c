"""The cloth of each game, the backs of its cards, the players' colours: data, as #rrggbb.

Whoever draws a table takes them from here: terminal, pictures, pages.  A game says which cloth is
its own (`Wording.cloth`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Ground(NamedTuple):
    """The cloth itself, what plates and the story lie on, and shadows."""

    cloth: str
    bar: str
    shadow: str


class Cloth(NamedTuple):
    """One game's table: `back` and `pattern` of its cards, and the sign that they are filled with.

    `grounds` by theme; `few` are the same where there are only 256 colours.
    """

    back: str
    pattern: str
    sign: str
    grounds: Mapping[str, Ground]
    few: Mapping[str, Ground]


def _few(felt: str) -> Mapping[str, Ground]:
    """The grounds of 256 colours: only felt has enough of them to differ."""
    return {
        "felt": Ground(felt, "#1c1c1c", "#121212"),
        "dark": Ground("#262626", "#121212", "#080808"),
        "light": Ground("#ffffff", "#eeeeee", "#bcbcbc"),
    }


BRIGHT: Final = (
    *("#f6b09c", "#9fdcb6", "#f2cc8f", "#a8dadc"),
    *("#dcd0f8", "#f7b2d0", "#c5e09a", "#add0ff"),
)
"""The colours of the players on a dark ground, by seat."""
DEEP: Final = (
    *("#8a3a20", "#14613a", "#6b4a00", "#0f5560"),
    *("#54378f", "#8a2358", "#445a10", "#1b4a94"),
)
"""The same on a light one."""
HOUSE: Final = "green"
"""The cloth where no game is played yet, and of games that have none of their own."""
CLOTHS: Final[Mapping[str, Cloth]] = {
    "green": Cloth(
        *("#27408b", "#5f7fd0", "▚"),
        {"felt": Ground("#12372a", "#0d2a20", "#0a2018"),
         "dark": Ground("#18231e", "#0f1713", "#090f0c"),
         "light": Ground("#f0f5f0", "#dee8de", "#c1cbc1")},
        _few("#005f00"),
    ),
    "burgundy": Cloth(
        *("#1d4f4b", "#58a59c", "▞"),
        {"felt": Ground("#461829", "#34101e", "#280b17"),
         "dark": Ground("#281a20", "#191014", "#10090c"),
         "light": Ground("#f9f1f3", "#eddfe3", "#d2c2c7")},
        _few("#5f0000"),
    ),
    "navy": Cloth(
        *("#7d1f2b", "#d06a72", "░"),
        {"felt": Ground("#152a52", "#0e1e3d", "#0a162e"),
         "dark": Ground("#1a2130", "#101520", "#090d15"),
         "light": Ground("#f0f3f9", "#dee4f0", "#c1c8d6")},
        _few("#00005f"),
    ),
    "plum": Cloth(
        *("#6b5014", "#d4b35e", "╳"),
        {"felt": Ground("#33204d", "#25173a", "#1b102b"),
         "dark": Ground("#221c2d", "#16111e", "#0e0a14"),
         "light": Ground("#f4f1f9", "#e5dff0", "#cac3d6")},
        _few("#5f005f"),
    ),
    "umber": Cloth(
        *("#4b2a6b", "#a47ac8", "▒"),
        {"felt": Ground("#45320f", "#32240a", "#251a06"),
         "dark": Ground("#251f18", "#17130e", "#0f0c08"),
         "light": Ground("#f8f4ec", "#ebe3d4", "#d0c8b9")},
        _few("#303030"),
    ),
}  # fmt: skip


def cloth_of(name: str) -> Cloth:
    """The cloth of this name; the house's if there is none."""
    return CLOTHS.get(name, CLOTHS[HOUSE])

"""What the styles look like: four themes, at every colour depth, legible by contrast.

Suits keep to the hues of Okabe and Ito (Color Universal Design, 2008), which people with any kind
of colour blindness can tell apart; cards that may be played are bold, the one under the cursor is
reversed, so that nothing is said by colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as #rrggbb; an empty one is the terminal's own.

    `suits` are clubs, spades, hearts, diamonds, stars.
    """

    background: str
    text: str
    suits: tuple[str, str, str, str, str]
    dim: str
    good: str
    bad: str
    strong: str


THEMES: Final[Mapping[str, Theme]] = {
    # On a background that we do not know colours must be legible on black and on white:
    # a luminance near 0.18 has a ratio of 4.5 to both.
    "none": Theme(
        "",
        "",
        ("#008666", "", "#c25400", "#1b76d3", "#a45aa4"),
        "#757575",
        "#008666",
        "#c25400",
        "",
    ),
    "dark": Theme(
        *("#14181c", "#e6e6e6"),
        ("#35c79c", "#e6e6e6", "#ff8a4c", "#6cb8f0", "#e39ac9"),
        *("#9aa4ad", "#35c79c", "#ff8a4c", "#ffffff"),
    ),
    "light": Theme(
        *("#fafafa", "#202020"),
        ("#00694f", "#202020", "#a94400", "#0b5fa8", "#8a3d76"),
        *("#5c5c5c", "#00694f", "#a94400", "#000000"),
    ),
    "felt": Theme(
        *("#0b3d2e", "#f2f0e6"),
        ("#8de8c8", "#f2f0e6", "#ffb08a", "#a9d8ff", "#f3bfe0"),
        *("#b5cdc3", "#8de8c8", "#ffb08a", "#ffffff"),
    ),
}
NAMES: Final = tuple(THEMES)
# The sixteen colours of a terminal mean what its owner says; hues are all we can ask for.
_SIXTEEN: Final = Theme(
    *("", ""),
    ("ansigreen", "", "ansired", "ansiblue", "ansimagenta"),
    *("", "ansigreen", "ansired", ""),
)
_MARKS: Final = {
    "headline": "reverse",
    "foot": "reverse",
    "cursor": "reverse",
    "turn": "bold",
    "prompt": "bold",
    "playable": "bold",
    "fresh": "bold",
    "strong": "bold",
    "typed": "bold underline",
    "notice": "italic",
    "bad": "bold",
}
"""What a style has besides its colour, the same at every depth."""


def style_rules(theme: str, depth: int) -> dict[str, str]:
    """Style class -> prompt_toolkit style, for a theme and a depth of 1, 4, 8 or 24 bits."""
    colours = _colours(theme, depth)
    return {
        name: " ".join(part for part in (_MARKS.get(name, ""), colours.get(name, "")) if part)
        for name in dict.fromkeys([*_MARKS, *colours])
    }


def _colours(theme: str, depth: int) -> dict[str, str]:
    if depth == 1:
        return {}
    chosen = _SIXTEEN if depth == 4 else THEMES[theme]
    page = f"bg:{chosen.background} {chosen.text}" if chosen.background else chosen.text
    coloured = {
        "page": page,
        "dim": chosen.dim,
        "event": "",
        "unplayable": chosen.dim,
        "good": chosen.good,
        "bad": chosen.bad,
        "strong": chosen.strong,
        "back": chosen.dim,
    }
    return coloured | {f"suit{suit}": colour for suit, colour in enumerate(chosen.suits)}


def following(theme: str) -> str:
    """The theme that the key switches to."""
    return NAMES[(NAMES.index(theme) + 1) % len(NAMES)]


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21 (WCAG 2.1, "contrast ratio").

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    """WCAG 2.1, "relative luminance"."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

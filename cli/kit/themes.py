"""What the styles look like: four themes, at every colour depth, legible by contrast.

Suits keep to the hues of Okabe and Ito (Color Universal Design, 2008), which people with any kind
of colour blindness can tell apart.  Nothing is said by colour alone.  With 256 colours or more a
theme that has a ground of its own is drawn as a table: solid cards, plates, tokens.  The ground is
that of the game's cloth (`engine.cloths`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine.cloths import BRIGHT, CLOTHS, DEEP, HOUSE, Cloth, Ground, cloth_of

Five = tuple[str, str, str, str, str]
"""Colours of clubs, spades, hearts, diamonds, stars."""


@dataclass(frozen=True, slots=True)
class Things:
    """Colours of what lies on a table, as #rrggbb.

    `face`, `lit` and `faded` are cards as they lie, marked, and not to be played; `inks` the suits
    on them; `tokens` the two colours of tokens, and `taken` the same for those that were taken.
    """

    accent: str
    players: tuple[str, str, str, str, str, str, str, str]
    taken: tuple[str, str]
    face: str = "#f8f4e9"
    lit: str = "#ffe38f"
    faded: str = "#cfcbbd"
    ink: str = "#20242a"
    inks: Five = ("#175c34", "#20242a", "#a01820", "#1b4690", "#75306a")
    rim: str = "#b9b29c"
    tokens: tuple[str, str] = ("#2459a8", "#b03028")
    chips: tuple[str, str] = ("#ffd166", "#b03028")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as #rrggbb; an empty one is the terminal's own.

    `few` has other colours where there are 256: those nearest to these would look unlike them.
    """

    text: str
    suits: Five
    dim: str
    good: str
    bad: str
    strong: str
    things: Things | None = None
    few: Mapping[str, str] = field(default_factory=dict)


DEFAULT: Final = "felt"
THEMES: Final[Mapping[str, Theme]] = {
    "felt": Theme(
        "#eef2ea",
        ("#8de8c8", "#f2f0e6", "#ffb8a0", "#a9d8ff", "#f3bfe0"),
        *("#b5cdc3", "#8de8c8", "#ffb8a0", "#ffffff"),
        Things("#ffd166", BRIGHT, ("#9cc3f5", "#ffb3ab")),
        {"dim": "#d0d0d0", "faded": "#d0d0d0"},
    ),
    "dark": Theme(
        "#e6e6e6",
        ("#35c79c", "#e6e6e6", "#ff8a4c", "#6cb8f0", "#e39ac9"),
        *("#a8b2bb", "#35c79c", "#ff8a4c", "#ffffff"),
        Things("#ffd166", BRIGHT, ("#8db8f0", "#ff9f95")),
        {"faded": "#d0d0d0"},
    ),
    "light": Theme(
        "#202020",
        ("#00563f", "#202020", "#933a00", "#0a508f", "#7a3268"),
        *("#4d4d4d", "#00563f", "#933a00", "#000000"),
        Things("#7a4b00", DEEP, ("#1d4d94", "#962018"), face="#fffef8", faded="#dcdad0"),
    ),
    # On a background that we do not know colours must be legible on black and on white:
    # a luminance near 0.18 has a ratio of 4.5 to both.
    "none": Theme(
        "",
        ("#008666", "", "#c25400", "#1b76d3", "#a45aa4"),
        "#757575",
        "#008666",
        "#c25400",
        "",
    ),
}  # fmt: skip
NAMES: Final = tuple(THEMES)
# The sixteen colours of a terminal mean what its owner says; hues are all we can ask for.
_SIXTEEN: Final = Theme(
    "",
    ("ansigreen", "", "ansired", "ansiblue", "ansimagenta"),
    *("", "ansigreen", "ansired", ""),
)
_MARKS: Final = {
    "headline": "reverse",
    "foot": "reverse",
    "cursor": "reverse",
    "turn": "bold",
    "heading": "bold",
    "prompt": "bold",
    "playable": "bold",
    "fresh": "bold",
    "strong": "bold",
    "typed": "bold underline",
    "notice": "italic",
    "bad": "bold",
}
"""What a style has besides its colour, the same at every depth."""


def is_solid(theme: str, depth: int) -> bool:
    """Whether things are drawn as they look on a table; otherwise cards are outlines."""
    return depth >= 8 and THEMES[theme].things is not None


def style_rules(theme: str, depth: int, cloth: str = HOUSE) -> dict[str, str]:
    """Style class -> prompt_toolkit style, for a theme and a depth of 1, 4, 8 or 24 bits.

    `cloth` is what the game is played on (`engine.cloths`).
    """
    colours = _colours(theme, depth)
    look = _at(THEMES[theme], depth)
    if depth >= 8 and look.things is not None:
        ground = ground_of(cloth_of(cloth), theme, depth)
        colours |= _on_ground(look, look.things, ground, cloth_of(cloth)) | _tables(theme, depth)
    marks = _MARKS
    if is_solid(theme, depth):
        marks = {name: "bold" for name in _MARKS if name not in ("foot", "notice")}
        marks |= {"typed": "bold underline", "notice": "italic", "face": "bold", "lit": "bold"}
    return {
        name: " ".join(part for part in (marks.get(name, ""), colours.get(name, "")) if part)
        for name in dict.fromkeys([*_MARKS, *marks, *colours])
    }


def _colours(theme: str, depth: int) -> dict[str, str]:
    if depth == 1:
        return {}
    chosen = _SIXTEEN if depth == 4 else _at(THEMES[theme], depth)
    coloured = {
        "page": chosen.text,
        "dim": chosen.dim,
        "event": "",
        "unplayable": chosen.dim,
        "good": chosen.good,
        "bad": chosen.bad,
        "strong": chosen.strong,
        "back": chosen.dim,
    }
    coloured |= {f"suit{suit}": colour for suit, colour in enumerate(chosen.suits)}
    return coloured if chosen.things is None else coloured | _solid(chosen, chosen.things)


def _at(theme: Theme, depth: int) -> Theme:
    """The theme with the colours for this depth."""
    if depth != 8 or theme.things is None:
        return theme
    own = {name: colour for name, colour in theme.few.items() if hasattr(theme, name)}
    others = {name: colour for name, colour in theme.few.items() if name not in own}
    return replace(theme, **own, things=replace(theme.things, **others))  # type: ignore[arg-type]


def ground_of(cloth: Cloth, theme: str, depth: int) -> Ground:
    """The ground of a cloth in a theme that has one."""
    return (cloth.few if depth == 8 else cloth.grounds)[theme]


def _on_ground(look: Theme, things: Things, ground: Ground, cloth: Cloth) -> dict[str, str]:
    """The styles that differ from game to game."""
    bar = f"bg:{ground.bar}"
    return {
        "page": f"bg:{ground.cloth} {look.text}",
        **dict.fromkeys(("headline", "plate", "story"), f"{bar} {look.text}"),
        "foot": f"{bar} {look.dim}",
        "cursor": f"bg:{things.accent} {ground.cloth}",
        "shadow": ground.shadow,
        "pattern": f"bg:{cloth.back} {cloth.pattern}",
        "taken": bar,
    }


def _tables(theme: str, depth: int) -> dict[str, str]:
    """The styles of every game's table, for a menu that shows all of them."""
    rules = {}
    for name, cloth in CLOTHS.items():
        ground = ground_of(cloth, theme, depth)
        rules[f"cloth-{name}"] = f"bg:{ground.cloth}"
        rules[f"shadow-{name}"] = ground.shadow
        rules[f"pattern-{name}"] = f"bg:{cloth.back} {cloth.pattern}"
    return rules


def _solid(theme: Theme, things: Things) -> dict[str, str]:
    """The styles of things on a table, whatever lies below them."""
    white = "#ffffff"
    return {
        **dict.fromkeys(("turn", "prompt", "notice", "gold", "heading"), things.accent),
        "fresh": theme.strong,
        "face": f"bg:{things.face} {things.ink}",
        "lit": f"bg:{things.lit} {things.ink}",
        "faded": f"bg:{things.faded} {things.ink}",
        "rim": things.rim,
        "side": things.rim,
        "tokengood": f"bg:{things.tokens[0]} {white} bold",
        "tokenbad": f"bg:{things.tokens[1]} {white} bold",
        "takengood": things.taken[0],
        "takenbad": things.taken[1],
        "chip": f"bg:{things.chips[1]} {things.chips[0]}",
        "chiptop": things.chips[0],
        **{f"ink{suit}": ink for suit, ink in enumerate(things.inks)},
        **{f"player{number}": colour for number, colour in enumerate(things.players)},
    }


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

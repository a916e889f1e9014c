"""Themes: contrast by WCAG, and only marks if there is no colour."""

from __future__ import annotations

import pytest
from prompt_toolkit.styles import Style

from cli.kit.themes import NAMES, THEMES, contrast, following, style_rules
from cli.kit.window import colour_depth
from tests.screen.golden import DEPTHS

LEGIBLE = 4.5
"""WCAG 2.1, success criterion 1.4.3 (level AA)."""


@pytest.mark.parametrize("name", NAMES)
def test_every_colour_is_legible_on_its_background(name: str) -> None:
    theme = THEMES[name]
    grounds = [theme.background] if theme.background else ["#000000", "#ffffff"]
    colours = [theme.text, *theme.suits, theme.dim, theme.good, theme.bad, theme.strong]
    worst = {c: min(contrast(c, ground) for ground in grounds) for c in colours if c}
    assert {c: round(found, 2) for c, found in worst.items() if found < LEGIBLE} == {}


@pytest.mark.parametrize("name", NAMES)
def test_suits_differ_from_each_other(name: str) -> None:
    assert len(set(THEMES[name].suits)) == 5


def test_the_default_leaves_the_background_alone() -> None:
    assert NAMES[0] == "none"
    assert all("bg:" not in rule for rule in style_rules("none", 24).values())
    assert "bg:" in style_rules("felt", 24)["page"]


def test_without_colour_only_marks_are_left() -> None:
    for theme in NAMES:
        words = {word for rule in style_rules(theme, 1).values() for word in rule.split()}
        assert words == {"bold", "reverse", "underline", "italic"}


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("theme", NAMES)
def test_prompt_toolkit_takes_every_rule(theme: str, depth: int) -> None:
    style = Style(list(style_rules(theme, depth).items()))
    assert style.get_attrs_for_style_str("class:cursor").reverse
    coloured = style.get_attrs_for_style_str("class:suit2").color
    assert bool(coloured) is (depth > 1)


def test_one_key_goes_through_all_themes() -> None:
    seen = [NAMES[0]]
    while (theme := following(seen[-1])) not in seen:
        seen.append(theme)
    assert seen == list(NAMES)


@pytest.mark.parametrize(
    ("environment", "depth"),
    [
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, 1),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, 8),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, 24),
        ({"TERM": "xterm", "PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_8_BIT"}, 8),
        ({"TERM": "xterm"}, 4),
        ({"TERM": "vt100"}, 1),
    ],
)
def test_the_depth_is_what_the_terminal_says(environment: dict[str, str], depth: int) -> None:
    assert colour_depth(environment) == depth

"""A film shows each of its frames at its time, and nothing else; it needs no script."""

from __future__ import annotations

import re
from itertools import accumulate
from xml.etree import ElementTree

import pytest

from cli.kit.canvas import Line
from cli.kit.film import Frame, film

SVG = "{http://www.w3.org/2000/svg}"
WORDS = [
    (["left", "same", ""], 1.0),
    (["right", "same", ""], 0.5),
    (["left", "same", "low"], 2.0),
    (["", "same", "low"], 0.5),
    (["left", "same", "end"], 4.0),
]


def lines(words: list[str]) -> list[Line]:
    return [[("", f" {word} ")] for word in words]


FRAMES = [Frame(lines(words), seconds) for words, seconds in WORDS]
PICTURE = "\n".join(film(FRAMES, "dark", "a <title>"))
ROOT = ElementTree.fromstring(PICTURE)


def turns(name: str) -> list[tuple[float, bool]]:
    """From which part of the time on something is seen or not, in percent."""
    rule = re.search(rf"@keyframes {name}\{{(.*)\}}$", PICTURE, re.MULTILINE)
    assert rule is not None
    found = re.findall(r"([\d.]+)%\{visibility:(\w+)\}", rule[1])
    return [(float(at), state == "visible") for at, state in found]


def seen_at(percent: float) -> list[str]:
    """The words that are seen then, from the top."""
    seen = []
    for group in ROOT.iter(f"{SVG}g"):
        name = group.attrib["class"].split()[0]
        before = [state for at, state in turns(name) if at <= percent]
        if before[-1]:
            seen += [(float(text.attrib["y"]), text.text) for text in group.iter(f"{SVG}text")]
    return [str(text) for _, text in sorted(seen)]


@pytest.mark.parametrize("number", range(len(FRAMES)))
def test_each_frame_is_seen_for_its_time(number: int) -> None:
    whole = sum(frame.seconds for frame in FRAMES)
    end = list(accumulate(frame.seconds for frame in FRAMES))[number]
    begin = end - FRAMES[number].seconds
    for at in (begin + 0.01, (begin + end) / 2, end - 0.01):
        assert seen_at(100 * at / whole) == [word for word in WORDS[number][0] if word]
    assert f"animation:f0 {whole:g}s step-end infinite" in PICTURE


def test_a_row_that_stays_is_drawn_once() -> None:
    assert PICTURE.count(">same</text>") == 1
    assert PICTURE.count(">left</text>") == 1


def test_who_wants_no_motion_sees_the_last_frame() -> None:
    still = [
        text.text
        for group in ROOT.iter(f"{SVG}g")
        if "e" in group.attrib["class"].split()
        for text in group.iter(f"{SVG}text")
    ]
    assert still == [word for word in WORDS[-1][0] if word]
    assert "prefers-reduced-motion: reduce" in PICTURE


def test_it_says_what_it_is_and_has_no_script() -> None:
    title = ROOT.find(f"{SVG}title")
    assert title is not None
    assert title.text == "a <title>"
    assert "script" not in PICTURE


def test_there_is_no_film_of_nothing() -> None:
    with pytest.raises(ValueError, match="frame"):
        list(film([], "dark", ""))

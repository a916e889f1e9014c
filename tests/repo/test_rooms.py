"""The house: which room may need which, the picture of it, and the page that tells of each."""

from __future__ import annotations

import re

import pytest

from tests.repo.rooms import PICTURE, WHOLE, draw, rooms
from tests.repo.sources import ROOT

PAGE = ROOT / "docs" / "explanation" / "architecture.md"
FLOORS = {
    "p2p": (
        *(
            "text disk version installation",
            "errors",
            "checks logs",
            "supervisor",
            "crypto identity",
            "protocol",
            "net",
        ),
        *("player files", "seat", "driver", "lobby", "spectators", "table", "peer"),
    ),
    "cli": (
        *(
            "interrupt",
            "failures kit",
            "main home template",
            "options completion",
            "words manual",
            "line",
            "menu",
            "screen",
        ),
        *("viewer screenshots tables", "bench gallery", "commands"),
    ),
}
"""From the ground up: a room needs rooms below its own floor only."""


@pytest.mark.parametrize("package", FLOORS)
def test_rooms_need_only_rooms_below(package: str) -> None:
    level = {
        f"{package}.{room}": floor
        for floor, names in enumerate(FLOORS[package])
        for room in names.split()
    }
    needs = {room: others for room, others in rooms().items() if room.startswith(f"{package}.")}
    assert needs.keys() <= level.keys()
    upwards = {
        (room, other)
        for room, others in needs.items()
        for other in others & level.keys()
        if level[other] >= level[room]
    }
    assert upwards == set()


def test_the_picture_is_what_the_imports_say() -> None:
    assert PICTURE.read_text("utf-8") == draw(rooms()), "run `python -m tests.repo.rooms`"


def test_the_page_has_a_paragraph_for_each_room_and_no_other() -> None:
    told = re.findall(r"^\* \*\*`((?:p2p|cli)/\w+)(?:\.py|/)`\*\*", PAGE.read_text("utf-8"), re.M)
    assert sorted(told) == sorted(
        room.replace(".", "/") for room in rooms().keys() - set(WHOLE) if "." in room
    )
    assert len(told) == len(set(told))

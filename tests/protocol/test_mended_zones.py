"""Zones whose cards were on their way to be shown when somebody was lost are mended once each."""

from __future__ import annotations

from itertools import chain
from typing import Any
from unittest.mock import patch

from engine.question import Question
from p2p.protocol.entry import decode_entry
from tests.protocol.losing import Gone, Losing, at_table, go_on
from tests.protocol.verbs import DECK, VerbsTable
from tests.vectors.scenes import SCENES, known_scenes, scene


async def two_piles(t: VerbsTable) -> None:
    """A card of each of two piles is turned up."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    t.move(t.stock[:4], t.pile)
    await t.open((*t.stock[-1:], *t.pile[-1:]))


async def over(t: VerbsTable, seat: int, asked: Question[Any]) -> None:
    t.over = True


def test_a_zone_that_is_mended_is_not_mended_again_when_another_seat_is_lost() -> None:
    """The second one vanishes while the second zone is mended: all others begin that one anew."""
    gone = (Gone(3, "open"), Gone(4, "mend", 1))
    with patch.dict(SCENES), known_scenes():
        hub = go_on(at_table(scene(two_piles, over), Losing("", 5, 3, {}, gone)))
    entries = map(decode_entry, chain.from_iterable(hub.seats[0].machine.records))
    mends = [(entry.seat, len(entry.payload["deck"])) for entry in entries if entry.kind == "mend"]
    sizes = [size for _, size in mends]
    assert [seat for seat, _ in mends] == [0, 1, 2, 4, 0, 1, 2, 0, 1, 2]
    assert len(set(sizes[:4])) == len(set(sizes[4:])) == 1
    assert sizes[0] != sizes[4]

"""A card on the table: from the decision to the moment when the last peer has applied it.

Four peers, each a process of its own, over TLS on loopback; bots that take a moment to think, as
people do, so that what can be made ahead is made.  The cards are from the first round of Flip Over,
whose hands are hidden; each entry is signed, synced to disk, sent, forwarded, verified.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cli.bench import processes
from cli.bench.row import Row, Target
from cli.bench.seat_process import SeatPlan
from engine.games import FIRST
from p2p.protocol import step_kinds
from p2p.protocol.entry import decode_entry
from p2p.protocol.logfile import split_log

SEATS: Final = 4
THINKS: Final = 0.06
MATCHES: Final = 2


class Played(NamedTuple):
    """One card: how long it took, in ms, and whether an oath came with it."""

    milliseconds: float
    sworn: bool


def rows(matches: int = MATCHES) -> list[Row]:
    """Medians over the cards that were hidden when they were laid."""
    plan = SeatPlan(FIRST, SEATS, "", None, THINKS)
    cards = [card for _ in range(matches) for card in hidden_cards(processes.play(plan))]
    plain = statistics.median(card.milliseconds for card in cards if not card.sworn)
    sworn = statistics.median(card.milliseconds for card in cards if card.sworn)
    name = "a play of a hidden card, 4 processes over TLS"
    return [
        Row(f"{name}: on suit", plain, "ms", None, (Target(2.0),)),
        Row(f"{name}: with a first oath", sworn, "ms", None, (Target(30.0),)),
    ]


def hidden_cards(seen: processes.Seen) -> Iterator[Played]:
    """The plays of hidden cards in a match, in order."""
    numbers = [i for i, (kind, _) in enumerate(seen.answered[0]) if kind == "play"]
    for number, entry in zip(numbers, _plays(seen.log or b""), strict=True):
        if entry["share"] is None:
            continue
        decided = [times[number] for times in seen.decided if number in times]
        applied = max(answered[number][1] for answered in seen.answered)
        yield Played(1000 * (applied - min(decided)), entry["oath"] is not None)


def _plays(log: bytes) -> Iterator[dict[str, Any]]:
    entries = map(decode_entry, split_log(log).records)
    return (entry.payload for entry in entries if entry.kind == step_kinds.PLAY)

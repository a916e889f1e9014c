"""What tables write, from seeds alone: `python -m tests.protocol.written` writes the page again.

A table of the tests draws all its chance from a seed, so its log is the same in each run, to the
byte.  Here a line is a table of a short game: how many entries of each kind its log holds, and a
digest of the log, of what each seat keeps for itself, and of what it made of the races.  Whatever
is put into a proof, a hash or a record, in which order and with which random value, is behind it;
that everybody accepts it shows only that prover and verifier are mistaken alike, or not at all.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from engine.bots import sensible
from engine.games import load
from p2p.protocol import terms
from p2p.protocol.entry import decode_entry
from p2p.protocol.step import LEAVE
from tests.protocol.kit import Hub, Seat, game_hub, genesis_hub, log_bytes
from tests.protocol.losing import LOSING, lost
from tests.protocol.scenes import SCENES, SHORT
from tests.protocol.sets import SECRET
from tests.protocol.timed import LAID, SLOWER, TURNED_UP, each_pair_in_turn, star_hub, timed_hub

PAGE: Final = Path(__file__).with_name("written.txt")
STUCK: Final = frozenset({"sworn", "sworn-twice", "laid-low"})
"""Games in which random players swear falsely or can lay nothing, which ends a table."""
SEEDS: Final = (3, 4)
FAREWELL: Final = 0.05
"""How often a player leaves in place of a decision."""
LAY_SETS: Final = (
    "set-laid",
    "set-laid-anyhow",
    "set-of-open-cards",
    "sets-in-secret",
    "sets-laid-half-open",
)
"""Short games of `tests.protocol.sets`."""
assert SECRET  # whoever imports the sets has their games among SCENES


def tables() -> Iterator[tuple[str, Callable[[], Hub]]]:
    """Each table by its name."""
    for number, name in enumerate(sorted({*SHORT, *LAY_SETS} - STUCK)):
        for seed in SEEDS:
            yield f"{name} {seed}", partial(game_hub, SCENES[name], 2 + (number + seed) % 2, seed)
    yield "genesis", partial(genesis_hub, SCENES["dealt"], 4)
    yield "three, timed", partial(timed_hub, TURNED_UP, (300, 310, 290))
    yield "three, one laid, timed", partial(timed_hub, LAID, (300, 305, 400))
    yield "a star", partial(star_hub, TURNED_UP, (*SLOWER,))
    yield "a star that holds", each_pair_in_turn
    yield "flip-over, some leave", _left
    for name in LOSING:
        yield f"lost: {name}", partial(lost, name)


def _left() -> Hub:
    """A table of bots at which all but one may leave."""
    hub, bot = game_hub(load("flip-over"), 4, rounds=2), sensible("flip-over")

    def choose(view: Any, question: Any) -> object:
        leaves = view.seat and hub.rng.random() < FAREWELL
        return LEAVE if leaves else bot(view, question, hub.rng)

    hub.chooser = choose
    return hub


def line(name: str, make: Callable[[], Hub]) -> str:
    """What one table writes."""
    hub = make()
    hub.run()
    kinds = Counter(decode_entry(record).kind for records in hub.seats[0].log for record in records)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    return f"{name}, {len(hub.seats)} seats: {counted}; {_digest(hub)}\n"


def _digest(hub: Hub) -> str:
    said = hashlib.sha256()
    for seat in hub.seats:
        said.update(repr(_held(seat)).encode())
    return said.hexdigest()[:24]


def _held(seat: Seat) -> tuple[Any, ...]:
    """What one seat has in the end."""
    if seat.table is None:
        return (seat.result.encode(),)
    cards, session = seat.cards, seat.session
    reports = [repr(report) for report in cards.races.reports]
    own = sorted(cards.kept.items()), [repr(one) for one in cards.seen]
    return log_bytes(seat), own, reports, session.digest(), session.table.notes, cards.shuffles


def page() -> str:
    """All tables."""
    return "".join(line(name, make) for name, make in tables())


if __name__ == "__main__":
    terms.load = lambda name: SCENES.get(name) or load(name)
    PAGE.write_text(page(), encoding="utf-8")

"""Every proof is bound to all that protocol section 4 lists: a proof from elsewhere is refused."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.crypto.transcript import Transcript
from p2p.version import PROTOCOL_VERSION
from tests.protocol.cheats import CHEAT
from tests.protocol.kit import game_hub
from tests.protocol.scenes import SCENES

OPERATIONS = {
    "shuffle": ("opened", 1, "bad-shuffle"),
    "deal": ("dealt", 1, "bad-share"),
    "open": ("opened", 1, "bad-share"),
    "coin": ("tossed", 1, "bad-share"),
    "reshuffle": ("reshuffled", 1, "bad-shuffle"),
    "play": ("laid-freely", 1, "bad-share"),
    "oath": ("followed", 0, "bad-oath"),
    "merge": ("drawn-late", 1, "bad-shuffle"),
    "hand-over": ("handed-over", 1, "bad-transfer"),
    "put-back": ("handed-over", 1, "bad-transfer"),
}
"""For each operation a scene and a seed in which seat 1 proves it, and the verdict."""
FIELDS = ("protocol", "table", "previous", "step", "seat", "operation", "slots", "keys")


def _bent(dealer: Any, field: str, seat: int, operation: str, slots: tuple[int, ...]) -> Transcript:
    """What `p2p.protocol.context.bind` makes, except for one field."""
    chain = dealer.chain
    fields: dict[str, tuple[bytes, ...]] = {
        "protocol": (PROTOCOL_VERSION.to_bytes(4, "little"),),
        "table": (chain.table,),
        "previous": (chain.head,),
        "step": (chain.step.to_bytes(8, "little"),),
        "seat": (seat.to_bytes(2, "little"),),
        "operation": (operation.encode(),),
        "slots": tuple(slot.to_bytes(4, "little") for slot in slots),
        "keys": dealer.keys.public,
    }
    if field:
        first = fields[field][0] if fields[field] else bytes(4)
        other = bytes([first[0] ^ 1]) + first[1:]
        fields[field] = (other, *fields[field][1:])
    transcript = Transcript("nodealer proof")
    for label, values in fields.items():
        transcript.append(label, *values)
    return transcript


def _play(operation: str, field: str) -> dict[int, Any]:
    """The faults, when the cheat binds its proofs of this operation to another `field`."""
    scene, seed, _ = OPERATIONS[operation]
    hub = game_hub(SCENES[scene], 3, seed)
    dealer = hub.seats[CHEAT].cards
    honest, bent = dealer.bind, []

    def bind(seat: int, named: str, slots: tuple[int, ...]) -> Transcript:
        if (seat, named) != (CHEAT, operation):
            return honest(seat, named, slots)
        bent.append(named)
        return _bent(dealer, field, seat, named, slots)

    dealer.bind = bind  # type: ignore[method-assign]
    hub.run()
    assert bent, "the scene has no such proof"
    return hub.faults


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_proof_bound_as_it_should_be_is_accepted(operation: str) -> None:
    """Control: proofs that are bound as they should be are accepted."""
    assert not _play(operation, "")


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_proof_bound_to_something_else_is_refused(operation: str, field: str) -> None:
    """A seat shows a valid proof from elsewhere: another version, table, history, step, seat, act,
    card or set of keys.

    Answer: all of these are in the hash behind every proof, and each alone makes it fail.
    """
    faults = _play(operation, field)
    for honest in (0, 2):
        assert faults[honest].error.verdict == OPERATIONS[operation][2]
        assert faults[honest].error.seat == CHEAT

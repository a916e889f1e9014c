"""Wrong, copied, cancelling shares and transfers; what is published names who published it."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.crypto.elgamal import pack_ciphers, unpack_ciphers
from p2p.crypto.group import GENERATOR, POINT_BYTES, add, decode_points, sub
from tests.protocol.cheats import CHEAT, acquit, bend_payload, convict, intrude, signed
from tests.protocol.kit import Hub, game_hub
from tests.protocol.scenes import SCENES

PUBLISHED = [("dealt", "deal"), ("opened", "open"), ("tossed", "coin")]


def _points(shares: bytes) -> list[bytes]:
    return decode_points(shares, len(shares) // POINT_BYTES)


@pytest.mark.parametrize(("scene", "kind"), PUBLISHED)
def test_a_wrong_share_is_refused(scene: str, kind: str) -> None:
    """A seat gives a wrong part of the key to a card, so that nobody can read it, or it reads as
    another card.

    Answer: each part comes with a proof; the seat is named.
    """
    hub = game_hub(SCENES[scene], 3)

    def change(payload: Any) -> Any:
        first, *rest = _points(payload["shares"])
        return {**payload, "shares": b"".join([add(first, GENERATOR), *rest])}

    bend_payload(hub, kind, change)
    convict(hub, "bad-share")


@pytest.mark.call(
    "p2p.protocol.acts.sharing:publish -> given[seat].verify",
    "p2p.protocol.acts.sharing:Release.verify -> dleq.verify_shares",
)
def test_wrong_shares_that_cancel_out_are_refused() -> None:
    """A seat gives two wrong parts whose errors cancel out in a plain sum.

    Answer: one proof covers all parts with weights drawn from the whole message, so nothing
    cancels.
    """
    hub = game_hub(SCENES["dealt"], 3)

    def change(payload: Any) -> Any:
        first, second, *rest = _points(payload["shares"])
        bent = [add(first, GENERATOR), sub(second, GENERATOR), *rest]
        return {**payload, "shares": b"".join(bent)}

    bend_payload(hub, "deal", change)
    convict(hub, "bad-share")


def _published_by(hub: Hub, seat: int, kind: str) -> Any:
    """What a seat published, as far as anybody got it."""
    said = (entry for other in range(3) for entry in signed(hub, other))
    return next(entry.payload for entry in said if (entry.seat, entry.kind) == (seat, kind))


@pytest.mark.parametrize(("scene", "kind"), [("opened", "open"), ("tossed", "coin")])
def test_copied_shares_are_refused(scene: str, kind: str) -> None:
    """A seat waits for the parts of another seat and sends them as its own.

    Answer: refused: the proof names its seat and its key.
    """
    hub = game_hub(SCENES[scene], 3)
    bend_payload(hub, kind, lambda _: _published_by(hub, 0, kind))
    convict(hub, "bad-share")


def test_a_share_too_many_is_malformed() -> None:
    """A seat sends a part for one card more than was asked for.

    Answer: malformed.
    """
    hub = game_hub(SCENES["dealt"], 3)
    bend_payload(hub, "deal", lambda p: {**p, "shares": p["shares"] + p["shares"][:POINT_BYTES]})
    convict(hub, "malformed")


@pytest.mark.parametrize("kind", ["hand-over", "put-back"])
@pytest.mark.call(
    "p2p.protocol.acts.moving:_move -> moves[seat].verify",
    "p2p.protocol.acts.moving:Moves.verify -> verify_transfer",
)
def test_a_card_that_changes_on_its_way_is_refused(kind: str) -> None:
    """A seat hands over a card, or puts one back, and it is another card when it arrives.

    Answer: the proof of the transfer fails.
    """
    hub = game_hub(SCENES["handed-over"], 3)

    def change(payload: Any) -> Any:
        ((a, b),) = unpack_ciphers(payload["deck"], 1)
        return {**payload, "deck": pack_ciphers([(a, add(b, GENERATOR))])}

    bend_payload(hub, kind, change)
    convict(hub, "bad-transfer")


@pytest.mark.check("entry.late")
@pytest.mark.call("p2p.protocol.machine:Machine._contradicts -> check_late")
def test_a_second_look_at_a_shown_slot_is_refused() -> None:
    """A card was shown to seat 0, and the cheat sends its part once more, so that others send
    theirs to it.

    Answer: nobody asked for it: an illegal move, and no honest part leaves for that card again.
    """
    hub = game_hub(SCENES["shown"], 3)

    def look_too(view: Any, question: Any) -> object:
        show = next(e for e in signed(hub, 0) if (e.seat, e.kind) == (CHEAT, "deal"))
        intrude(hub, "deal", show.payload)
        return 0

    hub.chooser = look_too
    convict(hub, "illegal-move")
    shares = {(entry.step, entry.seat) for seat in (0, 2) for entry in signed(hub, seat)}
    assert {seat for step, seat in shares if step > 4} <= {0, CHEAT}


@pytest.mark.slow
def test_the_scenes_are_played_by_honest_seats() -> None:
    """Control: the scenes of these tests are played to the end by honest seats."""
    for name, seed in [("opened", 1), ("dealt", 1), ("tossed", 1), ("handed-over", 1)]:
        acquit(game_hub(SCENES[name], 3, seed))

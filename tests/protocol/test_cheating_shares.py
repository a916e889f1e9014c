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
    hub = game_hub(SCENES[scene], 3)

    def change(payload: Any) -> Any:
        first, *rest = _points(payload["shares"])
        return {**payload, "shares": b"".join([add(first, GENERATOR), *rest])}

    bend_payload(hub, kind, change)
    convict(hub, "bad-share")


def test_wrong_shares_that_cancel_out_are_refused() -> None:
    """Their plain sum is right: the weights, drawn from the whole message, tell."""
    hub = game_hub(SCENES["dealt"], 3)

    def change(payload: Any) -> Any:
        first, second, *rest = _points(payload["shares"])
        bent = [add(first, GENERATOR), sub(second, GENERATOR), *rest]
        return {**payload, "shares": b"".join(bent)}

    bend_payload(hub, "deal", change)
    convict(hub, "bad-share")


def _published_by(hub: Hub, seat: int, kind: str) -> Any:
    """What a seat published, as far as anybody has it."""
    said = (entry for other in range(3) for entry in signed(hub, other))
    return next(entry.payload for entry in said if (entry.seat, entry.kind) == (seat, kind))


@pytest.mark.parametrize(("scene", "kind"), [("opened", "open"), ("tossed", "coin")])
def test_copied_shares_are_refused(scene: str, kind: str) -> None:
    hub = game_hub(SCENES[scene], 3)
    bend_payload(hub, kind, lambda _: _published_by(hub, 0, kind))
    convict(hub, "bad-share")


def test_a_share_too_many_is_malformed() -> None:
    hub = game_hub(SCENES["dealt"], 3)
    bend_payload(hub, "deal", lambda p: {**p, "shares": p["shares"] + p["shares"][:POINT_BYTES]})
    convict(hub, "malformed")


@pytest.mark.parametrize("kind", ["hand-over", "put-back"])
def test_a_card_that_changes_on_its_way_is_refused(kind: str) -> None:
    hub = game_hub(SCENES["handed-over"], 3)

    def change(payload: Any) -> Any:
        ((a, b),) = unpack_ciphers(payload["deck"], 1)
        return {**payload, "deck": pack_ciphers([(a, add(b, GENERATOR))])}

    bend_payload(hub, kind, change)
    convict(hub, "bad-transfer")


@pytest.mark.check("entry.late")
def test_a_second_look_at_a_shown_slot_is_refused() -> None:
    """The slot was shown to seat 0.  Nobody asked for another look: no share leaves for it."""
    hub = game_hub(SCENES["shown"], 3)

    def look_too(view: Any, question: Any) -> object:
        show = next(e for e in signed(hub, 0) if (e.seat, e.kind) == (CHEAT, "deal"))
        intrude(hub, "deal", show.payload)
        return 0

    hub.chooser = look_too
    convict(hub, "illegal-move")
    shares = {(entry.step, entry.seat) for seat in (0, 2) for entry in signed(hub, seat)}
    assert {seat for step, seat in shares if step > 3} <= {0, CHEAT}


def test_the_scenes_are_played_by_honest_seats() -> None:
    for name, seed in [("opened", 1), ("dealt", 1), ("tossed", 1), ("handed-over", 1)]:
        acquit(game_hub(SCENES[name], 3, seed))

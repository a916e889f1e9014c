"""Seats that leave for good and cheat while they do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.lost import Lost
from p2p.crypto.elgamal import CIPHER_BYTES, pack_ciphers, unpack_ciphers
from p2p.crypto.group import GENERATOR, POINT_BYTES, add, sub
from p2p.protocol.entry import Entry
from tests.protocol.cheats import bend_entry, bend_payload, convict, sign_again
from tests.protocol.kit import Hub
from tests.vectors.scenes import known_scenes
from tests.vectors.tables import LEAVING, PLANS, STAGED, left_table, sit_down

FAREWELL = "p2p.protocol.acts.farewell"


@pytest.fixture(autouse=True)
def scenes() -> Iterator[None]:
    with known_scenes():
        yield


def table(name: str) -> Hub:
    """A table that seat 1 leaves."""
    return sit_down(LEAVING[name])


@pytest.mark.check("leave.payload")
@pytest.mark.parametrize("said", [0, b"", {}, []])
def test_a_leaver_that_says_more_is_malformed(said: object) -> None:
    """A seat that leaves adds something of its own to its entry, which nobody checks and others may
    misread.

    Answer: the entry has to say nil there; anything else is malformed.
    """
    hub = table("left-first")
    bend_payload(hub, "leave", lambda _: said)
    convict(hub, "malformed")


@pytest.mark.check("farewell.parts")
@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("left-turn", {"released": {"shares": b"", "proof": bytes(64)}}),
        ("left-two", {"put_back": {"deck": b"", "proofs": b""}}),
    ],
)
def test_a_part_of_a_farewell_that_is_not_owed_is_malformed(
    name: str, part: dict[str, Any]
) -> None:
    """A seat that leaves adds a part about cards that are not there.

    Answer: each part has to be there if there are such cards, and must not be there otherwise.
    """
    hub = table(name)
    bend_payload(hub, "farewell", lambda payload: {**payload, **part})
    convict(hub, "malformed")


@pytest.mark.check("farewell.parts")
@pytest.mark.parametrize("part", ["released", "put_back"])
def test_a_part_of_a_farewell_that_is_missing_is_malformed(part: str) -> None:
    """A seat that leaves keeps its key on the cards.

    Answer: malformed; without it the others could open no card any more.
    """
    hub = table("left-first")
    bend_payload(hub, "farewell", lambda payload: {**payload, part: None})
    convict(hub, "malformed")


@pytest.mark.call(
    f"{FAREWELL}:farewell -> act.verify",
    f"{FAREWELL}:_Farewell.verify -> self._release.verify",
)
def test_a_leaver_that_takes_wrong_layers_off_is_refused() -> None:
    """A seat removes its layer wrongly from two cards of the stock, with errors that cancel out in
    a plain sum: the two would become other cards, or no cards at all.

    Answer: all layers come with one proof, with weights drawn from the whole message.
    """
    hub = table("left-first")

    def change(payload: Any) -> Any:
        shares = payload["released"]["shares"]
        first, second = shares[:POINT_BYTES], shares[POINT_BYTES : 2 * POINT_BYTES]
        bent = add(first, GENERATOR) + sub(second, GENERATOR) + shares[2 * POINT_BYTES :]
        return {**payload, "released": {**payload["released"], "shares": bent}}

    bend_payload(hub, "farewell", change)
    convict(hub, "bad-share")


@pytest.mark.call(f"{FAREWELL}:_Farewell.verify -> self._moves.verify")
def test_a_leaver_that_puts_back_another_card_is_refused() -> None:
    """A seat exchanges the cards of its hand while it puts them back.

    Answer: each card comes with a proof that it stays the same.
    """
    hub = table("left-first")

    def change(payload: Any) -> Any:
        back = payload["put_back"]
        first, second, *rest = unpack_ciphers(back["deck"], len(back["deck"]) // CIPHER_BYTES)
        deck = pack_ciphers([second, first, *rest])
        return {**payload, "put_back": {**back, "deck": deck}}

    bend_payload(hub, "farewell", change)
    convict(hub, "bad-transfer")


@pytest.mark.parametrize(("plan", "kind"), [("flip-over", "deal"), ("flop-a", "lay-all")])
def test_nobody_leaves_at_an_act_of_the_dealer(plan: str, kind: str) -> None:
    """A seat leaves while a card is dealt: others may have released their shares of it already.

    Answer: an illegal move: a seat can leave only where a decision is asked for.
    """
    hub = sit_down(PLANS[plan])
    _leave_at(hub, kind)
    convict(hub, "illegal-move")


def test_nobody_leaves_a_game_that_cannot_go_on_without_a_player() -> None:
    """A seat leaves a game whose rules say nothing of lost players.

    Answer: an illegal move.  The seat can still simply stay away, as at any table.
    """
    hub = sit_down(STAGED["merged"])
    _leave_at(hub, "play")
    convict(hub, "illegal-move")


def _leave_at(hub: Hub, kind: str) -> None:
    def leave(entry: Entry) -> list[bytes]:
        return [sign_again(entry.record, kind="leave", payload=None)]

    bend_entry(hub, kind, leave)


def test_a_leaver_that_decides_as_well_is_convicted() -> None:
    """A seat leaves, and answers the same question.

    Answer: two entries for one step are equivocation.
    """
    hub = table("left-first")

    def both(entry: Entry) -> list[bytes]:
        return [entry.record, sign_again(entry.record, kind="choose", payload=0)]

    bend_entry(hub, "leave", both)
    convict(hub, "equivocation")


@pytest.mark.parametrize("name", LEAVING)
def test_honest_leavers_are_believed(name: str) -> None:
    """Control: the tables of these tests are left by honest seats."""
    hub = left_table(name)
    assert not hub.faults
    lost = [one for one in hub.seats[0].session.journal if isinstance(one, Lost)]
    assert lost
    assert (len(lost) == 2) == (name in ("left-two", "left-last", "left-fresh"))

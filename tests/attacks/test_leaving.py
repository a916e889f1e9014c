"""A player who leaves for good, and cheats while it does so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from engine.question import Question
from p2p.crypto.elgamal import unpack_ciphers
from p2p.crypto.group import POINT_BYTES, add, decode_points
from p2p.protocol.entry import Entry
from p2p.protocol.step import LEAVE
from tests.attacks.crook import CROOK, Crook, acquit, convict, sit_down

Payload = dict[str, Any]


async def leaves(view: Any, question: Question[Any]) -> object:
    """The crook leaves at its first decision; the others play whatever they may."""
    return LEAVE if view.seat == CROOK else question.decisions(view)[0]


def a_share_changed(payload: Payload) -> Payload:
    released = payload["released"]
    first, *rest = decode_points(released["shares"], len(released["shares"]) // POINT_BYTES)
    bent = {**released, "shares": b"".join([add(first, first), *rest])}
    return {**payload, "released": bent}


def a_card_in_place_of_another(payload: Payload) -> Payload:
    back = payload["put_back"]
    count = len(back["deck"]) // (2 * POINT_BYTES)
    assert len(unpack_ciphers(back["deck"], count)) == count > 1
    one, rest = back["deck"][: 2 * POINT_BYTES], back["deck"][2 * POINT_BYTES :]
    other, more = rest[: 2 * POINT_BYTES], rest[2 * POINT_BYTES :]
    return {**payload, "put_back": {**back, "deck": other + one + more}}


def nothing_put_back(payload: Payload) -> Payload:
    return {**payload, "put_back": None}


FALSE: dict[str, tuple[Callable[[Payload], Payload], str]] = {
    "a false share": (a_share_changed, "bad-share"),
    "two cards of the hand change places": (a_card_in_place_of_another, "bad-transfer"),
    "the hand is kept": (nothing_put_back, "malformed"),
}


async def test_a_seat_that_leaves_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: the leaver of these tests bends nothing, and the others have a complete log."""
    acquit(await sit_down(tmp_path, monkeypatch, Crook(script=leaves), "flip-over"))


@pytest.mark.parametrize("bent", FALSE)
async def test_a_false_farewell(bent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who leaves takes its key out of the cards wrongly: it changes a share, puts another
    card back than it held, or keeps its hand.

    Answer: every honest machine checks the farewell before anything else happens, stops, and
    names the leaver with evidence.
    """
    change, verdict = FALSE[bent]
    crook = Crook(script=leaves)
    crook.bend_payload("farewell", change)
    convict(await sit_down(tmp_path, monkeypatch, crook, "flaps", level=1), verdict)


async def test_who_leaves_says_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player puts something into the entry by which it leaves.

    Answer: malformed, and the player is named.
    """
    crook = Crook(script=leaves)
    crook.bend_payload("leave", lambda _: {"slot": 1})
    convict(await sit_down(tmp_path, monkeypatch, crook, "sneak"), "malformed")


async def test_who_leaves_for_one_and_stays_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the same step, a player tells one seat that it leaves, and sends an answer to another.

    Answer: two different entries for one step convict whoever signed them, as always.
    """
    crook = Crook(script=leaves)

    def two_things(entry: Entry) -> list[bytes]:
        other = crook.sign(entry.record, kind="lay-set")
        crook.flood([entry.record, other])
        return []

    crook.sends["leave"] = two_things
    convict(await sit_down(tmp_path, monkeypatch, crook, "sneak"), "equivocation")


async def test_who_has_left_signs_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who has left signs an entry for the next step all the same.

    Answer: nobody asked for it: an illegal move, since the log says that the player had left.
    """
    crook = Crook(script=leaves)

    async def sign_on(entry: Entry) -> None:
        chain = crook.table.machine.chain
        while chain.step == entry.step:
            await trio.lowlevel.checkpoint()
        crook.flood([crook.sign(entry.record, step=chain.step, previous=chain.head)])

    def says(entry: Entry) -> list[bytes]:
        assert crook.nursery is not None
        crook.nursery.start_soon(sign_on, entry)
        return [entry.record]

    crook.sends["farewell"] = says
    convict(await sit_down(tmp_path, monkeypatch, crook, "sneak"), "illegal-move")

"""Cheating in what a seat signs: shuffles, shares, cards, oaths, choices (protocol section 6)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p.crypto.commitment import NONCE_BYTES
from p2p.crypto.elgamal import Cipher, card_point, pack_ciphers, unpack_ciphers
from p2p.crypto.group import GENERATOR, POINT_BYTES, SCALAR_BYTES, add, decode_points, sub
from p2p.crypto.shuffle import OfflinePart
from p2p.player.events import Noted
from p2p.protocol.acts import choosing, laying
from p2p.protocol.cards import Cards
from p2p.protocol.context import bind
from p2p.protocol.entry import STATE_BYTES, Chain, Entry, decode_entry
from p2p.protocol.table import GameTable
from tests.attacks.crook import CROOK, Crook, Evening, acquit, convict, nothing, sit_down
from tests.protocol.kit import seeded
from tests.protocol.scenes import low
from tests.protocol.test_cheating_plays import swear_anything
from tests.protocol.verbs import DECK

Deck = list[Cipher]


def shuffled_again(payload: Any, bent: Callable[[Deck], Deck]) -> Any:
    deck = unpack_ciphers(payload["deck"], len(DECK))
    return {**payload, "deck": pack_ciphers(bent(deck))}


DECKS: dict[str, Callable[[Deck], Deck]] = {
    "duplicate card": lambda deck: [deck[1], *deck[1:]],
    "foreign card": lambda deck: [
        (deck[0][0], add(deck[0][1], card_point("another deck", 0))),
        *deck[1:],
    ],
    "wrong permutation": lambda deck: [deck[1], deck[0], *deck[2:]],
}


async def test_a_crook_who_bends_nothing_is_not_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: if the crook of these tests bends nothing, nobody notices it."""
    acquit(await sit_down(tmp_path, monkeypatch, Crook(), "test-verbs"))


@pytest.mark.parametrize("bent", DECKS)
async def test_bad_shuffles(bent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player's modified program makes a false shuffle at a real table.

    Answer: all honest machines stop before a card is seen, and each writes an evidence file that
    anybody can check.
    """
    crook = Crook()
    crook.bend_payload("shuffle", lambda payload: shuffled_again(payload, DECKS[bent]))
    evening = await sit_down(tmp_path, monkeypatch, crook, "opened")
    convict(evening, "bad-shuffle")


def bent_end(proof: bytes) -> bytes:
    """One bit of the last scalar is flipped; it stays below the group order."""
    return proof[:-1] + bytes([proof[-1] ^ 1])


async def test_a_bad_shuffle_of_flip_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same in a real game, with one bit of a proof changed.

    Answer: the cheat is named.
    """
    crook = Crook()
    crook.bend_payload("shuffle", lambda p: {**p, "proof": bent_end(p["proof"])})
    convict(await sit_down(tmp_path, monkeypatch, crook, "flip-over"), "bad-shuffle")


async def test_a_proof_made_for_another_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player shows a proof that it made for another table.

    Answer: refused: every proof names its table.
    """

    def begin(table: GameTable) -> None:
        dealer, other = table.cards, Chain(bytes(32))

        def elsewhere(seat: int, operation: str, slots: Any) -> Any:
            other.head, other.step = dealer.chain.head, dealer.chain.step
            return bind(
                other if seat == CROOK else dealer.chain, dealer.keys, seat, operation, slots
            )

        dealer.bind = elsewhere  # type: ignore[method-assign]

    crook = Crook(begins=begin)
    convict(await sit_down(tmp_path, monkeypatch, crook, "opened"), "bad-shuffle")


async def test_an_offline_part_used_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player uses prepared randomness for two shuffles.

    Answer: the second one is refused, and the player is named.
    """

    def begin(table: GameTable) -> None:
        parts = table.cards.parts
        real = parts.take

        def take(count: int, key: Any) -> OfflinePart:
            again = OfflinePart.prepare(count, key, seeded("the same part"))
            return real(count, key) if count == len(DECK) else again

        parts.take = take  # type: ignore[method-assign]

    crook = Crook(begins=begin)
    convict(await sit_down(tmp_path, monkeypatch, crook, "reshuffled"), "bad-shuffle")


async def test_a_copied_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player repeats the shuffle of the seat before it, deck and proof, as its own.

    Answer: refused.
    """
    crook = Crook()
    crook.bend_payload("shuffle", lambda _: decode_entry(crook.table.machine.records[0][0]).payload)
    convict(await sit_down(tmp_path, monkeypatch, crook, "opened"), "bad-shuffle")


def _bent_shares(payload: Any, *gaps: int) -> Any:
    shares = decode_points(payload["shares"], len(payload["shares"]) // POINT_BYTES)
    move = {1: add, -1: sub}
    bent = [move[gap](share, GENERATOR) for gap, share in zip(gaps, shares, strict=False)]
    return {**payload, "shares": b"".join([*bent, *shares[len(gaps) :]])}


@pytest.mark.parametrize("gaps", [(1,), (1, -1)], ids=["bad share", "wrong shares that cancel out"])
async def test_bad_shares(
    gaps: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player gives false shares of the keys to cards, some with errors that cancel out.

    Answer: each share is proven, all together with a weight for each; the player is named.
    """
    crook = Crook()
    crook.bend_payload("deal", lambda payload: _bent_shares(payload, *gaps))
    convict(await sit_down(tmp_path, monkeypatch, crook, "dealt"), "bad-share")


def _decide_badly(crook: Crook, kind: str, fits: Callable[[Any], bool]) -> None:
    """When it plays, lay the first card that `fits`, whatever is asked."""

    def craft(view: Any, question: Any) -> None:
        dealer = crook.table.cards
        cards = {slot: dealer.slots.card(number) for slot, number in dealer.slots.own.items()}
        wanted = [slot for slot, card in sorted(cards.items()) if fits(card)]
        if wanted and any(low(card) for card in cards.values()):
            hand = laying.Hand(dealer, CROOK, tuple(question.zone))
            payload = laying.make_laid(dealer, hand, question, wanted[0])
            crook.bend_payload(kind, lambda _: payload)

    crook.decides = craft


async def _until_convicted(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    scene: str,
    verdict: str,
    make: Callable[[], Crook],
) -> None:
    """The cards are random: deal again until the crook's hand lets it cheat."""
    for attempt in range(12):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        crook = make()
        evening = await sit_down(folder, monkeypatch, crook, scene)
        if "play" in crook.sends:
            convict(evening, verdict)
            return
        acquit(evening)
    raise AssertionError("twelve hands in which it was impossible to cheat")


async def test_an_illegal_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player's modified program lays a card that the rules forbid.

    Answer: every other machine knows the rules, and names the player.
    """

    def make() -> Crook:
        crook = Crook()
        _decide_badly(crook, "play", lambda card: not low(card))
        return crook

    await _until_convicted(tmp_path, monkeypatch, "laid-low-if-held", "illegal-move", make)


@pytest.mark.parametrize("sworn", [False, True], ids=["revoke", "false oath"])
async def test_revokes(sworn: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player could follow suit but does not, and swears no oath or a false one.

    Answer: both are refused: an oath is a proof about the hidden hand.
    """
    swear_anything(monkeypatch)

    def make() -> Crook:
        crook = Crook()
        _decide_badly(crook, "play", lambda card: not low(card))
        if not sworn:
            bend = crook.bend_payload
            crook.bend_payload = lambda kind, change: bend(  # type: ignore[method-assign]
                kind, lambda payload: {**change(payload), "oath": None}
            )
        return crook

    verdict = "bad-oath" if sworn else "illegal-move"
    await _until_convicted(tmp_path, monkeypatch, "followed", verdict, make)


async def test_an_oath_with_challenges_out_of_range(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player puts a number out of range into an oath that is otherwise valid.

    Answer: refused.
    """

    def make() -> Crook:
        crook = Crook()

        def widen(entry: Entry) -> list[bytes]:
            sworn = entry.payload["oath"]
            if sworn is None:
                return [entry.record]
            wide = {**entry.payload, "oath": sworn[:-SCALAR_BYTES] + b"\xff" * SCALAR_BYTES}
            crook.sends["play"] = widen
            crook.sends["cheated"] = nothing
            return [crook.sign(entry.record, payload=wide)]

        crook.sends["play"] = widen
        return crook

    for attempt in range(12):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        crook = make()
        evening = await sit_down(folder, monkeypatch, crook, "followed-one")
        if "cheated" in crook.sends:
            convict(evening, "bad-oath")
            return
    raise AssertionError("twelve hands without an oath")


async def test_a_copied_commitment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player repeats what seat 0 sealed, waits for seat 0 to open it, and repeats that.

    Answer: a seal names its seat; the copy is a forfeit, and both honest players are told.
    """
    repeated = ("commit", "reveal", "close")
    crook = Crook(sends=dict.fromkeys(repeated, nothing))

    def repeat(entry: Entry) -> list[bytes]:
        copied = entry.seat == 0 and entry.kind in repeated
        return [crook.sign(entry.record, seat=CROOK)] if copied else []

    crook.hears = repeat
    _forfeited(await sit_down(tmp_path, monkeypatch, crook, "chosen-together"))


async def test_a_wrong_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player opens a choice other than the one it sealed.

    Answer: it counts as none, all are told, and the game goes on. Remains: the player who opens
    last may prefer that; in no game is it worth it.
    """
    crook, honest = Crook(), choosing.recall

    def forget(cards: Cards, committed_at: int) -> tuple[bytes, Any]:
        nonce, choice = honest(cards, committed_at)
        return bytes(NONCE_BYTES) if cards is crook.table.cards else nonce, choice

    monkeypatch.setattr(choosing, "recall", forget)
    _forfeited(await sit_down(tmp_path, monkeypatch, crook, "chosen-together"))


def _forfeited(evening: Evening) -> None:
    """The game went on without the crook's choice, and both honest players were told."""
    acquit(evening)
    for seat in (0, 2):
        notes = [event.note for event in evening.players[seat].events if isinstance(event, Noted)]
        assert ("forfeit", CROOK) in notes


async def test_a_refused_opening_stops_nobody_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player opens its secret choice only after it has seen the other player's.

    Answer: the choice was sealed before, so nothing is gained; the table waits, and goes on when
    the opening comes. Remains: if it never comes, the table waits for ever.
    """
    withheld: list[bytes] = []
    released = trio.Event()

    def withhold(entry: Entry) -> list[bytes]:
        withheld.append(entry.record)
        return []

    crook = Crook(sends={"reveal": withhold})

    def give_in(entry: Entry) -> list[bytes]:
        if not withheld or entry.kind != "reveal" or released.is_set():
            return []
        released.set()
        return [withheld[0]]

    crook.hears = give_in
    acquit(await sit_down(tmp_path, monkeypatch, crook, "chosen-together"))
    assert released.is_set()


async def test_a_second_look_at_a_shown_slot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a card was shown to seat 0, a player sends its share again, so that the others repeat
    theirs.

    Answer: an illegal move; nobody sends anything.
    """
    crook = Crook()

    def look(entry: Entry) -> list[bytes]:
        if entry.kind != "choose":
            return []
        mine = [e for e in _heard(crook) if (e.seat, e.kind) == (CROOK, "deal")]
        again = crook.sign(
            mine[0].record, step=entry.step, previous=entry.previous, state=entry.state
        )
        return [again]

    crook.hears = look
    convict(await sit_down(tmp_path, monkeypatch, crook, "shown"), "illegal-move")


def _heard(crook: Crook) -> list[Entry]:
    return [decode_entry(r) for records in crook.table.machine.records for r in records]


async def test_equivocation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player signs two different choices for one step and sends both to all.

    Answer: two signatures for one step are a proof against it.
    """
    crook = Crook()
    crook.sends["choose"] = lambda entry: [
        entry.record,
        crook.sign(entry.record, payload=1 - entry.payload),
    ]
    convict(await sit_down(tmp_path, monkeypatch, crook, "chosen"), "equivocation")


async def test_two_bodies_to_two_peers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player tells each of the others something different.

    Answer: the others pass on what they hear, find out, and hold both signatures. Remains: if the
    two versions say who gets the next card, that one card may be read, but it is never played.
    """
    crook = Crook()
    crook.sends["choose"] = lambda entry: crook.tell_two_things(entry, 1 - entry.payload)
    convict(await sit_down(tmp_path, monkeypatch, crook, "chosen"), "equivocation")


async def test_another_state_of_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player signs a false state of the table.

    Answer: every entry carries a fingerprint of the table; the player is named.
    """
    crook = Crook()
    crook.sends["deal"] = lambda entry: [crook.sign(entry.record, state=bytes(STATE_BYTES))]
    convict(await sit_down(tmp_path, monkeypatch, crook, "dealt"), "state-mismatch")


async def test_replayed_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player repeats everything it ever received or sent, again and again.

    Answer: nothing happens: an entry that has arrived already does not count again.
    """
    crook, said = Crook(), []

    def again(entry: Entry) -> list[bytes]:
        said.append(entry.record)
        return said[-20:]

    for kind in ("shuffle", "deal", "play", "coin"):
        crook.sends[kind] = again
    crook.hears = again
    acquit(await sit_down(tmp_path, monkeypatch, crook, "followed"))

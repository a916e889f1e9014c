"""Faults of the product, planted on purpose: the worlds have to find each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch
from weakref import WeakKeyDictionary

from p2p.crypto import group
from p2p.crypto.group import Point
from p2p.errors import PeerError
from p2p.files import seat_items, seat_memory, storage
from p2p.protocol import step_kinds
from p2p.protocol.absence.poll import Poll
from p2p.protocol.absence.vote import sign_vote
from p2p.protocol.absence.voting import Voting
from p2p.protocol.acts import sharing, shuffling
from p2p.protocol.ballot import Ballots
from p2p.protocol.cards import Cards
from p2p.protocol.effects import Write
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.machine import Machine
from p2p.protocol.step import Program
from p2p.seat.catch_up import MORE, CatchingUp
from p2p.seat.going_on import GoingOn, Links
from p2p.seat.runner import Runner


@contextmanager
def sign_before_sync() -> Iterator[None]:
    """What is to be written counts as written as soon as it is asked for."""

    def write(self: Any, machine: Machine, effect: Write) -> None:
        self._stage.write(effect)
        self.desk.save(lambda files: files.write(effect))
        machine.wrote(effect.number)

    with patch.object(Runner, "_write", write):
        yield


@contextmanager
def forget_a_nonce() -> Iterator[None]:
    """The secret behind a commitment is not written."""
    written = seat_memory.written_item

    def without(asked: Write, *upon: Sequence[bytes]) -> list[object]:
        kind, record, _, *rest = written(asked, *upon)
        return [kind, record, None, *rest]

    with patch.object(storage, "written_item", without):
        yield


@contextmanager
def accept_a_late_body() -> Iterator[None]:
    """A second body for a step that is not over takes the place of the first."""
    contradicts = Machine._contradicts

    def forgets(self: Any, entry: Entry) -> bool:
        if entry.step < self.chain.step:
            return contradicts(self, entry)
        return False

    with patch.object(Machine, "_contradicts", forgets):
        yield


@contextmanager
def splice_a_torn_file() -> Iterator[None]:
    """What a crash left of an item is neither cut off nor noticed: the next one follows it."""
    with patch.object(seat_items, "sound_size", len), patch.object(storage, "sound_size", len):
        yield


@contextmanager
def pass_on_an_unsigned_frame() -> Iterator[None]:
    """A record is passed on whatever its signature is."""
    record = Runner._record

    def passes_on(self: Any, peer: bytes, data: bytes) -> None:
        try:
            record(self, peer, data)
        except PeerError as error:
            if error.verdict == "bad-signature":
                self._forwarding.pass_on(decode_entry(data), peer)
            raise

    with patch.object(Runner, "_record", passes_on):
        yield


@contextmanager
def count_a_vote_twice() -> Iterator[None]:
    """A seat that has cast its own ballot needs one fewer of the others."""

    def unanimous(
        ballots: Ballots, owed: Sequence[int], missing: Sequence[int]
    ) -> tuple[bytes, ...]:
        cast = ballots.all()
        needed = len(missing) * (len(owed) - len(missing))
        return tuple(cast) if cast and len(cast) + 1 >= needed else ()

    closed_without = Runner._closed_without

    def closed(self: Any, machine: Machine) -> bool:
        with patch.object(Ballots, "unanimous", unanimous):
            return closed_without(self, machine)

    with patch.object(Runner, "_closed_without", closed):
        yield


@contextmanager
def count_a_vote_before_it_is_written() -> Iterator[None]:
    """A vote counts, and leaves, as soon as it is to be written."""

    def speak(self: Any, then: Callable[[], None]) -> None:
        for poll in list(self._polls.values()) if self._own is not None else ():
            choice = poll.next_vote()
            if choice is not None:
                vote = sign_vote(self._own.identity, poll.place, self._own.seat, *choice)
                self._agenda.write("vote", vote.record, None, lambda: None)
                self._written(vote, then)

    with patch.object(Voting, "speak", speak):
        yield


@contextmanager
def complete_a_step_beside_an_open_vote() -> Iterator[None]:
    """The last entry of a step is taken although this seat has voted to go on without it."""
    with patch.object(Poll, "may_complete", property(lambda self: self._ended is None)):
        yield


@contextmanager
def miss_who_is_out() -> Iterator[None]:
    """Whoever is voted out is missed until the key is out of the cards."""
    noted = GoingOn._note

    def all_of_them(self: Any, links: Links) -> None:
        noted(self, self._links())

    with patch.object(GoingOn, "_note", all_of_them):
        yield


@contextmanager
def verify_no_shuffle() -> Iterator[None]:
    """Neither a seat nor the audit verifies the proof of a shuffle."""
    with patch.object(shuffling, "verify_chain", lambda *given: None):
        yield


@contextmanager
def count_told_while_behind() -> Iterator[None]:
    """A seat that came back counts a peer's "that was all" before it has come as far as that peer.

    So it signs steps of which the others have its entries already.
    """
    note_told = CatchingUp.note_told

    def counts(self: Any, peer: bytes, payload: bytes, running: Machine | None) -> bool:
        new = note_told(self, peer, payload, running)
        machine, step = self._place(payload)
        if machine is not None and machine is running and step < MORE:
            self.told.add(peer)
            return True
        return new

    with patch.object(CatchingUp, "note_told", counts):
        yield


@contextmanager
def open_a_round_by_any_vote() -> Iterator[None]:
    """A vote opens its round, and all rounds before it, whoever has voted in those."""
    with patch.object(Poll, "_rounds", lambda self: (max(self._cast, default=0), Counter())):
        yield


@contextmanager
def keep_a_coin_for_later() -> Iterator[None]:
    """A loss at a coin makes its question void; the next coin has the old point."""
    kept: WeakKeyDictionary[Cards, tuple[Point, tuple[int, ...]]] = WeakKeyDictionary()

    def shares(cards: Cards, point: Point, tossed: tuple[int, ...]) -> Program[sharing.Shares]:
        point, before = kept.setdefault(cards, (point, tossed))
        seats = cards.keys.seats
        owed = {seat: [point] for seat in seats}
        given = yield from sharing.publish(cards, step_kinds.COIN, (), owed)
        missing = {seat: [point] for seat in before if seat not in seats}
        lost = (
            (yield from sharing.shares_of_lost(cards, step_kinds.COIN, missing)) if missing else {}
        )
        del kept[cards]
        first, *rest = tossed
        whole = group.add_all([given[first][0], *(shares[0] for shares in lost.values())])
        return {first: [whole], **{seat: given[seat] for seat in rest}}

    with patch.object(sharing, "_shares_of_coin", shares):
        yield


PLANTED: Final[dict[str, Callable[[], Any]]] = {
    "sign before sync": sign_before_sync,
    "forget a nonce": forget_a_nonce,
    "accept a late body": accept_a_late_body,
    "splice a torn file": splice_a_torn_file,
    "pass on an unsigned frame": pass_on_an_unsigned_frame,
    "count a vote twice": count_a_vote_twice,
    "verify no shuffle": verify_no_shuffle,
    "count TOLD while behind": count_told_while_behind,
}
"""Found by any worlds."""
PLANTED_IN_LOSSES: Final[dict[str, Callable[[], Any]]] = {
    "count a vote before it is written": count_a_vote_before_it_is_written,
    "complete a step beside an open vote": complete_a_step_beside_an_open_vote,
    "miss who is out": miss_who_is_out,
    "open a round by any vote": open_a_round_by_any_vote,
    "keep a coin for later": keep_a_coin_for_later,
}
"""Found by worlds in which seats are lost."""

"""Before the table: people sit down by invite, and everybody gets the same proposal.

The host has no power beyond inviting: each seat checks the proposal and signs it with the
header, or stays away.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from engine.errors import UsageError
from p2p import checks
from p2p.identity.keys import Identity, words
from p2p.lobby.admission import CROWDED, LATE, REMOVED, Admission
from p2p.lobby.plan import Seating, TablePlan, encode_plan, encode_proposal
from p2p.lobby.seats import Taken, decode_linked, encode_seats
from p2p.lobby.shown import Shown
from p2p.lobby.talk import LobbyTalk
from p2p.lobby.waiting import awaited, standing
from p2p.net.invite import why_not_in
from p2p.net.signed_addresses import (
    SignedAddresses,
    read_addresses,
)
from p2p.player.events import AtTheDoor, OtherVersion, Present, Waiting
from p2p.player.player import GetReady
from p2p.player.waits import AWAY_SECONDS, Awaited
from p2p.protocol.frame_kinds import HELLO, REFUSED, STRANGER, Handlers, Inbox
from p2p.protocol.proposal import SEATS_MAX, propose
from p2p.protocol.terms import Terms
from p2p.seat.desk import Desk
from p2p.seat.presence import Absences
from p2p.seat.reply import Reply
from p2p.seat.standstill import say_for_whom
from p2p.seat.timer import Timer
from p2p.text.names import free_name
from p2p.version import read_greeting

HOST_FRAMES_MAX: Final = 256
"""Frames that a guest takes from a host in `FRAMES_SECONDS` of the lobby; an honest one sends a
few, and two a second while people press ready and not ready."""
FRAMES_SECONDS: Final = 60.0
TELLS_SECONDS: Final = 0.5
"""How often at most everybody is told who is there; our own person reads own presses at once."""
CHANGE_SECONDS: Final = 2.0
"""The shortest time between two changes of the plan."""
DOOR_SECONDS: Final = 2.0
"""The shortest time between two lists of newcomers who wait, except after what the host does."""


@dataclass(slots=True)
class _Guest:
    name: str
    bot: bool
    addresses: SignedAddresses
    ready: bool
    linked: frozenset[bytes]
    told: bool = False
    """Whether it was told over this link what is planned."""

    @property
    def told_to_all(self) -> object:
        """What the others are told of it, except its key, its name and its link."""
        return self.bot, self.addresses, self.ready, self.linked


class HostLobby:
    """The host's side: seats whoever comes with the invite, first come, first seated.

    The table starts when all seats are taken and everybody is ready, including the host, who
    cannot start without a guest.  Until then the host may remove guests, have newcomers wait,
    or change the plan (`LobbyDoor`).  `on_plan` gets what is planned, now and whenever that
    changes; `on_free` is told whether a seat is free, each time that changes.
    """

    def __init__(
        self,
        desk: Desk,
        identity: Identity,
        token: bytes,
        plan: TablePlan,
        *,
        ready: bool = True,
        on_plan: Callable[[TablePlan], None] = lambda plan: None,
    ) -> None:
        plan.terms.check(plan.seats)
        self._desk: Final = desk
        self._token: Final = token
        self.plan = plan
        """What will be proposed, as long as nothing is."""
        self._changes_from = desk.now()
        """When the plan may be changed again."""
        self._key: Final = identity.public
        self._name: Final = identity.name
        self._bot: Final = identity.bot
        self._ready = ready
        self._guests: dict[bytes, _Guest] = {}
        self._away: Final = Absences[bytes](desk.now)
        """The guests without a link."""
        self._admission: Final = Admission[_Guest](desk.links.source)
        self._waiting: tuple[Present, ...] | None = None
        """Who waits, as last told to our own person."""
        self._door_tells_from = desk.now()
        self.left: Final[set[bytes]] = set()
        """The guests who have said that they leave, after all were ready."""
        self._seen = frozenset({self._key})
        self._shown: Final = Shown(desk, self._key)
        self._tells: Final = Timer(desk)
        self._tells_from = desk.now()
        """When the others may be told again who is there."""
        self._is_free = plan.seats > 1
        self._told_of_version = False
        self.on_free: Callable[[bool], None] = lambda free: None
        self._on_plan: Final = on_plan
        on_plan(plan)
        self.talk: Final = LobbyTalk(desk, identity, self._key, token, self.seats)
        self.started: Final[Reply[None]] = Reply()
        """Given once all seats are taken and everybody is ready."""

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken."""
        return len(self._guests) == self.plan.seats - 1

    @property
    def is_started(self) -> bool:
        """Whether all seats are taken and everybody is ready."""
        return self.started.is_given

    def inbox(self, others: Handlers[object]) -> Inbox[object]:
        """Takes the frames of whoever comes before the table: greetings, and what `others` take."""
        return Inbox(STRANGER, _greets, {HELLO: self.receive, **self.talk.handlers, **others})

    def receive(self, peer: bytes, payload: bytes) -> bool:
        """Somebody who wants to sit down greets; whether they have a seat now.

        PeerError for garbage.
        """
        fields = HELLO.read(payload)
        refusal = self._refusal(peer, fields)
        if refusal is not None:
            self._refuse(peer, refusal)
            self._tell_of_version(fields)
            return False
        said = (
            fields["bot"],
            read_addresses(self._token, peer, fields["addresses"]),
            fields["ready"] == self.plan.id,
            decode_linked(fields["linked"], SEATS_MAX),
        )
        if fields["ready"] is None:
            self._leave(peer)
            return False
        known = self._guests.get(peer)
        if known is None:
            return self._come(peer, _Guest(self._free_name(peer, fields["name"]), *said))
        self._hear_again(peer, known, _Guest(known.name, *said))
        return True

    def _come(self, peer: bytes, guest: _Guest) -> bool:
        """A newcomer sits down, or waits; whether it has a seat."""
        if self._admission.admits(peer):
            self._seat(peer, guest)
            return True
        crowded_out = self._admission.wait(peer, guest)
        if crowded_out is not None:
            self._refuse(crowded_out, CROWDED)
        return False

    def _refuse(self, peer: bytes, sentence: str) -> None:
        self._desk.post(peer, REFUSED.make(sentence.encode()))

    # -- the door --------------------------------------------------------------------------

    def lock(self, *, by_hand: bool) -> None:
        """As in `LobbyDoor`."""
        self._admission.lock(by_hand, self._guests)
        if not by_hand:
            for key in [*self._admission.waiting]:
                self._let_in(key)

    def admit(self, fingerprint: str) -> bool:
        """As in `LobbyDoor`."""
        key = _key_of(fingerprint, self._admission.waiting)
        return key is not None and self._let_in(key)

    def _let_in(self, key: bytes) -> bool:
        if self.is_full or self.is_started:
            return False
        self._seat(key, self._admission.admit(key))
        self._tell_door()
        return True

    def remove(self, fingerprint: str) -> bool:
        """As in `LobbyDoor`."""
        key = _key_of(fingerprint, (*self._guests, *self._admission.waiting))
        if key is None or self.is_started:
            return False
        guest = self._unseat(key)
        self._admission.remove(key)
        self._refuse(key, REMOVED)
        self._tell_door()
        if guest is not None:
            self.talk.say(f"I have removed {guest.name} from this table.")
            self._changed()
        return True

    def change(self, terms: Terms, seats: int) -> None:
        """As in `LobbyDoor`."""
        if self.is_started:
            raise UsageError("the table is being signed: choose another game after this one")
        if self._desk.now() < self._changes_from:
            raise UsageError("the table was changed just now: leave the others time to read that")
        if seats <= len(self._guests):
            there = 1 + len(self._guests)
            raise UsageError(
                f"{there} players sit here already: remove one first, or leave {there} seats"
            )
        terms.check(seats)
        self.plan = TablePlan(terms, seats)
        self._changes_from = self._desk.now() + CHANGE_SECONDS
        for guest in self._guests.values():
            guest.ready = False
        self._on_plan(self.plan)
        self._announce()
        for key in self.informed():
            self._desk.post(key, encode_plan(self.plan))
        self._tell_all()

    def _announce(self) -> None:
        self._is_free = not self.is_full
        self.on_free(self._is_free)

    def _tell_door(self) -> None:
        """Tell the host's own person who waits, if that has changed."""
        waiting = tuple(
            Present(guest.name, words(key), guest.ready, guest.bot)
            for key, guest in self._admission.waiting.items()
        )
        if waiting != self._waiting:
            self._waiting = waiting
            self._door_tells_from = self._desk.now() + DOOR_SECONDS
            self._desk.tell(AtTheDoor(waiting, self))

    def _turn_away(self) -> None:
        """The table begins without those who still wait."""
        for key in [*self._admission.waiting]:
            del self._admission.waiting[key]
            self._refuse(key, LATE)

    # -- guests ----------------------------------------------------------------------------

    def _seat(self, peer: bytes, guest: _Guest) -> None:
        self._guests[peer] = guest
        self._tell(peer, guest)
        self._changed()

    def _hear_again(self, peer: bytes, guest: _Guest, said: _Guest) -> None:
        news = guest.told_to_all != said.told_to_all or peer in self._away
        if said.addresses != guest.addresses:
            # Another program with this identity, or the same one started anew.
            guest.addresses, guest.told = said.addresses, False
            self._desk.keep_newest(peer)
        if not self.is_started:
            guest.bot, guest.ready = said.bot, said.ready
            guest.linked = said.linked
            self._away.end(peer)
        if not guest.told:
            self._tell(peer, guest)
        if news:
            self._changed()

    def _leave(self, peer: bytes) -> None:
        """A guest that leaves after the start keeps its seat: others may have agreed to it."""
        if self.is_started:
            self.left.add(peer)
        elif self._unseat(peer) is not None:
            self._changed()
        else:
            self._stop_waiting(peer)

    def _unseat(self, key: bytes) -> _Guest | None:
        self._away.end(key)
        return self._guests.pop(key, None)

    def _stop_waiting(self, peer: bytes) -> None:
        self._admission.waiting.pop(peer, None)

    def set_ready(self, ready: bool) -> None:
        """Whether the host's own person is ready."""
        if not self.is_started and ready != self._ready:
            self._ready = ready
            self._show()
            self._changed()

    def link_changed(self, peer: bytes, up: bool) -> None:
        """A guest without a link is not ready; on a new one it has to be told everything again."""
        guest = self._guests.get(peer)
        if guest is None and not up:
            self._stop_waiting(peer)
        if guest is None or self.is_started:
            return
        guest.told = False
        if not up and peer not in self._away:
            self._away.begin(peer)
            self._changed()

    def seats(self) -> tuple[Taken, ...]:
        """Who is there: first the host, whose addresses everybody has from the invite."""
        linked = frozenset(self._guests.keys() - set(self._away))
        guests = [self._taken(key, guest) for key, guest in self._guests.items()]
        own = Taken(self._key, self._name, self._ready, linked=linked, bot=self._bot)
        return (own, *guests)

    def _taken(self, key: bytes, guest: _Guest) -> Taken:
        ready = None if key in self._away else guest.ready
        linked = guest.linked & self._guests.keys() - {key}
        said = guest.addresses.data
        return Taken(key, guest.name, ready, said, frozenset(linked), guest.bot)

    async def gather(self, get_ready: GetReady | None = None) -> None:
        """Seat people until all seats are taken and everybody is ready.

        What our own person raises, asked by `get_ready`, ends this from outside; then call `close`.
        """
        looks = Timer(self._desk)
        looks.every(TELLS_SECONDS, self._look)
        waits = say_for_whom(self._desk, self._stands)
        self._tell_door()
        self.talk.open()
        self._show()
        asked = self._desk.consult(partial(get_ready, self.set_ready)) if get_ready else None
        try:
            await self.started
        finally:
            for timer in (looks, waits, self._tells):
                timer.stop()
        if asked is not None:
            self._desk.unask(asked[0])

    def _look(self) -> None:
        self._free_seats()
        self._shown.look()
        if self._desk.now() >= self._door_tells_from:
            self._tell_door()

    def _stands(self) -> tuple[object, tuple[Awaited, ...]]:
        there = self.seats()
        return standing(there), awaited(there, self.plan.seats, self._key)

    def close(self) -> None:
        """Tell the guests that there will be no table."""
        for key in (*self._guests, *self._admission.waiting):
            self._refuse(key, "the table was closed before it began")

    def _free_seats(self) -> None:
        gone = self._away.lasting(AWAY_SECONDS)
        for key in gone:
            self._unseat(key)
        if gone:
            self._changed()

    def _changed(self) -> None:
        """However fast people press, or strangers come and go, all are told twice a second."""
        if self.is_started:
            return
        if self.is_full is self._is_free:
            self._announce()
        if self.is_full and all(seat.ready for seat in self.seats()):
            self._tell_all()  # before the proposal everybody has seen what it will say
            self._turn_away()
            self.started.give(None)
        elif self._tells.due == math.inf:
            self._tells.at(max(self._tells_from, self._desk.now()), self._tell_all)

    def _show(self) -> None:
        """Tell the host's own person who is there."""
        seats = self.seats()
        known, self._seen = self._seen, frozenset(seat.identity for seat in seats)
        if not self._seen <= known:
            names = tuple(seat.name for seat in seats)
            self._desk.tell(Waiting(names, self.plan.seats))
        self._shown.show(self.plan, seats)

    def _tell_all(self) -> None:
        self._tells_from = self._desk.now() + TELLS_SECONDS
        self._show()
        frame = encode_seats(self.seats())
        for key in self.informed():
            self._desk.post(key, frame)

    def _tell(self, peer: bytes, guest: _Guest) -> None:
        guest.told = True
        self._desk.post(peer, encode_plan(self.plan))
        self._desk.post(peer, encode_seats(self.seats()))
        for frame in self.talk.recent():
            self._desk.post(peer, frame)

    def informed(self) -> list[bytes]:
        """The guests who were told over their link what is planned: another program of a guest
        that has just linked knows nothing yet, and greets first.
        """
        return [key for key, guest in self._guests.items() if guest.told]

    def knows(self, key: bytes) -> bool:
        """Whether this is the key of a guest, or of a newcomer who waits."""
        return key in self._guests or key in self._admission.waiting

    def _refusal(self, peer: bytes, fields: dict[str, Any]) -> str | None:
        knocks = why_not_in(fields["version"], fields["token"] == self._token, fields["name"])
        if knocks is not None:
            return knocks
        removed = self._admission.refusal(peer)
        if removed is not None:
            return removed
        if self.is_full and peer not in self._guests:
            return "the table is full"
        if self.is_started and fields["addresses"] != self._guests[peer].addresses.data:
            # With other keys the seat would have signed two things.
            return "the program that you closed was signing this table: go on with nodealer resume"
        return None

    def _tell_of_version(self, fields: dict[str, Any]) -> None:
        """Tell our own person, once: it may be the one who has to do something."""
        spoken = read_greeting(fields["version"])
        strange = not spoken.is_ours and fields["token"] == self._token
        if strange and not self._told_of_version:
            self._told_of_version = True
            self._desk.tell(OtherVersion(*spoken))

    def _free_name(self, peer: bytes, wanted: str) -> str:
        """`wanted`, or another name like it that nobody else here goes by."""
        there = {**self._guests, **self._admission.waiting}
        there.pop(peer, None)
        return free_name(wanted, {self._name, *(guest.name for guest in there.values())})

    def seating(self, own: SignedAddresses) -> Seating:
        """The agreed table, once `start` is set; `own` is the host's list."""
        seats = [one.proposed for one in self.seats()]
        proposal = propose(self._token, self.plan.terms, seats)
        guests = {key: guest.addresses for key, guest in self._guests.items()}
        return Seating(proposal, 0, {self._key: own, **guests})

    def invitation(self, seating: Seating) -> bytes:
        """The frame that tells every guest what is to be played, and by whom."""
        return encode_proposal(seating)


def _key_of(fingerprint: str, keys: Iterable[bytes]) -> bytes | None:
    return next((key for key in keys if words(key) == fingerprint), None)


def _greets(taken: bool) -> None:
    checks.require("lobby.kind", taken, "malformed", "not a greeting")

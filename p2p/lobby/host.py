"""Before the table: people sit down by invite, and everybody gets the same proposal.

The host has no power beyond inviting: each seat checks the proposal and signs it with the
header, or stays away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import trio

from engine.errors import UsageError
from engine.game import Game, Value
from engine.games import load
from p2p import checks
from p2p.errors import LobbyError
from p2p.lobby.seats import Taken, decode_linked, encode_seats
from p2p.net.inbox import Handlers, Inbox
from p2p.net.invite import Invite, why_not_in
from p2p.net.mesh import Mesh
from p2p.net.signed_addresses import (
    Lists,
    SignedAddresses,
    decode_lists,
    encode_lists,
    read_addresses,
)
from p2p.player.waits import AWAY_SECONDS
from p2p.protocol.frame_kinds import HELLO, PLAN, PROPOSAL, REFUSED, STRANGER
from p2p.protocol.parts import Parts, first_shuffle
from p2p.protocol.proposal import POLICIES, Proposal, decode_proposal, propose
from p2p.protocol.races.terms import RaceTerms, decode_terms
from p2p.text.names import NAMES, cut, free_name, is_name
from p2p.version import PROTOCOL_VERSION

HOST_FRAMES_MAX: Final = 256
"""Frames that a guest takes from a host in `FRAMES_SECONDS` of the lobby; an honest one sends a
few, and two a second while people press ready and not ready."""
FRAMES_SECONDS: Final = 60.0
TELLS_SECONDS: Final = 0.5
"""How often at most everybody is told who is there; our own person reads own presses at once."""
REFUSAL_MAX: Final = 120
"""How many letters are shown of what a host says to somebody whom it does not seat."""


@dataclass(frozen=True)
class TablePlan:
    """What a host wants to play.  UsageError (from `propose`) if its parts do not fit together."""

    game: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)
    policy: str = "wait"
    race: RaceTerms = field(default_factory=RaceTerms)


@dataclass(frozen=True, slots=True)
class Seating:
    """An agreed table: the proposal, one's own seat, and where the others say that they are."""

    proposal: Proposal
    seat: int
    lists: Lists


@dataclass(slots=True)
class _Guest:
    name: str
    addresses: SignedAddresses
    ready: bool
    linked: frozenset[bytes]
    away_since: float | None = None
    told: bool = False
    """Whether it was told over this link what is planned."""

    @property
    def told_to_all(self) -> object:
        """What the others are told of it, except its key and name."""
        return self.addresses, self.ready, self.linked, self.away_since


class HostLobby:
    """The host's side: seats whoever comes with the invite, first come, first seated.

    The table starts when all seats are taken and everybody is ready, including the host, who
    can neither start without a guest nor put one out.
    """

    def __init__(
        self,
        mesh: Mesh,
        token: bytes,
        game: Game,
        plan: TablePlan,
        host: tuple[bytes, str],
        *,
        ready: bool = True,
    ) -> None:
        if plan.policy not in POLICIES:
            raise LobbyError(f"the policy for lost players is one of: {', '.join(POLICIES)}")
        game.check(plan.seats, plan.options)
        self._mesh = mesh
        self._token = token
        self._game = game
        self._plan = plan
        self._key, self._name = host
        self._ready = ready
        self._guests: dict[bytes, _Guest] = {}
        self._seen = frozenset({self._key})
        self._news = trio.Event()
        self.start: Final = trio.Event()
        self.on_seated: Callable[[tuple[str, ...]], None] = lambda names: None
        self.on_change: Callable[[tuple[Taken, ...]], None] = lambda seats: None

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken."""
        return len(self._guests) == self._plan.seats - 1

    def inbox(self, others: Handlers[object]) -> Inbox[object]:
        """Takes the frames of whoever comes before the table: greetings, and what `others` take."""
        return Inbox(STRANGER, _greets, {HELLO: self.receive, **others})

    def receive(self, peer: bytes, payload: bytes) -> bool:
        """Somebody who wants to sit down greets; whether they have a seat now.

        PeerError for garbage.
        """
        fields = HELLO.read(payload)
        refusal = self._refusal(peer, fields)
        if refusal is not None:
            self._mesh.send(peer, REFUSED.make(refusal.encode()))
            return False
        addresses = read_addresses(self._token, peer, fields["addresses"])
        linked = decode_linked(fields["linked"], self._plan.seats)
        if fields["ready"] is None:
            self._leave(peer)
            return False
        known = self._guests.get(peer)
        if known is None:
            name = self._free_name(fields["name"])
            self._seat(peer, _Guest(name, addresses, fields["ready"], linked))
        else:
            self._hear_again(peer, known, _Guest(known.name, addresses, fields["ready"], linked))
        return True

    def _seat(self, peer: bytes, guest: _Guest) -> None:
        self._guests[peer] = guest
        self._tell(peer, guest)
        self._changed()

    def _hear_again(self, peer: bytes, guest: _Guest, said: _Guest) -> None:
        news = guest.told_to_all != said.told_to_all
        if said.addresses != guest.addresses:
            # Another program with this identity, or the same one started anew.
            guest.addresses, guest.told = said.addresses, False
            self._mesh.keep_newest(peer)
        if not self.start.is_set():
            guest.ready, guest.linked, guest.away_since = said.ready, said.linked, None
        if not guest.told:
            self._tell(peer, guest)
        if news:
            self._changed()

    def _leave(self, peer: bytes) -> None:
        """A guest that leaves after the start is waited for: others may have signed already."""
        if not self.start.is_set() and self._guests.pop(peer, None) is not None:
            self._changed()

    def set_ready(self, ready: bool) -> None:
        """Whether the host's own person is ready."""
        if not self.start.is_set() and ready != self._ready:
            self._ready = ready
            self._show()
            self._changed()

    def link_changed(self, peer: bytes, up: bool) -> None:
        """A guest without a link is not ready; on a new one it has to be told everything again."""
        guest = self._guests.get(peer)
        if guest is None or self.start.is_set():
            return
        guest.told = False
        if not up and guest.away_since is None:
            guest.away_since = trio.current_time()
            self._changed()

    def seats(self) -> tuple[Taken, ...]:
        """Who is there: first the host, whose addresses everybody has from the invite."""
        linked = frozenset(key for key, one in self._guests.items() if one.away_since is None)
        guests = [self._taken(key, guest) for key, guest in self._guests.items()]
        return (Taken(self._key, self._name, self._ready, linked=linked), *guests)

    def _taken(self, key: bytes, guest: _Guest) -> Taken:
        ready = guest.ready if guest.away_since is None else None
        linked = guest.linked & self._guests.keys() - {key}
        return Taken(key, guest.name, ready, guest.addresses.data, frozenset(linked))

    async def run(self) -> None:
        """Tell what changes, and free the seats of those who are gone, until the start.

        However fast people press, or strangers come and go, it tells at most twice a second.
        """
        while not self.start.is_set():
            with trio.move_on_after(TELLS_SECONDS):
                await self._news.wait()
                self._news = trio.Event()
                if self.start.is_set():
                    return
                self._show()
                self._tell_all()
                await trio.sleep(TELLS_SECONDS)
            self._free_seats()

    async def room(self, *, free: bool) -> None:
        """Return once a seat is free (or none is), or the table starts."""
        while self.is_full is free and not self.start.is_set():
            await trio.sleep(TELLS_SECONDS / 2)

    async def close(self) -> None:
        """Tell the guests that there will be no table."""
        for key in self._guests:
            self._mesh.send(key, REFUSED.make(b"the table was closed before it began"))
        await self._mesh.drain()

    def _free_seats(self) -> None:
        now = trio.current_time()
        gone = [
            key
            for key, guest in self._guests.items()
            if guest.away_since is not None and now - guest.away_since >= AWAY_SECONDS
        ]
        for key in gone:
            del self._guests[key]
        if gone:
            self._changed()

    def _changed(self) -> None:
        ready = self.is_full and all(seat.ready for seat in self.seats())
        if ready and not self.start.is_set():
            # Before the proposal everybody has seen what it will say.
            self._show()
            self._tell_all()
            self.start.set()
        self._news.set()

    def _show(self) -> None:
        """Tell the host's own person who is there."""
        seats = self.seats()
        known, self._seen = self._seen, frozenset(seat.identity for seat in seats)
        if not self._seen <= known:
            self.on_seated(tuple(seat.name for seat in seats))
        self.on_change(seats)

    def _tell_all(self) -> None:
        frame = encode_seats(self.seats())
        for key in self._guests:
            self._mesh.send(key, frame)

    def _tell(self, peer: bytes, guest: _Guest) -> None:
        guest.told = True
        self._mesh.send(peer, encode_plan(self._plan, self._game.rules_version))
        self._mesh.send(peer, encode_seats(self.seats()))

    def knows(self, key: bytes) -> bool:
        """Whether this is the key of somebody who has a seat."""
        return key in self._guests

    def _refusal(self, peer: bytes, fields: dict[str, Any]) -> str | None:
        knocks = why_not_in(fields["version"], fields["token"] == self._token, fields["name"])
        if knocks is not None:
            return knocks
        if self.is_full and peer not in self._guests:
            return "the table is full"
        if self.start.is_set() and fields["addresses"] != self._guests[peer].addresses.data:
            # With other keys the seat would have signed two things.
            return "the program that you closed was signing this table: go on with nodealer resume"
        return None

    def _free_name(self, wanted: str) -> str:
        """`wanted`, or another name like it that nobody here goes by."""
        return free_name(wanted, {self._name, *(guest.name for guest in self._guests.values())})

    def seating(self, own: SignedAddresses) -> Seating:
        """The agreed table, once `start` is set; `own` is the host's list."""
        seats = [(self._key, self._name)]
        seats += [(key, guest.name) for key, guest in self._guests.items()]
        plan = self._plan
        proposal = propose(
            self._token, self._game, dict(plan.options), plan.policy, seats, plan.race
        )
        guests = {key: guest.addresses for key, guest in self._guests.items()}
        return Seating(proposal, 0, {self._key: own, **guests})

    def invitation(self, seating: Seating) -> bytes:
        """The frame that tells every guest what is to be played, and by whom."""
        return encode_proposal(seating)


def _greets(taken: bool) -> None:
    checks.require("lobby.kind", taken, "malformed", "not a greeting")


def encode_proposal(seating: Seating) -> bytes:
    """The frame that proposes a table, with what its seats say about where they are."""
    lists = encode_lists(seating.lists)
    return PROPOSAL.make({"proposal": seating.proposal.data, "addresses": lists})


def hello(
    token: bytes,
    name: str,
    own: SignedAddresses,
    ready: bool | None = True,
    linked: Iterable[bytes] = (),
) -> bytes:
    """The greeting of a guest, and later whether it is `ready`: None gives the seat back.

    `linked` are the keys of the others in the lobby with whom it is linked.
    """
    if not is_name(name):
        raise LobbyError(NAMES)
    fields = {
        "version": PROTOCOL_VERSION,
        "token": token,
        "name": name,
        "addresses": own.data,
        "ready": ready,
        "linked": sorted(linked),
    }
    return HELLO.make(fields)


def encode_plan(plan: TablePlan, rules: int) -> bytes:
    """The frame that tells a guest what will be proposed; `rules` is the version of the rules."""
    fields = {
        "game": plan.game,
        "seats": plan.seats,
        "rules": rules,
        "options": dict(sorted(plan.options.items())),
        "policy": plan.policy,
        "race": plan.race.encode(),
    }
    return PLAN.make(fields)


def receive_plan(payload: bytes) -> TablePlan:
    """What the host means to play.

    It helps people to get ready and to decide: nothing is agreed before the proposal.  PeerError
    for garbage; LobbyError for rules of another version than ours.
    """
    fields = PLAN.read(payload)
    race = decode_terms(fields["race"])
    plan = TablePlan(fields["game"], fields["seats"], fields["options"], fields["policy"], race)
    try:
        load(plan.game).check(plan.seats, plan.options)
        sound = plan.policy in POLICIES
    except UsageError:
        sound = False
    checks.require("lobby.plan", sound, "malformed", "the host plans a game that cannot be")
    ours = load(plan.game).rules_version
    if fields["rules"] != ours:
        raise LobbyError(
            f"the table plays version {fields['rules']} of the rules, and this program knows {ours}"
        )
    return plan


def foresee(parts: Parts, plan: TablePlan) -> None:
    """Ask for the offline part of the first shuffle, to be made while the table fills."""
    count = first_shuffle(load(plan.game), plan.seats, plan.options)
    if count is not None:
        parts.foresee(count)


class Expected(NamedTuple):
    """What a proposal has to fit if nobody was invited: whose it is, and its token."""

    identity: bytes
    token: bytes


def receive_proposal(invite: Invite | Expected, own: bytes, payload: bytes) -> Seating:
    """The agreed table.

    PeerError if the proposal is not for the table of the invite, or leaves us or the host out.
    """
    fields = PROPOSAL.read(payload)
    proposal = decode_proposal(fields["proposal"])
    ours = proposal.token == invite.token
    checks.require("lobby.token", ours, "malformed", "the proposal is for another table")
    seated = own in proposal.identities and invite.identity in proposal.identities
    checks.require("lobby.seated", seated, "malformed", "the proposal leaves us or the host out")
    lists = decode_lists(fields["addresses"], proposal.token, proposal.identities)
    return Seating(proposal, proposal.identities.index(own), lists)


def refusal(payload: bytes) -> LobbyError:
    """What a host says to somebody whom it does not seat, in its own words as far as printable."""
    sentence = payload[: 4 * REFUSAL_MAX].decode("utf-8", "replace")
    return LobbyError(f'the host refuses: "{cut(sentence, REFUSAL_MAX)}"')


def agree(race: RaceTerms, race_cap_us: int) -> None:
    """LobbyError for a table whose races may credit more delay than this seat agrees to.

    Signing the header means agreeing (protocol section 3), so a seat that does not has to leave.
    """
    if race.cap_us > race_cap_us:
        raise LobbyError(
            f"the table wants to credit up to {race.cap_us / 1000:g} ms of delay in races, more "
            f"than the {race_cap_us / 1000:g} ms of your --race-cap"
        )

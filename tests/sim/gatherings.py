"""People who meet before a game and between two, by a seed: real lobbies and agreements over links
that come and go.

Each person is a seat's desk whose orders are carried out at once (`tests.peer.desk_kit`), and a
frame takes a while over a link.  People press ready and not ready, leave and come back, and lose
their links; in the end all links hold and everybody presses ready.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import combinations, count
from random import Random
from typing import Final

from engine.errors import UsageError
from p2p.errors import LobbyError, PeerError
from p2p.identity.keys import Identity
from p2p.lobby.guest import GuestLobby
from p2p.lobby.host import HostLobby
from p2p.lobby.plan import Seating, TablePlan
from p2p.lobby.rematch import Rematch
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.mesh import LinkState
from p2p.net.signed_addresses import SignedAddresses, sign_addresses
from p2p.player.choosing import Choosing
from p2p.player.events import Gathering
from p2p.protocol.frame_kinds import ANYBODY, HELLO, Inbox, kind_of, payload_of, unknown
from p2p.protocol.proposal import Proposal, propose
from p2p.protocol.terms import Terms
from p2p.seat.desk import Dial, DropLink, Flood, Forget, KeepNewest, Order, Post
from p2p.seat.reply import Script
from tests.peer.desk_kit import Time, World
from tests.protocol.kit import identities

TOKEN: Final = bytes(range(16))
PLAN: Final = "flip-over"
STORMY: Final = 40.0
"""Seconds in which anything happens."""
CALM: Final = 200.0
"""Seconds after which everybody must be through."""
HAPPENS: Final = ("ready", "ready", "ready", "host", "cut", "cut", "gone", "leave")


class Links:
    """Which people are linked, and what is on its way between them."""

    def __init__(self, time: Time, chance: Random, never: frozenset[frozenset[bytes]]) -> None:
        self.time: Final = time
        self.chance: Final = chance
        self.never: Final = never
        self.people: Final[dict[bytes, Person]] = {}
        self._up: Final[dict[frozenset[bytes], int]] = {}
        self._wanted: Final[set[frozenset[bytes]]] = set()
        self._numbers: Final = count()

    def are_linked(self, one: bytes, other: bytes) -> bool:
        return frozenset((one, other)) in self._up

    def want(self, one: bytes, other: bytes) -> None:
        """One of them dials the other from now on."""
        self._wanted.add(frozenset((one, other)))
        self._dial(one, other)

    def _dial(self, one: bytes, other: bytes) -> None:
        self.time.after(self.chance.uniform(0.01, 1.0), lambda: self._link(one, other))

    def _link(self, one: bytes, other: bytes) -> None:
        pair = frozenset((one, other))
        if (
            pair <= self.people.keys()
            and pair in self._wanted
            and pair not in self._up
            and pair not in self.never
        ):
            self._up[pair] = next(self._numbers)
            self._tell(pair, up=True)

    def cut(self, one: bytes, other: bytes, *, back: bool) -> None:
        """Their link ends; it comes `back` if one of them still dials."""
        pair = frozenset((one, other))
        if self._up.pop(pair, None) is not None:
            self._tell(pair, up=False)
        if back:
            self._dial(one, other)

    def forget(self, one: bytes, other: bytes) -> None:
        self._wanted.discard(frozenset((one, other)))
        self.cut(one, other, back=False)

    def gone(self, person: Person) -> None:
        """This program has ended; another one of the same key may sit there already."""
        if self.people.get(person.key) is person:
            for other in [*self.people]:
                self.forget(person.key, other)
            del self.people[person.key]
            person.script.close()

    def _tell(self, pair: frozenset[bytes], *, up: bool) -> None:
        one, other = sorted(pair)
        for key, peer in ((one, other), (other, one)):
            if key in self.people:
                self.people[key].link_changed(peer, up)

    def send(self, source: bytes, to: bytes, frame: bytes) -> None:
        """A frame arrives after a while, in the order of its link, if that holds until then."""
        pair = frozenset((source, to))
        link = self._up.get(pair)
        if link is None:
            return

        def arrive() -> None:
            if self._up.get(pair) == link and to in self.people:
                self.people[to].hear(source, frame)

        self.time.after(self.people[source].delay, arrive)


class Person(World):
    """Somebody's program in the lobby: at most one at a time for each key."""

    script: Script[None]

    def __init__(self, links: Links, identity: Identity) -> None:
        super().__init__(time=links.time)
        self.net: Final = links
        self.identity: Final = identity
        self.key: Final = identity.public
        self.delay: Final = links.chance.uniform(0.001, 0.2)
        self.known = _Known(self)  # type: ignore[misc,assignment]
        self.desk.links = self.known  # type: ignore[misc]
        self.dropped_for: Final[list[str]] = []
        links.people[self.key] = self

    def _carry_out(self, order: Order) -> None:
        if self.net.people.get(self.key) is not self:
            return  # a program that has ended
        match order:
            case Post(peer, frame):
                self.net.send(self.key, peer, frame)
            case Flood(frame, skip):
                for peer in [*self.net.people]:
                    if peer != skip:
                        self.net.send(self.key, peer, frame)
            case Dial(peer, addresses):
                if addresses:
                    self.net.want(self.key, peer)
            case Forget(peer):
                self.net.forget(self.key, peer)
            case KeepNewest():
                pass  # there is never a second link
            case DropLink(peer, reason):
                self.dropped_for.append(reason)
                self.net.cut(self.key, peer, back=True)
            case _:
                super()._carry_out(order)

    def hear(self, peer: bytes, frame: bytes) -> None:
        """As a peer does (`p2p.driver.connection`): garbage costs the link."""
        try:
            self.take(peer, frame)
        except PeerError as error:
            self.dropped_for.append(str(error))
            self.net.cut(self.key, peer, back=True)

    def take(self, peer: bytes, frame: bytes) -> None:
        raise NotImplementedError

    def link_changed(self, peer: bytes, up: bool) -> None:
        raise NotImplementedError

    def shown(self) -> Gathering | None:
        """The lobby as this person sees it."""
        seen = [event for event in self.told if isinstance(event, Gathering)]
        return seen[-1] if seen else None

    def addresses(self, number: int) -> SignedAddresses:
        here = Address(f"10.0.0.{self.key[0] % 250 + 1}", 4000)
        return sign_addresses(self.identity, TOKEN, number, [here])


class _Known:
    """The links of a person as its desk sees them."""

    def __init__(self, person: Person) -> None:
        self._person: Final = person

    def is_linked(self, key: bytes, /) -> bool:
        return self._person.net.are_linked(self._person.key, key)

    def links(self) -> dict[bytes, LinkState]:
        people = self._person.net.people
        return {key: LinkState(self.is_linked(key)) for key in people if key != self._person.key}

    def round_trip_us(self, key: bytes, /) -> int | None:
        return None

    def source(self, key: bytes, /) -> str:
        return key.hex()


class Host(Person):
    """The one with the table; it proposes once all are ready, and again to whoever greets."""

    def __init__(self, links: Links, identity: Identity, seats: int) -> None:
        super().__init__(links, identity)
        plan = TablePlan(Terms.of(PLAN), seats)
        self.lobby: Final = HostLobby(self.desk, identity, TOKEN, plan, ready=False)
        self._inbox: Final = self.lobby.inbox({})
        self.seating: Seating | None = None
        self.script = Script(self._host())

    async def _host(self) -> None:
        await self.lobby.gather()
        self.seating = self.lobby.seating(self.addresses(1))
        for key in self.lobby.informed():
            self.desk.post(key, self.lobby.invitation(self.seating))

    def take(self, peer: bytes, frame: bytes) -> None:
        if self.seating is None:
            self._inbox.take(peer, frame)
        elif kind_of(frame) is HELLO and self.lobby.receive(peer, payload_of(frame)):
            self.desk.post(peer, self.lobby.invitation(self.seating))

    def link_changed(self, peer: bytes, up: bool) -> None:
        self.lobby.link_changed(peer, up)


class Guest(Person):
    """Somebody with the invite; `number` counts how often this key has sat down."""

    def __init__(self, links: Links, identity: Identity, host: bytes, number: int) -> None:
        super().__init__(links, identity)
        invite = Invite((Address("10.0.0.1", 4000),), host, TOKEN)
        self.lobby: Final = GuestLobby(
            *(self.desk, identity, invite, self.addresses(number)),
            race_cap_us=80_000,
            ready=False,
        )
        self.seating: Seating | None = None
        self.refused: LobbyError | PeerError | None = None
        self.was_ready = False
        """Whether it was ready, and saw the table, when it agreed."""
        self._host: Final = host
        self.script = Script(self._sit())
        links.want(self.key, host)

    async def _sit(self) -> None:
        try:
            seating = await self.lobby.seated()
        except (LobbyError, PeerError) as error:
            self.refused = error
            self.net.time.after(0.0, lambda: self.net.gone(self))
            return
        seen = self.shown()
        if seen is not None:
            names = tuple(one.name for one in seen.people)
            self.was_ready = seen.ready and names == seating.proposal.names
        self.seating = seating

    def take(self, peer: bytes, frame: bytes) -> None:
        self.lobby.take(peer, frame)

    def link_changed(self, peer: bytes, up: bool) -> None:
        self.lobby.link_changed(peer, up)

    def leave(self) -> None:
        """The person ends the program, which agrees to nothing more and says so."""
        self.script.close()
        self.lobby.leave()
        self.settle()
        self.net.time.after(self.delay + 0.01, lambda: self.net.gone(self))


class Gathered:
    """How the people of one seed met."""

    def __init__(self, seed: int) -> None:
        self.chance: Final = Random(f"gathering {seed}")
        self.time: Final = Time()
        seats = self.chance.choice((3, 3, 4, 5))
        extra = self.chance.choice((0, 0, 1))
        self.who: Final = identities(seats + extra)
        keys = [one.public for one in self.who]
        pairs = [frozenset((a, b)) for a in keys[1:] for b in keys[1:] if a < b]
        never = frozenset(pair for pair in pairs if self.chance.random() < 0.2)
        self.links: Final = Links(self.time, self.chance, never)
        self.host: Final = Host(self.links, self.who[0], seats)
        self.guests: Final[dict[bytes, Guest]] = {}
        self.all: Final[list[Guest]] = []
        self._numbers: Final = count(1)

    def run(self) -> None:
        """Sit down, live through the storm, and then get ready."""
        for identity in self.who[1:]:
            self._at(self.chance.uniform(0, 20), lambda who=identity: self._sit(who))
        for _ in range(self.chance.choice((0, 5, 20, 40))):
            self._at(self.chance.uniform(0, STORMY), self._anything)
        self.time.pass_(STORMY)
        self._get_ready()
        self.time.pass_(CALM)

    def _at(self, seconds: float, act: Callable[[], object]) -> None:
        self.time.after(seconds, act)

    def _sit(self, who: Identity) -> None:
        if who.public not in self.links.people:
            guest = Guest(self.links, who, self.host.key, next(self._numbers))
            self.guests[who.public] = guest
            self.all.append(guest)

    def _anything(self) -> None:
        guests = [one for key, one in self.guests.items() if key in self.links.people]
        if not guests:
            return
        guest = self.chance.choice(guests)
        match self.chance.choice(HAPPENS):
            case "ready":
                guest.lobby.set_ready(self.chance.random() < 0.6)
            case "host":
                self.host.lobby.set_ready(self.chance.random() < 0.5)
            case "cut":
                peer = self.chance.choice([key for key in self.links.people if key != guest.key])
                self.links.cut(guest.key, peer, back=True)
            case "gone" if self.host.seating is None:
                self.links.gone(guest)
                self._at(self.chance.uniform(0.5, 50), lambda: self._sit(guest.identity))
            case "leave":
                self._leave(guest)
                self._at(self.chance.uniform(0.5, 20), lambda: self._sit(guest.identity))

    def _get_ready(self) -> None:
        """All links hold, all are there, and everybody presses ready, now and later.

        Somebody may think better of it while the table is proposed.
        """
        if self.chance.random() < 0.3:
            who = self.chance.choice(self.who[1:]).public
            self._at(1 + self.chance.uniform(0, 0.5), lambda: self._leave(self.guests[who]))
        for seconds in (1, 60, 120):
            self._at(seconds, self._all_ready)

    def _leave(self, guest: Guest) -> None:
        """Nobody who has agreed to a table leaves its lobby."""
        if guest.seating is None and self.links.people.get(guest.key) is guest:
            guest.leave()

    def _all_ready(self) -> None:
        self.host.lobby.set_ready(True)
        for who in self.who[1:]:
            self._sit(who)
        for key, guest in self.guests.items():
            if key in self.links.people:
                guest.lobby.set_ready(True)


# -- between two games -------------------------------------------------------------------------

OVER: Final = hashlib.sha256(b"the game that is over").digest()
GAMES: Final = tuple(
    Terms.of(game, options)
    for game, options in (("sneak", {}), ("flip-over", {"rounds": 2}), ("flop-a", {}))
)


class Stayer(Person):
    """Somebody at a table that is over: says what to play next, or leaves."""

    def __init__(self, links: Links, identity: Identity, old: Proposal) -> None:
        super().__init__(links, identity)
        self.again: Final = Rematch(
            *(self.desk, old, identity.public, self.desk.tell),
            lambda token: sign_addresses(identity, token, 1, [Address("10.0.0.1", 4000)]),
        )
        self.again.open(OVER)
        self._inbox: Final = Inbox(ANYBODY, unknown, self.again.handlers)
        self.seating: Seating | None = None
        self.agreed: set[bytes] = set()
        """The plans to which this person ever agreed, and all if it follows the host."""
        self.follows = False
        self.ended: LobbyError | PeerError | None = None
        self.script = Script(self._settle())

    async def _settle(self) -> None:
        try:
            self.seating = await self.again.settle(self._never)
        except (LobbyError, PeerError) as error:
            self.ended = error
        if self.seating is None:
            self.net.time.after(self.delay + 0.1, lambda: self.net.gone(self))

    async def _never(self, choosing: Choosing) -> bool:
        raise NotImplementedError  # the answer comes by `does`

    def take(self, peer: bytes, frame: bytes) -> None:
        self._inbox.take(peer, frame)

    def link_changed(self, peer: bytes, up: bool) -> None:
        self.again.link_changed(peer, up)

    def agree(self, plan: Terms) -> None:
        """Play this, unless so many people cannot."""
        if self.consulted:
            try:
                self.again.agree(plan)
            except UsageError:
                return
            self.agreed.add(plan.data)

    def decide(self, stays: object) -> None:
        """Play whatever is proposed, or leave."""
        if self.consulted:
            self.follows = bool(stays)
            self.does(stays)


class Parting:
    """How the people of one seed agreed on another game, or did not."""

    def __init__(self, seed: int) -> None:
        self.chance: Final = Random(f"parting {seed}")
        self.time: Final = Time()
        who = identities(self.chance.choice((3, 4, 5)))
        seats = [(one.public, one.name, False) for one in who]
        self.old: Final = propose(TOKEN, Terms.of(PLAN), seats)
        self.links: Final = Links(self.time, self.chance, frozenset())
        self.people: Final = [Stayer(self.links, one, self.old) for one in who]
        for one, other in combinations(self.people, 2):
            self.links.want(one.key, other.key)
        if self.chance.random() < 0.5:
            self.people[0].script.outcome.listen(self._cut_at_once)

    def _cut_at_once(self) -> None:
        """A link ends while the table is proposed over it."""
        host, other = self.people[0], self.chance.choice(self.people[1:])
        delay = self.chance.uniform(0.0, host.delay)
        self.time.after(delay, lambda: self.links.cut(host.key, other.key, back=True))

    def run(self) -> None:
        """They think it over while links come and go; in the end everybody decides."""
        for _ in range(self.chance.choice((2, 10, 30))):
            self.time.after(self.chance.uniform(0, STORMY), self._anything)
        self.time.pass_(STORMY)
        for person in self.people:
            self.time.after(self.chance.uniform(1, 5), lambda one=person: one.decide(True))
        self.time.pass_(CALM)

    def _anything(self) -> None:
        person = self.chance.choice(self.people)
        match self.chance.choice(("agree", "agree", "agree", "cut", "cut", "gone", "decide")):
            case "agree":
                host = person is self.people[0]
                person.agree(self.chance.choice(GAMES) if host else person.again.plan)
            case "cut":
                other = self.chance.choice([one for one in self.people if one is not person])
                self.links.cut(person.key, other.key, back=self.chance.random() < 0.9)
            case "gone" if self.chance.random() < 0.3:
                self.links.gone(person)
            case "decide" if self.chance.random() < 0.5:
                person.decide(self.chance.random() < 0.6)

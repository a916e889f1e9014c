"""The lobby as a guest sees it: who is there, who is ready, and what will be proposed.

Nobody signs what was not shown before: a proposal that differs from the lobby is refused, and
one that comes before we are ready waits for us.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

import trio

from engine.errors import UsageError
from engine.games import load
from p2p import checks
from p2p.events import Event, Gathering, Present
from p2p.identity import decode_identity, words
from p2p.lobby import (
    FRAMES_SECONDS,
    HOST_FRAMES_MAX,
    SEATS,
    LobbyError,
    Seating,
    TablePlan,
    Taken,
    agree,
    foresee,
    hello,
    receive_plan,
    receive_proposal,
)
from p2p.names import is_name
from p2p.net.invite import Invite
from p2p.protocol import wire
from p2p.protocol.proposal import Proposal, propose
from p2p.reaching import reach
from p2p.sitting import Connected, one_error

GetReady = Callable[[Callable[[bool], None]], Awaitable[None]]
"""Runs while the lobby is open, and calls what it is given whenever the person is ready, or not
any more.  Whoever leaves raises; then the seat is given back."""
TWINS: Final = 4
"""So many new links to the host while one waits for the game ..."""
TWINS_SECONDS: Final = 20.0
"""... within such a time mean that two programs with one identity replace each other's."""


def gathering(plan: TablePlan, seats: Sequence[Taken], own: bytes) -> Gathering:
    """What a person is told of the lobby."""
    people = tuple(Present(one.name, words(one.identity), one.ready) for one in seats)
    place = [one.identity for one in seats].index(own)
    rules = load(plan.game).rules_version
    return Gathering(
        *(plan.game, plan.seats, rules, plan.options, plan.policy, plan.race.cap_us),
        people=people,
        seat=place,
    )


async def while_open(
    get_ready: GetReady | None, say: Callable[[bool], None], wait: Callable[[], Awaitable[None]]
) -> None:
    """Wait until the lobby ends, while the person is asked; what leaving raises goes through."""
    with one_error():
        async with trio.open_nursery() as nursery:
            if get_ready is not None:
                nursery.start_soon(get_ready, say)
            await wait()
            nursery.cancel_scope.cancel()


class GuestLobby:
    """One guest at the table of an invite, until there is a proposal that it agrees to."""

    def __init__(
        self,
        peer: Connected,
        invite: Invite,
        name: str,
        tell: Callable[[Event], None],
        *,
        race_cap_us: int,
        ready: bool = True,
    ) -> None:
        self._peer: Final = peer
        self._invite: Final = invite
        self._name: Final = name
        self._tell: Final = tell
        self._race_cap_us: Final = race_cap_us
        self._ready = ready
        self._addresses: Final = peer.list_for(invite.token)
        self._pressed = trio.Event()
        self._plan: TablePlan | None = None
        self._seats: tuple[Taken, ...] = ()

    def greet(self) -> None:
        """Say who we are and whether we are ready: on every new link, and when that changes."""
        self._say(self._ready)

    def set_ready(self, ready: bool) -> None:
        """Whether our person is ready."""
        if ready != self._ready:
            self._ready = ready
            self.greet()
            if ready:
                self._pressed.set()
            else:
                self._pressed = trio.Event()

    async def leave(self) -> None:
        """Give the seat back."""
        self._say(None)
        with trio.move_on_after(1.0):
            await self._peer.mesh.drain()

    async def readiness(self) -> None:
        """Return once we are ready."""
        while not self._ready:
            await self._pressed.wait()

    def host_gone(self) -> None:
        """There is no link to the host: it is shown so, and dialled on."""
        host = self._invite.identity
        if self._plan is not None:
            seats = (
                replace(one, ready=None) if one.identity == host else one for one in self._seats
            )
            self._tell(gathering(self._plan, tuple(seats), self._own))

    def receive(self, frame: bytes) -> Seating | None:
        """What the host says; the table, once it proposes what was shown.

        LobbyError with a sentence where the host refuses us, or wants what we do not;
        PeerError for anything else that is not in order.
        """
        plan = receive_plan(frame)
        if plan is not None:
            agree(plan.race, self._race_cap_us)
            self._plan = plan
            foresee(self._peer.parts, plan)
        elif frame[0] == SEATS:
            self._take_seats(frame[1:])
        seating = receive_proposal(self._invite, self._own, frame)
        if seating is not None:
            agree(seating.proposal.race, self._race_cap_us)
            shown = self._is_shown(seating.proposal)
            checks.require("lobby.shown", shown, "malformed", "not the table that was shown")
        return seating

    @property
    def _own(self) -> bytes:
        return self._peer.identity.public

    def _say(self, ready: bool | None) -> None:
        greeting = hello(self._invite.token, self._name, self._addresses, ready)
        self._peer.mesh.send(self._invite.identity, greeting)

    def _take_seats(self, payload: bytes) -> None:
        seats = decode_seats(payload)
        plan, keys = self._plan, [one.identity for one in seats]
        fit = plan is not None and len(seats) <= plan.seats and len(set(keys)) == len(keys)
        fit = fit and keys[:1] == [self._invite.identity] and self._own in keys
        checks.require("lobby.seats", fit, "malformed", "these are no seats of the table")
        assert plan is not None
        self._seats = seats
        self._tell(gathering(plan, seats, self._own))

    def _is_shown(self, proposal: Proposal) -> bool:
        plan = self._plan
        if plan is None:
            return False
        game, seats = load(plan.game), [(one.identity, one.name) for one in self._seats]
        try:
            shown = propose(
                self._invite.token, game, dict(plan.options), plan.policy, seats, plan.race
            )
        except UsageError:  # fewer seats are taken than there are
            return False
        return shown.data == proposal.data


def decode_seats(payload: bytes) -> tuple[Taken, ...]:
    """Who is there, as a host says it; PeerError `malformed` or `bad-key`."""
    said = wire.exactly(wire.unpack(payload), list, "the seats")
    return tuple(_decode_seat(one) for one in said)


def _decode_seat(said: object) -> Taken:
    triple = isinstance(said, list) and len(said) == 3
    checks.require("lobby.seat", triple, "malformed", "a seat is a key, a name and a word")
    assert isinstance(said, list)
    identity = decode_identity(wire.exactly(said[0], bytes, "an identity key"))
    name = wire.exactly(said[1], str, "a name")
    checks.require("lobby.name", is_name(name), "malformed", "this is no name")
    ready = None if said[2] is None else wire.exactly(said[2], bool, "readiness")
    return Taken(identity, name, ready)


async def be_seated(peer: Connected, invite: Invite, lobby: GuestLobby) -> Seating:
    """Greet the host until it proposes a table, and until we are ready for it.

    LobbyError if it cannot be.
    """
    send, receive = trio.open_memory_channel[bytes](HOST_FRAMES_MAX)
    reached = trio.Event()
    taken: deque[float] = deque(maxlen=HOST_FRAMES_MAX)
    linked: deque[float] = deque(maxlen=TWINS)

    def take(key: bytes, frame: bytes) -> None:
        if key != invite.identity or are_twins():
            return
        now = trio.current_time()
        few = len(taken) < HOST_FRAMES_MAX or now - taken[0] >= FRAMES_SECONDS
        taken.append(now)
        if not few:
            send.close()
        checks.require("lobby.flood", few, "malformed", "a host that seats nobody talks on")
        send.send_nowait(frame)

    def greet(key: bytes, up: bool) -> None:
        if key == invite.identity and up:
            reached.set()
            lobby.greet()
            linked.append(trio.current_time())
            if are_twins():
                send.close()
        elif key == invite.identity:
            lobby.host_gone()

    def are_twins() -> bool:
        return len(linked) == TWINS and linked[-1] - linked[0] < TWINS_SECONDS

    peer.on_frame, peer.on_link = take, greet
    await reach(peer.mesh, invite, reached)
    lobby.greet()
    async for frame in receive:
        seating = lobby.receive(frame)
        if seating is not None:
            await lobby.readiness()
            return seating
    raise LobbyError(
        "the link to the host is replaced again and again: another program sits down there with "
        "your identity"
        if are_twins()
        else f"the host sent {HOST_FRAMES_MAX} messages and did not say what is to be played"
    )

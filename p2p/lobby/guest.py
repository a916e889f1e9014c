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
from p2p.driver.connection import Connected, GetReady, one_error
from p2p.driver.standstill import say_for_whom
from p2p.errors import LobbyError
from p2p.identity.keys import words
from p2p.lobby.first_link import reach
from p2p.lobby.host import (
    FRAMES_SECONDS,
    HOST_FRAMES_MAX,
    TELLS_SECONDS,
    Seating,
    TablePlan,
    agree,
    foresee,
    hello,
    receive_plan,
    receive_proposal,
    refusal,
)
from p2p.lobby.neighbours import Neighbours
from p2p.lobby.seats import Taken, decode_seats
from p2p.lobby.shown import Shown
from p2p.lobby.talk import LobbyTalk
from p2p.net.inbox import Inbox, leave_aside
from p2p.net.invite import Invite
from p2p.player.events import Event, HeldUp
from p2p.player.waits import Awaited, Why
from p2p.protocol.frame_kinds import LOBBY_TALK, PLAN, PROPOSAL, REFUSED, SEATS, Sender, kind_of
from p2p.protocol.proposal import Proposal, propose
from p2p.text.names import are_distinct

TWINS: Final = 4
"""This many new links to the host while one waits for the game ..."""
TWINS_SECONDS: Final = 20.0
"""... within this time mean that two programs with one identity replace each other's."""


def awaited(there: Sequence[Taken], seats: int, own: bytes) -> tuple[Awaited, ...]:
    """For whom a full lobby waits; our own person is not among them."""
    if len(there) < seats:
        return ()
    others = [one for one in there if not one.ready and one.identity != own]
    return tuple(
        Awaited(one.name, Why.AWAY if one.ready is None else Why.NOT_READY) for one in others
    )


def standing(there: Sequence[Taken]) -> object:
    """What changes while a lobby fills, apart from how people link."""
    return [(one.identity, one.name, one.ready) for one in there]


async def while_open(
    get_ready: GetReady | None, say: Callable[[bool], None], wait: Callable[[], Awaitable[None]]
) -> None:
    """Wait until the lobby ends, and ask the person meanwhile; errors from leaving go through."""
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
        self._neighbours: Final = Neighbours(
            peer.mesh, invite.token, peer.identity.public, invite.identity
        )
        self._linked: frozenset[bytes] = frozenset()
        """The keys with which we said last that we are linked."""
        self._shown: Final = Shown(peer.identity.public, tell, peer.mesh.is_linked)
        self.on_press: Callable[[], None] = lambda: None
        self.talk: Final = LobbyTalk(
            *(peer.mesh, peer.identity, invite.identity, invite.token),
            people=lambda: self._seats,
            tell=tell,
        )
        self._spoken: Final[Inbox[None]] = Inbox(
            Sender.HOST | Sender.GUEST, leave_aside, self.talk.handlers
        )
        self._plan: TablePlan | None = None
        self._seats: tuple[Taken, ...] = ()
        self._inbox: Final[Inbox[Seating | None]] = Inbox(
            Sender.HOST,
            leave_aside,
            {
                PLAN: self._take_plan,
                SEATS: self._take_seats,
                PROPOSAL: self._take_proposal,
                REFUSED: self._be_refused,
            },
        )

    def greet(self) -> None:
        """Say who we are and whether we are ready: on every new link, and when that changes."""
        self._say(self._ready)

    def set_ready(self, ready: bool) -> None:
        """Whether our person is ready."""
        if ready != self._ready:
            self._ready = ready
            self.greet()
            self._show()
            self.on_press()

    async def keep_linked(self) -> None:
        """Dial whoever sits down, and say with whom we are linked; until cancelled."""
        while True:
            await trio.sleep(TELLS_SECONDS)
            self._neighbours.dial()
            self._shown.look()
            if self._neighbours.linked() != self._linked:
                self.greet()

    async def leave(self) -> None:
        """Give the seat back."""
        self._say(None)
        with trio.move_on_after(1.0):
            await self._peer.mesh.drain()

    async def say_for_whom(self) -> None:
        """Tell our person for whom the lobby waits, if nothing moves; until cancelled."""
        await say_for_whom(
            lambda: ((self._plan, standing(self._seats), self._ready), self._awaited()),
            lambda awaited: self._tell(HeldUp(awaited)),
        )

    def _awaited(self) -> tuple[Awaited, ...]:
        host = self._invite.identity
        if self._plan is None or not self._seats:
            return (Awaited(words(host), Why.SILENT),) if self._is_linked(host) else ()
        if not self._is_linked(host):
            return (Awaited(self._seats[0].name, Why.AWAY),)
        full = len(self._seats) == self._plan.seats
        if full and self._ready and all(one.ready for one in self._seats):
            return (Awaited(self._seats[0].name, Why.PROPOSES),)
        return awaited(self._seats, self._plan.seats, self._own)

    def _is_linked(self, key: bytes) -> bool:
        return self._peer.mesh.is_linked(key)

    def host_gone(self) -> None:
        """There is no link to the host: show that, and keep dialling."""
        self._show(away=self._invite.identity)

    def _show(self, away: bytes | None = None) -> None:
        """The lobby as the host says, but for whether we are ready: that nobody else can say.

        The host's word for us lags behind ours, and stands still once the table has started.
        """
        if self._plan is None or not self._seats:
            return
        known = {self._own: self._ready, away: None}
        seats = (replace(one, ready=known.get(one.identity, one.ready)) for one in self._seats)
        self._shown.show(self._plan, tuple(seats))

    def receive(self, frame: bytes) -> Seating | None:
        """Take what the host says; the table, once it proposes what was shown.

        LobbyError with a sentence if the host refuses us, or wants what we do not;
        PeerError for anything else that is wrong.
        """
        return self._inbox.take(self._invite.identity, frame)

    def overhear(self, key: bytes, frame: bytes) -> None:
        """Take what anybody in the lobby says; PeerError for garbage."""
        self._spoken.take(key, frame)

    def _take_plan(self, host: bytes, payload: bytes) -> None:
        plan = receive_plan(payload)
        agree(plan.race, self._race_cap_us)
        self._plan = plan
        foresee(self._peer.parts, plan)

    def _take_proposal(self, host: bytes, payload: bytes) -> Seating:
        seating = receive_proposal(self._invite, self._own, payload)
        agree(seating.proposal.race, self._race_cap_us)
        shown = self.is_shown(seating.proposal)
        checks.require("lobby.shown", shown, "malformed", "not the table that was shown")
        return seating

    def _be_refused(self, host: bytes, payload: bytes) -> None:
        raise refusal(payload)

    @property
    def _own(self) -> bytes:
        return self._peer.identity.public

    def _say(self, ready: bool | None) -> None:
        self._linked = self._neighbours.linked()
        greeting = hello(self._invite.token, self._name, self._addresses, ready, self._linked)
        self._peer.mesh.send(self._invite.identity, greeting)

    def _take_seats(self, host: bytes, payload: bytes) -> None:
        seats = decode_seats(payload)
        plan, keys = self._plan, [one.identity for one in seats]
        fit = plan is not None and len(seats) <= plan.seats and len(set(keys)) == len(keys)
        fit = fit and keys[:1] == [self._invite.identity] and self._own in keys
        fit = fit and are_distinct([one.name for one in seats])
        checks.require("lobby.seats", fit, "malformed", "these are no seats of the table")
        self._neighbours.hear(seats)
        self._seats = seats
        self._show()
        self.talk.open()

    @property
    def is_ready(self) -> bool:
        """Whether our person is ready."""
        return self._ready

    def is_shown(self, proposal: Proposal) -> bool:
        """Whether this is, byte for byte, what our person sees now."""
        plan = self._plan
        if plan is None:
            return False
        game, seats = load(plan.game), [(one.identity, one.name) for one in self._seats]
        try:
            shown = propose(
                self._invite.token, game, dict(plan.options), plan.policy, seats, plan.race
            )
        except UsageError:  # not all seats are taken
            return False
        return shown.data == proposal.data


class _HostTalk:
    """What the host of an invite says before there is a table, in bounded amounts.

    It is heard as it comes, whether or not our person is ready: nothing waits in here.
    """

    def __init__(self, invite: Invite, lobby: GuestLobby) -> None:
        self.reached: Final = trio.Event()
        self._host: Final = invite.identity
        self._lobby: Final = lobby
        self._frames: Final[deque[bytes]] = deque()
        self._taken: Final[deque[float]] = deque(maxlen=HOST_FRAMES_MAX)
        self._linked: Final[deque[float]] = deque(maxlen=TWINS)
        self._ended = ""
        """Why nothing more is heard."""
        self._stirred = trio.Event()
        lobby.on_press = self._stir

    def take(self, key: bytes, frame: bytes) -> None:
        """A frame from a link; PeerError for one too many.

        Talk has limits of its own: much of what the host sends is what others say.
        """
        if self._ended:
            return
        if key != self._host or kind_of(frame) is LOBBY_TALK:
            self._lobby.overhear(key, frame)
            return
        now = trio.current_time()
        few = len(self._taken) < HOST_FRAMES_MAX or now - self._taken[0] >= FRAMES_SECONDS
        self._taken.append(now)
        if few:
            self._frames.append(frame)
        else:
            self._ended = (
                f"the host sent {HOST_FRAMES_MAX} messages and did not say what is to be played"
            )
        self._stir()
        checks.require("lobby.flood", few, "malformed", "the host seats nobody and keeps sending")

    def link_changed(self, key: bytes, up: bool) -> None:
        """A link began or ended: on a new one the host has to be greeted again."""
        if key != self._host:
            return
        if not up:
            self._lobby.host_gone()
            return
        self.reached.set()
        self._lobby.greet()
        self._linked.append(trio.current_time())
        if len(self._linked) == TWINS and self._linked[-1] - self._linked[0] < TWINS_SECONDS:
            self._ended = (
                "the link to the host is replaced again and again: another program sits down "
                "there with your identity"
            )
            self._stir()

    def _stir(self) -> None:
        self._stirred.set()

    async def seating(self) -> Seating:
        """The table that the host proposes, once we are ready for it."""
        proposed: Seating | None = None
        while True:
            self._stirred = trio.Event()
            while self._frames:
                proposed = self._lobby.receive(self._frames.popleft()) or proposed
                if proposed is not None and not self._lobby.is_shown(proposed.proposal):
                    proposed = None  # the host has changed its mind, and has to propose again
            if proposed is not None and self._lobby.is_ready:
                return proposed
            if self._ended:
                raise LobbyError(self._ended)
            await self._stirred.wait()


async def be_seated(peer: Connected, invite: Invite, lobby: GuestLobby) -> Seating:
    """Greet the host until it proposes a table, and until we are ready for it.

    LobbyError if we cannot be seated.
    """
    talk = _HostTalk(invite, lobby)
    peer.on_frame, peer.on_link = talk.take, talk.link_changed
    await reach(peer.mesh, invite, talk.reached)
    lobby.greet()
    with one_error():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lobby.say_for_whom)
            nursery.start_soon(lobby.keep_linked)
            seating = await talk.seating()
            nursery.cancel_scope.cancel()
    return seating

"""The lobby as a guest sees it: who is there, who is ready, and what will be proposed.

Nobody signs what was not shown before: a proposal that differs from the lobby is refused, and
one that comes before we are ready waits for us.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from engine.errors import UsageError
from p2p import checks
from p2p.errors import LobbyError, PeerError
from p2p.identity.keys import Identity, words
from p2p.lobby.first_link import LOOKS_SECONDS, FirstLink
from p2p.lobby.host import FRAMES_SECONDS, HOST_FRAMES_MAX, TELLS_SECONDS
from p2p.lobby.neighbours import Neighbours
from p2p.lobby.plan import (
    NOT_READY,
    Seating,
    TablePlan,
    agree,
    hello,
    receive_plan,
    receive_proposal,
    refusal,
)
from p2p.lobby.seats import Taken, decode_seats
from p2p.lobby.shown import Shown
from p2p.lobby.talk import LobbyTalk
from p2p.lobby.waiting import awaited, standing
from p2p.net.invite import Invite
from p2p.net.signed_addresses import SignedAddresses
from p2p.player.player import GetReady
from p2p.player.waits import Awaited, Why
from p2p.protocol.frame_kinds import (
    LOBBY_TALK,
    PLAN,
    PROPOSAL,
    REFUSED,
    SEATS,
    Inbox,
    Sender,
    kind_of,
    leave_aside,
)
from p2p.protocol.proposal import Proposal, propose
from p2p.seat.desk import Desk
from p2p.seat.reply import Reply
from p2p.seat.standstill import say_for_whom
from p2p.seat.timer import Timer
from p2p.text.names import are_distinct

TWINS: Final = 4
"""This many new links to the host while one waits for the game ..."""
TWINS_SECONDS: Final = 20.0
"""... within this time mean that two programs with one identity replace each other's."""


class GuestLobby:
    """One guest at the table of an invite, until there is a proposal that it agrees to.

    `addresses` are where it can be dialled; `on_plan` gets what the host plans.
    """

    def __init__(
        self,
        desk: Desk,
        identity: Identity,
        invite: Invite,
        addresses: SignedAddresses,
        *,
        race_cap_us: int,
        on_plan: Callable[[TablePlan], None] = lambda plan: None,
        ready: bool = True,
    ) -> None:
        own, host = identity.public, invite.identity
        self._desk: Final = desk
        self._own: Final = own
        self._name: Final = identity.name
        self._invite: Final = invite
        self._addresses: Final = addresses
        self._race_cap_us: Final = race_cap_us
        self._bot: Final = identity.bot
        self._ready = ready
        self._agrees = ready or identity.bot
        """Whether it is ready for whatever is planned."""
        self._neighbours: Final = Neighbours(desk, invite.token, own, host)
        self._linked: frozenset[bytes] = frozenset()
        """The keys with which we said last that we are linked."""
        self._shown: Final = Shown(desk, own)
        self._plan: TablePlan | None = None
        self._seats: tuple[Taken, ...] = ()
        self._proposed: Seating | None = None
        self._agreed: Final[Reply[Seating]] = Reply()
        self._reached: Final[Reply[None]] = Reply()
        self._taken: Final[deque[float]] = deque(maxlen=HOST_FRAMES_MAX)
        self._links: Final[deque[float]] = deque(maxlen=TWINS)
        self._on_plan: Final = on_plan
        self.called_off: LobbyError | None = None
        """What the host said of a table that we had agreed to, and that does not begin."""
        self.talk: Final = LobbyTalk(desk, identity, host, invite.token, lambda: self._seats)
        self._spoken: Final[Inbox[None]] = Inbox(
            Sender.HOST | Sender.GUEST, leave_aside, self.talk.handlers
        )
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
        self._afterwards: Final[Inbox[None]] = Inbox(
            Sender.HOST, leave_aside, {REFUSED: self._be_called_off}
        )

    # -- until there is a table ------------------------------------------------------------

    async def seated(self, get_ready: GetReady | None = None) -> Seating:
        """Greet the host until it proposes a table, and until we are ready for it.

        LobbyError if we cannot be seated, PeerError for a host that cheats.  What our own person
        raises, asked by `get_ready`, ends this from outside; then call `leave`.
        """
        desk = self._desk
        asked = desk.consult(partial(get_ready, self.set_ready)) if get_ready else None
        await self._reach()
        self._say()
        keeps, waits = Timer(desk), say_for_whom(desk, self._stands)
        keeps.every(TELLS_SECONDS, self._keep_linked)
        try:
            seating = await self._agreed
        finally:
            for timer in (keeps, waits):
                timer.stop()
        if asked is not None:
            desk.unask(asked[0])
        return seating

    async def _reach(self) -> None:
        first = FirstLink(self._desk.links, self._invite)
        while not self._reached.is_given and not first.is_up():
            await self._desk.sleep(LOOKS_SECONDS)

    def set_ready(self, ready: bool) -> None:
        """Whether our person is ready."""
        if ready != self._ready:
            self._ready = ready
            self._say()
            self._show()
            self._look_whether_agreed()

    def leave(self) -> None:
        """Give the seat back."""
        self._greet(None)

    def _say(self) -> None:
        """Who we are and for which plan we are ready: on every new link, and when that changes."""
        self._greet(self._plan.id if self._ready and self._plan is not None else NOT_READY)

    def _greet(self, ready: bytes | None) -> None:
        self._linked = self._neighbours.linked()
        greeting = hello(
            *(self._invite.token, self._name, self._addresses, ready, self._linked),
            bot=self._bot,
        )
        self._desk.post(self._invite.identity, greeting)

    def _keep_linked(self) -> None:
        """Dial whoever has sat down, and say with whom we are linked."""
        self._neighbours.dial()
        self._shown.look()
        if self._neighbours.linked() != self._linked:
            self._say()

    def _look_whether_agreed(self) -> None:
        """Whether we are ready for what is proposed, and shown now."""
        if self._proposed is not None and not self.is_shown(self._proposed.proposal):
            self._proposed = None  # the host has changed its mind, and has to propose again
        if self._proposed is not None and self._ready:
            self._agreed.give(self._proposed)

    # -- for whom it waits -----------------------------------------------------------------

    def _stands(self) -> tuple[object, tuple[Awaited, ...]]:
        return (self._plan, standing(self._seats), self._ready), self._awaited()

    def _awaited(self) -> tuple[Awaited, ...]:
        host = self._invite.identity
        linked = self._desk.links.is_linked(host)
        if self._plan is None or not self._seats:
            return (Awaited(words(host), Why.ADMITS),) if linked else ()
        if not linked:
            return (Awaited(self._seats[0].name, Why.AWAY),)
        full = len(self._seats) == self._plan.seats
        if full and self._ready and all(one.ready for one in self._seats):
            return (Awaited(self._seats[0].name, Why.PROPOSES),)
        return awaited(self._seats, self._plan.seats, self._own)

    def _show(self, away: bytes | None = None) -> None:
        """The lobby as the host says, but for whether we are ready: that nobody else can say.

        The host's word for us lags behind ours, and stands still once the table has started.
        """
        if self._plan is None or not self._seats:
            return
        known = {self._own: self._ready, away: None}
        seats = (replace(one, ready=known.get(one.identity, one.ready)) for one in self._seats)
        self._shown.show(self._plan, tuple(seats))

    # -- frames and links ------------------------------------------------------------------

    def take(self, key: bytes, frame: bytes) -> None:
        """A frame from a link: heard as it comes, whether or not our person is ready.

        PeerError for garbage, and for one too many.  Talk has limits of its own: much of what the
        host sends is what others say.
        """
        if key != self._invite.identity or kind_of(frame) is LOBBY_TALK:
            self.overhear(key, frame)
            return
        if self._agreed.is_given:
            self._afterwards.take(key, frame)
            return
        now = self._desk.now()
        few = len(self._taken) < HOST_FRAMES_MAX or now - self._taken[0] >= FRAMES_SECONDS
        self._taken.append(now)
        if few:
            self._hear(frame)
            return
        said = f"the host sent {HOST_FRAMES_MAX} messages and did not say what is to be played"
        self._agreed.fail(LobbyError(said))
        checks.require("lobby.flood", few, "malformed", "the host seats nobody and keeps sending")

    def _hear(self, frame: bytes) -> None:
        """Whatever a host says that cannot be ends the lobby, not only a link."""
        try:
            self._proposed = self.receive(frame) or self._proposed
        except (LobbyError, PeerError) as error:
            self._agreed.fail(error)
        else:
            self._look_whether_agreed()

    def link_changed(self, key: bytes, up: bool) -> None:
        """A link began or ended: on a new one the host has to be greeted again."""
        if key != self._invite.identity:
            return
        if not up:
            self._show(away=key)
            return
        self._reached.give(None)
        self._say()
        self._links.append(self._desk.now())
        if len(self._links) == TWINS and self._links[-1] - self._links[0] < TWINS_SECONDS:
            said = (
                "the link to the host is replaced again and again: another program sits down "
                "there with your identity"
            )
            self._agreed.fail(LobbyError(said))

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
        """A person who was ready for another plan has to look at this one first."""
        plan = receive_plan(payload)
        agree(plan.terms.race, self._race_cap_us)
        if plan == self._plan:
            return
        self._ready &= self._agrees or self._plan is None
        self._plan = plan
        self._on_plan(plan)
        self._say()

    def _take_proposal(self, host: bytes, payload: bytes) -> Seating:
        seating = receive_proposal(self._invite, self._own, payload)
        agree(seating.proposal.terms.race, self._race_cap_us)
        shown = self.is_shown(seating.proposal)
        checks.require("lobby.shown", shown, "malformed", "not the table that was shown")
        return seating

    def _be_refused(self, host: bytes, payload: bytes) -> None:
        raise refusal(payload)

    def _be_called_off(self, host: bytes, payload: bytes) -> None:
        self.called_off = refusal(payload)

    def _take_seats(self, host: bytes, payload: bytes) -> None:
        seats = decode_seats(payload)
        plan, keys = self._plan, [one.identity for one in seats]
        fit = plan is not None and len(seats) <= plan.seats and len(set(keys)) == len(keys)
        fit = fit and keys[:1] == [self._invite.identity] and self._own in keys
        fit = fit and are_distinct([one.name for one in seats])
        checks.require("lobby.seats", fit, "malformed", "these are no seats of the table")
        self._check_own_word(seats)
        self._neighbours.hear(seats)
        self._seats = seats
        self._show()
        self.talk.open()

    def _check_own_word(self, seats: tuple[Taken, ...]) -> None:
        """LobbyError if the host says of us what we have not said.

        It need not lie: a host that comes back knows what an earlier program here has said.
        """
        (ours,) = (one for one in seats if one.identity == self._own)
        if ours.bot is not self._bot:
            said = "is a bot's" if ours.bot else "is a person's"
            raise LobbyError(f"the host says that your seat {said}, and it is not")

    def is_shown(self, proposal: Proposal) -> bool:
        """Whether this is, byte for byte, what our person sees now."""
        plan = self._plan
        if plan is None:
            return False
        seats = [one.proposed for one in self._seats]
        try:
            shown = propose(self._invite.token, plan.terms, seats)
        except UsageError:  # not all seats are taken
            return False
        return shown.data == proposal.data

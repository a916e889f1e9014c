"""Playing again with the same people: over the links that are there, without an invite.

After a game every seat says whether it stays, and for which plan: the old game, unless the host
proposes another one.  Once all have agreed to the host's plan, or have left, or are gone, the host
proposes the table to those who stay: that plan, the old order of seats, and a token that follows
from the old table, so that nothing is left to choose but who plays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from engine.errors import UsageError
from engine.zone import Seat
from p2p import checks
from p2p.errors import LobbyError
from p2p.lobby.plan import Expected, Seating, agree, encode_proposal, receive_proposal, refusal
from p2p.net.limits import TokenBucket
from p2p.net.signed_addresses import SignedAddresses, read_addresses
from p2p.player.choosing import AskNext
from p2p.player.events import PlayAgain
from p2p.protocol import wire
from p2p.protocol.entry import HASH_BYTES
from p2p.protocol.frame_kinds import AGAIN, PROPOSAL, REFUSED, Handlers
from p2p.protocol.proposal import TOKEN_BYTES, Proposal, ProposedSeat, propose
from p2p.protocol.races.terms import CAPS_US
from p2p.protocol.terms import Terms, bounded, read_next
from p2p.seat.desk import Desk
from p2p.seat.presence import Absences
from p2p.seat.reply import Reply
from p2p.seat.timer import Timer
from p2p.version import label

DECIDES_SECONDS: Final = 120.0
"""How long a host waits for those who have not agreed to what it proposes."""
GONE_SECONDS: Final = 10.0
"""How long a link may be down before its seat counts as gone: it may come back by itself."""
LOOKS_SECONDS: Final = 1.0
"""How often to look who is linked: links that end say nothing."""
AT_ONCE: Final = 32
A_SECOND: Final = 2.0
"""So many words of one seat are taken at once, and in each second: people press keys."""
TOO_FEW: Final = "too few stay to play again"
TOO_LATE: Final = "the others play without you: you had not agreed in time"
_REMATCH: Final = label("rematch")


def next_token(table: bytes) -> bytes:
    """The token of the table that follows this one."""
    return hashlib.sha512(_REMATCH + table).digest()[:TOKEN_BYTES]


class _Invited(NamedTuple):
    """What a host has proposed to those who stayed at the table with this id."""

    table: bytes
    proposal: Proposal
    frame: bytes


class Rematch:
    """One seat's part in agreeing on the next table of the same people.

    It is the `Choosing` of its own person.  `race_cap_us` is the most delay in races that this
    seat agrees to.  In `given_back` it notes who leaves this table while all sign it.
    """

    def __init__(
        self,
        desk: Desk,
        proposal: Proposal,
        own: bytes,
        tell: Callable[[PlayAgain], None],
        list_for: Callable[[bytes], SignedAddresses],
        race_cap_us: int = CAPS_US[-1],
        given_back: set[bytes] | None = None,
    ) -> None:
        self._desk = desk
        self._proposal = proposal
        self._own = own
        self._host = proposal.identities[0]
        self._tell = tell
        self._list_for = list_for
        self._race_cap_us = race_cap_us
        self._lists: dict[bytes, SignedAddresses] = {}
        self._table = b""
        self._plan = self.same
        self._agreed = self._plan
        self._said: dict[bytes, bytes | None] = {}
        """What each seat said last: the bytes of the plan for which it stays; None if it leaves."""
        self._frame = b""
        """What we say, and the seats that have been sent it over the link that they have."""
        self._heard: set[bytes] = set()
        self._unlinked: Final = Absences[bytes](desk.now)
        self._buckets: dict[bytes, TokenBucket] = {}
        self._proposed_at = 0.0
        self._follows = False
        """Whether our own person agrees to whatever is proposed."""
        self._why_not = ""
        self._seating: Seating | None = None
        self._invited: _Invited | None = None
        self._given_back: Final = set() if given_back is None else given_back
        self._ended: LobbyError | None = None
        self.called_off: LobbyError | None = None
        """What the host said of a table that we had agreed to, and that does not begin."""
        self._looks: Final = Timer(desk)
        """When to look next whether all have decided, while we wait for that."""
        self.handlers: Final[Handlers[None]] = {
            AGAIN: self.hear,
            PROPOSAL: self._hear_proposal,
            REFUSED: self._hear_refusal,
        }

    def open(self, table: bytes) -> None:
        """The table that another one may follow has this id."""
        self._table = table

    def lose(self, key: bytes) -> None:
        """This seat has left the game that is played, and is not asked for another one."""
        self._said[key] = None

    def comes_after(self, before: Rematch) -> None:
        """This table follows that one: whoever still asks there is sent what was proposed.

        A link may have ended while the proposal was on its way.  Who has left since is noted.
        """
        self._invited = before._invited
        self._given_back.update(before._given_back)

    # -- what our own person sees and does ---------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """Who was at the old table, by seat; the first one, the host, proposes what is played."""
        return self._proposal.names

    @property
    def seat(self) -> Seat:
        """Our own seat there."""
        return self._proposal.identities.index(self._own)

    @property
    def _hosts(self) -> bool:
        return self._own == self._host

    @property
    def plan(self) -> Terms:
        """What the host proposes; until it says so, what was played."""
        return self._plan

    @property
    def same(self) -> Terms:
        """What was played."""
        return self._proposal.terms

    @property
    def people(self) -> int:
        """How many may play, as far as nobody else leaves."""
        gone = self._away()
        keys = self._proposal.identities
        return sum(not self._leaves(key) and key not in gone for key in keys)

    @property
    def is_settled(self) -> bool:
        """Whether the next table is agreed by all who stay."""
        return self._seating is not None

    def agree(self, plan: Terms) -> None:
        """Stay, and play this and nothing else; as the host, propose it in place of what was.

        UsageError with a sentence if this program cannot play it, or not so many people.
        """
        why = self._refuses(plan)
        if why:
            raise UsageError(why)
        if self._hosts:
            plan.load().check(self.people, plan.options)
            if self._said.get(self._own) != plan.data:
                self._proposed_at = self._desk.now()
            self._plan, self._why_not = plan, ""
        self._agreed = plan
        self._say(plan.data)

    def _stays(self, key: bytes) -> bool:
        """Whether this seat has said that it stays, for whatever plan."""
        return self._said.get(key) is not None

    def _leaves(self, key: bytes) -> bool:
        """Whether this seat has said that it leaves, or the host is gone."""
        return key in self._said and not self._stays(key)

    def _refuses(self, plan: Terms) -> str:
        """Why this seat does not play this; empty if it may."""
        if plan.unknown:
            return plan.unknown
        try:
            agree(plan.race, self._race_cap_us)
        except LobbyError as error:
            return str(error)
        return ""

    def _say(self, word: bytes | None) -> None:
        """Tell all other seats, but not those who watch."""
        if self._own in self._said and self._said[self._own] == word:
            return
        stays = word is not None
        if stays and self._own not in self._lists:
            self._lists[self._own] = self._list_for(next_token(self._table))
        addresses = self._lists[self._own].data if stays else b""
        said = {"table": self._table, "again": stays, "plan": word or b"", "addresses": addresses}
        self._frame = AGAIN.make(said)
        self._heard.clear()
        self._pass_on()
        self._note(self._own, word)

    def _pass_on(self) -> None:
        """Send what we say to each seat that has not been sent it over the link it has now."""
        linked = {key for key in self._proposal.identities if self._desk.links.is_linked(key)}
        self._heard &= linked
        for key in sorted(linked - self._heard - {self._own}) if self._frame else ():
            self._desk.post(key, self._frame)
            self._heard.add(key)

    # -- what others say ---------------------------------------------------------------

    def hear(self, peer: bytes, payload: bytes) -> None:
        """A seat says whether it stays, and for what; PeerError for garbage, and for too much."""
        bucket = TokenBucket(A_SECOND, self._desk.now(), AT_ONCE)
        few = self._buckets.setdefault(peer, bucket).take_if_left(self._desk.now())
        checks.require("again.flood", few, "malformed", "nobody changes their mind so often")
        fields = AGAIN.read(payload)
        table = wire.octets(fields["table"], HASH_BYTES, "the table id")
        plan = bounded(fields["plan"])
        if self._invites_again(peer, table, stays=fields["again"]):
            return
        if table != self._table or peer not in self._proposal.identities:
            return
        if not fields["again"]:
            self._note(peer, None)
            return
        self._lists[peer] = read_addresses(next_token(table), peer, fields["addresses"])
        if peer == self._host:
            self._hear_plan(plan)
        self._note(peer, plan)
        if peer == self._host and self._follows:
            self._follow()

    def _invites_again(self, peer: bytes, table: bytes, *, stays: bool) -> bool:
        """Whether this seat speaks of a table after which it was invited.

        If it stays it is told so again; otherwise it leaves what was proposed to it.
        """
        invited = self._invited
        if invited is None or invited.table != table or peer not in invited.proposal.identities:
            return False
        if stays:
            self._desk.post(peer, invited.frame)
        else:
            self._given_back.add(peer)
        return True

    def link_changed(self, peer: bytes, up: bool) -> None:
        """Over a new link each seat has to be told again what we say."""
        if not up:
            self._heard.discard(peer)
        self._looks.hurry()

    def _hear_plan(self, data: bytes) -> None:
        """The host's plan, which nobody has agreed to yet, but for whoever named it before."""
        if data != self._plan.data:
            self._plan = read_next(data, len(self._proposal.seats))
        self._why_not = self._refuses(self._plan)

    def _hear_proposal(self, peer: bytes, payload: bytes) -> None:
        """The host's table for those who stay; PeerError for what it may not propose."""
        if self._awaits(peer):
            expected = Expected(self._host, next_token(self._table))
            seating = receive_proposal(expected, self._own, payload)
            self._check(seating.proposal)
            self._seating = seating
            self._looks.hurry()

    def _hear_refusal(self, peer: bytes, payload: bytes) -> None:
        if peer == self._host and self._seating is not None:
            self.called_off = refusal(payload)
        elif self._awaits(peer):
            self._ended = refusal(payload)
            self._why_not = str(self._ended)
            self._note(peer, None)

    def _awaits(self, peer: bytes) -> bool:
        """Whether this is the host, and we stay."""
        return peer == self._host and self._stays(self._own)

    def _check(self, proposal: Proposal) -> None:
        """The new table is what we agreed to last, with the old seats but for those who left."""
        staying = [one for one in self._proposal.seats if one.identity in proposal.identities]
        try:
            same = proposal.data == self._next_table(self._agreed, staying).data
        except UsageError:
            same = False
        checks.require("again.terms", same, "malformed", "not the table that was agreed")

    def _next_table(self, plan: Terms, seats: list[ProposedSeat]) -> Proposal:
        return propose(next_token(self._table), plan.narrowed(len(seats)), seats)

    def _note(self, peer: bytes, word: bytes | None) -> None:
        if peer in self._said and self._said[peer] == word:
            return
        self._said[peer] = word
        self._stands()

    def _stands(self) -> None:
        """Tell our own person how it stands."""
        self._looks.hurry()
        names = {one.identity: one.name for one in self._proposal.seats}
        said = {names[key]: word for key, word in self._said.items()}
        self._tell(
            PlayAgain(
                tuple(name for name, word in said.items() if word == self._plan.data),
                tuple(name for name, word in said.items() if word is None),
                self._plan if self._stays(self._host) else None,
                self._why_not,
            )
        )

    # -- until it is settled -----------------------------------------------------------

    async def settle(self, ask: AskNext) -> Seating | None:
        """Ask our own person and agree with the others: a script, for the driver of the old table.

        It returns the next table, or None if we leave.  What is asked is taken back when all who
        stay have agreed.  LobbyError if it has said True and no table follows: too few stay, or the
        host is gone.
        """
        number, stays = self._desk.consult(partial(ask, self))
        stays.then(self._decide)
        try:
            await self._settled()
        finally:
            self._desk.unask(number)
        return self._seating

    def _decide(self, stays: bool) -> None:
        if stays:
            self._follows = True
            self._follow()
        else:
            self._say(None)

    def _follow(self) -> None:
        """Agree to what is proposed now, or else leave."""
        why = self._refuses(self._plan)
        if why:
            self._ended = LobbyError(why)
            self._say(None)
        elif not self._leaves(self._host):
            self._agreed, self._proposed_at = self._plan, self._desk.now()
            self._say(self._plan.data)

    async def _settled(self) -> None:
        """Until there is a table or we leave."""
        while not self._leaves(self._own):
            self._pass_on()
            gone = self._look_who_is_gone()
            if self._hosts:
                self._invite_if_decided(gone)
            elif self._host in gone:
                self._note(self._host, None)
            if self._seating is not None:
                return
            self._end_if_over()
            await self._news()
        if self._ended is not None:
            raise self._ended

    def _end_if_over(self) -> None:
        """Without a host nothing follows: our own person sees that, and leaves."""
        if self._follows and self._leaves(self._host):
            raise self._ended or LobbyError("the host does not play again")

    def _look_who_is_gone(self) -> set[bytes]:
        """The seats that have had no link for a while; notes since when each has none."""
        others = set(self._proposal.identities) - {self._own}
        self._unlinked.see(key for key in others if not self._desk.links.is_linked(key))
        return self._away()

    def _away(self) -> set[bytes]:
        return self._unlinked.lasting(GONE_SECONDS)

    def _news(self) -> Reply[None]:
        """Given as soon as something has changed, or may have."""
        news = Reply[None]()
        self._looks.after(LOOKS_SECONDS, partial(news.give, None))
        return news

    def _invite_if_decided(self, gone: set[bytes]) -> None:
        """As the host, once all have decided or had their time."""
        if self._own not in self._said:
            return
        open_yet = [key for key in set(self._proposal.identities) - gone if not self._decided(key)]
        late = self._desk.now() - self._proposed_at >= DECIDES_SECONDS
        if late or not open_yet:
            self._invite()

    def _decided(self, key: bytes) -> bool:
        """Whether a seat has left, or has agreed and can be told who plays."""
        return self._leaves(key) or self._agrees(key)

    def _agrees(self, key: bytes) -> bool:
        linked = key == self._own or self._desk.links.is_linked(key)
        return linked and self._said.get(key) == self._plan.data

    def _invite(self) -> None:
        """As the host, propose a table to those who stay.

        If they are too few or too many for it, our own person may propose something else.
        """
        staying = [one for one in self._proposal.seats if self._agrees(one.identity)]
        try:
            proposal = self._next_table(self._plan, staying)
        except UsageError as error:
            self._take_back(str(error))
            return
        lists = {key: self._lists[key] for key in proposal.identities}
        self._seating = Seating(proposal, proposal.identities.index(self._own), lists)
        self._invited = _Invited(self._table, proposal, encode_proposal(self._seating))
        for key in proposal.identities[1:]:
            self._desk.post(key, self._invited.frame)
        self._refuse(set(self._said) - set(proposal.identities), TOO_LATE)

    def _take_back(self, why: str) -> None:
        """Nobody can play this any more; a host that has nothing else to propose ends the evening.

        LobbyError in that case.
        """
        if self._follows:
            self._refuse(self._said.keys() - {self._own}, TOO_FEW)
            self._ended = LobbyError(TOO_FEW)
            self._said[self._own] = None
            return
        del self._said[self._own]
        self._frame, self._why_not = b"", why
        self._stands()

    def _refuse(self, keys: set[bytes], sentence: str) -> None:
        """Tell those of them who wanted to stay."""
        for key in sorted(keys):
            if self._stays(key):
                self._desk.post(key, REFUSED.make(sentence.encode()))

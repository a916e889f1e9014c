"""What a lobby is about: the table that the host plans and then proposes, and its frames."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.errors import UsageError
from p2p import checks
from p2p.errors import LobbyError, OtherVersionError
from p2p.net.invite import Invite
from p2p.net.signed_addresses import (
    Lists,
    SignedAddresses,
    decode_lists,
    encode_lists,
)
from p2p.protocol.entry import HASH_BYTES
from p2p.protocol.frame_kinds import HELLO, PLAN, PROPOSAL, payload_of
from p2p.protocol.parts import Parts, first_shuffle
from p2p.protocol.proposal import Proposal, decode_proposal
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.terms import Terms, decode_terms
from p2p.text.names import NAMES, cut, is_name
from p2p.version import SAME, explain_refusal, greeting, label, other_writer

NOT_READY: Final = b""
_ID: Final = label("plan")
REFUSAL_MAX: Final = 120
"""How many letters are shown of what a host says to somebody whom it does not seat."""


class TablePlan(NamedTuple):
    """The terms that a host wants to propose, and for how many seats."""

    terms: Terms
    seats: int

    @property
    def id(self) -> bytes:
        """The hash by which a guest says that it is ready for this plan and no other."""
        return hashlib.sha512(_ID + payload_of(encode_plan(self))).digest()[:HASH_BYTES]


@dataclass(frozen=True, slots=True)
class Seating:
    """An agreed table: the proposal, one's own seat, and where the others say that they are."""

    proposal: Proposal
    seat: int
    lists: Lists


def encode_proposal(seating: Seating) -> bytes:
    """The frame that proposes a table, with what its seats say about where they are."""
    lists = encode_lists(seating.lists)
    return PROPOSAL.make({"proposal": seating.proposal.data, "addresses": lists})


def hello(
    token: bytes,
    name: str,
    own: SignedAddresses,
    ready: bytes | None = NOT_READY,
    linked: Iterable[bytes] = (),
    *,
    bot: bool = False,
) -> bytes:
    """The greeting of a guest, and later the id of the plan for which it is `ready`.

    NOT_READY is for none, and None gives the seat back.
    `linked` are the keys of the others in the lobby with whom it is linked; `bot`: nobody else
    decides at this seat.
    """
    if not is_name(name):
        raise LobbyError(NAMES)
    fields = {
        "version": greeting(),
        "token": token,
        "name": name,
        "bot": bot,
        "addresses": own.data,
        "ready": ready,
        "linked": sorted(linked),
    }
    return HELLO.make(fields)


def encode_plan(plan: TablePlan) -> bytes:
    """The frame that tells a guest what will be proposed."""
    return PLAN.make({"seats": plan.seats, **plan.terms.encode()})


def receive_plan(payload: bytes) -> TablePlan:
    """What the host means to play.

    It helps people to get ready and to decide: nothing is agreed before the proposal.  PeerError
    for garbage; LobbyError for rules of another version than ours.
    """
    fields = PLAN.read(payload)
    terms, seats = decode_terms(fields), fields["seats"]
    try:
        terms.check(seats)
        sound = True
    except UsageError:
        sound = False
    checks.require("lobby.plan", sound, "malformed", "the host plans a game that cannot be")
    if terms.unknown:
        raise LobbyError(f"this table cannot be joined: {terms.unknown}: {SAME}")
    return TablePlan(terms, seats)


def foresee(parts: Parts, plan: TablePlan) -> None:
    """Ask for the offline part of the first shuffle, to be made while the table fills."""
    count = first_shuffle(plan.terms.load(), plan.seats, plan.terms.options)
    if count is not None:
        parts.foresee(count)


class Expected(NamedTuple):
    """What a proposal has to fit if nobody was invited: whose it is, and its token."""

    identity: bytes
    token: bytes

    def __repr__(self) -> str:
        return "Expected(content hidden)"


def receive_proposal(invite: Invite | Expected, own: bytes, payload: bytes) -> Seating:
    """The agreed table.

    PeerError if the proposal is not for the table of the invite, or leaves us or the host out.
    """
    fields = PROPOSAL.read(payload)
    proposal = decode_proposal(fields["proposal"])
    ours = proposal.token == invite.token
    checks.require("lobby.token", ours, "malformed", "the proposal is for another table")
    other = other_writer(proposal.revision)
    checks.require("lobby.revision", other is None, "malformed", f"a proposal {other}")
    seated = own in proposal.identities and invite.identity in proposal.identities
    checks.require("lobby.seated", seated, "malformed", "the proposal leaves us or the host out")
    lists = decode_lists(fields["addresses"], proposal.token, proposal.identities)
    return Seating(proposal, proposal.identities.index(own), lists)


def refusal(payload: bytes) -> LobbyError:
    """What a host says to somebody whom it does not seat, in its own words as far as printable."""
    sentence = payload[: 4 * REFUSAL_MAX].decode("utf-8", "replace")
    other = explain_refusal(sentence)
    if other is not None:
        return OtherVersionError(other)
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

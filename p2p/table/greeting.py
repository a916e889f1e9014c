"""How the host of a proposed table answers people who greet it again, over a new link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from p2p.driver.connection import Connected
from p2p.lobby.host import HostLobby
from p2p.lobby.plan import Seating, TablePlan, encode_plan, encode_proposal
from p2p.lobby.seats import Taken, encode_seats
from p2p.protocol.frame_kinds import HELLO, REFUSED, Handler
from p2p.seat.runner import Runner

SITS_ALREADY: Final = b"you already sit at this table; nodealer resume goes back to it"
STALE: Final = b"the table of this invite has begun without you"
Knows = Callable[[bytes, bytes], bool]
"""Gets the key and the greeting of somebody with a seat: whether it still has it."""


def from_lobby(
    peer: Connected, runner: Runner, seating: Seating, lobby: HostLobby
) -> Handler[None]:
    """The answers of a host whose lobby has just filled: everybody knows what was planned."""
    runner.given_back.update(lobby.left)
    return _answers(peer, runner, lobby.receive, [lobby.invitation(seating)])


def after_restart(peer: Connected, runner: Runner, seating: Seating) -> Handler[None]:
    """The answers of a host that was started again: nobody knows what a guest has been shown.

    A guest who has signed the table with other keys finds that in its own ledger.
    """

    def read(key: bytes, payload: bytes) -> bool:
        sits = key in seating.proposal.identities
        if not sits:
            peer.mesh.send(key, REFUSED.make(STALE))
        return sits and bool(HELLO.read(payload)["token"] == seating.proposal.token)

    return _answers(peer, runner, read, _everything(seating))


def _everything(seating: Seating) -> list[bytes]:
    """What a lobby shows when all are ready, and the proposal."""
    proposal = seating.proposal
    there = [
        Taken(
            *(one.identity, one.name, True),
            addresses=_list_of(one.identity, seating) if place else b"",
            bot=one.bot,
        )
        for place, one in enumerate(proposal.seats)
    ]
    return [
        encode_plan(TablePlan(proposal.terms, len(proposal.seats))),
        encode_seats(there),
        encode_proposal(seating),
    ]


def _list_of(key: bytes, seating: Seating) -> bytes:
    said = seating.lists.get(key)
    return b"" if said is None else said.data


def _leaves(payload: bytes, token: bytes) -> bool:
    said = HELLO.read(payload)
    return said["token"] == token and said["ready"] is None


def _answers(
    peer: Connected, runner: Runner, knows: Knows, frames: Sequence[bytes]
) -> Handler[None]:
    """Once the header is signed, only a restarted program greets: it would sign other keys for its
    seat.  Before the seat file is begun nothing is proposed: whoever proposes has to come back.
    """

    def greets(key: bytes, payload: bytes) -> None:
        sits = key in runner.proposal.identities
        if sits and runner.table is not None:
            peer.mesh.send(key, REFUSED.make(SITS_ALREADY))
        elif sits and _leaves(payload, runner.proposal.token):
            runner.given_back.add(key)
        elif knows(key, payload) and runner.is_begun:
            for frame in frames:
                peer.mesh.send(key, frame)

    return greets

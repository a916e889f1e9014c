"""Readers of frames: each kind as the room that takes it reads it, and all as they come in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from p2p.errors import LobbyError, OutdatedError, PeerError
from p2p.lobby.plan import Seating, encode_proposal, hello
from p2p.lobby.rematch import next_token
from p2p.net.signed_addresses import encode_lists
from p2p.protocol import frame_kinds as kinds
from p2p.protocol.ballot import sign_ballot
from p2p.protocol.chat import sign_lobby_line, sign_message
from p2p.protocol.entry import Chain
from p2p.protocol.frame_kinds import FrameKind, payload_of
from p2p.protocol.proposal import propose
from p2p.spectators.gallery import watch_frame
from tests.fuzz.doubles import (
    KEYS,
    PLAN,
    THERE,
    filled,
    first_records,
    guest_lobby,
    host_lobby,
    link,
    lobby_talk,
    restarted,
    seated,
    watcher,
)
from tests.fuzz.reader import Reader
from tests.fuzz.tables import PEOPLE, header, listed
from tests.protocol.kit import TOKEN

REFUSALS: Final = (PeerError, LobbyError, OutdatedError)
Take = Callable[[bytes], object]


def _table(**more: object) -> dict[str, Any]:
    return {"table": header().table, **more}


def _at_the_table() -> dict[FrameKind, list[bytes]]:
    """Sound payloads of what a seat takes at its table."""
    proposal, table = header().proposal.id, header().table
    lists = encode_lists({key: listed(seat) for seat, key in enumerate(KEYS)})
    again, plan = listed(1, token=next_token(table)).data, header().proposal.terms.data
    chain = Chain(table)
    made: dict[FrameKind, list[Any]] = {
        kinds.RECORD: first_records(),
        kinds.HAVE: [_table(step=0), _table(step=2**40)],
        kinds.TOLD: [_table(step=0)],
        kinds.BALLOT: [sign_ballot(PEOPLE[1], chain, 1, 2).record],
        kinds.FINISHED: [proposal],
        kinds.LINKED: [{"proposal": proposal, "seats": [0, 2]}],
        kinds.DIFFERS: [_table(step=0)],
        kinds.CHAT: [sign_message(PEOPLE[1], table, 1, 5, "hello").data],
        kinds.AGAIN: [
            _table(again=True, plan=plan, addresses=again),
            _table(again=False, plan=b"", addresses=b""),
        ],
        kinds.ADDRESSES: [{"proposal": proposal, "lists": lists}],
        kinds.WATCHED: [["Eve", "Mallory"], []],
    }
    return {kind: [payload_of(kind.make(one)) for one in said] for kind, said in made.items()}


def _in_the_lobby() -> dict[FrameKind, list[bytes]]:
    plan, seats = filled()
    greetings = [hello(TOKEN, "Bo", listed(1), ready, KEYS[2:]) for ready in (PLAN.id, b"", None)]
    frames = {
        kinds.HELLO: greetings,
        kinds.PROPOSAL: [_proposal()],
        kinds.REFUSED: [kinds.REFUSED.make(b"the table is full")],
        kinds.PLAN: [plan],
        kinds.WATCH: [watch_frame(TOKEN, "Eve")],
        kinds.SEATS: [seats],
        kinds.LOBBY_TALK: [
            kinds.LOBBY_TALK.make(sign_lobby_line(PEOPLE[1], TOKEN, 5, "hello").data)
        ],
    }
    return {kind: [payload_of(one) for one in some] for kind, some in frames.items()}


def _proposal(token: bytes = TOKEN) -> bytes:
    seats = [(one.identity, one.name, False) for one in THERE]
    if token != TOKEN:
        seats = list(header().proposal.seats)
    proposal = propose(token, PLAN.terms, seats)
    lists = {key: listed(seat, token=token) for seat, key in enumerate(KEYS)}
    return encode_proposal(Seating(proposal, 1, lists))


def _row(name: str, kind: FrameKind, take: Take, valid: Callable[[], list[bytes]]) -> Reader:
    return Reader(
        f"frame: {name}",
        lambda payload: take(bytes([kind.number]) + payload),
        valid,
        REFUSALS,
        kinds=(kind,),
        clocked=True,
    )


def _seat_rows() -> Iterator[Reader]:
    def take(frame: bytes) -> None:
        seated().on_frame(KEYS[1], frame)

    for kind in _at_the_table():
        yield _row(f"{kind.name} at a seat", kind, take, lambda kind=kind: _at_the_table()[kind])  # type: ignore[misc]
    yield _row(
        "refused after a game",
        kinds.REFUSED,
        lambda frame: seated(seat=1).on_frame(KEYS[0], frame),
        lambda: _in_the_lobby()[kinds.REFUSED],
    )
    yield _row(
        "proposal after a game",
        kinds.PROPOSAL,
        lambda frame: seated(seat=1).on_frame(KEYS[0], frame),
        lambda: [payload_of(_proposal(next_token(header().table)))],
    )
    yield _row(
        "watch",
        kinds.WATCH,
        lambda frame: seated().on_frame(PEOPLE[3].public, frame),
        lambda: _in_the_lobby()[kinds.WATCH],
    )


def _lobby_rows() -> Iterator[Reader]:
    takes: dict[FrameKind, Take] = {
        kinds.HELLO: lambda frame: host_lobby().receive(KEYS[1], payload_of(frame)),
        kinds.PLAN: lambda frame: guest_lobby().receive(frame),
        kinds.SEATS: lambda frame: guest_lobby(filled()[0]).receive(frame),
        kinds.PROPOSAL: lambda frame: guest_lobby(*filled()).receive(frame),
        kinds.REFUSED: lambda frame: guest_lobby().receive(frame),
        kinds.LOBBY_TALK: lambda frame: lobby_talk().receive(KEYS[1], payload_of(frame)),
    }
    yield _row(
        "hello after a restart",
        kinds.HELLO,
        lambda frame: restarted()(KEYS[1], payload_of(frame)),
        lambda: _in_the_lobby()[kinds.HELLO],
    )
    for kind, take in takes.items():
        yield _row(
            f"{kind.name} in the lobby",
            kind,
            take,
            lambda kind=kind: _in_the_lobby()[kind],  # type: ignore[misc]
        )


def _link_rows() -> Iterator[Reader]:
    async def deliver(peer: bytes, frame: bytes) -> None:
        """Nobody is here."""

    for kind in (kinds.PING, kinds.PONG):
        yield _row(kind.name, kind, lambda frame: link()._take(frame, deliver), lambda: [bytes(8)])


def _watched() -> dict[FrameKind, list[bytes]]:
    plan = header().proposal.terms.data
    staying = [
        _table(staying=[0, 1], leaving=[2], plan=plan),
        _table(staying=[], leaving=[], plan=b""),
    ]
    at_table = _at_the_table()
    return {
        kinds.HEADER: [header().encode()],
        kinds.STAYING: [payload_of(kinds.STAYING.make(one)) for one in staying],
        kinds.REFUSED: [b"the game of this invite is over"],
        **{kind: at_table[kind] for kind in (kinds.RECORD, kinds.BALLOT, kinds.CHAT)},
    }


def _spectator_rows() -> Iterator[Reader]:
    async def take(frame: bytes) -> None:
        spectator = watcher()
        if frame[0] != kinds.HEADER.number:
            await spectator.take(KEYS[0], kinds.HEADER.make(header().encode()))
        await spectator.take(KEYS[0], frame)

    for kind in _watched():
        yield _row(f"{kind.name} to a spectator", kind, take, lambda kind=kind: _watched()[kind])  # type: ignore[misc]


def _any_rows() -> Iterator[Reader]:
    """Whole frames, with their kinds, from a seat and from nobody."""

    def frames() -> list[bytes]:
        sound = {**_at_the_table(), **_in_the_lobby(), **_watched()}
        return [bytes([kind.number]) + one for kind, some in sound.items() for one in some]

    for name, key in (("a seat", KEYS[1]), ("a stranger", PEOPLE[3].public)):
        yield Reader(
            f"any frame from {name}",
            lambda frame, key=key: frame and seated().on_frame(key, frame),  # type: ignore[misc]
            frames,
            REFUSALS,
            clocked=True,
        )


def rows() -> Iterator[Reader]:
    """All of these."""
    for some in (_seat_rows, _lobby_rows, _link_rows, _spectator_rows, _any_rows):
        yield from some()

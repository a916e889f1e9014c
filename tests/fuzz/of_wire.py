"""Readers of what peers sign: records, ballots, talk, addresses, proposals and headers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from p2p.crypto import group, sealing
from p2p.crypto.sealing import Errand, SealingSecret
from p2p.crypto.sharing import Polynomial, read_images
from p2p.net import signed_addresses
from p2p.net.signed_addresses import decode_lists, encode_lists, read_addresses
from p2p.protocol import ballot, chat, entry, genesis, wire
from p2p.protocol.absence.decision import read_decision
from p2p.protocol.absence.poll import Poll
from p2p.protocol.absence.vote import Place, Voters, decode_vote, sign_vote
from p2p.protocol.ballot import decode_ballot, is_ballot, sign_ballot
from p2p.protocol.chat import decode_message, read_lobby_line, sign_lobby_line, sign_message
from p2p.protocol.entry import SIGNATURE_BYTES, VOTE_PURPOSE, Chain, decode_entry, unread
from p2p.protocol.genesis import decode_header
from p2p.protocol.inline import run_inline
from p2p.protocol.key_in_shares import decode_beginning, decode_sealed
from p2p.protocol.own_seat import own_secrets
from p2p.protocol.proposal import decode_proposal
from p2p.protocol.terms import read_next
from tests.fuzz.reader import Reader
from tests.fuzz.tables import PEOPLE, SEATS, header, listed, paused, tossed
from tests.protocol.kit import TOKEN, own_seats, seeded, table_secrets

KEYS = [one.public for one in PEOPLE[:SEATS]]
TABLE = bytes(range(32))


def _signed(seat: int, purpose: bytes, body: bytes, before: bytes = b"") -> bytes:
    return body + PEOPLE[seat].sign(purpose, before + body)


def _bodies(records: Sequence[bytes]) -> list[bytes]:
    return [record[:-SIGNATURE_BYTES] for record in records]


# -- records -----------------------------------------------------------------------------------


def _records() -> list[bytes]:
    signed = [paused(kind).entry.record for kind in ("coin", "shuffle", "lay-all", "commit")]
    return [*tossed()[1], *signed]


def _to_machine(record: bytes) -> None:
    machine, records = tossed()
    machine.start()
    for known in (record, *records):
        machine.receive(known)
        run_inline(machine)


def _entry_rows() -> Iterator[Reader]:
    yield Reader("encoding", wire.unpack, _packed)
    yield Reader("record: where it belongs", lambda data: unread(data).table, _records)
    yield Reader("record", decode_entry, _records)
    yield Reader("record at a table", _to_machine, lambda: tossed()[1], heavy=True)
    yield Reader(
        "record at a table, signed",
        lambda body: _to_machine(_signed(1, entry.PURPOSE, body)),
        lambda: _bodies([one for one in tossed()[1] if decode_entry(one).seat == 1]),
        heavy=True,
    )


def _packed() -> list[bytes]:
    values: list[Any] = [[], {}, {"a": [1, b"b", "c", None, True, -5]}, list(range(40)), b"x" * 300]
    return [*map(wire.pack, values), header().body, header().proposal.data]


# -- ballots, talk, addresses ------------------------------------------------------------------


def _ballots() -> list[bytes]:
    return [sign_ballot(PEOPLE[0], Chain(TABLE), 0, absent).record for absent in (1, 2)]


def _read_ballot(record: bytes) -> None:
    is_ballot(record)
    decode_ballot(record, KEYS)


PLACE, VOTERS = Place(TABLE, 4, bytes(32)), Voters((0, 1, 2), 2, 3)


LEAST = 2
"""How many seats have to go on together."""


def _secrets() -> list[bytes]:
    return [own_seats(3, 1, LEAST)[0].secrets()]


def _votes() -> list[bytes]:
    cases = ((0, 0, {2}), (1, 0, set()), (2, 63, {0}))
    return [sign_vote(PEOPLE[s], PLACE, s, n, frozenset(absent)).record for s, n, absent in cases]


def _read_vote(record: bytes) -> None:
    poll = Poll(PLACE, VOTERS, 1)
    poll.receive(decode_vote(record, KEYS))
    poll.say(frozenset({2}))
    poll.next_vote()


def _lines() -> list[bytes]:
    return [sign_message(PEOPLE[0], TABLE, 0, n, "good evening").data for n in (1, 2**40)]


def _lobby_lines() -> list[bytes]:
    return [sign_lobby_line(PEOPLE[1], TOKEN, n, "am I heard? ä").data for n in (1, 2**40)]


def _read_lobby_line(data: bytes) -> None:
    read_lobby_line(data).check_signature(TOKEN)


def _list(data: bytes) -> object:
    return read_addresses(TOKEN, KEYS[1], data)


def _book(data: bytes) -> object:
    return decode_lists(wire.exactly(wire.unpack(data), list, "a book"), TOKEN, KEYS)


def _books() -> list[bytes]:
    return [wire.pack(encode_lists({key: listed(seat) for seat, key in enumerate(KEYS)}))]


def _said_rows() -> Iterator[Reader]:
    def pair(
        name: str,
        read: Callable[[bytes], object],
        sign: Callable[[bytes], bytes],
        valid: Callable[[], list[bytes]],
    ) -> Iterator[Reader]:
        """As it comes, and signed after it was bent."""
        yield Reader(name, read, valid)
        yield Reader(f"{name}, signed", lambda body: read(sign(body)), lambda: _bodies(valid()))

    yield Reader("secrets of a seat", lambda data: own_secrets(data, LEAST), _secrets)
    yield from pair("ballot", _read_ballot, lambda body: _signed(0, ballot.PURPOSE, body), _ballots)
    yield from pair("vote", _read_vote, lambda body: _signed(0, VOTE_PURPOSE, body), _votes)
    yield Reader(
        "votes that decide",
        lambda data: (
            read_decision([data[:at], data[at:]], PLACE, VOTERS, KEYS)
            if (at := len(data) // 2)
            else None
        ),
        lambda: [_votes()[0] + sign_vote(PEOPLE[1], PLACE, 1, 0, frozenset({2})).record],
    )
    yield from pair(
        "talk",
        lambda data: decode_message(data, KEYS),
        lambda body: _signed(0, chat.PURPOSE, body),
        _lines,
    )
    yield from pair(
        "talk in the lobby",
        _read_lobby_line,
        lambda body: _signed(1, chat.IN_LOBBY, body, TOKEN),
        _lobby_lines,
    )
    yield from pair(
        "addresses",
        _list,
        lambda body: _signed(1, signed_addresses.PURPOSE, body, TOKEN + KEYS[1]),
        lambda: [listed(1).data, listed(1, 2**53).data],
    )
    yield Reader("book of addresses", _book, _books)


# -- how a table begins ------------------------------------------------------------------------


def _sign_header(body: bytes) -> bytes:
    signed = [one.sign(genesis.PURPOSE, body) for one in PEOPLE[:SEATS]]
    return wire.pack({"body": body, "signatures": signed})


def _of_proposal(proposal: bytes) -> bytes:
    return wire.pack({**wire.unpack(header().body), "proposal": proposal})


def _genesis_rows() -> Iterator[Reader]:
    yield Reader("proposal", decode_proposal, lambda: [header().proposal.data])
    yield Reader(
        "plan of the next game",
        lambda data: read_next(data, 3),
        lambda: [header().proposal.terms.data],
    )
    yield Reader("header", decode_header, lambda: [header().encode()], heavy=True)
    yield Reader(
        "header, signed",
        lambda body: decode_header(_sign_header(body[:100_000])),
        lambda: [header().body],
        heavy=True,
    )
    yield Reader(
        "header, signed, of a proposal",
        lambda proposal: decode_header(_sign_header(_of_proposal(proposal[:100_000]))),
        lambda: [header().proposal.data],
        heavy=True,
    )


# -- keys in shares ------------------------------------------------------------------------------


def _share_rows() -> Iterator[Reader]:
    dealer, giver, receiver = table_secrets(3, 1)
    dealt = Polynomial.through(dealer, 3, 5, seeded("polynomial"))
    keys = SealingSecret(giver.scalar), SealingSecret(receiver.scalar)
    begun = sealing.begun_by(TOKEN, [bytes(96)])
    errand = Errand(begun, 0, 2, (keys[0].public, keys[1].public), dealt.images, 2)
    right = sealing.seal(errand, dealt.share(2), keys[0])
    wrong = sealing.seal(errand, dealt.share(1), keys[0])

    yield Reader(
        "how a seat begins",
        lambda data: decode_beginning(data, 3),
        lambda: [bytes(64) + receiver.public],
    )
    yield Reader(
        "images of a polynomial",
        lambda data: read_images(dealer.public, data, 3).image(4),
        lambda: [dealt.images.further],
    )
    yield Reader(
        "sealed shares",
        lambda data: sealing.unseal(errand, decode_sealed(0, 3, data)[2], keys[1]),
        lambda: [group.encode_scalar(one) * 2 for one in (right, wrong)],
    )
    yield Reader(
        "complaint",
        lambda data: sealing.verify_complaint(errand, wrong, data),
        lambda: [sealing.complain(errand, wrong, keys[1], seeded("complaint"))],
    )


def rows() -> Iterator[Reader]:
    """All of these."""
    yield from _entry_rows()
    yield from _said_rows()
    yield from _genesis_rows()
    yield from _share_rows()

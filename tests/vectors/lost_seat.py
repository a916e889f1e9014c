"""Writes the vectors about a lost seat, good and bent: `python -m tests.vectors.lost_seat`.

They are no logs (those are in `tests.vectors.lost`).  Each case is what one function reads, in
hexadecimal, and the verdict; everything comes from seeds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from p2p.crypto import dleq, elgamal, group, relock, sealing, sharing
from p2p.crypto.elgamal import pack_ciphers, unpack_ciphers
from p2p.crypto.keys import KeyContext
from p2p.crypto.sealing import Errand, SealingSecret
from p2p.crypto.sharing import Polynomial, read_commitments
from p2p.crypto.transcript import Transcript
from p2p.errors import PeerError
from p2p.protocol.absence.decision import read_decision
from p2p.protocol.absence.vote import Place, Voters, decode_vote, sign_vote
from tests.crypto.helpers import read_sealed
from tests.protocol.kit import TABLE, TOKEN, identities, seeded, table_secrets

FILE: Final = Path(__file__).parent / "lost_seat.json"
ACCEPTED: Final = "accepted"
SEATS, LEAST = 4, 3
PEOPLE: Final = identities(SEATS)
KEYS: Final = [one.public for one in PEOPLE]
SECRETS: Final = table_secrets(SEATS, 1)
PLACE: Final = Place(TABLE, 9, bytes(range(32)))
BOUND: Final = tuple(bytes([seat]) * 64 for seat in range(SEATS))
LOST, HOLDER = SECRETS[3], SECRETS[0]
UNDER: Final = group.add(LOST.public, HOLDER.public)
Case = dict[str, Any]


def _bound() -> Transcript:
    bound = Transcript("nodealer vectors")
    bound.append("operation", b"lost seat")
    return bound


def _errand(sender: int, promised: bytes, key: bytes) -> Errand:
    public = SECRETS[sender].public
    return Errand(TOKEN, sender, 1, BOUND, read_commitments(public, promised, LEAST, SEATS), key)


def _read_vote(case: Case) -> None:
    decode_vote(bytes.fromhex(case["record"]), KEYS)


def _read_decision(case: Case) -> None:
    records = [bytes.fromhex(record) for record in case["records"]]
    read_decision(records, PLACE, Voters(tuple(range(SEATS)), LEAST, SEATS), KEYS)


def _read_commitments(case: Case) -> None:
    read_commitments(bytes.fromhex(case["key"]), bytes.fromhex(case["further"]), LEAST, SEATS)


def _read_key(case: Case) -> None:
    context = KeyContext(TOKEN, 1, KEYS[1])
    public, proof = bytes.fromhex(case["key"]), bytes.fromhex(case["proof"])
    sealing.verify_sealing_key(context, public, proof, BOUND)


def _errand_of(case: Case) -> Errand:
    return _errand(case["sender"], bytes.fromhex(case["further"]), bytes.fromhex(case["key"]))


def _read_sealed(case: Case) -> None:
    read_sealed(_errand_of(case), bytes.fromhex(case["sealed"]))


def _read_complaint(case: Case) -> None:
    errand = _errand_of(case)
    sealed = read_sealed(errand, bytes.fromhex(case["sealed"]))
    sealing.verify_complaint(errand, sealed, bytes.fromhex(case["complaint"]))


def _read_relock(case: Case) -> None:
    before, after = (
        unpack_ciphers(bytes.fromhex(case[name]), case["slots"]) for name in ("before", "after")
    )
    key, proof = bytes.fromhex(case["key"]), bytes.fromhex(case["proof"])
    relock.verify_relock(HOLDER.public, before, after, key, proof, _bound())


def _read_partial(case: Case) -> None:
    known = read_commitments(LOST.public, bytes.fromhex(case["further"]), LEAST, SEATS)
    points = group.decode_points(bytes.fromhex(case["slots"]), case["count"])
    partials = group.decode_points(bytes.fromhex(case["partials"]), case["count"])
    pairs = list(zip(points, partials, strict=True))
    image = known.image(case["seat"])
    dleq.verify_shares(image, pairs, bytes.fromhex(case["proof"]), _bound())


READ: Final[dict[str, Callable[[Case], None]]] = {
    "vote": _read_vote,
    "decision": _read_decision,
    "commitments": _read_commitments,
    "sealing key": _read_key,
    "sealed share": _read_sealed,
    "complaint": _read_complaint,
    "relock": _read_relock,
    "partial shares": _read_partial,
}
"""What reads a case of each kind."""


def verdict_of(case: Case) -> str:
    """What the product says of a case."""
    try:
        READ[case["kind"]](case)
    except PeerError as refusal:
        return refusal.verdict
    return ACCEPTED


def _flipped(data: bytes, at: int) -> str:
    return (data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]).hex()


def _votes() -> Iterator[Case]:
    votes = [sign_vote(PEOPLE[seat], PLACE, seat, 1, frozenset({3})).record for seat in range(3)]
    present = sign_vote(PEOPLE[1], PLACE, 1, 1, frozenset()).record
    other = sign_vote(PEOPLE[1], PLACE._replace(step=8), 1, 1, frozenset({3})).record
    for about, record in (
        ("seat 3 is gone", votes[0].hex()),
        ("nobody is gone", present.hex()),
        ("a bit of the signature", _flipped(votes[0], -3 % len(votes[0]))),
        ("round 64", sign_vote(PEOPLE[0], PLACE, 0, 64, frozenset({3})).record.hex()),
        (
            "a seat that does not exist",
            sign_vote(PEOPLE[0], PLACE, 0, 1, frozenset({4})).record.hex(),
        ),
        ("shorter than a signature", votes[0][:40].hex()),
    ):
        yield {"kind": "vote", "about": about, "record": record}
    for about, records in (
        ("all others agree", votes),
        ("one is missing", votes[:2]),
        ("in another order", votes[::-1]),
        ("one says otherwise", [votes[0], present, votes[2]]),
        ("one is about another step", [votes[0], other, votes[2]]),
    ):
        yield {"kind": "decision", "about": about, "records": [one.hex() for one in records]}


def _dealt(seat: int) -> Polynomial:
    return Polynomial.through(SECRETS[seat], LEAST, SEATS, seeded(("polynomial", seat)))


def _shares() -> Iterator[Case]:
    dealt, other = _dealt(0), _dealt(2)
    further, key = dealt.commitments.further, HOLDER.public.hex()
    last = -(HOLDER.scalar + 5) % group.ORDER  # f(1) = x + 5 + last
    for about, points in (
        ("two points", further),
        ("a third point", further + group.GENERATOR),
        ("one point", further[:32]),
        ("the identity", further[:32] + group.IDENTITY),
        ("seat 0 gets zero", group.base(5) + group.base(last)),
    ):
        yield {"kind": "commitments", "about": about, "key": key, "further": points.hex()}
    secret = SealingSecret(SECRETS[1].scalar)
    proof = sealing.prove_sealing_key(secret, KeyContext(TOKEN, 1, KEYS[1]), BOUND, seeded("key"))
    for about, data in (("a proof", proof.hex()), ("a bit of it", _flipped(proof, 40))):
        yield {"kind": "sealing key", "about": about, "key": secret.public.hex(), "proof": data}
    errand = _errand(0, further, secret.public)
    right = sealing.seal(errand, dealt.share(1), seeded("right"))
    wrong = sealing.seal(errand, dealt.share(2), seeded("wrong"))
    asked = {"sender": 0, "further": further.hex(), "key": secret.public.hex()}
    copied = {"sender": 2, "further": other.commitments.further.hex(), "key": secret.public.hex()}
    for about, whose, data in (
        ("from seat 0 to seat 1", asked, right.encode().hex()),
        ("a bit of the masked share", asked, _flipped(right.encode(), 40)),
        ("what seat 0 sent, sent by seat 2", copied, right.encode().hex()),
    ):
        yield {"kind": "sealed share", "about": about, **whose, "sealed": data}
    for about, sealed, bend in (
        ("the share of another seat was sent", wrong, False),
        ("the share is right", right, False),
        ("another point is shown", wrong, True),
    ):
        data = sealing.complain(errand, sealed, secret, seeded("complaint"))
        shown = group.add(data[:32], group.GENERATOR) + data[32:] if bend else data
        yield {
            "kind": "complaint",
            "about": about,
            **asked,
            "sealed": sealed.encode().hex(),
            "complaint": shown.hex(),
        }


def _layers() -> Iterator[Case]:
    draw = seeded("slots")
    before = []
    for number in range(3):
        r, card = group.random_scalar(draw), elgamal.card_point("vectors", number)
        before.append((group.base(r), group.add(card, group.mul(LOST.public, r))))
    after, proof = relock.relock(HOLDER, before, UNDER, _bound(), seeded("relock"))
    swapped = [after[1], after[0], after[2]]
    other = [(after[0][0], group.add(after[0][1], group.GENERATOR)), *after[1:]]
    for about, deck, key, data in (
        ("three slots", after, UNDER, proof.hex()),
        ("two of them swapped", swapped, UNDER, proof.hex()),
        ("another card", other, UNDER, proof.hex()),
        ("another key", after, LOST.public, proof.hex()),
        ("a bit of the proof", after, UNDER, _flipped(proof, 70)),
    ):
        yield {
            "kind": "relock",
            "about": about,
            "slots": len(before),
            "before": pack_ciphers(before).hex(),
            "after": pack_ciphers(deck).hex(),
            "key": key.hex(),
            "proof": data,
        }
    yield from _partials([a for a, _ in after])


def _partials(points: list[bytes]) -> Iterator[Case]:
    dealt = _dealt(3)
    share = dealt.share(1)
    partials = [group.mul(a, share.scalar) for a in points]
    proof = dleq.prove_shares(
        share, list(zip(points, partials, strict=True)), _bound(), seeded("partial")
    )
    whole = sharing.combine(
        {s: [group.mul(a, dealt.share(s).scalar) for a in points] for s in (0, 1, 2)}, LEAST
    )
    assert whole == [elgamal.share(LOST, (a, a)) for a in points]
    for about, seat, given in (
        ("of seat 1", 1, partials),
        ("said to be of seat 2", 2, partials),
        ("one of them changed", 1, [*partials[:2], group.GENERATOR]),
    ):
        yield {
            "kind": "partial shares",
            "about": about,
            "seat": seat,
            "count": len(points),
            "further": dealt.commitments.further.hex(),
            "slots": b"".join(points).hex(),
            "partials": b"".join(given).hex(),
            "proof": proof.hex(),
        }


def all_cases() -> list[Case]:
    """Every case, with its verdict last."""
    cases = [*_votes(), *_shares(), *_layers()]
    return [{**case, "verdict": verdict_of(case)} for case in cases]


def written() -> str:
    """The file."""
    known = {
        "identities": [key.hex() for key in KEYS],
        "table keys": [one.public.hex() for one in SECRETS],
        "token": TOKEN.hex(),
        "bound": [one.hex() for one in BOUND],
        "threshold": LEAST,
    }
    place = {"table": TABLE.hex(), "step": PLACE.step, "previous": PLACE.previous.hex()}
    return json.dumps({"known": {**known, **place}, "cases": all_cases()}, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")

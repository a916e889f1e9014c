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
from p2p.crypto.keys import TableSecret
from p2p.crypto.sealing import Errand, SealingSecret
from p2p.crypto.sharing import Images, Polynomial, place, read_images
from p2p.crypto.transcript import Transcript
from p2p.errors import PeerError
from p2p.protocol.absence.decision import read_decision
from p2p.protocol.absence.vote import Place, Voters, decode_vote, sign_vote
from p2p.protocol.key_in_shares import decode_beginning
from tests.protocol.kit import TABLE, TOKEN, identities, seeded, table_secrets

FILE: Final = Path(__file__).parent / "lost_seat.json"
ACCEPTED: Final = "accepted"
SEATS, LEAST = 4, 3
PEOPLE: Final = identities(SEATS)
KEYS: Final = [one.public for one in PEOPLE]
SECRETS: Final = table_secrets(SEATS, 1)
PLACE: Final = Place(TABLE, 9, bytes(range(32)))
SEALING: Final = [
    SealingSecret(group.random_scalar(seeded(("sealing", seat)))) for seat in range(SEATS)
]
BOUND: Final = tuple(bytes([seat]) * 64 + key.public for seat, key in enumerate(SEALING))
RECEIVER: Final = 1
LOST, HOLDER = SECRETS[3], SECRETS[0]
UNDER: Final = group.add(LOST.public, HOLDER.public)
Case = dict[str, Any]


def _bound() -> Transcript:
    bound = Transcript("nodealer vectors")
    bound.append("operation", b"lost seat")
    return bound


def _errand(sender: int, images: Images) -> Errand:
    keys = SEALING[sender].public, SEALING[RECEIVER].public
    begun, at = sealing.begun_by(TOKEN, BOUND), place(sender, RECEIVER, SEATS)
    return Errand(begun, sender, RECEIVER, keys, images, at)


def _images(owner: int, case: Case) -> Images:
    return read_images(SECRETS[owner].public, bytes.fromhex(case["images"]), LEAST)


def _read_vote(case: Case) -> None:
    decode_vote(bytes.fromhex(case["record"]), KEYS)


def _read_decision(case: Case) -> None:
    records = [bytes.fromhex(record) for record in case["records"]]
    read_decision(records, PLACE, Voters(tuple(range(SEATS)), LEAST, SEATS), KEYS)


def _read_beginning(case: Case) -> None:
    decode_beginning(bytes.fromhex(case["said"]), LEAST)


def _read_images(case: Case) -> None:
    assert bytes.fromhex(case["image"]) == _images(0, case).image(case["place"])


def _read_sealed(case: Case) -> None:
    """What its receiver says: `bad-key` of the sender, if it has to complain."""
    errand = _errand(case["sender"], _images(case["sender"], case))
    sealed = group.decode_scalar(bytes.fromhex(case["sealed"]))
    if sealing.unseal(errand, sealed, SEALING[RECEIVER]) is None:
        raise sealing.broken_promise(errand)


def _read_complaint(case: Case) -> None:
    errand = _errand(case["sender"], _images(case["sender"], case))
    sealed = group.decode_scalar(bytes.fromhex(case["sealed"]))
    sealing.verify_complaint(errand, sealed, bytes.fromhex(case["complaint"]))


def _read_relock(case: Case) -> None:
    before, after = (
        unpack_ciphers(bytes.fromhex(case[name]), case["slots"]) for name in ("before", "after")
    )
    key, proof = bytes.fromhex(case["key"]), bytes.fromhex(case["proof"])
    relock.verify_relock(HOLDER.public, before, after, key, proof, _bound())


def _read_partial(case: Case) -> None:
    known = _images(3, case)
    points = group.decode_points(bytes.fromhex(case["slots"]), case["count"])
    partials = group.decode_points(bytes.fromhex(case["partials"]), case["count"])
    pairs = list(zip(points, partials, strict=True))
    image = known.image(place(3, case["seat"], SEATS))
    dleq.verify_shares(image, pairs, bytes.fromhex(case["proof"]), _bound())


READ: Final[dict[str, Callable[[Case], None]]] = {
    "vote": _read_vote,
    "decision": _read_decision,
    "beginning": _read_beginning,
    "images": _read_images,
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


def _beginnings() -> Iterator[Case]:
    began = BOUND[0]
    for about, said in (
        ("a commitment and a sealing key", began),
        ("a commitment alone", began[:64]),
        ("the identity for a sealing key", began[:64] + group.IDENTITY),
        ("a bit of the sealing key", bytes.fromhex(_flipped(began, 64))),
    ):
        yield {"kind": "beginning", "about": about, "said": said.hex()}


def _shares() -> Iterator[Case]:
    dealt, other = _dealt(0), _dealt(2)
    further = dealt.images.further
    for about, points, at in (
        ("two points, and the one at place 1", further, 1),
        ("two points, and the one that follows at place 3", further, 3),
        ("two points, and the one that follows at place 6", further, 6),
        ("a third point", further + group.GENERATOR, 1),
        ("one point", further[:32], 1),
        ("the identity", further[:32] + group.IDENTITY, 1),
    ):
        image = dealt.images.image(at)
        row = {"place": at, "image": image.hex(), "images": points.hex()}
        yield {"kind": "images", "about": about, **row}
    asked = {"sender": 0, "images": further.hex()}
    copied = {"sender": 2, "images": other.images.further.hex()}
    errand = _errand(0, dealt.images)
    right = group.encode_scalar(sealing.seal(errand, dealt.share(1), SEALING[0]))
    wrong = group.encode_scalar(sealing.seal(errand, dealt.share(2), SEALING[0]))
    for about, whose, sealed in (
        ("from seat 0 to seat 1", asked, right.hex()),
        ("the share of another seat", asked, wrong.hex()),
        ("a bit of it", asked, _flipped(right, 9)),
        ("not below the order", asked, "ff" * 32),
        ("what seat 0 sent, sent by seat 2", copied, right.hex()),
    ):
        yield {"kind": "sealed share", "about": about, **whose, "sealed": sealed}
    yield from _complaints(errand, asked, right, wrong)


def _complaints(errand: Errand, asked: Case, right: bytes, wrong: bytes) -> Iterator[Case]:
    secret, (flat, nothing) = SEALING[RECEIVER], _zero()
    for about, one, bend in (
        ("the share of another seat was sent", wrong, False),
        ("the share is right", right, False),
        ("another point is shown", wrong, True),
    ):
        data = sealing.complain(errand, group.decode_scalar(one), secret, seeded("complaint"))
        shown = group.add(data[:32], group.GENERATOR) + data[32:] if bend else data
        row = {"sealed": one.hex(), "complaint": shown.hex()}
        yield {"kind": "complaint", "about": about, **asked, **row}
    data = sealing.complain(flat, nothing, secret, seeded("complaint"))
    row = {"sealed": group.encode_scalar(nothing).hex(), "complaint": data.hex()}
    images = flat.promised.further.hex()
    yield {"kind": "complaint", "about": "the share is zero", "sender": 2, "images": images, **row}


def _zero() -> tuple[Errand, group.Scalar]:
    """Seat 2 promises seat 1, at its last place, the share zero, and seals it."""
    holder = SECRETS[2].scalar  # f(3) = f(0) - 3 f(1) + 3 f(2)
    second = (21 - holder) * pow(3, -1, group.ORDER) % group.ORDER
    flat = Polynomial((holder, 7, second)).images
    assert flat.image(3) == group.IDENTITY
    errand = _errand(2, flat)
    return errand, sealing.seal(errand, 0, SEALING[2])


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
    share = TableSecret(dealt.share(place(3, 2, SEATS)))
    partials = [group.mul(a, share.scalar) for a in points]
    proof = dleq.prove_shares(
        share, list(zip(points, partials, strict=True)), _bound(), seeded("partial")
    )
    whole = sharing.combine(
        {at: [group.mul(a, dealt.share(at)) for a in points] for at in (1, 2, 3)}, LEAST
    )
    assert whole == [elgamal.share(LOST, (a, a)) for a in points]
    for about, seat, given in (
        ("of seat 2", 2, partials),
        ("said to be of seat 1", 1, partials),
        ("one of them changed", 2, [*partials[:2], group.GENERATOR]),
    ):
        yield {
            "kind": "partial shares",
            "about": about,
            "seat": seat,
            "count": len(points),
            "images": dealt.images.further.hex(),
            "slots": b"".join(points).hex(),
            "partials": b"".join(given).hex(),
            "proof": proof.hex(),
        }


def all_cases() -> list[Case]:
    """Every case, with its verdict last."""
    cases = [*_votes(), *_beginnings(), *_shares(), *_layers()]
    return [{**case, "verdict": verdict_of(case)} for case in cases]


def written() -> str:
    """The file."""
    known = {
        "identities": [key.hex() for key in KEYS],
        "table keys": [one.public.hex() for one in SECRETS],
        "token": TOKEN.hex(),
        "sealing secrets": [one.to_bytes().hex() for one in SEALING],
        "bound": [one.hex() for one in BOUND],
        "threshold": LEAST,
    }
    place = {"table": TABLE.hex(), "step": PLACE.step, "previous": PLACE.previous.hex()}
    return json.dumps({"known": {**known, **place}, "cases": all_cases()}, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")

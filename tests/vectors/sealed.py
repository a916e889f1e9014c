"""Tables with the policy carry-on that never began, and headers that promise something else: what
can go wrong where keys are in shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from p2p.crypto import sealing
from p2p.crypto.group import GENERATOR, IDENTITY, ORDER, Scalar
from p2p.crypto.sharing import Polynomial
from p2p.protocol import wire
from p2p.protocol.entry import decode_entry
from p2p.protocol.genesis import PURPOSE, _promises
from p2p.protocol.key_in_shares import KeyInShares, decode_sealed
from p2p.protocol.logfile import begin_log
from p2p.protocol.policy import carry_on
from tests.protocol.cheats import CHEAT, bend_payload
from tests.protocol.kit import Hub, genesis_hub, identities, make_header, own_seats, seeded
from tests.vectors.begun import GAME, evidence_of, load
from tests.vectors.vector import Level, Vector

SEATS: Final = 4
LEAST: Final = 3
POLICY: Final = carry_on(LEAST)
VICTIM: Final = 2
"""The seat that gets a wrong share."""
Change = Callable[[Any], Any]


def _without(name: str) -> Change:
    return lambda said: {key: value for key, value in said.items() if key != name}


def _field(name: str, change: Change) -> Change:
    return lambda said: {**said, name: change(said[name])}


CHEATS: Final[tuple[tuple[str, str, int, Level, str, Change], ...]] = (
    (
        "malformed-sealing-key", "commit", 0, Level.FRAME,
        "A sealing key that is the identity.", lambda began: began[:64] + IDENTITY,
    ),
    (
        "malformed-sealing-none", "commit", 0, Level.FRAME,
        "A commitment without a sealing key behind it.", lambda began: began[:64],
    ),
    (
        "bad-key-images", "reveal", 1, Level.PROOF,
        "Other images than those that were committed to.",
        _field("images", lambda images: images[32:] + GENERATOR),
    ),
    (
        "malformed-images", "reveal", 1, Level.PROOF,
        "An image too many: the threshold would rise.",
        _field("images", lambda images: images + GENERATOR),
    ),
    (
        "malformed-images-zero", "reveal", 1, Level.PROOF,
        "An image that is the identity: a seat would have the share zero.",
        _field("images", lambda images: images[:32] + IDENTITY),
    ),
    (
        "malformed-images-none", "reveal", 1, Level.PROOF, "A reveal without images.",
        _without("images"),
    ),
    (
        "malformed-sealed", "reveal", 1, Level.PROOF, "A sealed share too few.",
        _field("sealed", lambda sealed: sealed[32:]),
    ),
    (
        "malformed-sealed-scalar", "reveal", 1, Level.PROOF,
        "A sealed share that is not below the order.",
        _field("sealed", lambda sealed: b"\xff" * 32 + sealed[32:]),
    ),
    (
        "malformed-complaint", "sign", 2, Level.PROOF, "A complaint about oneself.",
        lambda _: [CHEAT, bytes(96)],
    ),
    (
        "malformed-complaint-length", "sign", 2, Level.PROOF, "A complaint of another length.",
        lambda _: [0, bytes(95)],
    ),
    (
        "bad-key-complaint", "sign", 2, Level.PROOF,
        "A complaint about a share that is right.", lambda _: [0, complaint_about(0)],
    ),
    (
        "bad-share-complaint", "sign", 2, Level.PROOF, "A complaint without a proof.",
        lambda _: [0, complaint_about(0)[:32] + bytes(64)],
    ),
    (
        "bad-signature-carry-on", "sign", 2, Level.CHAIN, "A signature of another header.",
        lambda _: bytes(64),
    ),
)  # fmt: skip


def sealed_tables() -> Iterator[Vector]:
    """All of them."""
    for name, kind, step, level, about, change in CHEATS:
        hub = _begin()
        bend_payload(hub, kind, change)
        yield _convicted(name, hub, about, step, level)
    yield _convicted(
        "bad-key-share", _dealing(_Wrong(own_key().polynomial._values)),
        "The share of seat 2 is not the promised one, and seat 2 complains.", 2,
    )  # fmt: skip
    yield _convicted(
        "bad-key-share-zero", _dealing(_zero_at_the_last_place()),
        "The share of seat 0 is zero, and seat 0 complains.", 2,
    )  # fmt: skip
    about = "A genesis with keys in shares, without a fault."
    sound = evidence_of(_begin(), POLICY)
    yield Vector("unfinished-carry-on.evidence", sound, "unfinished", Level.CHAIN, about, step=3)
    yield from _headers()


def _begin(key: KeyInShares | None = None) -> Hub:
    """A table at its first step; the cheat may have another key in shares."""
    own = own_seats(SEATS, 1, LEAST)[CHEAT]
    changed = {} if key is None else {CHEAT: replace(own, in_shares=key)}
    return genesis_hub(load(GAME), SEATS, policy=POLICY, changed=changed)


def _convicted(name: str, hub: Hub, about: str, step: int, level: Level = Level.PROOF) -> Vector:
    verdict = next(one for one in VERDICTS if name.startswith(one))
    return Vector(f"{name}.evidence", evidence_of(hub, POLICY), verdict, level, about, CHEAT, step)


VERDICTS: Final = ("bad-key", "bad-share", "bad-signature", "malformed")


def own_key(seat: int = CHEAT) -> KeyInShares:
    key = own_seats(SEATS, 1, LEAST)[seat].in_shares
    assert key is not None
    return key


class _Wrong(Polynomial):
    """Promises one share, and gives another one to the victim."""

    def share(self, place: int) -> Scalar:
        right = super().share(place)
        return (right + 1) % ORDER if place == VICTIM - CHEAT else right


def _zero_at_the_last_place() -> Polynomial:
    """f(3) = f(0) - 3 f(1) + 3 f(2) = 0, at a place whose image is not announced."""
    secret, first = own_seats(SEATS, 1, LEAST)[CHEAT].secret.scalar, 7
    return Polynomial((secret, first, (3 * first - secret) * pow(3, -1, ORDER) % ORDER))


def _dealing(polynomial: Polynomial) -> Hub:
    """A table at which the cheat deals this one."""
    return _begin(replace(own_key(), polynomial=polynomial))


def complaint_about(sender: int) -> bytes:
    """What the cheat can show of the right share that it got."""
    hub = _begin()
    hub.run()
    header = make_header(load(GAME), SEATS, policy=POLICY)
    payload = decode_entry(hub.seats[0].machine.records[1][sender]).payload
    errand = _promises(header.proposal, header.keys).errand(sender, CHEAT)
    sealed = decode_sealed(sender, SEATS, payload["sealed"])[CHEAT]
    return sealing.complain(errand, sealed, own_key().sealing, seeded("lie"))


# -- headers that all seats signed as they stand -----------------------------------------------


def _key(change: Change) -> Change:
    """Change what the header says of the cheat's key."""

    def changed(body: dict[str, Any]) -> None:
        body["keys"][CHEAT] = change(body["keys"][CHEAT])

    return changed


def _policy(policy: str) -> Change:
    def changed(body: dict[str, Any]) -> None:
        proposal = wire.unpack(body["proposal"])
        proposal["policy"] = policy
        body["proposal"] = wire.pack(proposal)

    return changed


HEADERS: Final[tuple[tuple[str, int | None, Level, str, Change], ...]] = (
    (
        "bad-key-header-images", CHEAT, Level.PROOF,
        "The header shows other images than those that were committed to.",
        _key(_field("images", lambda images: images[32:] + GENERATOR)),
    ),
    (
        "malformed-header-images", None, Level.PROOF, "The header shows an image too many.",
        _key(_field("images", lambda images: images + GENERATOR)),
    ),
    (
        "malformed-header-images-zero", None, Level.PROOF,
        "The header shows an image that is the identity.",
        _key(_field("images", lambda images: images[:32] + IDENTITY)),
    ),
    (
        "malformed-header-sealing", None, Level.PROOF,
        "The header shows a sealing key that is the identity.",
        _key(_field("commitment", lambda began: began[:64] + IDENTITY)),
    ),
    (
        "malformed-header-none", None, Level.PROOF, "The header lacks the images of a key.",
        _key(_without("images")),
    ),
    (
        "malformed-policy-few", None, Level.FRAME, "Two of four go on: no majority.",
        _policy("carry-on 2"),
    ),
    (
        "malformed-policy-all", None, Level.FRAME, "All four go on, of whom one is gone.",
        _policy("carry-on 4"),
    ),
    (
        "malformed-policy-zeros", None, Level.FRAME, "A number with a zero before it.",
        _policy("carry-on 03"),
    ),
    (
        "malformed-policy", None, Level.FRAME, "A policy that no version knows.",
        _policy("carry-on"),
    ),
)  # fmt: skip


def _headers() -> Iterator[Vector]:
    for name, seat, level, about, change in HEADERS:
        body = wire.unpack(make_header(load(GAME), SEATS, policy=POLICY).body)
        change(body)
        data = wire.pack(body)
        signatures = [one.sign(PURPOSE, data) for one in identities(SEATS)]
        log = begin_log(wire.pack({"body": data, "signatures": signatures}))
        verdict = next(one for one in VERDICTS if name.startswith(one))
        yield Vector(f"{name}.ndlog", log, verdict, level, about, seat)

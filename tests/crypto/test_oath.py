"""Oaths by both methods: true ones pass, false ones do not, whatever the prover computes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations, product

import pytest

from p2p.crypto import dleq, elgamal, group, oath, oath_by_pairs, oath_by_shuffle, shuffle_prover
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import IDENTITY, Point
from p2p.crypto.shuffle import OfflinePart, proof_bytes
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError, PeerError
from tests.crypto.helpers import SeededEntropy, cards, hide, secret, transcript

HOLDER = secret("holder")
ALLOWED, FORBIDDEN = cards(6, "allowed"), cards(3, "forbidden")
HELD = [ALLOWED[4], ALLOWED[0], ALLOWED[5]]
TWO_FORBIDDEN = FORBIDDEN[:2]


def hand(held: list[Point]) -> list[Cipher]:
    return [hide(card, HOLDER.public, f"slot {at}") for at, card in enumerate(held)]


SLOTS = hand(HELD)
BY_SHUFFLE, BY_PAIRS = FORBIDDEN, TWO_FORBIDDEN


def swear(
    forbidden: list[Point], operation: str = "oath", part: OfflinePart | None = None
) -> bytes:
    return oath.swear(
        HOLDER,
        list(zip(SLOTS, HELD, strict=True)),
        ALLOWED,
        forbidden,
        transcript(operation),
        SeededEntropy("oath"),
        part,
    )


def verify(
    data: bytes,
    forbidden: list[Point],
    slots: list[Cipher] = SLOTS,
    allowed: list[Point] = ALLOWED,
    operation: str = "oath",
) -> None:
    oath.verify_oath(
        HOLDER.public,
        slots,
        allowed,
        forbidden,
        data,
        transcript(operation),
        SeededEntropy("verifier"),
    )


def refused(
    data: bytes,
    forbidden: list[Point],
    slots: list[Cipher] = SLOTS,
    allowed: list[Point] = ALLOWED,
    operation: str = "oath",
) -> None:
    with pytest.raises(PeerError) as caught:
        verify(data, forbidden, slots, allowed, operation)
    assert caught.value.verdict == "bad-oath"


def test_the_sizes_choose_the_method() -> None:
    assert not oath.uses_pairs(3, 6, 3)
    assert oath.uses_pairs(3, 6, 2)
    assert oath.uses_pairs(3, 45, 3)
    assert not oath.uses_pairs(13, 39, 13)


@pytest.mark.parametrize("forbidden", [BY_SHUFFLE, BY_PAIRS], ids=["shuffle", "pairs"])
@pytest.mark.call("p2p.crypto.oath_by_shuffle:verify -> shuffle.verify_shuffle")
def test_a_true_oath_is_believed(forbidden: list[Point]) -> None:
    verify(swear(forbidden), forbidden)


def test_nothing_forbidden_is_nothing_to_prove() -> None:
    assert swear([]) == b""
    verify(b"", [])


def test_a_prepared_part_serves_one_oath() -> None:
    part = OfflinePart.prepare(len(ALLOWED), HOLDER.public, SeededEntropy("part"))
    assert swear(BY_PAIRS, part=part)
    verify(swear(BY_SHUFFLE, part=part), BY_SHUFFLE)
    with pytest.raises(LocalError, match="once"):
        swear(BY_SHUFFLE, part=part)


def test_the_sizes_are_as_planned() -> None:
    """Plan: at most 7 KB for 13 slots among 39 allowed cards."""
    assert len(swear(BY_PAIRS)) == 6 * 160
    full = 39 * elgamal.CIPHER_BYTES + proof_bytes(39) + 13 * 2 + dleq.PROOF_BYTES
    assert full <= 7000
    assert len(swear(BY_SHUFFLE)) == 6 * elgamal.CIPHER_BYTES + proof_bytes(6) + 3 * 2 + 64


@pytest.mark.parametrize(
    ("held", "allowed", "forbidden"),
    [
        ([*HELD[:2], FORBIDDEN[0]], ALLOWED, FORBIDDEN),
        ([*HELD[:2], HELD[0]], ALLOWED, FORBIDDEN),
        (HELD, ALLOWED, [*FORBIDDEN, HELD[0]]),
        (HELD, ALLOWED[:5], FORBIDDEN),
    ],
    ids=["forbidden", "twice", "both lists", "not allowed"],
)
def test_nobody_swears_falsely_by_mistake(
    held: list[Point], allowed: list[Point], forbidden: list[Point]
) -> None:
    opened = list(zip(SLOTS, held, strict=True))
    with pytest.raises(LocalError):
        oath.swear(HOLDER, opened, allowed, forbidden, transcript(), SeededEntropy("oath"))


def test_an_oath_is_about_something() -> None:
    with pytest.raises(LocalError):
        oath.swear(HOLDER, [], ALLOWED, FORBIDDEN, transcript(), SeededEntropy("oath"))
    with pytest.raises(LocalError):
        verify(b"", FORBIDDEN, slots=[])


def test_a_part_under_another_key_is_our_mistake() -> None:
    part = OfflinePart.prepare(len(ALLOWED), secret("other").public, SeededEntropy("part"))
    with pytest.raises(LocalError):
        swear(BY_SHUFFLE, part=part)


@pytest.mark.parametrize("forbidden", [BY_SHUFFLE, BY_PAIRS], ids=["shuffle", "pairs"])
def test_an_oath_is_bound_to_each_part_of_its_statement(forbidden: list[Point]) -> None:
    data = swear(forbidden)
    other = cards(1, "other")[0]
    refused(data, forbidden, operation="another step")
    refused(data, forbidden, slots=[SLOTS[1], SLOTS[0], SLOTS[2]])
    refused(data, forbidden, slots=[hide(HELD[0], HOLDER.public, "twin"), *SLOTS[1:]])
    refused(data, forbidden, allowed=[*ALLOWED[1:], ALLOWED[0]])
    refused(data, [*forbidden[1:], other])
    with pytest.raises(PeerError):
        oath.verify_oath(
            secret("other").public,
            SLOTS,
            ALLOWED,
            forbidden,
            data,
            transcript("oath"),
            SeededEntropy("verifier"),
        )


@pytest.mark.parametrize("forbidden", [BY_SHUFFLE, BY_PAIRS], ids=["shuffle", "pairs"])
@pytest.mark.call(
    "p2p.crypto.oath:verify_oath -> oath_by_pairs.verify",
    "p2p.crypto.oath:verify_oath -> oath_by_shuffle.verify",
)
def test_every_byte_of_an_oath_counts(forbidden: list[Point]) -> None:
    data = swear(forbidden)
    for at in range(0, len(data), 31):
        changed = bytearray(data)
        changed[at] ^= 1
        refused(bytes(changed), forbidden)


@pytest.mark.check("oath.length")
@pytest.mark.check("oath.pairs-length")
@pytest.mark.parametrize("forbidden", [BY_SHUFFLE, BY_PAIRS], ids=["shuffle", "pairs"])
def test_the_length_is_exact(forbidden: list[Point]) -> None:
    data = swear(forbidden)
    refused(data + b"\x00", forbidden)
    refused(data[:-1], forbidden)
    refused(b"", forbidden)


# By shuffle.


def bound_statement(slots: list[Cipher], forbidden: list[Point]) -> Transcript:
    bound = transcript("oath")
    oath._absorb(bound, HOLDER.public, slots, ALLOWED, forbidden)
    return bound


def swear_by_shuffle(slots: list[Cipher], positions_of: list[Point]) -> bytes:
    """The honest computation with positions of the prover's choice, true or not."""
    opened = list(zip(slots, positions_of, strict=True))
    part = OfflinePart.prepare(len(ALLOWED), HOLDER.public, SeededEntropy("part"))
    bound = bound_statement(slots, BY_SHUFFLE)
    return oath_by_shuffle.prove(HOLDER, opened, ALLOWED, part, bound, SeededEntropy("oath"))


@pytest.mark.call("p2p.crypto.oath_by_shuffle:verify -> dleq.verify_shares")
def test_a_forbidden_card_claimed_to_be_an_allowed_one_is_refused() -> None:
    slots = hand([FORBIDDEN[0], *HELD[1:]])
    refused(swear_by_shuffle(slots, HELD), BY_SHUFFLE, slots)


def test_a_shuffle_with_a_forbidden_card_in_it_is_refused() -> None:
    """The prover shuffles a list other than the allowed one, and matches it truthfully."""
    held = [FORBIDDEN[0], *HELD[1:]]
    slots = hand(held)
    bound = bound_statement(slots, BY_SHUFFLE)
    part = OfflinePart.prepare(len(ALLOWED), HOLDER.public, SeededEntropy("part"))
    smuggled = [FORBIDDEN[0], *ALLOWED[:1], *ALLOWED[2:]]
    data = oath_by_shuffle.prove(
        HOLDER, list(zip(slots, held, strict=True)), smuggled, part, bound, SeededEntropy("oath")
    )
    refused(data, BY_SHUFFLE, slots)


def test_a_list_that_names_one_allowed_card_twice_is_refused() -> None:
    """Two copies in the output, one allowed card missing: the shuffle argument fails."""
    part = OfflinePart.prepare(len(ALLOWED), HOLDER.public, SeededEntropy("part"))
    honest = part.take()
    doubled = replace(honest, permutation=[0, 0, 2, 3, 4, 5])
    bound = bound_statement(SLOTS, BY_SHUFFLE)
    deck = [elgamal.fresh(card) for card in ALLOWED]
    output = shuffle_prover.apply(doubled, deck)
    proof = shuffle_prover.argue(doubled, HOLDER.public, (deck, output), bound, SeededEntropy("o"))
    positions = [4, 0, 5]
    bound.append_numbers("oath positions", *positions)
    pairs = oath_by_shuffle._differences(SLOTS, [output[at] for at in positions])
    equality = dleq.prove_shares(HOLDER, pairs, bound, SeededEntropy("oath"))
    named = b"".join(at.to_bytes(2, "big") for at in positions)
    refused(elgamal.pack_ciphers(output) + proof.encode() + named + equality, BY_SHUFFLE)


@pytest.mark.check("oath.position-repeated")
def test_two_slots_for_one_allowed_card_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    held = [ALLOWED[4], ALLOWED[0], ALLOWED[0]]
    slots = hand(held)

    def first(permutation: list[int], allowed: list[Point], cards: list[Point]) -> list[int]:
        return [permutation.index(allowed.index(card)) for card in cards]

    monkeypatch.setattr(oath_by_shuffle, "_positions", first)
    refused(swear_by_shuffle(slots, held), BY_SHUFFLE, slots)


def test_the_places_that_an_oath_names_tell_nothing_of_the_cards() -> None:
    """Over all orders of a list in which one face has three copies and two have one."""
    common, rare, other = cards(3, "with copies")
    allowed = [common, rare, common, other, common]
    orders = list(map(list, permutations(range(len(allowed)))))
    for held in ([common], [rare], [common, common], [common, rare], [rare, common, common]):
        named = Counter(tuple(oath_by_shuffle._positions(one, allowed, held)) for one in orders)
        assert set(named) == set(permutations(range(len(allowed)), len(held)))
        assert len(set(named.values())) == 1


@pytest.mark.check("oath.position-range")
def test_a_position_outside_the_list_is_refused() -> None:
    data = bytearray(swear(BY_SHUFFLE))
    at = len(data) - dleq.PROOF_BYTES - 3 * 2
    data[at : at + 2] = len(ALLOWED).to_bytes(2, "big")
    refused(bytes(data), BY_SHUFFLE)


# By pairs.


def swear_by_pairs(
    slots: list[Cipher], points: list[Point], nonces: list[tuple[int, int]], secrets: list[tuple]
) -> bytes:
    """Answer the challenge for points and secrets of the prover's choice."""
    challenge = oath_by_pairs._challenge(bound_statement(slots, BY_PAIRS), points)
    answers = [
        nonce + challenge * hidden
        for pair_nonces, pair_secrets in zip(nonces, secrets, strict=True)
        for nonce, hidden in zip(pair_nonces, pair_secrets, strict=True)
    ]
    return b"".join(points) + b"".join(map(group.encode_scalar, answers))


def pair_secrets(
    slots: list[Cipher], scale_of_key: int
) -> tuple[list[Point], list[tuple[int, int]], list[tuple[int, int]]]:
    """Points, nonces and (t, u) of each pair, where u = t (x + `scale_of_key`)."""
    points: list[Point] = []
    nonces, secrets = [], []
    for number, (slot, banned) in enumerate(product(slots, BY_PAIRS)):
        scale, first, second = group.random_scalars(SeededEntropy(f"pair {number}"), 3)
        scaled = scale * (HOLDER.scalar + scale_of_key) % group.ORDER
        shifted = group.sub(slot[1], banned)
        points += [
            group.msm((shifted, slot[0]), (scale, -scaled)),
            group.msm((shifted, slot[0]), (first, -second)),
            group.base(first * HOLDER.scalar - second),
        ]
        nonces.append((first, second))
        secrets.append((scale, scaled))
    return points, nonces, secrets


def test_the_forger_without_malice_is_believed() -> None:
    verify(swear_by_pairs(SLOTS, *pair_secrets(SLOTS, 0)), BY_PAIRS)


@pytest.mark.check("oath.forbidden-card")
def test_a_forbidden_card_under_a_true_relation_is_refused() -> None:
    """Everything holds except C, which is the identity for the forbidden card."""
    slots = hand([FORBIDDEN[0], *HELD[1:]])
    data = swear_by_pairs(slots, *pair_secrets(slots, 0))
    assert data[:32] == IDENTITY
    refused(data, BY_PAIRS, slots)


@pytest.mark.check("oath.equations")
@pytest.mark.check("oath.key-relation")
def test_a_forbidden_card_under_another_key_is_refused() -> None:
    """C = t (b - M) - u a with u that is not t x: only the relation to Y fails."""
    slots = hand([FORBIDDEN[0], *HELD[1:]])
    data = swear_by_pairs(slots, *pair_secrets(slots, 1))
    assert data[:32] != IDENTITY
    refused(data, BY_PAIRS, slots)


@pytest.mark.check("oath.inequality")
def test_a_made_up_difference_is_refused() -> None:
    """C is any point: only the relation to the slot fails."""
    slots = hand([FORBIDDEN[0], *HELD[1:]])
    points, nonces, secrets = pair_secrets(slots, 0)
    points[0] = group.base(77)
    refused(swear_by_pairs(slots, points, nonces, secrets), BY_PAIRS, slots)


def test_answers_out_of_range_are_refused() -> None:
    data = swear(BY_PAIRS)
    for at in range(6 * 96, len(data), 32):
        value = int.from_bytes(data[at : at + 32], "little") + group.ORDER
        refused(data[:at] + value.to_bytes(32, "little") + data[at + 32 :], BY_PAIRS)


def test_false_pairs_that_cancel_out_are_refused() -> None:
    """Two errors of opposite sign in the points of two pairs."""
    slots = hand([FORBIDDEN[0], FORBIDDEN[0], HELD[2]])
    points, nonces, secrets = pair_secrets(slots, 0)
    points[0], points[6] = group.base(5), group.base(-5)
    refused(swear_by_pairs(slots, points, nonces, secrets), BY_PAIRS, slots)

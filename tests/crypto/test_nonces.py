"""Proofs made with entropy that always gives the same bytes: no nonce twice, no secret lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import pytest

from p2p.crypto import (
    dleq,
    elgamal,
    group,
    keys,
    oath,
    oath_by_pairs,
    relock,
    shuffle,
    shuffle_offline,
    shuffle_prover,
    transfer,
)
from p2p.crypto.elgamal import Cipher
from p2p.crypto.keys import KeyContext
from tests.crypto.extraction import (
    Answers,
    Order,
    answers,
    each_two,
    from_pairs,
    from_responses,
    opens,
    permutation,
    repeated,
)
from tests.crypto.helpers import SeededEntropy, cards, hide, secret
from tests.crypto.recording import Recording

HOLDER, TARGETS = secret("holder"), [secret("one").public, secret("other").public]
STEPS = ("step 1", "step 2", "step 3")
CARDS = cards(4)
SLOTS = [hide(card, HOLDER.public, f"slot {at}") for at, card in enumerate(CARDS)]
OPENED = list(zip(SLOTS, CARDS, strict=True))
Made = tuple[Recording, Answers]


def stuck(length: int) -> bytes:
    """A broken source of randomness."""
    return b"\x2a" * length


def at(step: str) -> Recording:
    bound = Recording("test table")
    bound.append("step", step.encode())
    return bound


def made_shares() -> list[Made]:
    """Shares of different slots at different steps, and of the same ones at different steps."""
    made = []
    for step, count in product(STEPS, (1, 2, 4)):
        bound = at(step)
        pairs = [(slot[0], elgamal.share(HOLDER, slot)) for slot in SLOTS[:count]]
        made.append((bound, answers(dleq.prove_shares(HOLDER, pairs, bound, stuck))))
    return made


def made_possessions(monkeypatch: pytest.MonkeyPatch) -> list[Made]:
    """One key at tables with other tokens, seats, and commitments."""
    made: list[Made] = []
    bound: list[Recording] = []

    def begin(label: str) -> Recording:
        bound.append(Recording(label))
        return bound[-1]

    monkeypatch.setattr(keys, "Transcript", begin)
    for token, seat, other in product((b"a" * 16, b"b" * 16), (0, 1), (b"c", b"d")):
        context = KeyContext(token, seat, bytes(32))
        proof = keys.prove_key(HOLDER, context, [other * 64, bytes(64)], stuck)
        made.append((bound[-1], answers(proof)))
    return made


def made_transfers() -> list[tuple[Recording, Answers, Cipher]]:
    made = []
    for step, slot, target in product(STEPS, SLOTS, TARGETS):
        bound = at(step)
        moved, proof = transfer.transfer(HOLDER, slot, target, bound, stuck)
        made.append((bound, answers(proof), moved))
    return made


def made_pairs() -> list[Made]:
    """Oaths by pairs: other steps, other slots, other forbidden cards."""
    made = []
    allowed = [*CARDS, *cards(20, "others")]
    for step, count, banned in product(STEPS, (1, 2), (1, 2)):
        bound = at(step)
        data = oath.swear(HOLDER, OPENED[:count], allowed, cards(banned, "banned"), bound, stuck)
        _, responses = oath_by_pairs._decode(data, count * banned)
        made.append((bound, Answers(bound.drawn["oath challenge"], tuple(responses))))
    return made


def commitments(
    made: Sequence[tuple[Recording, *tuple[object, ...]]], label: str, after: int = 0
) -> list[bytes]:
    """The points that each prover committed to, one by one: `after` so many that follow from the
    statement.
    """
    joined = (b"".join(bound.absorbed[label])[32 * after :] for bound, *_ in made)
    return [points[at : at + 32] for points in joined for at in range(0, len(points), 32)]


def test_an_attacker_solves_for_the_secret_where_nonces_repeat() -> None:
    """Otherwise the tests below would show nothing."""
    one, other = (Answers(c, (77 - c * HOLDER.scalar,)) for c in (5, 9))
    assert opens(from_responses(one, other), HOLDER.public)
    scaled = [Answers(c, (7 + c * 3, 8 + c * 3 * HOLDER.scalar)) for c in (5, 9)]
    assert [opens(found, HOLDER.public) for found in from_pairs(*scaled)] == [True]


@pytest.mark.parametrize("kind", ["shares", "possession"])
def test_proofs_of_one_secret_share_no_nonce(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = made_shares() if kind == "shares" else made_possessions(monkeypatch)
    label, sums = ("share sums and commitments", 2) if kind == "shares" else ("nonce", 0)
    for one, other in each_two([given for _, given in made]):
        assert not opens(from_responses(one, other), HOLDER.public)
    # The sums over one pair are that pair, whatever the step.
    assert not repeated(commitments(made, label, sums))


def test_transfers_share_no_nonce_and_no_factor() -> None:
    """With one factor a slot goes to two seats, and a seat that reads one of them reads both."""
    made = made_transfers()
    wraps = {given: moved[0] for _, given, moved in made}
    for one, other in each_two([given for _, given, _ in made]):
        assert not opens(from_responses(one, other), HOLDER.public)
        assert not opens(from_responses(one, other, 1), wraps[one])
    assert not repeated(moved[0] for _, _, moved in made)
    assert not repeated(commitments(made, "transfer commitments"))


def test_oaths_by_pairs_share_no_scale_and_no_nonce() -> None:
    made = made_pairs()
    for one, other in each_two([given for _, given in made]):
        assert not any(opens(found, HOLDER.public) for found in from_pairs(one, other))
    assert not repeated(commitments(made, "oath commitments"))


def _shuffled(prove: Callable[[Recording], shuffle.ShuffleProof]) -> list[Order]:
    orders = []
    for step in STEPS:
        bound = at(step)
        proof = prove(bound)
        orders.append(Order(proof, bound.drawn["card weights"]))
    return orders


def test_oaths_by_shuffle_that_make_their_own_parts_hide_their_order() -> None:
    """An oath without a prepared part makes one: it, too, differs at each step."""
    allowed, banned = CARDS, cards(4, "banned")

    def prove(bound: Recording) -> shuffle.ShuffleProof:
        data = oath.swear(HOLDER, OPENED[:2], allowed, banned, bound, stuck)
        end = len(allowed) * elgamal.CIPHER_BYTES
        return shuffle.ShuffleProof.decode(
            data[end : end + shuffle.proof_bytes(len(allowed))], len(allowed)
        )

    orders = _shuffled(prove)
    assert permutation(orders[0], orders[1]) is None
    assert not repeated(order.proof.commitment for order in orders)


def test_two_proofs_from_one_part_give_the_order_away() -> None:
    """Why a part is used once, and made of values that never repeat.  (Here by force.)

    What is chosen once the deck is known depends on the transcript: it differs in each proof.
    """
    deck, order = [elgamal.fresh(card) for card in CARDS], [2, 0, 3, 1]
    prepared = shuffle_offline.prepare(order, HOLDER.public, SeededEntropy("part"))
    output = shuffle_prover.apply(prepared, deck)
    blinds = []

    def prove(bound: Recording) -> shuffle.ShuffleProof:
        proof = shuffle_prover.argue(prepared, HOLDER.public, (deck, output), bound, stuck)
        inverse = pow(bound.drawn["answer"], -1, group.ORDER)
        blinds.append((proof.product_opening - prepared.cross_opening) * inverse % group.ORDER)
        return proof

    orders = _shuffled(prove)
    assert permutation(orders[0], orders[1]) == order
    assert len(set(blinds)) == len(STEPS)


def test_relocks_share_no_nonce_and_no_factor() -> None:
    """Two slots with one factor would show by how much they differ."""
    made = []
    for step, count in product(STEPS, (1, 2, 4)):
        bound = at(step)
        after, proof = relock.relock(HOLDER, SLOTS[:count], TARGETS[0], bound, stuck)
        wraps = [group.sub(new[0], old[0]) for old, new in zip(SLOTS[:count], after, strict=True)]
        made.append((bound, answers(proof), wraps))
    for one, other in each_two([given for _, given, _ in made]):
        assert not opens(from_responses(one, other), HOLDER.public)
    assert not repeated(wrap for _, _, wraps in made for wrap in wraps)
    assert not repeated(commitments(made, "relock commitments"))

"""A seat whose machine has no randomness: nothing that it sends repeats or gives a secret away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from types import ModuleType
from typing import Any, Final

import pytest

from engine.cards import Card, Deck
from engine.game import Game
from engine.games import load
from engine.question import Otherwise
from p2p.crypto import dleq, oath_by_pairs, oath_by_shuffle, shuffle
from p2p.crypto.keys import TableSecret
from p2p.crypto.shuffle_statement import ShuffleProof
from p2p.protocol import context, terms
from p2p.protocol.acts import moving, shuffling
from p2p.protocol.context import Keys
from p2p.protocol.entry import decode_entry
from replay.audit import COMPLETE, audit_bytes
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
from tests.crypto.recording import Recording
from tests.protocol.kit import Hub, game_hub, log_bytes, seeded, table_secrets
from tests.protocol.scenes import one_turn
from tests.protocol.verbs import VerbsTable

STUCK = 1
"""The seat whose entropy always gives the same bytes."""
SWORN: Final = Otherwise.ANY_SWORN
DECK: Final = Deck("busy", [Card(number, f"{number}", 0, number) for number in range(40)])
MANY: Final = 25
"""From this card on there are so many cards that an oath about them is by shuffle."""


async def _busy(t: VerbsTable) -> None:
    """Each kind of proof several times, about the same cards if possible."""
    own = t.hands[STUCK]
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 5)
    for turn in range(4):
        t.seen += await t.flip(6, 1)
        await t.hand_over([(own[0], t.hands[0]), (own[1], t.hands[0])])
        await t.hand_over([(slot, own) for slot in t.hands[0][-2:]])
        await t.deal(t.stock, [own], 2)
        # An oath by pairs, unless the seat happens to hold that card; then perhaps one by shuffle.
        one = DECK.cards[turn]
        await t.play(STUCK, own, lambda card, one=one: card is one, t.pile, SWORN, "hold it")
        await t.play(STUCK, own, lambda card: card.id >= MANY, t.pile, SWORN, "hold it")
        choices = await t.together((0, STUCK), [range(4), range(4)], "a number")
        t.seen += [choice for choice in choices if choice is not None]
        await t.reshuffle(own, STUCK)
        await t.put_back(own[:1], t.stock)
    await t.shuffle(t.stock)


BUSY: Final = one_turn("busy", _busy)
GAMES: Final[dict[str, tuple[Game, int, dict[str, Any]]]] = {
    "busy": (BUSY, 2, {}),
    "flip-over": (load("flip-over"), 4, {"rounds": 1, "teams": True}),
    "flaps": (load("flaps"), 2, {"level": 5, "turn-limit": 8, "last-card": "off"}),
}


def stuck(length: int) -> bytes:
    return b"\x2a" * length


@dataclass
class Seen:
    """What a verifier reads in the proofs of one seat, and what an attacker makes of it."""

    public: bytes
    shares: list[Answers] = field(default_factory=list)
    pairs: list[Answers] = field(default_factory=list)
    transfers: list[Answers] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    points: list[bytes] = field(default_factory=list)
    """Commitments and factors of all proofs."""

    def add_shares(self, public: bytes, _: object, proof: bytes, bound: Recording) -> None:
        if public == self.public:
            self.shares.append(answers(proof))
            self.points += bound.absorbed["share sums and commitments"][2:]

    def add_transfer(self, public: bytes, *rest: Any) -> None:
        _, moved, _, proof, bound = rest
        if public == self.public:
            self.transfers.append(answers(proof))
            self.points += [moved[0], *bound.absorbed["transfer commitments"]]

    def add_pairs(self, statement: Any, data: bytes, bound: Recording, _: object) -> None:
        if statement.public == self.public:
            points, responses = oath_by_pairs._decode(data, statement.pairs)
            self.pairs.append(Answers(bound.drawn["oath challenge"], tuple(responses)))
            self.points += points

    def add_chain(self, _: object, __: object, proofs: Any, bound: Any, ___: object) -> None:
        for proof, one in zip(proofs, bound, strict=True):
            if one.absorbed["seat"] == (STUCK.to_bytes(2, "little"),):
                self.add_order(proof, one)

    def add_shuffle(self, public: bytes, _: object, __: object, *rest: Any) -> None:
        proof, bound, _ = rest
        if public == self.public:
            self.add_order(proof, bound)

    def add_order(self, proof: ShuffleProof, bound: Recording) -> None:
        self.orders.append(Order(proof, bound.drawn["card weights"]))
        self.points += [*proof.shuffle_commitments, *proof.content_commitments]

    def secrets(self) -> Iterator[int | None]:
        """Everything that an attacker may take for the table secret."""
        for one, other in each_two(self.shares + self.transfers):
            yield from_responses(one, other)
        for one, other in each_two(self.pairs):
            yield from from_pairs(one, other)

    def given_away(self) -> list[list[int]]:
        """The orders of shuffles that an attacker finds."""
        alike = (
            permutation(one, other)
            for one, other in combinations(self.orders, 2)
            if len(one.weights) == len(other.weights) > 1
        )
        return [order for order in alike if order is not None]


def _listen(
    patch: pytest.MonkeyPatch, module: ModuleType, name: str, hear: Callable[..., None]
) -> None:
    """Everything that is verified is also heard, afterwards."""
    verify = getattr(module, name)

    def heard(*statement: Any) -> None:
        verify(*statement)
        hear(*statement)

    patch.setattr(module, name, heard)


def read_proofs(log: bytes, public: bytes, patch: pytest.MonkeyPatch) -> Seen:
    """Everything in a log, read by an audit that finds it complete."""
    seen = Seen(public)
    patch.setattr(context, "Transcript", Recording)
    _listen(patch, dleq, "verify_shares", seen.add_shares)
    _listen(patch, moving, "verify_transfer", seen.add_transfer)
    _listen(patch, oath_by_pairs, "verify", seen.add_pairs)
    _listen(patch, shuffling, "verify_chain", seen.add_chain)
    _listen(patch, shuffle, "verify_shuffle", seen.add_shuffle)
    assert oath_by_shuffle.shuffle is shuffle
    report = audit_bytes(log, "log", seeded("audit"))
    assert report.verdict == COMPLETE, report.reason
    return seen


def _sealed(hub: Hub) -> list[bytes]:
    """Commitments to secret choices and the nonces that opened them."""
    own = [decode_entry(record) for step in hub.seats[STUCK].log for record in step]
    made = [entry for entry in own if entry.seat == STUCK]
    commits = [entry.payload for entry in made if entry.kind in {"commit", "set-commit"}]
    return commits + [
        entry.payload["nonce"] for entry in made if entry.kind in {"reveal", "set-reveal"}
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_without_randomness_repeats_nothing_and_tells_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even to somebody who knows what the broken source gives."""
    game, count, options = GAMES[name]
    monkeypatch.setattr(terms, "load", lambda _: game)
    hub = game_hub(game, count, 1, entropies={STUCK: stuck}, **options)
    hub.run(10**7)
    assert not hub.faults
    public = table_secrets(count, 1)[STUCK].public
    seen = read_proofs(log_bytes(hub.seats[0]), public, monkeypatch)
    assert seen.shares
    assert seen.orders
    if game is BUSY:
        assert min(map(len, (seen.pairs, seen.transfers, seen.orders, _sealed(hub)))) > 1
    assert not repeated(seen.points)
    assert not repeated(_sealed(hub))
    assert not any(opens(found, public) for found in seen.secrets())
    assert seen.given_away() == []


def _drawn(secret: TableSecret, place: bytes = b"table") -> bytes:
    publics = [secret.public, table_secrets(1, 9)[0].public]
    return Keys(publics, stuck, 0, secret, place).entropy(32)


def test_a_seat_that_sits_down_again_draws_other_values() -> None:
    """What it signed before tells its lives apart; otherwise its first part would come twice."""
    first, second = table_secrets(2, 1)
    assert _drawn(first) == _drawn(first)
    assert len({_drawn(first), _drawn(first, b"table, one record"), _drawn(second)}) == 3

"""Oaths of their own, cards that go back, and a second deck: good tables, and seat 1 cheating."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

from p2p.checks import Entropy
from p2p.crypto import oath, oath_by_pairs
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import Point
from p2p.crypto.keys import TableSecret
from p2p.crypto.shuffle import OfflinePart
from p2p.crypto.transcript import Transcript
from p2p.crypto.transfer import PROOF_BYTES
from p2p.protocol.acts import moving
from tests.protocol.cheats import CHEAT, unite_oaths
from tests.protocol.kit import Hub, log_bytes, table_secrets
from tests.protocol.odd_proofs import by_one_factor
from tests.protocol.verbs import VerbsTable
from tests.vectors.bent import CIPHER_BYTES, Cheat, Payload, caught, other_card
from tests.vectors.scenes import LARGE, known_scenes
from tests.vectors.schemed import credit_grows, one_part, tracking
from tests.vectors.tables import STAGED, play_out
from tests.vectors.vector import Level, Vector

ABOUT: Final = {
    "swear": "Oaths of their own: by pairs, by shuffle, covered ones, one for new ciphers.",
    "put-back": "Cards go back from two hands in one step, are dealt again and shuffled.",
    "dealt-back": "Two cards go back, and one deal brings both again: they are merged.",
    "decks": "Two decks in one game: shuffles, deals, oaths, cards put back, opened and laid.",
    "merged": "A merge between an oath and a card laid under oath; each face is there twice.",
    "mixed": "A merge that comes with a card laid without an oath, between two oaths.",
    "credits": "A race with each of two decks: the witnesses credit the same.",
}
honest_oath = oath.swear
DEALT: Final = 3
"""Cards of each hand before somebody draws."""


# -- what is done to the table ----------------------------------------------------------------


def never_swears(hub: Hub) -> None:
    """The cheat treats every oath as one that was sworn before."""
    slots = hub.seats[CHEAT].cards.slots
    slots.is_sworn = lambda about, none_of: True  # type: ignore[method-assign]


def swears_again(hub: Hub) -> None:
    """The cheat treats its oaths as ended once it has laid a card."""
    cards = hub.seats[CHEAT].cards
    honest, table = cards.slots.is_sworn, cards.table
    assert isinstance(table, VerbsTable)

    def is_sworn(about: Iterable[int], none_of: Iterable[int]) -> bool:
        return not table.pile and honest(about, none_of)

    cards.slots.is_sworn = is_sworn  # type: ignore[method-assign]


def sworn_before(hub: Hub) -> None:
    """The cheat keeps its oaths when a fresh deck comes."""
    slots = hub.seats[CHEAT].cards.slots
    swear, is_sworn, said = slots.swear, slots.is_sworn, []

    def remember(about: Iterable[int], none_of: Iterable[int]) -> None:
        said.append((frozenset(about), frozenset(none_of)))
        swear(*said[-1])

    def ever(about: Iterable[int], none_of: Iterable[int]) -> bool:
        asked = frozenset(about), frozenset(none_of)
        return is_sworn(*asked) or asked in said

    slots.swear, slots.is_sworn = remember, ever  # type: ignore[method-assign]


def sworn_by_handle(hub: Hub) -> None:
    """The cheat goes by what was sworn about handles that stay, whatever card is behind them."""
    cards = hub.seats[CHEAT].cards
    honest, table = cards.slots.is_sworn, cards.table
    assert isinstance(table, VerbsTable)

    def is_sworn(about: Iterable[int], none_of: Iterable[int]) -> bool:
        return len(table.hands[CHEAT]) > DEALT or honest(about, none_of)

    cards.slots.is_sworn = is_sworn  # type: ignore[method-assign]


def as_handed_over(hub: Hub) -> None:
    """The cheat binds its proofs for cards that go back as if it handed the cards over."""
    cards = hub.seats[CHEAT].cards
    bind = cards.bind

    def other(seat: int, operation: str, slots: Sequence[int]) -> Transcript:
        mine = (seat, operation) == (CHEAT, "put-back")
        return bind(seat, "hand-over" if mine else operation, slots)

    cards.bind = other  # type: ignore[method-assign]


def false_oath(
    secret: TableSecret,
    opened: Sequence[tuple[Cipher, Point]],
    allowed: list[Point],
    forbidden: list[Point],
    transcript: Transcript,
    entropy: Entropy,
    part: OfflinePart | None = None,
) -> bytes:
    """An oath as in section 4, sworn by a seat that holds what is forbidden.

    By pairs, only the identity among its points gives it away; by shuffle, it names another card,
    which the shares then do not show.
    """
    slots, cards = [slot for slot, _ in opened], [card for _, card in opened]
    if oath.uses_pairs(len(slots), len(allowed), len(forbidden)):
        oath._absorb(transcript, secret.public, slots, allowed, forbidden)
        statement = oath_by_pairs.Statement(secret.public, slots, forbidden)
        return oath_by_pairs.prove(secret, statement, cards, transcript, entropy)
    others = iter([card for card in allowed if card not in cards])
    named = [next(others) if card in forbidden else card for card in cards]
    lies = list(zip(slots, named, strict=True))
    return honest_oath(secret, lies, allowed, forbidden, transcript, entropy, part)


# -- ways to change a payload -----------------------------------------------------------------


def second() -> Callable[[Payload], bool]:
    """The second entry of its kind by the cheat."""
    said: list[Any] = []

    def when(payload: Payload) -> bool:
        said.append(payload)
        return len(said) == 2

    return when


def replayed() -> dict[str, Any]:
    """Repeat what the cheat signed with the first deck when the same is due again."""
    said: list[Any] = []

    def when(payload: Payload) -> bool:
        said.append(payload)
        return len(said) > 1

    return {"change": lambda _: said[0], "when": when}


def one_less(payload: Payload) -> Payload:
    deck, proofs = payload["deck"], payload["proofs"]
    return {"deck": deck[:-CIPHER_BYTES], "proofs": proofs[:-PROOF_BYTES]}


def card_of_before(payload: Payload) -> Payload:
    return {**payload, "card": len(LARGE) - 1}


def _of_hands() -> Iterator[Cheat]:
    """With the rules that everybody has."""
    yield Cheat(
        "bad-shuffle-hands", "flop-a-hands", "shuffle", "bad-shuffle", Level.PROOF,
        "A true shuffle of the second deck whose commitment c was used with the first.",
        scheme=one_part(CHEAT, joint=True),
    )  # fmt: skip
    yield Cheat(
        "bad-share-hands", "flop-a-hands", "deal", "bad-share", Level.PROOF,
        "The shares and the proof of the first hand, for the second.", **replayed(),
    )  # fmt: skip


def _of_oaths() -> Iterator[Cheat]:
    yield Cheat(
        "bad-oath-swear", "false-by-pairs", "swear", "bad-oath", Level.PROOF,
        "A seat swears by pairs not to have a card that it has.",
    )  # fmt: skip
    yield Cheat(
        "bad-oath-swear-shuffle", "false-by-shuffle", "swear", "bad-oath", Level.PROOF,
        "A seat swears by shuffle not to have a card that it has.",
    )  # fmt: skip
    yield Cheat(
        "malformed-swear", "swear", "swear", "malformed", Level.PROOF,
        "Nothing where an oath has to be.", lambda _: None,
    )  # fmt: skip
    yield Cheat(
        "illegal-move-no-swear", "swear", "open", "illegal-move", Level.PROOF,
        "A seat does what comes next, without the oath that it owes.", scheme=never_swears,
    )  # fmt: skip
    yield Cheat(
        "illegal-move-swear", "swear", "swear", "illegal-move", Level.PROOF,
        "A true oath that a standing one covers: a card was laid since, which ends none.",
        scheme=swears_again,
    )  # fmt: skip


def _of_cards_put_back() -> Iterator[Cheat]:
    yield Cheat(
        "bad-transfer-put-back", "put-back", "put-back", "bad-transfer", Level.PROOF,
        "A card becomes another one while it is put back.", other_card,
    )  # fmt: skip
    yield Cheat(
        "bad-transfer-kind", "put-back", "put-back", "bad-transfer", Level.PROOF,
        "A card is put back with the proof for handing it over.", scheme=as_handed_over,
    )  # fmt: skip
    yield Cheat(
        "malformed-put-back", "put-back", "put-back", "malformed", Level.PROOF,
        "One card of two is put back.", one_less,
    )  # fmt: skip
    yield Cheat(
        "illegal-move-put-back", "put-back", "play", "illegal-move", Level.PROOF,
        "A card is laid without the merge that is owed since others were put back and dealt.",
        scheme=tracking(mixed=False),
    )  # fmt: skip
    yield Cheat(
        "illegal-move-dealt-back",
        "dealt-back",
        "play",
        "illegal-move",
        Level.PROOF,
        "A card is laid without the merge that is owed since one deal brought two cards back.",
        scheme=tracking(mixed=False),
    )


def _of_two_decks() -> Iterator[Cheat]:
    yield Cheat(
        "bad-oath-decks", "decks", "swear", "bad-oath", Level.PROOF,
        "The oath about cards of the first deck, for cards of the second.", **replayed(),
    )  # fmt: skip
    yield Cheat(
        "bad-transfer-decks", "decks", "put-back", "bad-transfer", Level.PROOF,
        "What was put back of the first deck is put back again.", **replayed(),
    )  # fmt: skip
    yield Cheat(
        "illegal-move-decks", "decks", "put-back", "illegal-move", Level.PROOF,
        "A seat goes on without an oath, as if the one of the first deck stood.",
        scheme=sworn_before,
    )  # fmt: skip
    yield Cheat(
        "malformed-decks", "decks", "play", "malformed", Level.PROOF,
        "A card that only the first deck had.", card_of_before, second(),
    )  # fmt: skip
    yield Cheat(
        "bad-witness-decks", "credits", "witness", "bad-witness", Level.PROOF,
        "A witness credits a claimant with more delay than it did with the first deck.",
        scheme=credit_grows,
    )  # fmt: skip


def _of_a_game_for_all() -> Iterator[Cheat]:
    yield Cheat(
        "illegal-move-leave-game", "merged", "play", "illegal-move", Level.PROOF,
        "A seat leaves, and the rules cannot go on without a player.",
        lambda _: None, fields=(("kind", "leave"),),
    )  # fmt: skip


def _of_merges() -> Iterator[Cheat]:
    yield Cheat(
        "illegal-move-merged", "false-after-merge", "play", "illegal-move", Level.PROOF,
        "The card that is asked for, drawn after an oath, is merged behind a handle that was "
        "sworn about, and another card is laid without an oath.", scheme=sworn_by_handle,
    )  # fmt: skip
    yield Cheat(
        "illegal-move-mixed",
        "false-after-mix",
        "play",
        "illegal-move",
        Level.PROOF,
        "A card drawn after an oath is merged with cards that were sworn about, and the next card "
        "is laid as if the oath were about all of them.",
        when=second(),
        scheme=lambda hub: unite_oaths(hub.seats[CHEAT].cards.slots),
    )
    yield Cheat(
        "malformed-copy", "merged", "play", "malformed", Level.PROOF,
        "A card is named by the number of its second copy.",
        lambda payload: {**payload, "card": payload["card"] + 1},
    )  # fmt: skip
    yield Cheat(
        "malformed-confirm", "merged", "confirm", "malformed", Level.PROOF,
        "A confirmation of the shuffles says something.", lambda _: 1,
    )  # fmt: skip


def _by_one_factor() -> Cheat:
    return Cheat(
        "bad-transfer-repeated", "merged", "put-back", "bad-transfer", Level.PROOF,
        "Two cards are put back under one point a, each with a true proof.",
    )  # fmt: skip


def staged_tables() -> Iterator[Vector]:
    """The vectors of scenes, which come with their questions, and those of a game of two hands."""
    with known_scenes():
        vectors = [*_staged()]
    yield from vectors
    for cheat in _of_hands():
        yield from caught(cheat)


def _staged() -> Iterator[Vector]:
    for name, about in ABOUT.items():
        log = log_bytes(play_out(STAGED[name]).seats[0])
        vector = Vector(f"good-{name}.ndlog", log, "complete", Level.RULES, about)
        yield replace(vector, scene=STAGED[name].game)
    with patch.object(oath, "swear", false_oath):  # if an oath is true, this makes a true one
        for cheats in (
            _of_oaths,
            _of_cards_put_back,
            _of_two_decks,
            _of_merges,
            _of_a_game_for_all,
        ):
            for cheat in cheats():
                yield from _caught(cheat)
    with patch.object(moving, "transfer", by_one_factor(_secret())):
        yield from _caught(_by_one_factor())


def _caught(cheat: Cheat) -> Iterator[Vector]:
    for vector in caught(cheat):
        yield replace(vector, scene=STAGED[cheat.plan].game)


def _secret() -> TableSecret:
    plan = STAGED["merged"]
    return table_secrets(plan.seats, plan.seed)[CHEAT]

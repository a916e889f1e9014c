"""A game between peers, and a trusted dealer who was given the same cards and decisions.

While the peers play, a watcher with everybody's secrets notes which physical card lies on each
slot whenever the rules are answered.  Afterwards a trusted dealer that believes these cards has
to give each answer itself: every face, every oath, every claim of a race.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine import acts
from engine import question as ask
from engine.bots import Bot, random_bot, sensible
from engine.cards import Card, Deck
from engine.dealer import TrustedDealer
from engine.game import Game, Value
from engine.question import Question
from engine.session import Session
from engine.sets import Laid, Lay, LaySet, LayTogether
from engine.view import View
from engine.zone import Seat, Slot
from p2p.crypto.elgamal import Cipher, read
from p2p.crypto.group import Point
from p2p.crypto.keys import TableSecret
from tests.protocol.kit import Hub, game_hub

Truth = list[int]
"""The physical card of each slot."""
CHANCE = 0.2
"""The share of decisions that are taken by chance, not with the sense that ends a game soon."""


class Watched:
    """A table that plays, with what the watcher noted at each answer.

    `bot` decides for all; without one, the game's own bot mostly, so that the game ends soon.
    `verifying` is as for `game_hub`.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        seed: int,
        options: dict[str, Value],
        bot: Bot | None = None,
        *,
        verifying: int | None = None,
    ) -> None:
        self.game = game
        self.options = options
        self.hub: Hub = game_hub(game, seats, seed, verifying=verifying, **options)
        self.truths: list[Truth] = []
        self.meant: defaultdict[int, dict[Seat, object]] = defaultdict(dict)
        """For each answer, what the seats meant to do, by faces instead of slots."""
        self._found: dict[Cipher, int] = {}
        self._bot = bot or _mostly(sensible(game.name))
        self.hub.chooser = self._choose

    def play(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The whole game."""
        target, answer = self.hub.seats[0].session, Session.answer

        def watched(session: Session, given: object) -> None:
            if session is target:
                self.truths.append(self._truth())
            answer(session, given)

        with monkeypatch.context() as patch:
            patch.setattr(Session, "answer", watched)
            self.hub.run(10**8)
        assert not self.hub.faults

    def _choose(self, view: Any, question: Any) -> object:
        decision = self._bot(view, question, self.hub.rng)
        at = len(self.hub.seats[view.seat].session.journal)
        self.meant[at][view.seat] = _meaning(view, question, decision)
        return decision

    def _truth(self) -> Truth:
        slots, locks = self.hub.seats[0].cards.slots, self.hub.seats[0].session.table.locks
        return [
            self._card(cipher, lock) if number is None else number
            for number, cipher, lock in zip(slots.numbers, slots.ciphers, locks, strict=True)
        ]

    def _card(self, cipher: Cipher, lock: int) -> int:
        """The card below one seat's key, or everybody's; `lock` was on it before the answer."""
        if cipher not in self._found:
            points = self.hub.seats[0].cards.slots.points
            secrets = [seat.cards.keys.own for seat in self.hub.seats]
            ways = [[secret] for secret in secrets]
            ways.insert(0, ways[lock] if lock >= 0 else secrets)
            found = (_below(cipher, way) for way in [*ways, secrets])
            self._found[cipher] = next(points.index(one) for one in found if one in points)
        return self._found[cipher]


def _below(cipher: Cipher, secrets: list[TableSecret]) -> Point:
    """What these keys together open."""
    point = cipher[1]
    for secret in secrets:
        point = read(secret, (cipher[0], point))
    return point


def _mostly(bot: Bot) -> Bot:
    def decide(view: View, question: Question[Any], rng: Random) -> object:
        return (random_bot if rng.random() < CHANCE else bot)(view, question, rng)

    return decide


def _meaning(view: Any, question: Any, decision: Any) -> object:
    """A decision by faces: slots change when a hand is reshuffled before they are named."""
    if isinstance(question, ask.Race):
        question = question.claims[view.seat]
    if decision is None:
        return None
    if isinstance(question, ask.Choose | ask.Together):
        return "said", decision
    if isinstance(question, ask.Either) and decision < 0:
        return "said", ask.said(decision)
    if isinstance(decision, Lay):
        return _ids(view.cards(decision.slots)), decision.down
    return _ids(view.cards(decision if isinstance(decision, tuple) else (decision,)))


def _ids(cards: list[Card]) -> tuple[int, ...]:
    return tuple(sorted(card.id for card in cards))


def check(watched: Watched) -> Session:
    """A trusted dealer agrees with every answer; the finished twin of the peers' game."""
    session = watched.hub.seats[0].session
    twin = Session(watched.game, session.table.seats, watched.options, check=True)
    dealer, before = TrustedDealer(Random(0)), []
    for at, (answer, truth) in enumerate(zip(session.journal, watched.truths, strict=True)):
        asked = twin.pending
        assert asked is not None
        deck = twin.table.deck
        if deck is not None:
            cards = [deck.cards[number] for number in truth]
            _check_cards(asked, before, truth, deck)
            _check_public(twin, asked, cards)
            dealer.truth.cards[:] = cards
        _check_answer(dealer, twin, asked, answer)
        _check_meant(watched.meant[at], asked, answer, dealer)
        twin.answer(answer)
        before = truth
    assert twin.over
    return twin


def _check_cards(asked: Question[Any], before: Truth, now: Truth, deck: Deck) -> None:
    """Each face occurs as often as it is printed; only shuffles and reshuffled hands move any."""
    assert sorted(now) == sorted(deck.lowest)
    if isinstance(asked, acts.Fresh):
        assert now == sorted(now)
        return
    moved = {slot for slot, (a, b) in enumerate(zip(before, now, strict=True)) if a != b}
    assert moved <= set(_may_move(asked))


def _may_move(asked: Question[Any]) -> Iterator[Slot]:
    match asked:
        case acts.Shuffle() | acts.Reshuffle():
            yield from asked.slots
        case ask.Play() | ask.LayDown() | LaySet():
            yield from asked.zone
        case ask.Either():
            yield from asked.play.zone
        case ask.Race() | LayTogether():
            for claim in asked.claims.values():
                yield from _may_move(claim)
        case acts.LayAll():
            for hand in asked.hands:
                yield from hand


def _check_public(twin: Session, asked: Question[Any], cards: list[Card]) -> None:
    for face, card in zip(twin.table.faces, cards, strict=True):
        assert face is None or face is card or isinstance(asked, acts.Shuffle | acts.Reshuffle)


def _check_answer(dealer: TrustedDealer, twin: Session, asked: Any, answer: Any) -> None:
    """The answer is the trusted dealer's own, except for what is chance."""
    table = twin.table
    match asked:
        case acts.Fresh() | acts.Shuffle() | acts.Reshuffle():
            assert answer is None
        case acts.Flip():
            assert len(answer) == asked.times
        case acts.Cut():
            seen = Counter(card.id for card in answer)
            assert seen <= Counter(dealer.truth.cards[slot].id for slot in asked.slots)
        case ask.Race():
            if answer is not None:
                claims = list(answer.claims)
                claims += [(_owner(asked, slot), (slot, card)) for slot, card in answer.shown]
                for seat, claimed in claims:
                    claim = asked.claims[seat]
                    decision = {seat: _decision(claim, claimed)}
                    assert dealer.answer(table, claim, decision) == claimed
        case _:
            assert dealer.answer(table, asked, _decisions(asked, answer)) == answer


def _owner(race: ask.Race, slot: Slot) -> Seat:
    return next(seat for seat, claim in race.claims.items() if slot in set(_may_move(claim)))


def _decisions(asked: Any, answer: Any) -> dict[Seat, object]:
    if isinstance(asked, LayTogether | ask.Together):
        return {
            seat: _decision(asked, one) for seat, one in zip(asked.deciders, answer, strict=True)
        }
    return {seat: _decision(asked, answer) for seat in asked.deciders}


def _decision(asked: Any, answer: Any) -> object:
    """The decision behind a public answer."""
    if isinstance(answer, Laid):
        return Lay(answer.slots, answer.cards is None)
    if isinstance(asked, ask.Either) and isinstance(answer, int):
        return ask.said(answer)
    if isinstance(asked, ask.Play | ask.Either) and answer is not None:
        return answer[0]
    return answer


def _check_meant(meant: dict[Seat, object], asked: Any, answer: Any, dealer: TrustedDealer) -> None:
    """What happened is what the seats decided."""
    if isinstance(asked, ask.Race):
        if answer is None:
            assert not any(meant.values())
            return
        for seat, claimed in answer.claims:
            if seat in meant:
                assert _meant_by(asked.claims[seat], claimed, dealer) == meant[seat]
        return
    answers = answer if isinstance(asked, LayTogether | ask.Together) else [answer] * 99
    for place, seat in enumerate(asked.deciders):
        if seat in meant:
            assert _meant_by(asked, answers[place], dealer) == meant[seat]


def _meant_by(asked: Any, answer: Any, dealer: TrustedDealer) -> object:
    if answer is None:
        return None
    if isinstance(asked, ask.Choose | ask.Together) or isinstance(answer, int):
        return "said", answer
    truth = dealer.truth.cards
    if isinstance(answer, Laid):
        return _ids([truth[slot] for slot in answer.slots]), answer.cards is None
    slots = answer if isinstance(asked, ask.LayDown) else answer[:1]
    return _ids([truth[slot] for slot in slots])

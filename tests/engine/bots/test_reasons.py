"""Why a decision is good: every reason has its words, and is true in the deals that may be."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from engine.bots.hard import Hard
from engine.bots.judge import Judge
from engine.bots.lookahead import lookahead
from engine.bots.reasons import Decided, Reason
from engine.bots.search import Weighed
from engine.games import NAMES, load_text
from engine.games.flop_a.betting import FOLD
from engine.games.sneak.bot import LARGEST
from engine.games.you_fink.cards import POWERS
from engine.games.you_fink.table import powers_left
from engine.question import Choose, Question
from engine.sets import Lay, LaySet
from engine.view import View
from engine.wording.words import in_deals
from tests.engine.bots.test_search import Played
from tests.engine.sneak.scene import Scene

PEOPLE = ("Ann", "Bo", "Cy")


def told(name: str, why: object) -> str:
    """The reasons in words."""
    return load_text(name).describe_why(why, PEOPLE)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_every_decision_worth_a_thought_is_explained_in_words(name: str) -> None:
    played, words = Played(name, 6), set[str]()
    said = lookahead(name)
    for asked, seat in islice(played.positions(2), 40):
        view = played.dealer.view(played.session.table, seat, played.session.course)
        for decision in said.considered(view, asked)[:6]:
            why = said.why(Decided(view, asked, decision, [played.dealer.truth.cards]))
            words |= {reason[0] for reason in why}
            assert bool(told(name, why)) == bool(why)
    assert len(words) > 1
    assert words <= {*load_text(name).why}


def sneak_reasons(scene: Scene, seat: int, names: str | None, *, down: bool = False) -> str:
    """What is said of laying these cards, if the true deal is the only one; None: of passing."""
    view, asked = scene.dealer.view(scene.table, seat), scene.session.pending
    assert asked is not None
    laid = names and Lay(scene.slots(scene.table.hands[seat], names), down)
    decision = laid or None
    assert asked.allows(view, decision)
    decided = Decided(view, asked, decision, [scene.dealer.truth.cards])
    return told("sneak", lookahead("sneak").why(decided))


def test_sneak_says_what_a_lead_costs_and_who_can_beat_it() -> None:
    hands = ["QC 3H", "9S 8C", "KD 5C"]
    assert sneak_reasons(Scene(hands, stock=3), 0, "QC", down=True) == (
        "it costs no card of the stock, and only one card is at stake"
    )
    assert sneak_reasons(Scene(hands, stock=2), 0, "3H", down=True) == "only one card is at stake"
    assert "somebody else" in sneak_reasons(Scene(hands, stock=2), 0, None)
    assert "wins them" in sneak_reasons(Scene(hands, stock=3), 0, None)
    assert sneak_reasons(Scene(["AC 3H", "9S 8C"], stock=0), 0, "AC") == "nobody can beat it"


@pytest.mark.parametrize("stock", [1, 2, 3, 4])
def test_sneak_thinks_of_a_sneak_where_no_other_seat_draws_in_its_place(stock: int) -> None:
    """Then of the worst and of the best card; two play here."""
    scene = Scene(["QC 3H", "9S 8C"], stock=stock)
    view, asked = scene.dealer.view(scene.table, 0), scene.session.pending
    assert asked is not None
    sneaks = [Lay(scene.slots(scene.table.hands[0], name), down=True) for name in ("3H", "QC")]
    expected = [None] if stock % 2 else [None, *sneaks]
    assert lookahead("sneak").considered(view, asked) == expected


@pytest.mark.parametrize("hand", ["QC", "QC QH 3H", "2C 3C 4C 5C 6C 7C 8C 9C"])
def test_sneak_thinks_of_flaunts_of_each_size(hand: str) -> None:
    scene = Scene([hand, "9S 8H 7H 6H 5H 4H 2H AS"], stock=0)
    view, asked = scene.dealer.view(scene.table, 0), scene.session.pending
    assert isinstance(asked, LaySet)
    found: Any = lookahead("sneak").considered(view, asked)
    largest = min(LARGEST, len(hand.split()))
    assert {len(one.slots) for one in found} == {*range(1, largest + 1)}


def test_sneak_says_what_a_challenge_beats() -> None:
    """A match beats a straight flush that was sneaked, none that was flaunted (section 5)."""
    scene = Scene(["AH KH 9C", "2S 2D 3C"]).flaunt("AH KH")
    assert sneak_reasons(scene, 1, "2S 2D") == ""
    assert sneak_reasons(scene, 1, None) == "nothing in the hand beats the flaunt"
    scene = Scene(["AH KH 9C", "2S 2D 3C"]).sneak("AH KH")
    assert sneak_reasons(scene, 1, "2S 2D") == "it beats the sneak in 100 of 100 deals"
    scene = Scene(["QH 2C", "KS 3C"]).flaunt("QH")
    assert sneak_reasons(scene, 1, "KS") == "it beats the flaunt"
    assert sneak_reasons(scene, 1, None) == "what beats the flaunt is worth more later"


def test_hints_and_reviews_say_the_same_reasons_again() -> None:
    played = Played("flip-over", 9)
    asked, seat = next(played.positions(3))
    view = played.dealer.view(played.session.table, seat, played.session.course)
    advice = Hard(20).advise(view, asked, Random(3))
    assert advice.why
    assert advice == Hard(20).advise(view, asked, Random(3))
    weighed = Hard(20).weigh(view, asked, Random(3))
    others = [one for one in weighed if one.decision != advice.best]
    assert len(others) > 1
    next_best = max(others, key=lambda one: (one.visits, one.worth))
    assert (advice.other, advice.other_worth) == (next_best.decision, next_best.wins)
    worst: list[tuple[float, tuple[Reason, ...]]] = []
    for decided in asked.decisions(view):
        judged = Judge(20).judge(view, asked, decided, Random(3))
        assert judged is not None
        assert judged.gain > 0 or not judged.why
        deals = [played.dealer.truth.cards]
        same = lookahead("flip-over").why(Decided(view, asked, decided, deals))
        assert not {one for one in judged.why if one[0] != "may be beaten"} & {*same}
        worst.append((judged.gain, tuple(judged.why)))
    assert max(worst)[0] > 0


def test_what_others_hide_changes_no_reason() -> None:
    played, said = Played("flop-a", 1), list[str]()
    for asked, seat in islice(played.positions(2), 3):
        table, course = played.session.table, played.session.course
        honest: View = played.dealer.view(table, seat, course)
        other = played.swapped(seat).view(table, seat, course)
        found = Hard(6).advise(honest, asked, Random(6))
        said.append(told("flop-a", found.why))
        assert Hard(6).advise(other, asked, Random(6)) == found
    assert any(said)


def test_where_there_is_no_choice_nothing_is_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played("flip-over", 9)
    alone = next(asked for asked in played.questions() if _is_forced(played, asked))
    (seat,) = alone.deciders
    view = played.dealer.view(played.session.table, seat, played.session.course)
    (only,) = alone.decisions(view)
    bot = Judge(20)
    monkeypatch.setattr(bot, "_search", lambda *_: pytest.fail("it was weighed"))
    assert bot.weigh(view, alone, Random(3)) == [Weighed(only, 0, 0.0)]
    assert bot(view, alone, Random(3)) == only
    assert bot.judge(view, alone, only, Random(3)) is None
    advice = bot.advise(view, alone, Random(3))
    assert (advice.best, advice.worth, advice.other, advice.other_worth) == (only, 1.0, None, None)
    assert advice.forced


def _is_forced(played: Played, asked: Question[Any]) -> bool:
    views = [played.dealer.view(played.session.table, seat) for seat in asked.deciders]
    return len(views) == 1 and len(asked.decisions(views[0])) == 1


def _speaks_for(name: str, decided: Decided, reason: Reason) -> bool:
    """Whether this is what one wants of a decision, by the rules of the game."""
    view, laid = decided.view, decided.decision
    table: Any = view.table
    match name, reason:
        case "flip-over", ("takes", (_, blue)):
            return bool(blue)
        case "flip-over", ("leaves", (_, blue), *_):
            return not blue
        case "flip-over", ("may be beaten", _, of_100):
            return (of_100 < 50) == table.blue[table.disc - 1]
        case "flip-over", ("saves", (_, _, rank)):
            return bool(rank > view.face(laid).rank)
        case "flop-a", ("hand", high, low) if isinstance(decided.asked, Choose) and laid == FOLD:
            return max(high, low) < 100 / len(table.players())
        case "sneak", ("may be beaten", _, of_100):
            return bool(of_100 < 50)
        case "sneak", ("passes a sneak" | "passes a flaunt", of_100):
            return bool(of_100 < 50)
        case "you-fink", ("power", _, value):
            card = table.face(table.pile[-1])
            return bool(value == min(POWERS[card.id][one] for one in powers_left(table, card)))
        case "flaps", ("left", rest, fitting):
            return len(table.hands[view.seat]) == rest + 1 and bool(fitting or not rest)
    return True


@pytest.mark.parametrize("name", NAMES)
def test_no_reason_speaks_against_what_it_explains(name: str) -> None:
    """A newcomer read `it takes disc -2` as a mistake of the program."""
    played, said, met = Played(name, 8), lookahead(name), 0
    for asked, seat in islice(played.positions(2), 40):
        view = played.dealer.view(played.session.table, seat, played.session.course)
        for decision in asked.decisions(view)[:6]:
            decided = Decided(view, asked, decision, [played.dealer.truth.cards])
            for reason in said.why(decided):
                assert _speaks_for(name, decided, reason), reason
                met += 1
    assert met > 10


def test_a_card_that_is_saved_is_the_one_that_was_laid_instead() -> None:
    """In a review: that 7C is saved was true of both 3S and 2S."""
    played, met = Played("flip-over", 8), 0
    for asked, seat in islice(played.positions(1), 40):
        view = played.dealer.view(played.session.table, seat, played.session.course)
        low, *_, high = sorted(asked.decisions(view), key=lambda slot: view.face(slot).rank)
        deals = [played.dealer.truth.cards]
        why = lookahead("flip-over").why(Decided(view, asked, low, deals, (high,)))
        saved = [reason[1][0] for reason in why if reason[0] == "saves"]
        met += len(saved)
        assert saved in ([], [view.face(high).name])
    assert met > 3


def test_that_a_card_may_be_beaten_is_no_reason_if_another_may_be_as_well() -> None:
    """In a review: that 70 of 100 deals beat 6C was true of 98 for 3H, which was laid."""
    played, why, met = Played("flip-over", 8), lookahead("flip-over").why, 0
    for asked, seat in islice(played.positions(1), 40):
        view = played.dealer.view(played.session.table, seat, played.session.course)
        one, *_, other = asked.decisions(view)
        deals = [played.dealer.truth.cards]
        alone = [why(Decided(view, asked, card, deals)) for card in (one, other)]
        compared = why(Decided(view, asked, one, deals, (other,)))
        met += alone[0] == alone[1] and alone[0][0][0] == "may be beaten"
        assert alone[0] != alone[1] or not {"may be beaten"} & {word for word, *_ in compared}
    assert met > 3


def test_half_of_the_deals_are_not_only_half() -> None:
    """Somebody read that an ace is beaten "in only 49 of 100 deals"."""
    assert in_deals(33) == "in only 33 of 100 deals"
    assert in_deals(34) == "in 34 of 100 deals"

"""Why an act was legal: the predicate of its question, in words (engine.md, rule 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from engine import acts
from engine import question as ask
from engine.cards import Card
from engine.question import Otherwise, Question
from engine.registry import Registry
from engine.sets import LaySet, LayTogether, any_cards
from engine.view import SPECTATOR
from engine.wording import counted, listed, sentence
from engine.zone import Seat
from p2p.protocol import step_kinds
from replay.game import Position, SavedGame
from replay.narration import decisions
from replay.reader import SavedStep

FACES_SHOWN: Final = 40
"""If there are more faces than this, they are counted, not listed."""

LEAVING: Final = (
    "A player who has to decide may leave for good instead. In a race that counts as a pass; any "
    "other question is void then."
)
FAREWELL: Final = (
    "Whoever leaves has to take its key out of all hidden cards, so that the others need it no "
    "more; nobody sees a card by that."
)
VOTED: Final = (
    "All remaining players agreed, and they are as many as the table requires. Everything else in "
    "this step is void."
)
TAKEN_OUT: Final = (
    "Those who stay have to take the key of whoever is gone out of all hidden cards; nobody sees a "
    "card by that."
)


def why_legal(game: SavedGame, step: SavedStep, *, ascii: bool = False) -> list[str]:  # noqa: A002
    """What was asked, what was answered and what would have been refused."""
    position = game.before(step.number)
    question = position.pending
    if question is None:
        return ["The game was over: only the signatures under the result were missing."]
    if step.absent:
        return [VOTED]
    if step.question is None:
        return [FAREWELL if step.kind == step_kinds.FAREWELL else TAKEN_OUT]
    view = game.view(position, SPECTATOR)
    asked = game.wording.describe_question(view, question, game.names, ascii=ascii)
    lines = [f"The rules asked: {asked}"]
    lines += [f"The answer: {said}" for said in decisions(game, step, ascii=ascii)]
    lines += [LEAVING] if step.leavers else []
    spell: Callable[[Card], str] = lambda card: game.wording.describe_card(card, ascii=ascii)  # noqa: E731
    return lines + _terms(_Case(position, game.names, spell), question)


class _Case(NamedTuple):
    """A position in which something was asked, and the words for it."""

    position: Position
    names: Sequence[str]
    spell: Callable[[Card], str]


def _terms(case: _Case, question: Question[Any]) -> list[str]:
    """What this question allows, by its kind."""
    terms = TERMS.find(question)
    if terms is not None:
        return terms(case, question)
    if not question.deciders:
        return ["The rules left no choice here: this act of the dealer had to come, in this form."]
    return [f"{listed(case.names[seat] for seat in question.deciders)} had to decide."]


def _play(case: _Case, question: ask.Play) -> list[str]:
    lines = [f"Cards that fitted: {_fitting(case, question.fits)}."]
    who = case.names[question.seat]
    if question.otherwise is Otherwise.PASS:
        lines.append(f"{who} could also decline.")
    if question.otherwise is Otherwise.ANY_SWORN:
        lines.append(f"Any other card only with an oath that {who} held none of these.")
        return lines  # `why` says that the player holds such a card
    if "every card" not in lines[0]:
        lines.append(f"Anything else would have been refused: {sentence(question.why)}")
    return lines


def _choose(case: _Case, question: ask.Choose) -> list[str]:
    return [f"{case.names[question.seat]} had {counted(len(question.options), 'choice')}."]


def _together(case: _Case, question: ask.Together) -> list[str]:
    return ["All chose before any choice was seen; each committed to it first."]


def _lay_down(case: _Case, question: ask.LayDown) -> list[str]:
    return [f"Any {counted(question.count, 'card')} of the hand could be put face down."]


def _lay_all(case: _Case, question: acts.LayAll) -> list[str]:
    cards = _fitting(case, question.fits)
    return [f"Every card of these had to be laid: {cards}.", "An oath covers the rest."]


def _swear(case: _Case, question: acts.Swear) -> list[str]:
    cards = _fitting(case, question.none_of)
    return [f"{case.names[question.seat]} had to prove to hold none of: {cards}."]


def _fitting(case: _Case, fits: Callable[[Card], bool]) -> str:
    """The faces of the deck that a predicate lets pass."""
    deck = case.position.table.deck
    faces = [] if deck is None else [face for face in deck.faces if fits(face)]
    if not faces:
        return "none"
    if deck is not None and len(faces) == len(deck.faces):
        return "every card"
    if len(faces) > FACES_SHOWN:
        return counted(len(faces), "face")
    return " ".join(map(case.spell, faces))


def _set(case: _Case, question: LaySet) -> list[str]:
    terms, sizes = question.terms, question.sizes
    ways = [way for way, may in (("open", terms.up), ("face down", terms.down)) if may]
    least, most = sizes[0], sizes[-1]
    count = counted(most, "card") if least == most else f"{least} to {most} cards"
    may_pass = " or pass" if terms.may_pass else ""
    any_fit = terms.fits is any_cards or (terms.singles_fit and most == 1)
    why = terms.why_size if any_fit else terms.why
    rule = f" Anything else would have been refused: {sentence(why)}" if terms.up else ""
    return [f"{case.names[question.seat]} could lay {count} {listed(ways, 'or')}{may_pass}.{rule}"]


def _sets(case: _Case, question: LayTogether) -> list[str]:
    return [line for claim in question.claims.values() for line in _set(case, claim)]


def _race(case: _Case, question: ask.Race) -> list[str]:
    lines = [f"{sentence(question.topic)} The first claim counted; everybody could also pass."]
    return [*lines, *[_claim(case, seat, claim) for seat, claim in question.claims.items()]]


def _claim(case: _Case, seat: Seat, claim: ask.Claim) -> str:
    return f"{case.names[seat]} could {CLAIMS.of(claim)(case, claim)}."


def _card(case: _Case, claim: ask.Play) -> str:
    return f"lay: {_fitting(case, claim.fits)}"


def _call(case: _Case, claim: ask.Choose) -> str:
    return f"claim: {claim.topic}"


def _either(case: _Case, claim: ask.Either) -> str:
    return f"{_card(case, claim.play)}, or call: {claim.calls.topic}"


CLAIMS: Final[Registry[Callable[[_Case, Any], str]]] = Registry(
    "how it is claimed in a race, in words",
    {ask.Play: _card, ask.Choose: _call, ask.Either: _either},
)
"""What a seat could be first with."""
TERMS: Final[Registry[Callable[[_Case, Any], list[str]]]] = Registry(
    "what it allows",
    {
        ask.Play: _play,
        ask.Choose: _choose,
        ask.Together: _together,
        ask.LayDown: _lay_down,
        LaySet: _set,
        LayTogether: _sets,
        ask.Race: _race,
        acts.LayAll: _lay_all,
        acts.Swear: _swear,
    },
)
"""What each kind allows, in lines.  In other acts nobody has a choice."""

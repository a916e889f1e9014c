"""Why an act was legal: the predicate of its question, in words (engine.md, rule 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from engine import acts
from engine import question as ask
from engine.cards import Card
from engine.question import Otherwise, Question
from engine.sets import LaySet, LayTogether
from engine.view import SPECTATOR
from engine.wording import counted, listed, sentence
from engine.zone import Seat
from replay.game import Position, SavedGame
from replay.reader import SavedStep
from replay.telling import decisions

FACES_SHOWN: Final = 40
"""More faces than this are counted, not listed."""


def why_legal(game: SavedGame, step: SavedStep, *, ascii: bool = False) -> list[str]:  # noqa: A002
    """What was asked, what was answered and what would have been refused."""
    position = game.before(step.number)
    question = position.pending
    if question is None:
        return ["The game was over: only the signatures under the result were missing."]
    view = game.view(position, SPECTATOR)
    asked = game.wording.describe_question(view, question, game.names, ascii=ascii)
    lines = [f"The rules asked: {asked}"]
    lines += [f"The answer: {said}" for said in decisions(game, step, ascii=ascii)]
    return lines + _terms(game, position, question, ascii)


def _terms(
    game: SavedGame,
    position: Position,
    question: Question[Any],
    ascii: bool,  # noqa: A002
) -> list[str]:
    """What this question allows, by its kind."""
    spell: Callable[[Card], str] = lambda card: game.wording.describe_card(card, ascii=ascii)  # noqa: E731
    names = game.names
    match question:
        case ask.Play():
            return _play(position, question, names, spell)
        case ask.Choose():
            return [f"{names[question.seat]} had {counted(len(question.options), 'choice')}."]
        case ask.Together():
            return ["All chose before any choice was seen; each committed to it first."]
        case ask.LayDown():
            return [f"Any {counted(question.count, 'card')} of the hand could be put face down."]
        case LaySet():
            return [_set(question, names)]
        case LayTogether():
            return [_set(claim, names) for claim in question.claims.values()]
        case acts.LayAll():
            cards = _fitting(position, question.fits, spell)
            return [f"Every card of these had to be laid: {cards}.", "An oath covers the rest."]
        case ask.Race():
            return _race(position, question, names, spell)
        case acts.Swear():
            cards = _fitting(position, question.none_of, spell)
            return [f"{names[question.seat]} had to prove to hold none of: {cards}."]
    return ["The rules left no choice here: this act of the dealer had to come, in this form."]


def _play(
    position: Position, question: ask.Play, names: Sequence[str], spell: Callable[[Card], str]
) -> list[str]:
    lines = [f"Cards that fitted: {_fitting(position, question.fits, spell)}."]
    who = names[question.seat]
    if question.otherwise is Otherwise.PASS:
        lines.append(f"{who} could also decline.")
    if question.otherwise is Otherwise.ANY_SWORN:
        lines.append(f"Any other card only with an oath that {who} held none of these.")
    if "every card" not in lines[0]:
        lines.append(f"Anything else would have been refused: {sentence(question.why)}")
    return lines


def _fitting(position: Position, fits: Callable[[Card], bool], spell: Callable[[Card], str]) -> str:
    """The faces of the deck that a predicate lets pass."""
    deck = position.table.deck
    faces = [] if deck is None else [face for face in deck.faces if fits(face)]
    if not faces:
        return "none"
    if deck is not None and len(faces) == len(deck.faces):
        return "every card"
    if len(faces) > FACES_SHOWN:
        return counted(len(faces), "face")
    return " ".join(map(spell, faces))


def _set(question: LaySet, names: Sequence[str]) -> str:
    terms, sizes = question.terms, question.sizes
    ways = [way for way, may in (("open", terms.up), ("face down", terms.down)) if may]
    least, most = sizes[0], sizes[-1]
    count = counted(most, "card") if least == most else f"{least} to {most} cards"
    may_pass = " or pass" if terms.may_pass else ""
    rule = f" Anything else would have been refused: {sentence(terms.why)}" if terms.up else ""
    return f"{names[question.seat]} could lay {count} {listed(ways, 'or')}{may_pass}.{rule}"


def _race(
    position: Position, question: ask.Race, names: Sequence[str], spell: Callable[[Card], str]
) -> list[str]:
    lines = [f"{sentence(question.topic)} The first claim counted; everybody could also pass."]
    for seat, claim in question.claims.items():
        lines.append(_claim(position, seat, claim, names, spell))
    return lines


def _claim(
    position: Position,
    seat: Seat,
    claim: ask.Claim,
    names: Sequence[str],
    spell: Callable[[Card], str],
) -> str:
    if isinstance(claim, ask.Choose):
        return f"{names[seat]} could claim: {claim.topic}."
    play = claim.play if isinstance(claim, ask.Either) else claim
    calls = f", or call: {claim.calls.topic}" if isinstance(claim, ask.Either) else ""
    return f"{names[seat]} could lay: {_fitting(position, play.fits, spell)}{calls}."

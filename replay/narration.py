"""A step of a saved game in words: what was done, what was said, the table after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.question import Question
from engine.view import SPECTATOR
from engine.wording import counted, listed
from engine.wording.layout import TableText, known_hand
from engine.zone import Seat
from p2p.crypto.elgamal import CIPHER_BYTES
from p2p.player.race_words import DECIDED, HELD
from p2p.player.relay_words import late
from p2p.protocol import step_kinds
from p2p.protocol.races.book import RaceReport
from replay.faces import SavedView
from replay.game import Position, SavedGame
from replay.reader import SavedStep


def told(game: SavedGame, step: SavedStep, *, ascii: bool = False) -> list[str]:  # noqa: A002
    """What happened in a step, in one sentence or more."""
    if step.absent:
        return [_agreed(game, step), *game.said(step, ascii=ascii)]
    lines = game.said(step, ascii=ascii)
    if step.race is not None:
        lines.insert(0, told_race(game, step.race))
    if step.leavers:
        return [*_left(game, step), *lines]
    if not lines or step.question is None:
        lines.insert(0, _act(game, step, ascii))
    return lines


def _left(game: SavedGame, step: SavedStep) -> list[str]:
    """Name the seats that leave, and say whether the decisions of the others count."""
    leave = "leaves" if len(step.leavers) == 1 else "leave"
    lines = [f"{listed(game.names[seat] for seat in step.leavers)} {leave} for good."]
    if step.kind != step_kinds.RACE and len(step.seats) > len(step.leavers):
        lines.append("The decisions of others in the same step are void.")
    return lines


def _agreed(game: SavedGame, step: SavedStep) -> str:
    """Who goes on without whom; what was on the way in the same step counts no more."""
    stay = listed(game.names[seat] for seat in step.seats)
    return f"{stay} agree to go on without {listed(game.names[seat] for seat in step.absent)}."


def told_race(game: SavedGame, race: RaceReport) -> str:
    """Who was first, and the agreed times."""
    times = ", ".join(
        f"{game.names[seat]} {'unseen' if time is None else f'{time / 1000:.0f} ms'}"
        for seat, time in race.times
    )
    first = game.names[race.first]
    said = (DECIDED[race.outcome] if race.held is None else HELD).later
    late_ones = "" if race.held is None else late(race.held, game.names)
    return f"Race: {said.format(first=first, late=late_ones)} ({times})."


def _act(game: SavedGame, step: SavedStep, ascii: bool) -> str:  # noqa: A002
    """The step, by its kind or by what its seats decided."""
    if step.kind == step_kinds.RACE:
        return _claims(game, step)
    if not step.kind.told:
        return " ".join(decisions(game, step, ascii=ascii)) or f"A step: {step.kind}."
    count = _cards(step.question) or _mended(step)
    return step.kind.told.format(
        who=listed(game.names[seat] for seat in step.seats),
        cards=counted(count, "card").capitalize()
        if step.kind == step_kinds.HAND_OVER
        else counted(count, "card"),
        change="changes" if count == 1 else "change",
    )


def _claims(game: SavedGame, step: SavedStep) -> str:
    """Who claimed in a race; which claim was first may not be settled yet."""
    claims = [game.names[entry.seat] for entry in step.entries if entry.payload is not None]
    return f"Claims by {listed(claims)}." if claims else "Nobody claims."


def _cards(question: Question[Any] | None) -> int:
    """How many cards an act of the dealer is about."""
    return 0 if question is None else len(question.about())


def _mended(step: SavedStep) -> int:
    """How many cards are shuffled because shares of some were on the way; 0 elsewhere."""
    entry = step.entries[0]
    return len(entry.payload["deck"]) // CIPHER_BYTES if step.kind == step_kinds.MEND else 0


def decisions(game: SavedGame, step: SavedStep, *, ascii: bool = False) -> list[str]:  # noqa: A002
    """What each seat decided in this step, as far as everybody knows it."""
    position = game.before(step.number)
    question = position.pending
    if question is None or not step.answers:
        return []
    answer = game.answer(step)
    return [
        f"{game.names[seat]}: {_decision(game, position, question, seat, decided, ascii)}."
        for seat, decided in question.decided(answer).items()
    ]


def _decision(
    game: SavedGame,
    position: Position,
    question: Question[Any],
    seat: Seat,
    decided: object,
    ascii: bool,  # noqa: A002
) -> str:
    down = question.face_down(decided)
    if down:  # what nobody saw then is not told before it is shown
        return f"{counted(down, 'card')} face down"
    # Seen after the step: a reshuffle in the same entry may have moved the cards that were laid.
    view = game.view(position, seat, known_after=position.step + 1)
    return game.wording.describe_decision(view, question, decided, game.names, ascii=ascii)


def table_text(
    game: SavedGame,
    position: Position,
    seat: Seat = SPECTATOR,
    *,
    ascii: bool = False,  # noqa: A002
) -> TableText:
    """The table after a step as a seat saw it; cards that the log does not show are counted."""
    view = game.view(position, seat)
    text: Callable[..., TableText] = game.wording.table_text
    try:
        return text(view, game.names, beside=game.beside, ascii=ascii)
    except KeyError:  # a hand with a card that is not known
        known = replace(game.wording, hand=known_hand)
    shown = known.table_text(view, game.names, beside=game.beside, ascii=ascii)
    hidden = counted(unknown_cards(view), "card")
    hand = f"{shown.hand} and {hidden}" if shown.hand else hidden
    return replace(shown, hand=f"{hand} that the log does not show")


def unknown_cards(view: SavedView) -> int:
    """How many cards the seat of `view` could read that the log does not show."""
    table, seat = view.table, view.seat
    own = [slot for zone in table.zones if zone.owner == seat for slot in zone]
    return sum(table.locks[slot] == seat and not view.knows(slot) for slot in own)

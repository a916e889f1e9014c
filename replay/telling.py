"""A step of a saved game in words: what was done, what was said, the table after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.question import Question
from engine.view import SPECTATOR
from engine.wording import counted, listed
from engine.wording.layout import TableText, known_hand
from engine.zone import Seat
from p2p.player.relay_words import late
from p2p.protocol.races.book import Outcome, RaceReport
from replay.faces import SavedView
from replay.game import Position, SavedGame
from replay.reader import SavedStep

ACTS: Final[Mapping[str, str]] = {
    "shuffle": "{who} shuffles {cards} and proves it.",
    "cut": "{who} shuffles a copy of {cards}, to be cut.",
    "confirm": "Everybody has verified the shuffles, and signs which order lies there.",
    "reshuffle": "{who} re-orders {cards} of the own hand.",
    "cut-open": "The cut cards are turned up by everybody's shares.",
    "deal": "Shares of {cards} are published, each by all but the one who may read it.",
    "open": "Shares of {cards} are published: everybody sees them.",
    "coin": "Everybody's share of a public random value.",
    "hand-over": "{cards} {change} hands, with proof.",
    "put-back": "{who} puts {cards} back under everybody's lock, with proof.",
    "lay-all": "{who} lays every card that fits, and swears that no other is left.",
    "swear": "{who} swears, with proof, what is not in the hand.",
    "commit": "In secret, a choice: {who}.",
    "reveal": "What was chosen in secret is opened.",
    "set-commit": "In secret, cards to lay, or a pass: {who}.",
    "set-reveal": "What was laid in secret is turned up.",
    "witness": "Everybody says when the claims came in.",
    "close": "All seats sign the result.",
}
"""What happens in a step by its kind, where the game itself says nothing."""
RACED: Final[Mapping[Outcome, str]] = {
    Outcome.FIRST: "{first} was first, by the witnesses",
    Outcome.TIE: "equally fast; chance says {first}",
    Outcome.DISPUTE: "the two contradict each other; chance says {first}",
    Outcome.COIN: "after too many disputes chance decides: {first}",
}


def told(game: SavedGame, step: SavedStep, *, ascii: bool = False) -> list[str]:  # noqa: A002
    """What happened in a step, in one sentence or more."""
    lines = game.said(step, ascii=ascii)
    if step.race is not None:
        lines.insert(0, told_race(game, step.race))
    return lines or [_act(game, step, ascii)]


def told_race(game: SavedGame, race: RaceReport) -> str:
    """Who was first, and the agreed times."""
    times = ", ".join(
        f"{game.names[seat]} {'unseen' if time is None else f'{time / 1000:.0f} ms'}"
        for seat, time in race.times
    )
    first = game.names[race.first]
    if race.held is not None:
        return f"Race: {late(race.held, game.names)}; chance says {first} ({times})."
    return f"Race: {RACED[race.outcome].format(first=first)} ({times})."


def _act(game: SavedGame, step: SavedStep, ascii: bool) -> str:  # noqa: A002
    """The step by its kind, or by what its seats decided."""
    if step.kind == "race":
        return _claims(game, step)
    if step.kind not in ACTS:
        return " ".join(decisions(game, step, ascii=ascii)) or f"A step: {step.kind}."
    count = _cards(step.question)
    return ACTS[step.kind].format(
        who=listed(game.names[seat] for seat in step.seats),
        cards=counted(count, "card").capitalize()
        if step.kind == "hand-over"
        else counted(count, "card"),
        change="changes" if count == 1 else "change",
    )


def _claims(game: SavedGame, step: SavedStep) -> str:
    """Who claimed in a race, whose first claim may not be settled yet."""
    claims = [game.names[entry.seat] for entry in step.entries if entry.payload is not None]
    return f"Claims by {listed(claims)}." if claims else "Nobody claims."


def _cards(question: Question[Any] | None) -> int:
    """How many cards an act of the dealer is about."""
    return 0 if question is None else len(question.about())


def decisions(game: SavedGame, step: SavedStep, *, ascii: bool = False) -> list[str]:  # noqa: A002
    """What each seat decided in this step, as far as everybody knows it."""
    position = game.before(step.number)
    question = position.pending
    if question is None or step.after == step.before:
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
    if down:  # what nobody saw then is not told before it was shown
        return f"{counted(down, 'card')} face down"
    # After it: a reshuffle in the same entry may have moved the cards that were then laid.
    view = game.view(position, seat, known_after=position.step + 1)
    return game.wording.describe_decision(view, question, decided, game.names, ascii=ascii)


def table_text(
    game: SavedGame,
    position: Position,
    seat: Seat = SPECTATOR,
    *,
    ascii: bool = False,  # noqa: A002
) -> TableText:
    """The table after a step as a seat saw it; cards that the log does not tell are counted."""
    view = game.view(position, seat)
    text: Callable[..., TableText] = game.wording.table_text
    try:
        return text(view, game.names, ascii=ascii)
    except KeyError:  # a hand of which not every card is known
        known = replace(game.wording, hand=known_hand)
    shown = known.table_text(view, game.names, ascii=ascii)
    hidden = counted(unknown_cards(view), "card")
    hand = f"{shown.hand} and {hidden}" if shown.hand else hidden
    return replace(shown, hand=f"{hand} that the log does not show")


def unknown_cards(view: SavedView) -> int:
    """How many cards the seat of `view` could read that the log does not tell."""
    table, seat = view.table, view.seat
    own = [slot for zone in table.zones if zone.owner == seat for slot in zone]
    return sum(table.locks[slot] == seat and not view.knows(slot) for slot in own)

"""One step of a saved game as lines of text: for pipes, for screen readers, for tests."""

from __future__ import annotations

from collections.abc import Iterator

from engine.view import SPECTATOR
from engine.wording import layout
from engine.zone import Seat
from p2p.protocol import step_kinds
from p2p.protocol.entry import Entry
from replay.game import SavedGame
from replay.legal import why_legal
from replay.narration import table_text, told
from replay.proofs import proofs
from replay.reader import SavedStep


def step_lines(
    game: SavedGame,
    number: int,
    seat: Seat = SPECTATOR,
    *,
    ascii: bool = False,  # noqa: A002
) -> list[str]:
    """What happened in a step, the table after it, why it was legal, who proved what."""
    step = game.steps[number]
    lines = [f"Step {number} of {len(game.steps) - 1}: {step.kind}"]
    for sentence in told(game, step, ascii=ascii):
        lines += fit(sentence)
    lines += ["", *table_text(game, game.after(number), seat, ascii=ascii).lines()]
    lines += ["", "Why this was legal"]
    for sentence in why_legal(game, step, ascii=ascii):
        lines += fit(sentence)
    return [*lines, "", "Who proved what", *proof_lines(game, step)]


def proof_lines(game: SavedGame, step: SavedStep) -> list[str]:
    """A line for each seat that signed an entry of the step."""
    return [line for entry in _proven(game, step) for line in fit(entry)]


def _proven(game: SavedGame, step: SavedStep) -> Iterator[str]:
    for entry in step.entries:
        said = [proven.said for proven in proofs(entry)]
        if entry.kind == step_kinds.WITNESS:
            said += _sightings(game, step, entry)
        what = "; ".join(["its signature", *said])
        yield f"{game.names[entry.seat]}: {what}."


def _sightings(game: SavedGame, step: SavedStep, entry: Entry) -> Iterator[str]:
    """When a witness saw each claim, by its own clock; the claims came in the step before."""
    claims = [
        claim.seat for claim in game.steps[step.number - 1].entries if claim.payload is not None
    ]
    for seat, (seen, _, credit) in zip(claims, entry.payload["claims"], strict=False):
        when = "never" if seen is None else f"after {seen / 1000:.0f} ms"
        yield f"saw {game.names[seat]} {when}, credits {credit / 1000:.0f} ms of delay"


def fit(sentence: str) -> list[str]:
    """A sentence with a margin."""
    return layout.fit(f"  {sentence}", "    ")

"""Between two games: what is proposed, who agrees, and what one can do, in words.  Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cli.options.terms import shown
from cli.words.length import length
from cli.words.said import LEAVES
from engine.game import spell
from engine.games import load, load_text
from engine.wording import listed
from engine.zone import Seat
from p2p.player.events import PlayAgain
from p2p.protocol.terms import Terms
from p2p.text.names import called

HOST: Final = 0
"""The seat that proposes what is played."""
LEVEL: Final = "level"
OVER: Final = "The game is over."
NOTHING_SAID: Final = PlayAgain((), ())


def title_of(plan: Terms) -> str:
    """The game and its level."""
    if plan.unknown:
        return called(plan.game)
    level = f", level {plan.options[LEVEL]}" if LEVEL in plan.options else ""
    return f"{load(plan.game).title}{level}"


def about(plan: Terms, people: int) -> list[str]:
    """What it is about, how long it lasts, and which house rules are not the usual ones."""
    if plan.unknown:
        return []
    game, text = load(plan.game), load_text(plan.game)
    values = {**game.defaults(), **plan.options}
    first, dot, _ = " ".join(text.brief.split()).partition(". ")
    lines = [one for one in (f"{first}{dot}".strip(), length(text, people, values)) if one]
    changed = [one for one in game.options if one.name != LEVEL and values[one.name] != one.default]
    rules = ", ".join(f"{one.name}={spell(values[one.name])}" for one in changed)
    said = shown(plan.narrowed(people), always=False)
    terms = [f"{label.capitalize()}: {text}" for label, text in said]
    return [*lines, f"House rules: {rules or 'as usual'}.", *terms]


@dataclass(frozen=True, slots=True)
class Outlook:
    """How far the people of an old table have come, as one of them sees it.

    `names` by seat, the host first; `seat` is the reader's; `said` what is known of the others.
    """

    names: tuple[str, ...]
    seat: Seat
    said: PlayAgain = NOTHING_SAID

    @property
    def hosts(self) -> bool:
        """Whether the reader proposes what is played."""
        return self.seat == HOST

    @property
    def agreed(self) -> bool:
        """Whether the reader has agreed to what is proposed, or to play the same again."""
        return not self.is_over and self.names[self.seat] in self.said.staying

    @property
    def is_over(self) -> bool:
        """Whether no other game follows, because the host leaves."""
        return self.names[HOST] in self.said.leaving

    @property
    def offer(self) -> Terms | None:
        """What the reader is asked to agree to, if anything."""
        return None if self.hosts or self.agreed or self.said.why_not else self.said.plan

    @property
    def sentence(self) -> str:
        """What is so, and what Enter and the other keys of this moment do."""
        return self._as_host() if self.hosts else self._as_guest()

    def heading(self) -> str:
        """Who proposes what; empty if nothing is proposed."""
        plan = self.said.plan
        who = "You propose" if self.hosts else f"{called(self.names[HOST])} proposes"
        return "" if plan is None else f"{who}: {title_of(plan)}"

    def lines(self) -> list[str]:
        """More about what is proposed, and who has agreed to it."""
        plan, staying = self.said.plan, self.said.staying
        if plan is None:
            return []
        people = len(self.names) - len(self.said.leaving)
        agreed = f"Agreed: {listed(map(called, staying))}." if staying else ""
        left = f" Leaving: {listed(map(called, self.said.leaving))}." if self.said.leaving else ""
        return [*about(plan, people), f"{agreed}{left}".strip()]

    def _as_host(self) -> str:
        why = f"{self.said.why_not}. " if self.said.why_not else ""
        if not self.agreed:
            return f"{why or f'{OVER} '}r plays again, o another game. {LEAVES}"
        return f"{self._waits()} o proposes another game, q leaves."

    def _as_guest(self) -> str:
        host, plan = called(self.names[HOST]), self.said.plan
        if self.is_over:
            why = f" ({self.said.why_not})" if self.said.why_not else ""
            return f"{host} leaves: no other game follows{why}. {LEAVES}"
        if plan is not None and self.said.why_not:
            return f"You cannot play {title_of(plan)}: {self.said.why_not}. q leaves."
        if self.agreed:
            then = "" if plan is not None else f" {host} says what is played."
            return f"{self._waits()}{then} q leaves."
        if plan is None:
            return f"{OVER} r plays again with the same people. {LEAVES}"
        return f"{host} proposes {title_of(plan)}. Enter agrees, n or q leaves."

    def _waits(self) -> str:
        known = {*self.said.staying, *self.said.leaving}
        others = [called(name) for name in self.names if name not in known]
        return f"You agree. Waiting for {listed(others)}." if others else "All have agreed."

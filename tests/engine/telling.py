"""Everything that can be told of one game as it goes on, in three streams, each with a digest.

`rules`: what is asked, offered, decided and seen, and the state after each answer.  `words`: all
that people read of it.  `thoughts`: what the programs that play it would decide in each place, what
the clock would, and why.  All lines can be kept, so that two versions can be compared.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, Final

from engine.bots import sensible
from engine.bots.easy import easy
from engine.bots.lookahead import lookahead
from engine.bots.reasons import Decided
from engine.cards import Card
from engine.dealer import TrustedDealer
from engine.errors import IllegalAnswer
from engine.games import NAMES
from engine.question import Choose, Question
from engine.session import Session
from engine.testing import describe
from engine.time_out import decide_for, is_under_clock
from engine.view import SPECTATOR, View
from engine.wording import Wording

PEOPLE: Final = (
    "Ana",
    "Frederika",
    "Bo",
    "Eleanora",
    "Cyril",
    "Guillermo del Sol",
    "Dorian",
    "Hortensia Mayer",
)
"""Some are too long for the place that a table has for them."""
LOOK: Final = 9
"""At every ninth question everybody looks at the whole table, and what may not be is tried."""
MANY: Final = 100
"""Of more decisions, as many are looked at, evenly spread: 20 cards are a million sets."""
FEW: Final = 12
"""Of what is offered, so many are told in words, evenly spread."""
WRONG: Final = 50
"""Of what may not be decided, as many are tried, evenly spread."""
EXPLAINED: Final = 3
"""Of what a program considers, so many decisions are explained, at every third question."""
OFTEN: Final = 4
"""So often, a question of each topic is explained in any case."""
DEALS: Final = 4
"""In so many deals a decision is looked at: as many as have halves."""
RULES, WORDS, THOUGHTS = STREAMS = ("rules", "words", "thoughts")


class Telling:
    """One game, as it goes on."""

    def __init__(
        self, session: Session, dealer: TrustedDealer, text: Wording[Any], first: int = 0
    ) -> None:
        self.session, self.dealer, self.text = session, dealer, text
        self._names = [PEOPLE[(first + seat) % len(PEOPLE)] for seat in range(session.table.seats)]
        self._digests = {stream: hashlib.sha256() for stream in STREAMS}
        self.lines: list[str] | None = None
        """All that is told, if it is kept."""
        self._then = session.table.copy()
        self._met: Counter[tuple[str, str]] = Counter()

    def _tell(self, stream: str, said: object) -> None:
        self._digests[stream].update(f"{said}\n".encode())
        if self.lines is not None:
            self.lines.append(f"{len(self.session.journal)} {stream}: {said}")

    def played(self, *said: object) -> None:
        """Something that the rules or a player did."""
        self._tell(RULES, said)

    def say(self, *lines: str) -> None:
        """Something that people read."""
        for line in lines:
            self._tell(WORDS, line)

    def ask(self, asked: Question[Any]) -> None:
        """A question: who may decide what, and how everybody is told of it."""
        table, number = self.session.table, len(self.session.journal)
        plain = number % 2 == 0
        self.played(describe(table, asked), asked.deciders, asked.turn(), asked.lasts_ms())
        self.played(sorted(asked.names()), [(seat, list(slots)) for seat, slots in asked.read()])
        for seat in asked.deciders:
            self._offer(self._view(seat), asked, plain)
        everybody = (*range(table.seats), SPECTATOR)
        whole = number % LOOK == 0
        for seat in everybody if whole else [everybody[number % len(everybody)]]:
            self._look(self._view(seat), asked, plain)
        if whole:
            self._refuse(asked)
        if self.session.game.name in NAMES:
            self._think(asked, number)

    def _view(self, seat: int) -> View:
        """What a seat knows, and what it has seen before."""
        read = self.dealer.truth.cards.__getitem__
        return View(self.session.table, seat, read, read)

    def _offer(self, view: View, asked: Question[Any], plain: bool) -> None:
        offered = asked.decisions(view)
        self.played(view.seat, len(offered), _spread(offered, MANY), asked.for_others(view.seat))
        tell = partial(self.text.describe_decision, view, asked, names=self._names, ascii=plain)
        self.say(*(tell(one) for one in _spread(offered, FEW)))

    def _look(self, view: View, asked: Question[Any], plain: bool) -> None:
        """What one seat can read, and is told."""
        seen = [view.recall(slot) for slot in range(len(view.table.faces))]
        self.played([card and card.name for card in seen])
        self.say(*self.text.table_lines(view, self._names, ascii=plain))
        self.say(*self._drawn(view, plain))
        self.say(self.text.describe_question(view, asked, self._names, ascii=plain))

    def _drawn(self, view: View, plain: bool) -> Iterator[str]:
        """What a screen draws of the table besides its lines."""
        text, scene = self.text, self.text.scene(view, self._names, ascii=plain)
        table, seat = scene.table, scene.seat
        yield from text.own_side_lines(view, self._names, ascii=plain)
        yield from (text.part(scene), text.hand_line(view, ascii=plain))
        if not scene.watching:
            yield f"{text.hand_note(scene)} {text.held(table, seat)} {text.beside(table, seat)}"
        for of_scene in (text.trick, text.laid, text.discs):
            yield str(of_scene and of_scene(scene))
        for of_table in (text.turn, text.stock, text.pot, text.direction):
            yield str(of_table and of_table(table))
        for one in text.columns(table):
            yield f"{one.heading} {one.width} {one.short} {one.counted}{one.in_middle}{one.chips}"

    def _refuse(self, asked: Question[Any]) -> None:
        """What no seat may decide, and why; `engine.testing` checks that nothing of it passes."""
        table = self.session.table
        views = {seat: self.dealer.view(table, seat) for seat in asked.deciders}
        others = {seat: asked.decisions(view)[0] for seat, view in views.items()}
        for seat, view in views.items():
            for part in dict.fromkeys((asked, *asked.parts(seat))):
                for wrong in _spread(_wrong(part, view), WRONG):
                    self.say(f"{wrong}: {self._refusal(part, {**others, seat: wrong})}")

    def _refusal(self, asked: Question[Any], decisions: dict[int, object]) -> str | None:
        table, dealer = self.session.table, self.dealer.copy(Random(0))
        try:
            return asked.why_not(table, dealer.answer(table, asked, decisions))
        except IllegalAnswer as refusal:
            return str(refusal)

    def _think(self, asked: Question[Any], number: int) -> None:
        """What programs think of this place: of one seat that decides, in turn."""
        table, said = self.session.table, lookahead(self.session.game.name)
        if said.enough(self._then, table):
            self._tell(THOUGHTS, [round(one, 9) for one in said.worth(table)])
            self._then = table.copy()
        if asked.deciders:
            seat = asked.deciders[number % len(asked.deciders)]
            self._decide(self._view(seat), asked, number)

    def _decide(self, view: View, asked: Question[Any], number: int) -> None:
        game, rng = self.session.game, Random(number)
        said, bot = lookahead(game.name), sensible(game.name)
        usual = [bot(view, asked, rng), easy(game.name)(view, asked, rng)]
        if is_under_clock(asked, view.seat):
            usual.append(decide_for(game, view, asked, bot, rng))
        self._tell(THOUGHTS, usual)
        met = self._met[asked.kind, asked.topic] = self._met[asked.kind, asked.topic] + 1
        if number % EXPLAINED and met > OFTEN:
            return
        considered = said.considered(view, asked)
        self._tell(THOUGHTS, considered)
        deals = [self.dealer.truth.cards, *(self._dealt(view, rng) for _ in range(1, DEALS))]
        for one in _spread([*considered, usual[0]], EXPLAINED):
            why = said.why(Decided(view, asked, one, deals, considered[-1:]))
            self._tell(THOUGHTS, (one, why))
            self.say(self.text.describe_why(why, self._names))

    def _dealt(self, view: View, rng: Random) -> list[Card]:
        """The cards with those exchanged that the seat does not know."""
        cards = list(self.dealer.truth.cards)
        hidden = [slot for slot in range(len(view.table.faces)) if not view.knows(slot)]
        mixed = [cards[slot] for slot in hidden]
        rng.shuffle(mixed)
        for slot, card in zip(hidden, mixed, strict=True):
            cards[slot] = card
        return cards

    def end(self) -> str:
        """How many answers, the results, and the digests."""
        session, notes = self.session, self.session.table.notes or ()
        table = session.table
        self.played(session.digest(), session.game.bounds(table.seats, session.options))
        self.played([(zone.id, zone.name, zone.owner) for zone in table.zones])
        text, faces = self.text, table.deck.faces if table.deck is not None else ()
        for note in notes:
            self.played(note)
            self.say(*(text.describe_note(note, self._names, ascii=one) for one in (True, False)))
            self.say(str(text.shows[note[0]](*note[1:])) if note[0] in text.shows else "")
        for plain in (True, False):
            self.say(*(text.describe_effect(face, ascii=plain) for face in faces))
        self.say(text.lasts(table.seats, session.options) if text.lasts else "")
        ended = f"results {list(session.returns)}" if session.over else "goes on"
        digests = " ".join(one.hexdigest()[:8] for one in self._digests.values())
        return f"{len(session.journal)} answers, {ended}: {digests}"


def _wrong(asked: Question[Any], view: View) -> list[object]:
    """What may not be decided, and all that may be at other times."""
    options = range(len(asked.options)) if isinstance(asked, Choose) else ()
    return [*asked.wrong(view), *options]


def _spread(offered: Sequence[object], most: int) -> list[object]:
    """At most as many, evenly spread, the first one among them."""
    return [offered[place] for place in range(0, len(offered), 1 + (len(offered) - 1) // most)]

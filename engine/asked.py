"""What all questions have in common, whatever their kind: their base class.

The class of a kind says what may be decided, what a trusted dealer answers, and how an answer is
read.  Nothing asks which kind a question is: each part of the program that adds to a kind (the
words, the acts of the protocol, the keys) has a table by class (`engine.registry`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

from engine.cards import Card, Fits
from engine.compiling import mypyc_attr, uncover
from engine.errors import EngineError
from engine.table_state import TableState
from engine.truth import Truth
from engine.view import View
from engine.zone import Seat, Slot, Zone

A = TypeVar("A")

PASS: Final = None
"""The decision, and the answer, of a seat that declines."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Question(Generic[A]):
    """One question; `await` it inside the rules to receive its answer."""

    __slots__ = ()
    kind: ClassVar[str] = ""
    for_seats: ClassVar[bool] = False
    """Whether seats decide it; if not, it is an act of the dealer, and nobody has to be asked."""
    timed: ClassVar[bool] = False
    """Whether the seats that are asked race each other."""
    shuffles: ClassVar[bool] = False
    """Whether all seats together shuffle the slots that it is about."""
    mixes: ClassVar[bool] = False
    """Whether the cards of the slots that it is about change places; of all slots, if of none."""
    deciders: tuple[Seat, ...] = ()
    """The seats that decide, in seat order; empty for an act of the dealer."""
    topic: str = ""
    """What is chosen, if the rules say so."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        uncover(cls)

    # -- who is asked, and for what ------------------------------------------------------

    def turn(self) -> Seat | None:
        """Whose turn it is, as far as the question tells: the only seat that is asked."""
        return self.deciders[0] if len(self.deciders) == 1 else None

    def for_others(self, seat: Seat) -> bool:
        """Whether the seat may only claim something in a race for the turn of others."""
        return False

    def competes(self, decision: object) -> bool:
        """Whether this decision can be first in a race, or only prepares something."""
        return True

    def lasts_ms(self) -> int | None:
        """How long seats are asked before it ends by itself; None: until they have answered."""
        return None

    def hand(self, seat: Seat) -> Zone | None:
        """The zone from which the seat may lay cards; None if it lays none."""
        return None

    def options_of(self, seat: Seat) -> Sequence[object]:
        """The options that the seat's decisions index; empty if they are not indices."""
        return ()

    def about(self) -> Sequence[Slot]:
        """The slots that an act of the dealer is about."""
        return ()

    def parts(self, seat: Seat) -> Sequence[Question[Any]]:
        """The simple questions, one of which the seat answers."""
        return (self,)

    def within(self, seat: Seat, decision: Any) -> tuple[Question[Any], Any] | None:
        """The part that the seat's decision answers, and what it is there; None for a simple one.

        A race is asked claim by claim, and a claim may be a card or a call.
        """
        return None

    def names(self) -> Sequence[Seat]:
        """The seats that decide it, or that are to read, hold or get a card: none has left."""
        return [*self.deciders, *[seat for seat, _ in self.read() if seat is not None]]

    # -- what may be decided, and what comes of it -------------------------------------------

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        """Which slots each seat must be able to read for the question to make sense."""
        return ()

    def __await__(self) -> Generator[Question[A], A, A]:
        return (yield self)

    def decisions(self, view: View) -> Sequence[object]:
        """Every decision that the seat of `view` may make, in a fixed order."""
        raise NotImplementedError(f"{type(self).__name__} is not for a seat to decide")

    def allows(self, view: View, decision: object) -> bool:
        """Whether the seat of `view` may decide this, even if there are very many decisions."""
        return decision in self.decisions(view)

    def wrong(self, view: View) -> Sequence[object]:
        """Some decisions that the seat of `view` may not make, for tests that try them."""
        return ()

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        """The public answer of a trusted dealer to these decisions of the `deciders`.

        IllegalAnswer for a decision that names no card, and for a card laid under a false oath;
        `why_not` refuses everything else.
        """
        raise EngineError(f"no dealer can answer {self.kind or type(self).__name__}")

    def why_not(self, table: TableState, answer: A) -> str | None:
        """Why this public answer is refused, as a sentence; None when it is legal."""
        return None if answer is None else "nothing is to be answered here"

    # -- answers that are looked at later ------------------------------------------------------

    def decided(self, answer: Any) -> dict[Seat, object]:
        """The decisions behind a public answer, by seat, as far as everybody knows them."""
        return {self.deciders[0]: answer} if len(self.deciders) == 1 else {}

    def face_down(self, decision: Any) -> int:
        """How many cards this decision lays without showing anybody else their faces."""
        return 0

    def sworn(self, table: TableState, answer: Any) -> Iterable[tuple[Sequence[Slot], Fits]]:
        """What is sworn with this public answer: none of these slots has a face that fits.

        Asked before the rules go on, while the table is as it was.
        """
        return ()

    def parse(self, written: Any, face: Callable[[str], Card]) -> object:
        """The answer that was written as a JSON value; `face` finds a card by its name.

        Cards are written by their names, tuples as lists.
        """
        return tuple(written) if isinstance(written, list) else written

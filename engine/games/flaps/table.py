"""What lies on a table of Flaps, and where (rules section 3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.cards import Card
from engine.game import Options
from engine.games.flaps.cards import CARDS, MAID_MAY_FOLLOW, TRANSPARENT
from engine.games.flaps.duties import DEFEND, EIGHT, FOLLOW, Duty, Top
from engine.plain import FOR_PEOPLE
from engine.table import Table
from engine.zone import Seat, Slot, Zone, nowhere

NO_GUESS: Final = -1


@dataclass(slots=True, eq=False)
class FlapsTable(Table):
    """The table.  The seat to the left has the next number, whatever the direction of play."""

    level: int = 1
    last_card: str = "auto"
    after_last_doofer: bool = False
    wins_needed: int = 1
    turn_limit: int = 1000
    quiet_ms: int = 5000
    last_call_ms: int = 3000
    stock: Zone = field(default_factory=nowhere)
    discard: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    aside: list[Zone] = field(default_factory=list)
    """What each seat has put beside the pile (TRUMPS, SPOOF, FULL MONTY, 1-SWAP)."""
    mystery: list[Zone] = field(default_factory=list)
    """The Mystery Pile: one zone; none below level 5."""
    down: list[Zone] = field(default_factory=list)
    """The 1-DOWN cards before each seat; none below level 6; the last is the top."""
    face_up: list[Slot] = field(default_factory=list)
    """The 1-DOWN cards that lie face up."""
    known_by: dict[Slot, int] = field(default_factory=dict)
    """The seats that have seen a hidden card, wherever it lies by now: bit s for seat s.

    It ends where a hand or the stock is shuffled (section 10), and where all see the card.
    """
    dealer: Seat = -1
    playing: bool = False
    """False between two games, and before the first."""
    direction: int = 1
    turn: Seat = 0
    after: Seat = 0
    """The seat whose neighbour plays next when this turn is over."""
    turns: int = 0
    passes: int = 0
    """How many players in succession had nothing to draw."""
    suit: int = 0
    rank: int = 1
    """What has to be followed: this suit or this rank; a called suit with the rank of an Ace."""
    jacks_ok: bool = False
    """An ACE-JACK lies on top."""
    maid_ok: bool = False
    """An OL' MAID may be laid."""
    called: bool = False
    """Somebody called the suit that has to be followed."""
    effect: str = field(default="", metadata=FOR_PEOPLE)
    """The kind of the card that was laid, until all that it does is done."""
    trump: int = -1
    """The suit that is trumps while TRUMPS goes on; -1 before it is declared."""
    guesses: list[int] = field(default_factory=list)
    """The sum that each seat has called in SPOOF; NO_GUESS before it has."""
    tied: list[Seat] = field(default_factory=list)
    """The seats that still cut for the cards of TRUMPS or SPOOF."""
    cuts: int = 0
    """How often they have cut."""
    owed: int = 0
    """What the attacked player has to pick up; 0 without an attack."""
    miss: bool = False
    """The next player has to knock, or lay an 8."""
    flapping: bool = False
    last_flapper: Seat = -1
    mega_owner: Seat = -1
    mega_left: int = 0
    mega_used: int = 0
    stopped: bool = False
    due: list[tuple[Seat, Slot, bool]] = field(default_factory=list)
    """The seat that has not said "Last Card", its one card, and whether it is too late."""
    wins: list[int] = field(default_factory=list)

    def left_of(self, seat: Seat) -> Seat:
        """The neighbour to the left: the next seat clockwise."""
        return self.neighbour(seat) if self.lost else (seat + 1) % self.seats

    def clockwise(self, seat: Seat) -> list[Seat]:
        """All other seats from the left of `seat` on, then `seat`, but for those who have left."""
        order = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
        return [seat for seat in order if seat not in self.lost] if self.lost else order

    def has_seen(self, seat: Seat, slot: Slot) -> bool:
        """Whether this seat has seen the face of a card that is hidden; no spectator has."""
        return seat >= 0 and bool(self.known_by.get(slot, 0) >> seat & 1)

    def follow(self, card: Card) -> None:
        """Note what has to be followed now that this card lies on top (D8, D9)."""
        if self.known_by:
            self.known_by.pop(self.discard[-1], None)
        self.effect = card.kind
        if card.kind in TRANSPARENT:
            self.maid_ok = False
        else:
            self.suit, self.rank, self.jacks_ok, self.maid_ok, self.called = TOPS[card.id]


def duty(t: FlapsTable) -> Duty:
    """What may be laid: after an 8 another 8, under attack a defence, otherwise what follows."""
    if t.miss:
        return EIGHT
    if t.owed:
        return DEFEND[t.level][t.suit, t.rank]
    return FOLLOW[t.level][t.suit, t.rank, t.jacks_ok, t.maid_ok, t.called]


TOPS: Final = [
    Top(card.suit, card.rank, card.kind == "ace-jack", card.kind in MAID_MAY_FOLLOW)
    for card in CARDS
]
"""What each card asks the next player to follow, before a suit is called."""


def new_table(seats: int, options: Options) -> FlapsTable:
    """The table before anybody sits down."""
    table = FlapsTable(
        seats,
        level=int(options["level"]),
        last_card=str(options["last-card"]),
        after_last_doofer=options["scuffle"] == "after-last-hd",
        wins_needed=int(options["wins"]),
        turn_limit=int(options["turn-limit"]),
        quiet_ms=int(options["quiet-ms"]),
        last_call_ms=int(options["last-call-ms"]),
        wins=[0] * seats,
        guesses=[NO_GUESS] * seats,
    )
    players = range(seats)
    table.stock, table.discard = table.zone("stock"), table.zone("discard")
    table.hands = [table.zone("hand", seat) for seat in players]
    if table.level >= 2:
        table.aside = [table.zone("aside", seat) for seat in players]
    if table.level >= 5:
        table.mystery = [table.zone("mystery")]
    if table.level >= 6:
        table.down = [table.zone("down", seat) for seat in players]
    return table

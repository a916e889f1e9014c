"""What a turned card does: challenges, Minions, matches, and who takes the pile.

Nothing here asks anything: these functions change the table after a question was answered.
Sections are those of the rules.
"""

from __future__ import annotations

from engine.cards import Card
from engine.games.you_fink.cards import MINION, MINION_CARDS, POWERS
from engine.games.you_fink.table import (
    CHOOSING,
    FREE,
    MINION_ASKS,
    NO_POWER,
    NOBODY,
    TURNING,
    FinkTable,
    counts,
    matches,
    next_holder,
    owned,
    powers_left,
)
from engine.totals import winners
from engine.zone import Seat


def judge(t: FinkTable, seat: Seat, card: Card) -> None:
    """Decide what follows after `seat` turned `card` onto the pile (sections 3, 5 and 6)."""
    if card is MINION:
        minion(t, seat)
    elif POWERS[card.id]:
        challenger(t, seat, card)
    elif t.owner != NOBODY:
        count(t, seat)
    else:
        pass_on(t, seat)


def minion(t: FinkTable, seat: Seat) -> None:
    """A Minion ends any series and asks the next player for five cards (section 6)."""
    t.used.clear()
    t.owner, t.asked, t.remaining = seat, MINION_ASKS, MINION_CARDS
    t.note("minion", seat)
    pass_on(t, seat)


def challenger(t: FinkTable, seat: Seat, card: Card) -> None:
    """A challenger defeats any challenge, and challenges (section 5, 1 and 3)."""
    if t.asked == MINION_ASKS:
        beat_minion(t, seat)
    elif t.owner != NOBODY:
        t.used.append(t.asked)
    t.owner, t.asked, t.remaining = seat, NO_POWER, 0
    powers = powers_left(t, card)
    if not powers:
        t.note("all-used", seat)
    if not powers or next_holder(t, seat, barring=seat) == NOBODY:
        leave_to(t, seat)
    elif len(powers) == 1:
        name_power(t, powers[0])
    else:
        t.phase, t.due = CHOOSING, seat


def beat_minion(t: FinkTable, seat: Seat) -> None:
    """A new series begins on the same pile, or by option on its last card alone (D10)."""
    t.note("minion-beaten", t.owner, seat)
    if t.minion_beaten_takes_pile:
        won = t.claimed[seat]
        won.extend(t.pile[:-1])
        won.extend(t.booty)
        del t.pile[:-1]
        t.booty.clear()


def name_power(t: FinkTable, power: int) -> None:
    """The owner of the top card challenges with this power (section 5, 1 and 2)."""
    t.asked = power
    t.remaining = POWERS[t.face(t.pile[-1]).id][power]
    t.note("power", t.owner, power, t.remaining)
    pass_on(t, t.owner)


def highest_power(t: FinkTable) -> int:
    """The choice for an owner who makes none: the highest, ties Intel, Might, Magic (D8)."""
    card = t.face(t.pile[-1])
    return max(powers_left(t, card), key=POWERS[card.id].__getitem__)


def count(t: FinkTable, seat: Seat) -> None:
    """Count a number card in answer to a challenge (section 5, 4 and section 6)."""
    t.remaining -= 1
    if t.remaining:
        pass_on(t, seat - 1)  # seat itself goes on, as long as it owns a card (D14)
    elif t.asked == MINION_ASKS:
        t.note("minion-wins", t.owner)
        leave_to(t, t.owner)
    else:
        t.note("lost", t.owner)
        end_challenge(t)
        t.phase, t.heir = FREE, NOBODY


def end_challenge(t: FinkTable) -> None:
    """End the challenge: from now on nobody has to answer it."""
    t.owner, t.asked, t.remaining = NOBODY, NO_POWER, 0
    t.used.clear()


def pass_on(t: FinkTable, after: Seat) -> None:
    """Make the next seat that owns a card turn one, but never the owner of the challenge.

    If nobody is left to turn one, the pile goes to the owner of the challenge, or without a
    challenge to the last placer (D15).
    """
    due = next_holder(t, after, barring=t.owner)
    if due == NOBODY:
        leave_to(t, t.last_placer if t.owner == NOBODY else t.owner)
    else:
        t.phase, t.due = TURNING, due


def leave_to(t: FinkTable, seat: Seat) -> None:
    """Let `seat` take the pile, at once or, after a match, if nobody slaps it first."""
    if matches(t):
        t.phase, t.heir = FREE, seat
    else:
        take(t, seat)


def take(t: FinkTable, seat: Seat) -> None:
    """`seat` wins the pile and the booty, and leads; a seat that owns everything wins the game."""
    won = t.claimed[seat]
    t.note("take", seat, len(t.pile) + len(t.booty))
    won.extend(t.pile)
    won.extend(t.booty)
    t.pile.clear()
    t.booty.clear()
    end_challenge(t)
    t.phase, t.heir = TURNING, NOBODY
    t.due = next_holder(t, t.last_placer) if t.next_leads else seat
    if owned(t, seat) == len(t.faces) or t.turned >= t.limit:
        t.over = True
        tell_end(t, owned(t, seat) < len(t.faces))


def tell_end(t: FinkTable, limit: bool) -> None:
    """Note the result; with a `limit` the most cards win."""
    t.note("over", counts(t), limit, winners(counts(t), t.lost))


def pay(t: FinkTable, seat: Seat) -> None:
    """Pay three cards for a false slap: from the deck, then from the won cards (section 4)."""
    paid = 0
    for stack in (t.decks[seat], t.claimed[seat]):
        while stack and paid < 3:
            t.booty.append(stack.pop())
            paid += 1
    t.note("false-slap", seat, paid)
    if t.phase is TURNING and not owned(t, t.due):
        pass_on(t, t.due)


def lose_seat(t: FinkTable, seat: Seat) -> None:
    """A player is lost for good: his cards join the booty, his challenge is void (section 8).

    The pile stays.  A player who is left alone takes everything.
    """
    if owned(t, seat):
        t.note("to booty", seat, owned(t, seat))
    t.gone[seat] = True
    t.touched[seat] = t.barred[seat] = 0
    t.move_all(t.decks[seat], t.booty)
    t.move_all(t.claimed[seat], t.booty)
    if seat in (t.owner, t.heir):
        end_challenge(t)
        t.phase, t.heir = TURNING, NOBODY
        t.due = seat
    present = t.present()
    if t.last_placer == seat:
        t.last_placer = min(present, key=lambda other: (other - seat) % t.seats)
    if len(present) == 1:
        take(t, present[0])
    elif t.phase is TURNING and t.due == seat:
        pass_on(t, seat)

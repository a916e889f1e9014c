"""The rules of Flaps for people."""

from __future__ import annotations

from typing import Final

RULES: Final = """\
Flaps, by Paul Feagan (England, 1981). 2 to 8 players, seven levels; a level
has the cards of all levels below it. First to get rid of all cards wins.

Deal. 7 cards each, one card turned up. Play begins left of the dealer.
Turn. Lay one card of the same suit or the same number as the top card, or
pick up one. When the stack is short, the discards go under it unshuffled.
Last Card. With one card left say so before another player lays a card;
otherwise you pick one up. (last-card=catch: only when somebody catches you.)
Not a last card: ACE, ACE'N'LAY, ACE-JACK, KING'N'LAY, the maids, DUMP THOSE
FIVES and whatever is laid onto an 'N'LAY. It may be laid, but then you call
(if you have to) and pick one up.

Level 1
ACE         on anything; call a suit. ACE'N'END does the same, and may end.
ACE'N'LAY   on anything; lay one more card of its colour or an Ace, or call a
            suit of its colour and pick one up.
2, 3        the next player picks up 2 or 3, or lays another of that number, or
            a 2, 3, 7 or 9 of that suit. 2s and 3s add up, a 7 turns the attack
            back and reverses, a 9 ends it. Nothing else answers.
4 FLAPS     anybody may lay a FLAP, whose turn it is does not matter, but not
            on his own. When all have passed, the player after the opener goes
            on. MEGA-FLAP: its owner may lay three FLAPS on himself.
8           the next player knocks (misses the go) or lays an 8.
10          name a player, who picks up one or lays a HOOFERS-DOOFERS (a Queen)
            and names another. The player after the 10 goes on.
JACK        reverse. UP-JACKS: and everybody else picks up one. ACE-JACK: lay
            it on anything, reverse, call a suit; Jacks may follow too.
Level 2
TRUMPS      (King) declare trumps; each plays a card face down; the lowest takes
            them all. OL' MAIDS 1-4 are highest, then trumps, then the rest,
            ACE-JACK, QUACK, LOW OL' MAID. Ties cut.
OL' MAID    on a Jack, Queen or King only, not on TRUMPS, SPOOF, FULL MONTY.
            What lies below is followed.
Level 3
QUACK       only under attack: passes it on.
STOP        a 4: ends the flapping; against another's MEGA-FLAP two extras stay.
DUMP        a 5: add up to three more fives. Only the last one acts.
SIX         as the last card it wins twice.
KING'N'LAY  lay one more King, club, maid or Ace, or pick one up.
Level 4
SPOOF       (King) each puts a card aside and calls their sum: maids 20, court
            cards 10, Aces 1, QUACK 0. Who is furthest off takes them all.
LOW OL' MAID  as OL' MAID.
Level 5 (fives)
LOSE A SECRET  all pick one card blind from the left: to the Mystery Pile.
PICK A SECRET  put a hand card there. START GUESSING: the top of the stack.
SHARE A SECRET  look at a card of another player and put it there.
SOLVE THE MYSTERY  take the whole pile.
Level 6 (ones)
1-DOWN      look at the top of the stack, place it before any player.
1-RIGHT, 1-LEFT  all these piles move. 1-OVER: turn one card up. 1-LOOK: look
            at one. 1-SWAP: exchange one for a hand card. 1-UP: a player takes
            the top of his pile into his hand.
Level 7
FULL MONTY  (King) put three cards down; a player points at one; show all one
            of the others; he takes the pointed one or the other, you the rest.

End. If nothing is left to draw and all have passed, the piles are shuffled
and become the stack; without piles, and at the turn limit (turn-limit=1000),
fewest cards win. wins=N: games are played until somebody has N wins.
"""

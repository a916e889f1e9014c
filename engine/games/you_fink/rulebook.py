"""The rules of You Fink! as they are played here, for people."""

from __future__ import annotations

from typing import Final

RULES: Final = """\
You Fink!, a slap game for the Civil Four deck. 2 to 8 players. Own all cards!

Deal. All cards (52 and two Minions) are dealt face down. Nobody looks. Of the
players with most cards the first left of the dealer leads.

Turning. In turn, clockwise, everybody turns the top card of his deck onto the
pile. Won cards lie beside you; when your deck is empty and a card is due,
everybody shuffles them into your new deck. You may do that earlier when it is
not your turn, but then you cannot slap before three more cards are turned.

Slapping. Touch your forehead, then slap. The pile can be slapped when its top
two cards have the same rank, and when a challenge was lost. The first slap
wins the pile and the booty, also if you own no card, and the winner leads. A
match is covered by the next card. A false slap costs three cards: they go to
the booty. A touch is good until two more cards are turned; your own card and
your slap end it. After a slap wait for the next card.

Challengers: A, K, Q, J. Each shows three powers, Intel/Might/Magic. The owner
chooses one above 0; the next player has to turn that many cards, one by one.
  A challenger among them beats the first one, whatever the numbers. Its owner
chooses a power that was not answered in this series; and so on. If it has
none left, its owner takes the pile and the booty at once, unless it matches
the card below: then it is free for all, and his if nobody slaps.
  No challenger among them: the challenge is lost, and anybody may slap. No
card may cover the pile before. If nobody slaps, the player after the answerer
turns the next card.

Minions. A Minion ends a series and asks for five cards. Five number cards:
its owner takes all, without slapping (a match of the fifth can be slapped
first). A challenger beats it and begins a new series. Another Minion asks the
next player for five.

No cards. You are skipped, and can slap in again. Who runs out in an answer
leaves the rest of it to the next player. If nobody can answer, the owner of
the challenge takes the pile; if nobody has a card, the last to place one.

End. Who owns all cards wins. With three or more players the pile in play is
the last after 1500 cards: most cards win, ties share. No game is longer than
20000 cards.

Options. minions=off. forehead=off: just slap. guests=N: the last N seats begin
without cards. cardLimit=off or a number. leader=next: the player after the
last to place leads. minionBeatenTakesPile=on: the challenger that beats a
Minion takes what lies below it, and begins a new pile.

Powers (ours: the printed ones are not known)
     clubs  spades hearts diamonds
A    1/4/2  4/1/2  2/4/1  3/0/4
K    0/4/2  2/0/4  3/3/0  3/1/2
Q    1/3/1  0/1/4  2/3/0  3/0/2
J    0/3/1  2/0/2  1/3/0  2/1/1
"""

"""Mistakes that nobody could notice, each with its reason.

Whoever reads a survivor and finds that no test could fail writes it down here, one at a time, with
what stands before and after it.  They are not counted.
"""

from __future__ import annotations

from typing import Final

from tests.mutation.as_long import AS_LONG
from tests.mutation.mutants import Mutant

EQUIVALENT: Final[dict[tuple[str, str, str], str]] = {
    (
        "engine.env.playing",
        "dealer = TrustedDealer(Random(0))",
        "dealer = TrustedDealer(Random(",
    ): "no chance changes which deck a game has",
    (
        "engine.env.checking",
        "zip(slots, slots[1:] + slots[:1], strict=True)",
        "zip(slots[1:] + slots[:1], slots, strict=True)",
    ): "the cards go round the other way",
    (
        "engine.session",
        "raise EngineError(f'seat {lost.seat} leaves {self.game.name}, which has no rule for it')",
        "pass",
    ): "`Session.lose` has asked the same, and a journal has no entry that it refused",
    (
        "engine.sets",
        "if count > 1 and len(set(slots)) != count:",
        "if count >= 1 and len(set(slots)) != count:",
    ): "one slot is never there twice",
    (
        "engine.sets",
        "if count > 1 and len(set(slots)) != count:",
        "if count > 0 and len(set(slots)) != count:",
    ): "one slot is never there twice",
    (
        "engine.games.flaps.flapping",
        "if t.mega_owner not in (-1, seat) and t.mega_left > 0:",
        "t.mega_left >= 0:",
    ): "whose flaps are used up has none left, and is the owner of none",
    (
        "engine.games.flip_over.bot",
        "return decisions[0]",
        "return decisions[-1]",
    ): "there is one decision",
    (
        "engine.games.flip_over.bot",
        "if isinstance(question, Together) and isinstance(table, FlipTable):",
        "if isinstance(question, Together) or isinstance",
    ): "nothing else is asked there, and the table is one of this game",
    (
        "engine.games.flip_over.bot",
        "best == (view.seat + 2) % table.seats",
        "(view.seat - 2) % table.seats",
    ): "four play in teams",
    (
        "engine.games.flip_over.bot",
        "raise TypeError('every decision in Flip Over is a card')",
        "pass",
    ): "every decision is a card",
    (
        "engine.games.flip_over.discs",
        "for place in range(1, len(row) + 1):",
        "for place in range(0, len(row) + 1):",
    ): "the first disc has the colour of the first",
    (
        "engine.games.flip_over.table",
        "range(len(cards) - 1, -1, -1)",
        "range(len(cards) - 1, -2, -1)",
    ): "the place -1 is that of the last card, which was looked at first",
    (
        "engine.games.flip_over.text",
        "scene.who(seat + 2), 8)",
        "scene.who(seat - 2), 8)",
    ): "of four names, both are the partner's",
    (
        "engine.games.flip_over.rules",
        "zip(t.beside, t.hands, strict=True)",
        "strict=False",
    ): "each seat has both",
    (
        "engine.games.sneak.combos",
        "'rank', kinds[0].value, *ranks",
        "'rank', kinds[1].value",
    ): "both are of one kind there",
    (
        "engine.games.sneak.combos",
        "'rank', kinds[0].value, *ranks",
        "'rank', kinds[-1].value",
    ): "both are of one kind there",
    (
        "engine.games.sneak.rules",
        "t.turns_left -= t.turns_left > 0",
        "t.turns_left -= t.turns_left >= 0",
    ): "with no turn left the round is over, and the next one is dealt",
    (
        "engine.games.flaps.flapping",
        "if t.mega_owner == seat and t.mega_left > 0:",
        "t.mega_left >= 0:",
    ): "whose flaps are used up has none left, and is the owner of none",
    (
        "engine.games.flaps.flapping",
        "if t.mega_owner not in (-1, seat) and t.mega_left > 0:",
        "t.mega_left > -1:",
    ): "whose flaps are used up has none left, and is the owner of none",
    (
        "engine.games.flop_a.betting",
        "t.bets[able[0]] == t.highest",
        "t.bets[able[-1]] == t.highest",
    ): "there is one",
    (
        "engine.games.flop_a.bot",
        "if isinstance(table, FlopTable) and isinstance(question, Together):",
        "if isinstance(table, FlopTable) or",
    ): "nothing else is asked there, and the table is one of this game",
    (
        "engine.games.you_fink.bot",
        "rng.random() < slip",
        "rng.random() <= slip",
    ): "one number of 2**53 is the limit itself",
    (
        "engine.games.you_fink.table",
        "for step in range(1, seats + 1):",
        "for step in range(1, seats + 2):",
    ): "the seat that comes once more was looked at first",
    (
        "engine.games.you_fink.challenges",
        "name_power(t, powers[0])",
        "name_power(t, powers[-1])",
    ): "one power is left",
    (
        "engine.games.flaps.level5",
        "zip(owners, await pick_blind(t, owners), strict=True)",
        "strict=False",
    ): "a card of each hand is picked",
    (
        "engine.games.flaps.text",
        "'clockwise' if table.direction > 0 else",
        "table.direction >= 0",
    ): "the direction is 1 or -1",
    (
        "engine.games.flaps.text",
        "'clockwise' if table.direction > 0 else",
        "table.direction > -1",
    ): "the direction is 1 or -1",
    (
        "engine.games.flop_a.bot",
        "min(CHECK, len(question.decisions(view)) - 1)",
        "len(question.decisions(view)) - 0)",
    ): "folding and checking are always offered",
    (
        "engine.games.flop_a.showdown",
        "zip(players, chosen, strict=True)",
        "strict=False",
    ): "each player has declared, or None stands for it",
    (
        "engine.games.flop_a.bot",
        "owed = call.chips if isinstance(call, Act) else 0",
        "isinstance(call, Act) else 1",
    ): "each option there is an act",
    (
        "engine.games.flop_a.bot",
        "owed = call.chips if isinstance(call, Act) else 0",
        "isinstance(call, Act) else -1",
    ): "each option there is an act",
    (
        "engine.games.flop_a.why",
        "price = call.chips if isinstance(call, Act) else 0",
        "isinstance(call, Act) else 1",
    ): "each option there is an act",
    (
        "engine.games.flop_a.why",
        "price = call.chips if isinstance(call, Act) else 0",
        "isinstance(call, Act) else -1",
    ): "each option there is an act",
    (
        "p2p.protocol.acts.farewell",
        "if self._moves and parsed.put_back:",
        "if self._moves or parsed.put_back:",
    ): "a part is there where it is owed, and nowhere else",
    (
        "engine.table",
        "[_owner(zone) for zone in to] * each, strict=True)",
        "* each, strict=False)",
    ): "too few cards were refused before",
    (
        "engine.table_state",
        "uncover(cls)",
        "pass",
    ): "it does something for compiled classes only, into which no mistake is put",
    (
        "engine.games.flaps.words",
        "COLOURS[suits[0] // 2][0]",
        "COLOURS[suits[-1] // 2][0]",
    ): "both suits are of one colour",
    (
        "engine.games.flaps.words",
        "COLOURS[suits[0] // 2][0]",
        "COLOURS[suits[1] // 2][0]",
    ): "both suits are of one colour",
    (
        "engine.testing",
        "Random(draw(2 ** 32))",
        "Random(draw(2 ** 33))",
    ): "any number is a seed",
    (
        "engine.testing",
        "Random(draw(2 ** 32))",
        "Random(draw(2 ** 31))",
    ): "any number is a seed",
    (
        "engine.testing",
        "Random(draw(2 ** 32))",
        "Random(draw(3 ** 32))",
    ): "any number is a seed",
    (
        "engine.bots.reference",
        "leads = question.parts(view.seat)[0] is question",
        "question.parts(view.seat)[-1] is question",
    ): "of a question that has parts no part is the question, else it is its only part",
    (
        "engine.table",
        "zip(drawn, sizes, strict=True)",
        "strict=False",
    ): "as many numbers were drawn as there are sizes",
    (
        "engine.games.flip_over.bot",
        "partner = (view.seat + 2) % table.seats",
        "partner = (view.seat - 2) % table.seats",
    ): "four play in teams, and in twos the way round is the same",
    (
        "engine.question",
        "zip(self.options, answer, strict=True)",
        "zip(self.options, answer, strict=False)",
    ): "the lengths were compared two lines before",
    (
        "p2p.protocol.ballot",
        "self._step = -1",
        "self._step = -2",
    ): "no step has either number",
    (
        "p2p.protocol.absence.voting",
        "decode_entry(records[0]).previous",
        "decode_entry(records[-1]).previous",
    ): "all entries of a step name the same step before it",
    (
        "engine.zone",
        "Zone((), -1, 'nowhere', None)",
        "Zone((), -0, 'nowhere', None)",
    ): "a table gives its zones numbers before anybody asks",
    (
        "engine.zone",
        "Zone((), -1, 'nowhere', None)",
        "Zone((), -2, 'nowhere', None)",
    ): "a table gives its zones numbers before anybody asks",
    (
        "engine.bots.beside",
        "self._told = 0",
        "self._told = -1",
    ): "each game that begins sets it",
    (
        "engine.bots.beside",
        "self._told = 0",
        "self._told = 1",
    ): "each game that begins sets it",
    (
        "engine.games.flaps.text",
        "return table.mystery[0]",
        "return table.mystery[-1]",
    ): "there is one pile",
    (
        "p2p.crypto.group",
        "decode_scalars(data, 1, verdict=verdict)[0]",
        "decode_scalars(data, 1, verdict=verdict)[-1]",
    ): "one scalar is read",
    (
        "engine.asked",
        "self.deciders[0] if len(self.deciders) == 1",
        "self.deciders[-1] if len(self.deciders) == 1",
    ): "there is one",
    (
        "engine.games.sneak.bot",
        "rng.random() < PAIRS",
        "rng.random() <= PAIRS",
    ): "one number of 2**53 is PAIRS itself",
    (
        "engine.games.flaps.contest",
        "zip(players, cards, strict=True)",
        "zip(players, cards, strict=False)",
    ): "each player has put a card there",
    (
        "p2p.protocol.wire",
        "(3 + 2 * i, 0, 1) for i in range(2)}",
        "(3 + 2 * i, 0, 1) for i in range(3)}",
    ): "the next line says what the third tag is",
    (
        "engine.traps",
        "fork.close()",
        "pass",
    ): "nobody refers to the fork any more, and Python closes what runs in it",
    (
        "engine.games.flaps.level5",
        "1, t.mystery[0])",
        "1, t.mystery[-1])",
    ): "there is one pile",
    (
        "engine.games.flaps.words",
        "card.rank < len(PRINTED)",
        "card.rank <= len(PRINTED)",
    ): "no card has this rank",
    (
        "engine.games.flaps.cards",
        "DECKS: Final = {level: _deck(level) for level in range(1,",
        "range(0,",
    ): "no table has the level 0",
    (
        "engine.sets",
        "zip(self.deciders, answer, strict=True)",
        "zip(self.deciders, answer, strict=False)",
    ): "an answer was asked about first, and has one part for each",
    (
        "p2p.protocol.slots",
        "dict(zip(self.points, deck.lowest, strict=True))",
        "strict=False",
    ): "a deck has as many of both",
    (
        "engine.games.sneak.rules",
        "flaunted = t.faces[t.played[leader][0]] is not None",
        "t.played[leader][-1]",
    ): "a set lies there all open or all face down",
    (
        "p2p.protocol.logfile",
        "data[:written] if written < len(data) else data",
        "if written <= len(data)",
    ): "all bytes of a file are the file",
    (
        "p2p.protocol.races.terms",
        "max(delays, default=0)",
        "max(delays, default=1)",
    ): "the floor is higher than both",
    (
        "engine.games.sneak.rules",
        "t.turns_left -= t.turns_left > 0",
        "t.turns_left -= t.turns_left > -1",
    ): "with no turn left the round is over, and the next one is dealt",
    (
        "engine.games.flaps.calls",
        "t.due.append((seat, t.hands[seat][0], False))",
        "t.hands[seat][-1]",
    ): "the hand has one card",
    (
        "p2p.protocol.races.window",
        "self._at).time or 0",
        "self._at).time or -1",
    ): "the floor is higher than both",
    (
        "p2p.protocol.races.window",
        "self._at).time or 0",
        "self._at).time or 1",
    ): "the floor is higher than both",
    (
        "p2p.protocol.acts.opening",
        "zip(opened.slots, opened.shares, strict=True)",
        "strict=False",
    ): "as many shares were read as there are hidden slots",
    (
        "engine.games.flop_a.rules",
        "zip(reversed(players), reversed(laid), strict=True)",
        "strict=False",
    ): "each player has laid",
    (
        "engine.games.flaps.duties",
        "for level in (MAID_LEVEL - 1, MAID_LEVEL)",
        "(MAID_LEVEL - 2, MAID_LEVEL)",
    ): "neither level has the Maid",
    (
        "engine.simulate",
        "if rng.random() < leave]",
        "if rng.random() <= leave]",
    ): "nobody is asked with a probability of 0, and one number of 2**53 is any other",
    (
        "engine.plain",
        "return inner[0]",
        "return inner[-1]",
    ): "there is one, or it was refused the line before",
    (
        "engine.traps",
        "return ''",
        "return None",
    ): "each of these sentences is only asked whether there is one",
    (
        "engine.games.you_fink.challenges",
        "take(t, present[0])",
        "take(t, present[-1])",
    ): "there is one player left",
    (
        "p2p.protocol.logfile",
        "while at + _LENGTH <= len(data):",
        "while at + _LENGTH < len(data):",
    ): "a frame has at least one byte, and there is no room for it",
    (
        "p2p.protocol.logfile",
        "max(-1, at - longest)",
        "max(-2, at - longest)",
    ): "before the first byte there is no length",
    **{
        (module, f"{zipped}, strict=True)", "strict=False)"): reason
        for (module, zipped), reason in AS_LONG.items()
    },
}
"""By module, and parts of the lines before and after."""


def why_equal(one: Mutant) -> str:
    """Why nobody could notice this mistake; "" if somebody might."""
    for (module, before, after), reason in EQUIVALENT.items():
        if module == one.module and before in one.before and after in one.after:
            return reason
    return ""

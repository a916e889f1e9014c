"""How far a log is the word of every seat, and from which step on only of those who stayed.

An entry signs the hash of all steps before its own.  What comes after the last entry of a seat can
be written anew by all others together, with right proofs and signatures: it proves nothing to
anybody who trusts none of them.  A seat that left for good has confirmed all before its farewell,
and the others play on at a table of theirs.  So they do after a seat was lost; what came after its
last entry is their word, and the report says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.wording import listed
from engine.zone import Seat
from p2p.text.names import called


def confirmed_to(last: Mapping[Seat, int], seats: Iterable[Seat]) -> int:
    """The first step that not every one of these seats has confirmed; they have not left.

    `last` is the last step that each signed.
    """
    return min(last.get(seat, 0) for seat in seats)


def word_of_the_rest(
    names: Sequence[str], without: Sequence[Seat], last: Mapping[Seat, int]
) -> str:
    """What a log that was closed without these seats proves, in a sentence."""
    silent = [seat for seat in without if seat not in last]
    if silent:
        proven = f"{_named(names, silent)} signed no step of this game: all of it, "
    else:
        end = min(last[seat] for seat in without)
        first = [seat for seat in without if last[seat] == end]
        proven = f"all is right up to step {end}, the last that {_named(names, first)} signed; "
        if len(first) < len(without):
            proven = f"the close lacks {_named(names, without)}; {proven}"
        proven += "what follows, "
    return f"{proven}and the result, is the word of those who stayed"


def _named(names: Sequence[str], seats: Sequence[Seat]) -> str:
    return listed(called(names[seat]) for seat in seats)

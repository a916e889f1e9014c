"""What a line that others see may hold: names of players, lines of talk, any text from outside.

A name is judged by every seat and by every audit, so its rules (protocol section 3) rest on tables
of one Unicode version that are our own, and on what no later version may change.  What a terminal
shows decides no verdict; for that the tables of this Python are good enough.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections.abc import Collection, Iterator
from functools import cache
from typing import Final

from p2p.text import codepoints

NAME_MAX: Final = 24
MARKS_MAX: Final = 4
"""How many marks may be above, below and after one letter; no script needs more."""
YOU: Final = "(you)"
"""What programs put after the reader's own name."""
BOT: Final = " (bot)"
"""What they put after the name of a seat that says of itself that a bot decides there."""
NAMES: Final = (
    f"a name is 1 to {NAME_MAX} printable characters, single blanks between them, no {YOU}"
)
"""What is said to somebody who sends or chooses something that is no name."""
HIDDEN: Final = (
    *((0x0, 0x1F), (0x7F, 0xA0), (0xAD, 0xAD), (0x34F, 0x34F), (0x600, 0x605)),
    *((0x61C, 0x61C), (0x6DD, 0x6DD), (0x70F, 0x70F), (0x890, 0x891), (0x8E2, 0x8E2)),
    *((0x115F, 0x1160), (0x1680, 0x1680), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2000, 0x200F)),
    *((0x2028, 0x202F), (0x205F, 0x206F), (0x2800, 0x2800), (0x3000, 0x3000), (0x3164, 0x3164)),
    *((0xD800, 0xF8FF), (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0)),
    *(
        (0xFFF0, 0xFFFB),
        (0xFFFE, 0xFFFF),
        (0x110BD, 0x110BD),
        (0x110CD, 0x110CD),
        (0x13430, 0x1343F),
    ),
    *(
        (0x1BCA0, 0x1BCA3),
        (0x1D173, 0x1D17A),
        (0x1FFFE, 0x1FFFF),
        (0x2FFFE, 0x2FFFF),
        (0x3FFFE, 0x10FFFF),
    ),
)
"""Code points of no line: controls, blanks except one, direction marks, variants, private use.

A list of our own, because Unicode's categories grow: two programs with different tables would judge
one log, or one line of talk, differently.
"""
REPLACED: Final = "\N{REPLACEMENT CHARACTER}"
"""What a terminal shows in place of something else."""
REASON_MAX: Final = 120
QUOTED_MAX: Final = 24
_HIDDEN: Final = re.compile(f"[{''.join(f'{chr(a)}-{chr(z)}' for a, z in HIDDEN)}]")
_PLAIN_WORD: Final = re.compile(rf"[a-z0-9-]{{1,{QUOTED_MAX}}}", re.ASCII)
_PUNCTUATION: Final = frozenset(" .'-_")
_OURS: Final = frozenset({"you", "nobody", "everybody"})


def is_hidden(letter: str) -> bool:
    """Whether this code point is not printable, as protocol section 3 lists them."""
    return _HIDDEN.match(letter) is not None


def is_printable(text: str) -> bool:
    """Whether a line may hold all of this text."""
    return _HIDDEN.search(text) is None


def printable(text: str) -> str:
    """This text made safe for a terminal: one line, without anything that acts on it.

    What is hidden is replaced, and of marks on marks those that would leave the line are left out.
    It also takes text that is no Unicode (names of files), and replaces that too.
    """
    shown = _HIDDEN.sub(REPLACED, text)
    return shown if shown.isascii() else "".join(_without_piles(shown))


def _without_piles(text: str) -> Iterator[str]:
    pile = 0
    for letter in text:
        pile = pile + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if pile <= MARKS_MAX:
            yield letter


def cut(text: str, most: int) -> str:
    """The printable text, at most this many letters of it; what is left out is marked."""
    shown = printable(text[: most + 1])
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def quoted(word: str) -> str:
    """A word that somebody sent, for a sentence of ours: as it is, or in quotes and cut.

    >>> quoted("lay-set"), quoted("x. *** Ana has won")
    ('lay-set', '"x. *** Ana has won"')
    """
    return word if _PLAIN_WORD.fullmatch(word) else f'"{_inside(cut(word, QUOTED_MAX))}"'


def spelled(text: str) -> str:
    """The name of a file for a sentence of ours: in quotes if it is no ordinary word.

    >>> spelled("games/a b.ndlog"), spelled("a.ndlog    ok  b")
    ('games/a b.ndlog', '"a.ndlog ok b"')
    """
    plain = is_printable(text) and "  " not in text
    return text if plain else f'"{_inside(printable(text))}"'


def _inside(text: str) -> str:
    """Text for quotes: it may not end them, nor leave a gap that looks like the end of a line."""
    return re.sub("  +", " ", text.replace('"', "'"))


# -- names -------------------------------------------------------------------------------------


def is_name(name: str) -> bool:
    """Whether somebody may have this name (protocol section 3)."""
    known = 0 < len(name) <= NAME_MAX and not any(_is_in(codepoints.UNKNOWN, one) for one in name)
    blanks = name == name.strip(" ") and "  " not in name
    return known and blanks and _marks_follow(name) and YOU not in folded(name).replace(" ", "")


def _marks_follow(name: str) -> bool:
    """Whether every mark follows something that takes a column, and not too many follow one."""
    pile = MARKS_MAX
    for letter in name:
        if _is_in(codepoints.MARKS, letter):
            pile += 1
        else:
            pile = MARKS_MAX if letter == " " else 0
        if pile > MARKS_MAX:
            return False
    return True


def _is_in(table: str, letter: str) -> bool:
    # Runs begin at places with even numbers; after a run's end the number is even again.
    return bool(bisect(_edges(table), ord(letter)) % 2)


@cache
def _edges(table: str) -> tuple[int, ...]:
    """The first code point of each run, and the first after it."""
    edges, last = [], 0
    numbers = [int(number, 36) for number in table.split(" ")]
    for gap, length in zip(numbers[::2], numbers[1::2], strict=True):
        first = last + gap
        last = first + length
        edges += [first, last + 1]
    return tuple(edges)


def folded(name: str) -> str:
    """Two names are one to people if this is equal: "BO", "bo" and "Ｂｏ"."""
    compatible = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", compatible)


def are_distinct(names: Collection[str]) -> bool:
    """Whether no two of these names are one."""
    return len(set(map(folded, names))) == len(names)


def free_name(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, or the first of "wanted 2", "wanted 3", ... that nobody in `taken` goes by."""
    used = set(map(folded, taken))
    number, name = 1, wanted
    while folded(name) in used:
        number += 1
        name = f"{wanted[: NAME_MAX - 4].rstrip(' ')} {number}"
    return name


def called(name: str) -> str:
    """A name for a sentence of ours: in quotes if it could be taken for words of the program.

    >>> called("Bo"), called("*** Bo CHEATS")
    ('Bo', '"*** Bo CHEATS"')
    """
    return name if _is_by_itself(name) else f'"{_inside(printable(name))}"'


def _is_by_itself(name: str) -> bool:
    """Whether these are letters, with only such signs between them as names have."""
    letters = [one for one in name if not _is_in(codepoints.MARKS, one)]
    usual = all(one.isalnum() or one in _PUNCTUATION for one in letters)
    begins = name[:1].isalnum() and is_printable(name)
    return begins and usual and ". " not in name and folded(name) not in _OURS

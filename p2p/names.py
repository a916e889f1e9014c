"""What may stand in a line that others see: names of players, lines of talk."""

from __future__ import annotations

from typing import Final

NAME_MAX: Final = 24
NAMES: Final = f"a name is 1 to {NAME_MAX} printable characters"
"""What is said to whoever sends, or chooses, what is no name."""
HIDDEN: Final = (
    *((0x0, 0x1F), (0x7F, 0xA0), (0xAD, 0xAD), (0x61C, 0x61C), (0x1680, 0x1680)),
    *((0x180E, 0x180E), (0x2000, 0x200F), (0x2028, 0x202F), (0x205F, 0x206F)),
    *((0x3000, 0x3000), (0xD800, 0xF8FF), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB)),
    *((0xE0000, 0xE007F), (0xF0000, 0x10FFFF)),
)
"""Code points of no line: controls, spaces but one, marks of direction, private use.

A list of our own, because Unicode's categories grow: two programs with other tables would
judge one log, or one line of talk, differently.
"""


def is_hidden(letter: str) -> bool:
    """Whether this code point is not printable, as protocol section 3 lists them."""
    code = ord(letter)
    return any(first <= code <= last for first, last in HIDDEN)


def printable(text: str) -> str:
    """What of this text a line may hold."""
    return "".join(letter for letter in text if not is_hidden(letter))


def is_printable(text: str) -> bool:
    """Whether a line may hold this text."""
    return not any(map(is_hidden, text))


def is_name(name: str) -> bool:
    """Whether a seat may have this name: 1 to 24 printable characters."""
    return 0 < len(name) <= NAME_MAX and is_printable(name)

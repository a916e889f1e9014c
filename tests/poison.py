"""Text that somebody may write for a terminal to show, and whether it has any effect there."""

from __future__ import annotations

from typing import Final

from p2p.text.names import is_hidden

HUGE: Final = "A" * (128 * 1024)
POISON: Final = {
    "a title": "\x1b]0;owned\x07",
    "a clear": "\x1b[2J\x1b[H",
    "a control of one byte": "\x9b2J\x9d0;owned\x9c",
    "a return": "\r     ok  every log verified",
    "a line": "x\nok   complete: every shuffle is right",
    "a line of Unicode": "x\u2028ok   complete\u2029\x85\x0b\x0c",
    "an override": "\u202eelbmuder\u202c\u2066x\u2069\u200f",
    "a tag": "x\U000e0041\U000e007f",
    "a delete": "x\x7f\x08\x08",
    "nothing to be seen": "\u3164\u2800\u200b\ufe0f",
    "128 kB": HUGE,
}
LINE_MAX: Final = 5_000


def harms(shown: str) -> list[str]:
    """What in these lines would act on a terminal, or fill it."""
    lines = shown.split("\n")
    found = sorted({repr(one) for line in lines for one in line if is_hidden(one)})
    return found + [f"{len(line)} letters" for line in lines if len(line) > LINE_MAX]

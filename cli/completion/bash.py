"""The line as bash splits it: words end at `=` and `:` too, and nothing is quoted."""

from __future__ import annotations

import re
import shlex
from typing import Final

from cli.completion.candidates import candidates

BREAKS: Final = frozenset("=:")
"""Characters within our words that may end a word of bash; the person who uses it can say which."""
_SPECIAL: Final = re.compile(r"([^\w@%+=:,./~-])")
_NEXT: Final = "x"


def replies(line: str, breaks: str) -> list[str]:
    """Return what may replace the last word of bash before the cursor, as it would be typed.

    `line` is all that is typed so far, `breaks` are the characters that end a word.
    """
    words, quote = _split(line)
    kept = "" if quote else _kept(words[-1], BREAKS & {*breaks})
    found = [one.removeprefix(kept) for one in candidates(words[1:])]
    return found if quote else [_SPECIAL.sub(r"\\\1", one) for one in found]


def _split(line: str) -> tuple[list[str], str]:
    """Return the words of the line, the last of which may be empty, and the quote left open."""
    for quote in ("", "'", '"'):
        try:
            *before, last = shlex.split(f"{line}{_NEXT}{quote}")
        except ValueError:  # the other quote is open
            continue
        return [*before, last.removesuffix(_NEXT)], quote
    return [line, ""], ""


def _kept(word: str, breaks: frozenset[str]) -> str:
    """Return the part of our word that is a word of bash by itself, and is not typed again."""
    return word[: 1 + max((word.rfind(one) for one in breaks), default=-1)]

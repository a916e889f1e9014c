"""Bytes as no honest terminal sends them: random and mutated escape sequences."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES

KNOWN = sorted(
    one for one in ANSI_SEQUENCES if one.startswith("\x1b") and len(one) > 2 and one[1] != "\x1b"
)
MADE = (
    *(
        "\x1b[31m",
        "\x1b[M !!",
        "\x1b[<0;1;1M",
        "\x1b[<64;1m",
        "\x1b[24;80R",
        "\x1b[200~",
        "\x1b[1R",
    ),
    *("\x1b]0;x\x07", "\x1bP+q\x1b\\", "\x1b[?1;2c", "\x1b[99;5u", "\x1b[I", "\x1b[O", "\x1bO"),
)
PARTS = "0123456789;:?<=>!M"
FINALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ@[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"


def sequences(count: int, seed: int) -> Iterator[str]:
    """So many sequences; none of them is a key that a person would press to leave."""
    rng = Random(seed)
    for number in range(count):
        if number % 3 == 0:
            yield f"\x1b[{''.join(rng.choices(PARTS, k=rng.randrange(6)))}{rng.choice(FINALS)}"
        elif number % 3 == 1:
            yield _mutated(rng.choice([*KNOWN, *MADE]), rng)
        else:
            yield rng.choice([*KNOWN, *MADE])


def _mutated(known: str, rng: Random) -> str:
    letters = list(known)
    at = rng.randrange(2, len(letters)) if len(letters) > 2 else 1
    match rng.randrange(3):
        case 0:
            letters[at:at] = rng.choices(PARTS, k=rng.randrange(1, 4))
        case 1:
            letters[at] = rng.choice(PARTS + FINALS)
        case _:
            del letters[at]
    return "".join(letters)

"""Mistakes that nobody could notice, each with its reason.

Whoever reads a survivor and finds that no test could fail writes it down here, one at a time, with
what stands before and after it.  They are not counted.
"""

from __future__ import annotations

from typing import Final

from tests.mutation.mutants import Mutant

EQUIVALENT: Final[dict[tuple[str, str, str], str]] = {
    (
        "engine.session",
        "raise EngineError(f'seat {lost.seat} leaves where nothing is asked')",
        "pass",
    ): "`Session.lose` has asked the same, and a journal has no entry that it refused",
    (
        "engine.sets",
        "if count > 1 and len(set(slots)) != count:",
        "if count >= 1 and len(set(slots)) != count:",
    ): "one slot is never there twice",
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
}
"""By module, and parts of the lines before and after."""


def why_equal(one: Mutant) -> str:
    """Why nobody could notice this mistake; "" if somebody might."""
    for (module, before, after), reason in EQUIVALENT.items():
        if module == one.module and before in one.before and after in one.after:
            return reason
    return ""

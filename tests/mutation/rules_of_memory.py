"""Broken rules about the memory of a player: the cards that they have seen, and their places."""

from __future__ import annotations

from typing import Final

from tests.mutation.rule import BrokenRule, broken_rules

TESTS: Final = ("tests/engine/test_memory.py", "tests/protocol/test_remembered.py")

MEMORY: Final[tuple[BrokenRule, ...]] = (
    *broken_rules(
        "engine.memory",
        TESTS,
        (
            "copy-with-most-places",
            "Of several copies, the one with the fewest places is seen.",
            "Memory.see",
            "min",
            "max",
        ),
        (
            "copies-stay-apart",
            "After a copy is seen, each other copy may lie in its places.",
            "Memory.see",
            "slots |= shown.slots",
            "pass",
        ),
        (
            "two-cards-in-a-slot",
            "No other card lies in a slot that was seen.",
            "Memory.see",
            "slots - {slot}",
            "slots",
        ),
        (
            "copy-stays-loose",
            "A card that is seen is no longer looked for elsewhere.",
            "Memory.see",
            "self._loose.remove(shown)",
            "None",
        ),
        (
            "places-outside-forgotten",
            "A card that may lie outside of a mix may still lie there.",
            "Memory.mix",
            "one.slots | mixed",
            "mixed",
        ),
        (
            "half-mixed",
            "A card that may lie in a mixed slot may lie in each of them.",
            "Memory.mix",
            "mixed.isdisjoint(one.slots)",
            "not one.slots <= mixed",
        ),
        (
            "exact-after-a-mix",
            "Nobody knows the slot of a card that was mixed.",
            "Memory.mix",
            "self._exact.pop(slot)",
            "self._exact[slot]",
        ),
        (
            "somewhere-is-kept",
            "A card that may lie anywhere is not remembered.",
            "Memory._keep",
            "len(one.slots) < self._cards",
            "len(one.slots) <= self._cards",
        ),
        (
            "narrowed-too-far",
            "Slots exclude other cards only if as many cards fill them.",
            "_narrowed",
            "sum(one.slots <= full for one in narrowed) == len(full)",
            "sum(one.slots <= full for one in narrowed) >= len(full) - 1",
        ),
        (
            "copy-that-cannot-lie-there",
            "A copy that cannot lie in a slot is not seen there.",
            "Memory.see",
            "one.card is card and slot in one.slots",
            "one.card is card",
        ),
        (
            "loose-of-the-deck-before",
            "A fresh deck ends what was guessed of the one before.",
            "Memory.lay",
            "self._loose.clear()",
            "None",
        ),
        (
            "exact-of-the-deck-before",
            "A fresh deck ends what was known of the one before.",
            "Memory.lay",
            "self._exact.clear()",
            "None",
        ),
    ),
)

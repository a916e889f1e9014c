"""What a game calls itself, its zones and its notes is known to that game and to nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from engine import acts, question, sets
from engine.games import NAMES, load, load_text
from engine.wording import roles
from tests.repo.sources import parsed, shown, sources, texts, walked

GAMES = "engine/games/"
MEANS_SOMETHING_ELSE = {
    "name": (
        "the name of whoever has one, in files, messages and environments",
        "p2p cli replay/jsonl replay/env",
    ),
    "deck": (
        "the ciphers of a shuffle, and a deck by its name",
        "p2p/protocol replay cli/commands",
    ),
    "aside": ("claims that compete with nothing", "engine/golden replay/questions"),
    "turn": ("whose turn it is, in exports and themes", "replay/html cli/kit"),
    "over": ("whether a saved game is at its end", "replay/html"),
    "up": ("a key of the keyboard", "cli/kit/bindings cli/screen/keys cli/menu"),
    "down": ("a key of the keyboard", "cli/kit/bindings cli/screen/keys cli/menu"),
    "power": ("that of a statistical test", "cli/commands/fairness"),
    "suit": ("how a sentence asks for a suit", "engine/wording/words"),
    "lost": (
        "how a link is, and who has left a table",
        "p2p/net engine/golden engine/plain engine/table_state engine/wording cli/words replay",
    ),
    "flaps": ("the game that is measured", "cli/bench/beginnings cli/bench/catching_up"),
    "tie": ("how a race came out", "p2p/protocol/races"),
    "secrets": ("what a report counts", "replay/report"),
    "out": ("a bot that sits at no table", "cli/options/bot_levels"),
    "round": ("one of the rounds in which a seat is voted out", "p2p/protocol/absence"),
}
"""Common words that are also a zone or a note of some game: what they mean here, and where."""


def of_the_games() -> set[str]:
    """The names of games, of their zones, of their notes, and of what their keys claim."""
    return {*NAMES, *zones(), *notes()}


def zones() -> Iterator[str]:
    for name in NAMES:
        game = load(name)
        for seats in game.seats:
            yield from (zone.name for zone in game.table(seats, game.defaults()).zones)


def notes() -> Iterator[str]:
    for name in NAMES:
        text = load_text(name)
        yield from (*text.notes, *(text.marks or ()), *(text.keys or ()))
    for path in sources("engine/games"):
        for node in walked(parsed(path)):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "note":
                word = node.args[0]
                if isinstance(word, ast.Constant):
                    yield str(word.value)


def of_the_house() -> set[str]:
    """The kinds of questions, and what the table itself notes: a game may use these words."""
    kinds = (
        getattr(one, "kind", None)
        for module in (acts, question, sets)
        for one in vars(module).values()
    )
    return {kind for kind in kinds if isinstance(kind, str)} | set(roles._OF_THE_TABLE)


@cache
def known() -> list[tuple[str, str]]:
    """(place, word) of every constant outside of the games that is a word of a game."""
    words = of_the_games() - of_the_house()
    return [
        (shown(path, node), str(node.value))
        for path in sources()
        if not shown(path).startswith(GAMES)
        for node in texts(path)
        if node.value in words
    ]


def test_the_words_of_the_games_are_found() -> None:
    assert {
        "stock",
        "hand",
        "trick",
        "slap",
        "forehead",
        "minion-beaten",
        "flaps",
    } <= of_the_games()
    assert {"play", "deal", "hand-over", "forfeit"} <= of_the_house()


def test_nothing_but_the_games_knows_their_words() -> None:
    strange = []
    for place, word in known():
        rooms = MEANS_SOMETHING_ELSE.get(word, ("", ""))[1].split()
        if not any(place.startswith(room) for room in rooms):
            strange.append(f"{place} {word}")
    assert strange == []


@pytest.mark.parametrize("word", MEANS_SOMETHING_ELSE)
def test_every_exception_is_needed_in_each_room(word: str) -> None:
    places = [place for place, known_word in known() if known_word == word]
    for room in MEANS_SOMETHING_ELSE[word][1].split():
        assert any(place.startswith(room) for place in places), room

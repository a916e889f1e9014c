"""What every registered game has to pass, and to have."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import testing
from engine.bots import random_bot, sensible
from engine.cards import Card, Deck
from engine.dealer import TrustedDealer
from engine.game import Game, Value
from engine.games import NAMES, load, load_text
from engine.plain import state_of
from engine.question import PASS, Race
from engine.session import Session
from engine.table import Table
from tests.engine import tiny
from tests.engine.play import decided, step
from tests.shares import every_second

HERE = Path(__file__).parent
GAMES: dict[str, Game] = {name: load(name) for name in NAMES}
GOLDEN = sorted((HERE / "golden").glob("*.txt"))


def tables(game: Game) -> list[tuple[int, dict[str, Value]]]:
    """Every number of seats with defaults; every value of every option where it fits.

    A game for many numbers of seats shows its options at the fewest and at the most; one with a
    limit of turns is played short here, because random play would rarely end it.
    """
    found = []
    for seats in game.seats:
        found.append((seats, short(game)))
        if len(game.seats) <= 4 or seats in (game.seats[0], game.seats[-1]):
            found += [(seats, {**short(game), **one}) for one in values(game)]
    return [one for one in found if game.unfit(one[0], {**game.defaults(), **one[1]}) is None]


def values(game: Game) -> list[dict[str, Value]]:
    """Each value of each option: every level, the first three of many."""
    found: list[dict[str, Value]] = []
    for option in game.options:
        many = len(option.allowed) > 4 and option.name != "level"
        for value in option.allowed[:3] if many else option.allowed:
            if (option.name, value) not in (("turn-limit", 0), ("target", 0)):
                found.append({option.name: value})
    return found


def short(game: Game, turns: int = 30) -> dict[str, Value]:
    """Options with which a game between random players ends soon."""
    limits: dict[str, Value] = {"turn-limit": turns, "target": 25}
    return {one.name: limits[one.name] for one in game.options if one.name in limits}


ALL = [
    pytest.param(game, seats, options, id=f"{game.name}-{seats}-{options}")
    for game in [*GAMES.values(), tiny.GAME]
    for seats, options in tables(game)
]


@pytest.mark.parametrize(("game", "seats", "options"), every_second(ALL))
def test_random_play_forks_and_bounds(game: Game, seats: int, options: dict[str, Value]) -> None:
    testing.check_simulation(game, seats, options, seed=11)


@pytest.mark.parametrize(("game", "seats", "options"), every_second(ALL, 1))
def test_whoever_has_the_answers_has_the_digests(
    game: Game, seats: int, options: dict[str, Value]
) -> None:
    testing.check_sync(game, seats, options, seed=12)


@pytest.mark.parametrize(("game", "seats", "options"), every_second(ALL))
def test_only_what_is_offered_is_accepted(
    game: Game, seats: int, options: dict[str, Value]
) -> None:
    assert testing.check_legality(game, seats, options, seed=13) > 10


@pytest.mark.parametrize(("game", "seats", "options"), every_second(ALL)[::4])
def test_it_can_be_played_by_numbered_actions(
    game: Game, seats: int, options: dict[str, Value]
) -> None:
    assert testing.check_environment(game, seats, options, seed=14, most=100) > 0


@pytest.mark.parametrize("game", [*GAMES.values(), tiny.GAME], ids=lambda game: game.name)
def test_an_answer_tells_the_decisions_behind_it(game: Game) -> None:
    """Each seat's; of a race, those of the seats that claimed in time."""
    for seats, options in tables(game)[:12]:
        session, dealer = Session(game, seats, options), TrustedDealer(Random(14))
        while (asked := session.pending) is not None and len(session.journal) < 400:
            decisions = decided(session, dealer, Random(len(session.journal)))
            answer = dealer.answer(session.table, asked, decisions)
            told = asked.decided(answer)
            assert told.items() <= decisions.items()
            assert isinstance(asked, Race) or told == decisions
            session.answer(answer)


@pytest.mark.parametrize("game", [*GAMES.values(), tiny.GAME], ids=lambda game: game.name)
def test_every_decision_is_one_of_a_part_of_the_question(game: Game) -> None:
    """Of a claim in a race, say, which may be a card or a call."""
    for seats, options in tables(game)[:12]:
        session, dealer, rng = Session(game, seats, options), TrustedDealer(Random(5)), Random(5)
        while (asked := session.pending) is not None and len(session.journal) < 200:
            for seat in asked.deciders:
                view, parts = dealer.view(session.table, seat), asked.parts(seat)
                for decision in asked.decisions(view)[:20]:
                    found = asked.within(seat, decision)
                    assert found is not None or decision is PASS or parts == (asked,)
                    assert found is None or found[0] in parts
                    assert found is None or found[1] in found[0].decisions(view)
            step(session, dealer, rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*NAMES, "tiny"])
@settings(max_examples=10)
@given(data=st.data())
def test_games_of_drawn_choices_end_within_bounds(name: str, data: st.DataObject) -> None:
    game = GAMES.get(name, tiny.GAME)
    seats, options = data.draw(st.sampled_from(tables(game)))
    testing.play_drawn(game, seats, options, lambda n: data.draw(st.integers(0, n - 1)))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_golden_playthrough_still_goes_like_this(path: Path) -> None:
    assert testing.check_golden(path, load).over


def test_a_changed_line_of_a_golden_playthrough_is_told(tmp_path: Path) -> None:
    path = tmp_path / "tiny.txt"
    testing.write_golden(path, testing.play_out(tiny.GAME, 2, {"rounds": 2}, seed=1))
    assert testing.check_golden(path, lambda name: tiny.GAME).over
    lines = path.read_text(encoding="utf-8").splitlines()
    others = [line[:-1] + ("1" if line.endswith("0") else "0") for line in lines]
    others[0] = lines[0].replace('"rules": ', '"rules": 9')
    for number, other in enumerate(others):
        changed_lines = [*lines[:number], other, *lines[number + 1 :]]
        path.write_text("\n".join(changed_lines), encoding="utf-8")
        with pytest.raises(testing.GoldenError, match=f"tiny.txt line {number + 1}\n"):
            testing.check_golden(path, lambda name: tiny.GAME)
    path.write_text("\n".join(lines[:-3] + lines[-1:]), encoding="utf-8")
    with pytest.raises(testing.GoldenError, match="not over"):
        testing.check_golden(path, lambda name: tiny.GAME)


# -- what a game has to have ------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_registered_game_lacks_nothing(name: str) -> None:
    """Scenario tests without a gap, a golden playthrough, a page, a text, a bot."""
    game, package = GAMES[name], name.replace("-", "_")
    assert game.name == name
    scenarios = (HERE / package / "test_scenarios.py").read_text(encoding="utf-8")
    numbers = {int(found) for found in re.findall(r"def test_scenario_(\d\d)_", scenarios)}
    assert numbers == set(range(1, max(numbers) + 1))
    assert game.lose is None or (HERE / package / "test_lost_player.py").is_file()
    heads = [path.read_text(encoding="utf-8").splitlines()[0] for path in GOLDEN]
    golden = [head for head in heads if f'"game": "{name}"' in head]
    assert all(f'"rules": {game.rules_version},' in head for head in golden)
    assert {int(head.split('"seats": ')[1].split(",")[0]) for head in golden} == set(game.seats)
    source = HERE.parents[1] / "engine" / "games" / package
    assert (source / "README.md").read_text(encoding="utf-8").startswith(f"# {game.title}\n")
    assert ">>>" in "".join(path.read_text(encoding="utf-8") for path in source.glob("*.py"))
    text = load_text(name)
    assert text.title == game.title
    assert text.notes
    assert text.brief
    assert callable(sensible(name))


@pytest.mark.parametrize("name", NAMES)
def test_its_page_has_every_option_with_its_default(name: str) -> None:
    page = HERE.parents[1] / "engine" / "games" / name.replace("-", "_") / "README.md"
    table = page.read_text(encoding="utf-8").partition("\n## Options\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([a-zA-Z-]+) \| [^|]+ \| ([^|]+) \|", table, re.MULTILINE)
    said = {True: "on", False: "off"}
    defaults = {
        one.name: said[one.default] if isinstance(one.default, bool) else str(one.default)
        for one in GAMES[name].options
    }
    assert dict(rows[1:]) == defaults


@pytest.mark.parametrize("name", NAMES)
def test_names_of_faces_are_ascii_and_tell_them_apart(name: str) -> None:
    for seats in GAMES[name].seats:
        session, rng = Session(GAMES[name], seats, {}), Random(1)
        dealer = TrustedDealer(rng)
        while session.table.deck is None:
            step(session, dealer, rng)
        deck = session.table.deck
        names = [face.name for face in deck.faces]
        assert len(set(names)) == len(names)
        assert all(one.isascii() and one.isprintable() and " " not in one for one in names)
        assert [face.id for face in deck.faces] == list(range(len(deck.faces)))


# -- copies and digests cover every field -------------------------------------------------------


def positions(game: Game, seats: int, options: dict[str, Value], seed: int) -> list[Table]:
    rng = Random(seed)
    session, dealer = Session(game, seats, options), TrustedDealer(rng)
    found = []
    while session.pending is not None:
        found.append(session.table.copy())
        if seed % 4 == 3 and len(found) in (12, 24):
            session.lose(rng.choice(session.table.present()))
        else:
            step(session, dealer, rng)
    return [*found, session.table.copy()]


def changed(value: Any) -> Any:
    """A different value of the same kind, lists and dicts changed in place; None if none."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, Deck):
        return Deck("another", value.faces)
    if isinstance(value, Card):
        return Card(value.id + 1, value.name, value.suit, value.rank)
    if isinstance(value, Enum):
        return next(one for one in type(value) if one is not value)
    if isinstance(value, tuple) and value:
        return value[:-1]
    if isinstance(value, list) and value:
        value.pop()
        return value
    if isinstance(value, dict) and value:
        value.popitem()
        return value
    return None


@pytest.mark.parametrize("name", [*NAMES, "tiny"])
def test_every_field_is_copied_and_enters_the_digest(name: str) -> None:
    game = GAMES.get(name, tiny.GAME)
    names = state_of(type(game.table(game.seats[-1], {**game.defaults(), **short(game)})))
    never_changed = set(names)
    for seed in range(4, 12):  # some fields are empty through a whole game
        check_fields(game, sorted(names if seed == 4 else never_changed), never_changed, seed)
    assert not never_changed


def check_fields(game: Game, names: list[str], never_changed: set[str], seed: int) -> None:
    """Change each field in copies of every other position of one game."""
    if not names:
        return
    found = positions(game, game.seats[-1], short(game, turns=160), seed)
    for table in found[:: 2 if short(game) else 1]:
        digest, state = table.digest(), table.state()
        for field in names:
            copy = table.copy()
            other = changed(getattr(copy, field))
            if other is not None:
                never_changed.discard(field)
                setattr(copy, field, other)
                assert copy.digest() != digest, f"{field} is not in the digest"
                assert table.digest() == digest, f"the copy shares {field}"
        assert table.state() == state, "a copy shares a field that is not in the digest"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_sensible_bot_plays_with_every_number_of_seats_and_every_option(name: str) -> None:
    for seats, options in tables(GAMES[name]):
        if not options or seats == GAMES[name].seats[0]:
            assert testing.play_out(GAMES[name], seats, options, 3, sensible(name)).over


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_the_sensible_bot_plays_every_table(name: str) -> None:
    for seats, options in tables(GAMES[name]):
        assert testing.play_out(GAMES[name], seats, options, 3, sensible(name)).over


def test_the_random_bot_is_the_default() -> None:
    first = testing.play_out(tiny.GAME, 2, {}, seed=9)
    assert first.journal == testing.play_out(tiny.GAME, 2, {}, 9, random_bot).journal


def cited(source: str) -> tuple[set[str], set[str]]:
    """The decisions and the sections of its rules that the code of a game refers to."""
    words = re.sub(r"\s+", " ", source)
    sections = re.findall(
        r"(?<!protocol )sections? ((?:\d+(?:\.\d+)?(?:, | and | to )?)+)", words, re.IGNORECASE
    )
    return set(re.findall(r"\bD\d+\b", words)), set(re.findall(r"\d+(?:\.\d+)?", str(sections)))


@pytest.mark.parametrize("name", NAMES)
def test_its_page_has_what_the_code_cites(name: str) -> None:
    """Every decision (D...) and every section that a comment refers to can be read there."""
    source = HERE.parents[1] / "engine" / "games" / name.replace("-", "_")
    page = (source / "README.md").read_text(encoding="utf-8")
    there = set(re.findall(r"^(?:\*\*)?(\d+(?:\.\d+)?)(?:\. | )", page, re.MULTILINE))
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(source.glob("*.py")))
    decisions, sections = cited(code)
    assert decisions <= set(re.findall(r"\bD\d+\b", page))
    assert sections <= there
    assert sections


@pytest.mark.parametrize("name", NAMES)
def test_what_players_read_of_it_cites_nothing_that_they_do_not_see(name: str) -> None:
    page = HERE.parents[1] / "engine" / "games" / name.replace("-", "_") / "README.md"
    read, developers, _ = page.read_text(encoding="utf-8").partition("## For developers")
    assert developers
    assert re.findall(r"\bD\d+\b", read) == []


def test_what_is_cited_is_found_over_the_ends_of_lines() -> None:
    source = "(sections 3\n    and 8.1, D12)  (protocol section 5)  Section 4: (section 2, D3)"
    assert cited(source) == ({"D12", "D3"}, {"3", "8.1", "4", "2"})

"""`--carry-on`: what is asked for, and what people read of its price before they sign."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.failures import UserMistakeError
from cli.line.told import Teller
from cli.menu.asked import GIVE_UP, Offered, _terms, another, current, dialogue
from cli.menu.shelf import HomeShelf
from cli.options.give_up_option import GIVES_UP, SHORTEST
from cli.options.settings import Settings
from cli.options.terms import CARRY_ON, next_terms, said_of, what_becomes
from cli.words import lobby as lobby_text
from cli.words.next_game import about
from p2p.player.events import Gathering, Present, Seated
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.policy import WAIT, carry_on
from p2p.protocol.terms import Terms
from tests.cli.conftest import Run

PRICE = "any {} players together could read everybody's cards, and players who have left count"
ANA = Present("Ana", "fig-fig-fig-fig-fig-fig", ready=True)
LOBBY = Gathering(Terms.of("flaps", {"level": 3}, carry_on(3)), 4, (ANA,), 0)


@pytest.mark.parametrize(
    ("seats", "said", "least"),
    [("3", ("--carry-on",), 2), ("4", ("--carry-on",), 3), ("5", ("--carry-on", "3"), 3)],
)
def test_it_stands_in_the_header(
    run: Run, home: Path, seats: str, said: tuple[str, ...], least: int
) -> None:
    bots = str(int(seats) - 1)
    table = ("flip-over", "--seats", seats, "--bots", bots, "--option", "rounds=1", "--json")
    assert run("host", *table, *said).exit_code == 0
    (log,) = (home / "games").glob("*.ndlog")
    header = decode_header(split_log(log.read_bytes()).header)
    assert (header.proposal.terms.policy, header.proposal.terms.least) == (carry_on(least), least)
    assert [one.threshold for one in header.promised] == [least] * int(seats)
    assert not list((home / "games").glob("*.ndseat")), "its secrets are erased when it is closed"


def test_without_the_option_all_wait(finished_log: Path) -> None:
    assert decode_header(split_log(finished_log.read_bytes()).header).proposal.terms.policy == WAIT


# -- the menu, and the next game -----------------------------------------------------------------


def test_the_menu_asks_for_it_where_people_meet(home: Path) -> None:
    shelf = HomeShelf()
    form: Any = current(shelf, ["host", "flip-over"])
    (field,) = [one for one in form.fields({"seats": "5"}) if one.name == CARRY_ON.name]
    assert (field.default, field.values) == ("no", ("no", "3", "4"))
    chosen = form.default.replace(f"{CARRY_ON.name}=no", f"{CARRY_ON.name}=3")
    argv = current(shelf, ["host", "flip-over", chosen], dialogue)
    assert isinstance(argv, list)
    assert argv[argv.index("--carry-on") + 1] == "3"
    without = current(shelf, ["host", "flip-over", form.default], dialogue)
    assert "--carry-on" not in without
    alone: Any = current(shelf, ["play", "flip-over"])
    assert CARRY_ON.name not in [one.name for one in alone.fields({})]


def test_the_menu_asks_how_soon_where_somebody_can_be_lost(home: Path) -> None:
    shelf = HomeShelf()
    form: Any = current(shelf, ["host", "flip-over"])
    fields = {one.name: one for one in form.fields({"seats": "5", CARRY_ON.name: "3"})}
    assert (fields[GIVE_UP].default, fields[GIVE_UP].values[0]) == (str(GIVES_UP), str(SHORTEST))
    assert "It needs carry-on." in fields[GIVE_UP].text
    chosen = form.default.replace(f"{CARRY_ON.name}=no", f"{CARRY_ON.name}=3")
    argv = current(shelf, ["host", "flip-over", chosen])
    assert "--give-up" not in argv, "60 seconds need not be said"
    argv = current(shelf, ["host", "flip-over", f"{chosen} {GIVE_UP}=120"])
    assert isinstance(argv, list)
    assert argv[argv.index("--give-up") + 1] == "120"
    without = current(shelf, ["host", "flip-over", f"{form.default} {GIVE_UP}=120"])
    assert "--give-up" not in without, "there is nothing that it could be about"
    assert GIVE_UP not in [one.name for one in form.fields({})]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("clock=x", "--clock takes 5 to 3600 seconds, or 0 for no limit, not 'x'."),
        ("clock=-1", "--clock takes 5 to 3600 seconds, or 0 for no limit, not '-1'."),
        ("clock=" + "9" * 5000, "--clock takes 5 to 3600 seconds, or 0 for no limit, not"),
        ("carry-on=x", "--carry-on takes how many players have to be left, not 'x'."),
        ("carry-on=0", "--carry-on takes how many players have to be left, not '0'."),
    ],
)
def test_what_is_no_number_is_one_sentence(said: str, sentence: str) -> None:
    old = Terms.of("sneak", policy=carry_on(4))
    with pytest.raises(UserMistakeError, match=re.escape(sentence)):
        next_terms(["sneak", said], old, 5)


def test_there_is_nothing_to_choose_where_it_cannot_be(home: Path) -> None:
    form: Any = current(HomeShelf(), ["host", "flaps"])
    (field,) = [
        one for one in form.fields({"level": "3", "seats": "2"}) if one.name == CARRY_ON.name
    ]
    assert field.values == ("no",)
    stays = Offered("whist", "Whist", "", (3, 4))
    with_it = replace(stays, carries=True)
    assert [
        CARRY_ON.name in {one.name for one in _terms(game, 4, {})} for game in (stays, with_it)
    ] == [
        False,
        True,
    ]


def test_the_next_game_keeps_it_unless_its_host_changes_it(home: Path) -> None:
    shelf, old = HomeShelf(), Terms.of("sneak", policy=carry_on(4))
    flow = another(5, said_of(old))
    form: Any = current(shelf, ["flip-over"], flow)
    argv: Any = current(shelf, ["flip-over", form.default], flow)
    assert next_terms(argv, old, 5).policy == carry_on(4)
    changed = form.default.replace(f"{CARRY_ON.name}=4", f"{CARRY_ON.name}=3")
    argv = current(shelf, ["flip-over", changed], flow)
    assert next_terms(argv, old, 5).policy == carry_on(3)
    off = form.default.replace(f"{CARRY_ON.name}=4", f"{CARRY_ON.name}=no")
    argv = current(shelf, ["flip-over", off], flow)
    assert next_terms(argv, old, 5).policy == WAIT
    assert next_terms(["flip-over"], old, 5).policy == carry_on(4)


def test_a_proposed_game_says_its_price_for_those_who_stay() -> None:
    plan = Terms.of("sneak", policy=carry_on(4))
    assert PRICE.format(4) in " ".join(about(plan, 5))
    assert PRICE.format(3) in " ".join(about(plan, 4))
    assert "Lost players" not in " ".join(about(replace(plan, policy=WAIT), 4))


# -- words ----------------------------------------------------------------------------------------


def test_the_lobby_says_the_price_in_one_sentence() -> None:
    page = " ".join(" ".join(lobby_text.page(LOBBY)).split())
    assert "lost players: if somebody is lost, the others can go on while 3 of you" in page
    assert f"The price: {PRICE.format(3)} among them." in page
    waits = " ".join(lobby_text.page(replace(LOBBY, terms=Terms.of("flaps"))))
    assert "policy wait" in waits
    assert "price" not in waits


def test_the_table_says_it_and_so_does_who() -> None:
    told = Teller(Settings())
    names, words = ("Ana", "Bo", "Cleo"), ("a-b", "c-d", "e-f")
    seated = Seated(names, words, 0, Terms.of("flip-over", policy=carry_on(2)), 1_000)
    said = " ".join(" ".join(told.news(seated)).split())
    assert PRICE.format(2) in said
    assert PRICE.format(2) in " ".join(" ".join(told.who()).split())
    told.news(replace(seated, terms=Terms.of("flip-over")))
    assert "price" not in " ".join(told.who())


def test_words_for_both() -> None:
    assert "(policy wait)" in what_becomes(Terms.of("sneak"))
    assert "(policy carry-on)" in what_becomes(Terms.of("sneak", policy=carry_on(3)))

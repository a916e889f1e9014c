"""The table's news, in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.line.told import Teller
from cli.options.settings import Settings
from p2p.net.seat_links import SeatLink, Way
from p2p.player.events import (
    Back,
    Claimed,
    Differed,
    Event,
    Finished,
    HeldUp,
    LinkNews,
    Lost,
    Noted,
    Raced,
    Seated,
    Stopped,
    Waiting,
    WentBack,
)
from p2p.player.relay_words import resting
from p2p.player.waits import Awaited, Why
from p2p.protocol.races.book import RaceReport, RaceResult
from p2p.protocol.races.relays import Pair
from p2p.protocol.terms import Terms

SEATED = Seated(
    ("Ada", "Bo"), ("lime-sofa", "fig-owl"), 1, Terms.of("flip-over", {"rounds": 2}), 3_000
)


@pytest.fixture
def teller() -> Teller:
    teller = Teller(Settings())
    assert teller.news(SEATED) == [
        "",
        "Flip Over (rounds=2)",
        "At the table:",
        "  0  Ada  lime-sofa",
        "  1  Bo (you)  fig-owl",
        "",
    ]
    return teller


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (Noted(("leader", 0)), ["Ada leads to the first trick."]),
        (
            WentBack(),
            [
                "*** Your files of this table are older than what you have signed, or come from",
                "    another machine: all other players have to be here before you go on.",
            ],
        ),
        (
            HeldUp((Awaited("Ada", Why.NOT_READY), Awaited("Cy", Why.AWAY))),
            ["*** Nothing has moved for 10 seconds: Ada is not ready; Cy cannot be reached."],
        ),
        (Lost(0, "Ada"), ["*** Ada cannot be reached; the table waits."]),
        (Back(0, "Ada"), ["*** Ada is back."]),
        (
            LinkNews(
                (SeatLink(0, "Ada", Way.VIA, "Cy"), SeatLink(2, "Cy", Way.DIRECT, "", 7)),
                (SeatLink(0, "Ada", Way.DIRECT), SeatLink(2, "Cy", Way.VIA, "Ada")),
            ),
            ["*** Ada is now reached through Cy.", "*** Cy is linked directly again."],
        ),
        (LinkNews((SeatLink(0, "Ada", Way.LOST),), (SeatLink(0, "Ada", Way.DIRECT),)), []),
        (Waiting(("Ada",), 3), []),
        (Finished((1, 2), Path("x.ndlog")), []),
        (
            Stopped("bad-share", "a share is wrong", 0, Path("a game.evidence"), "Ada"),
            [
                "*** The table stopped (bad-share). Ada: a share is wrong",
                "*** The evidence, for anybody: nodealer audit 'a game.evidence'",
            ],
        ),
        (
            Stopped("state-mismatch", "another state", 0, None, "Ada", Path("x.state-7.txt")),
            [
                "*** The table stopped (state-mismatch). Ada: another state",
                "*** The state as we see it: x.state-7.txt",
                "*** Compare it with another player's: nodealer audit --states FILE FILE",
            ],
        ),
        (
            Differed("Ada", Path("x.state-7.txt")),
            [
                "*** The program of Ada sees another state of the table than yours.",
                "*** The state as we see it: x.state-7.txt",
                "*** Compare it with another player's: nodealer audit --states FILE FILE",
            ],
        ),
        (
            Stopped("malformed", "garbage", None, None),
            ["*** The table stopped (malformed). garbage"],
        ),
    ],
)
def test_news(teller: Teller, event: Event, lines: list[str]) -> None:
    assert teller.news(event) == lines


def test_how_bots_are_linked_is_no_news_to_whoever_plays_with_bots_only() -> None:
    """A busy machine held up the links of its own bots, and that was told in the story."""
    direct = (SeatLink(1, "Ada", Way.DIRECT), SeatLink(2, "Cy", Way.DIRECT))
    through = (SeatLink(1, "Ada", Way.VIA, "Cy"), direct[1])
    seated = replace(SEATED, names=("Bo", "Ada", "Cy"), fingerprints=("x", "y", "z"), seat=0)
    for bots, told in ({1, 2}, []), ({1}, ["*** Ada is now reached through Cy."]):
        person = Teller(Settings())
        person.news(replace(seated, bots=frozenset(bots)))
        assert person.news(LinkNews(through, direct)) == told
        assert person.links == through


@pytest.mark.parametrize("game", ["flaps", "you-fink"])
def test_a_game_with_races_says_what_faked_distance_gains(game: str) -> None:
    told = Teller(Settings()).news(replace(SEATED, terms=Terms.of(game), race_cap_us=3_250))
    assert told[-2] == "Races: cap 3.2 ms (a peer that fakes distance gains at most 6.5 ms)"


def test_a_host_reads_who_sits_down() -> None:
    news = Teller(Settings(), lobby=True).news(Waiting(("Ada", "Bo"), 3))
    assert news == ["Seated 2 of 3: Ada, Bo"]


def test_a_race_is_told_with_its_times() -> None:
    teller = Teller(Settings())
    teller.news(SEATED)
    times = ((0, None), (1, 312_400))
    told = {
        outcome: teller.news(Raced(RaceReport(7, "slap", times, 1, outcome)))[0]
        for outcome in RaceResult
    }
    assert told[RaceResult.FIRST] == "First: Bo (Bo 312 ms, Ada unseen)."
    assert told[RaceResult.TIE].startswith("Equally fast, so chance says Bo")
    assert "contradict" in told[RaceResult.DISPUTE]
    assert told[RaceResult.COIN] == "After too many disputes chance alone decides: Bo."


def test_a_race_that_records_were_held_in_names_the_two_and_who_is_between() -> None:
    teller = Teller(Settings())
    teller.news(replace(SEATED, names=("Ana", "Bo", "Cleo"), fingerprints=("x", "y", "z")))
    times = ((0, 300_000), (1, 340_000))
    report = RaceReport(7, "slap", times, 1, RaceResult.DISPUTE, Pair((1, 2), (0,)))
    assert " ".join(" ".join(teller.news(Raced(report))).split()) == (
        "What Bo and Cleo sent each other through Ana came late, so chance says Bo "
        "(Ana 300 ms, Bo 340 ms)."
    )


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (
            [Pair((1, 2), (0,))],
            ["Bo and Cleo reach each other only through Ana: races depend on that player."],
        ),
        (
            [Pair(two, (0,)) for two in ((1, 2), (1, 3), (2, 3))],
            ["Bo, Cleo and Dan reach each other only through Ana: races depend on that player."],
        ),
        (
            [Pair((1, 2), (0, 3)), Pair((0, 3), (1,))],
            [
                "Bo and Cleo reach each other only through Ana and Dan: races depend on them.",
                "Ana and Dan reach each other only through Bo: races depend on that player.",
            ],
        ),
        (
            [Pair((1, 2), (0,)), Pair((1, 3), (0,))],
            [
                "Bo and Cleo reach each other only through Ana: races depend on that player.",
                "Bo and Dan reach each other only through Ana: races depend on that player.",
            ],
        ),
        ([], []),
    ],
)  # fmt: skip
def test_on_whom_races_rest_is_said_at_the_table_and_by_who(
    pairs: list[Pair], said: list[str]
) -> None:
    names = ("Ana", "Bo", "Cleo", "Dan")
    assert resting(pairs, names) == said
    words = ("x",) * 4
    event = replace(SEATED, names=names, fingerprints=words, unlinked=tuple(pairs))
    for game, told in (("flaps", said), ("flip-over", [])):
        teller = Teller(Settings())
        news = " ".join(teller.news(replace(event, terms=Terms.of(game))))
        assert [one in news for one in said] == [bool(told)] * len(said)
        assert " ".join(teller.who()) == " ".join(told)


def test_an_own_claim_is_echoed_at_once() -> None:
    teller = Teller(Settings())
    teller.news(SEATED)
    assert teller.news(Claimed("slap", 312_400)) == [
        "You pressed 312 ms after the question; the other programs say who was first."
    ]

"""The exported page as a stranger opens it: a file, a browser, no network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from tests.page.browser import Page, chromium, needs_browser
from tests.page.pages import altered, exported, retold, seated_again
from tests.page.test_second import GAMES, read

pytestmark = needs_browser
ARROW_LEFT, ARROW_RIGHT, END, HOME = "\ue012", "\ue014", "\ue010", "\ue011"
FIRST_PAINT_MS = 1000


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SE_OFFLINE", "true")
        with chromium(tmp_path_factory.mktemp("profile")) as opened:
            yield opened


@pytest.fixture(scope="module")
def flaps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(read("good-flaps-level-7"), tmp_path_factory.mktemp("flaps") / "flaps.html")


def test_a_good_game_is_green(page: Page, flaps: Path) -> None:
    page.open(flaps)
    name, colour, reason = page.verdict()
    assert (name, colour) == ("complete", "good")
    assert page.text("verdict-word") == "Proven:"
    assert reason == (
        "every shuffle was fair, every card that was shown is the one that was dealt, "
        "and nothing was changed afterwards; all players signed this result."
    )
    assert page.text("title") == "Flaps"
    page.run("document.querySelector('details').open = true")
    said = page.text("checked")
    assert "Shuffles" in said
    assert "Not checked here" in said
    assert "rules of the game" in said
    assert page.complaints() == []


def test_nothing_is_fetched(page: Page, flaps: Path) -> None:
    page.open(flaps)
    page.verdict()
    fetched = page.run("return performance.getEntriesByType('resource').map(({name}) => name)")
    assert [name for name in fetched if not name.startswith("blob:")] == []
    # The policy forbids it even to a script that would want to.
    refused = "return fetch('https://example.org/').then(() => 'fetched', () => 'refused')"
    assert page.run(refused) == "refused"
    assert page.complaints()


def test_it_is_on_the_screen_before_it_is_checked(page: Page, flaps: Path) -> None:
    page.open(flaps)
    page.verdict()
    painted = page.run(
        "return performance.getEntriesByType('paint')"
        ".find(({name}) => name === 'first-contentful-paint').startTime"
    )
    assert 0 < painted <= FIRST_PAINT_MS


def test_steps_by_key_button_and_address(page: Page, flaps: Path) -> None:
    page.open(flaps, "#step=7")
    assert page.text("place").startswith("Step 7 of ")
    page.press(ARROW_RIGHT, ARROW_RIGHT, ARROW_LEFT)
    assert page.text("place").startswith("Step 8 of ")
    assert page.run("return location.hash") == "#step=8"
    page.press(HOME)
    assert page.text("place").startswith("Step 0 of ")
    page.press(ARROW_LEFT)
    assert page.text("place").startswith("Step 0 of ")
    page.press(END)
    last = page.text("place")
    page.press(ARROW_RIGHT)
    assert page.text("place") == last
    page.run("document.getElementById('back').click()")
    assert page.text("place") != last
    page.run("location.hash = '#step=3'")
    page.wait(lambda: page.text("place").startswith("Step 3 of "))
    page.run("document.querySelector('#steps a').click()")
    page.wait(lambda: not page.text("place").startswith("Step 3 of "))


def test_space_plays_and_pauses(page: Page, flaps: Path) -> None:
    page.open(flaps, "#step=0")
    page.press(" ")
    assert page.text("play") == "Pause"
    page.wait(lambda: page.text("place").startswith("Step 1 of "))
    page.press(" ")
    assert page.text("play") == "Play"


def test_a_swipe_is_a_step(page: Page, flaps: Path) -> None:
    page.open(flaps, "#step=5")
    swipe = """
      const area = document.getElementById("table");
      const touch = (x) => new Touch({identifier: 1, target: area, clientX: x, clientY: 50});
      const tell = (name, list, x) => area.dispatchEvent(
        new TouchEvent(name, {[list]: [touch(x)], bubbles: true}));
      tell("touchstart", "touches", FROM);
      tell("touchend", "changedTouches", TO);
    """
    page.run(swipe.replace("FROM", "200").replace("TO", "80"))
    assert page.text("place").startswith("Step 6 of ")
    page.run(swipe.replace("FROM", "80").replace("TO", "200"))
    assert page.text("place").startswith("Step 5 of ")
    page.run(swipe.replace("FROM", "80").replace("TO", "90"))
    assert page.text("place").startswith("Step 5 of ")


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_and_can_be_read(page: Page, flaps: Path, width: int, scheme: str) -> None:
    page.emulate(width, 800, scheme)
    page.open(flaps, "#step=20")
    page.verdict()
    assert page.run("return document.documentElement.scrollWidth") <= width
    contrasts = page.run(CONTRASTS)
    assert min(contrasts) >= 4.5, contrasts


CONTRASTS = """
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map((part) => {
      const value = part / 255;
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    const color = getComputedStyle(node).backgroundColor;
    return /, 0\\)$/.test(color) ? ground(node.parentElement) : color;
  };
  const told = [...document.querySelectorAll(
    "h1, h2, p, summary, th, td, li, button, a, .red, figcaption")];
  return told.filter((node) => node.innerText).map((node) => {
    const [one, other] = [light(getComputedStyle(node).color), light(ground(node))];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  });
"""
"""Contrast ratios of all text (WCAG 2.2, relative luminance)."""


@pytest.mark.parametrize("game", GAMES)
def test_no_word_is_broken_on_a_phone(page: Page, game: str, tmp_path: Path) -> None:
    """At 375 px every word stands on one line, and nothing is wider than the screen."""
    page.emulate(375, 800, "light")
    page.open(exported(read(GAMES[game]), tmp_path / "phone.html"))
    page.verdict()
    for place in ("0.3", "0.6", "1"):
        page.run(f"document.getElementById('slider').value = {place} * {LAST};" + SLID)
        assert page.run(BROKEN) == []
        assert page.run("return document.documentElement.scrollWidth") <= 375


LAST = "document.getElementById('slider').max"
SLID = "document.getElementById('slider').dispatchEvent(new Event('input'))"
BROKEN = """
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), broken = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.checkVisibility()) continue;
    for (const word of node.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(({top}) => Math.round(top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
"""
"""The words that stand on more than one line; a line may end at a hyphen."""


def test_the_table_is_drawn(page: Page, tmp_path: Path) -> None:
    """Cards, piles and discs are pictures that have names, and what is drawn is not told twice."""
    page.open(exported(read(GAMES["flip-over"]), tmp_path / "drawn.html"), "#step=12")
    drawn = page.run(PICTURES)
    discs, cards = drawn[:8], drawn[8:]
    assert all(label[0] in "+-" for label in discs)
    assert sum(label.endswith("current") for label in discs) == 1
    assert cards
    assert all(label[-1] in "\u2660\u2663\u2665\u2666" for label in cards)
    assert "taken" not in page.text("table").lower()
    page.press(HOME)
    assert page.complaints() == []


PICTURES = """
  return [...document.querySelectorAll(".felt svg")].map((svg) => svg.getAttribute("aria-label"));
"""


def test_a_card_that_nobody_knows_is_a_back(page: Page, flaps: Path) -> None:
    page.open(flaps, "#step=20")
    stock = page.run("return document.querySelector('.felt figure').innerText")
    assert stock.startswith("stock ")
    assert page.run(PICTURES)[0] == "a card face down"


def test_an_altered_log_is_red(page: Page, flaps: Path, tmp_path: Path) -> None:
    page.open(altered(flaps, tmp_path / "altered.html"))
    name, colour, reason = page.verdict()
    assert (name, colour) == ("bad-signature", "bad")
    assert re.search(r"a signature is not that of seat\d\b", reason), "by name, not by number"


def test_a_cheat_is_named(page: Page, tmp_path: Path) -> None:
    page.open(exported(read("bad-shuffle-order"), tmp_path / "cheat.html"))
    name, colour, reason = page.verdict()
    assert (name, colour) == ("bad-shuffle", "bad")
    assert reason.startswith("seat 1 (seat1), step 2: ")


def test_an_unfinished_game_is_neither(page: Page, tmp_path: Path) -> None:
    page.open(exported(read("unfinished"), tmp_path / "unfinished.html"))
    name, colour, reason = page.verdict()
    assert (name, colour) == ("unfinished", "open")
    assert page.text("verdict-word") == "Proven so far:"
    assert "the game is not over: " in reason


def test_a_game_closed_without_a_seat_is_proven_up_to_its_last_entry(
    page: Page, tmp_path: Path
) -> None:
    page.open(exported(read("closed-without"), tmp_path / "closed.html"))
    name, colour, reason = page.verdict()
    assert (name, colour) == ("closed-without", "open")
    assert page.text("verdict-word") == "Proven in part:"
    assert reason.startswith("all is right up to step ")
    assert reason.endswith("and the result, is the word of those who stayed")


def test_what_only_the_rules_refuse_is_told_as_a_claim_and_never_green(
    page: Page, tmp_path: Path
) -> None:
    page.open(exported(read("state-mismatch"), tmp_path / "claimed.html"))
    name, colour, reason = page.verdict()
    assert (name, colour) == ("none", "open")
    assert "The program that made this page says state-mismatch: seat 1" in reason


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("names", "Mallory", "this page names other players than its log"),
        ("bots", 0, "this page calls others bots than its log"),
    ],
)
def test_a_story_of_other_players_is_red(
    part: str, value: object, said: str, page: Page, flaps: Path, tmp_path: Path
) -> None:
    page.open(retold(flaps, tmp_path / "retold.html", part, value))
    _, colour, reason = page.verdict()
    assert colour == "bad"
    assert reason == said


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Path:
    log = read("good-lost-flip-over")
    return exported(log, tmp_path_factory.mktemp("lost") / "lost.html")


def test_a_game_that_lost_a_seat_is_green_names_it_and_shows_an_empty_chair(
    page: Page, lost: Path
) -> None:
    page.open(lost)
    name, colour, reason = page.verdict()
    assert (name, colour) == ("complete", "good")
    assert "; all players who were left signed this result." in reason
    assert reason.endswith(
        "The others went on without seat1 from step 9 on; what follows step 7, the last that "
        "seat1 signed, is their word."
    )
    page.run("document.querySelector('details').open = true")
    assert "Votes by which all others went on without a seat that was gone: 3" in (
        page.text("checked")
    )
    page.press(HOME)
    assert page.run(EMPTY) == []
    page.press(END)
    assert page.run(EMPTY) == ["seat1 (lost)"]
    assert page.complaints() == []


EMPTY = """
  const chairs = document.querySelectorAll("#table tr.empty td:first-child");
  return [...chairs].map((chair) => chair.innerText);
"""


def test_a_page_that_empties_no_chair_is_red(page: Page, lost: Path, tmp_path: Path) -> None:
    """A page shows the end of a game as if a player who was lost had been there.

    Answer: its verifier compares the empty chairs with the log.
    """
    page.open(seated_again(lost, tmp_path / "seated.html"))
    _, colour, reason = page.verdict()
    assert (colour, reason) == ("bad", "this page leaves other chairs empty than its log")


def test_bots_are_marked(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    CliRunner().invoke(main, ["demo", "--seats", "3", "--option", "rounds=1"])
    log = next((tmp_path / "games").glob("*.ndlog"))
    page.open(exported(log.read_bytes(), tmp_path / "bots.html"))
    assert page.verdict()[:2] == ("complete", "good")
    page.run("document.querySelector('details').open = true")
    players, _, _ = page.text("players").partition(" \u00b7 ")
    assert sorted(players.split(", ")) == ["Ada (bot)", "Bo (bot)", "Cleo (bot)"]
    assert "key of Bo (bot)" in page.text("checked")

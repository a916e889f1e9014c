"""`nodealer` alone: what is asked, what each key does, and what is run in the end."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input

from cli.kit.canvas import length, plain_text
from cli.main import COMMANDS
from cli.menu.app import MenuScreen
from cli.menu.asked import Choice, Field, Form, Offered, Pick
from cli.menu.model import Menu
from cli.menu.picture import picture
from cli.menu.shelf import HomeShelf
from cli.options.settings import Settings
from engine.games import NAMES, load
from p2p.installation import command_line
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from tests.cli.terminal import ASKED, LEAVES, Terminal, named
from tests.protocol.kit import identities
from tests.screen.test_app import Window

LEVEL = Field("level", "level", tuple("1234567"), "1", "Cards", tuple("abcdefg"))
RULES = (
    Field("discs", "discs", ("random", "alternating"), "random", "How they lie", rule=True),
    Field("limit", "limit", tuple(map(str, range(1001))), "50", "Turns", rule=True),
)


def refuse(chosen: Mapping[str, str]) -> str:
    return "Three cannot do that." if (chosen["seats"], chosen["limit"]) == ("3", "0") else ""


ONOFF = ("on", "off")
LIMITED = "play flip-over --seats 4 --option limit=121"


class Shelf(HomeShelf):
    """A shelf with two games, and what else a test puts there."""

    def __init__(self, saved: int = 0, left: int = 0, name: str = "Robin") -> None:
        super().__init__()
        self._some = saved, left
        self._name = name

    def games(self) -> Sequence[Offered]:
        return [
            Offered("flip-over", "Flip Over", "3 to 5 players", (3, 4, 5), RULES, refuse),
            Offered("flaps", "Flaps", "2 to 8 players", tuple(range(2, 9)), (LEVEL,)),
        ]

    def unfinished(self) -> Sequence[Choice]:
        return [Choice(f"/games/left {n}.ndlog", f"Sneak {n}") for n in range(self._some[1])]

    def saved(self) -> Sequence[Choice]:
        return [Choice(f"/games/{n}.ndlog", f"game {n}", "today") for n in range(self._some[0])]

    def counts(self) -> tuple[int, int]:
        return self._some[1], self._some[0]

    def own_name(self) -> str:
        return self._name

    def settings(self) -> Sequence[Field]:
        return [
            Field("theme", "theme", ("none", "dark"), "none"),
            Field("bell", "bell", ONOFF, "off"),
        ]


def menu(*keys: str, **shelf: int | str) -> Menu:
    opened = Menu(Shelf(**shelf))  # type: ignore[arg-type]
    opened.foresees = True
    for key in keys:
        opened.press(key)
    return opened


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (45, 15), (200, 60)])
def test_a_few_choices_are_plates_with_cards_where_colours_allow(size: tuple[int, int]) -> None:
    lines = picture(menu("p"), *size, solid=True)
    assert len(lines) == size[1]
    assert {length(line) for line in lines} == {size[0]}
    lit = [text for line in lines for style, text in line if "class:lit" in style.split()]
    assert [text.strip() for text in lit] == ["♣", "♣"], "the card of the marked choice"
    text = plain_text(lines)
    assert all(said in text for said in ("1 ▶ Flip Over", "2   Flaps", "2 to 8 players"))
    assert plain_text(picture(menu("p"), *size, solid=True, ascii=True)).isascii()
    outlines = plain_text(picture(menu("p"), *size))
    assert "> 1  Flip Over" in outlines


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        (["enter"] * 3, "play flip-over --seats 4"),
        (["p", "2", "enter"], "play flaps --level 1 --seats 4"),
        (["1", "2", "7", "down", "8", "enter"], "play flaps --level 7 --seats 8"),
        (["h", "1", "right", "tab", "right", "enter"], "host flip-over --seats 5 --bots 1"),
        (["h", "1", "tab", "3", "up", "3", "enter"], "host flip-over --seats 3 --bots 2"),
        (["r", "r", "enter", "enter"], "replay /games/0.ndlog"),
        (["6", "down", "down", "enter"], "replay /games/2.ndlog"),
        (["5", "up", "enter"], "resume '/games/left 1.ndlog'"),
        (["7", "2"], "rules flaps"),
        (["i", "enter"], "id"),
        (
            ["p", "1", "down", "down", "right", "enter"],
            "play flip-over --seats 4 --option discs=alternating",
        ),
        (["p", "1", *["down"] * 3, *"120", "right", "enter"], LIMITED),
        (["p", "1", "down", "right", "enter"], "play flip-over --seats 4 --bots hard"),
        (
            ["h", "1", "down", "right", "right", "down", "left", "enter"],
            "host flip-over --seats 4 --bots easy,easy",
        ),
        (["h", "1", "up", "up", "pageup", "enter"], "host flip-over --seats 4 --option limit=40"),
        (["s", "enter"], "settings"),
        (["9", "right", "down", "left", "enter"], "settings theme=dark bell=on"),
    ],
)
def test_keys_lead_to_a_command_and_it_is_told_before(keys: list[str], command: str) -> None:
    asked = menu(*keys[:-1], saved=12, left=2)
    assert not asked.done
    asked.press(keys[-1])
    assert asked.argv is not None
    assert command_line(*asked.argv) == f"nodealer {command}"
    assert asked.argv[0] in COMMANDS


def test_what_enter_would_run_stands_there_all_the_time() -> None:
    asked = menu()
    assert asked.command() == "nodealer play flip-over --seats 4"
    asked.press("down")
    asked.press("enter")
    asked.press("down")
    assert asked.command() == "nodealer host flaps --level 1 --seats 4"
    asked.press("enter")
    asked.press("right")
    assert asked.command() == "nodealer host flaps --level 2 --seats 4"
    assert menu("j").command() == "nodealer join INVITE"


@pytest.mark.parametrize("key", ["q", "c-c"])
def test_q_and_control_c_leave_and_run_nothing(key: str) -> None:
    asked = menu("p", key)
    assert asked.left
    assert asked.argv is None


def test_escape_goes_back_to_what_was_chosen() -> None:
    asked = menu("h", "2", "escape")
    assert (asked.asked.title, asked.cursor) == ("Which game is your table for?", 1)
    asked.press("backspace")
    assert (asked.asked.title, asked.cursor) == ("What would you like to do?", 1)
    asked.press("escape")
    assert not asked.done


@pytest.mark.parametrize("key", ["5", "6"])
def test_nothing_to_go_back_to_is_a_sentence(key: str) -> None:
    asked = menu(key, "enter", "1", "down")
    assert not asked.done
    assert isinstance(asked.asked, Pick)
    assert asked.asked.note.endswith((".", "first."))
    assert asked.command() == ""


def test_an_invite_is_pasted_and_checked_before_anything_runs() -> None:
    asked = menu("j", "1", "q")
    asked.press("enter")
    assert not asked.done
    assert "not an invite" in asked.notice
    asked.press("backspace")
    good = Invite((Address("127.0.0.1", 9),), identities(1)[0].public, bytes(16)).encode()
    asked.paste(f"{good[:30]}\r\n{good[30:]}\x1b")
    asked.press("enter")
    assert asked.argv == ["join", good]


def test_tables_appear_while_one_looks_and_a_moved_cursor_stays() -> None:
    shelf = Shelf()
    asked = Menu(shelf)
    asked.press("j")
    assert asked.looks_around
    shelf.heard = [Choice("ND1:ONE", "Flip Over at Ana's"), Choice("ND1:TWO", "Flaps at Bo's")]
    asked.refresh()
    assert asked.cursor == 0
    asked.press("down")
    shelf.heard = shelf.heard[1:]
    asked.refresh()
    assert asked.cursor == 0
    asked.press("enter")
    assert asked.argv == ["join", "ND1:TWO"]


def test_a_table_that_is_being_played_is_offered_to_be_watched_only() -> None:
    for key, offered in (("j", ["paste"]), ("w", ["ND1:ONE", "paste"])):
        shelf = Shelf()
        shelf.heard = [Choice("ND1:ONE", "Flip Over at Ana's, being played", begun=True)]
        asked = Menu(shelf)
        asked.press(key)
        asked.refresh()
        assert isinstance(asked.asked, Pick)
        assert [one.value for one in asked.asked.choices] == offered


def test_rules_that_do_not_go_together_are_refused_before_anything_runs() -> None:
    asked = menu("p", "1", "3", *["down"] * 3, "0", "enter")
    assert not asked.done
    assert asked.notice == "Three cannot do that."
    asked.press("1")
    asked.press("enter")
    assert asked.argv == ["play", "flip-over", "--seats", "3", "--option", "limit=1"]


def test_the_line_under_the_cursor_is_explained() -> None:
    asked = menu("p", "2", "3")
    assert "Cards; 3: c" in plain_text(picture(asked, 80, 24))
    asked = menu("p", "1", "up", "up")
    seen = plain_text(picture(asked, 80, 24))
    assert "[50]  0 to 1000" in seen
    assert "House rules" in seen
    assert "   Turns" in seen


@pytest.mark.parametrize("name", NAMES)
def test_every_game_offers_its_options_and_what_they_say_is_accepted(name: str) -> None:
    game = load(name)
    (offered,) = [one for one in HomeShelf().games() if one.name == name]
    assert [one.name for one in offered.options] == [one.name for one in game.options]
    assert all(one.text for one in offered.options)
    for option in game.options:
        assert len(option.meanings) in (0, len(option.allowed))
    chosen = {"seats": str(game.seats[-1])} | {one.name: one.default for one in offered.options}
    assert offered.refuse(chosen) == ""
    assert offered.refuse({**chosen, "seats": "99"}).endswith("players, not 99.")


def test_the_name_can_be_changed() -> None:
    assert menu("i", "enter", name="Ada").argv == ["id"]
    asked = menu("i", *"x" * 60, name="Ada")
    asked.press("enter")
    assert "printable" in asked.notice
    assert menu("i", "B", "o", "enter", name="Ada").argv == ["id", "--name", "Bo"]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (40, 10), (20, 5)])
@pytest.mark.parametrize("keys", [[], ["h", "2"], ["j", "1"], ["6", "pagedown"]])
def test_every_picture_has_the_size_of_the_window(keys: list[str], columns: int, rows: int) -> None:
    asked = menu(*keys, saved=60)
    for ascii_only in (False, True):
        lines = picture(asked, columns, rows, ascii=ascii_only)
        assert len(lines) == rows
        assert {length(line) for line in lines} == {columns}
    if rows >= 10 and keys != ["j", "1"]:
        assert ">" in plain_text(lines) or "[" in plain_text(lines)


def test_a_long_list_is_seen_around_the_cursor() -> None:
    asked = menu("6", *["pagedown"] * 5, saved=60)
    assert "game 50" in plain_text(picture(asked, 80, 24))
    assert "of 60" in plain_text(picture(asked, 80, 24))


def test_keys_through_a_pipe() -> None:
    with create_pipe_input() as pipe:
        asked = Menu(Shelf())
        screen = MenuScreen(asked, Shelf(), Settings(), 8, source=pipe, output=Window())
        pipe.send_text("p\x1b[B\r\x1b[C\r")
        asyncio.run(screen.run())
    assert asked.argv == ["play", "flaps", "--level", "2", "--seats", "4"]


def test_saved_games_are_told_by_their_names(home: Path) -> None:
    games = home / "games"
    games.mkdir(parents=True)
    for name in ("2026-11-21-flip-over-d49ee0973d78", "2026-11-20-flaps-0123456789ab-watched", "x"):
        (games / f"{name}.ndlog").write_bytes(b"")
    (games / "2026-11-21-flip-over-d49ee0973d78.ndseat").write_bytes(b"")
    shelf = HomeShelf()
    told = {choice.label: choice.note for choice in shelf.saved()}
    assert told.keys() == {"Flip Over", "Flaps", "x"}
    assert told["Flip Over"].endswith("not finished   table d49ee0")
    assert told["Flaps"].endswith("table 012345   watched")
    assert shelf.counts() == (1, 3)
    assert shelf.unfinished() == []  # an empty seat file is no table to go back to


PROBE = """
import sys
import cli.menu.app, cli.options.settings
from cli.menu.app import MenuScreen
from cli.main import main

async def there(self):
    self.lines(80, 24)
    late = {m for m in sys.modules if m.partition(".")[0] in ("p2p", "engine", "trio")}
    # What a terminal may be given, names, how files are read, colours, levels: small modules.
    small = {"p2p", "p2p.text", "p2p.text.names", "p2p.text.codepoints", "p2p.installation"}
    small |= {"p2p.disk", "p2p.disk.durable", "p2p.disk.outside"}
    small |= {"engine", "engine.cloths", "engine.levels"}
    late = sorted(late - small)
    print("before the first picture:", late)
    self._menu.press("q")

MenuScreen.run = there
sys.stdin.isatty = sys.stdout.isatty = lambda: True
main([])
"""


def test_the_first_picture_needs_neither_the_games_nor_the_peers(tmp_path: Path) -> None:
    named(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        capture_output=True,
        text=True,
        check=False,
        env={
            "TERM": "xterm",
            "PYTHONPATH": ".",
            "PYTHONIOENCODING": "utf-8",
            "NODEALER_HOME": str(tmp_path),
            "PATH": os.environ["PATH"],
        },
    )
    assert done.stdout.endswith("before the first picture: []\n"), done.stdout + done.stderr
    assert done.returncode == 0


# -- behind a terminal -------------------------------------------------------------------------


def test_the_menu_plays_what_it_says(tmp_path: Path) -> None:
    with Terminal([], tmp_path) as terminal:
        terminal.until("What would you like to do?")
        terminal.keys("r")
        terminal.until("> 5")
        terminal.keys("7")
        terminal.until("rules flip-over")
        terminal.keys("1")
        terminal.until("$ nodealer rules flip-over")
        terminal.until("Up and Down scroll; any other key goes back")
        terminal.keys("x")
        terminal.until("What would you like to do?")
        terminal.until("> 7  rules")
        terminal.keys("q")
        assert terminal.end() == 0
        assert "goes back to the menu" not in terminal.shown, "nothing was left to read"


def test_the_menu_is_home_also_after_a_game_that_was_left(tmp_path: Path) -> None:
    """Its exit code is that of what was done last; Ctrl-C ends it."""
    with Terminal([], tmp_path) as terminal:
        terminal.until("What would you like to do?")
        terminal.until("$ nodealer play flip-over", press="\r")
        terminal.until(*ASKED)
        terminal.keys("\x03")
        terminal.until(*LEAVES)
        terminal.keys("l")
        terminal.until("nodealer: You left the table.")
        terminal.until("Any key goes back to the menu")
        terminal.until("What would you like to do?", press="x")
        # Only what differs is drawn anew, so that "nodealer id" may come in parts.
        terminal.keys("i\r")
        terminal.until("fingerprint")
        terminal.until("Any key goes back to the menu")
        terminal.keys("\x03")
        assert terminal.end() == 0


@pytest.mark.parametrize("key", ["q", "\x03"])
@pytest.mark.parametrize("extra", [[], ["--plain"]])
def test_leaving_is_no_failure(tmp_path: Path, extra: list[str], key: str) -> None:
    with Terminal(extra, tmp_path) as terminal:
        terminal.until("What would you like to do?")
        terminal.until("q leave" if not extra else ">")
        terminal.type(key)
        assert terminal.end() == 0
    assert "Traceback" not in terminal.shown


def test_numbered_lines_lead_to_the_same(tmp_path: Path) -> None:
    with Terminal(["--plain", "--ascii"], tmp_path) as terminal:
        for question, answer in (
            ("  8)  identity", "rep"),
            ("No game is saved yet", None),
        ):
            terminal.until(question)
            if answer:
                terminal.until("> ")
                terminal.type(answer)
        assert terminal.end() == 0
    with Terminal(["--plain", "--ascii"], tmp_path) as terminal:
        for answer in ("10", "id", "Ada Lo"):
            terminal.until("> ")
            terminal.type(answer)
        terminal.until("$ nodealer id --name 'Ada Lo' --plain --ascii")
        terminal.until("fingerprint")
        assert terminal.end() == 0


def test_house_rules_in_lines(tmp_path: Path) -> None:
    """All are shown; one that is named is changed, and what cannot be is said."""
    with Terminal(["--plain"], tmp_path) as terminal:
        for answer in ("host", "flaps"):
            terminal.until("> ")
            terminal.type(answer)
        terminal.until("  2  and TRUMPS, OL' MAIDS")
        for question, answer in (
            ("Level (1 to 7) [1]> ", "8"),
            ("One of 1 to 7.", "2"),
            ("Players (2 to 8) [4]> ", ""),
            ("Of them bots (0 to 3) [0]> ", "1"),
            ("Bots play (easy, normal, hard) [normal]> ", "easy"),
            ("wins=1  How many wins end the session (1 to 20)", "win=2"),
            ("is called 'win' (did you mean 'wins'?).", "wins=99"),
            ("One of 1 to 20.", "wins=2"),
        ):
            terminal.until(question)
            terminal.type(answer)
        terminal.type("q")
        assert terminal.end() == 0


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (45, 15), (36, 12)])
@pytest.mark.parametrize("keys", [(), ("1",), ("6",), ("h", "2")])
def test_whatever_a_choice_says_can_be_read_in_any_window(
    columns: int, rows: int, keys: tuple[str, ...]
) -> None:
    """Whoever goes through the choices reads each of them, and what it says, to its last word."""
    asked = menu(*keys, saved=20)
    while isinstance(asked.asked, Pick):
        seen = plain_text(picture(asked, columns, rows))
        assert "\u2026" not in seen
        assert " ..." not in seen
        choice = asked.asked.choices[asked.cursor]
        said = "".join(seen.split())
        assert "".join(choice.label.split()) in said
        assert "".join(choice.note.split()) in said
        assert "".join(asked.asked.note.split()) in said
        if asked.cursor == len(asked.asked.choices) - 1:
            break
        asked.press("down")


class Evening(Shelf):
    """Saved games that are all called the same."""

    def saved(self) -> Sequence[Choice]:
        told = (f"{n} November 2026, table {n:06}, not finished" for n in range(1, 21))
        return [Choice(f"/games/{note}", "Flip Over", note) for note in told]


def test_names_that_are_alike_keep_what_tells_them_apart() -> None:
    """At each saved game that is seen stands when it was played, not at the marked one alone."""
    asked = Menu(Evening(saved=20))
    for key in ("6", *["down"] * 9):
        asked.press(key)
    said = " ".join(plain_text(picture(asked, 45, 15)).split())
    assert isinstance(asked.asked, Pick)
    seen = [choice.note in said for choice in asked.asked.choices]
    assert seen.count(True) >= 3
    assert seen[9], "the marked one"
    shown = [at + 1 for at, is_seen in enumerate(seen) if is_seen]
    assert f"{shown[0]} to {shown[-1]} of 20" in said


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (45, 15)])
@pytest.mark.parametrize("keys", [(), ("1",), ("1", "2"), ("1", "1"), ("9",)])
def test_in_a_small_window_it_says_how_to_leave_and_explains_the_line(
    columns: int, rows: int, keys: tuple[str, ...]
) -> None:
    asked = menu(*keys)
    seen = plain_text(picture(asked, columns, rows)).splitlines()
    assert len(seen) == rows
    assert seen[-1].startswith(" Enter ")
    assert "Esc back" in seen[-1]
    assert seen[-1].endswith("q leave")
    said = " ".join(line.strip() for line in seen)
    assert asked.command() in said
    if isinstance(asked.asked, Form):
        field = asked.fields()[asked.cursor]
        assert field.told(asked.chosen[field.name]) in said
        assert asked.asked.does in seen[-1]

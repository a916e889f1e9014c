"""Settings: what is kept, what is refused in a sentence, and the name, which is only a label."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.failures import UserMistakeError
from cli.home.person_identity import own_identity
from cli.home.preferences import (
    BELL,
    CARDS,
    NAME,
    PACE,
    SETTINGS,
    THEME,
    card_lines,
    remember,
    remembering,
    setting,
)
from cli.screen.keys import press
from cli.screen.model import Model
from p2p.identity import file
from p2p.identity.keys import Identity
from tests.cli.conftest import Run
from tests.cli.terminal import Terminal


def test_without_a_file_there_are_defaults(home: Path) -> None:
    assert {name: setting(one) for name, one in SETTINGS.items()} == {
        "name": "",
        "theme": "felt",
        "pace": "normal",
        "bell": "on",
        "cards": "auto",
    }
    assert card_lines() is None
    assert not home.exists()


def test_what_is_remembered_is_there_the_next_time_and_can_be_read(home: Path) -> None:
    for one, value in ((NAME, 'Ann "Q" \\'), (THEME, "felt"), (PACE, "slow"), (CARDS, "3")):
        remember(one, value)
    remember(THEME, "dark")
    assert [setting(one) for one in (NAME, THEME, PACE, BELL, CARDS)] == [
        *('Ann "Q" \\', "dark", "slow", "on", "3")
    ]
    assert card_lines() == 3
    text = (home / "settings.toml").read_text("utf-8")
    assert 'theme = "dark"  # felt, dark, light, none: colours of the screen\n' in text
    assert [path.name for path in home.iterdir()] == ["settings.toml"]


def test_a_person_may_write_it_too(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("bell = false\ncards = 5\n")
    assert (setting(BELL), card_lines()) == ("off", 5)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('theme = "blue"', "theme is one of felt, dark, light, none, not 'blue'."),
        ("pace = 3", "pace is one of slow, normal, fast, off, not '3'."),
        ('name = "a\\u001b[2J"', "A name is 1 to 24 printable characters"),
        ('colour = "red"', "no setting is called 'colour'"),
        ("theme = ", "are no TOML: "),
        ("\udce4", "are no TOML: "),
    ],
)
def test_a_file_that_makes_no_sense_is_one_sentence(
    run: Run, home: Path, text: str, why: str
) -> None:
    home.mkdir()
    (home / "settings.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    result = run("id")
    assert result.exit_code == 2
    assert why in result.stderr
    assert "settings.toml" in result.stderr
    assert result.stderr.count("\n") == 1
    with pytest.raises(UserMistakeError):
        remember(THEME, "dark")
    assert (home / "settings.toml").read_bytes() == text.encode("utf-8", "surrogateescape")


def test_a_table_goes_on_when_nothing_can_be_kept(home: Path) -> None:
    home.write_text("a file where the folder should be")
    model = Model("test", lambda: 0.0)
    model.remember = remembering(model.notify)
    press(model, "f4")
    assert model.theme == "dark"
    assert "cannot be" in model.notice


def test_keys_at_the_table_are_remembered(home: Path) -> None:
    model = Model("test", lambda: 0.0)
    model.remember = remembering(model.notify)
    for key in ("f4", "f4", "f7"):
        press(model, key)
    assert (setting(THEME), setting(CARDS)) == ("light", "1")


def test_a_name_is_a_label_and_the_key_stays(run: Run, home: Path) -> None:
    first = json.loads(run("id", "--name", "Ann", "--json").stdout)
    kept = (home / "identity.json").read_bytes()
    second = json.loads(run("id", "--name", "Bo", "--json").stdout)
    assert (first["name"], second["name"]) == ("Ann", "Bo")
    assert first["public"] == second["public"]
    assert json.loads(run("id", "--json").stdout) == second
    assert (home / "identity.json").read_bytes() == kept
    assert run("id", "--name", "x" * 60).exit_code == 2


def test_two_programs_that_start_at_one_moment_have_one_identity(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slower of two first starts was told to choose another folder."""
    write, first = file.disk.write_new, list[Identity]()

    def late(path: Path, content: bytes, mode: int) -> None:
        monkeypatch.undo()
        monkeypatch.setenv("NODEALER_HOME", str(home))
        first.append(own_identity("Zoe")[0])
        write(path, content, mode)

    monkeypatch.setattr(file.disk, "write_new", late)
    mine, _ = own_identity("Yan")
    assert [mine.public] == [one.public for one in first]
    assert (mine.name, first[0].name) == ("Yan", "Zoe")


def test_the_first_time_a_name_is_asked_for_and_then_never_again(home: Path) -> None:
    with Terminal(["id"], home, new=True) as terminal:
        terminal.until("What shall others call you?")
        terminal.until("]: ")
        terminal.type("x" * 30)
        terminal.until("A name is")
        terminal.type("Zoe Li")
        terminal.until("name         Zoe Li")
        assert terminal.end() == 0
    with Terminal(["id"], home) as terminal:
        assert terminal.end() == 0
    assert "What shall" not in terminal.shown
    assert "name         Zoe Li" in terminal.shown


def test_the_settings_are_shown_and_changed(run: Run, home: Path) -> None:
    told = run("settings", "theme=felt", "name=Ann").stdout
    assert "theme  felt     colours of the screen (felt, dark, light, none)\n" in told
    assert told.endswith(f"kept in {home / 'settings.toml'}\n")
    said = json.loads(run("settings", "pace=off", "--json").stdout)
    assert said == {
        "name": "Ann",
        "theme": "felt",
        "pace": "off",
        "bell": "on",
        "cards": "auto",
        "file": str(home / "settings.toml"),
    }


@pytest.mark.parametrize("change", ["theme", "theme=blue", "nothing=1", "name="])
def test_a_change_that_cannot_be_is_refused(run: Run, home: Path, change: str) -> None:
    result = run("settings", change)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert not (home / "settings.toml").exists()

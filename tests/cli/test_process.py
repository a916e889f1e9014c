"""The process around a command: streams, the home, the disk, and Ctrl-C."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.home import folders
from cli.home.preferences import PACE, THEME, remember, setting
from p2p.disk import durable as disk
from p2p.disk import lock
from p2p.disk.lock import NoLocksError, is_locked, lock_file
from tests.cli.conftest import Run
from tests.cli.terminal import named
from tests.patience import PATIENCE
from tests.repo.sources import ROOT

NODEALER = f"{sys.executable} -m cli.main"
LINUX = pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
MATTERS = "HOME", "NODEALER_HOME", "XDG_DATA_HOME"


def shell(line: str, home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash, in which $N is nodealer."""
    env = {name: value for name, value in os.environ.items() if name not in MATTERS}
    env |= {"N": NODEALER, "PYTHONPATH": str(ROOT), "NODEALER_HOME": str(home), **more}
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=home,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert "Exception ignored" not in done.stderr, done.stderr
    return done


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize("command", ["rules flop-a", "settings --json", "--help", "completion zsh"])
@pytest.mark.parametrize("to", [">/dev/full", ">&-"])
def test_unwritable_stdout_is_one_sentence(command: str, to: str, tmp_path: Path) -> None:
    done = shell(f"$N {command} {to}", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("nodealer: Standard output cannot be written: ")
    assert done.stderr.count("\n") == 1


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize("to", ["2>/dev/full", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_unwritable_stderr_leaves_the_exit_code(to: str, tmp_path: Path) -> None:
    assert shell(f"$N rules no-such-game {to}", tmp_path).returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == []


@pytest.mark.slow
def test_reader_that_leaves_does_not_end_the_command(tmp_path: Path) -> None:
    done = shell("$N export none.ndlog --text | true; echo ${PIPESTATUS[0]}", tmp_path)
    assert done.stdout == "2\n"
    done = shell("$N rules flop-a | true; echo ${PIPESTATUS[0]}", tmp_path)
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.slow
def test_closed_streams_are_not_files_of_the_game(tmp_path: Path) -> None:
    """A file that was opened as number 1 would get what is printed."""
    named(tmp_path)
    shell("$N demo flop-a --seats 2 --option hands=1 >&- 2>&-", tmp_path)
    (log,) = (tmp_path / "games").glob("*.ndlog")
    assert shell(f"$N audit {log}", tmp_path).returncode == 0


IMPORTED = """
import os, signal, sys
class Stops:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Stops())
from cli.main import main
main(["rules", "flop-a"])
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a process cannot send itself Ctrl-C")
@pytest.mark.parametrize(
    "module", ["click", "gettext", "cli.failures", "cli.commands.rules", "engine.games"]
)
def test_ctrl_c_during_an_import_only_stops(module: str, tmp_path: Path) -> None:
    done = shell(f"{sys.executable} -c '{IMPORTED}' {module}", tmp_path)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.strip() == "nodealer: stopped."


def test_importing_the_program_leaves_ctrl_c_alone() -> None:
    """A program that was started in the background may ignore it, and goes on ignoring it."""
    asks = "import signal, cli.main; print(signal.getsignal(signal.SIGINT).__class__.__name__)"
    default = "import signal; print(signal.getsignal(signal.SIGINT).__class__.__name__)"
    answers = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
        for code in (asks, default)
    ]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("value", ["~no-such-user-here", "~no-such-user-here/games"])
def test_home_of_unknown_user_is_one_sentence(
    value: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NODEALER_HOME", value)
    for command in (["id"], ["settings"], ["stats"], ["demo", "flop-a"], ["resume"], ["audit"]):
        result = run(*command)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert result.stderr.startswith("nodealer: There is no user of NODEALER_HOME=")


def test_user_without_home_reads_of_nodealer_home(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As for a number of a user that has no name: `~` stays as it is."""
    for name in MATTERS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.chdir(tmp_path)
    result = run("id")
    assert result.exit_code == 2
    assert result.stderr == (
        "nodealer: This user has no home folder; set NODEALER_HOME to the folder for your games.\n"
    )
    assert not list(tmp_path.iterdir())


def test_empty_home_is_not_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NODEALER_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", "")
    assert len(folders.home().parts) > 4


def test_removed_working_folder_does_not_matter(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    for command in ("rules flop-a", "settings"):
        gone.mkdir()
        assert shell(f"cd {gone}; rmdir {gone}; $N {command}", tmp_path).returncode == 0


def without_locks(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(lock, "_lock", refused)


@pytest.mark.parametrize("number", [37, 38, 95])  # ENOLCK, ENOSYS, EOPNOTSUPP on Linux
def test_home_without_locks_plays_no_seat(
    number: int, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_locks(monkeypatch, number)
    named(home)
    for command in (["demo", "flop-a"], ["play", "flop-a"], ["host", "flop-a", "--json"]):
        result = run(*command)
        assert result.exit_code == 2
        assert "cannot lock files (" in result.stderr
        assert "so two programs could play one seat; set NODEALER_HOME" in result.stderr
    assert not list((home / "games").iterdir())
    remember(THEME, "dark")
    assert setting(THEME) == "dark"


def test_lock_of_another_is_no_lack_of_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "held"
    with path.open("wb") as mine, path.open("rb") as other:
        lock_file(mine)
        with pytest.raises(BlockingIOError):
            lock_file(other)
        assert is_locked(path, 10)
        without_locks(monkeypatch, 37)
        with pytest.raises(NoLocksError):
            lock_file(other)
        assert not is_locked(path, 10)


def test_settings_changed_by_many_at_once_are_all_kept(home: Path) -> None:
    home.mkdir()
    changes = ["theme=dark", "pace=slow", "bell=off", "cards=3"]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "cli.main", "settings", change],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
        )
        for change in changes
    ]
    assert [process.wait(PATIENCE) for process in started] == [0] * 4
    assert len((home / "settings.toml").read_text("utf-8").splitlines()) == 4


def test_settings_of_one_person_keep_form(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    mine = tmp_path / "dotfiles.toml"
    mine.write_bytes("\ufeff# mine\r\n  theme = 'felt' # warm\r\nbell = true\r\n".encode())
    mine.chmod(0o640)
    (home / "settings.toml").symlink_to(mine)
    remember(THEME, "dark")
    remember(PACE, "slow")
    assert (home / "settings.toml").is_symlink()
    assert mine.stat().st_mode & 0o777 == 0o640
    kept = mine.read_bytes().decode("utf-8").split("\r\n")
    assert kept[:3] == ["\ufeff# mine", '  theme = "dark" # warm', "bell = true"]
    assert kept[3].startswith('pace = "slow"  # ')
    assert kept[4:] == [""]


@pytest.mark.parametrize("text", ['theme = """felt"""\n', '[x]\n"theme" = 3\n', '"theme" = "felt"'])
def test_settings_that_cannot_be_changed_stay(run: Run, home: Path, text: str) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(text, "utf-8")
    result = run("settings", "theme=dark")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert (home / "settings.toml").read_text("utf-8") == text


def full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_failed_write_keeps_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.html"
    path.write_text("older")
    monkeypatch.setattr(disk, "sync", full)
    with pytest.raises(OSError, match="No space left"):
        disk.write_file(path, b"newer")
    with pytest.raises(OSError, match="No space left"):
        disk.write_new(tmp_path / "new", b"newer", 0o600)
    monkeypatch.undo()

    def broken() -> object:
        yield b"half"
        raise ValueError("bug")

    with pytest.raises(ValueError, match="bug"):
        disk.write_parts(path, broken())  # type: ignore[arg-type]
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("page.html", "older")]


def test_written_link_and_permissions_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    disk.write_file(link, b"first")
    target.chmod(0o604)
    disk.write_file(link, b"second")
    assert link.is_symlink()
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"second", 0o604)
    disk.write_file(Path(os.devnull), b"nothing")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("command", ["new-game", "report", "export", "csv"])
def test_full_disk_leaves_no_half_and_the_older(
    command: str, run: Run, finished_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("x.html", "x.csv"):
        Path(name).write_text("older")
    log = str(finished_log)
    arguments = {
        "new-game": ["new-game", "spare-heart"],
        "report": ["report", log, "--yes", "-o", "r.txt"],
        "export": ["export", log, "--html", "-o", "x.html"],
        "csv": ["simulate", "flip-over", "--games", "2", "--csv", "x.csv"],
    }[command]
    with monkeypatch.context() as patch:
        patch.setattr(disk, "write_all", full)
        patch.setattr(Path, "write_text", full)
        result = run(*arguments)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "cannot be written: No space left on device; " in result.stderr
    left = {path.name for path in tmp_path.iterdir() if path.name != "home"}
    assert left == {"x.html", "x.csv"}
    assert {Path(name).read_text() for name in left} == {"older"}
    assert run(*arguments).exit_code == 0


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("game.ndlog", "this command reads it"),
        ("link", "this command reads it"),
        ("other.ndlog", "it is a file of nodealer that cannot be made again"),
        ("folder", "it is a folder"),
        ("none/x.txt", "there is no folder none"),
        ("", "an empty name is no name of a file"),
    ],
)
def test_output_that_would_destroy_is_refused(
    output: str,
    why: str,
    run: Run,
    finished_log: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("game.ndlog", "other.ndlog"):
        shutil.copy(finished_log, name)
    Path("folder").mkdir()
    Path("link").symlink_to("game.ndlog")
    result = run("export", "game.ndlog", "--text", "-o", output)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"nodealer: {output} cannot be written: {why}; choose another file.\n"
    for name in ("game.ndlog", "other.ndlog"):
        assert Path(name).read_bytes() == finished_log.read_bytes()


def test_log_file_never_goes_into_a_saved_game(
    run: Run, finished_log: Path, tmp_path: Path
) -> None:
    game = shutil.copy(finished_log, tmp_path / "game.ndlog")
    result = run("audit", str(game), "--log-file", str(game))
    assert result.exit_code == 2
    assert Path(game).read_bytes() == finished_log.read_bytes()


def test_export_to_a_dash_is_the_same_as_to_nothing(run: Run, finished_log: Path) -> None:
    log = str(finished_log)
    dash = run("export", log, "--text", "-o", "-")
    assert (dash.exit_code, dash.stderr) == (0, "")
    assert dash.stdout == run("export", log, "--text").stdout
    assert not Path("-").exists()

"""Where this user's identity and saved games are.

`NODEALER_HOME` names another data folder; the default is the one that the system gives programs.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from cli.failures import UserMistakeError, why_no_file

Logs = Mapping[Path, tuple[int, int]]
"""Logs, with the state of each: when it was written (ns), how many bytes it has."""


def home() -> Path:
    """The data folder; not created by this call.  UserMistakeError if there is none."""
    chosen = os.environ.get("NODEALER_HOME")
    if chosen:
        return _expanded(chosen)
    if not os.environ.get("HOME"):
        os.environ.pop("HOME", None)  # an empty one would be the root of the disk
    from platformdirs import user_data_path  # noqa: PLC0415 (not every command needs it)

    try:
        folder = user_data_path("nodealer", appauthor=False)
    except RuntimeError:  # newer versions say so; older ones leave the ~ in the path
        folder = Path("~")
    if not folder.is_absolute():
        raise UserMistakeError(
            "This user has no home folder; set NODEALER_HOME to the folder for your games."
        )
    return folder


def _expanded(chosen: str) -> Path:
    try:
        return Path(chosen).expanduser()
    except RuntimeError as error:
        raise UserMistakeError(
            f"There is no user of NODEALER_HOME={chosen}; set it to the path of a folder."
        ) from error


def games_folder(*, for_a_game: bool = True) -> Path:
    """The folder of saved games, made when missing.

    UserMistakeError, before a game is begun, if it cannot be written or has no room for another
    game.
    """
    folder = home() / "games"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, ValueError) as error:
        raise _unusable(folder, f"cannot be made ({why_no_file(error)})") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unusable(folder, "cannot be written")
    try:
        if for_a_game:
            from p2p.disk.durable import require_room  # noqa: PLC0415 (the menu needs no peers)

            require_room(folder)
    except OSError as error:
        raise UserMistakeError(
            f"The folder {folder} for saved games is full: {error.strerror}; "
            "make room, or set NODEALER_HOME to another one."
        ) from error
    return folder


def seat_folder() -> Path:
    """The folder of saved games, for a seat of this user.

    UserMistakeError also if nothing there keeps a second program from the same seat.
    """
    from p2p.disk.lock import require_locks  # noqa: PLC0415 (the menu needs no peers)

    folder = games_folder()
    try:
        require_locks(folder)
    except OSError as error:
        why = f"cannot lock files ({error.strerror}), so two programs could play one seat"
        raise _unusable(folder, why) from error
    return folder


def _unusable(folder: Path, why: str) -> UserMistakeError:
    return UserMistakeError(
        f"The folder {folder} for saved games {why}; set NODEALER_HOME to another one."
    )


def ledger_folder() -> Path:
    """Where the notes of what this user's identity has signed are: beside its key."""
    return home() / "ledger"


def regular_files(folder: Path, pattern: str) -> dict[Path, os.stat_result]:
    """The regular files in `folder` whose names match `pattern`, with the state of each.

    Broken links, pipes and folders are left out.
    """
    found = {path: _stand(path) for path in folder.glob(pattern)}
    return {path: state for path, state in found.items() if state is not None}


def _stand(path: Path) -> os.stat_result | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state if stat.S_ISREG(state.st_mode) else None


def logs_in(folder: Path) -> Logs:
    """The logs in `folder`, with the state of each."""
    states = regular_files(folder, "*.ndlog")
    return {path: (state.st_mtime_ns, state.st_size) for path, state in states.items()}


def newest_log(folder: Path, before: Logs | None = None) -> Path | None:
    """The newest log in `folder`; logs whose state is the same as `before` do not count.

    No clock decides which those are: somebody may set it during a game.
    """
    known = before or {}
    fresh = [(state, path) for path, state in logs_in(folder).items() if known.get(path) != state]
    return max(fresh)[1] if fresh else None


def unfinished(folder: Path) -> list[Path]:
    """The seat files in `folder`, newest first: tables that were begun here and not closed."""
    states = regular_files(folder, "*.ndseat")
    return sorted(states, key=lambda path: states[path].st_mtime, reverse=True)


def when(seconds: float) -> datetime:
    """The local time of a file, which its maker may have set to anything."""
    try:
        return datetime.fromtimestamp(seconds).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def no_log(folder: Path) -> UserMistakeError:
    """What is said of a folder in which no game is saved."""
    from p2p.installation import program  # noqa: PLC0415 (what Tab offers needs no peers)

    return UserMistakeError(
        f"There is no log (.ndlog) in the folder {folder}; name another one, or play: "
        f"{program()} demo saves a game."
    )


def named_or_own(path: str | None) -> Path:
    """The file or folder that was named; without one, the folder of one's own saved games.

    UserMistakeError if that has no game yet.
    """
    if path is not None:
        return Path(path)
    own = home() / "games"
    if not own.exists():
        raise no_log(own)
    return own


def chosen_log(path: Path) -> Path:
    """The log that a path names: in a folder, the newest one; UserMistakeError if it has none."""
    if not os.path.isdir(path):  # the method raises for too long a name
        return path
    found = newest_log(path)
    if found is None:
        raise no_log(path)
    return found

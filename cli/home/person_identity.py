"""This user's identity, made the first time it is needed, and where its games are kept."""

from __future__ import annotations

import getpass
from pathlib import Path

from cli.failures import UserMistakeError
from cli.home.folders import games_folder, home, ledger_folder
from p2p.files.storage import Store
from p2p.identity.file import check_name, create_identity, load_identity
from p2p.identity.keys import Identity
from p2p.text.names import NAME_MAX, folded, is_name


def own_identity(name: str | None = None) -> tuple[Identity, Path]:
    """The identity in the data folder, and its file.

    UserMistakeError if there is already an identity with another name (an identity file is never
    overwritten); IdentityFileError if the file cannot be read or made.
    """
    path = home() / "identity.json"
    if name is not None:
        check_name(name)
    if not path.exists():
        return create_identity(path, name or login_name()), path
    identity = load_identity(path)
    if name is not None and folded(name) != folded(identity.name):
        raise UserMistakeError(
            f"You are {identity.name!r} already, with its own key in {path}; "
            "move that file away to become somebody else."
        )
    return identity, path


def own_key() -> bytes | None:
    """The key of the identity in the data folder, None if there is none yet."""
    path = home() / "identity.json"
    return load_identity(path).public if path.exists() else None


def own_store() -> Store:
    """Where this user's seats keep their games; UserMistakeError if nothing can be kept there."""
    return Store(games_folder(), ledger_folder())


def login_name() -> str:
    """A name to begin with: this user's login name."""
    try:
        login = getpass.getuser().strip()
    except (OSError, KeyError):  # no such user, as in a bare container
        login = ""
    name = login[:NAME_MAX].strip().capitalize()
    return name if is_name(name) else "Player"

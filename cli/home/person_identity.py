"""This user's identity, made the first time it is needed, its name, and where its games are."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import TYPE_CHECKING

from cli.home.folders import home, ledger_folder, seat_folder
from cli.home.preferences import NAME, remember, setting
from p2p.text.names import NAME_MAX, is_name

if TYPE_CHECKING:
    from p2p.files.storage import Store
    from p2p.identity.keys import Identity


def own_identity(name: str | None = None) -> tuple[Identity, Path]:
    """The identity in the data folder under this user's name, and its file.

    A `name` is remembered.  It is a label, which may change; the key stays, the file that holds it
    is never overwritten, and what was played before keeps the old name.  IdentityFileError if the
    file cannot be read or made, or for a name that nobody can have.
    """
    # Not at the top: whether there is a name is asked before the first picture.
    from p2p.identity.file import check_name, load_or_create  # noqa: PLC0415

    path = home() / "identity.json"
    if name is not None:
        check_name(name)
    chosen = name or setting(NAME)
    identity = load_or_create(path, chosen or login_name())
    if name is not None and name != identity.name:
        remember(NAME, name)
    return identity.renamed(chosen or identity.name), path


def own_name() -> str:
    """The name that others would see now; this user's login name as long as there is no other."""
    if has_name():
        return own_identity()[0].name
    return login_name()


def has_name() -> bool:
    """Whether a name was chosen, or made up when nobody could be asked."""
    return (home() / "identity.json").exists() or bool(setting(NAME))


def own_key() -> bytes | None:
    """The key of the identity in the data folder, None if there is none yet."""
    from p2p.identity.file import load_identity  # noqa: PLC0415 (after the first picture)

    path = home() / "identity.json"
    return load_identity(path).public if path.exists() else None


def own_store() -> Store:
    """Where this user's seats keep their games; UserMistakeError if nothing can be kept there."""
    from p2p.files.storage import Store  # noqa: PLC0415 (after the first picture)

    return Store(seat_folder(), ledger_folder())


def login_name() -> str:
    """A name to begin with: this user's login name."""
    try:
        login = getpass.getuser().strip()
    except (OSError, KeyError):  # no such user, as in a bare container
        login = ""
    name = login[:NAME_MAX].strip().capitalize()
    return name if is_name(name) else "Player"

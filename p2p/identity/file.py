"""The file that keeps one's identity: readable by its owner only, never overwritten."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from p2p.checks import Entropy
from p2p.disk import durable as disk
from p2p.disk.outside import IDENTITY_MAX, read_outside
from p2p.identity import core_dumps
from p2p.identity.keys import KEY_BYTES, Identity
from p2p.installation import program
from p2p.text.names import NAMES, is_name

FORMAT: Final = "nodealer identity 1"
_OTHERS_MAY: Final = stat.S_IRWXG | stat.S_IRWXO


class IdentityFileError(Exception):
    """The identity file cannot be read or made; the message is one sentence for its owner."""


def default_path() -> Path:
    """Where this user's identity is unless told otherwise."""
    return user_data_path("nodealer", appauthor=False) / "identity.json"


_MEND: Final = "Restore it from a copy, or move it away: a new identity is made then."


def load_identity(path: Path) -> Identity:
    """The identity kept in `path`.

    IdentityFileError if it is missing, damaged, or open to other users of the machine.
    """
    core_dumps.forbid()
    try:
        _refuse_shared(path)
        fields = json.loads(read_outside(path, IDENTITY_MAX).decode("utf-8"))
    except FileNotFoundError as error:
        raise IdentityFileError(
            f"There is no identity file {path}; {program()} id makes one."
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or error
        raise IdentityFileError(
            f"The identity file {path} cannot be read: {why}. {_MEND}"
        ) from error
    return _identity(fields, path)


def create_identity(path: Path, name: str, entropy: Entropy = os.urandom) -> Identity:
    """Write a fresh identity to `path` at once, with mode 0600; never overwrite a file."""
    check_name(name)
    core_dumps.forbid()
    identity = Identity.generate(entropy, name)
    secret = identity.expose_secret().hex()
    content = json.dumps({"format": FORMAT, "name": name, "secret": secret}) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise IdentityFileError(
            f"The folder {path.parent} cannot be made: {error.strerror}. "
            "Set NODEALER_HOME to another one."
        ) from error
    try:
        disk.write_new(path, content.encode(), 0o600)
    except FileExistsError as error:
        raise IdentityFileError(
            f"There is already an identity in {path}: choose another folder (NODEALER_HOME)."
        ) from error
    except OSError as error:
        raise IdentityFileError(
            f"The identity file {path} cannot be made: {error.strerror}. "
            "NODEALER_HOME names another folder."
        ) from error
    return identity


def load_or_create(path: Path, name: str, entropy: Entropy = os.urandom) -> Identity:
    """The identity in `path`, made on the first call; `name` counts only then."""
    if not path.exists():
        try:
            return create_identity(path, name, entropy)
        except IdentityFileError:
            if not path.exists():  # otherwise another process was faster: take its identity
                raise
    return load_identity(path)


def check_name(name: str) -> None:
    """IdentityFileError unless `name` can be shown in one line of a terminal."""
    if not is_name(name):
        raise IdentityFileError(f"{NAMES.capitalize()}: choose another one.")


def _damaged(path: Path) -> IdentityFileError:
    return IdentityFileError(f"The identity file {path} is damaged. {_MEND}")


def _identity(fields: object, path: Path) -> Identity:
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise IdentityFileError(f"{path} is not an identity file of this version. {_MEND}")
    name, secret = fields.get("name"), fields.get("secret")
    if not isinstance(name, str) or not isinstance(secret, str):
        raise _damaged(path)
    try:
        key = bytes.fromhex(secret)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        # `from None`: the library's message would quote the secret
        raise _damaged(path) from None
    check_name(name)
    return Identity(key, name)


def _refuse_shared(path: Path) -> None:
    if os.name == "posix" and path.stat().st_mode & _OTHERS_MAY:
        raise IdentityFileError(
            f"The identity file {path} is open to others; run: chmod 600 '{path}'"
        )

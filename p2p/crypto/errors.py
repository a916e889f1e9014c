"""Why the group arithmetic may be missing on this machine.

It is apart from `group`, because `group` cannot be imported when it is raised.
"""

from __future__ import annotations

from p2p.errors import LocalError


class CryptoUnavailable(LocalError):  # noqa: N818  a state of the machine, shown to the user
    """The bundled libsodium could not be loaded; the message is one sentence for the user."""

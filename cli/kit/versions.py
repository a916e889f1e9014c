"""Which version of a package is installed."""

from __future__ import annotations

from importlib import metadata


def version(package: str = "nodealer", otherwise: str = "not installed") -> str:
    """The version by its own record; `otherwise` where there is none, as for bare sources."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return otherwise

"""`--plot`: what was found, as a picture in a file."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import click

from cli.failures import UserMistakeError, why_no_file
from cli.kit.bar import bar_for
from p2p.installation import to_add

FORMATS: Final = (".png", ".svg", ".pdf")

plot_option = click.option(
    "--plot", metavar="F", help=f"Draw it into this file ({', '.join(FORMATS)}); needs matplotlib."
)


def require_plot(plot: str | None) -> None:
    """UserMistakeError if this picture cannot be drawn: before hours of work, not after."""
    if plot is None:
        return
    if find_spec("matplotlib") is None:
        raise UserMistakeError(f"A plot needs matplotlib; {to_add('stats')} adds it.")
    if not plot.lower().endswith(FORMATS):
        raise UserMistakeError(
            f"{plot} cannot be drawn: name a file that ends in {', '.join(FORMATS)}."
        )
    require_writable(plot)


def require_writable(file: str) -> None:
    """UserMistakeError if nothing can be written under this name."""
    try:
        target = _target(file)
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        raise UserMistakeError(
            f"{file} cannot be written: {why_no_file(error)}; choose another one."
        ) from error


def _target(file: str) -> Path:
    """What has to let us write: the file, or the folder of a new one."""
    try:
        found = os.stat(file)
    except FileNotFoundError:
        folder = Path(file).parent
        if not folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, f"there is no folder {folder}") from None
        return folder
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    return Path(file)


def drawn(draw: Callable[[Any, Path], None], found: Any, plot: str | None) -> None:
    """Draw it, if a picture was asked for; UserMistakeError if the disk refuses."""
    if plot is None:
        return
    with bar_for("a plot", "Drawing", counted=False):
        try:
            draw(found, Path(plot))
        except (OSError, ValueError) as error:
            raise UserMistakeError(
                f"{plot} cannot be drawn: {error}. Name another file, such as plot.png."
            ) from error

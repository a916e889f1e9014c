"""`--plot`: what was found, as a picture in a file."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import click

from cli.failures import UserMistakeError, why_no_file
from cli.kit.bar import bar_for
from cli.options.target import require_target
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
    require_target(plot)


def drawn(draw: Callable[[Any, Path], None], found: Any, plot: str | None) -> None:
    """Draw it, if a picture was asked for; UserMistakeError if the disk refuses."""
    if plot is None:
        return
    with bar_for("a plot", "Drawing", counted=False):
        try:
            draw(found, Path(plot))
        except (OSError, ValueError) as error:
            raise UserMistakeError(
                f"{plot} cannot be drawn: {why_no_file(error)}; choose another file."
            ) from error

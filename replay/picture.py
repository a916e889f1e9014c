"""A figure of matplotlib as a file: whole, or not at all."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any, Final

from p2p.disk.durable import write_file

DPI: Final = 110


def save(figure: Any, path: Path) -> None:
    """Write the figure in the format that the name of the file says.

    ValueError for an unknown one; OSError if the disk refuses.
    """
    drawn = BytesIO()
    figure.savefig(drawn, dpi=DPI, format=path.suffix[1:].lower())
    write_file(path, drawn.getvalue())

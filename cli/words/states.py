"""`nodealer audit --states`: where two peers' states of a table differ first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cli.failures import FALSE, UserMistakeError
from cli.kit.output import say
from cli.options.settings import print_json
from p2p.disk.outside import STATE_MAX, read_outside
from p2p.files.state_file import Difference, StateText, StateTextError, first_difference, read_state
from p2p.text.names import cut, spelled

VALUE_MAX: Final = 400
"""How many letters of a value are shown; --json has all of it."""


def compare_states(paths: Sequence[str], as_json: bool) -> int:
    """Print the first difference between two state files; the exit code of the process."""
    if len(paths) != 2:
        raise UserMistakeError("Name the two state files to compare: --states FILE FILE.")
    one, other = (_read(Path(path)) for path in paths)
    if (one.table, one.step) != (other.table, other.step):
        raise UserMistakeError(
            "These are states of different tables or steps: compare two of one step."
        )
    found = first_difference(one.fields, other.fields)
    if as_json:
        print_json({"states": list(paths), "step": one.step, **_as_json(found)})
    elif found is None:
        say(f"The two states before step {one.step} are the same.")
    else:
        say(f"The states before step {one.step} differ first in {cut(found.place, VALUE_MAX)}:")
        for path, value in zip(paths, (found.one, found.other), strict=True):
            say(f"  {spelled(path)}: {cut(json.dumps(value), VALUE_MAX)}")
    return 0 if found is None else FALSE


def _read(path: Path) -> StateText:
    try:
        return read_state(read_outside(path, STATE_MAX).decode("utf-8"))
    except OSError as error:
        raise UserMistakeError(
            f"{path} cannot be read: {error.strerror}; name a state file (.txt)."
        ) from error
    except (UnicodeDecodeError, StateTextError) as error:
        raise UserMistakeError(
            f"{path} is not a state file: name one that lies beside a saved game."
        ) from error


def _as_json(found: Difference | None) -> dict[str, object]:
    if found is None:
        return {"equal": True, "place": None, "values": []}
    return {"equal": False, "place": found.place, "values": [found.one, found.other]}

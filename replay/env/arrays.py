"""Spaces and arrays for what a seat sees and what it may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_letters, digits, punctuation
from typing import Any, Final

import numpy as np
from gymnasium import spaces

from engine.env.playing import Setting
from engine.env.seen import Row
from engine.env.told import LONGEST
from engine.question import Question
from engine.view import View

TEXT: Final = frozenset(ascii_letters + digits + punctuation + " \n")


def observation_space(setting: Setting, text: bool) -> spaces.Dict:
    """What is observed: the rows of `engine.env.seen`, the mask of actions, and maybe a text."""
    sight = setting.sight
    parts: dict[str, Any] = {
        "observation": spaces.Dict({**_boxes(sight.rows), "table": _boxes(sight.fields)}),
        "action_mask": spaces.Box(0, 1, (setting.actions.count,), np.int8),
    }
    if text:
        parts["text"] = spaces.Text(LONGEST, min_length=0, charset=TEXT)
    return spaces.Dict(parts)


def _boxes(rows: Mapping[str, Row]) -> spaces.Dict:
    return spaces.Dict(
        {name: spaces.Box(row.low, row.high, (row.width,), np.int32) for name, row in rows.items()}
    )


def observed(
    setting: Setting,
    view: View,
    asked: Question[Any] | None,
    said: Sequence[int],
    legal: Sequence[int],
) -> dict[str, Any]:
    """What the seat of this view observes, which has said this; `legal` are its actions now."""
    sight = setting.sight
    rows, fields = sight.rows_of(view, asked, said), sight.fields_of(view.table)
    mask = np.zeros(setting.actions.count, np.int8)
    mask[list(legal)] = 1
    return {"observation": {**_arrays(rows), "table": _arrays(fields)}, "action_mask": mask}


def _arrays(rows: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    return {name: np.array(values, np.int32) for name, values in rows.items()}

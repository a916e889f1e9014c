"""One measured number, and the number it is held against."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """`value` in `unit`; `floor` is what the project promises, None where it promises nothing.

    `less_is_better` for times: `floor` is then the most that may be needed.
    """

    name: str
    value: float
    unit: str
    floor: float | None = None
    less_is_better: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times better than the floor; below 1 it is missed."""
        if self.floor is None:
            return None
        return self.floor / self.value if self.less_is_better else self.value / self.floor

    @property
    def kept(self) -> bool:
        """Whether the floor is kept."""
        return self.ratio is None or self.ratio >= 1

    def as_json(self) -> dict[str, object]:
        """The row in `--json` (keys fixed by design: interface)."""
        ratio = None if self.ratio is None else round(self.ratio, 3)
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "floor": self.floor,
            "ratio": ratio,
        }

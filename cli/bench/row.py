"""One line of the benchmarks: a value, its lower limit, and what was promised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LESS: Final = "<="
MORE: Final = ">="


@dataclass(frozen=True, slots=True)
class Target:
    """A promise about the value itself, or about its ratio to the floor."""

    limit: float
    sense: str = LESS
    of_ratio: bool = False

    def reached(self, value: float, ratio: float | None) -> bool:
        """Whether a measured row keeps the promise."""
        measured = ratio if self.of_ratio else value
        if measured is None:
            return False
        return measured <= self.limit if self.sense == LESS else measured >= self.limit

    def said(self, unit: str) -> str:
        """The promise in words."""
        return f"{self.sense} {number(self.limit)} {'x floor' if self.of_ratio else unit}"


def ratio_at_most(limit: float) -> Target:
    """A promise that the value is at most this many times its floor."""
    return Target(limit, of_ratio=True)


@dataclass(frozen=True, slots=True)
class Row:
    """A measured value in `unit`; `floor` in the same unit, from the same run, or None."""

    name: str
    value: float
    unit: str
    floor: float | None = None
    targets: tuple[Target, ...] = ()

    @property
    def ratio(self) -> float | None:
        """How many times its floor the value is."""
        return self.value / self.floor if self.floor else None

    @property
    def reached(self) -> bool | None:
        """Whether every promise is kept; None if none was made."""
        if not self.targets:
            return None
        return all(target.reached(self.value, self.ratio) for target in self.targets)

    def as_json(self) -> dict[str, object]:
        """The row as `--json` prints it."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "floor": self.floor,
            "ratio": self.ratio,
            "target": [target.said(self.unit) for target in self.targets],
            "reached": self.reached,
        }


def number(value: float) -> str:
    """Three significant digits, thousands set apart, and no zeros on the right."""
    if value >= 1000:
        return f"{value:,.0f}"
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}"

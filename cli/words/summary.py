"""What is printed when a game is over: the result, where the log is, what the audit says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli.failures import FALSE
from cli.kit.bar import bar_for
from cli.kit.marks import mark
from cli.kit.output import Whole, say
from cli.options.settings import print_json
from engine.wording import with_chairs
from engine.zone import Seat
from p2p.text.names import called
from replay.audit import Progress, audit, unwatched
from replay.departures import departed
from replay.tally import LeftSeat, LostSeat

LEFT: Final = "  You have left for good: you resigned, and cannot win."


@dataclass(frozen=True)
class Summary:
    """A finished game, or one that this player has `left` for good.

    `verified` and `verdict` are the audit's, and who has left (`farewells`) or was lost; `seconds`
    of play.  `names` are as they stand beside the results: they say who is a bot, and whose chair
    is empty; `gone` says it in sentences.
    """

    game: str
    seats: int
    steps: int
    seconds: float
    result: tuple[int, ...]
    log: Path
    verified: bool
    verdict: str
    reason: str
    names: tuple[str, ...]
    farewells: tuple[LeftSeat, ...] = ()
    lost: tuple[LostSeat, ...] = ()
    gone: tuple[str, ...] = ()
    left: bool = False
    winners: tuple[Seat, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The object of `--json` (keys fixed by design: interface)."""
        return {
            "game": self.game,
            "seats": self.seats,
            "steps": self.steps,
            "seconds": round(self.seconds, 3),
            "result": list(self.result),
            "winners": list(self.winners),
            "log": str(self.log),
            "verified": self.verified,
            "verdict": self.verdict,
            "left": [one._asdict() for one in self.farewells],
            "lost": [one._asdict() for one in self.lost],
        }

    def as_lines(self) -> list[str]:
        """The same for people."""
        return [
            "",
            f"{self.game}, {self.seats} seats, {self.steps} steps in {self.seconds:.1f} s",
            *([LEFT] if self.left else result_lines(self.names, self.result, self.winners)),
            *(f"  {said}" for said in self.gone),
            "",
            Whole(f"log    {self.log}"),
            f"audit  {self.verdict}: {self.reason}",
        ]


def concluded(log: Path, seconds: float) -> Summary:
    """As `audited`, with a bar on a terminal, over which no screen may be open."""
    with bar_for("entries") as bar:
        return audited(log, seconds, bar)


def audited(log: Path, seconds: float, progress: Progress = unwatched) -> Summary:
    """The summary of the game in `log`, whose play took `seconds`."""
    report = audit(log, progress=progress)
    names = [*map(called, report.names)]
    return Summary(
        game=report.game or "",
        seats=report.seats,
        steps=report.steps,
        seconds=seconds,
        result=report.returns or (),
        winners=report.winners,
        log=log,
        verified=report.verified,
        verdict=report.verdict,
        reason=report.reason,
        names=tuple(with_chairs(names, report.empty, dict.fromkeys(report.bots, mark(bot=True)))),
        farewells=report.left,
        lost=report.lost,
        gone=tuple(
            departed(names[seat], report.empty[seat], step) for step, seat in sorted(report.gone)
        ),
    )


def result_lines(names: Sequence[str], result: Sequence[int], winners: Sequence[Seat]) -> list[str]:
    """Every player's result: the winners first, marked in words, then the best first."""
    if not result:
        return ["  no result"]
    width = max(map(len, names))
    ranked = sorted(range(len(result)), key=lambda seat: (seat not in winners, -result[seat]))
    return [
        f"  {names[seat]:<{width}}  {result[seat]:+4d}{'  wins' if seat in winners else ''}"
        for seat in ranked
    ]


def conclude(summary: Summary, as_json: bool) -> int:
    """Print the summary; the exit code: 0, or 1 if the audit failed."""
    if as_json:
        print_json(summary.as_json())
    else:
        for line in summary.as_lines():
            say(line)
    return 0 if summary.verified or summary.left else FALSE

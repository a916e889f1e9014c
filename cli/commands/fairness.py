"""`nodealer fairness`: are the shuffles of saved games random?"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.failures import FALSE, WRONG_USE, UserMistakeError
from cli.kit.bar import bar_for
from cli.kit.output import say
from cli.options.plot import drawn, plot_option, require_plot
from cli.options.settings import Settings, common, json_option, print_json
from cli.words.audit import logs_of_all, unreadable
from engine.wording.words import counted
from p2p.installation import to_add
from replay.audit import UnreadableError, unwatched

if TYPE_CHECKING:
    from replay.fairness.judging import Judgement, Result
    from replay.fairness.observed import Shuffled
    from replay.fairness.power import Power


@click.command("fairness", epilog="Example: nodealer fairness games/ --plot fairness.png")
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@plot_option
@json_option
@common
def command(paths: Sequence[str], plot: str | None, as_json: bool, settings: Settings) -> int:
    """Are the shuffles of saved games random?

    PATH is a log (.ndlog) or a folder, in which every log is read; without
    PATH, your own games are. Only cards that nobody can have chosen to
    show are used. Needs scipy. The exit code is 0 when nothing stands out,
    1 when something does, 2 when a file cannot be read.
    """
    if find_spec("scipy") is None:
        raise UserMistakeError(f"The statistics need scipy; {to_add('stats')} adds it.")
    require_plot(plot)
    # Not at the top: numpy and scipy take longer to load than everything else.
    from replay.fairness.judging import judge  # noqa: PLC0415
    from replay.fairness.power import powers  # noqa: PLC0415

    seen, failed = _observe(logs_of_all(paths))
    with bar_for("shuffles", "Testing", counted=False):
        judgement = judge(seen)
        power = list(powers(judgement))
    if as_json:
        print_json(_as_json(judgement, power))
    elif seen or not failed:
        _tell(judgement, power)
    drawn(_drawing, judgement, plot)
    if failed:
        return WRONG_USE
    return FALSE if judgement.flagged else 0


def _observe(logs: Sequence[Path]) -> tuple[list[Shuffled], int]:
    """The shuffles of all tables, each once, and how many logs could not be read."""
    from replay.fairness.observed import observe  # noqa: PLC0415

    seen: dict[bytes, list[Shuffled]] = {}
    failed = 0
    alone = len(logs) == 1
    with bar_for("entries" if alone else "logs", "Reading") as bar:
        for done, log in enumerate(logs):
            if not alone:
                bar(done, len(logs))
            try:
                observed = observe(log, bar if alone else unwatched)
                seen.setdefault(observed.table, observed.shuffles)
            except UnreadableError as error:
                say(unreadable(str(error)), err=True)
                failed += 1
    return [shuffle for shuffles in seen.values() for shuffle in shuffles], failed


def _drawing(judgement: Judgement, path: Path) -> None:
    from replay.fairness.plot import draw  # noqa: PLC0415

    draw(judgement, path)


def _tell(judgement: Judgement, power: Sequence[Power]) -> None:
    if not judgement.shuffles:
        say("No card in these logs can be used: play on, or add games in which cards were shown.")
        return
    say(f"{counted(judgement.cards, 'known card')} in {counted(judgement.shuffles, 'shuffle')}")
    say(f"{'':5} {'statistic':>10} {'p':>9} {'corrected':>9}")
    for result in judgement.results:
        say(_line(result))
    if judgement.flagged:
        say(f"{len(judgement.flagged)} of {len(judgement.results)} tests stand out.")
    else:
        say("Nothing stands out.")
    for one in power:
        say(f"{one.deck}: if in 2 % of the deals {one.bias},")
        few = "these are too few" if one.finds >= 1 else f"these show {one.finds:.1%}"
        say(f"  {one.deals} deals show it; {few}.")


def _line(result: Result) -> str:
    sign = "FLAG " if result.flagged else "ok   "
    numbers = f"{result.statistic:10.2f} {result.p_value:9.2g} {result.adjusted:9.2g}"
    return f"{sign} {numbers}  {result.name}"


def _as_json(judgement: Judgement, power: Sequence[Power]) -> dict[str, object]:
    """The JSON output (keys fixed by design: interface)."""
    return {
        "tests": [
            {
                "name": result.name,
                "statistic": round(result.statistic, 4),
                "p_value": result.p_value,
                "adjusted": result.adjusted,
                "flagged": result.flagged,
            }
            for result in judgement.results
        ],
        "cards": judgement.cards,
        "shuffles": judgement.shuffles,
        "flagged": bool(judgement.flagged),
        "power": [
            {"deck": one.deck, "bias": one.bias, "deals": one.deals, "finds": round(one.finds, 4)}
            for one in power
        ],
    }

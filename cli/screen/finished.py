"""From the games of an evening to what the screen shows of the last one.  Pure."""

from __future__ import annotations

from collections.abc import Sequence

from cli.screen.board import RankShown, ResultShown
from cli.words.played import Played, Standing, is_mixed, standings
from engine.wording import scores
from engine.wording.layout import in_brackets


def shown(games: Sequence[Played]) -> ResultShown:
    """The result of the last game."""
    last = games[-1]
    several = len(games) > 1
    ranked = standings(games)
    ranks = [
        RankShown(
            *(one.name, one.seat, one.points, said, one.seat == last.own),
            bot=one.seat in last.bots,
            first=one.first,
            total=_total(one, games) if several else "",
            chair=in_brackets(one.empty) if one.empty else "",
        )
        for one, said in zip(ranked, scores([one.points for one in ranked]), strict=True)
    ]
    played = f", game {len(games)} of this evening" if several else ""
    return ResultShown(
        title=f"{last.title}{played}",
        verdict=last.verdict,
        ranks=tuple(ranks),
        moments=last.moments,
        untold=last.untold,
        scored=last.scored,
    )


def _total(one: Standing, games: Sequence[Played]) -> str:
    """What the evening has brought; points of different games are no sum."""
    if is_mixed(games):
        return f"won {one.wins} of {len(games)}"
    return f"evening {one.total:+d}, won {one.wins}"

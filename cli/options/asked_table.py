"""The options that describe a table: game, seats, level, house rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from cli.failures import UserMistakeError
from cli.kit.choice import choose
from cli.options.bot_levels import AskedLevels, bots_option
from cli.options.settings import at_a_terminal
from engine.game import Game, Value, spell
from engine.games import all_names, load

if TYPE_CHECKING:
    from p2p.protocol.terms import Terms


@dataclass(frozen=True)
class AskedTable:
    """A table that the game's own rules have accepted."""

    game: Game
    seats: int
    options: dict[str, Value]
    levels: tuple[str, ...] = ()
    """How well the bots play, in the order of their seats; those that are left out are normal.

    Where a person plays, that is at the first seat, which has no level.
    """


@dataclass(frozen=True)
class Said:
    """What was typed about a table: no rule has seen it yet."""

    game: str
    seats: int | None
    pairs: tuple[str, ...]


def table_options(default_game: str | None = None) -> Callable[..., Callable[..., Any]]:
    """Add GAME, `--seats`, `--level` and `--option`; the command receives `asked`.

    Whoever names no game chooses one of a list, at a terminal.
    UsageError (of the engine, with a sentence) for a table that the rules do not provide for.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @said_options(default_game)
        @wraps(command)
        def wrapped(*args: Any, said: Said, bot_levels: tuple[str, ...] = (), **others: Any) -> Any:
            table = ask_for_table(said.game, said.seats, said.pairs)
            return command(*args, asked=replace(table, levels=bot_levels), **others)

        return wrapped

    return decorate


def said_options(default_game: str | None = None) -> Callable[..., Callable[..., Any]]:
    """Add the same options for a command that receives them as they were `said`."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.argument("game", required=False, default=default_game)
        @click.option("--seats", type=int, metavar="N", help="Players at the table.")
        @click.option("--level", metavar="L", help="Level of a game that has levels.")
        @click.option(
            "--option",
            "pairs",
            multiple=True,
            metavar="K=V",
            help="A house rule, as nodealer rules lists them; repeatable.",
        )
        @wraps(command)
        def wrapped(
            *args: Any,
            game: str | None,
            seats: int | None,
            level: str | None,
            pairs: Sequence[str],
            **others: Any,
        ) -> Any:
            levels = [] if level is None else [f"level={level}"]
            name = game or chosen_game(asking=at_a_terminal() and not others.get("as_json"))
            return command(*args, said=Said(name, seats, (*levels, *pairs)), **others)

        return wrapped

    return decorate


def chosen_game(*, asking: bool) -> str:
    """The game that somebody chooses who named none; UserMistakeError if nobody can be asked."""
    names = all_names()
    if not asking:
        raise UserMistakeError(f"Say which game: {', '.join(names)}.")
    return names[choose([_offer(name) for name in names], "Which game")]


def _offer(name: str) -> str:
    game = load(name)
    return f"{game.title:<10}  {game.seats[0]} to {game.seats[-1]} players"


def with_bots(you: int = 1) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--bots N`, another way to say `--seats N+1`; put it above `table_options`.

    Or with the level of each bot; one level alone, beside `--seats`, is that of all.  Without
    `you` (0) the bots have all seats.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @bots_option(1, None, "Bots: how many, or the level of each (hard,easy).")
        @wraps(command)
        def wrapped(*args: Any, bots: AskedLevels | None, seats: int | None, **others: Any) -> Any:
            levels = () if bots is None else bots.for_bots(None if seats is None else seats - you)
            count = len(levels)
            if bots is not None and seats is not None and seats != count + you:
                who = f"{count} bots and you" if you else f"{count} bots"
                raise UserMistakeError(
                    f"{who} are {count + you} seats, not {seats}: leave one of the two out."
                )
            asked = seats if bots is None else count + you
            return command(*args, seats=asked, bot_levels=levels, **others)

        return wrapped

    return decorate


def ask_for_table(name: str, seats: int | None, pairs: Sequence[str]) -> AskedTable:
    """The table that the user asked for; by default four seats, or as near as the game allows."""
    game = load(name)
    if seats is None:
        seats = usual_seats(game)
    options = game.parse_options(split_pairs(pairs))
    game.check(seats, options)
    return AskedTable(game, seats, options)


def usual_seats(game: Game) -> int:
    """Four seats, or as near as the game allows."""
    return min(game.seats, key=lambda number: abs(number - 4))


def beginnings(*plans: Terms) -> dict[str, dict[str, str]]:
    """The options of these games as they are typed, for the menu; a later plan counts."""
    return {
        plan.game: {name: spell(value) for name, value in plan.options.items()} for plan in plans
    }


def split_pairs(pairs: Sequence[str], option: str = "--option") -> dict[str, str]:
    """The values by their names; UserMistakeError if one has none, or two."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not name:
            raise UserMistakeError(f"{option} wants NAME=VALUE, such as rounds=4, not {pair!r}.")
        if found.setdefault(name, value) != value:
            raise UserMistakeError(
                f"{name} cannot be {found[name]} and {value} at once: say it once."
            )
    return found

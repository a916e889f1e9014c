"""The last rows of the full screen: what is asked of the person, and what each key does now.

Pure.  Each key that is named here does what it says while it stands there, in every moment: a game,
a picture that is held, a person who is about to leave, somebody who is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from cli.kit.bindings import (
    CHAT,
    COMMAND,
    EVENTS,
    HELP,
    LEAVE,
    PACE,
    SIZE,
    THEME,
    WHO,
    Where,
    foot,
)
from cli.screen.board import ENTER, ChoiceShown
from cli.words.going import BOT, GOES, NobodyGoes

if TYPE_CHECKING:  # in the first picture there is no game yet
    from cli.screen.asking import Asking
    from cli.screen.board import ResultShown
    from cli.screen.missed import Missing
    from cli.screen.races import Stated

AT: Final = Where.TABLE
HELD: Final = "SHORT PAUSE   Enter goes on"
BOT_PLAYS: Final = f"{BOT.format('Enter')}   {foot(AT, HELP, EVENTS, LEAVE)}"
IDLE: Final = foot(AT, HELP, EVENTS, CHAT, WHO, COMMAND, LEAVE)
WATCHING: Final = foot(Where.WATCHING, HELP, EVENTS, WHO, THEME, SIZE, COMMAND, LEAVE)
RACE: Final = "n not now  u rest"
ENTERS: Final = {
    "say": "Enter sends it to everyone",
    "command": "Enter does it  Tab completes",
    "help": "Enter tells what the card does",
}
"""What Enter does with a line that is no name at the table."""
STAY: Final = "Esc stay"

Rows = dict[str, Any]
"""Fields of a board."""


def leaving(mode: str, going: NobodyGoes, *, over_a_page: bool, result: ResultShown | None) -> Rows:
    """How, or whether, somebody leaves: no other key means anything now.

    A page has one row for all of it.
    """
    told: tuple[str, ...] = ()
    if mode == "sure":
        told = going.told()
        asks, keys = going.asks, "  ".join([*going.ways(short=True), STAY])
    else:
        asks, keys = going.sure, f"y leave for good  {STAY}"
    return {
        "prompt": asks,
        "keys": keys,
        "yours": True,
        "result": result,
        "notice": f"{asks}  {keys}" if over_a_page else "",
        "choices": tuple(map(ChoiceShown, told)),
        "preview": "",
        "typed": "",
        "label": "",
    }


def meanwhile(missing: Missing, going: NobodyGoes, *, resting: bool) -> Rows:
    """Nothing is asked of the person in the game."""
    rows: Rows = {"prompt": missing.question(), "yours": missing.asks} if missing.says else {}
    if missing.asks:
        rows["keys"] = foot(AT, missing.keys(), HELP, EVENTS, CHAT, WHO, LEAVE)
    elif going.bot_plays:
        rows["keys"] = BOT_PLAYS
    elif going.for_good:
        rows["keys"] = f"{GOES}   {foot(AT, HELP, EVENTS)}"
    elif resting:
        rows["keys"] = f"resting until your turn   {IDLE}"
    return rows


def idle_keys(where: Where) -> str:
    """The keys while nothing is asked."""
    return WATCHING if where is Where.WATCHING else IDLE


def typing_keys(mode: str, *, asked: bool, voting: bool) -> str:
    """The keys while a line is typed.

    `asked`: it is an answer, which Enter gives; `voting`: y and n would answer without the line.
    """
    if mode:
        return foot(AT, ENTERS[mode], "Esc back")
    if voting:
        return foot(AT, "Esc clears the line, then you can answer")
    enter = "Enter plays  Tab completes" if asked else "stays until you are asked"
    return foot(AT, enter, "Esc clears it")


def takes_no_enter(choices: Sequence[ChoiceShown]) -> Rows:
    """A race while a line is typed that waits for one's own turn: Enter does nothing now."""
    plain = (one._replace(cursor=False, label=one.label.removesuffix(ENTER)) for one in choices)
    return {"preview": "", "choices": tuple(plain)}


def asked_keys(asking: Asking, stated: Stated, *, heard: bool) -> str:
    """The keys while the game asks something; `heard`: somebody would hear what is said."""
    from cli.screen.races import key_names, space_claim  # noqa: PLC0415 (as in `Model.claim`)

    digits = "digits, " if any(number for number, _ in asking.numbered()) else ""
    moves = f"arrows, {digits}names" if not asking.aside else ""
    play = RACE if asking.aside else "Enter plays"
    general = (HELP, CHAT if heard else "", EVENTS, LEAVE)
    if not asking.racing:
        return foot(AT, "Space picks" if asking.several else "", play, moves, *general)
    # Space does what may be done now, so it is called by its name.
    found = space_claim(asking, stated)
    space = [] if isinstance(found, str) else [f"Space: {found.label}"]
    return foot(AT, *space, *key_names(asking, stated), play, moves, *general)


def held_keys(waiting: int, *, due: bool, bot_plays: bool) -> str:
    """The keys while a picture is held, of which so many more wait; `due`: then a question."""
    if bot_plays:
        return BOT_PLAYS
    then = [f"{waiting} more to see"] if waiting else []
    then += ["then you decide"] if due else []
    said = f" ({', '.join(then)})" if then else ""
    return f"{HELD}{said}   {foot(AT, PACE, EVENTS, HELP)}"

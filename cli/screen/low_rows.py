"""The last rows of the full screen: what is asked of the person, and what each key does now.

Pure.  Each key that is named here does what it says while it stands there, in every moment: a game,
a picture that is held, a person who is about to leave, somebody who is gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cli.screen.board import ChoiceShown
from cli.words.going import BOT, GOES, NobodyGoes

if TYPE_CHECKING:  # in the first picture there is no game yet
    from cli.screen.asking import Asking
    from cli.screen.board import ResultShown
    from cli.screen.missed import Missing
    from cli.screen.races import Stated

ASKED: Final = "Enter plays  arrows, {digits}names  ? help  {chat}l events  {leave} leave"
PICKING: Final = f"Space picks  {ASKED}"
RACING: Final = "n not now  u rest  ? help  l events  {leave} leave"
HELD: Final = "SHORT PAUSE   any key goes on"
BOT_PLAYS: Final = f"{BOT.format('Enter')}   ? help  l events  q leave"
IDLE: Final = "? help  l events  w who  c chat  t theme  / commands  q leave"
MISSED: Final = "{votes}  ? help  l events  w who  c chat  q leave"
WATCHING: Final = "? help  l events  w who  t theme  s size  / commands  q leave"
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
        rows["keys"] = MISSED.format(votes=missing.keys())
    elif going.bot_plays:
        rows["keys"] = BOT_PLAYS
    elif going.for_good:
        rows["keys"] = f"{GOES}   ? help  l events"
    elif resting:
        rows["keys"] = f"resting until your turn   {IDLE}"
    return rows


def idle_keys(*, watching: bool) -> str:
    """The keys while nothing is asked."""
    return WATCHING if watching else IDLE


def asked_keys(asking: Asking, stated: Stated, *, heard: bool) -> str:
    """The keys while the game asks something; `heard`: somebody would hear what is said."""
    # A letter that begins a name is typed.
    leave = "F10" if asking.begins("q") else "q"
    chat = f"{'F3' if asking.begins('c') else 'c'} chat  " if heard else ""
    digits = "digits, " if any(number for number, _ in asking.numbered()) else ""
    if not asking.racing:
        return (PICKING if asking.several else ASKED).format(leave=leave, digits=digits, chat=chat)
    from cli.screen.races import key_names, space_claim  # noqa: PLC0415 (as in `Model.claim`)

    # Space does what may be done now, so it is called by its name.
    found = space_claim(asking, stated)
    space = [] if isinstance(found, str) else [f"Space: {found.label}"]
    keys = [*space, *key_names(asking, stated)]
    line = (RACING if asking.aside else ASKED).format(leave=leave, digits=digits, chat=chat)
    return "  ".join([*keys, line])


def held_keys(waiting: int, *, due: bool, bot_plays: bool) -> str:
    """The keys while a picture is held, of which so many more wait; `due`: then a question."""
    if bot_plays:
        return BOT_PLAYS
    then = [f"{waiting} more to see"] if waiting else []
    then += ["then you decide"] if due else []
    said = f" ({', '.join(then)})" if then else ""
    return f"{HELD}{said}   p pace  l events  ? help"

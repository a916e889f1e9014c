"""The terms of a table, a row for each: its option, its line in a form, and what people read of it.

A term is typed or chosen as a text ("45", "no").  The numbers are repeated here (a test compares
them): importing the protocol would delay the first picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Final

import click

from cli.failures import UserMistakeError
from cli.kit.clock import left
from cli.options.asked_table import AskedTable, beginnings, split_pairs
from engine.game import spell
from engine.games import load
from p2p.protocol.policy import WAIT, allowed, carry_on, check_policy

if TYPE_CHECKING:
    from p2p.lobby.plan import TablePlan
    from p2p.protocol.terms import Terms

Command = Callable[..., Any]
DIGITS: Final = 4
"""The digits of the longest number here."""
NOT: Final = "no"
ALL_BUT_ONE: Final = "all but one"
"""What `--carry-on` means without a number."""
CLOCKS: Final = (5, 3600)
NO_CLOCK: Final = "0"
LIKELY_CLOCKS: Final = (NO_CLOCK, "15", "30", "60", "120", "300")
CAPS_MS: Final = (1, 250)
HOLDS_MS: Final = (0, 5000)
CAP_MS: Final = "80"
HOLD_MS: Final = "600"


def _nothing(carries: bool, seats: int, now: str) -> Sequence[str]:
    """A form does not ask for this term."""
    return ()


def _anything(said: str, asked: AskedTable) -> None:
    """Every table can have this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One term.

    `name` is its option and its line in a form; `bare` is what the option means without a value.
    `check` raises UserMistakeError, with a sentence, for what no table has, and `fits` UsageError
    for what this one cannot have; `put` gives the terms another value, for a number of seats;
    `spell` is what would be said for the value that they have.
    `label` stands before the `sentence` that people agree to: a lobby shows it `always`, or if it
    is not the usual one, and a term of `races` only in a game that has some.
    `choices` are what a form offers in a game that can go on without a player, or not, for a number
    of seats, besides what holds now; `text` explains it.
    """

    name: str
    metavar: str
    help: str
    usual: str
    check: Callable[[str], object]
    put: Callable[[Terms, str, int], Terms]
    spell: Callable[[Terms], str]
    label: str
    sentence: Callable[[Terms], str]
    always: bool = False
    races: bool = False
    fits: Callable[[str, AskedTable], None] = _anything
    choices: Callable[[bool, int, str], Sequence[str]] = _nothing
    text: str = ""
    bare: str | None = None

    @property
    def key(self) -> str:
        """The name as a parameter."""
        return self.name.replace("-", "_")

    def is_usual(self, terms: Terms) -> bool:
        """Whether the terms are as if nothing had been said."""
        return self.spell(terms) == self.usual


# -- checks ------------------------------------------------------------------------------------


def number(name: str, limits: tuple[int, int], unit: str, said: str) -> int:
    """Return the number that was typed; UserMistakeError unless it is one within the limits."""
    least, most = limits
    if not _is_number(said) or not least <= int(said) <= most:
        raise UserMistakeError(f"--{name} takes {least} to {most} {unit}, not {said!r}.")
    return int(said)


def _is_number(said: str) -> bool:
    return said.isascii() and said.isdecimal() and len(said) <= DIGITS


def _check_clock(said: str) -> None:
    if said != NO_CLOCK:
        number("clock", CLOCKS, "seconds, or 0 for no limit", said)


def _check_carry_on(said: str) -> None:
    if said not in (NOT, ALL_BUT_ONE) and not (_is_number(said) and int(said)):
        raise UserMistakeError(f"--carry-on takes how many players have to be left, not {said!r}.")


def _can_carry_on(said: str, asked: AskedTable) -> None:
    check_policy(asked.game, asked.seats, _policy(said, asked.seats))


def _policy(said: str, seats: int) -> str:
    if said == NOT:
        return WAIT
    return carry_on(seats - 1 if said == ALL_BUT_ONE else int(said))


# -- values ------------------------------------------------------------------------------------


def _put_carry_on(terms: Terms, said: str, seats: int) -> Terms:
    return replace(terms, policy=_policy(said, seats))


def _put_clock(terms: Terms, said: str, seats: int) -> Terms:
    return replace(terms, clock=int(said))


def _put_cap(terms: Terms, said: str, seats: int) -> Terms:
    return replace(terms, race=replace(terms.race, cap_us=1_000 * int(said)))


def _put_hold(terms: Terms, said: str, seats: int) -> Terms:
    return replace(terms, race=replace(terms.race, hold_us=1_000 * int(said)))


def _able_to_carry_on(carries: bool, seats: int, now: str) -> Sequence[str]:
    if not carries:
        return ()
    return (NOT, *(str(least) for least in allowed(seats) if seats > 2))


def _likely_clocks(carries: bool, seats: int, now: str) -> Sequence[str]:
    return sorted({*LIKELY_CLOCKS, now}, key=int)


# -- sentences ---------------------------------------------------------------------------------


def what_becomes(terms: Terms) -> str:
    """Say what happens to a lost player."""
    if not terms.least:
        return (
            "the table waits until they are back (policy wait). Nobody can play for them, and "
            "nobody can put them out."
        )
    return (
        f"if somebody is lost, the others can go on while {terms.least} of you are left (policy "
        f"carry-on). The price: any {terms.least} players together could read everybody's cards, "
        "and players who have left count among them."
    )


def _what_the_clock_is(terms: Terms) -> str:
    if not terms.clock:
        return "no limit."
    return (
        f"{left(terms.clock)} for a decision. If somebody takes longer, their own program makes "
        "it, as the rules say for that; nobody else can."
        + (" Races have times of their own." if load(terms.game).races else "")
    )


def _what_distance_gains(terms: Terms) -> str:
    from p2p.protocol.races.terms import exposure  # noqa: PLC0415 (after the first picture)

    cap, gain = terms.race.cap_us, exposure(terms.race.cap_us, true_us=0)
    return f"cap {cap / 1000:g} ms: a player who fakes distance gains at most {gain / 1000:g} ms"


def _what_is_held(terms: Terms) -> str:
    return f"passes leave {terms.race.hold_us / 1000:g} ms after the question"


CARRY_ON: Final = Term(
    name="carry-on",
    metavar="[T]",
    help="Go on without lost players while T are left.",
    usual=NOT,
    check=_check_carry_on,
    fits=_can_carry_on,
    put=_put_carry_on,
    spell=lambda terms: str(terms.least or NOT),
    label="lost players",
    sentence=what_becomes,
    always=True,
    choices=_able_to_carry_on,
    text="How many have to be left to go on without a lost player; so many could read all cards. "
    "no: all wait.",
    bare=ALL_BUT_ONE,
)
CLOCK: Final = Term(
    name="clock",
    metavar="S",
    help="Seconds for a decision; 0: no limit.",
    usual=NO_CLOCK,
    check=_check_clock,
    put=_put_clock,
    spell=lambda terms: str(terms.clock),
    label="clock",
    sentence=_what_the_clock_is,
    choices=_likely_clocks,
    text="Seconds for a decision; then the rules decide. 0: no limit.",
)
RACE_CAP: Final = Term(
    name="race-cap",
    metavar="MS",
    help="Largest delay credited in a race, 1 to 250.",
    usual=CAP_MS,
    check=partial(number, "race-cap", CAPS_MS, "ms"),
    put=_put_cap,
    spell=lambda terms: str(terms.race.cap_us // 1_000),
    label="races",
    sentence=_what_distance_gains,
    always=True,
    races=True,
)
HOLD: Final = Term(
    name="hold",
    metavar="MS",
    help="How long passes are held in a race, at most 5000.",
    usual=HOLD_MS,
    check=partial(number, "hold", HOLDS_MS, "ms"),
    put=_put_hold,
    spell=lambda terms: str(terms.race.hold_us // 1_000),
    label="hold",
    sentence=_what_is_held,
    races=True,
)
TERMS: Final = (CARRY_ON, CLOCK, RACE_CAP, HOLD)
"""In the order in which people read them."""
BY_NAME: Final = {one.name: one for one in TERMS}

Said = Mapping[str, str]
"""Texts for terms, by the names of the terms."""
AMONG_BOTS: Final[Said] = {HOLD.name: "0"}
"""Bots hold nothing."""


def shown(terms: Terms, *, always: bool = True) -> list[tuple[str, str]]:
    """The label and the sentence of each term that people should read.

    Without `always`, only of those that are not the usual ones.
    """
    races = load(terms.game).races
    rows = [one for one in TERMS if races or not one.races]
    wanted = [one for one in rows if (always and one.always) or not one.is_usual(terms)]
    return [(one.label, one.sentence(terms)) for one in wanted]


# -- the options -------------------------------------------------------------------------------


def term_options(*terms: Term) -> Callable[[Command], Command]:
    """Add the options of these; the command receives `Said` as `said`."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def wrapped(*args: Any, **options: Any) -> Any:
            said = {one.name: options.pop(one.key) for one in terms}
            return command(*args, said=said, **options)

        made: Command = wrapped
        for one in reversed(terms):
            made = _option(one)(made)
        return made

    return decorate


def _option(term: Term) -> Callable[[Command], Command]:
    bare: dict[str, Any] = {}
    if term.bare is not None:
        bare = {"is_flag": False, "flag_value": term.bare}
    return click.option(
        f"--{term.name}",
        default=term.usual,
        show_default=term.bare is None,
        metavar=term.metavar,
        help=term.help,
        callback=partial(_checked, term),
        **bare,
    )


def _checked(term: Term, context: click.Context, parameter: click.Parameter, said: str) -> str:
    term.check(said)
    return said


def cap_option(text: str) -> Callable[[Command], Command]:
    """`--race-cap MS` of a guest; the command receives it as `race_cap`."""
    return click.option(
        "--race-cap",
        type=click.IntRange(*CAPS_MS),
        default=int(CAP_MS),
        show_default=True,
        metavar="MS",
        help=text,
    )


def check_terms(asked: AskedTable, said: Said) -> None:
    """UserMistakeError or UsageError, with a sentence, for terms that this table cannot have."""
    for name, value in said.items():
        BY_NAME[name].check(value)
        BY_NAME[name].fits(value, asked)


def plan_of(asked: AskedTable, said: Said) -> TablePlan:
    """The table that was asked for, as the peers need it."""
    from p2p.lobby.plan import TablePlan  # noqa: PLC0415 (after the first picture)
    from p2p.protocol.terms import Terms  # noqa: PLC0415

    terms = Terms.of(asked.game.name, asked.options)
    return TablePlan(_put(terms, said, asked.seats), asked.seats)


def next_terms(argv: Sequence[str], old: Terms, seats: int) -> Terms:
    """Return the terms that a form gave: a game, then NAME=VALUE pairs in one text.

    A term that is not among the pairs stays as it was; a policy is narrowed to the seats.
    UsageError or UserMistakeError for terms that such a table cannot have.
    """
    name, *rest = argv
    return _changed(name, split_pairs(" ".join(rest).split()), old, seats)


def _changed(name: str, chosen: dict[str, str], old: Terms, seats: int) -> Terms:
    said = {one.name: chosen.pop(one.name) for one in TERMS if one.name in chosen}
    game = load(name)
    options = game.parse_options(chosen)
    check_terms(AskedTable(game, seats, options), said)
    terms = replace(old, game=name, rules=game.rules_version, options=options)
    return _put(terms.narrowed(seats), said, seats)


def changed_plan(words: Sequence[str], old: Terms, seats: int) -> tuple[Terms, int]:
    """Return the terms and seats for words such as `flaps level=3 seats=4 clock=30`.

    Every other term stays as it was, and without a name the game and its options too.
    UsageError or UserMistakeError for terms that such a table cannot have.
    """
    name = " ".join(word for word in words if "=" not in word) or old.game
    said = split_pairs([word for word in words if "=" in word])
    count = said.pop("seats", None)
    wanted = seats if count is None else number("seats", (1, 99), "players", count)
    chosen = {**beginnings(old).get(name, {}), **said}
    return _changed(name, chosen, old, wanted), wanted


def differences(old: Terms, new: Terms) -> list[str]:
    """List the options and terms that differ, as they would be typed."""
    game = load(new.game)
    before = {**game.defaults(), **(old.options if old.game == new.game else {})}
    options = {**game.defaults(), **new.options}
    changed = [f"{name}={spell(value)}" for name, value in options.items() if before[name] != value]
    said, now = said_of(old), said_of(new)
    return changed + [f"{name}={value}" for name, value in now.items() if said[name] != value]


def said_of(terms: Terms) -> Said:
    """Return the texts that would give these terms."""
    return {one.name: one.spell(terms) for one in TERMS}


def _put(terms: Terms, said: Said, seats: int) -> Terms:
    for name, value in said.items():
        terms = BY_NAME[name].put(terms, value, seats)
    return terms

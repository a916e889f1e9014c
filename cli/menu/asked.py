"""What the menu asks, one question after another, until there is a command.  Pure.

Answers are texts.  The questions are a generator: a step back means the same answers without the
last one, and what would be run now follows from the same answers and the defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from cli.options.bot_levels import OUT
from cli.words.said import LOOKING
from engine.levels import LEVELS, NORMAL

PASTE: Final = "paste"
CARRY_ON: Final = "carry-on"
NOT: Final = "no"
Said = Mapping[str, str]
"""Texts for terms, as in `cli.options.terms`."""
LIKELY_SEATS: Final = 4
BOTS: Final = "bots"
_MEANINGS: Final = ("with mistakes now and then", "a match for most people", "with a search ahead")
"""Of the levels."""
SKILL: Final = "skill"
"""How well the bots play: all of them alike here, one by one on the command line."""
GIVE_UP: Final = "give-up"
GIVES_UP: Final = "60"
PATIENCE: Final = ("15", "30", GIVES_UP, "120", "300")
MANY: Final = 3
"""So many numbers, one after the other, are told by the first and the last."""


def never(chosen: Mapping[str, str]) -> str:
    """No reason to refuse these values."""
    return ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several things; `note` says what it is, and `cloth` is that of a game.

    `begun`: a table that can only be watched.
    """

    value: str
    label: str
    note: str = ""
    begun: bool = False
    cloth: str = ""


@dataclass(frozen=True, slots=True)
class Pick:
    """Choose one; `note` is shown below, for instance why there is nothing to choose."""

    title: str
    choices: tuple[Choice, ...]
    note: str = ""

    @property
    def default(self) -> str:
        """The first one."""
        return self.choices[0].value if self.choices else ""


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a form: a value out of some.

    `text` says what it is about, and `meanings`, if there are any, what each value means.  A `rule`
    is a house rule: it may be left as it is, and is told only if it is not.  So may an `own` one,
    which is an option of its own on the command line.
    """

    name: str
    label: str
    values: tuple[str, ...]
    default: str
    text: str = ""
    meanings: tuple[str, ...] = ()
    rule: bool = False
    own: bool = False

    def told(self, value: str) -> str:
        """What this line is about, and what this value of it means."""
        meaning = self.meanings[self.values.index(value)] if self.meanings else ""
        return f"{self.text}; {value}: {meaning}" if meaning else self.text

    @property
    def range(self) -> str:
        """All values, in short."""
        first, last = self.values[0], self.values[-1]
        if len(self.values) < MANY or not (first.isdecimal() and last.isdecimal()):
            return ", ".join(self.values)
        whole = int(last) - int(first) == len(self.values) - 1
        return f"{first} to {last}" if whole else ", ".join(self.values)


@dataclass(frozen=True, slots=True)
class Form:
    """A few values at once; earlier ones may decide which others there are.

    `refuse` says why they do not go together, or nothing; `lasts` how long what they describe may
    take, where that can be said; `does` what Enter does.
    """

    title: str
    fields: Callable[[Mapping[str, str]], tuple[Field, ...]]
    refuse: Callable[[Mapping[str, str]], str] = never
    lasts: Callable[[Mapping[str, str]], str] = never
    does: str = "starts"

    @property
    def default(self) -> str:
        """All defaults."""
        return spell({field.name: field.default for field in self.fields({})})


@dataclass(frozen=True, slots=True)
class Text:
    """A line to be typed or pasted; `refuse` says why not, or nothing."""

    title: str
    note: str
    default: str
    refuse: Callable[[str], str] = lambda text: ""
    needed: bool = False
    """Whether `default` is only a placeholder for what is to be typed."""


Asked = Pick | Form | Text


@dataclass(frozen=True, slots=True)
class Offered:
    """A game as a menu needs it; `options` are its levels, if it has any, and its house rules.

    `refuse` says why these players and options do not go together, or nothing; `lasts` how long
    such a game may take, or nothing.
    """

    name: str
    title: str
    about: str
    seats: tuple[int, ...]
    options: tuple[Field, ...] = ()
    refuse: Callable[[Mapping[str, str]], str] = never
    cloth: str = ""
    carries: bool = False
    """Whether it can go on without a player."""
    races: bool = False
    """Whether the quickest player counts in it."""
    lasts: Callable[[Mapping[str, str]], str] = never


class Shelf(Protocol):
    """What there is to choose from."""

    def games(self) -> Sequence[Offered]:
        """The games."""

    def unfinished(self) -> Sequence[Choice]:
        """Tables to go back to, newest first; the value is the path of a log."""

    def saved(self) -> Sequence[Choice]:
        """Saved games, newest first; the value is the path of a log."""

    def nearby(self) -> Sequence[Choice] | None:
        """Tables on this network, by their invites; None until somebody has listened."""

    def counts(self) -> tuple[int, int]:
        """How many unfinished tables and saved games there are."""

    def settings(self) -> Sequence[Field]:
        """What this person may choose once and for all; the defaults are what is chosen now."""

    def own_name(self) -> str:
        """What others call this person."""

    def refuse_invite(self, text: str) -> str:
        """Why this is no invite, or nothing."""

    def refuse_name(self, text: str) -> str:
        """Why nobody can have this name, or nothing."""


def spell(chosen: Mapping[str, str]) -> str:
    """The values of a form as one answer."""
    return " ".join(f"{name}={value}" for name, value in chosen.items())


def read(answer: str) -> dict[str, str]:
    """The values that `spell` wrote."""
    return dict(pair.split("=", 1) for pair in answer.split())


def settle(form: Form, wanted: Mapping[str, str]) -> dict[str, str]:
    """Every field of a form with a possible value: the wanted one, or the nearest."""
    chosen: dict[str, str] = {}
    while len(fields := form.fields(chosen)) > len(chosen):
        field = fields[len(chosen)]
        value = wanted.get(field.name, field.default)
        chosen[field.name] = value if value in field.values else field.values[-1]
    return chosen


Flow = Callable[[Shelf], Generator[Asked, str, list[str]]]
"""Asks one question after another; what was chosen in the end, as words of a command."""


def dialogue(shelf: Shelf) -> Generator[Asked, str, list[str]]:
    """Ask until it is clear what to run: the arguments after `nodealer`."""
    what = yield _beginning(shelf)
    return (yield from _FLOWS[what](shelf))


def another(
    seats: int, now: Said, begin_with: Mapping[str, Mapping[str, str]] | None = None
) -> Flow:
    """Ask which game these people, so many, play next: its name, and its options as NAME=VALUE.

    `begin_with` has the options with which the form of a game begins, where they are not the usual.
    Terms are among them; they stay what they are `now` if nobody changes them.
    """

    def flow(shelf: Shelf) -> Generator[Asked, str, list[str]]:
        game = yield from _game(shelf, f"Which game do the {seats} of you play next?")
        chosen = {"seats": str(seats)}
        options = _as_before(game, begin_with or {})
        fields = (*sorted(options, key=lambda one: one.rule), *_terms(game, seats, now))
        form = Form(
            *(f"{game.title} for {seats}", lambda _: fields),
            refuse=lambda values: game.refuse({**chosen, **values}),
            lasts=lambda values: game.lasts({**chosen, **values}),
            does="proposes",
        )
        return [game.name, (yield form)]

    return flow


def changed(
    people: int, seats: int, now: Said, begin_with: Mapping[str, Mapping[str, str]]
) -> Flow:
    """Ask a host for another game, or other terms, while `people` of `seats` have sat down.

    The result is as that of `another`, with the number of seats among the pairs.
    """

    def flow(shelf: Shelf) -> Generator[Asked, str, list[str]]:
        game = yield from _game(shelf, "Which game is your table for now?")
        options = _as_before(game, begin_with)
        able = tuple(str(count) for count in game.seats if count >= people) or (str(people),)
        default = str(seats) if str(seats) in able else able[0]
        count = Field("seats", "players", able, default, f"How many play; {people} are here.")

        def fields(chosen: Mapping[str, str]) -> tuple[Field, ...]:
            first = (one for one in options if not one.rule)
            rules = (one for one in options if one.rule)
            terms = _terms(game, int(chosen.get("seats", default)), now)
            return (*first, count, *rules, *terms)

        form = Form(f"{game.title}: your table", fields, game.refuse, game.lasts, "changes it")
        return [game.name, spell(settle(form, read((yield form))))]

    return flow


def _as_before(game: Offered, begin_with: Mapping[str, Mapping[str, str]]) -> list[Field]:
    """The options of a game, with the values with which its form begins."""
    known = begin_with.get(game.name, {})
    return [replace(one, default=known.get(one.name, one.default)) for one in game.options]


def bots_here(levels: Mapping[str, str]) -> Flow:
    """Ask how well each of these bots plays, or whether it sits down at all: as NAME=LEVEL."""
    meanings = ("its seat is free", *_MEANINGS)
    fields = tuple(
        Field(name, name, (OUT, *LEVELS), level, f"How well {name} plays", meanings)
        for name, level in levels.items()
    )

    def flow(shelf: Shelf) -> Generator[Asked, str, list[str]]:
        chosen = yield Form("Your bots at this table", lambda _: fields, does="seats them")
        return chosen.split()

    return flow


def current(shelf: Shelf, answers: Sequence[str], flow: Flow = dialogue) -> Asked | list[str]:
    """The question that comes after these answers, or what is to be run."""
    asking = flow(shelf)
    asked = next(asking)
    try:
        for answer in answers:
            asked = asking.send(answer)
    except StopIteration as done:
        argv: list[str] = done.value
        return argv
    return asked


def foreseen(shelf: Shelf, answers: Sequence[str]) -> list[str]:
    """What would be run if everything from here on were answered by its default."""
    given = list(answers)
    while not isinstance(asked := current(shelf, given), list):
        if isinstance(asked, Pick) and not asked.choices:
            return []
        given.append(asked.default)
    return asked


def _beginning(shelf: Shelf) -> Pick:
    unfinished, saved = shelf.counts()
    return Pick(
        "What would you like to do?",
        (
            Choice("play", "play", "you against bots, on this machine"),
            Choice("host", "host", "open a table and invite people to it"),
            Choice("join", "join", "sit down at somebody's table"),
            Choice("watch", "watch", "look on at a table, and check everything"),
            Choice("resume", "resume", f"go back to a table that you left{_many(unfinished)}"),
            Choice("replay", "replay", f"step through a saved game{_many(saved)}"),
            Choice("rules", "rules", "how a game goes"),
            Choice("identity", "identity", "your name, and the words that prove it is you"),
            Choice("settings", "settings", "colours, pace, bell, size of the cards"),
        ),
    )


def _many(count: int) -> str:
    return f" ({count or 'none'})"


def _game(shelf: Shelf, title: str) -> Generator[Asked, str, Offered]:
    games = {game.name: game for game in shelf.games()}
    offered = (
        Choice(game.name, game.title, game.about, cloth=game.cloth) for game in games.values()
    )
    return games[(yield Pick(title, tuple(offered)))]


def _play(shelf: Shelf) -> Generator[Asked, str, list[str]]:
    game = yield from _game(shelf, "Which game would you like to play?")
    alone = (one for one in _terms(game, 1, {}) if one.name != CARRY_ON)
    fields = (*_table(game, _skill(game)), *alone)
    form = Form(f"{game.title}: you and bots", lambda chosen: fields, game.refuse, game.lasts)
    chosen = read((yield form))
    return ["play", game.name, *_typed(form, chosen)]


def _host(shelf: Shelf) -> Generator[Asked, str, list[str]]:
    game = yield from _game(shelf, "Which game is your table for?")

    def fields(chosen: Mapping[str, str]) -> tuple[Field, ...]:
        seats = chosen.get("seats", "1")
        bots = tuple(str(number) for number in range(int(seats)))
        of_them = [Field(BOTS, "of them bots", bots, "0", "The others are people.")]
        if chosen.get(BOTS, "0") != "0":
            of_them.append(_skill(game))
        patience = _give_up() if chosen.get(CARRY_ON, NOT) != NOT else ()
        terms = _terms(game, int(seats), {})
        return (*_table(game, *of_them), *terms, *patience)

    form = Form(f"{game.title}: a table for you and others", fields, game.refuse, game.lasts)
    chosen = settle(form, read((yield form)))
    return ["host", game.name, *_typed(form, chosen)]


def _table(game: Offered, *more: Field) -> tuple[Field, ...]:
    likely = min(game.seats, key=lambda seats: abs(seats - LIKELY_SEATS))
    text = "How many play; you are one of them."
    seats = Field("seats", "players", tuple(map(str, game.seats)), str(likely), text)
    levels = (one for one in game.options if not one.rule)
    return (*levels, seats, *more, *(one for one in game.options if one.rule))


def _skill(game: Offered) -> Field:
    text = f"How well the bots play{', and how fast they are' if game.races else ''}"
    return Field(SKILL, "bots play", LEVELS, NORMAL, text, _MEANINGS)


def _terms(game: Offered, seats: int, now: Said) -> Iterator[Field]:
    """The terms that can be chosen for such a table, with what they are now."""
    from cli.options.terms import TERMS  # noqa: PLC0415 (after the first picture)

    for one in TERMS:
        usual = now.get(one.name, one.usual)
        values = tuple(one.choices(game.carries, seats, usual))
        if values:
            default = usual if usual in values else one.usual
            yield Field(one.name, one.name, values, default, one.text, rule=True, own=True)


def _give_up() -> tuple[Field, ...]:
    """How soon this person is asked; a table that waits asks nobody."""
    text = f"Seconds until you are asked to go on without a lost player. It needs {CARRY_ON}."
    return (Field(GIVE_UP, GIVE_UP, PATIENCE, GIVES_UP, text, rule=True, own=True),)


def _typed(form: Form, chosen: Mapping[str, str]) -> Iterator[str]:
    """What was chosen, as the options of a command."""
    skill = chosen.get(SKILL, NORMAL)
    for field in form.fields(chosen):
        value = chosen[field.name]
        if field.name == SKILL:
            each = [skill] * int(chosen.get(BOTS, "1"))
            yield from (f"--{BOTS}", ",".join(each)) if skill != NORMAL else ()
        elif field.own:
            yield from (f"--{field.name}", value) if value != field.default else ()
        elif field.rule:
            yield from ("--option", f"{field.name}={value}") if value != field.default else ()
        elif field.name != BOTS or (value != "0" and skill == NORMAL):
            yield from (f"--{field.name}", value)


def _invite(shelf: Shelf, title: str, *, sits: bool) -> Generator[Asked, str, str]:
    heard = shelf.nearby()
    found = None if heard is None else [table for table in heard if not (sits and table.begun)]
    paste = Choice(PASTE, "paste an invite", "the line that its host sent you: ND1:...")
    if found is None:
        note = LOOKING
    else:
        note = "" if found else "Nobody announces a table on this network just now."
    chosen = yield Pick(title, (*(found or ()), paste), note)
    if chosen != PASTE:
        return chosen
    note = "The line begins with ND1: and may be pasted as it came."
    return (yield Text("The invite", note, "INVITE", shelf.refuse_invite, needed=True))


def _join(shelf: Shelf) -> Generator[Asked, str, list[str]]:
    return ["join", (yield from _invite(shelf, "Whose table?", sits=True))]


def _watch(shelf: Shelf) -> Generator[Asked, str, list[str]]:
    title = "Which table would you like to watch?"
    return ["watch", (yield from _invite(shelf, title, sits=False))]


def _resume(shelf: Shelf) -> Generator[Asked, str, list[str]]:
    found = tuple(shelf.unfinished())
    none = "" if found else "There is no table that you left before its end."
    return ["resume", (yield Pick("Which table do you go back to?", found, none))]


def _replay(shelf: Shelf) -> Generator[Asked, str, list[str]]:
    found = tuple(shelf.saved())
    none = "" if found else "No game is saved yet: play one first."
    return ["replay", (yield Pick("Which game, the newest first?", found, none))]


def _rules(shelf: Shelf) -> Generator[Asked, str, list[str]]:
    game = yield from _game(shelf, "The rules of which game?")
    return ["rules", game.name]


def _identity(shelf: Shelf) -> Generator[Asked, str, list[str]]:
    known = shelf.own_name()
    note = (
        "Enter keeps it, and shows the words of your key. The key stays, whatever you are called."
    )
    name = yield Text("What shall others call you?", note, known, shelf.refuse_name)
    return ["id", *(["--name", name] if name != known else [])]


def _settings(shelf: Shelf) -> Generator[Asked, str, list[str]]:
    title = "Your settings, for every game"
    form = Form(title, lambda chosen: tuple(shelf.settings()), does="keeps them")
    chosen = read((yield form))
    changed = [one for one in form.fields(chosen) if chosen[one.name] != one.default]
    return ["settings", *(f"{one.name}={chosen[one.name]}" for one in changed)]


_FLOWS: Final[Mapping[str, Flow]] = {
    "play": _play,
    "host": _host,
    "join": _join,
    "watch": _watch,
    "resume": _resume,
    "replay": _replay,
    "rules": _rules,
    "identity": _identity,
    "settings": _settings,
}

"""What the menu knows between two pictures, and what each key does.  No terminal."""

from __future__ import annotations

from typing import Final

from cli.kit.bindings import HELP, LEAVE, Where, meant
from cli.menu.asked import (
    Asked,
    Field,
    Flow,
    Form,
    Pick,
    Shelf,
    Text,
    current,
    dialogue,
    foreseen,
    settle,
    spell,
)
from p2p.installation import command_line

LONGEST: Final = 400
"""An invite with three addresses is shorter."""
ALIGNED: Final = 24
"""The longest name beside which notes are aligned below each other."""
DIGITS: Final = 9
"""How many choices have a digit of their own."""
PICK_HELP: Final = (
    "Arrows mark a line, Enter opens it. The number before a line opens it at once; so does the "
    "first letter of its name, if no other begins so. Esc closes this help, and then goes one page "
    "back; q leaves."
)
FORM_HELP: Final = (
    "Up and Down go to a line, Left and Right change its value; a number may also be typed. Enter "
    "goes on with all values as they stand. Esc closes this help, and then goes one page back; q "
    "leaves."
)


class Menu:
    """The questions so far, and where the cursor is; `extra` goes into every command.

    `argv` is what is to be run, once that is clear; `left` is set if the user wants nothing.
    A `flow` of its own is asked over a table: whoever wants nothing goes back to that.
    """

    def __init__(
        self,
        shelf: Shelf,
        extra: tuple[str, ...] = (),
        *,
        theme: str = "none",
        flow: Flow | None = None,
    ) -> None:
        self.theme: Final = theme
        self.over_a_table: Final = flow is not None
        self._flow: Final = flow or dialogue
        self._shelf: Final = shelf
        self._extra: Final = extra
        self._answers: list[str] = []
        self.argv: list[str] | None = None
        self.left = False
        self.foresees = False
        """Whether `command` may look things up already."""
        self.cursor = 0
        self.chosen: dict[str, str] = {}
        self._kept: Final[dict[tuple[str, ...], dict[str, str]]] = {}
        """What was chosen in forms that were left by going back, by the answers before them."""
        self.typed = ""
        self.notice = ""
        self._moved = False
        self.asked: Asked = Pick("", ())
        self._ask()

    @property
    def done(self) -> bool:
        """Whether there is nothing more to ask."""
        return self.left or self.argv is not None

    @property
    def looks_around(self) -> bool:
        """Whether tables on this network would be shown."""
        return self._answers in (["join"], ["watch"])

    def fields(self) -> tuple[Field, ...]:
        """The lines of the form that is asked."""
        return self.asked.fields(self.chosen) if isinstance(self.asked, Form) else ()

    def command(self) -> str:
        """What would be run if everything from here on were answered by Enter."""
        answer = self._answer()
        if not self.foresees or (not answer and isinstance(self.asked, Pick)):
            return ""
        found = foreseen(self._shelf, [*self._answers, answer or self.asked.default])
        return command_line(*found, *self._extra) if found else ""

    def refresh(self) -> None:
        """Take new choices; a cursor that was moved stays where it was."""
        asked = current(self._shelf, self._answers, self._flow)
        if not isinstance(self.asked, Pick) or not isinstance(asked, Pick):
            return
        value = self._answer()
        self.asked = asked
        values = [choice.value for choice in asked.choices]
        self.cursor = values.index(value) if self._moved and value in values else 0

    def press(self, key: str) -> None:
        """One key: a character, or a name ("left", "enter", "c-c")."""
        helped, self.notice = self.notice in (FORM_HELP, PICK_HELP), ""
        self._moved = True
        meaning = meant(key, Where.MENU)
        if key in LEAVE.keys:
            self.left = True
        elif isinstance(self.asked, Text):
            self._write(self.asked, key)
        elif meaning is LEAVE:
            self.left = True
        elif key in ("escape", "backspace"):
            if not helped:  # else that is what goes
                self._back()
        elif key == "enter":
            self._enter()
        elif meaning is HELP:
            self.notice = FORM_HELP if isinstance(self.asked, Form) else PICK_HELP
        elif isinstance(self.asked, Form):
            self._turn(key)
        else:
            self._choose(self.asked, key)

    def mark(self, answer: str) -> None:
        """Put the cursor on this answer, if it is one of those that are shown."""
        if isinstance(self.asked, Pick):
            values = [choice.value for choice in self.asked.choices]
            self.cursor = values.index(answer) if answer in values else 0

    def paste(self, text: str) -> None:
        """Put pasted text where a line is typed, and nowhere else."""
        if isinstance(self.asked, Text):
            clean = "".join(letter for letter in text if letter.isprintable())
            self.typed = (self.typed + clean)[:LONGEST]

    def _answer(self) -> str:
        """What Enter would answer now."""
        if isinstance(self.asked, Text):
            return self.typed.strip()
        if isinstance(self.asked, Form):
            return spell(self.chosen)
        return self.asked.choices[self.cursor].value if self.asked.choices else ""

    def _ask(self) -> None:
        found = current(self._shelf, self._answers, self._flow)
        self.cursor, self.typed, self._moved = 0, "", False
        if isinstance(found, list):
            self.argv = [*found, *self._extra]
            return
        self.asked = found
        kept = self._kept.get(tuple(self._answers), {})
        self.chosen = settle(found, kept) if isinstance(found, Form) else {}

    def _enter(self) -> None:
        answer = self._answer()
        if isinstance(self.asked, Form):
            self.notice = self.asked.refuse(self.chosen)
        if answer and not self.notice:
            self._answers.append(answer)
            self._ask()

    def _back(self) -> None:
        """Go one question back, with the cursor on the answer given there."""
        if not self._answers:
            self.left = self.over_a_table
            return
        self._kept[tuple(self._answers)] = self.chosen
        answer = self._answers.pop()
        self._ask()
        self.mark(answer)

    def _choose(self, asked: Pick, key: str) -> None:
        count = len(asked.choices)
        if key in _STEPS and count:
            # A single step goes on from the last to the first; a page stops at the end of the list.
            step = _STEPS[key]
            there = self.cursor + step
            self.cursor = there % count if abs(step) == 1 else max(0, min(count - 1, there))
        elif key.isdecimal() and 0 < int(key) <= min(count, DIGITS):
            self.cursor = int(key) - 1
            self._enter()
        elif len(key) == 1:
            self._by_letter(asked, key.lower())

    def _by_letter(self, asked: Pick, letter: str) -> None:
        """Take the only choice that begins with this letter; of several, mark the next one."""
        found = [i for i, one in enumerate(asked.choices) if one.label.lower().startswith(letter)]
        if not found:
            return
        self.cursor = next((i for i in found if i > self.cursor), found[0])
        if len(found) == 1:
            self._enter()

    def _turn(self, key: str) -> None:
        fields = self.fields()
        field = fields[self.cursor]
        at = field.values.index(self.chosen[field.name])
        if not key.isdecimal():
            self.typed = ""
        if key in ("up", "down", "tab"):
            self.cursor = (self.cursor + (-1 if key == "up" else 1)) % len(fields)
        elif key in _TURNS:
            at = max(0, min(len(field.values) - 1, at + _TURNS[key]))
            self._set(field, field.values[at])
        elif key.isdecimal():
            self._digit(field, key)

    def _digit(self, field: Field, key: str) -> None:
        """The digits of a number, one after the other, as long as they are the beginning of one."""
        number = self.typed + key
        if not any(value.startswith(number) for value in field.values):
            number = key
        self.typed = number if any(value.startswith(number) for value in field.values) else ""
        if number in field.values:
            self._set(field, number)
        elif not self.typed:
            self.notice = f"{field.label}: {field.range}."

    def _set(self, field: Field, value: str) -> None:
        assert isinstance(self.asked, Form)
        self.chosen = settle(self.asked, {**self.chosen, field.name: value})

    def _write(self, asked: Text, key: str) -> None:
        if key == "enter":
            self.typed = self.typed.strip()
            self.notice = asked.refuse(self.typed or asked.default)
            if not self.notice:
                self.typed = self.typed or asked.default
                self._enter()
        elif key == "escape" or (key == "backspace" and not self.typed):
            self._back()
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif len(key) == 1 and len(self.typed) < LONGEST:
            self.typed += key


_TURNS: Final = {"left": -1, "-": -1, "right": 1, "+": 1, "pageup": -10, "pagedown": 10}
_STEPS: Final = {"up": -1, "down": 1, "tab": 1, "pageup": -10, "pagedown": 10}

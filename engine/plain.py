"""Copying and encoding a table, by code generated once for each class.

A table holds plain values only, and its annotations say which.  From them two functions are
generated, as `dataclasses` generates `__init__`: one copies the table and links its zones anew, the
other lays out the whole public state as a list of integers.  Every list is preceded by its length
and every optional value by a flag, so two different states never give the same integers.
Annotations may name int, bool, str, enums, Card, Deck, Zone, lists, tuples and dicts of these,
`X | None`, and dataclasses whose fields are of this kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin

from engine.cards import Card, Deck
from engine.compiling import hints
from engine.errors import EngineError
from engine.zone import Zone, twins

NOT_COPIED = frozenset({"notes"})
"""A twin of a table tells nobody what happens."""
FOR_PEOPLE: Final[Mapping[str, str]] = MappingProxyType({"for": "people"})
"""The metadata of fields that only people need, and bots: they are copied, and not encoded."""
LAST = "lost"
"""The list of seats that is encoded after all else, and only if it is not empty: so the digests of
a table that nobody has left are those of an engine that did not know of leaving."""


def copier(cls: type) -> Callable[[Any], Any]:
    """The function that copies an instance of a table class."""
    writer = _Writer()
    lines = ["zones = new.zones = twins(old.zones)"]
    lines += [f"new.{name} = None" for name in NOT_COPIED]
    for name, hint in _fields(cls):
        if name != "zones" and name not in NOT_COPIED:
            lines.append(f"new.{name} = {writer.copied(hint, f'old.{name}')}")
    return writer.compiled("old", ["new = cls.__new__(cls)", *lines, "return new"], cls)


def integers(cls: type) -> Callable[[Any], list[int]]:
    """The function that lays an instance of a table class out as integers."""
    writer = _Writer()
    parts = ["len(old.zones), *[v for zone in old.zones for v in (len(zone), *zone)]"]
    encoded = state_of(cls)
    for name, hint in _fields(cls):
        if name in encoded and name not in ("zones", LAST):
            parts.append(writer.laid_out(hint, f"old.{name}"))
    if hasattr(cls, LAST):
        parts.append(f"*((len(old.{LAST}), *old.{LAST}) if old.{LAST} else ())")
    return writer.compiled("old", [f"return [{', '.join(parts)}]"], cls)


def readable(value: object) -> object:
    """A plain value in JSON's types, for dumps of a state that differs."""
    if value is None or type(value) is int or type(value) is str:
        return value
    if isinstance(value, Card | Deck | Enum):
        return value.name
    if isinstance(value, Zone):
        return {"zone": value.name, "owner": value.owner, "slots": list(value)}
    if isinstance(value, list | tuple):
        return [readable(item) for item in value]
    if isinstance(value, dict):
        return {str(readable(key)): readable(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: readable(getattr(value, part.name)) for part in fields(value)}
    return value


def state_of(cls: type) -> frozenset[str]:
    """The fields of a table class that are encoded."""
    names = {part.name for part in fields(cls) if part.metadata != FOR_PEOPLE}
    return frozenset(names - NOT_COPIED)


def _fields(cls: type) -> list[tuple[str, Any]]:
    stated = hints(cls)
    return [(part.name, stated[part.name]) for part in fields(cls)]


def _text(value: str) -> tuple[int, ...]:
    data = value.encode()
    return (len(data), *data)


class _Writer:
    """Writes expressions; each comprehension gets variables of its own."""

    def __init__(self) -> None:
        self._names = 0
        self._classes: dict[str, type] = {}

    def compiled(self, argument: str, lines: list[str], cls: type) -> Callable[[Any], Any]:
        body = "\n".join(f"    {line}" for line in lines)
        space: dict[str, Any] = {"cls": cls, "twins": twins, "text": _text, **self._classes}
        exec(f"def made({argument}):\n{body}\n", space)
        made: Callable[[Any], Any] = space["made"]
        return made

    def copied(self, hint: Any, value: str) -> str:
        """An expression for a copy of `value`, whose annotation is `hint`."""
        if _immutable(hint):
            return value
        inner, kind = _optional(hint), get_origin(hint)
        if inner is not None:
            return f"(None if {value} is None else {self.copied(inner, value)})"
        if hint is Zone:
            return f"zones[{value}.id]"
        if kind is list and _immutable(get_args(hint)[0]):
            return f"{value}[:]"
        if kind in (list, tuple):
            return self._copied_items(hint, value)
        if kind is dict:
            if all(map(_immutable, get_args(hint))):
                return f"{value}.copy()"
            key, item = self._name(), self._name()
            made = self.copied(get_args(hint)[1], item)
            return f"{{{key}: {made} for {key}, {item} in {value}.items()}}"
        parts = self._parts(hint, value)
        made = ", ".join(f"{name}={self.copied(part, at)}" for name, part, at in parts)
        return f"{self._class(hint)}({made})"

    def _copied_items(self, hint: Any, value: str) -> str:
        args = get_args(hint)
        if get_origin(hint) is tuple and Ellipsis not in args:
            made = ", ".join(self.copied(part, f"{value}[{i}]") for i, part in enumerate(args))
            return f"({made},)"
        item = self._name()
        items = f"[{self.copied(args[0], item)} for {item} in {value}]"
        return items if get_origin(hint) is list else f"tuple({items})"

    def laid_out(self, hint: Any, value: str) -> str:
        """Items of a list display that lay out `value` as integers."""
        inner, kind = _optional(hint), get_origin(hint)
        if inner in (Card, Zone):
            return f"-1 if {value} is None else {value}.id"
        if inner is not None:
            return f"*((0,) if {value} is None else (1, {self.laid_out(inner, value)}))"
        if hint in (int, bool):
            return value
        if hint in (Card, Zone):
            return f"{value}.id"
        if hint is str:
            return f"*text({value})"
        if hint is Deck or _is_enum(hint):
            return f"*text({value}.name)"
        if kind in (list, tuple):
            return self._laid_out_items(hint, value)
        if kind is dict:
            key, item, one = self._name(), self._name(), self._name()
            key_type, item_type = get_args(hint)
            pair = f"{self.laid_out(key_type, key)}, {self.laid_out(item_type, item)}"
            each = f"for {key}, {item} in {value}.items() for {one} in ({pair},)"
            return f"len({value}), *[{one} {each}]"
        return ", ".join(self.laid_out(part, at) for _, part, at in self._parts(hint, value))

    def _laid_out_items(self, hint: Any, value: str) -> str:
        args = get_args(hint)
        if get_origin(hint) is tuple and Ellipsis not in args:
            return ", ".join(self.laid_out(part, f"{value}[{i}]") for i, part in enumerate(args))
        if args[0] in (int, bool):
            return f"len({value}), *{value}"
        item, one = self._name(), self._name()
        made = self.laid_out(args[0], item)
        if _single(args[0]):
            return f"len({value}), *[{made} for {item} in {value}]"
        return f"len({value}), *[{one} for {item} in {value} for {one} in ({made},)]"

    def _parts(self, hint: Any, value: str) -> list[tuple[str, Any, str]]:
        if not is_dataclass(hint) or not isinstance(hint, type):
            raise EngineError(f"a table cannot hold {hint!r}: it is not plain")
        return [(name, part, f"{value}.{name}") for name, part in _fields(hint)]

    def _class(self, cls: type) -> str:
        self._classes[f"cls_{len(self._classes)}"] = cls
        return f"cls_{len(self._classes) - 1}"

    def _name(self) -> str:
        self._names += 1
        return f"v{self._names}"


def _single(hint: Any) -> bool:
    """Whether a value of this annotation is laid out as exactly one integer."""
    return hint in (int, bool, Card, Zone) or _optional(hint) in (Card, Zone)


def _optional(hint: Any) -> Any:
    """X for `X | None`, otherwise None."""
    if get_origin(hint) not in (Union, UnionType):
        return None
    inner = [part for part in get_args(hint) if part is not NoneType]
    if len(inner) != 1 or len(get_args(hint)) != 2:
        raise EngineError(f"a table cannot hold {hint!r}: only `X | None` is plain")
    return inner[0]


def _is_enum(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Enum)


def _immutable(hint: Any) -> bool:
    if hint in (int, bool, str, Card, Deck) or _is_enum(hint):
        return True
    inner = _optional(hint)
    if inner is not None:
        return _immutable(inner)
    if get_origin(hint) is tuple:
        return all(part is Ellipsis or _immutable(part) for part in get_args(hint))
    if is_dataclass(hint) and isinstance(hint, type) and _frozen(hint):
        return all(_immutable(part) for _, part in _fields(hint))
    return False


def _frozen(cls: Any) -> bool:
    return bool(cls.__dataclass_params__.frozen)

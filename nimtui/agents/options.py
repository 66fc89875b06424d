"""Parsing of the options in an agent's name: KEY=VALUE,… after the colon."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TypeVar

from nimtui.errors import InputError, decimal, shortened, unknown, whole_number
from nimtui.trees.settings import LEAST_SECONDS, MOST_SECONDS, no_time

E = TypeVar("E", bound=Enum)


class Options:
    """The options of one agent's name, by key. Raises InputError for an unknown or duplicate option."""

    def __init__(self, agent: str, text: str, keys: Sequence[str] = ()) -> None:
        self.agent = agent
        self._given: dict[str, str] = {}
        for part in text.split(",") if text.strip() else ():
            key, equals, value = (piece.strip() for piece in part.partition("="))
            key = key.lower()
            if not keys:
                raise InputError(f"{agent} has no options: leave out '{shortened(text)}'")
            if not equals or not value:
                options = ", ".join(f"{key}=…" for key in keys)
                raise InputError(f"invalid option '{shortened(part)}' of {agent}: expected {options}")
            if key not in keys:
                raise unknown(f"option of {agent}", key, keys)
            if key in self._given:
                raise InputError(f"the option '{key}' of {agent} is given twice")
            self._given[key] = value

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`. Raises InputError for any other value."""
        given = self._given.get(key)
        return default if given is None else whole_number(given, key, low, high)

    def seconds(self, key: str) -> float:
        """Return a time from 1 ms to an hour, 0 if the option is not given. Raises InputError for any other value."""
        given = self._given.get(key)
        if given is None:
            return 0.0
        try:
            found = decimal(given)
        except ValueError:
            found = 0.0
        if not LEAST_SECONDS <= found <= MOST_SECONDS:
            raise InputError(no_time(given))
        return found

    def choice(self, key: str, default: E) -> E:
        """Return a member of the default's enum. Raises InputError for an unknown value."""
        given = self._given.get(key)
        if given is None:
            return default
        named = {str(member.value): member for member in type(default)}
        if given.lower() not in named:
            raise unknown(key, given, named)
        return named[given.lower()]


def canonical(agent: str, options: dict[str, tuple[object, object]]) -> str:
    """Return the agent's name with the options that differ from their defaults (key: value, default)."""
    told = [
        f"{key}={value.value if isinstance(value, Enum) else value}"
        for key, (value, default) in options.items()
        if value != default
    ]
    return agent + (":" + ",".join(told) if told else "")

"""Parsing of the options in an agent's name: KEY=VALUE,… after the colon."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TypeVar

from nimtui.errors import InputError, decimal, options_of, shortened, unknown, whole_number
from nimtui.trees.settings import LEAST_SECONDS, MOST_SECONDS, no_time

E = TypeVar("E", bound=Enum)


class Options:
    """The options of one agent's name, by key. Raises InputError for an unknown or duplicate option."""

    def __init__(self, agent: str, text: str, keys: Sequence[str] = ()) -> None:
        if text.strip() and not keys:
            raise InputError(f"{agent} has no options: leave out '{shortened(text)}'")
        self.agent = agent
        self._values = options_of(text, "option", agent, keys)

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`. Raises InputError for any other value."""
        text = self._values.get(key)
        return default if text is None else whole_number(text, key, low, high)

    def seconds(self, key: str) -> float:
        """Return a time from 1 ms to an hour, 0 if the option is not given. Raises InputError for any other value."""
        text = self._values.get(key)
        if text is None:
            return 0.0
        try:
            seconds = decimal(text)
        except ValueError:
            seconds = 0.0
        if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
            raise InputError(no_time(text))
        return seconds

    def choice(self, key: str, default: E) -> E:
        """Return a member of the default's enum. Raises InputError for an unknown value."""
        text = self._values.get(key)
        if text is None:
            return default
        members = {str(member.value): member for member in type(default)}
        if text.lower() not in members:
            raise unknown(key, text, members)
        return members[text.lower()]


def canonical(agent: str, options: dict[str, tuple[object, object]]) -> str:
    """Return the agent's name with the options that differ from their defaults (key: value, default)."""
    parts = [
        f"{key}={value.value if isinstance(value, Enum) else value}"
        for key, (value, default) in options.items()
        if value != default
    ]
    return agent + (":" + ",".join(parts) if parts else "")

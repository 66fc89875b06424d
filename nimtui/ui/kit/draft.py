"""The state of a form: a table of fields, each with its text, its meaning and its suggestions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

from nimtui.errors import InputError

Setup = TypeVar("Setup")


@dataclass(frozen=True, slots=True)
class Finding:
    """The check of one field: whether it is valid, and its meaning or error in one line."""

    right: bool
    text: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A suggested value of a field."""

    value: str
    label: str
    detail: str = ""


@dataclass(frozen=True)
class Entry:
    """One field of a form. Its functions are given the draft, which knows the other fields, and its text."""

    name: str
    label: str
    meaning: Callable[[Any, str], str]  # what the text means, in a few words; InputError where it means nothing
    hint: str | Callable[[Any], str]  # how it is written, in a sentence
    offers: Sequence[Offer] | Callable[[Any], Iterable[Offer]] = ()  # what could stand there, for choosing
    placeholder: str = ""  # what is seen where it is empty
    usual: str = ""  # its text by default
    key: str = ""  # the key of its text, if several fields share the name; '': the name


@dataclass(frozen=True)
class Draft(ABC, Generic[Setup]):
    """The texts of a form as typed so far, by the keys of their fields. What is typed next makes another draft."""

    texts: Mapping[str, str]

    @property
    @abstractmethod
    def entries(self) -> Sequence[Entry]:
        """The fields as they are now, from the top: what is typed in one may call for others."""

    @abstractmethod
    def setup(self) -> Setup:
        """Return what these texts mean together. InputError where one is wrong, or they contradict each other."""

    @cached_property
    def _by_name(self) -> dict[str, Entry]:
        return {entry.name: entry for entry in self.entries}

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all fields, from the top."""
        return tuple(self._by_name)

    def entry(self, name: str) -> Entry:
        """Return the field of this name."""
        return self._by_name[name]

    def text(self, name: str) -> str:
        """Return what stands in a field."""
        if name in self.texts:
            return self.texts[name]
        entry = self.entry(name)
        return self.texts.get(entry.key or name, entry.usual)

    def with_text(self, name: str, text: str) -> Self:
        """Return the draft with what the person has put into a field."""
        return replace(self, texts={**self.texts, self.entry(name).key or name: text})

    def with_choice(self, name: str, value: str) -> Self:
        """Return the draft with what the person has chosen for a field."""
        return self.with_text(name, value)

    def settled(self, name: str) -> Self:
        """Return the draft when the person enters this field, having left the one that was typed in."""
        return self

    def offered(self, name: str) -> str:
        """Return the value under which what stands in a field is offered, if it is."""
        return self.text(name).strip()

    def finding(self, name: str) -> Finding:
        """Return the check of one field."""
        try:
            return Finding(True, self.entry(name).meaning(self, self.text(name)))
        except InputError as wrong:
            return Finding(False, str(wrong))

    def check(self) -> dict[str, Finding]:
        """Return the check of each field."""
        found = {name: self.finding(name) for name in self.fields}
        if all(finding.right for finding in found.values()):
            try:
                self.examine()
            except InputError as wrong:
                found[self.field_of(str(wrong))] = Finding(False, str(wrong))
        return found

    def examine(self) -> None:
        """Try texts that are right one by one. InputError where they contradict each other."""
        self.setup()

    def field_of(self, wrong: str) -> str:
        """Return the field where it is said that the texts contradict each other: the one named first, or the first."""
        first = wrong.partition(" ")[0]
        return first if first in self.fields else self.fields[0]

    def hint(self, name: str) -> str:
        """Return how a field is written, in a sentence."""
        hint = self.entry(name).hint
        return hint if isinstance(hint, str) else hint(self)

    def lists_for(self, name: str) -> str:
        """Return what the suggestions of a field depend on: while the person stays in it, a change lists them again."""
        return ""

    def offers(self, name: str) -> list[Offer]:
        """Return what could stand in a field, for choosing."""
        offers = self.entry(name).offers
        return list(offers(self) if callable(offers) else offers)

    @property
    def size(self) -> str:
        """How much work the setup is; '' if unknown, or if the form does not say."""
        return ""

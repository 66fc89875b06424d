"""A form without a screen: a table of typed fields, and the texts that a person has typed into them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, runtime_checkable

from nimtui.errors import InputError, valid
from nimtui.report.copies import Copy

Setup = TypeVar("Setup")
T = TypeVar("T")


@runtime_checkable
class Commandable(Protocol):
    """A setup that a command line starts, too."""

    @property
    def command(self) -> Copy:
        """The command line, to be copied."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The check of one field: whether it is valid, and its meaning or error in one line."""

    right: bool
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a list: its value, its label, its detail."""

    value: str
    label: str
    detail: str = ""
    key: str = ""  # the letter that takes it at once, shown in front


@dataclass(frozen=True)
class Field(Generic[T]):
    """One field of a form. Its functions are given the draft, which knows the other fields."""

    name: str
    label: str
    read: Callable[[Any, str], T]  # the value that a text stands for; InputError where it stands for none
    meaning: str | Callable[[Any, T], str]  # what a value means, in a few words
    hint: str | Callable[[Any], str]  # how it is written, in a sentence
    offers: Sequence[Choice] | Callable[[Any], Iterable[Choice]] = ()  # what could stand there, for choosing
    placeholder: str = ""  # what is seen where it is empty
    usual: str = ""  # its text by default
    key: str = ""  # the key of its text, if several fields share the name; '': the name
    written: Callable[[Any], str] | None = None  # its text in a setup; None: the attribute of this name


@dataclass(frozen=True)
class Draft(ABC, Generic[Setup]):
    """The texts of a form as typed so far, by the keys of their fields. What is typed next makes another draft."""

    FIELDS: ClassVar[Sequence[Field[Any]]] = ()  # those that the form always has

    texts: Mapping[str, str]

    @classmethod
    def of(cls, setup: Setup) -> Self:
        """Return the form of a setup."""
        return cls(cls.written(setup))

    @classmethod
    def written(cls, setup: Setup) -> dict[str, str]:
        """Return the texts of a setup in the fields that the form always has."""
        return {
            field.name: field.written(setup) if field.written is not None else str(getattr(setup, field.name))
            for field in cls.FIELDS
        }

    @property
    def entries(self) -> Sequence[Field[Any]]:
        """The fields as they are now, from the top: what is typed in one may call for others."""
        return self.FIELDS

    @abstractmethod
    def setup(self) -> Setup:
        """Return what these texts mean together. InputError where one is wrong, or they contradict each other."""

    @cached_property
    def _by_name(self) -> dict[str, Field[Any]]:
        return {field.name: field for field in self.entries}

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all fields, from the top."""
        return tuple(self._by_name)

    def entry(self, name: str) -> Field[Any]:
        """Return the field of this name."""
        return self._by_name[name]

    def text(self, name: str) -> str:
        """Return what stands in a field."""
        if name in self.texts:
            return self.texts[name]
        field = self.entry(name)
        return self.texts.get(field.key or name, field.usual)

    def value(self, name: str) -> Any:
        """Return the value that stands in a field. InputError where none does."""
        return self.entry(name).read(self, self.text(name))

    def values(self) -> dict[str, Any]:
        """Return the values of the fields that the form always has. InputError where one has none."""
        return {field.name: self.value(field.name) for field in self.FIELDS}

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
        meaning = self.entry(name).meaning
        try:
            value = self.value(name)
            return Finding(True, meaning if isinstance(meaning, str) else meaning(self, value))
        except InputError as wrong:
            return Finding(False, str(wrong))

    def check(self) -> dict[str, Finding]:
        """Return the check of each field."""
        findings = {name: self.finding(name) for name in self.fields}
        if all(finding.right for finding in findings.values()):
            try:
                self.examine()
            except InputError as wrong:
                findings[self.field_of(str(wrong))] = Finding(False, str(wrong))
        return findings

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
        return hint if isinstance(hint, str) else str(hint(self))

    def lists_for(self, name: str) -> str:
        """Return what the suggestions of a field depend on: while the person stays in it, a change lists them again."""
        return ""

    def offers(self, name: str) -> list[Choice]:
        """Return what could stand in a field, for choosing."""
        offers = self.entry(name).offers
        return list(offers(self) if callable(offers) else offers)

    @property
    def command(self) -> Copy | None:
        """The command that does the same, if there is one, and nothing is wrong."""
        setup = valid(self.setup)
        return setup.command if isinstance(setup, Commandable) else None

    @property
    def size(self) -> str:
        """How much work the setup is; '' if unknown, or if the form does not say."""
        return ""


def best(text: str, offers: Sequence[Choice]) -> Choice | None:
    """Return the first offer that fits a typed text: its label, the start of the label or of a word, any part."""
    text = text.strip().casefold()
    labels = [(offer.label.casefold(), offer) for offer in offers]
    tests = (
        lambda label: label == text,
        lambda label: label.startswith(text),
        lambda label: any(word.startswith(text) for word in label.split()),
        lambda label: text in label,
    )
    return next((offer for test in tests for label, offer in labels if text and test(label)), None)

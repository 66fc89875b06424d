"""The fields of a training: a game, a learner, the constants that this learner has, how long it learns."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, ClassVar

from nimtui.errors import InputError
from nimtui.learning.graph_table import why_untrainable
from nimtui.learning.learner import learners, make, parse_learner, spec
from nimtui.learning.parameter import Parameter, value_text
from nimtui.ui.kit.draft import Draft, Entry, Offer, Setup
from nimtui.ui.kit.entries import game_entry, parse_game, parse_seed, presets, seed_entry
from nimtui.ui.train.setup import ENDLESS, NOBODY, PERFECT, TrainSetup, parse_goal

ORDER = ("reward", "quality", "q", "average", "proof")  # the first shown; any others follow by name


def ordered() -> list[tuple[str, ModuleType]]:
    """Return all learners, the originals' first."""
    return sorted(learners().items(), key=lambda item: (ORDER.index(item[0]) if item[0] in ORDER else 99, item[0]))


@lru_cache(1)
def trainable() -> tuple[tuple[str, str], ...]:
    """Return the games offered that can have a table: what people call them, and their names."""
    return tuple((title, game) for title, game in presets() if why_untrainable(parse_game(game)) is None)


def typed(value: Any) -> str:
    """Return a constant as it is typed, without commas."""
    return value_text(value).replace(",", "")


def _who_learns(draft: LearnerDraft[Any], text: str) -> str:
    if ":" in text:
        raise InputError("only its name: its constants have fields of their own below")
    parse_learner(text)
    return str(learners()[draft.word].ABOUT)


def _rival(draft: TrainDraft, text: str) -> str:
    alone = text.strip().lower() in ("", NOBODY)
    return "one learner alone" if alone else f"beside it: {spec(parse_learner(text))}"


def _goal(draft: TrainDraft, text: str) -> str:
    goal = parse_goal(text)
    if goal.perfect:
        return "until every position is played right"
    return "games, then it stops" if goal.games is not None else "until you stop it"


def _learners(draft: Any) -> Iterable[Offer]:
    return [Offer(word, word, str(module.ABOUT)) for word, module in ordered()]


LEARNER = Entry(
    "learner",
    "Learner",
    _who_learns,
    lambda draft: str(draft.module.ABOUT) if draft.module is not None else "who learns",
    _learners,
    "who learns",
)
RIVAL = Entry(
    "rival",
    "Beside it",
    _rival,
    "a second learner on the same game and seed, with its constants: quality:margin=50; or nobody",
    lambda draft: [Offer("", NOBODY, "one learner alone"), *_learners(draft)],
    NOBODY,
)
GOAL = Entry(
    "goal",
    "Games",
    _goal,
    f"a number of games, or {PERFECT}, or {ENDLESS}",
    (
        Offer("5,000,000", "5,000,000", "as the first original"),
        Offer("15,000", "15,000", "as the fourth original"),
        Offer(PERFECT, PERFECT, "until every position is right"),
        Offer(ENDLESS, ENDLESS, "until you stop it"),
    ),
    f"a number, {PERFECT} or {ENDLESS}",
)


class LearnerDraft(Draft[Setup]):
    """A form with a game, a learner and a field for each constant of it.

    The constants of every learner are kept while another is looked at.
    """

    GAME: ClassVar[Entry]
    MORE: ClassVar[Sequence[Entry]]  # below the constants

    @abstractmethod
    def constant(self, name: str, parameter: Parameter) -> Entry:
        """Return the field of a constant."""

    @property
    def word(self) -> str:
        """The learner's name as it was typed."""
        return self.texts["learner"].strip().lower()

    @property
    def module(self) -> ModuleType | None:
        """The learner that is named; None while there is no such learner."""
        return learners().get(self.word)

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The constants of the learner that is named."""
        return self.module.PARAMETERS if self.module is not None else {}

    @property
    def entries(self) -> Sequence[Entry]:
        constants = (self.constant(name, parameter) for name, parameter in self.parameters.items())
        return (self.GAME, LEARNER, *constants, *self.MORE)

    def key(self, constant: str) -> str:
        """Return the key under which the text of a constant is kept."""
        return f"{self.word}:{constant}"

    def usual(self, constant: str) -> str:
        """Return the default of a constant, as it is typed."""
        return typed(self.module.LEARNER._field_defaults[constant]) if self.module is not None else ""

    def field_of(self, wrong: str) -> str:
        named = wrong.partition(" ")[0]
        games = next(name for name in ("games", "goal") if name in self.fields)
        return named if named in self.fields else games if "games" in wrong else "learner"


class TrainDraft(LearnerDraft[TrainSetup]):
    """A training while it is being asked for."""

    GAME = game_entry(
        "any game with numbered positions: nim, tower, subtraction, kayles, adjacent, connect:4x4x4",
        trainable,
        why_untrainable,
    )
    MORE = (
        RIVAL,
        seed_entry("same seed, same table", "the same settings and the same seed make the same table, score by score"),
        GOAL,
    )

    @classmethod
    def of(cls, setup: TrainSetup) -> TrainDraft:
        word, _, rest = setup.learner.strip().lower().partition(":")
        word = word.strip()
        given = (part.partition("=") for part in rest.split(",") if part)
        return cls(
            {
                "game": setup.game,
                "learner": word,
                "rival": setup.rival,
                "seed": str(setup.seed),
                "goal": setup.goal,
                **{f"{word}:{name.strip()}": text.strip() for name, _, text in given},
            }
        )

    def setup(self) -> TrainSetup:
        texts = self.texts
        seed = parse_seed(texts["seed"])
        return TrainSetup(texts["game"], self._learner(), texts["rival"].strip(), seed, texts["goal"]).validate()

    def _learner(self) -> str:
        """The learner with its constants. InputError where there is no such learner."""
        if self.module is None:
            return self.texts["learner"]  # to be refused by whoever reads it
        values = {name: found.read(name, self.text(name)) for name, found in self.parameters.items()}
        return spec(make(self.module, values))

    def constant(self, name: str, parameter: Parameter) -> Entry:
        usual = self.usual(name)

        def meaning(draft: TrainDraft, text: str) -> str:
            parameter.read(name, text)
            return parameter.meaning

        return Entry(
            name,
            f"  {name}",
            meaning,
            f"{parameter.meaning}: {parameter.allowed}, usually {usual}",
            lambda draft: draft._offers(name, parameter),
            usual=usual,
            key=self.key(name),
        )

    def _offers(self, name: str, parameter: Parameter) -> Iterator[Offer]:
        usual = self.usual(name)
        yield Offer(usual, usual, "as usual")
        if parameter.choices is not None:
            others = [(str(choice.value), "") for choice in parameter.choices]
        else:
            value = parameter.read(name, usual)
            assert isinstance(value, int | float)
            scaled = [(value / 2, "half of it"), (value * 2, "twice as much"), (0, "none")]
            others = [
                (typed(number if parameter.real else int(number)), about)
                for number, about in scaled
                if parameter.low <= number <= parameter.high
            ]
        given = {usual}
        for text, about in others:
            if text not in given and self.with_text(name, text)._sound:
                given.add(text)
                yield Offer(text, text, about)

    @property
    def _sound(self) -> bool:
        """Do the constants make a learner?"""
        try:
            self._learner()
        except InputError:
            return False
        return True

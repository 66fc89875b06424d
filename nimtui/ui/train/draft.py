"""A training while it is being asked for: its texts, what is right or wrong with each, and what could stand there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from types import ModuleType
from typing import Any

from nimtui.errors import InputError
from nimtui.learning.learner import learners, make, parse_learner, spec
from nimtui.learning.parameter import Parameter, told
from nimtui.learning.truth import why_untrainable
from nimtui.ui.kit.findings import Finding, Offer, finding
from nimtui.ui.play.setup import fresh_seed, parse_game, parse_seed, presets
from nimtui.ui.train.setup import ENDLESS, NOBODY, PERFECT, TrainSetup, parse_goal

BEFORE, AFTER = ("game", "learner"), ("rival", "seed", "goal")  # the constants of the learner stand between them
ORDER = ("reward", "quality", "q", "average", "proof")  # the first shown; any others follow by name
GOALS = (
    ("5,000,000", "as the first original"),
    ("15,000", "as the fourth original"),
    (PERFECT, "until every position is right"),
    (ENDLESS, "until you stop it"),
)


@dataclass(frozen=True, slots=True)
class TrainDraft:
    """The texts of the fields, as typed so far. The constants of every learner are kept while another is looked at."""

    game: str
    learner: str
    rival: str
    seed: str
    goal: str
    constants: Mapping[tuple[str, str], str] = field(default_factory=dict)  # (learner, name) -> text, where not usual

    @classmethod
    def of(cls, setup: TrainSetup) -> TrainDraft:
        word, values = _parts(setup.learner)
        constants = {(word, name): text for name, text in values.items()}
        return cls(setup.game, word, setup.rival, str(setup.seed), setup.goal, constants)

    @property
    def module(self) -> ModuleType | None:
        """The learner that is named; None while there is no such learner."""
        return learners().get(self.learner.strip().lower())

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all fields, from the top."""
        return (*BEFORE, *(self.module.PARAMETERS if self.module is not None else ()), *AFTER)

    def text(self, name: str) -> str:
        """What stands in a field."""
        if name in BEFORE + AFTER:
            return str(getattr(self, name))
        return self.constants.get((self._word, name), self.usual(name))

    def usual(self, name: str) -> str:
        """The default of a constant, as it is typed."""
        return _typed(self.module.LEARNER._field_defaults[name]) if self.module is not None else ""

    def with_text(self, name: str, text: str) -> TrainDraft:
        """The person has put this text into a field."""
        if name in BEFORE + AFTER:
            changed: dict[str, Any] = {name: text}
            return replace(self, **changed)
        return replace(self, constants={**self.constants, (self._word, name): text})

    @property
    def _word(self) -> str:
        return self.learner.strip().lower()

    def setup(self) -> TrainSetup:
        """The training these texts mean. InputError where one is wrong."""
        return TrainSetup(self.game, self._spec(), self.rival.strip(), parse_seed(self.seed), self.goal).validate()

    def _spec(self) -> str:
        module = self.module
        if module is None:
            return self.learner  # to be refused by whoever reads it
        values = {name: found.read(name, self.text(name)) for name, found in module.PARAMETERS.items()}
        return spec(make(module, values))

    # What is to be said of each field.

    def check(self) -> dict[str, Finding]:
        found = {name: finding(partial(self._meaning, name)) for name in self.fields}
        if all(finding.right for finding in found.values()):
            try:
                self.setup()
            except InputError as wrong:  # constants that contradict each other, or too many games
                word = str(wrong).split(maxsplit=1)[0]
                place = word if word in found else "goal" if "games" in str(wrong) else "learner"
                found[place] = Finding(False, str(wrong))
        return found

    def _meaning(self, name: str) -> str:
        """What the text of a field means. InputError where it means nothing."""
        text = self.text(name)
        match name:
            case "game":
                game = parse_game(text)
                if (fault := why_untrainable(game)) is not None:
                    raise InputError(fault)
                return f"{game.title}"
            case "learner":
                if ":" in text:
                    raise InputError("only its name: its constants have fields of their own below")
                parse_learner(text)
                return str(learners()[text.strip().lower()].ABOUT)
            case "rival":
                alone = text.strip().lower() in ("", NOBODY)
                return "one learner alone" if alone else f"beside it: {spec(parse_learner(text))}"
            case "seed":
                parse_seed(text)
                return "same seed, same table"
            case "goal":
                goal = parse_goal(text)
                if goal.perfect:
                    return "until every position is played right"
                return "games, then it stops" if goal.games is not None else "until you stop it"
        found = self._parameter(name)
        found.read(name, text)
        return found.meaning

    def _parameter(self, name: str) -> Parameter:
        assert self.module is not None
        found: Parameter = self.module.PARAMETERS[name]
        return found

    def hint(self, name: str) -> str:
        """How this field is written, in a sentence."""
        match name:
            case "game":
                return "any game with numbered positions: nim, tower, subtraction, kayles, adjacent, connect:4x4x4"
            case "learner":
                return str(self.module.ABOUT) if self.module is not None else "who learns"
            case "rival":
                return "a second learner on the same game and seed, with its constants: quality:margin=50; or nobody"
            case "seed":
                return "the same settings and the same seed make the same table, score by score"
            case "goal":
                return f"a number of games, or {PERFECT}, or {ENDLESS}"
        found = self._parameter(name)
        return f"{found.meaning}: {found.allowed}, usually {self.usual(name)}"

    def offers(self, name: str) -> list[Offer]:
        """What could stand in this field, for choosing."""
        match name:
            case "game":
                return [Offer(game, title, game) for title, game in trainable()]
            case "learner":
                return [Offer(word, word, str(module.ABOUT)) for word, module in ordered()]
            case "rival":
                alone = Offer("", NOBODY, "one learner alone")
                return [alone, *(Offer(word, word, str(module.ABOUT)) for word, module in ordered())]
            case "seed":
                fresh = [str(fresh_seed()) for _ in range(2)]
                return [Offer("0", "0", "the usual one"), *(Offer(seed, seed, "drawn anew") for seed in fresh)]
            case "goal":
                return [Offer(goal, goal, about) for goal, about in GOALS]
        return list(self._values(name))

    @property
    def _sound(self) -> bool:
        """Do the constants make a learner?"""
        try:
            self._spec()
        except InputError:
            return False
        return True

    def _values(self, name: str) -> Iterator[Offer]:
        found, usual = self._parameter(name), self.usual(name)
        yield Offer(usual, usual, "as usual")
        if found.choices is not None:
            others = [(str(choice.value), "") for choice in found.choices]
        else:
            value = found.read(name, usual)
            assert isinstance(value, int | float)
            scaled = [(value / 2, "half of it"), (value * 2, "twice as much"), (0, "none")]
            others = [
                (_typed(number if found.real else int(number)), about)
                for number, about in scaled
                if found.low <= number <= found.high
            ]
        given = {usual}
        for text, about in others:
            if text not in given and self.with_text(name, text)._sound:
                given.add(text)
                yield Offer(text, text, about)


def ordered() -> list[tuple[str, ModuleType]]:
    """All learners, the originals' first."""
    found = sorted(learners().items(), key=lambda item: (ORDER.index(item[0]) if item[0] in ORDER else 99, item[0]))
    return list(found)


@lru_cache(1)
def trainable() -> tuple[tuple[str, str], ...]:
    """The games offered that can have a table: what people call them, and their names."""
    return tuple((title, game) for title, game in presets() if why_untrainable(parse_game(game)) is None)


def _typed(value: Any) -> str:
    return told(value).replace(",", "")


def _parts(text: str) -> tuple[str, dict[str, str]]:
    """A learner's name and its constants as texts; only what is said."""
    word, _, rest = text.strip().partition(":")
    pairs = (part.partition("=") for part in rest.split(",") if part)
    return word.strip().lower(), {name.strip().lower(): value.strip() for name, _, value in pairs}

"""The dialogs that choose a training: presets, unfinished trainings, saved ones, and the form as a table of fields."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

from nimtui.errors import InputError
from nimtui.learning.graph_table import why_untrainable
from nimtui.learning.learner import learners, make, parse_learner, spec
from nimtui.learning.parameter import Parameter, value_text
from nimtui.ui.kit.command import Command
from nimtui.ui.kit.draft import Draft, Entry, Offer, Setup
from nimtui.ui.kit.entries import game_entry, parse_game, parse_seed, presets, seed_entry
from nimtui.ui.kit.form import SetupForm
from nimtui.ui.kit.start_dialog import SavedList, StartDialog
from nimtui.ui.train.setup import ENDLESS, NOBODY, PERFECT, PRESETS, TrainSetup, kept_runs, parse_goal
from nimtui.ui.train.setup import about as about_runs

ORDER = ("reward", "quality", "q", "average", "proof")  # shown first; any others follow by name


def ordered() -> list[tuple[str, ModuleType]]:
    """Return all learners, those of the documents first."""
    return sorted(learners().items(), key=lambda item: (ORDER.index(item[0]) if item[0] in ORDER else 99, item[0]))


@lru_cache(1)
def trainable() -> tuple[tuple[str, str], ...]:
    """Return the offered games that can have a table, as (title, name)."""
    return tuple((title, game) for title, game in presets() if why_untrainable(parse_game(game)) is None)


def typed(value: Any) -> str:
    """Return a parameter's value as a person types it, without commas."""
    return value_text(value).replace(",", "")


def _who_learns(draft: LearnerDraft[Any], text: str) -> str:
    if ":" in text:
        raise InputError("expected only a name: the parameters have their own fields below")
    parse_learner(text)
    return str(learners()[draft.word].ABOUT)


def _rival(draft: TrainDraft, text: str) -> str:
    alone = text.strip().lower() in ("", NOBODY)
    return "no second learner" if alone else f"compared with {spec(parse_learner(text))}"


def _goal(draft: TrainDraft, text: str) -> str:
    goal = parse_goal(text)
    if goal.perfect:
        return "until every best move is right"
    return "games, then stop" if goal.games is not None else "until you stop it"


def _learners(draft: Any) -> Iterable[Offer]:
    return [Offer(word, word, str(module.ABOUT)) for word, module in ordered()]


LEARNER = Entry(
    "learner",
    "Learner",
    _who_learns,
    lambda draft: str(draft.module.ABOUT) if draft.module is not None else "the name of a learner",
    _learners,
    "the name of a learner",
)
RIVAL = Entry(
    "rival",
    "Compare",
    _rival,
    "optional: a second learner on the same game and seed, for example quality:margin=50",
    lambda draft: [Offer("", NOBODY, "no second learner"), *_learners(draft)],
    NOBODY,
)
GOAL = Entry(
    "goal",
    "Games",
    _goal,
    f"a number of games, {PERFECT} or {ENDLESS}",
    (
        Offer("5,000,000", "5,000,000", "as for the tower of 16"),
        Offer("15,000", "15,000", "as for the quality learner"),
        Offer(PERFECT, PERFECT, "until every position is right"),
        Offer(ENDLESS, ENDLESS, "until you stop it"),
    ),
    f"a number, {PERFECT} or {ENDLESS}",
)


def learner_texts(learner: str, more: Iterable[str] = ()) -> dict[str, str]:
    """Return the texts of a learner with its parameters, and of `more` parameters, each written NAME=VALUE."""
    word, _, rest = learner.strip().partition(":")
    word = word.strip().lower()
    given = (part.partition("=") for part in (*filter(None, rest.split(",")), *more))
    return {"learner": word, **{f"{word}:{name.strip()}": text.strip() for name, _, text in given}}


class LearnerDraft(Draft[Setup]):
    """A form with a game, a learner and one field for each parameter of the learner.

    The form remembers the parameters of every learner while another one is chosen.
    """

    GAME: ClassVar[Entry]
    MORE: ClassVar[Sequence[Entry]]  # below the parameters

    @abstractmethod
    def meaning(self, name: str, parameter: Parameter) -> str:
        """Return what the text of a parameter means. Raises InputError if it is invalid."""

    @abstractmethod
    def choices(self, name: str, parameter: Parameter) -> Iterator[Offer]:
        """Return what is offered for a parameter."""

    def further(self, parameter: Parameter) -> str:
        """Return what else can be typed into the field of a parameter."""
        return ""

    def constant(self, name: str, parameter: Parameter) -> Entry:
        """Return the field of a parameter."""
        usual = self.usual(name)
        return Entry(
            name,
            f"  {name}",
            lambda draft, text: draft.meaning(name, parameter),
            f"{parameter.meaning}: {parameter.allowed} [default: {usual}]{self.further(parameter)}",
            lambda draft: draft.choices(name, parameter),
            usual=usual,
            key=self.key(name),
        )

    @property
    def word(self) -> str:
        """The learner's name as typed."""
        return self.texts["learner"].strip().lower()

    @property
    def module(self) -> ModuleType | None:
        """The named learner's module; None while there is no such learner."""
        return learners().get(self.word)

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters of the named learner."""
        return self.module.PARAMETERS if self.module is not None else {}

    @property
    def entries(self) -> Sequence[Entry]:
        constants = (self.constant(name, parameter) for name, parameter in self.parameters.items())
        return (self.GAME, LEARNER, *constants, *self.MORE)

    def key(self, constant: str) -> str:
        """Return the key of a parameter's text."""
        return f"{self.word}:{constant}"

    def usual(self, constant: str) -> str:
        """Return the default of a parameter as a person types it."""
        return typed(self.module.LEARNER._field_defaults[constant]) if self.module is not None else ""

    def field_of(self, wrong: str) -> str:
        named = wrong.partition(" ")[0]
        games = next(name for name in ("games", "goal") if name in self.fields)
        return named if named in self.fields else games if "games" in wrong else "learner"


class TrainDraft(LearnerDraft[TrainSetup]):
    """The form of a training."""

    GAME = game_entry(
        "any game with numbered positions: nim, tower, subtraction, kayles, adjacent, connect:4x4x4",
        trainable,
        why_untrainable,
    )
    MORE = (
        RIVAL,
        seed_entry("same seed, same table", "the same settings and seed always make the same table, score by score"),
        GOAL,
    )

    @classmethod
    def of(cls, setup: TrainSetup) -> TrainDraft:
        texts = learner_texts(setup.learner.lower())
        return cls({"game": setup.game, "rival": setup.rival, "seed": str(setup.seed), "goal": setup.goal, **texts})

    def setup(self) -> TrainSetup:
        texts = self.texts
        seed = parse_seed(texts["seed"])
        return TrainSetup(texts["game"], self._learner(), texts["rival"].strip(), seed, texts["goal"]).validate()

    def _learner(self) -> str:
        """Return the learner with its parameters. Raises InputError if there is no such learner."""
        if self.module is None:
            return self.texts["learner"]  # `validate` refuses it with the right message
        values = {name: found.read(name, self.text(name)) for name, found in self.parameters.items()}
        return spec(make(self.module, values))

    def meaning(self, name: str, parameter: Parameter) -> str:
        parameter.read(name, self.text(name))
        return parameter.meaning

    def choices(self, name: str, parameter: Parameter) -> Iterator[Offer]:
        usual = self.usual(name)
        yield Offer(usual, usual, "default")
        if parameter.choices is not None:
            others = [(str(choice.value), "") for choice in parameter.choices]
        else:
            value = parameter.read(name, usual)
            assert isinstance(value, int | float)
            scaled = [(value / 2, "half"), (value * 2, "double"), (0, "none")]
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
        """Do the parameters make a valid learner?"""
        try:
            self._learner()
        except InputError:
            return False
        return True


class GoOn(NamedTuple):
    """An unfinished training, to resume at once."""

    path: Path


Answer = TrainSetup | GoOn | Path | None  # a new training, one to resume, the file of one to open, or none


class RunChoice(SavedList):
    """Lists the saved trainings, newest first."""

    BINDING_GROUP_TITLE = "Saved runs"
    HELP = "These are the saved trainings. Press Enter to open the marked one, paused. Opening it changes nothing."
    KEPT, ABOUT = kept_runs, about_runs


class TrainForm(SetupForm[TrainSetup]):
    """Edits the settings of a training, one field each, and checks them as you type."""

    HELP = """Type into a field, or choose with the up and down keys. The text beside a field explains it.

The fields below the learner are its parameters. A second learner is optional: it trains on the same game and seed, and
both are shown side by side. Games: a number, perfect (stop when every best move is right) or endless."""
    BINDING_GROUP_TITLE = "Settings of a training"
    DRAFT = TrainDraft.of


class TrainChoice(StartDialog[GoOn | Path, TrainSetup], place="new-training"):
    """Offers presets and unfinished trainings."""

    BINDING_GROUP_TITLE = "New training"
    HELP = """Press Enter to start the marked training, or Tab to change its settings first.

Unfinished trainings are at the top: press Enter to resume one."""
    INTRO = "A learner plays against itself and fills a table of scores.\nWatch it improve, position by position:"
    OWN = "any game and any learner"
    FORM, PRESETS, USUAL, SAVED, GO_ON, RESUME = TrainForm, PRESETS, TrainSetup(), RunChoice, 2, GoOn
    ROWS: ClassVar[tuple[Command[TrainChoice], ...]] = (
        Command("r", "runs", "Saved runs", "Open a saved training", StartDialog.ask_saved),
    )

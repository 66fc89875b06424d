"""The dialogs that choose a training: presets, unfinished trainings, saved ones, and the form as a table of fields."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

from nimtui.errors import InputError, valid
from nimtui.learning.graph_table import why_untrainable
from nimtui.learning.learner import is_student, learners, make, module_of, parse_learner, spec, student_file
from nimtui.learning.parameter import Parameter, Value, as_typed
from nimtui.learning.steps import Switch
from nimtui.playing.setup import parse_game, presets
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.forms.dialogs import SavedList, StartDialog
from nimtui.ui.kit.forms.draft import Choice, Draft, Field, Setup
from nimtui.ui.kit.forms.entries import game_field, seed_field
from nimtui.ui.kit.forms.form import SetupForm
from nimtui.ui.train.setup import ENDLESS, NOBODY, PERFECT, PRESETS, Goal, TrainSetup, kept_runs, parse_goal

WITHOUT = (
    ("mirror", Switch.OFF, "without mirror images"),
    ("trace", 0, "without traces"),
    ("explore", 0, "without exploration"),
    ("epsilon", 0, "without exploration"),
)
ORDER = ("reward", "quality", "q", "average", "proof")  # shown first; any others follow by name


def ordered() -> list[tuple[str, ModuleType]]:
    """Return all learners, those of the documents first."""
    return sorted(learners().items(), key=lambda item: (ORDER.index(item[0]) if item[0] in ORDER else 99, item[0]))


@lru_cache(1)
def trainable() -> tuple[tuple[str, str], ...]:
    """Return the offered games that can have a table, as (title, name)."""
    return tuple((title, game) for title, game in presets() if why_untrainable(parse_game(game)) is None)


def learner_offers(draft: Any) -> list[Choice]:
    return [Choice(word, word, str(module.ABOUT)) for word, module in ordered()]


def _learner(draft: LearnerDraft[Any], text: str) -> ModuleType:
    if is_student(learner := parse_learner(text)):
        return module_of(learner)
    if ":" in text:
        raise InputError("expected only a name: the parameters have their own fields below")
    return learners()[draft.word]


def _written(learner: str) -> str:
    """Return what the form's field has of a learner: its name, or a student's whole file."""
    word = learner.partition(":")[0].strip().lower()
    return learner if word == student_file().NAME else word


LEARNER: Field[ModuleType] = Field(
    "learner",
    "Learner",
    _learner,
    lambda draft, module: str(module.ABOUT),
    lambda draft: str(draft.module.ABOUT) if draft.module is not None else "the name of a learner",
    learner_offers,
    "the name of a learner, or a student's file: cs50:FILE",
    written=lambda setup: _written(setup.learner),
)


class LearnerDraft(Draft[Setup]):
    """A form with a game, a learner and one field for each parameter of the learner.

    The form remembers the parameters of every learner while another one is chosen.
    """

    @classmethod
    def written(cls, setup: Any) -> dict[str, str]:
        texts, fixed = super().written(setup), setup.learner.lower().partition(":")[2].split(",")
        if ":" in texts["learner"]:
            return texts
        parts = (part.partition("=") for part in (*filter(None, fixed), *getattr(setup, "grid", ())))
        return {**texts, **{f"{texts['learner']}:{name.strip()}": text.strip() for name, _, text in parts}}

    @abstractmethod
    def read(self, name: str, parameter: Parameter, text: str) -> tuple[Value, ...]:
        """Return the values of a parameter. Raises InputError if one is invalid."""

    @abstractmethod
    def choices(self, name: str, parameter: Parameter, usual: str) -> Iterator[Choice]:
        """Return what is offered for a parameter, besides its default."""

    def further(self, parameter: Parameter) -> str:
        """Return what else can be typed into the field of a parameter."""
        return ""

    def _constant(self, name: str, parameter: Parameter) -> Field[tuple[Value, ...]]:
        """Return the field of a parameter."""
        usual = self.usual(name)
        return Field(
            name,
            f"  {name}",
            lambda draft, text: draft.read(name, parameter, text),
            lambda draft, values: f"{len(values)} values · {parameter.meaning}" if values[1:] else parameter.meaning,
            f"{parameter.meaning}: {parameter.allowed} [default: {usual}]{self.further(parameter)}",
            lambda draft: draft.choices(name, parameter, usual),
            usual=usual,
            key=f"{self.word}:{name}",
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
    def entries(self) -> Sequence[Field[Any]]:
        return (*self.FIELDS[:2], *map(self._constant, self.parameters, self.parameters.values()), *self.FIELDS[2:])

    def usual(self, constant: str) -> str:
        """Return the default of a parameter as a person types it."""
        return as_typed(self.module.LEARNER._field_defaults[constant]) if self.module is not None else ""

    def field_of(self, wrong: str) -> str:
        named = wrong.partition(" ")[0]
        games = next(name for name in ("games", "goal") if name in self.fields)
        return named if named in self.fields else games if "games" in wrong else "learner"


def _means(draft: Any, goal: Goal) -> str:
    if goal.perfect:
        return "until every best move is right"
    return "games, then stop" if goal.games is not None else "until you stop it"


class TrainDraft(LearnerDraft[TrainSetup]):
    """The form of a training."""

    FIELDS = (
        game_field(
            "any game with numbered positions: nim, tower, subtraction, kayles, adjacent, connect:4x4x4",
            trainable,
            why_untrainable,
        ),
        LEARNER,
        Field(
            "rival",
            "Compare",
            lambda draft, text: "" if text.strip().lower() in ("", NOBODY) else spec(parse_learner(text)),
            lambda draft, rival: f"compared with {rival}" if rival else "no second learner",
            "optional: a second learner on the same game and seed, for example quality:margin=50",
            lambda draft: [Choice("", NOBODY, "no second learner"), *draft.variants(), *learner_offers(draft)],
            NOBODY,
        ),
        seed_field("same seed, same table", "the same settings and seed always make the same table, score by score"),
        Field(
            "goal",
            "Games",
            lambda draft, text: parse_goal(text),
            _means,
            f"a number of games, {PERFECT} or {ENDLESS}",
            (
                Choice("5,000,000", "5,000,000", "as for the tower of 16"),
                Choice("15,000", "15,000", "as for the quality learner"),
                Choice(PERFECT, PERFECT, "until every position is right"),
                Choice(ENDLESS, ENDLESS, "until you stop it"),
            ),
            f"a number, {PERFECT} or {ENDLESS}",
        ),
    )

    def setup(self) -> TrainSetup:
        texts, seed = self.texts, self.value("seed")
        return TrainSetup(texts["game"], self._learner(), texts["rival"].strip(), seed, texts["goal"]).validate()

    def _learner(self) -> str:
        """Return the learner with its parameters. Raises InputError if there is no such learner."""
        if self.module is None:
            return self.texts["learner"]  # `validate` refuses it with the right message
        return spec(make(self.module, {name: self.value(name)[0] for name in self.parameters}))

    def read(self, name: str, parameter: Parameter, text: str) -> tuple[Value, ...]:
        return (parameter.read(name, text),)

    def choices(self, name: str, parameter: Parameter, usual: str) -> Iterator[Choice]:
        yield Choice(usual, usual, "default")
        if parameter.choices is not None:
            others = [(str(choice.value), "") for choice in parameter.choices]
        else:
            value: Any = parameter.read(name, usual)
            others = [
                (as_typed(number if parameter.real else int(number)), about)
                for number, about in ((value / 2, "half"), (value * 2, "double"), (0, "none"))
                if parameter.low <= number <= parameter.high
            ]
        texts = {usual}
        for text, about in others:
            if text not in texts and valid(self.with_text(name, text)._learner) is not None:
                texts.add(text)
                yield Choice(text, text, about)

    def variants(self) -> Iterator[Choice]:
        """Yield the learner without one of the things that it learns with."""
        if (learner := valid(lambda: parse_learner(self._learner()))) is None:
            return
        for name, value, about in WITHOUT:
            if getattr(learner, name, value) != value:
                text = spec(learner._replace(**{name: value}))
                yield Choice(text, text, f"the same {about}")


class GoOn(NamedTuple):
    """An unfinished training, to resume at once."""

    path: Path


class RunChoice(SavedList):
    """Lists the saved trainings, newest first."""

    BINDING_GROUP_TITLE = "Saved runs"
    HELP = "These are the saved trainings. Press Enter to open the marked one, paused. Opening it changes nothing."
    KEPT = kept_runs
    NOUNS = ("run", "runs")
    NONE = "No saved trainings yet. A training is saved every few seconds and when it stops."


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
    INTRO = (
        "A learner plays against itself: it fills a table, or fits a function.\nWatch it improve, position by position:"
    )
    OWN = "any game and any learner"
    FORM, PRESETS, USUAL, SAVED, GO_ON, RESUME = TrainForm, PRESETS, TrainSetup(), RunChoice, 2, GoOn
    ROWS: ClassVar[tuple[Command[TrainChoice], ...]] = (
        Command("r", "runs", "Saved runs", "Open a saved training", StartDialog.ask_saved),
    )

"""The dialogs of the Search screen: presets, the form as a table of fields, and the export of a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Never

from nimtui.errors import unknown
from nimtui.playing.entries import presets
from nimtui.trees.settings import CHOICES, default_options, parse
from nimtui.trees.settings import OPTIONS as SEARCH_OPTIONS
from nimtui.ui.kit.forms.draft import Choice, Draft, Field
from nimtui.ui.kit.forms.entries import game_field, game_of, offered, position_field
from nimtui.ui.kit.forms.form import SetupForm
from nimtui.ui.kit.forms.start_dialog import StartDialog
from nimtui.ui.search.setup import FLAT, PRESETS, SearchSetup

ALGORITHMS = {
    "alphabeta": "minimax that prunes useless branches",
    "minimax": "looks ahead and searches every move",
    "mcts": "a tree that grows at promising moves",
    FLAT: "playouts of every move, without a tree",
}
OF_FLAT = {  # the default first
    "playouts": ("1000", "10000", "100"),
    "policy": ("random", "perfect-opponent", "perfect-both"),
}
OPTIONS = {**SEARCH_OPTIONS, FLAT: tuple(OF_FLAT)}
MEANT: dict[str, tuple[str, Sequence[str]]] = {  # what an option means, and the values offered
    "depth": ("plies to look ahead; −1: to the end of the game", ("4", "3", "6", "8", "-1")),
    "order": ("the order in which moves are searched", CHOICES["order"]),
    "table": ("entries of the transposition table; 0: none", ("0", "65536", "1048576")),
    "deepening": ("search to depth 1, then 2, and so on", ("no", "yes")),
    "heuristic": ("value of a node at the depth limit", CHOICES["heuristic"]),
    "value": ("saved run whose function values positions where the search ends; empty: none", ()),
    "simulations": ("number of simulations", ("500", "100", "10000", "100000")),
    "time": ("seconds to search; 0: no limit. The result depends on the machine", ("0", "0.5", "2", "10")),
    "c": ("preference for rarely visited moves", ("1.0", "1.4", "0.5", "0")),
    "log": ("visits in the bonus: parent or root", CHOICES["log"]),
    "policy": ("how playouts choose moves", CHOICES["policy"]),
    "proven": ("treat proven values as certain", ("no", "yes")),
    "seed": ("same seed, same tree", ("0", "1", "2")),
    "playouts": ("playouts of each move", OF_FLAT["playouts"]),
}


def _algorithm(draft: Any, text: str) -> str:
    if (word := text.strip().lower()) not in ALGORITHMS:
        raise unknown("algorithm", text, tuple(ALGORITHMS))
    return word


class SearchDraft(Draft[SearchSetup]):
    """The form of a search."""

    FIELDS = (
        game_field(
            "any game: nim:1,2,3,4, connect4:4x4, subtraction:21,3:misere, adjacent:1,3,5,7",
            lambda: [("Nim 1,2,3,4", "nim:1,2,3,4"), *presets()],
            placeholder="for example nim:1,2,3,4",
        ),
        position_field("search from this position", ". t in Play sends a position here"),
        Field(
            "algorithm",
            "Algorithm",
            _algorithm,
            lambda draft, word: ALGORITHMS[word],
            "the search algorithm; the fields below are its options",
            tuple(Choice(word, word, about) for word, about in ALGORITHMS.items()),
            "a search algorithm",
            written=lambda setup: setup.search.partition(":")[0],
        ),
    )

    @classmethod
    def of(cls, setup: SearchSetup) -> SearchDraft:
        options = (part.partition("=") for part in setup.search.partition(":")[2].split(","))
        return cls({**cls.written(setup), **{key.strip(): value.strip() for key, _, value in options if key.strip()}})

    @property
    def algorithm(self) -> str:
        """The algorithm as typed, which may not exist."""
        return self.texts["algorithm"].strip().lower()

    @property
    def options(self) -> tuple[str, ...]:
        """The options of the algorithm."""
        return OPTIONS.get(self.algorithm, ())

    @property
    def timed(self) -> bool:
        """Does the form set a time limit? Then depth and simulations have no limit by default."""
        try:
            return "time" in self.options and float(self.texts.get("time", "0")) > 0
        except ValueError:
            return False

    @property
    def entries(self) -> Sequence[Field[Any]]:
        return (*self.FIELDS, *map(self._option, self.options))

    def setup(self) -> SearchSetup:
        options = ",".join(f"{name}={self.text(name).replace('−', '-')}" for name in self.options)
        search = f"{self.texts['algorithm']}:{options}"
        return SearchSetup(self.texts["game"], self.texts["position"] or None, search).validate()

    def field_of(self, wrong: str) -> str:
        """Return the field that an error of the whole form names."""
        return next((name for name in self.options if name in wrong), "algorithm")

    def _option(self, name: str) -> Field[str]:
        flat = self.algorithm == FLAT
        default, (meaning, values) = self._usual(name), MEANT[name]

        def read(draft: SearchDraft, text: str) -> str:
            if not flat:  # the playouts are checked as a whole
                timed = f",time={draft.text('time')}" if draft.timed and name != "time" else ""
                parse(f"{draft.algorithm}:{name}={text.replace('−', '-')}{timed}")
            return text

        offers = offered(*(OF_FLAT[name] if flat else values), default=default)
        return Field(name, f"  {name}", read, meaning, meaning, _runs if name == "value" else offers, usual=default)

    def _usual(self, name: str) -> str:
        if self.algorithm == FLAT:
            return OF_FLAT[name][0]
        if name == "time":
            return "0"
        value = default_options(self.timed)[name]
        return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _runs(draft: SearchDraft) -> Iterator[Choice]:
    """Offer the saved functions of the game."""
    from nimtui.learning import learned_values

    yield Choice("", "none", "default")
    if (game := game_of(draft)) is not None:
        yield from (Choice(name, name, about) for name, about in learned_values.saved(game).items())


class SearchForm(SetupForm[SearchSetup]):
    """Edits the settings of a search, one field each, and checks them as you type."""

    HELP = "Type into a field, or choose with the up and down keys. The fields below the algorithm are its options."
    BINDING_GROUP_TITLE = "Settings of a search"
    DRAFT = SearchDraft.of


class SearchChoice(StartDialog[Never, SearchSetup]):
    """Offers presets."""

    BINDING_GROUP_TITLE = "New search"
    HELP = "Press Enter to start the marked search, or Tab to change its settings first."
    INTRO = "A search looks ahead from one position.\nExplore its tree, and see what was pruned, and why:"
    OWN = "any game and position"
    FORM, PRESETS, USUAL = SearchForm, PRESETS, SearchSetup()


FORMATS = {".json": "JSON: the 10,000 nodes nearest to the root", ".dot": "Graphviz: a drawing of a few hundred nodes"}

"""The fields of a search: a game, a position, an algorithm, and the options that this algorithm has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nimtui.errors import InputError, unknown
from nimtui.search.settings import CHOICES, default_options, parse
from nimtui.search.settings import OPTIONS as SEARCH_OPTIONS
from nimtui.ui.kit.draft import Draft, Entry, Offer
from nimtui.ui.kit.entries import game_entry, parse_game, presets
from nimtui.ui.play.setup import parse_position
from nimtui.ui.search.setup import FLAT, SearchSetup

ALGORITHMS = {
    "alphabeta": "looks ahead and leaves out what cannot matter",
    "minimax": "looks ahead at everything",
    "mcts": "a tree that grows where it is worth while",
    FLAT: "random games after every move, no tree",
}
OPTIONS = {**SEARCH_OPTIONS, FLAT: ("playouts", "policy")}
MEANINGS = {
    "depth": "plies to look ahead; −1 to the end of the game",
    "order": "which moves are tried first",
    "table": "entries of a table of positions seen before; 0 without",
    "deepening": "one ply deep, then two, and so on",
    "heuristic": "what a position is worth at the depth limit",
    "simulations": "how many games are played out",
    "time": "seconds to search; 0 without a limit. The result then depends on the machine",
    "c": "how much what was little tried is preferred",
    "log": "whose visits the bonus counts: parent, or root as in original 2",
    "policy": "how the games are played out",
    "proven": "hold what is certain as certain",
    "seed": "the same seed gives the same tree",
    "playouts": "random games after each move",
}
OFFERED = {
    **CHOICES,
    "depth": ("4", "3", "6", "8", "-1"),
    "table": ("0", "65536", "1048576"),
    "simulations": ("500", "100", "10000", "100000"),
    "time": ("0", "0.5", "2", "10"),
    "c": ("1.0", "1.4", "0.5", "0"),
    "seed": ("0", "1", "2"),
    "playouts": ("1000", "10000", "100"),
    "deepening": ("no", "yes"),
    "proven": ("no", "yes"),
}
OF_FLAT = {"playouts": ("1000", "10000", "100"), "policy": ("random", "perfect-opponent")}  # first the usual one


def _number(text: str) -> str:
    """What is typed, a minus as it is read."""
    return text.replace("−", "-")


def _position(draft: SearchDraft, text: str) -> str:
    try:
        game = parse_game(draft.texts["game"])
    except InputError:
        return ""  # nothing can be said before the game is known
    return "the start of the game" if parse_position(text, game) is None else "searched from here"


def _algorithm(draft: SearchDraft, text: str) -> str:
    if draft.algorithm not in ALGORITHMS:
        raise unknown("algorithm", text, tuple(ALGORITHMS))
    return ALGORITHMS[draft.algorithm]


def _games() -> Iterable[tuple[str, str]]:
    return [("Nim 1, 2, 3, 4", "nim:1,2,3,4"), *presets()]


FIXED = (
    game_entry(
        "any game: nim:1,2,3,4, connect4:4x4, subtraction:21,3:misere, adjacent:1,3,5,7",
        _games,
        placeholder="for instance nim:1,2,3,4",
    ),
    Entry(
        "position",
        "Position",
        _position,
        "empty for the start; or as the game writes its positions, like 1,2,0,4. t in Play sends one here",
        (Offer("", "the start", "of the game"),),
        "the start",
    ),
    Entry(
        "algorithm",
        "Algorithm",
        _algorithm,
        "how it is searched; the fields below are its own",
        tuple(Offer(word, word, about) for word, about in ALGORITHMS.items()),
        "how it is searched",
    ),
)


class SearchDraft(Draft[SearchSetup]):
    """A search while it is being asked for."""

    @classmethod
    def of(cls, setup: SearchSetup) -> SearchDraft:
        word, _, rest = setup.search.partition(":")
        options = {key.strip(): value.strip() for key, _, value in (part.partition("=") for part in rest.split(","))}
        given = {key: value for key, value in options.items() if key}
        return cls({"game": setup.game, "position": setup.position or "", "algorithm": word, **given})

    @property
    def algorithm(self) -> str:
        """The algorithm that is named, as far as there is one."""
        return self.texts["algorithm"].strip().lower()

    @property
    def timed(self) -> bool:
        """Has it a time, by what was typed? Then depth and simulations have no limit but one that is typed."""
        try:
            return "time" in OPTIONS.get(self.algorithm, ()) and float(self.texts.get("time", "0")) > 0
        except ValueError:
            return False

    @property
    def entries(self) -> Sequence[Entry]:
        return (*FIXED, *(self._option(name) for name in OPTIONS.get(self.algorithm, ())))

    def setup(self) -> SearchSetup:
        given = ",".join(f"{name}={_number(self.text(name))}" for name in OPTIONS.get(self.algorithm, ()))
        search = f"{self.texts['algorithm']}:{given}"
        return SearchSetup(self.texts["game"], self.texts["position"] or None, search).validate()

    def field_of(self, wrong: str) -> str:
        return "algorithm"

    def _option(self, name: str) -> Entry:
        default = self._usual(name)
        values = OF_FLAT[name] if self.algorithm == FLAT else OFFERED[name]
        offers = tuple(Offer(value, value, "as usual" if value == default else "") for value in values)

        def meaning(draft: SearchDraft, text: str) -> str:
            if draft.algorithm != FLAT:
                timed = f",time={draft.text('time')}" if draft.timed and name != "time" else ""
                parse(f"{draft.algorithm}:{name}={_number(text)}{timed}")
            return MEANINGS[name]

        return Entry(name, f"  {name}", meaning, MEANINGS[name], offers, usual=default)

    def _usual(self, name: str) -> str:
        if self.algorithm == FLAT:
            return OF_FLAT[name][0]
        if name == "time":
            return "0"
        value = default_options(self.timed)[name]
        return ("yes" if value else "no") if isinstance(value, bool) else str(value)

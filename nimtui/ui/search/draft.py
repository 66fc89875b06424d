"""A search while it is being asked for: its texts, what is right or wrong with each, and what could stand there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from nimtui.errors import InputError, unknown
from nimtui.search import settings as ways
from nimtui.ui.kit.findings import Finding, Offer, finding
from nimtui.ui.play.setup import parse_game, parse_position, presets
from nimtui.ui.search.setup import FLAT, SearchSetup, is_flat

FIXED = ("game", "position", "algorithm")
OPTIONS = {**ways.OPTIONS, FLAT: ("playouts", "policy")}
ALGORITHMS = {
    "alphabeta": "looks ahead and leaves out what cannot matter",
    "minimax": "looks ahead at everything",
    "mcts": "a tree that grows where it is worth while",
    FLAT: "random games after every move, no tree",
}
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


@dataclass(frozen=True, slots=True)
class SearchDraft:
    """The texts of the fields, as typed so far."""

    game: str
    position: str
    algorithm: str
    options: Mapping[str, str] = field(default_factory=dict)  # where not usual

    @classmethod
    def of(cls, setup: SearchSetup) -> SearchDraft:
        word, _, rest = setup.search.partition(":")
        pairs = (part.partition("=") for part in rest.split(",") if part)
        return cls(setup.game, setup.position or "", word, {key.strip(): value.strip() for key, _, value in pairs})

    @property
    def _word(self) -> str:
        return self.algorithm.strip().lower()

    @property
    def _timed(self) -> bool:
        """Has it a time, by what was typed? Then depth and simulations have no limit but one that is typed."""
        try:
            return "time" in OPTIONS.get(self._word, ()) and float(self.options.get("time", "0")) > 0
        except ValueError:
            return False

    @property
    def fields(self) -> tuple[str, ...]:
        return (*FIXED, *OPTIONS.get(self._word, ()))

    def text(self, name: str) -> str:
        return str(getattr(self, name)) if name in FIXED else self.options.get(name, self.usual(name))

    def usual(self, name: str) -> str:
        if self._word == FLAT:
            return {"playouts": "1000", "policy": "random"}[name]
        if name == "time":
            return "0"
        value = ways.usual(self._timed)[name]
        return ("yes" if value else "no") if isinstance(value, bool) else str(value)

    def with_text(self, name: str, text: str) -> SearchDraft:
        if name in FIXED:
            changed: dict[str, Any] = {name: text}
            return replace(self, **changed)
        return replace(self, options={**self.options, name: text})

    @property
    def _search(self) -> str:
        given = [f"{name}={self.text(name).replace('−', '-')}" for name in OPTIONS.get(self._word, ())]
        return f"{self.algorithm}:{','.join(given)}"

    def setup(self) -> SearchSetup:
        """The search these texts mean. InputError where one is wrong."""
        return SearchSetup(self.game, self.position or None, self._search).validate()

    def check(self) -> dict[str, Finding]:
        """What is to be said of each field."""
        found = {name: finding(partial(self._meaning, name)) for name in self.fields}
        if all(finding.right for finding in found.values()):
            try:
                self.setup()
            except InputError as wrong:
                found["algorithm"] = Finding(False, str(wrong))
        return found

    def _meaning(self, name: str) -> str:
        match name:
            case "game":
                return parse_game(self.game).title
            case "position":
                try:
                    game = parse_game(self.game)
                except InputError:
                    return ""
                return "the start of the game" if parse_position(self.position, game) is None else "searched from here"
            case "algorithm":
                if self._word not in ALGORITHMS:
                    raise unknown("algorithm", self.algorithm, tuple(ALGORITHMS))
                return ALGORITHMS[self._word]
        if not is_flat(self._word):
            timed = f",time={self.text('time')}" if self._timed and name != "time" else ""
            ways.parse(f"{self._word}:{name}={self.text(name).replace('−', '-')}{timed}")
        return MEANINGS[name]

    def hint(self, name: str) -> str:
        """How this field is written, in a sentence."""
        match name:
            case "game":
                return "any game: nim:1,2,3,4, connect4:4x4, subtraction:21,3:misere, adjacent:1,3,5,7"
            case "position":
                return (
                    "empty for the start; or as the game writes its positions, like 1,2,0,4. t in Play sends one here"
                )
            case "algorithm":
                return "how it is searched; the fields below are its own"
        return MEANINGS[name]

    def offers(self, name: str) -> list[Offer]:
        """What could stand in this field, for choosing."""
        match name:
            case "game":
                return [Offer(game, title, game) for title, game in (("Nim 1, 2, 3, 4", "nim:1,2,3,4"), *presets())]
            case "position":
                return [Offer("", "the start", "of the game")]
            case "algorithm":
                return [Offer(word, word, about) for word, about in ALGORITHMS.items()]
        if name == "policy" and self._word == FLAT:
            values: tuple[str, ...] = ("random", "perfect-opponent")
        else:
            values = ways.CHOICES[name] if name in ways.CHOICES else OFFERED[name]
        return [Offer(value, value, "as usual" if value == self.usual(name) else "") for value in values]

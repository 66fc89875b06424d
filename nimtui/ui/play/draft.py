"""A new game while it is being asked for: five texts, what is right or wrong with each, and what could stand there."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from nimtui.errors import InputError
from nimtui.ui.kit.findings import Finding, Offer, finding
from nimtui.ui.play.setup import (
    ME,
    PlaySetup,
    fresh_seed,
    parse_game,
    parse_position,
    parse_seat,
    parse_seed,
    presets,
    usual_opponent,
)

if TYPE_CHECKING:
    from nimtui.games import Game

POSITIONS = {  # how positions are written, by the kind of board
    "rows": "the matches left in each row, 1,3,0,7",
    "runs": "row by row, 1 for a standing match and 0 for none, 1/101/11111",
    "columns": "the columns played so far, 4455 (with commas where there are more than 9)",
}
PERSON = "a person, at this keyboard"
FIELDS = ("game", "position", "first", "second", "seed")


@dataclass(frozen=True, slots=True)
class Draft:
    """The texts of the fields, as typed so far.

    What the person has not touched suits the game: who cannot play it makes way for the usual opponent, and comes
    back with a game that suits.
    """

    game: str
    position: str
    first: str
    second: str
    seed: str
    begun: PlaySetup = field(default_factory=PlaySetup)  # what was put in at first
    touched: frozenset[str] = frozenset()  # the fields that the person has filled in
    last_seed: int | None = None  # of the game that was played before

    @classmethod
    def of(cls, setup: PlaySetup, last_seed: int | None = None) -> Draft:
        return cls(setup.game, setup.position or "", *setup.seats, str(setup.seed), setup, last_seed=last_seed)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all fields, from the top."""
        return FIELDS

    def text(self, name: str) -> str:
        """What stands in a field."""
        return str(getattr(self, name))

    def with_text(self, name: str, text: str) -> Draft:
        """The person has put this text into a field."""
        changed = replace(self._filled({name: text}), touched=self.touched | {name})
        return changed._suited() if name == "game" else changed

    def _filled(self, texts: dict[str, Any]) -> Draft:
        return replace(self, **texts)

    def _suited(self) -> Draft:
        """With a position and players for this game where the person named none; unchanged where it is no game."""
        try:
            game, before = parse_game(self.game), parse_game(self.begun.game)
        except InputError:
            return self
        suited = {"position": (self.begun.position or "") if game.name == before.name else ""}
        for name, seat in zip(("first", "second"), self.begun.seats, strict=True):
            usual = seat == usual_opponent(before) or not _can_play(seat, game)
            suited[name] = usual_opponent(game) if usual else seat
        return self._filled({name: text for name, text in suited.items() if name not in self.touched})

    def swapped(self) -> Draft:
        """The other one begins."""
        other = {"first": "second", "second": "first"}
        touched = frozenset(other.get(name, name) for name in self.touched)
        return replace(self, first=self.second, second=self.first, begun=self.begun.swapped(), touched=touched)

    def with_game(self, text: str) -> Draft:
        """Another game of the list: at its start, and whoever cannot play it makes way for one who can."""
        changed = replace(self.with_text("game", text), position="")
        game = parse_game(text)
        unable = [name for name in ("first", "second") if not _can_play(getattr(changed, name), game)]
        return changed._filled(dict.fromkeys(unable, usual_opponent(game)))

    def setup(self) -> PlaySetup:
        """The setup these texts mean. InputError where one is wrong."""
        seed = parse_seed(self.seed)
        return PlaySetup(self.game, self.position or None, (self.first, self.second), seed).validate()

    def check(self) -> dict[str, Finding]:
        """What is to be said of each field."""
        try:
            game = parse_game(self.game)
        except InputError as wrong:
            waiting = Finding(True, "")  # nothing can be said before the game is known
            return {
                "game": Finding(False, str(wrong)),
                "position": waiting,
                "first": waiting,
                "second": waiting,
                "seed": self._seed(),
            }
        return {
            "game": Finding(True, game.title),
            "position": self._position(game),
            "first": _seat(self.first, game),
            "second": _seat(self.second, game),
            "seed": self._seed(),
        }

    def _position(self, game: Game) -> Finding:
        def meaning() -> str:
            return _start(game) if parse_position(self.position, game) is None else "the first player is to move"

        return finding(meaning)

    def _seed(self) -> Finding:
        def meaning() -> str:
            parse_seed(self.seed)
            return "chance can be repeated"

        return finding(meaning)

    def hint(self, name: str) -> str:
        """How this field is written."""
        match name:
            case "game":
                from nimtui.games import registry

                plain = (form.partition("[")[0] for form in registry.forms())
                return f"any of {' · '.join(plain)}; most also with :misere or :max=2"
            case "seed":
                return "the same seed and the same moves make the same game"
            case "position":
                try:
                    return POSITIONS.get(parse_game(self.game).board_kind, "")
                except InputError:
                    return ""
        return how_written(self.text(name), f"{ME}, or ")

    def offered(self, name: str) -> str:
        """The value under which what stands in this field is offered, if it is: a game by any of its names."""
        text = self.text(name).strip()
        if name == "game":
            known = _game_name(text)
            return next((game for _, game in presets() if known and _game_name(game) == known), text)
        return text

    def offers(self, name: str) -> list[Offer]:
        """What could stand in this field, for choosing."""
        match name:
            case "game":
                return [Offer(game, title, game) for title, game in presets()]
            case "seed":
                return list(_seeds(self.seed, self.last_seed))
        try:
            game = parse_game(self.game)
        except InputError:
            return []
        return list(_positions(game) if name == "position" else _agents(game))


@lru_cache(64)
def _game_name(text: str) -> str:
    """The canonical name of a game; '' where there is no such game."""
    try:
        return parse_game(text).name
    except InputError:
        return ""


def _start(game: Game) -> str:
    return game.position_name(game.start) or "the empty board"


def _seeds(seed: str, last_seed: int | None) -> Iterator[Offer]:
    with contextlib.suppress(InputError):
        yield Offer(seed.strip(), str(parse_seed(seed)), "as it is now")
    if last_seed is not None and str(last_seed) != seed.strip():
        yield Offer(str(last_seed), str(last_seed), "of the last game")
    for fresh in {str(fresh_seed()) for _ in range(3)}:
        yield Offer(fresh, fresh, "drawn anew")


def _seat(text: str, game: Game) -> Finding:
    def meaning() -> str:
        agent = parse_seat(text, game)
        return PERSON if agent is None else agent.title

    return finding(meaning)


def _can_play(text: str, game: Game) -> bool:
    try:
        parse_seat(text, game)
    except InputError:
        return False
    return True


def _positions(game: Game) -> Iterator[Offer]:
    """The start, and a few positions as they come up in play: they show how positions are written."""
    from nimtui.engine.rng import Stream
    from nimtui.games import Record
    from nimtui.games.base import legal_moves

    yield Offer("", "the usual start", _start(game))
    record, stream = Record(game), Stream(1)
    for _ in range(4):
        for _ in range(2):
            moves = legal_moves(record.state)
            if moves:
                record.push(stream.choose(moves))
        if record.over:
            return
        yield Offer(game.position_name(record.state), game.position_name(record.state), f"after {record.ply} moves")


def _agents(game: Game) -> Iterator[Offer]:
    from nimtui.agents import agent_choices

    yield Offer(ME, ME, PERSON)
    for preset in agent_choices(game):
        yield Offer(preset.agent, preset.agent, preset.title)


def how_written(seat: str, also: str = "") -> str:
    """What the agent named here does, and how its name may go on; for anything else, which names there are.

    `also`: what could stand there but an agent.
    """
    from nimtui.agents import agent_forms

    word = seat.strip().lower().partition(":")[0]
    words = []
    for form, about in agent_forms():
        words.append(re.split(r"[\[:]", form)[0])
        if words[-1] == word:
            return about if form == word else f"{about} · {form}"
    return f"{also}any of {' · '.join(words)}"

"""Defines the fields of a new game: the game, its start position, the players, the seed."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from nimtui.errors import InputError
from nimtui.ui.kit.draft import Draft, Entry, Offer
from nimtui.ui.kit.entries import fresh_seed, game_entry, parse_game, parse_seed, presets, seed_entry
from nimtui.ui.play.setup import ME, PlaySetup, parse_position, parse_seat, usual_opponent

if TYPE_CHECKING:
    from nimtui.games import Game

POSITIONS = {  # how to write a position, by the kind of board
    "rows": "the matches left in each row, as in 1,3,0,7",
    "runs": "row by row, 1 for a standing match and 0 for none, as in 1/101/11111",
    "columns": "the columns played so far, as in 4455 (with commas on more than 9 columns)",
}
PERSON = "a person, at this keyboard"
SEATS = ("first", "second")


@lru_cache(64)
def _game_name(text: str) -> str:
    """Return the canonical name of a game; '' if the game does not exist."""
    try:
        return parse_game(text).name
    except InputError:
        return ""


def _start(game: Game) -> str:
    return game.position_name(game.start) or "the empty board"


def _seeds(draft: PlayDraft) -> Iterator[Offer]:
    seed = draft.texts["seed"].strip()
    with contextlib.suppress(InputError):
        yield Offer(seed, str(parse_seed(seed)), "current seed")
    if draft.last_seed is not None and str(draft.last_seed) != seed:
        yield Offer(str(draft.last_seed), str(draft.last_seed), "seed of the last game")
    for fresh in {str(fresh_seed()) for _ in range(3)}:
        yield Offer(fresh, fresh, "new random seed")


def _can_play(text: str, game: Game) -> bool:
    try:
        parse_seat(text, game)
    except InputError:
        return False
    return True


def _positions(draft: PlayDraft) -> Iterator[Offer]:
    """Yield the start and a few positions of play; they show how to write positions."""
    from nimtui.engine.rng import Stream
    from nimtui.games import Record
    from nimtui.games.base import legal_moves

    if (game := draft.game) is None:
        return
    yield Offer("", "the game's start", _start(game))
    record, stream = Record(game), Stream(1)
    for _ in range(4):
        for _ in range(2):
            moves = legal_moves(record.state)
            if moves:
                record.push(stream.choose(moves))
        if record.over:
            return
        yield Offer(game.position_name(record.state), game.position_name(record.state), f"after {record.ply} moves")


def _seats(draft: PlayDraft) -> Iterator[Offer]:
    from nimtui.agents import agent_choices

    if (game := draft.game) is None:
        return
    yield Offer(ME, ME, PERSON)
    for preset in agent_choices(game):
        yield Offer(preset.agent, preset.agent, preset.title)


def how_written(seat: str, also: str = "") -> str:
    """Return what the named agent does and which options its name takes; for any other text, the allowed names.

    `also`: what else the field accepts.
    """
    from nimtui.agents import agent_forms

    word = seat.strip().lower().partition(":")[0]
    words = []
    for form, about in agent_forms():
        words.append(re.split(r"[\[:]", form)[0])
        if words[-1] == word:
            return about if form == word else f"{about} · {form}"
    return f"{also}one of {' · '.join(words)}"


def _position_means(draft: PlayDraft, text: str) -> str:
    if (game := draft.game) is None:
        return ""  # no meaning before the game is valid
    return _start(game) if parse_position(text, game) is None else "the first player is to move"


def _how_positions_are_written(draft: PlayDraft) -> str:
    if (game := draft.game) is None:
        return ""
    named = hasattr(game.module, "parse_position")
    return POSITIONS.get(game.board_kind, f"as in {game.position_name(game.start)}" if named else "")


def _seat_means(draft: PlayDraft, text: str) -> str:
    if (game := draft.game) is None:
        return ""
    agent = parse_seat(text, game)
    return PERSON if agent is None else agent.title


def _how_games_are_written(draft: PlayDraft) -> str:
    from nimtui.games import registry

    plain = (form.partition("[")[0] for form in registry.forms())
    return f"one of {' · '.join(plain)}; games of matches also take :misere, some :max=2"


def _seat_entry(name: str, label: str) -> Entry:
    return Entry(
        name,
        label,
        _seat_means,
        lambda draft: how_written(draft.text(name), f"{ME}, or "),
        _seats,
        f"{ME}, or an agent",
    )


ENTRIES = (
    replace(game_entry("", placeholder="for example tower:16 or nim:3,5,4,2,6"), hint=_how_games_are_written),
    Entry(
        "position",
        "Position",
        _position_means,
        _how_positions_are_written,
        _positions,
        "the game's start",
    ),
    _seat_entry("first", "First"),
    _seat_entry("second", "Second"),
    replace(
        seed_entry("same seed, same random choices", "the same seed and the same moves repeat a game"), offers=_seeds
    ),
)


@dataclass(frozen=True)
class PlayDraft(Draft[PlaySetup]):
    """The form of a new game while a person fills it in.

    Fields that the person has not touched follow the game: the default opponent replaces an agent that cannot play it,
    until the game suits that agent again.
    """

    begun: PlaySetup = field(default_factory=PlaySetup)  # the initial values
    touched: frozenset[str] = frozenset()  # the fields that the person has filled in
    last_seed: int | None = None  # of the game before

    @classmethod
    def of(cls, setup: PlaySetup, last_seed: int | None = None) -> PlayDraft:
        first, second = setup.seats
        texts = {"game": setup.game, "position": setup.position or "", "first": first, "second": second}
        return cls({**texts, "seed": str(setup.seed)}, setup, last_seed=last_seed)

    @property
    def entries(self) -> Sequence[Entry]:
        return ENTRIES

    @cached_property
    def game(self) -> Game | None:
        """The game of the form; None while its name is invalid."""
        try:
            return parse_game(self.texts["game"])
        except InputError:
            return None

    def with_text(self, name: str, text: str) -> PlayDraft:
        changed = replace(self._filled({name: text}), touched=self.touched | {name})
        return changed._suited() if name == "game" else changed

    def with_choice(self, name: str, value: str) -> PlayDraft:
        """Return the draft with another game of the list, at its start, with players for it."""
        changed = self.with_text(name, value)
        if name != "game" or (game := changed.game) is None:
            return changed
        unable = [seat for seat in SEATS if not _can_play(changed.texts[seat], game)]
        return changed._filled({"position": "", **dict.fromkeys(unable, usual_opponent(game))})

    def _filled(self, texts: Mapping[str, str]) -> PlayDraft:
        return replace(self, texts={**self.texts, **texts})

    def _suited(self) -> PlayDraft:
        """Return the draft with a position and players for its game where the person named none."""
        try:
            before = parse_game(self.begun.game)
        except InputError:
            return self
        if (game := self.game) is None:
            return self
        suited = {"position": (self.begun.position or "") if game.name == before.name else ""}
        for name, seat in zip(SEATS, self.begun.seats, strict=True):
            usual = seat == usual_opponent(before) or not _can_play(seat, game)
            suited[name] = usual_opponent(game) if usual else seat
        return self._filled({name: text for name, text in suited.items() if name not in self.touched})

    def swapped(self) -> PlayDraft:
        """Return the draft with the two players swapped."""
        other = {"first": "second", "second": "first"}
        touched = frozenset(other.get(name, name) for name in self.touched)
        changed = self._filled({name: self.texts[with_name] for name, with_name in other.items()})
        return replace(changed, begun=self.begun.swapped(), touched=touched)

    def setup(self) -> PlaySetup:
        texts = self.texts
        seats = texts["first"], texts["second"]
        return PlaySetup(texts["game"], texts["position"] or None, seats, parse_seed(texts["seed"])).validate()

    def examine(self) -> None:
        """Do nothing: valid fields of this form cannot contradict each other."""

    def offered(self, name: str) -> str:
        """Return the offered value that equals the field's text: a game by any of its names."""
        text = self.text(name).strip()
        if name == "game":
            known = _game_name(text)
            return next((game for _, game in presets() if known and _game_name(game) == known), text)
        return text

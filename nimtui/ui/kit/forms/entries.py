"""The fields that several forms share: a game, a position, a seed, the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from nimtui.arena.play.plan import FAULT_RULES, LOSES_GAME, check_rule
from nimtui.engine.rng import Stream
from nimtui.errors import InputError, valid, whole_number
from nimtui.games import Game, Record
from nimtui.games.base import legal_moves, nth
from nimtui.playing.setup import ALL, fresh_seed, parse_game, parse_position, parse_seed, parse_workers, presets
from nimtui.report.values import Count
from nimtui.ui.kit.forms.draft import Choice, Field


def offered(*words: str, default: str = "") -> tuple[Choice, ...]:
    """Return suggestions that say nothing more, but which one is the default."""
    return tuple(Choice(word, word, "default" if word == default else "") for word in words)


def game_field(
    hint: str,
    games: Callable[[], Iterable[tuple[str, str]]] = presets,
    why_not: Callable[[Game], str | None] = lambda game: None,
    placeholder: str = "for example tower:16 or nim:7,5,3",
) -> Field[str]:
    """Return the field of a game. `games`: titles and names to offer; `why_not`: why a game is not allowed."""

    def read(draft: Any, text: str) -> str:
        if (fault := why_not(parse_game(text))) is not None:
            raise InputError(fault)
        return text.strip()

    def offers(draft: Any) -> Iterator[Choice]:
        yield from (Choice(game, title, game) for title, game in games())

    return Field("game", "Game", read, lambda draft, game: parse_game(game).title, hint, offers, placeholder)


def positions(game: Game) -> Iterator[Choice]:
    """Yield up to four positions of a game, each two random moves after the one before, if its positions have names."""
    record, stream = Record(game), Stream(1)
    for ply in range(1, 9 if hasattr(game.module, "parse_position") else 0):
        if moves := legal_moves(record.state):
            record.push(stream.choose(moves))
        if record.over:
            return
        if ply % 2 == 0:
            name = game.position_name(record.state)
            yield Choice(name, name, f"after {ply} moves")


def position_example(game: Game) -> str:
    """Return a position of a game as a person writes it; '' if its positions have no names."""
    if (example := next((offer.value for offer in positions(game)), "")) or not hasattr(game.module, "parse_position"):
        return example
    return game.position_name(game.after(game.start, nth(game.start, 0)))  # a game may end after two moves


def game_of(draft: Any) -> Game | None:
    """Return the game that stands in the field `game`, for the other fields; None while it is invalid."""
    return valid(lambda: parse_game(draft.text("game")))


def position_field(use: str, more: str = "") -> Field[str | None]:
    """Return the field of a position of the game in the field `game`. `use`: what the form does with a position."""

    def read(draft: Any, text: str) -> str | None:
        return parse_position(text, game) if (game := game_of(draft)) is not None else None

    def meaning(draft: Any, position: str | None) -> str:
        if game_of(draft) is None:
            return ""  # the position means nothing without a game
        return use if position is not None else "the start of the game"

    def hint(draft: Any) -> str:
        game = game_of(draft)
        example = position_example(game) if game is not None else ""
        return f"optional: a position{f' such as {example}' if example else ''} [default: the start]{more}"

    def offers(draft: Any) -> Iterator[Choice]:
        yield Choice("", "the start", "of the game")
        if (game := game_of(draft)) is not None:
            yield from positions(game)

    def written(setup: Any) -> str:
        return setup.position or ""

    return Field("position", "Position", read, meaning, hint, offers, "the start", written=written)


def seed_field(meaning: str, hint: str) -> Field[int]:
    """Return the field of a seed."""

    def offers(draft: Any) -> Iterator[Choice]:
        yield Choice("0", "0", "default")
        yield from (Choice(seed, seed, "new random seed") for seed in (str(fresh_seed()), str(fresh_seed())))

    return Field("seed", "Seed", lambda draft, text: parse_seed(text), meaning, hint, offers, "a whole number")


def number_field(
    name: str,
    label: str,
    most: int,
    what: str,
    meaning: str | Callable[[Any, int], str],
    hint: str,
    offers: Sequence[Choice],
    placeholder: str,
) -> Field[int]:
    """Return the field of a number from 1 to `most`. `what` it is called in an error."""

    def read(draft: Any, text: str) -> int:
        return whole_number(text, what, 1, most)

    def written(setup: Any) -> str:
        return Count(getattr(setup, name)).text

    return Field(name, label, read, meaning, hint, offers, placeholder, written=written)


WORKERS: Field[int | None] = Field(
    "workers",
    "Workers",
    lambda draft, text: parse_workers(text),
    lambda draft, workers: "one process per core" if workers is None else "processes",
    f"the number of processes, or {ALL}: one per core",
    (Choice(ALL, ALL, "one per core"), Choice("1", "1", "leaves the other cores free")),
    ALL,
    written=lambda setup: ALL if setup.workers is None else str(setup.workers),
)

FAULTS: Field[str] = Field(
    "fault",
    "Faults",
    lambda draft, text: check_rule(text.strip().lower() or LOSES_GAME),
    lambda draft, rule: FAULT_RULES[rule],
    "a crash, an illegal move or a late answer; game, match or void",
    tuple(Choice(rule, rule, about) for rule, about in FAULT_RULES.items()),
    LOSES_GAME,
)

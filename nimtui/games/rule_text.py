"""The rules of a game in two sentences, how a person types its moves, and how moves and positions are written.

A `Place` is a position as it was given, and as its game names it. `named` writes a move as a thing, `doing` as what a
player does. Tables, trees, lists and transcripts print what a person types: `game.move_name`, such as c3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nimtui.games import base
from nimtui.games.adjacent import Adjacent
from nimtui.games.base import Move, State
from nimtui.games.connect import Connect
from nimtui.games.game import Game
from nimtui.games.heaps import Heaps
from nimtui.games.notation import row_letter
from nimtui.games.octal import Octal

MATCHES = ("rows", "runs")  # kinds of board


def named(game: Game, state: State, move: Move) -> str:
    """Return a move as the subject or object of a sentence: 'b2', 'column 3'."""
    name = game.move_name(move, state)
    return f"column {name}" if game.board_kind == "columns" else name


def doing(game: Game, state: State, move: Move, taking: str = "take", dropping: str = "drop") -> str:
    """Return what a move does: 'take 2 from C', 'take c2-4', 'drop in column 4', 'eat b2', 'play b2'.

    `taking` and `dropping` are the verbs' forms; `VERBS` and 'play' take the form of `taking`.
    """
    name = game.move_name(move, state)
    cells = sorted(game.touched(state, move))
    if game.verbs is not None or not cells or game.board_kind not in (*MATCHES, "columns"):
        return f"{verbed(game, taking)} {name}"
    row, first = cells[0]
    letter = chr(ord("A") + row)
    if game.board_kind == "columns":
        return f"{dropping} in column {first + 1}"
    if game.board_kind == "rows":
        return f"{taking} {len(cells)} from {letter}" if len(game.cells(state) or ()) > 1 else f"{taking} {len(cells)}"
    return f"{taking} {name}"


def verbed(game: Game, taking: str) -> str:
    """Return the game's own verb in the form of 'take', 'takes' or 'took'; 'play' without `VERBS`."""
    now, past = game.verbs or ("play", "played")
    if taking == "takes":
        return f"{now}{'es' if now.endswith(('s', 'x', 'z', 'ch', 'sh', 'o')) else 's'}"
    return past if taking == "took" else now


def rules(game: Game) -> str:
    """Return who wins, then how the players move; the game's own `RULES` for any other game."""
    start = game.start
    if isinstance(start, Heaps | Adjacent):
        where = "" if len(game.cells(start) or ()) == 1 else " from one row"
        which = "matches" if isinstance(start, Heaps) else "adjacent matches"
        most = "any number of" if start.limit >= _widest(game) else _up_to(start.limit)
        end = "loses" if start.misere else "wins"
        amount = "one match" if start.limit == 1 < _widest(game) else f"{most} {which}"
        return f"Whoever takes the last match {end}. In turn, take {amount}{where}."
    if isinstance(start, Connect):
        return (
            f"Whoever first has {start.k} discs in a line, in any direction, wins; a full board is a draw. "
            "In turn, drop a disc into a column."
        )
    return game.rules or f"{game.title}. You move in turn. Its file does not tell its rules."


def notation(game: Game) -> str:
    """Return how a person types a move: 'Type c2 to take 2 from row C.'; '' for a game whose moves are listed."""
    start = game.start
    if isinstance(start, Connect):
        column = (len(start.top) + 1) // 2
        return f"Type {column} and Enter to drop a disc into column {column}."
    if game.board_kind == "grid":
        return _of_grid(game)
    if isinstance(start, Octal):
        return _of_octal(game, start)
    if not isinstance(start, Heaps | Adjacent):
        return ""
    widths = [len(row) for row in game.cells(start) or ()]
    row = next((at for at, width in enumerate(widths) if width > 1), 0)  # the first row in which the example is legal
    letter, most = row_letter(row), min(2, widths[row], start.limit)
    name = letter.upper()
    if isinstance(start, Heaps):
        return f"Type {letter}{most} to take {most}" + (f" from row {name}." if len(widths) > 1 else ".")
    single = f"Type {letter}{most} to take match {most} of row {name}"
    return f"{single}, {letter}1-2 to take matches 1 and 2." if most > 1 else f"{single}."


def _of_grid(game: Game) -> str:
    """Return how a move in the middle of the grid is typed."""
    moves = base.legal_moves(game.start)
    if not moves:
        return ""
    move = moves[len(moves) // 2]
    name, square = game.move_name(move, game.start), game.square(game.start, move)
    is_cell = square is not None and name == f"{row_letter(square[0])}{square[1] + 1}"
    where = f": row {name[0].upper()}, column {name[1:]}" if is_cell else ""
    return f"Type {name} to {doing(game, game.start, move)}{where}."


def _of_octal(game: Game, start: Octal) -> str:
    """Return how the first move that splits a heap is typed, or else the first; the largest heap's come first."""
    moves = base.legal_moves(start)
    move = next((move for move in moves if start.left_of[move]), moves[0])
    name, take, apart = game.move_name(move, start), int(start.take_of[move]), int(start.left_of[move])
    heap = name[0].upper()
    if not take:
        return f"Type {name} to split heap {heap} into {apart} and the rest."
    return f"Type {name} to take {take} from heap {heap}{f' and leave {apart} apart' if apart else ''}."


def both(game: Game) -> str:
    """Return the rules and the notation of moves."""
    return f"{rules(game)} {notation(game)}".strip()


def _widest(game: Game) -> int:
    return max(map(len, game.cells(game.start) or [[]]))


def _up_to(limit: int) -> str:
    return {2: "1 or 2"}.get(limit, f"1 to {limit}")


class Place(NamedTuple):
    """A position of a game, for reports: `typed` is None for the start."""

    game: Game
    state: State
    typed: str | None

    @property
    def canonical(self) -> str:
        return self.game.position_name(self.state)

    @property
    def title(self) -> str:
        """The game's title, and its name in brackets."""
        return self.game.title if self.game.title == self.game.name else f"{self.game.title}  ({self.game.name})"

    @property
    def text(self) -> str:
        """The position for people: as it was given, the canonical name in brackets if that differs."""
        canonical = self.canonical or "the start"
        return canonical if self.typed in (None, self.canonical) else f"{self.typed}  (= {canonical})"

    @property
    def line(self) -> str:
        """The position for people, after the game's name: 'position 1,3,5,7'."""
        return place_line(self.keys)

    @property
    def keys(self) -> dict[str, str]:
        """The keys of game and position in a document."""
        typed = self.canonical if self.typed is None else self.typed
        return {"game": self.game.name, "position": typed, "canonical": self.canonical}

    def move(self, move: int) -> str:
        """Return the name of a move here."""
        return self.game.move_name(move, self.state)

    def named(self, move: int) -> str:
        """Return a move as it is said: 'b2', 'column 3'."""
        return named(self.game, self.state, move)


def place_line(keys: Mapping[str, str]) -> str:
    """Return the position of a document's keys for people."""
    typed, canonical = keys["position"], keys["canonical"]
    if typed == canonical:
        return f"position {typed or 'the start'}"
    return f"position {typed} (= {canonical or 'the start'})"

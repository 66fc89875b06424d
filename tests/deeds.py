"""Checks what is said of a move and of a board by comparing the boards themselves, and names players by their seats."""

from __future__ import annotations

import re

from nimtui.games import Game, base
from nimtui.games.base import State

Place = tuple[int, int]
IN_A_ROW = {"three": 3, "four": 4, "five": 5, "six": 6}
MATCHES = ("rows", "runs")


def changed(game: Game, before: State, after: State) -> list[Place]:
    """The cells that differ, row by row."""
    both = zip(game.cells(before) or (), game.cells(after) or (), strict=True)
    return [(at, n) for at, (old, new) in enumerate(both) for n, (one, other) in enumerate(zip(old, new, strict=True))
            if one != other]  # fmt: skip


def is_deed(game: Game, before: State, after: State, deed: str) -> None:
    """Check 'take 2 from C', 'took c2-4', 'dropped in column 4', 'ate b2' or, without a picture, 'played 2,1'."""
    cells = changed(game, before, after)
    verb, _, rest = deed.partition(" ")
    if game.board_kind == "rows":
        found = re.fullmatch(r"(\d+)(?: from ([A-Z]))?", rest)
        assert found and verb in ("take", "takes", "took") and int(found[1]) == len(cells)
        assert {row for row, _ in cells} == {ord(found[2]) - ord("A") if found[2] else 0}
        assert bool(found[2]) == (len(game.cells(game.start) or ()) > 1)
    elif game.board_kind == "runs":
        found = re.fullmatch(r"([a-z])(\d+)(?:-(\d+))?", rest)
        assert found and verb in ("take", "takes", "took")
        row, first, last = ord(found[1]) - ord("a"), int(found[2]), int(found[3] or found[2])
        assert cells == [(row, place - 1) for place in range(first, last + 1)]
    elif game.board_kind == "columns":
        found = re.fullmatch(r"in column (\d+)", rest)
        assert found and verb in ("drop", "drops", "dropped") and [column for _, column in cells] == [int(found[1]) - 1]
    else:
        names = {"chomp": ("eat", "eats", "ate"), "noughts": ("mark", "marks", "marked")}
        assert verb in names.get(game.name.partition(":")[0], ("play", "plays", "played"))
        move = game.parse_move(rest, before)
        left = base.copy(before)
        base.play(left, move)
        assert left.board.tolist() == after.board.tolist()


def title_of(spec: str, other: str, order: str) -> str:
    """How a player is called: 'You', 'The first player', 'Random', 'Random (first)'."""
    if spec == "me":
        return f"The {order} player" if other == "me" else "You"
    titles = {"random": "Random", "perfect": "Perfect", "mc": "Flat Monte Carlo", "mcts": "Tree search"}
    word, other_word = spec.partition(":")[0], other.partition(":")[0]
    return f"{titles[word]} ({order})" if word == other_word else titles[word]


def names_of(seats: tuple[str, str]) -> tuple[str, str]:
    first, second = seats
    return title_of(first, second, "first"), title_of(second, first, "second")


def inside(name: str) -> str:
    """The name inside a sentence."""
    return name[:1].lower() + name[1:] if name == "You" or name.startswith("The ") else name


def has_line(game: Game, state: State, k: int) -> bool:
    """Whether somebody has k in a row."""
    cells = game.cells(state) or ()
    at = {(row, column): cell for row, line in enumerate(cells) for column, cell in enumerate(line)}
    return any(
        cell and all(at.get((row + n * down, column + n * right)) == cell for n in range(k))
        for (row, column), cell in at.items()
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def is_result(game: Game, states: list[State], seats: tuple[str, str], text: str) -> str:
    """Check how a finished game ended; `states` are all its positions. Return the form of the sentence."""
    last, mover = states[-1], len(states) % 2  # the seat that made the last move
    end, names = int(base.outcome(last)), names_of(seats)
    cells = [cell for row in game.cells(last) or () for cell in row]
    if found := re.fullmatch(r"(The board is full: a|A) draw\.", text):
        assert end == base.DRAW and (found[1] != "A") == bool(cells and all(cells))
        return "draw"
    assert end in (base.WON, base.LOST)
    winner = mover if end == base.WON else 1 - mover
    if found := re.fullmatch(r"(.+) took the last match(?: and (wins?)|: (.+) (wins?))\.", text):
        assert game.board_kind in MATCHES and not any(cells) and found[1] == names[mover]
        assert bool(found[2]) == (winner == mover) and (found[3] is None or found[3] == inside(names[winner]))
        assert (found[2] or found[4]) == ("win" if names[winner] == "You" else "wins")
        return "last match"
    if found := re.fullmatch(r"(.+) (?:has|have) (\w+) in a row and wins?\.", text):
        k = IN_A_ROW.get(found[2]) or int(found[2])
        assert found[1] == names[winner] and winner == mover and has_line(game, last, k)
        assert not has_line(game, states[-2], k)
        return "line"
    if found := re.fullmatch(r"(.+?) (ate \w+|marked \w+)(?: and wins?|: (.+) wins?)\.", text):
        assert found[1] == names[mover] and (found[3] is None) == (winner == mover)
        assert found[3] is None or found[3] == inside(names[winner])
        is_deed(game, states[-2], last, found[2])
        return "deed"
    found = re.fullmatch(r"(.+) (wins?)\.", text)
    assert found, f"a sentence without a pattern: {text}"
    assert found[1] == names[winner] and (found[2] == "win") == (found[1] == "You")
    return "wins"

"""Cells of a rectangle, numbered row × columns + column: which are beside each other, and its mirror images."""

from __future__ import annotations

from itertools import product


def beside(rows: int, columns: int) -> list[list[int]]:
    """Return for each cell the cells around it, diagonally too, ascending."""
    return [
        [
            there * columns + at
            for there in range(max(0, row - 1), min(rows, row + 2))
            for at in range(max(0, column - 1), min(columns, column + 2))
            if (there, at) != (row, column)
        ]
        for row, column in product(range(rows), range(columns))
    ]


def images(rows: int, columns: int) -> list[list[int]]:
    """Return where each cell goes when the rectangle is mirrored or turned, without the rectangle as it is."""
    turns = (False, True) if rows == columns else (False,)
    permutations = []
    for down, right, turned in product((False, True), (False, True), turns):
        places = []
        for row, column in product(range(rows), range(columns)):
            to = rows - 1 - row if down else row, columns - 1 - column if right else column
            places.append(to[1] * columns + to[0] if turned else to[0] * columns + to[1])
        permutations.append(places)
    return permutations[1:]

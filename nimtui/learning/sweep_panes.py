"""Lays the cells of a sweep out on a page: one pane per combination of the parameters beyond the first two."""

from __future__ import annotations

import itertools
from typing import Generic, NamedTuple, TypeVar

from nimtui.learning.sweep import Plan
from nimtui.learning.sweep_grid import as_typed

C = TypeVar("C")


class Pane(NamedTuple, Generic[C]):
    """A pane: rows and columns of cells, each a number in the plan or what is shown of that cell."""

    down: str  # the parameter of the rows; '' if there is only one row
    across: str
    rows: tuple[str, ...]  # the values of `down`
    columns: tuple[str, ...]
    cells: tuple[tuple[C, ...], ...]  # [row][column]
    title: str = ""  # the values of the other parameters: 'low=0, high=100'


def panes(plan: Plan) -> tuple[Pane[int], ...]:
    """Return the panes of a plan: the first parameter down, the second across; a single parameter across."""
    names = list(plan.grid.values)
    words = [tuple(as_typed(value) for value in values) for values in plan.grid.values.values()]
    if len(names) < 2:
        [across], [columns] = names or [""], words or [("",)]
        return (Pane("", across, ("",), columns, (tuple(range(len(columns))),), ""),)
    further = list(itertools.product(*words[2:]))
    return tuple(
        Pane(
            names[0],
            names[1],
            words[0],
            words[1],
            tuple(
                tuple((row * len(words[1]) + column) * len(further) + number for column in range(len(words[1])))
                for row in range(len(words[0]))
            ),
            ", ".join(f"{name}={value}" for name, value in zip(names[2:], values, strict=True)),
        )
        for number, values in enumerate(further)
    )

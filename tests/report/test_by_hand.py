"""No number is rounded and no column is aligned outside `nimtui.report`, but in the places named here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.report.made import modules

SPEC = re.compile(r"(?P<place>.?[<>^])?[-+ ]?(?P<zeros>0)?(?P<width>\d+|#)?,?(?P<round>\.(\d+|#))?(?P<kind>\w|%)?")
PADDING = {"ljust", "rjust", "center"}
ALLOWED = {  # why, and the modules
    "a limit as a person types it": "agents.program",
    "a time in a fault of a room below": "agents.student sandbox.program",
    "for programs: the digits are the format's": "agents.ugi agents.belief sandbox.server trees.compare",
    "a picture, whose cells are its own": """
        api.games arena.compare.effort_curve arena.review.review_report theory.sequence_report ui.app.start
        ui.board.board ui.board.matches ui.board.position_map_picture ui.board.preview ui.board.small_board
        ui.kit.widgets.curve ui.kit.terminal.glyphs ui.play.heap_pages ui.kit.work_screen ui.sweep.heat
        ui.train.position_panel
    """,
    "an error repeats the number that a program gave": "api.door",
    "a mark as a teacher types it in the file": "arena.classes.class_folder",
    "a letter and a name in one cell": "arena.standings.standings_report",
    "a value beside the bound that a teacher types in the file": "check.grade",
    "a size in an error of a room below": "foreign.reading",
    "`plural` is the count of a sentence": "games.notation",
    "a whole number as a person types it, with its hyphen": "learning.parameter",
    "a number that a person could type, read again": "learning.sweep",
    "the report of a crash is written by as little as possible": "store.guard",
    "`count` is the number of nodes in a row of a tree": "trees.report",
    "rows of a tree or a list with a cursor, as wide for those that are out of sight": """
        ui.compare.parts_view ui.compare.view ui.play.thinking ui.play.value_history ui.search.rows
        ui.tournament.crosstable
    """,
    "a list of Textual": "ui.kit.forms.choices",
    "keys have an ink that figures have not": "ui.kit.widgets.panel",
    "a sign and a word in one cell": "ui.library.view",
    "the weight, as in the row of weights below it": "ui.play.lesson",
    "a part of a line that changes while the rest of the line stands still": """
        ui.play.view ui.search.walk ui.search.view ui.tournament.pairing_view ui.tournament.view ui.train.view
    """,
    "the label of a field": "ui.tournament.draft",
}


def by_hand(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Find the lines of a file that write a number, and how: 'round', 'align', or 'figure' for one that stands alone.

    A whole number within a sentence, `{games:,}`, has one form and needs no kind. `size` is how a kind of number writes
    its own; hexadecimal codes, padded with zeros, are no numbers.
    """
    nodes = list(ast.walk(tree))
    methods = [method for node in nodes if isinstance(node, ast.ClassDef) for method in node.body]
    kinds = [method for method in methods if isinstance(method, ast.FunctionDef) and method.name == "size"]
    own = {id(part) for kind in kinds for part in ast.walk(kind)}
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in PADDING:
                yield node.lineno, "align"
            case ast.JoinedStr(values=[ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(",")]))]):
                yield node.lineno, "figure"
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=parts)) if id(node) not in own:
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "#" for part in parts)
                if (spec := SPEC.fullmatch(text)) is None:  # of a date
                    continue
                if spec["round"] or (spec["kind"] or "d") in "eEfFgG%":
                    yield node.lineno, "round"
                if not spec["zeros"] and (spec["place"] or spec["width"]):
                    yield node.lineno, "align"


PLANTED = """
rate = f"{rate:,.0f} games/s"
share = f"won {100 * share:.1f} %"
line = f"{name:<{wide}} {games:>9,}"
head = "agent".ljust(wide)
goal = f"{games:,}"
said = f"{games:,} games"
code = f"{number:08x} at {when:%H:%M}"
"""


def test_a_number_written_by_hand_is_found() -> None:
    found = [(2, "round"), (3, "round"), (4, "align"), (4, "align"), (5, "align"), (6, "figure")]
    assert sorted(by_hand(ast.parse(PLANTED))) == found


@pytest.mark.slow
def test_numbers_are_written_by_their_kind_and_columns_by_their_table() -> None:
    found: dict[str, list[str]] = {}
    for name, tree in modules().items():
        if not name.startswith("report/"):
            module = name.removesuffix(".py").replace("/", ".")
            if places := [f"line {line}: {what}" for line, what in by_hand(tree)]:
                found[module] = places
    allowed = {module for modules in ALLOWED.values() for module in modules.split()}
    assert {module: places for module, places in found.items() if module not in allowed} == {}
    assert allowed - found.keys() == set(), "these need no exception"

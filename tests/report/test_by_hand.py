"""No number is rounded and no column is aligned outside `nimtui.report`, but in the places named here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.report.made import modules

SPEC = re.compile(r"(?P<place>.?[<>^])?[-+ ]?(?P<zeros>0)?(?P<width>\d+|#)?,?(?P<round>\.(\d+|#))?(?P<kind>\w|%)?")
PADDING = {"ljust", "rjust", "center"}
DRAWN = "a picture, whose cells are its own"
ROWS = "rows of a tree or a list with a cursor, as wide for those that are out of sight"
STEADY = "a part of a line that changes while the rest of the line stands still"
DATA = "for programs: the digits are the format's"
ALLOWED = {
    "agents.program": "a limit as a person types it",
    "agents.student": "a time in a fault of a room below",
    "agents.ugi": DATA,
    "api.games": DRAWN,
    "api.door": "an error repeats the number that a program gave",
    "arena.classes.class_folder": "a mark as a teacher types it in the file",
    "agents.belief": DATA,
    "arena.compare.effort_curve": DRAWN,
    "arena.review.review_report": DRAWN,
    "arena.standings.standings_report": "a letter and a name in one cell",
    "check.grade": "a value beside the bound that a teacher types in the file",
    "foreign.reading": "a size in an error of a room below",
    "games.notation": "`plural` is the count of a sentence",
    "learning.parameter": "a whole number as a person types it, with its hyphen",
    "learning.sweep": "a number that a person could type, read again",
    "sandbox.server": DATA,
    "sandbox.program": "a time in a fault of a room below",
    "store.guard": "the report of a crash is written by as little as possible",
    "theory.sequence_report": DRAWN,
    "trees.compare": DATA,
    "trees.report": "`count` is the number of nodes in a row of a tree",
    "ui.app.start": DRAWN,
    "ui.board.board": DRAWN,
    "ui.board.matches": DRAWN,
    "ui.board.position_map_picture": DRAWN,
    "ui.board.preview": DRAWN,
    "ui.board.small_board": DRAWN,
    "ui.compare.parts_view": ROWS,
    "ui.compare.view": ROWS,
    "ui.kit.forms.choices": "a list of Textual",
    "ui.kit.widgets.curve": DRAWN,
    "ui.kit.terminal.glyphs": DRAWN,
    "ui.kit.widgets.panel": "keys have an ink that figures have not",
    "ui.library.view": "a sign and a word in one cell",
    "ui.play.heap_pages": DRAWN,
    "ui.play.lesson": "the weight, as in the row of weights below it",
    "ui.play.view": STEADY,
    "ui.play.thinking": ROWS,
    "ui.kit.work_screen": DRAWN,
    "ui.play.value_history": ROWS,
    "ui.search.rows": ROWS,
    "ui.search.walk": STEADY,
    "ui.search.view": STEADY,
    "ui.sweep.heat": DRAWN,
    "ui.tournament.crosstable": ROWS,
    "ui.tournament.draft": "the label of a field",
    "ui.tournament.pairing_view": STEADY,
    "ui.tournament.view": STEADY,
    "ui.train.position_panel": DRAWN,
    "ui.train.view": STEADY,
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
    assert sorted(by_hand(ast.parse(PLANTED))) == [
        (2, "round"),
        (3, "round"),
        (4, "align"),
        (4, "align"),
        (5, "align"),
        (6, "figure"),
    ]


@pytest.mark.slow
def test_numbers_are_written_by_their_kind_and_columns_by_their_table() -> None:
    found: dict[str, list[str]] = {}
    for name, tree in modules().items():
        if not name.startswith("report/"):
            module = name.removesuffix(".py").replace("/", ".")
            if places := [f"line {line}: {what}" for line, what in by_hand(tree)]:
                found[module] = places
    assert {module: places for module, places in found.items() if module not in ALLOWED} == {}
    assert ALLOWED.keys() - found.keys() == set(), "these need no exception"

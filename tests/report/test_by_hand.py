"""No number is rounded and no column is aligned outside `nimtui.report`, but in the places named here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.report.made import PACKAGE

SPEC = re.compile(r"(?P<place>.?[<>^])?[-+ ]?(?P<zeros>0)?(?P<width>\d+|#)?,?(?P<round>\.(\d+|#))?(?P<kind>\w|%)?")
PADDING = {"ljust", "rjust", "center"}
DRAWN = "a picture, whose cells are its own"
ROWS = "rows of a tree or a list with a cursor, as wide for those that are out of sight"
STEADY = "a part of a line that changes while the rest of the line stands still"
DATA = "for programs: the digits are the format's"
ALLOWED = {
    "api/board_text.py": DRAWN,
    "api/door.py": "an error repeats the number that a program gave",
    "arena/beliefs.py": DATA,
    "arena/curve_svg.py": DRAWN,
    "arena/review_report.py": DRAWN,
    "arena/standings_report.py": "a letter and a name in one cell",
    "check/server.py": DATA,
    "foreign/reading.py": "a size in an error of a room below",
    "games/notation.py": "`plural` is the count of a sentence",
    "learning/parameter.py": "a whole number as a person types it, with its hyphen",
    "learning/sweep_grid.py": "a number that a person could type, read again",
    "store/crashes.py": "the report of a crash is written by as little as possible",
    "trees/compare.py": DATA,
    "trees/report.py": "`count` is the number of nodes in a row of a tree",
    "ui/app/start.py": DRAWN,
    "ui/board/boards.py": DRAWN,
    "ui/board/grid.py": DRAWN,
    "ui/board/matches.py": DRAWN,
    "ui/board/position_map_picture.py": DRAWN,
    "ui/compare/parts_view.py": ROWS,
    "ui/compare/view.py": ROWS,
    "ui/kit/choices.py": "a list of Textual",
    "ui/kit/curve.py": DRAWN,
    "ui/kit/glyphs.py": DRAWN,
    "ui/kit/panel.py": "keys have an ink that figures have not",
    "ui/library/view.py": "a sign and a word in one cell",
    "ui/play/lesson.py": "the weight, as in the row of weights below it",
    "ui/play/move_list.py": ROWS,
    "ui/play/prompt.py": STEADY,
    "ui/play/replay_view.py": STEADY,
    "ui/play/thinking.py": ROWS,
    "ui/play/value_history.py": DRAWN,
    "ui/search/rows.py": ROWS,
    "ui/search/slider.py": STEADY,
    "ui/search/view.py": STEADY,
    "ui/sweep/heat.py": DRAWN,
    "ui/sweep/view.py": "a sign and a number in one cell",
    "ui/tournament/crosstable.py": ROWS,
    "ui/tournament/draft.py": "the label of a field",
    "ui/tournament/pairing_view.py": STEADY,
    "ui/tournament/view.py": STEADY,
    "ui/train/position_panel.py": DRAWN,
    "ui/train/work.py": "goals and games, as in the fields of its form",
    "ui/train/view.py": STEADY,
}


def by_hand(source: str) -> Iterator[tuple[int, str]]:
    """Find the lines of a file that write a number, and how: 'round', 'align', or 'figure' for one that stands alone.

    A whole number within a sentence, `{games:,}`, has one form and needs no kind. `size` is how a kind of number writes
    its own; hexadecimal codes, padded with zeros, are no numbers.
    """
    tree = ast.parse(source)
    methods = [method for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for method in node.body]
    kinds = [method for method in methods if isinstance(method, ast.FunctionDef) and method.name == "size"]
    own = {id(part) for kind in kinds for part in ast.walk(kind)}
    for node in ast.walk(tree):
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
    assert sorted(by_hand(PLANTED)) == [
        (2, "round"),
        (3, "round"),
        (4, "align"),
        (4, "align"),
        (5, "align"),
        (6, "figure"),
    ]


def test_numbers_are_written_by_their_kind_and_columns_by_their_table() -> None:
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}:{line} {what}"
        for path in PACKAGE.rglob("*.py")
        if path.parent != PACKAGE / "report"
        for line, what in by_hand(path.read_text("utf-8"))
    }
    assert sorted(one for one in found if one.partition(":")[0] not in ALLOWED) == []
    assert sorted(ALLOWED.keys() - {one.partition(":")[0] for one in found}) == [], "these need no exception"

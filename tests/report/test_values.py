"""The one writer of percentages: against whole numbers, and that nobody else writes one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from nimtui.agents.mc import interval, joint_deviations
from nimtui.engine.playouts import Tally
from nimtui.report import values
from tests.report.made import modules

NO_SHARE = {"store/game_list.py", "report/lines.py"}  # the % of a LIKE pattern in SQL, the one that no line begins with


def nearest(part: int, whole: int, places: int) -> str:
    """A share by whole numbers alone; exact halves are left to the caller."""
    steps = 100 * 10**places
    rounded = (2 * part * steps + whole) // (2 * whole)
    if part in (0, whole):
        return str(100 * part // whole)
    text = f"{rounded // 10**places}" + (f".{rounded % 10**places:0{places}d}" if places else "")
    least = "0." + "0" * (places - 1) + "1" if places else "1"
    most = "99." + "9" * places if places else "99"
    return f"<{least}" if rounded == 0 else f">{most}" if rounded == steps else text


@pytest.mark.parametrize(("kind", "places"), [(values.Share, 1), (values.Fine, 2)])
def test_every_share_of_up_to_150_is_rounded_to_nearest_and_0_and_100_are_exact(
    kind: type[values.Share], places: int
) -> None:
    for whole in (*range(1, 151), 999, 1_000, 9_999, 286_496):
        for part in range(0, whole + 1, max(1, whole // 150)):
            share = kind(part / whole)
            if Fraction(200 * 10**places * part, whole) % 2 != 1:
                assert share.text == f"{nearest(part, whole, places)} %"
            if Fraction(200 * part, whole) % 2 != 1:
                assert share.short == f"{nearest(part, whole, 0)} %"


@pytest.mark.parametrize(("value", "text", "short", "spoken"), [
        (values.Share(360 / 286_496), "0.1 %", "<1 %", "0.1 per cent"),
        (values.Share(0.995), "99.5 %", ">99 %", "99.5 per cent"),
        (values.Share(0.6275), "62.8 %", "63 %", "62.8 per cent"),
        (values.Share(1e-9), "<0.1 %", "<1 %", "less than 0.1 per cent"),
        (values.Share(1 - 1e-9), ">99.9 %", ">99 %", "more than 99.9 per cent"),
        (values.Fine(0.24127), "24.13 %", "24 %", "24.13 per cent"),
        (values.Likelihood(0.0), "<0.1 %", "<1 %", "less than 0.1 per cent"),
        (values.Likelihood(0.975), "97.5 %", "98 %", "97.5 per cent"),
        (values.Likelihood(1.0), ">99.9 %", ">99 %", "more than 99.9 per cent"),
        (values.Bar(0.5), "█" * 15, "█" * 5, ""),
        (values.Within(0.8086, 0.856), "80.9–85.6", "81–86", "between 80.9 and 85.6 per cent"),
        (values.EloRange(40, 412, 3), "at least +412", "≥ +412", "at least plus 412"),
        (values.EloRange(None, None, -9), "at most −9", "≤ −9", "at most minus 9"),
        (values.Ending("wins", 7), "wins in 7", "W7", "wins in 7 plies"),
        (values.Ending("loses", 1), "loses in 1", "L1", "loses in 1 ply"),
        (values.Ending("draws"), "draws", "D", "draws"),
        (values.Ending("wins", 0), "wins in 0", "W0", "wins in 0"),
        (values.Word("alpha-beta", "αβ", "alpha beta"), "alpha-beta", "αβ", "alpha beta"),
        *((value, text, text, spoken) for value, text, spoken in (
            (values.Share(None), "–", "unknown"), (values.Share(float("nan")), "–", "unknown"),
            (values.Level(0.0125), "1.25 %", "1.25 per cent"), (values.Level(0.1), "10 %", "10 per cent"),
            (values.Within(0, 1), "0–100", "between 0 and 100 per cent"),
            (values.Within(float("nan"), 1), "–", "unknown"), (values.Count(None), "–", "unknown"),
            (values.Count(float("inf")), "∞", "infinity"), (values.Result(0.0005), "+0.001", "plus 0.001"),
            (values.Mean(-1234.125), "−1,234.13", "minus 1,234.13"), (values.Score(-3), "−3", "minus 3"),
            (values.Score(34_976.0), "+34,976", "plus 34,976"), (values.Score(-0.125), "−0.125", "minus 0.125"),
            (values.Difference(-2.5), "−2.5", "minus 2.5"), (values.Seconds(60), "60 s", "60 seconds"),
            (values.Duration(0.0), "0.0 ms", "0.0 milliseconds"),
            (values.Duration(0.00004), "<0.1 ms", "less than 0.1 milliseconds"),
            (values.Duration(0.00005), "0.1 ms", "0.1 milliseconds"),
            (values.Duration(0.0002), "0.2 ms", "0.2 milliseconds"),
            (values.Duration(0.00999), "10.0 ms", "10.0 milliseconds"),
            (values.Duration(0.01), "10 ms", "10 milliseconds"),
            (values.Duration(0.9994), "999 ms", "999 milliseconds"), (values.Duration(1), "1.00 s", "1.00 seconds"),
            (values.Ratio(12.45), "12.5 ×", "12.5 times"), (values.Pace(24_400_000), "24 M/s", "24 million a second"),
            (values.Pace(9_960_000), "10 M/s", "10 million a second"),
            (values.Pace(1_000_000), "1.0 M/s", "1.0 million a second"),
            (values.Pace(994_000), "990 k/s", "990 thousand a second"),
            (values.Pace(4_440), "4.4 k/s", "4.4 thousand a second"),
            (values.Pace(999), "1.0 k/s", "1.0 thousand a second"), (values.Pace(2.54), "2.5/s", "2.5 a second"),
            (values.Elo(-1234.5), "−1,235", "minus 1,235"), (values.EloRange(39.6), "±40", "plus or minus 40"),
            (values.Ending(None, 3), "–", "unknown"), (values.Word("−3"), "−3", "minus 3"),
        )),
        *((value, text, text, text) for value, text in (
            (values.Typed(0.1 + 0.2), "0.3"), (values.Typed(2**60 + 1), "1,152,921,504,606,846,977"),
            (values.Bar(float("nan")), ""), (values.Bar(None), ""), (values.Count(5_000_000), "5,000,000"),
            (values.Count(0.5), "1"),
            (values.Result(-0.0004), "0.000"), (values.Typed(1_000), "1,000"), (values.Clock(59.4), "0:59"),
            (values.Clock(59.5), "1:00"), (values.Clock(3599), "59:59"), (values.Clock(3600), "1:00:00"),
            (values.Clock(10_805), "3:00:05"), (values.Bytes(384), "384 bytes"), (values.Bytes(999.4), "999 bytes"),
            (values.Bytes(999.5), "1 kB"), (values.Bytes(1.25e21), "1.25 ZB"),
            (values.Named(1, "ply", "plies"), "1 ply"), (values.Named(1204, "game", "games"), "1,204 games"),
            (values.Elo(0.4), "0"), (values.EloRange(float("inf")), ""),
        )),
])  # fmt: skip
def test_a_value_is_written_and_said(value: values.Value, text: str, short: str, spoken: str) -> None:
    assert (value.text, value.short, value.spoken) == (text, short, spoken)


def test_a_document_keeps_plain_values() -> None:
    unknown = values.Count(None), values.Count(float("nan")), values.Score(float("inf")), values.Raw(None)
    plain = values.Count(np.int64(3)), values.Named(np.int64(2), "a", "b"), *unknown
    assert [value.raw for value in plain] == [3, 2, None, None, None, None]
    assert values.NOTHING.keys("a") == {} and values.NOTHING.text == values.Keys({"x": 1}).text == ""
    assert values.known(values.Count, None) is values.NOTHING and values.known(values.Count, 3) == values.Count(3)
    assert [value.unknown for value in (*unknown[:2], values.Count(3))] == [True, True, False]
    assert values.per_cent(0.8344) == "83.4" and values.nearest(2.5) == 3
    assert values.Keys({"x": 1}).keys("a") == {"x": 1} and values.Raw(True).text == "True"
    assert values.Within(0.25, float("nan")).keys("a") == {"a_low": 0.25, "a_high": None}


def test_progress_is_100_only_at_the_end() -> None:
    told = {0.999999: 99, **{cent / 100: cent for cent in range(101)}}
    assert [values.Progress(done).text for done in told] == [f"{cent} %" for cent in told.values()]


def test_the_interval_of_playouts_always_holds_their_value() -> None:
    for moves in (1, 2, 9):
        deviations = joint_deviations(moves)
        for games in (*range(1, 60), 100, 1_000, 4_999):
            for wins in range(0, games + 1, max(1, games // 60)):
                for draws in {0, (games - wins) // 2, games - wins}:
                    tally = Tally(0, wins, games - wins - draws, draws)
                    low, high = interval(tally, deviations)
                    assert -1 <= low <= tally.value <= high <= 1


def written(tree: ast.Module) -> list[int]:
    """The lines that make a percentage: a number before a per cent sign, a format of it, or 100 times something."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            for one, following in zip(node.values, [*node.values[1:], None], strict=True):
                if not isinstance(one, ast.FormattedValue):
                    continue
                form = ast.unparse(one.format_spec) if one.format_spec is not None else ""
                sign = isinstance(following, ast.Constant) and re.match(r"\s?%(?!\w)", str(following.value))
                fraction = re.search(r"accuracy|unbeaten|share", ast.unparse(one.value)) and re.search(r"\.\d+f", form)
                if sign or fraction or re.search(r"\d%'$", form):
                    lines.append(one.lineno)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            factors = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
            lines += [node.lineno] * (100 in factors)
        elif isinstance(node, ast.Constant) and re.search(r"\}\s?%(?!\w)", str(node.value)):  # for str.format
            lines.append(node.lineno)
    return lines


@pytest.mark.slow
def test_nobody_else_writes_a_percentage() -> None:
    found = [
        f"{name}:{number}"
        for name, tree in modules().items()
        if name not in ("report/values.py", *NO_SHARE)
        for number in written(tree)
    ]
    assert not found, "a share of one is written by nimtui.report.values"


@pytest.mark.parametrize(
    "code", ['f"{x} %"', 'f"{x:.0f}% of"', 'f"{x:.1%}"', "round(100 * x)", 'f"{run.accuracy:.3f}"', '"{} %"']
)
def test_the_search_for_percentages_finds_them(code: str) -> None:
    assert written(ast.parse(code))


# No number is rounded and no column is aligned outside `nimtui.report`, but in the places named here.


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

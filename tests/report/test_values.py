"""The one writer of percentages: against whole numbers, and that nobody else writes one."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from pathlib import Path

import pytest

import nimtui
from nimtui.agents.mc import interval, joint_deviations
from nimtui.engine.playouts import Tally
from nimtui.report.values import Fine, Level, Likelihood, Progress, Share, Within

PACKAGE = Path(nimtui.__file__).parent
WRITER = PACKAGE / "report" / "values.py"
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


@pytest.mark.parametrize(("kind", "places"), [(Share, 1), (Fine, 2)])
def test_every_share_of_up_to_150_is_rounded_to_nearest_and_0_and_100_are_exact(kind: type[Share], places: int) -> None:
    for whole in (*range(1, 151), 999, 1_000, 9_999, 286_496):
        for part in range(0, whole + 1, max(1, whole // 150)):
            share = kind(part / whole)
            if Fraction(200 * 10**places * part, whole) % 2 != 1:
                assert share.text == f"{nearest(part, whole, places)} %"
            if Fraction(200 * part, whole) % 2 != 1:
                assert share.short == f"{nearest(part, whole, 0)} %"


@pytest.mark.parametrize(
    ("value", "text", "short", "spoken"),
    [
        (360 / 286_496, "0.1 %", "<1 %", "0.1 per cent"),
        (0.995, "99.5 %", ">99 %", "99.5 per cent"),
        (0.57, "57.0 %", "57 %", "57.0 per cent"),
        (0.6275, "62.8 %", "63 %", "62.8 per cent"),
        (1e-9, "<0.1 %", "<1 %", "less than 0.1 per cent"),
        (1 - 1e-9, ">99.9 %", ">99 %", "more than 99.9 per cent"),
        (None, "–", "–", "unknown"),
        (float("nan"), "–", "–", "unknown"),
    ],
)
def test_a_share_is_written_and_said(value: float | None, text: str, short: str, spoken: str) -> None:
    assert (Share(value).text, Share(value).short, Share(value).spoken) == (text, short, spoken)


def test_a_likelihood_is_never_certain() -> None:
    assert [Likelihood(value).text for value in (0.0, 0.5, 0.975, 1.0)] == ["<0.1 %", "50.0 %", "97.5 %", ">99.9 %"]


def test_progress_is_100_only_at_the_end() -> None:
    for done in range(101):
        assert Progress(done / 100).text == f"{done} %"
    assert [Progress(value).text for value in (0.999999, 1.0, 0.0)] == ["99 %", "100 %", "0 %"]


def test_a_chosen_level_keeps_its_digits() -> None:
    assert [Level(value).text for value in (0.05, 0.1, 0.001, 0.0125)] == [
        "5 %",
        "10 %",
        "0.1 %",
        "1.25 %",
    ]


def test_an_interval_ends_like_its_shares() -> None:
    assert (Within(0.8086, 0.856).text, Within(0, 1).text, Within(1e-5, 0.99999).text) == (
        "80.9–85.6",
        "0–100",
        "<0.1–>99.9",
    )


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


def test_nobody_else_writes_a_percentage() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path in PACKAGE.rglob("*.py")
        if path != WRITER and path.relative_to(PACKAGE).as_posix() not in NO_SHARE
        for number in written(ast.parse(path.read_text("utf-8")))
    ]
    assert not found, "a share of one is written by nimtui.report.values"


@pytest.mark.parametrize(
    "code", ['f"{x} %"', 'f"{x:.0f}% of"', 'f"{x:.1%}"', "round(100 * x)", 'f"{run.accuracy:.3f}"', '"{} %"']
)
def test_the_search_for_percentages_finds_them(code: str) -> None:
    assert written(ast.parse(code))

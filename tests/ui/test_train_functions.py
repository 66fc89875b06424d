"""A function that learns a game of too many positions, on the Train screen: the map of a sample, and its reasons."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nimtui.engine import graph, limits
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.learning import reasons, sample, summary
from nimtui.learning.evaluate import RIGHT
from nimtui.learning.sample import SampledTruth
from nimtui.report.lines import Ink, Line, plain_text
from nimtui.report.values import Mean, Result
from nimtui.theory import Outcome
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.train import position_panel, reasons_panel, stage
from nimtui.ui.train.position_panel import ScoredMove, ShownPosition
from nimtui.ui.train.setup import TrainSetup
from tests.examples import with_slow
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.training import ended, panel, training

LARGE = TrainSetup("connect:3x3x3", "ntuple:tuples=4,length=3", "", 1, "2,000")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game is too large for a table, and samples are small."""
    assert graph.MOST_BYTES > 100  # loaded before: it takes the limit as a default
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    monkeypatch.setattr(sample, "of", lambda game, progress: sample.make(game, 60, 1, progress))


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("size", with_slow([(80, 24), (200, 60)], (200, 60)))
async def test_the_map_is_a_sample_its_reasons_are_shown_and_one_game_is_walked_through(
    make_app: Any, size: tuple[int, int]
) -> None:
    async with training(make_app, LARGE, size=size) as pilot:
        lane = (await ended(pilot)).lanes[0]
        stage, truth = pilot.app.screen.stage, lane.listed
        await until(pilot, lambda: stage.sight.atlas is not None and lane.games == 2_000)
        words = f"of {truth.of} solved exactly, by plies played"
        assert isinstance(truth, SampledTruth) and words in screen_text(pilot.app)
        await until(pilot, lambda: "of the moves that it would play on the map are right" in panel(pilot, "prompt"))
        assert "right moves" in panel(pilot, "curve")
        await until(pilot, lambda: "never met" in screen_text(pilot.app))
        assert " W" in panel(pilot, "position") or " D" in panel(pilot, "position")
        await pilot.press("w")
        await until(pilot, lambda: "What each cell adds" in panel(pilot, "why"))
        assert "expected, after 2,000 games" in panel(pilot, "why")
        await pilot.press("W")
        await until(pilot, lambda: "The heaviest patterns" in panel(pilot, "why"))
        await pilot.press("W")
        await until(pilot, lambda: not stage.query_one("#why").display)
        sentences = summary.sentences(summary.of(lane.training, lane.training.curve, lane.view), ("●", "○"))
        await pilot.press("f1")  # says first what the function has learned
        await until(pilot, lambda: bool(pilot.app.screen.query("#words")))
        told = " ".join(str(pilot.app.screen.query_one("#words").render()).split())
        assert len(sentences) == 3 and told.startswith(" ".join(sentences))
        await pilot.press("escape", "n")
        assert pilot.app.screen.why_not("n").startswith("The map shows only some positions")
        with pytest.raises(InputError, match=r"none of the .* positions on the map"):
            stage.goto("123123")
        await pilot.press("less_than_sign")
        assert stage.sight.game is None
        await pilot.press("full_stop")
        await until(pilot, lambda: stage.sight.game is not None and stage.sight.frame is None and lane.games == 2_001)
        assert pilot.app.screen.has_class("-following") and pilot.app.training.paused
        moves = lane.run.followed_game.steps.moves
        await pilot.press("less_than_sign", "less_than_sign")
        at = len(moves) - 2
        await until(pilot, lambda: f"Move {at + 1}:" in panel(pilot, "position"))
        text = panel(pilot, "position")
        assert f"V     {Mean(moves[at].value)} → {Mean(moves[at].later)}" in text
        assert f"= {Result(moves[at].error)}" in text and "(1 − V²)" in text
        await pilot.press("greater_than_sign")
        await until(pilot, lambda: "it ends the game" in panel(pilot, "position"))
        await pilot.press("greater_than_sign")
        await until(pilot, lambda: "what changed" in panel(pilot, "episode"))
        assert "Move" not in panel(pilot, "position") and lane.games == lane.run.followed_game.steps.number


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("learner", with_slow(["net:hidden=3", "net:hidden=3,second=2", "linear"], "net:hidden=3"))
async def test_a_network_is_shown_by_its_units_and_a_sum_by_its_cells(make_app: Any, learner: str) -> None:
    setup = replace(LARGE, learner=learner, goal="500")
    async with training(make_app, setup, size=(200, 60)) as pilot:
        lane = (await ended(pilot)).lanes[0]
        await until(pilot, lambda: pilot.app.screen.stage.sight.atlas is not None and lane.games == 500)
        await pilot.press("W")
        title = "The weight of every cell" if learner == "linear" else "The hidden units"
        await until(pilot, lambda: title in panel(pilot, "why"))
        assert ("unit 3" in panel(pilot, "why")) is (learner != "linear") and "○ moved" in panel(pilot, "why")
        await pilot.press("w")
        most = "The tuples that say most" if learner == "linear" else "The hidden units that say most"
        await until(pilot, lambda: most in " ".join(panel(pilot, "why").split()))


@pytest.mark.slow
@pytest.mark.usefixtures("large")
async def test_the_gallery_of_patterns_follows_the_training(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "RENEWED", 0.0)
    async with training(make_app, replace(LARGE, goal="endless"), size=(200, 60)) as pilot:
        await pilot.press("W")
        after = re.compile(r"heaviest patterns +after ([\d,]+) games")
        await until(pilot, lambda: after.search(panel(pilot, "why")) is not None)
        first = after.findall(panel(pilot, "why"))
        await until(pilot, lambda: after.findall(panel(pilot, "why")) not in ([], first))


def shown(*patterns: reasons.Pattern, games: int = 100, **more: Any) -> reasons_panel.ShownReasons:
    game, account = parse_game("connect4"), reasons.Account(games, heaviest=patterns, **more)
    return reasons_panel.ShownReasons(game, reasons.places(game, 42), account, "4")


def painted(shown: reasons_panel.ShownReasons, columns: int, rows: int, signs: Glyphs = UNICODE) -> list[str]:
    return [plain_text(line).rstrip() for line in reasons_panel.paint(shown)(columns, rows, signs)]


def test_a_pattern_is_drawn_with_its_weight_its_mover_and_its_name() -> None:
    assert "".join(painted(shown(reasons.Pattern({0: 0}, 1.0)), 40, 20, ASCII)).isascii()
    rows, wide, three = 6, 17, {7: 2, 13: 2, 19: 2}  # X in the second row from below, in columns 2 to 4
    win, threat = reasons.Pattern({**three, 25: 1}, -0.5, 1), reasons.Pattern({**three, 1: 0}, 0.25, 0)
    lines = reasons_panel.paint(shown(win, threat))(2 * wide + 1, 20, UNICODE)
    texts = [plain_text(each).rstrip() for each in lines]
    at = next(number for number, text in enumerate(texts) if "−0.50" in text)  # below the boards
    assert texts[at - 2] == "   ● ● ● +         ∙ ● ● ●"
    assert " ".join(texts[at].split()) == "−0.50 ○ moved +0.25 ● moved"
    assert texts[at + 1 : at + 4] == ["● can win at once ● three in a row,", f"{'':18}open on even row", f"{'':18}2"]
    assert texts[at - rows :][:4] == [""] * 4
    discs = [run for each in lines for run in each if run.ink in (Ink.FIRST, Ink.SECOND)]
    assert len(discs) >= 4 and {run.ground for run in discs} == {Ink.BOARD}  # bright colours: no ground of a page suits


@pytest.mark.parametrize(("columns", "rows", "number"), [(40, 12, 1), (78, 15, 2), (78, 36, 3), (22, 9, 0)])
def test_what_says_most_is_drawn_beside_the_cells_where_there_is_no_room_below(
    columns: int, rows: int, number: int
) -> None:
    said = [reasons.Pattern({at: 2}, 0.5 - at / 10, 1, 7) for at in range(3)]
    of_a_move = reasons.Reasons(0.25, np.full(42, 0.25), said)
    lines = painted(shown(reasons=of_a_move), columns, rows)
    text = "\n".join(lines)
    assert len(lines) <= rows and max(map(len, lines)) <= columns
    assert text.count("met 7") == number and text.count("+0.50") == (number > 0) and "What each cell adds" in text
    assert (text.count("+0.25") == 42) is (columns > 42) and (text.count("++") == 42) is (columns <= 42)


@pytest.mark.slow
def test_below_a_pattern_stands_how_often_it_was_met_and_the_line_above_says_since_when() -> None:
    often, never = reasons.Pattern({0: 0}, 0.5, 0, 12_345), reasons.Pattern({6: 0}, -0.25, 1, 0)
    for games, since, words, times in (
        (1_000, 0, "times met:", ["met", "12.3k", "met", "0"]),  # every game was counted
        (90_000, 70_000, "times met after game 70,000:", ["met", "~12k", "met", "rarely"]),
    ):
        texts = painted(shown(often, never, games=games, uncounted=since), 60, 20)
        assert texts[1].endswith(words), texts[1]
        at = next(number for number, text in enumerate(texts) if "+0.50" in text)
        assert texts[at + 1].split() == times
        of_a_move = reasons.Reasons(0.25, np.zeros(42), [often, never])
        why = shown(games=games, uncounted=since, reasons=of_a_move)
        assert ("met after game 70,000:" in " ".join(painted(why, 60, 30))) is bool(since)
        for columns in range(20, 40):  # where there is no room for the value, the games stay
            head = painted(why, columns, 30, ASCII)[0]
            assert head.isascii() and head.endswith(" games") and len(head) <= columns
    assert "met" not in "".join(painted(shown(reasons.Pattern({0: 0}, 1.0)), 60, 20))


@pytest.mark.parametrize("columns", range(30, 50))
def test_bars_stand_above_the_columns_of_a_board_that_is_not_wider_than_its_panel(columns: int) -> None:
    game = parse_game("connect4")

    def columned(plies: int, columns: int, rows: int, signs: Glyphs, score: float = 1.0) -> list[Line]:
        moves = [ScoredMove(at, str(at + 1), score, 3, True, [0.1], Outcome.WIN, plies) for at in range(7)]
        return position_panel.columned(ShownPosition(game, game.start, "", RIGHT, 1, moves, 0), columns, rows, signs)

    for plies, some in ((5, "2 W5 3 W5 4 W5"), (14, "2 W  3 W  4 W")):  # a number runs not into the next
        lines = [plain_text(line) for line in columned(plies, columns, 14, ASCII)]
        assert all(len(line) <= columns for line in lines) and bool(lines) is (columns >= 35)
        assert not lines or any(some in line for line in lines)
    high, low = (columned(5, 40, 14, UNICODE, score) for score in (1.0, -1.0))  # the lowest bar is seen, too
    bars = [[at for at, line in enumerate(lines) for run in line if run.ink is Ink.BAR and run.text.strip()]
            for lines in (high, low)]  # fmt: skip
    assert len(set(bars[0])) > 1 and set(bars[1]) == {max(bars[0])}
    small = columned(5, 38, 12, UNICODE)
    holes = [run for line in small for run in line if run.ground is Ink.BOARD and "·" in run.text]
    assert not small or (sum(run.text.count("·") for run in holes) == 41 and {run.ink for run in holes} == {Ink.HEAT})


def test_what_stands_below_small_pictures_does_not_run_together() -> None:
    game = parse_game("noughts")
    small = reasons_panel.ShownReasons(game, reasons.places(game, 9), reasons.Account(10))
    tuples = [reasons.Pattern({at: 1}, -0.25, at % 2) for at in range(6)]
    units = [reasons.Unit(at % 2, at + 8, np.ones((9, 3)), 0.5) for at in range(6)]
    whole = reasons_panel.paint(small._replace(account=reasons.Account(10, units=units)))(60, 8, UNICODE)
    for lines, foot in (
        (reasons_panel.patterns(small, tuples, 60, 8, UNICODE), r"−0\.25  [●○] moved"),
        (reasons_panel.units(small, units, 60, 8, UNICODE), r"unit \d+ \+0\.50"),
        (whole, r"unit \d+  [●○] moved"),
    ):
        text = next(text for text in map(plain_text, lines) if re.search(foot, text)).strip()
        assert len(re.findall(foot, text)) > 2, text
        assert all(re.fullmatch(foot, each) for each in re.split("   +", text)), text


def test_a_unit_is_drawn_with_the_signs_of_both_players_weights() -> None:
    weights = np.zeros((42, 4))
    weights[0, 2], weights[0, 3], weights[6, 3] = 1.0, -0.5, 0.1  # the left corner; too little beside it
    unit = reasons.Unit(1, 4, weights, 0.3)
    texts = painted(shown(units=[unit]), 60, 20)
    assert texts[-2] == "+− ∙∙ ∙∙ ∙∙ ∙∙ ∙∙ ∙∙" and texts[-1] == "unit 5  ○ moved"
    assert all(set(text) == {"∙", " "} for text in texts[-7:-2])


@pytest.mark.usefixtures("large")
def test_a_setup_says_what_a_large_game_needs() -> None:
    assert LARGE.validate() == LARGE
    with pytest.raises(InputError, match="the learner ntuple needs no table"):
        TrainSetup("connect:3x3x3", "reward").validate()
    with pytest.raises(InputError, match="give a number of games, or endless"):
        TrainSetup("connect:3x3x3", "linear", "", 0, "perfect").validate()

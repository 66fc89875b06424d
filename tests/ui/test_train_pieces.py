"""The small parts of the Train screen: the history of scores, the pace, the way back, numbers, sparklines, games."""

from __future__ import annotations

import re

import numpy as np
import pytest

from nimtui.games import base, parse_game
from nimtui.learning.sweep_report import Rough
from nimtui.report.lines import plain_text, width
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.train import position_panel
from nimtui.ui.train.lane import PACES, USUAL_PACE, History
from nimtui.ui.train.position_list import Scores, order_of
from nimtui.ui.train.position_panel import Played, Ply, ScoredMove, ShortScore, ShownPosition, spark
from nimtui.ui.train.sight import Whereabouts


def test_the_history_is_thinned_and_stays_small() -> None:
    history = History(most_bytes=100 * 800)
    games = 1
    for step in range(2_000):
        games += 1 + games // 20
        history.add(games, np.full(100, step))
    assert 8 <= len(history) <= 64  # of 800 bytes each
    values = history.of(3, 2_000, 7)
    assert len(values) == 7 and values[-1] == 2_000 and list(values) == sorted(values)
    history.add(5, np.zeros(100))  # it was reset
    assert len(history) == 1
    tiny = History(most_bytes=10)
    tiny.add(1, np.zeros(100))
    assert len(tiny) == 0 and tiny.of(0, 7.0, 7) == [7.0]


def test_the_usual_pace_grows_with_the_games_while_it_is_seen() -> None:
    pace = USUAL_PACE
    speeds = [pace.of(games, True) for games in (0, 100, 10_000)]
    assert speeds == sorted(speeds) and speeds[0] is not None and speeds[0] > 0
    assert pace.of(10_000, False) is None
    assert [pace.speed for pace in PACES if pace.singly] == [0.2, 1, 2]


def test_the_way_back() -> None:
    place = Whereabouts(5)
    place.go(7, keep=True)
    place.go(8, keep=False)
    place.go(9, keep=True)
    assert [place.back(), place.back(), place.back()] == [8, 5, None]


def test_numbers_are_short() -> None:
    assert [ShortScore(score).text for score in (0, 37266, -3, 0.53, -1.0)] == ["0", "+37,266", "−3", "+0.53", "−1"]
    counts = (0, 412, 9_999, 37_512, 1_234_567, 12_345_678, 2_000_000_000)
    assert [Rough(visits).text for visits in counts] == ["0", "412", "9,999", "37.5k", "1.23M", "12.3M", "2G"]
    assert spark([0, 5, 10], UNICODE, 5) == "  ▁▅█" and spark([1, 1], ASCII, 3) == " --"


def test_bars_tell_scores_apart_beside_a_large_one_and_histories_start_before_the_first_game() -> None:
    scores = [5_963, 800, 0, -1, -5, -40]
    moves = [ScoredMove(at, f"a{at}", score, 1, True, [0.0, float(score)]) for at, score in enumerate(scores)]
    game = parse_game("tower:16")
    lines = position_panel.paint(ShownPosition(game, game.new(), "1,3,5,7", 1, 1, moves, 0))(60, 14, UNICODE)
    rows = [plain_text(line) for line in lines if re.search(r"a\d +[0+−]", plain_text(line))]
    lengths = [len(re.findall("[█▉▊▋▌▍▎▏░]", row[:-8])) for row in rows]
    assert len(rows) == 6 and lengths[0] > lengths[1] > lengths[2] == 0 < lengths[3] < lengths[4] < lengths[5]
    assert [row[-2:] for row in rows] == ["▁█", "▁█", "──", "█▁", "█▁", "█▁"]


def position(marked: int = 0) -> ShownPosition:
    game = parse_game("tower:16")
    moves = [
        ScoredMove(at, f"{'abcd'[at % 4]}{at}", 30 - 7 * at, 100 * at, at < 2, [0.0, float(at)]) for at in range(12)
    ]
    return ShownPosition(game, game.new(), "1,3,5,7", 1, 1, moves, marked)


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize(("columns", "rows"), [(37, 11), (34, 8), (60, 20), (60, 46), (20, 3), (10, 1)])
def test_a_position_fits_any_room_and_shows_its_marked_move(columns: int, rows: int, signs: Glyphs) -> None:
    for marked in (0, 6, 11):
        lines = position_panel.paint(position(marked))(columns, rows, signs)
        assert len(lines) <= rows and max(map(width, lines)) <= columns
        if rows >= 8:
            [here] = [plain_text(line) for line in lines if plain_text(line).startswith(signs.cursor)]
            assert position().moves[marked].name in here
        if signs is ASCII:
            assert all(plain_text(line).isascii() for line in lines)


@pytest.mark.parametrize(("columns", "rows"), [(40, 11), (26, 8), (85, 46)])
def test_a_game_fits_its_room_and_ends_with_what_it_taught(columns: int, rows: int) -> None:
    game = parse_game("tower:16")
    plies = [Ply(game.new(), "1,3,5,7", 0, "a1", 0, 29 if at % 2 == 0 else -11) for at in range(11)]
    played = Played(game, 7, plies, 1)
    for frame in range(played.frames):
        lines = position_panel.paint_game(played, frame)(columns, rows, UNICODE)
        assert len(lines) == rows and max(map(width, lines)) <= columns
    text = "\n".join(map(plain_text, position_panel.paint_game(played, played.frames - 1)(85, 20, UNICODE)))
    assert "First wins: its moves +29, the others −11" in text and "what changed" in text


def told(columns: int, *changes: tuple[float, float], outcome: int = 1) -> str:
    game = parse_game("tower:16")
    plies = [Ply(game.new(), "1,3,5,7", 0, "a1", before, after) for before, after in changes]
    lines = position_panel.paint_game(Played(game, 26, plies, outcome), len(plies))(columns, 20, UNICODE)
    return plain_text(lines[-1])


def test_a_game_says_what_every_move_got() -> None:
    game = [(50, 79), (50, 39), (89, 100), (0, 0), (100, 100), (-1000, -1000), (1000, 1000)]
    assert told(85, *game) == "First wins: its moves +29 +11 0, the others 0 −11"
    game[4] = (0, 7)
    assert told(85, *game) == "First wins: its moves +29 +11 +7 0, the others 0 −11"
    assert told(51, *game) == "First wins: its moves 0 to +29, the others −11 to 0"
    assert told(40, *game) == "First wins: 0 to +29, others −11 to 0"
    assert told(85, (0, 0), (1, 1), (2, 2)) == "First wins: no score changed"
    assert told(85, (0.5, 0.25), (0, 0), (0, 0), outcome=base.DRAW) == "A draw: its moves 0 −0.25"
    assert told(85, (0, 0), outcome=base.DRAW) == "A draw: no score changed"
    assert told(85, (0, 1)) == "First wins: its moves +1"


def test_the_list_knows_best_moves_and_orders_them() -> None:
    ptr = np.array([0, 2, 3, 6])
    scores, visits = np.array([1, 4, -2, 7, 7, 0]), np.array([1, 1, 9, 0, 0, 3])
    rows = Scores(scores, visits, np.array([1, 0, 2], np.int8), ptr)
    assert [rows.best(node) for node in range(3)] == [(1, 4, 2), (2, -2, 9), (3, 7, 3)]
    assert rows.played.tolist() == [2, 9, 3] and rows.score.tolist() == [4, -2, 7]
    assert order_of(rows, "verdict").tolist() == [2, 0, 1]
    assert order_of(rows, "score").tolist() == [2, 0, 1]
    assert order_of(rows, "played").tolist() == [1, 2, 0]


@pytest.mark.parametrize("columns", [16, 34, 41, 85])
def test_before_the_first_shown_game_its_place_says_so_in_whole_words(columns: int) -> None:
    lines = [plain_text(text) for text in position_panel.paint_game(None, 0)(columns, 8, UNICODE)]
    assert " ".join(lines) == "The next game appears here, move by move."
    assert max(map(len, lines)) <= columns


@pytest.mark.parametrize("name", ["1,3,5,7", "3,5,4,2,6"])
@pytest.mark.parametrize("drawn", [False, True, None])
@pytest.mark.parametrize("verdict", range(4))
def test_a_narrow_panel_never_cuts_the_verdict(verdict: int, drawn: bool | None, name: str) -> None:
    moves = [ScoredMove(0, "a1", 0.0, 1, keeps, [0.0]) for keeps in (True, False)]
    shown = ShownPosition(parse_game("nim:1,3,5,7"), parse_game("nim:1,3,5,7").new(), name, verdict, 1, moves, 0, drawn)
    for columns in range(34, 60):
        assert width(position_panel.paint(shown)(columns, 14, UNICODE)[0]) <= columns

"""What a training and a table tell: their words agree with their figures, and the text with the document."""

from __future__ import annotations

import re

import nimtui
from nimtui.games import parse_game
from nimtui.games.rule_text import Place
from nimtui.learning import export, report
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.report.cells import cells
from nimtui.report.document import document
from nimtui.report.lines import plain_text


def test_the_truth_of_a_row_counts_the_best_scored_moves_that_keep_the_outcome() -> None:
    training = Training(parse_game("nim:3,4,5"), "reward", 1)
    training.run(300)
    rows = list(export.positions(training.table))
    told = report.positions(training.table, rows)
    words = [re.split(r"  +", plain_text(each))[-1] for each in cells(told)[3:]]
    wanted = []
    for keys in document(told)["positions"]:
        right = [move for move in keys["best_moves"] if move in keys["optimal_moves"]]
        some = f"{len(right)} of {len(keys['best_moves'])} best"
        all_equal = set(keys["optimal_moves"]) == set(keys["scores"])
        wanted.append("all equal" if all_equal else "best" if right == keys["best_moves"] else some)
    assert words == wanted and {"all equal", "best", "0 of 1 best"} <= set(words)


def test_a_move_is_best_or_a_mistake_and_the_best_scored_stands_first() -> None:
    training = Training(parse_game("nim:3,4,5"), "q", 1)
    training.run(300)
    place = Place(training.game, training.game.new(), None)
    told = report.position(training.table, place, export.one(training.table, place.state))
    keys, rows = document(told), [plain_text(each).split() for each in cells(told)[4:]]
    assert [row[0] for row in rows] == sorted(keys["scores"], key=lambda move: -keys["scores"][move])
    for move, score, visits, truth in rows:
        assert float(score.replace("−", "-")) == round(keys["scores"][move], 3) and int(visits) == keys["visits"][move]
        assert truth == ("best" if move in keys["optimal_moves"] else "mistake")


def test_the_report_of_a_run_shows_a_point_of_each_decade_and_the_last() -> None:
    run = Run(Training(parse_game("nim:2,3"), "reward", 3))
    run.goal(250, False)
    run.work()
    keys = document(report.trained(run))
    shown = [point.games for point in report.points(run.training.curve_to(report.standing(run)))]
    assert shown == [0, 1, 10, 100, 250] and set(shown) <= {point["games"] for point in keys["curve"]}
    assert keys["curve"][-1] == {name: keys[name] for name in ("games", "accuracy", "unbeaten")}


def test_the_text_of_a_run_says_how_many_positions_are_wrong() -> None:
    run = nimtui.train("tower:16", games=1_000)
    keys = run.to_dict()
    of_all = keys["right"] + keys["wrong"] + keys["undecided"]
    assert f"no ({keys['wrong']} of {of_all} wrong, {keys['undecided']} undecided)" in str(run)
    assert f"no ({keys['wrong']} of {of_all} wrong, {keys['undecided']} undecided)" in run._repr_html_()

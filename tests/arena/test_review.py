"""A game judged move by move."""

from __future__ import annotations

import pytest

from nimtui.arena.review import review_report
from nimtui.arena.review.review import review
from nimtui.arena.review.review_report import blocks, estimated, moves, read
from nimtui.engine.rng import Stream
from nimtui.games import Record, base, parse_game
from nimtui.progress import SILENT
from nimtui.report.blocks import Report
from nimtui.report.cells import cells
from nimtui.report.document import document
from nimtui.report.lines import plain_text
from nimtui.theory import Outcome
from tests.agents.subtraction import lost

WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW


def played(name: str, moves: str) -> Record:
    record = Record(parse_game(name))
    for move in moves.split():
        record.push(record.game.parse_move(move, record.state))
    return record


@pytest.mark.parametrize("seed", range(5))
def test_a_random_game_agrees_with_the_rule(seed: int) -> None:
    record = Record(parse_game("subtraction:40,3:misere"))
    stream = Stream(seed)
    while not record.over:
        record.push(base.nth(record.state, stream.below(base.count(record.state))))
    left = [40]
    for move in record.moves:
        left.append(left[-1] - move - 1)
    for judgement in review(record):
        before, after = left[judgement.ply], left[judgement.ply + 1]
        assert judgement.before is (LOSS if lost(before) else WIN)
        if after:
            assert judgement.after is (WIN if lost(after) else LOSS)
        assert judgement.mistake == (not lost(before) and (after == 0 or not lost(after)))
        assert judgement.mistake == (judgement.move not in judgement.best_moves)


def test_what_is_too_large_to_solve_is_left_open() -> None:
    judged = review(played("connect4:8x6", "4 4 3"))
    assert len(judged) == 3
    for judgement in judged:
        assert (judgement.before, judgement.after, judgement.best_moves) == (None, None, ())
        assert not judgement.mistake and not judgement.known and not judgement.gave_away


def test_only_what_was_played_is_judged() -> None:
    record = played("nim:1,3,5,7", "a1 b3 c5")
    record.undo()
    assert [judgement.ply for judgement in review(record)] == [0, 1]
    assert record.ply == 2
    assert review(Record(parse_game("nim:1,2"))) == []


def test_a_game_from_another_position_is_judged_from_there() -> None:
    record = Record(parse_game("nim:1,3,5,7"), "0,1,1,0")
    record.push(record.game.parse_move("b1", record.state))
    (judgement,) = review(record)
    assert (judgement.before, judgement.after) == (LOSS, LOSS)


@pytest.mark.parametrize(("most", "named"), [(2, "1 3 or 1 others"), (3, "1 3 4")])
def test_mistakes_are_marked_with_the_better_moves(most: int, named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_report, "MOST_NAMED", most)
    record = played("connect4:4x4", "1 2 2 4 4")
    game = read(record.game, record.moves, 3, ("mc", "easy"), SILENT)
    texts = [plain_text(line) for line in cells(Report([moves(game)]), 100)]
    assert [text.split("  ")[-1].strip() for text in texts[3:]] == [
        f"mistake in the opening: draw → loss; better: {named}",
        "mistake: win → draw; better: 2",
        "turning point: draw → loss; better: 2",
    ]


def test_a_game_that_nobody_judged_has_its_moves_alone() -> None:
    record = played("nim:1,3,5,7", "d7 a1 b1 c1")
    plain = read(record.game, record.moves[:2], 0, ("mc", "easy"))
    assert document(Report(blocks(plain))) == {
        "moves": [
            {"ply": 1, "agent": "mc", "move": "d7", "position": "1,3,5,0"},
            {"ply": 2, "agent": "easy", "move": "a1", "position": "0,3,5,0"},
        ]
    }
    asked = estimated(read(record.game, record.moves, 1, ("mc", "easy"), SILENT), "perfect", 0, SILENT)
    kinds = [row["estimate"]["kind"] for row in document(Report(blocks(asked, drawn=False)))["history"]]
    assert kinds == ["exact"] * 4 and estimated(plain, "perfect", 0, SILENT) is plain

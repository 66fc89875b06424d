"""What a review tells: each move, what it was worth, what decided the game; as text, as a picture and as a document."""

from __future__ import annotations

import pytest

from nimtui import theory
from nimtui.agents.belief import Belief, Kind
from nimtui.arena.review import review as review_module
from nimtui.arena.review import review_report
from nimtui.arena.review.review import Judgement, improvement, kept_by, review, review_briefly
from nimtui.arena.review.review_report import blocks, estimated, moves, read
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Report
from nimtui.report.cells import cells as laid
from nimtui.report.document import document
from nimtui.report.lines import plain_text
from nimtui.theory import Outcome
from nimtui.theory.answers import BRIEFLY, TooSlow
from tests.arena.test_review import DRAW, LOSS, WIN, played
from tests.ui.drawn import as_reported


@pytest.mark.parametrize(("most", "named"), [(2, "1 3 or 1 other"), (3, "1 3 4")])
def test_mistakes_are_marked_with_the_better_moves(most: int, named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_report, "MOST_NAMED", most)
    record = played("connect4:4x4", "1 2 2 4 4")
    game = read(record.game, record.moves, 3, ("mc", "easy"), SILENT)
    texts = [plain_text(line) for line in laid(Report([moves(game)]), 100)]
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
    lost = read(record.game, record.moves[:1], 0, ("mc", "easy"), SILENT)
    assert moves(lost).columns[-1].head is None, "no column for no mistakes"
    kinds = [row["estimate"]["kind"] for row in document(Report(blocks(asked, drawn=False)))["history"]]
    assert kinds == ["exact"] * 4 and estimated(plain, "perfect", 0, SILENT) is plain


@pytest.mark.parametrize(
    ("game", "line", "texts"),
    [("nim:1,1", "a1 b1", ["loses in 1", "loses in 0"]), ("connect:3x3x3", "1 2 3", ["draws", "wins in 7", "draws"]),
     ("tree:((3,5),(6,9,7),(0,1))", "1 2", ["+3", "+5"]), ("connect4:8x6", "4 4", ["–", "–"])],
)  # fmt: skip
def test_each_value_is_that_of_the_first_player_in_words(game: str, line: str, texts: list[str]) -> None:
    record = played(game, line)
    table = review_report.values_of(read(record.game, record.moves, 0, ("mc", "easy"), SILENT))
    [value] = [column.value for column in table.columns if column.head == "first player"]
    assert [value(moment).text for moment in table.rows] == texts


def test_reports_of_games_are_as_drawn() -> None:
    """Openings, beliefs, estimates, payoffs, many better moves, names that are cut, and moves that nobody can judge."""
    sure, half, scored = Belief(Kind.EXACT, 1.0, 9), Belief(Kind.ESTIMATE, 0.5, 100), Belief(Kind.SCORE, -37.0)
    names = ("mc:playouts=1000,policy=perfect-opponent", "mcts:simulations=10")
    for title, game, line, opening, seats, beliefs in (
        ("opening", "nim:2,2,2,2,2,2", "f2 b1 e1 b1 a2 d1", 1, names, (None, sure, half, scored, half)),
        ("payoffs", "tree:(((3,8),5),(6,9,7),(0,1))", "1 1 1", 0, ("me", "random"), (half, sure)),
        ("unknown", "connect4:8x6", "4 4 3", 0, ("perfect", "perfect"), ()),
        ("believed", "connect4:8x6", "4 4 3", 0, ("mc", "easy"), (half, None, scored)),
    ):
        record = played(game, line)
        found = read(record.game, record.moves, opening, seats, SILENT, beliefs=beliefs)
        as_reported("review", title, Report(blocks(found)), 80, 44)
        if title == "opening":
            asked = estimated(found, "perfect", 0, SILENT)
            as_reported("review", "estimated", Report(blocks(asked)), 90)
            assert plain_text(laid(Report(blocks(asked, drawn=False)), 90)[-1]) == plain_text(
                laid(Report(blocks(found)), 90)[-1]
            )


@pytest.mark.parametrize(
    ("before", "after", "paid", "gave", "effect"),
    [
        (WIN, LOSS, (None, None), "win → loss", "win → loss"), (WIN, DRAW, (None, None), "win → draw", "win → draw"),
        (DRAW, DRAW, (None, None), "", "keeps the draw"), (LOSS, LOSS, (None, None), "", "was lost anyway"),
        (None, LOSS, (None, None), "", "unknown"), (WIN, None, (None, None), "", "unknown"),
        (WIN, WIN, (5, 3), "+5 → +3", "+5 → +3"), (LOSS, LOSS, (-1, -4), "−1 → −4", "−1 → −4"),
        (WIN, WIN, (5, 5), "", "keeps +5"), (WIN, None, (5, None), "", "unknown"),
        (None, WIN, (None, 5), "", "unknown"),
    ],
)  # fmt: skip
def test_what_a_move_did_is_told_by_what_it_was_worth(
    before: Outcome | None, after: Outcome | None, paid: tuple[int | None, int | None], gave: str, effect: str
) -> None:
    one = Judgement(0, 0, 0, before, after, (), None, None, *paid)
    assert (one.gave_away, one.effect, one.mistake) == (gave, effect, bool(gave))
    assert one.cost == (None if None in paid else paid[0] - paid[1])  # type: ignore[operator]
    assert one.known == (None not in (before, after))


def test_a_review_says_how_far_it_is_and_needs_no_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    record, heard = played("nim:2,2,3:misere", "c2 a2"), list[tuple[float, float]]()

    class Listening(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            heard.extend([(done, total)] * (what == "moves"))

    assert review(record, Listening()) and heard == [(1, 2), (2, 2)]
    limits = list[float]()
    monkeypatch.setattr(review_module, "Until", lambda progress, seconds: limits.append(seconds) or progress)
    assert review_briefly(record) == review(record, plies=True) != review(record)

    def slow(*given: object, **more: object) -> None:
        raise TooSlow("it takes long")

    monkeypatch.setattr(review_module, "answer", slow)
    assert review_briefly(record) == review(record) and limits == [BRIEFLY] * 3


def test_what_keeps_the_outcome_is_named_with_its_reason_if_that_is_known_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for game, line, kept, why in (
        ("nim:1,3,5", "a1", "c3 keeps the win", "c3 wins: nim-sum 7 becomes 0, so every binary column is even."),
        ("connect:4x2x3", "3 3", "1, 2 or 4 keep the draw", "Column 1 holds the draw. No move wins."),
        ("connect:3x3x3", "1 2 3", "1 or 2 keep the win", "Column 1 wins with disc 9 of 9."),
        ("noughts", "a1 b1", "b2 keeps the draw", "b2 holds the draw. No move wins."),
        ("tree:((3,5),(6,9,7),(0,1))", "1", "2 keeps +6", "2 is worth +6."),
    ):
        record = played(game, line)
        [*_, mistake] = review(record)
        assert kept_by(record, mistake) == kept
        for instant, text in ((True, why), (False, f"{kept}.")):
            monkeypatch.setattr(
                theory, "is_instant", lambda game, state, instant=instant: instant and game.start is not state
            )
            assert improvement(record, mistake) == text

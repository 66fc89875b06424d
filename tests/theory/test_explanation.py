"""What an explanation holds of a position: its rows, sums, moves and terms; how it and values are printed."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from nimtui.games import base, parse_game
from nimtui.games.rule_text import Place
from nimtui.report.blocks import Figures, Report, Sentence, Table
from nimtui.report.cells import cells, spoken
from nimtui.report.lines import Ink, Line, plain_text
from nimtui.report.values import Count, Score
from nimtui.theory import Explanation, Outcome, claims, connect, explain, plain, report
from nimtui.theory.answers import MoveValue, answer, values_of
from nimtui.theory.claims import YOU, Claim, Last, Mirrored, Multiples, Paired, Player, Series, Singles, Solved, Threats
from nimtui.theory.explanation import Kind, sentences, several
from nimtui.theory.report import reason
from nimtui.theory.verdict import Patience, Verdict
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from tests.theory.force import Force, runs

SIDE_PANEL = 34  # columns of a side panel at 80 × 24


def explained(name: str, position: str | None = None) -> Explanation:
    game = parse_game(name)
    return explain(game, game.new(position))


def lines(explanation: Explanation, width: int = SIDE_PANEL, ascii: bool = False) -> list[str]:
    """The rows in binary and the sentences below, as a panel of this width shows them."""
    report = Report([*reason(explanation), *map(Sentence, sentences(explanation))])
    return [plain_text(line) for line in cells(report, width, signs=ASCII if ascii else UNICODE)]


def places(line: Line, ink: Ink) -> set[int]:
    """Where the signs of this ink stand."""
    inks = [run.ink for run in line for _ in run.text]
    return {at for at, sign in enumerate(plain_text(line)) if sign != " " and inks[at] is ink}


def test_remainders_of_several_rows_may_be_raised() -> None:
    explanation = explained("nim:9,4:max=3")
    # 9 counts 1 and 4 counts 0: one from A, or three from B to raise it to 1
    assert [(move.name, move.before, move.after) for move in explanation.balancing] == [("a1", 1, 0), ("b3", 0, 1)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("nim:4,5", Kind.BOUTON), ("nim:4,5:misere", Kind.MISERE_NIM), ("nim:4,5:max=3", Kind.REMAINDERS),
     ("nim:4,5:max=5", Kind.BOUTON), ("nim:4,5:max=3:misere", Kind.REMAINDERS)],
)  # fmt: skip
def test_the_theory_that_decides_is_named(name: str, kind: Kind) -> None:
    assert explained(name).kind is kind


def test_misere_neighbours_without_a_rule_are_said_to_have_none() -> None:
    explanation = explained("kayles:1,5:misere")
    assert (explanation.kind, explanation.nim_sum, explanation.phase) == (Kind.EXACT, None, None)
    assert [row.grundy for row in explanation.rows] == [None, None]
    assert "No simple rule: solved position by position." in " ".join(lines(explanation))
    # as soon as no run is longer than what may be taken it is misère Nim
    assert explained("kayles:1,5:misere", "1/11011").kind is Kind.MISERE_NIM


def test_the_largest_take_is_told_where_it_matters() -> None:
    limits = {
        "nim:4,5:max=3": 3,
        "nim:4,5:max=4": 4,
        "nim:4,5:max=5": None,
        "adjacent:4,5:max=4": 4,
        "adjacent:4,5": None,
    }
    limits |= {"octal:0.77:3": 2, "octal:0.077:3": 3, "grundy:5": 1}
    assert {name: explained(name).limit for name in limits} == limits


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("name", ["nim:60,9,20", "nim:200,100,9", "adjacent:3,4", "nim:9,4:max=3"])
def test_a_head_and_a_mark_stand_above_and_below_their_digits(name: str, ascii: bool) -> None:
    width = 76 if ascii else SIDE_PANEL
    explanation = explained(name)
    shown = cells(Report(reason(explanation)), width, signs=ASCII if ascii else UNICODE)
    table = [plain_text(line) for line in shown]
    assert max(map(len, table)) <= width
    [total] = [line for line in table if line.startswith("sum")]
    odd = {place for place, sign in enumerate(table[-1]) if sign == ("^" if ascii else "▲")}
    assert all(places(line, Ink.WRONG) == odd for line in shown[1:-1]) and places(shown[-1], Ink.WRONG) == odd
    assert all(total[place] == "1" for place in odd)
    assert len(odd) == bin(explanation.nim_sum or 0).count("1") == total.count("1")
    worth = [int(table[0][: place + 1].split()[-1]) for place in sorted(odd)]
    assert sum(worth) == explanation.nim_sum
    for row, line in zip(explanation.rows, [line for line in table if line[:1].isupper()], strict=True):
        digits = line.split()[-len(row.digits) :]
        assert int("".join(digits), 2) == row.grundy


def test_a_voice_says_the_rows_and_the_nim_sum_but_no_heads_and_marks() -> None:
    explanation = explained("kayles:1,3,5,7", "1/101/11011/0000000")
    assert (explanation.kind, explanation.p_position) == (Kind.GRUNDY, False)
    assert list(spoken(Report(reason(explanation)))) == [
        "A: 1 match, binary 001.",
        "B: 2 matches in runs of 1, 1, value 0, binary 000.",
        "C: 4 matches in runs of 2, 2, value 0, binary 000.",
        "D: no matches, binary 000.",
        "Nim-sum: 1, binary 001. Odd columns: 1.",
    ]
    assert not list(spoken(Report(reason(explained("kayles:1,5:misere"))))), "rows without values are seen on the board"
    shown = ["             4 2 1", "A     1 → 1  0 0 1", "B   1+1 → 0  0 0 0", "C   2+2 → 0  0 0 0"]
    assert lines(explanation)[:7] == [*shown, "D     0 → 0  0 0 0", "sum          0 0 1", "odd              ▲"]
    assert lines(explained("octal:0.77:2,1:misere"))[:2] == ["A   2 → b", "B   1 → a"]
    assert [*spoken(Report(reason(explained("nim:5,2,2"))))][-1] == "Nim-sum: 5, binary 101. Odd columns: 4, 1."
    assert lines(explained("kayles:1,5:misere"))[:2] == ["A   1", "B   5"]


@pytest.mark.parametrize(
    "name", ["tower:36:misere", "nim:99,98,3:max=7:misere", "kayles:63,40,12", "adjacent:4,5:misere", "connect4:4x4"]
)
def test_every_line_fits_the_panel_all_game_long_and_balancing_moves_are_the_best(name: str) -> None:
    game = parse_game(name)
    dice = Random(name)
    state, moves = game.new("1212") if name == "connect4:4x4" else game.new(), [0]
    while moves:
        explanation = explain(game, state)
        assert max(map(len, lines(explanation))) <= SIDE_PANEL
        assert all(line.isascii() for line in lines(explanation, ascii=True))
        if explanation.kind not in (Kind.SCORE, Kind.EXACT):
            won = explanation.outcome is Outcome.WIN and not explanation.over
            assert tuple(move.name for move in explanation.balancing) == (explanation.best if won else ())
            digits = enumerate(reversed(explanation.digits))
            assert sum(digit << place for place, digit in digits) == explanation.nim_sum
        if moves := base.legal_moves(state):
            base.play(state, dice.choice(moves))


def test_rows_are_shown_where_they_hold_more_than_a_sentence_says() -> None:
    shown = {("nim:9:max=3", None): False, ("nim:9,4:max=3", None): True, ("nim:9", None): True}
    shown |= {("adjacent:5", None): True, ("nim:1,2", "0,0"): False, ("chomp:2x2", None): False}
    assert {place: bool(reason(explained(*place))) for place in shown} == shown


def test_rows_keep_their_digits_while_matches_go() -> None:
    for position in ("1,3,5,7", "0,1,0,1", "0,0,0,0"):
        assert {len(row.digits) for row in explained("tower:16", position).rows} == {3}
    assert [row.digits for row in explained("nim:1,1", "1,0").rows] == [(1,), (0,)]


@pytest.mark.parametrize("name", ["nim:2,3,1:misere", "nim:5,4:max=3", "adjacent:3,2:misere", "kayles:4,2", "grundy:9"])
def test_a_balancing_move_changes_its_row_as_it_says(name: str) -> None:
    force = Force(name)
    for state in force.every():
        why = explain(force.game, state)
        assert all(bool(row.runs) == (row.matches > 0) and row.label == chr(65 + at) for at, row in enumerate(why.rows))
        for move in why.balancing:
            left = force.after(state, move.move)
            assert (move.row, move.before) == (ord(move.name[0]) - 97, why.rows[move.row].grundy)
            assert name == "grundy:9" or move.after == explain(force.game, left).rows[move.row].grundy
            ones = force.misere and max(run for row in [[0], *runs(force.game, left)] for run in row) < 2
            assert move.leaves_ones == ones


def test_several_names() -> None:
    assert several(["a1"]) == "a1"
    assert several(["a1", "b2"]) == "a1 or b2"
    assert several(["a1", "b2", "c3"]) == "a1, b2 or c3"
    assert several([*"abcdef"]) == "a, b, c, d, e or f" and several([*"abcdefg"]) == "a, b, c, d, e and 2 more"
    assert several([f"a{take}" for take in range(1, 10)]) == "a1, a2, a3, a4, a5 and 4 more"


ODDLY = "Any move makes a column odd; the reply evens it or leaves an odd number of ones."
ENDGAME = "Misère: no row exceeds 1, so an odd number of ones loses."
SAID = {  # after who wins; each moves' effect follows from the values, each element from a single match that loses
    "nim:1,1,1:misere": f"{ENDGAME} The player to move will have to take the last match.",
    "nim:1,1:misere": f"{ENDGAME} a1 or b1 leave an odd number of ones.",
    "nim:3,1:misere": "Misère: only one row exceeds 1, so the rule changes now. a3 leaves an odd number of ones.",
    "nim:2,2:misere": f"Misère: two rows or more exceed 1, so play as in normal Nim. {ODDLY}",
    "nim:1,1": "Every binary column is even. Any move makes one odd, and the reply evens it.",
    "nim:9,4:max=3": "A row counts as its remainder modulo 4. a1 or b3 make every binary column even.",
    "nim:9:max=3": "9 = 2 × 4 + 1. A player who faces remainder 0 loses. a1 leaves 8.",
    "octal:0.77:3": "Each heap counts as its Grundy value. a1/1 makes every binary column even.",
    "octal:0.77:1:misere": "The misère quotient has the element a. Lost elements: a. No move leaves a lost element.",
    "octal:0.77:2:misere": "The misère quotient has the element b. Lost elements: a, b^2. a1 leaves a lost element.",
    "chomp:2x2": "Solved position by position. Wins: b2.",
}
ENDED = {"nim:1,2:misere/0,0": "took the last match lost", "octal:0.77:3/0": "made the last move won"}
ENDED |= {"noughts:2x2x2/xx/o.": "made the last move won", "connect:2x2x2/121": "dropped the last disc won"}


def test_all_that_is_said_of_a_position() -> None:
    for name, said in SAID.items():
        why = explained(name)
        assert (" ".join(sentences(why)[1:]), why.over) == (said, False)
        ends = {Outcome.WIN: ["Wins in 1 ply."], Outcome.LOSS: ["Loses in 1 ply at best."]}.get(why.outcome, [])
        timed = replace(why, remoteness=1 if ends else None)
        assert (sentences(timed), timed.terms) == ([*sentences(why), *ends], why.terms)
    for place, said in ENDED.items():
        over = replace(explained(*place.split("/", 1)), remoteness=2)
        assert (sentences(over), over.terms) == ([f"The game is over: the player who {said}."], ())
    scores = {"1": "Loses in 2 plies at best: score −2.", "": "Wins in 3 plies: score +2."}
    assert {moves: " ".join(sentences(explained("connect:3x2x2", moves))) for moves in scores} == scores


TERMS = [
    ("nim:1,2", None, "N-position, group, nim-sum"), ("nim:1,1", None, "P-position, group, nim-sum"),
    ("nim:5:max=3", None, "N-position"), ("nim:4:max=3:misere", None, "N-position, misère"),
    ("nim:1,2:misere", None, "N-position, group, nim-sum, misère"),
    ("kayles:1,3", None, "N-position, group, nim-sum, Grundy value"), ("kayles:4", None, "N-position, Grundy value"),
    ("kayles:3,2:misere", None, "N-position, misère"), ("adjacent:1,3", "1/101", "N-position, group, nim-sum"),
    ("chomp:2x2", None, "N-position"), ("noughts:3x3x3", None, "draw, perfect play"),
    ("noughts:3x3x3", "xx./oo./...", "N-position"), ("connect:3x2x3", "1122", "perfect play, ply"),
    ("connect:3x3x3", None, "perfect play"), ("tree:(0,1)", None, "perfect play"),
    ("octal:0.77:1:misere", None, "P-position, misère, misère quotient"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "position", "terms"), TERMS)
def test_terms_that_the_reason_uses(name: str, position: str | None, terms: str) -> None:
    assert ", ".join(explained(name, position).terms) == terms


def test_how_a_connect_game_ends_is_a_term() -> None:
    game = parse_game("connect:3x2x2")
    ending = connect.ending(game, game.new())
    assert ending is not None and ending.last is Last.DOUBLE
    explanation = explained("connect:3x2x2")
    assert replace(explanation, ending=ending).terms == ("perfect play", "ply", "threat")
    pushed = replace(ending, last=Last.ZUGZWANG)
    assert replace(explanation, ending=pushed).terms == ("perfect play", "ply", "zugzwang")


# Plain words.


def test_sentences_name_the_players() -> None:
    game = parse_game("nim:1,3,5,6")
    found = plain.explained(game, game.new())
    assert found.sentences(Player("Hard"), YOU)[1] == "Whatever you do, Hard can restore that."
    assert found.sentences(Player("Hard"), Player("Easy"))[1] == "Whatever Easy does, Hard can restore that."


def test_the_best_move_to_explain_has_the_highest_score_or_is_the_first() -> None:
    for scores, best in ((None, 4), ({4: 1, 7: 3, 9: 3}, 7), ({4: 2, 7: 2, 9: 1}, 4)):
        assert plain.best_explained(Verdict(Outcome.WIN, None, (4, 7, 9), scores)) == best
    game = parse_game("connect:4x3x3")
    why = explain(game, game.start)
    assert plain.merit(game, game.start, 0, replace(why, scores=())) == "wins: solved to the end of the game."
    assert plain.merit(game, game.start, 0, replace(why, scores=()), 7) == "wins in 7: solved to the end of the game."
    own = parse_game("tree:((3,9),(2,7),(4,8),(1,0))")  # MIN takes the least of each pair
    assert plain.merit(own, own.start, 2, explain(own, own.start)) == "is worth +4."
    assert plain.explained(own, own.start) == plain.Plain(Outcome.WIN, 2, "Play 3", None, payoff=4, next_best=("1", 3))
    pile = parse_game("nim:9:max=3")  # 8 are lost, with remainder 0
    assert plain.merit(pile, pile.start, 0, explain(pile, pile.start)) == (
        "wins: it leaves 8. Divided by 4 the remainder is 0, a lost position."
    )


ENDS = {  # what the last sentence says of drawn and lost positions, where the plies to the end are unknown
    ("connect:3x3x3", "21233132"): "Drop in column 1 to block a line of the opponent: every move holds the draw, "
    "and none wins.",
    ("nim:60,61,62,63", None): "Take 1 from A to leave the most matches.",
    ("nim:255,255,255,255:max=1", None): "Whatever you take from one, the opponent takes the same from its partner.",
    ("octal:0.77:40,40", None): "Whatever you take from one, the opponent takes the same from the other.",
}  # with at most one each move leaves as many; of heaps that split matches are not counted


def test_a_last_disc_may_block_and_matches_are_left_where_that_differs() -> None:
    for (name, position), said in ENDS.items():
        game = parse_game(name)
        assert plain.explained(game, game.new(position)).sentences()[-1] == said


def test_sentences_have_at_most_20_words() -> None:
    for name in ("nim:60,60,61,61", "kayles:1,3,5,7", "nim:9,5:max=3", "connect4", "subtraction:200,7"):
        game = parse_game(name if name[0] in "ck" else f"{name}:misere")
        for sentence in re.split(r"(?<=[.]) ", " ".join(plain.explained(game, game.new()).sentences())):
            assert len(sentence.split()) <= 20, sentence


@pytest.mark.parametrize(("k", "word"), [(2, "two"), (3, "three"), (4, "four"), (5, "five"), (6, "six"), (7, "7")])
def test_a_line_is_named_by_its_length(k: int, word: str) -> None:
    game = parse_game(f"connect:{k}x2x{k}")
    state = game.new("".join(f"{column}{column}" for column in range(1, k)))
    assert plain.explained(game, state).sentences() == [f"Drop in column {k}: that completes {word} in a row."]


def test_ordinals_and_lists() -> None:
    numbers = (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 111)
    assert " ".join(map(claims.ordinal, numbers)) == "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 111th"
    assert [claims.listed((4, 2, 1)[:size]) for size in (1, 2, 3)] == ["4", "4 and 2", "4, 2 and 1"]


RESTORE = "Whatever you do, Hard can restore that"
LOSES = "So you take the last match and lose."
FIFTH = "Hard wins with their 5th disc at the latest."
ODD = "or leave remainder 1 in an odd number of rows and 0 elsewhere"
CLAIMS: list[tuple[Claim, str, str]] = [  # what is true, and how Hard answers
    (Paired((4, 1), "row"), "every group of 4 and 1 has a partner in another row", f"{RESTORE}."),
    (Paired((), "row", 4), "each row counts as 0", f"Here each row counts as its remainder by 4. {RESTORE}."),
    (Paired((1,), "row", misere=True), "every group of 1 has a partner in another row",
     f"{RESTORE}, or leave an odd number of single matches."),
    (Paired((1,), "row", 4, misere=True), "every group of 1 has a partner in another row",
     f"Here each row counts as its remainder by 4. {RESTORE}, {ODD}."),
    (Paired((2,), "run", counts=((3, 1), (5, 4))), "every group of 2 has a partner in another run",
     f"Here a run of 3 counts as 1 and of 5 as 4. {RESTORE}."),
    (Multiples(4), "each row is a multiple of 4",
     "Whatever you take from a row, Hard takes as many as make 4 together."),
    (Mirrored((3,), "row"), "two equal rows are left",
     "Whatever you take from one, Hard takes the same from the other."),
    (Mirrored((3, 1), "run"), "the runs are equal in pairs",
     "Whatever you take from one, Hard takes the same from its partner."),
    (Singles(1, "row"), "one match is left", LOSES),
    (Singles(3, "run"), "3 single matches are left, an odd number", LOSES),
    (Singles(3, "row", 4), "divided by 4, an odd number of rows (3) has remainder 1, the others 0", f"{RESTORE}."),
    (Series(1, 4, 1, True), "one match is left", LOSES),
    (Series(1, 4, 9, True), "9 are left",
     "Whatever you take, Hard takes as many as make 4 together. So you always face one of 1, 5, 9 and so on."),
    (Threats(("1", "3"), False, (), False, 5), "columns 1 and 3 each complete a line for Hard",
     "You can block only one."),
    (Threats(("2",), True, (), False, 5), "you must block column 2", "Then Hard completes a line right above it."),
    (Threats(("2",), False, (), False, 5), "you must block column 2", FIFTH),
    (Threats((), False, ("1", "4"), True, 5), "wherever you drop, Hard completes a line right above", ""),
    (Threats((), False, ("1",), False, 5), "a disc of yours in column 1 lets Hard complete a line right above", FIFTH),
    (Threats((), False, ("1", "4"), False, 5),
     "a disc of yours in columns 1 or 4 lets Hard complete a line right above", FIFTH),
    (Threats((), False, (), False, 12), "Hard wins with their 12th disc at the latest, whatever you do", ""),
    (Solved(None), "Hard wins, whatever you do", ""),
    (Solved(1), "Hard wins after one more move, whatever you do", ""),
    (Solved(2), "Hard wins within 2 more moves, whatever you do", ""),
]  # fmt: skip
ENDINGS = {  # on 3 × 3, and on 4 × 3: positions -> how they end, the moves, the columns of the line and its row
    "313223": (Last.AT_ONCE, "1", "1", 2), "123332": (Last.DOUBLE, "12", "12", 3),
    "33312": (Last.DOUBLE, "112", "12", 2), "333112": (Last.ABOVE, "122", "2", 3),
    "1113323": (Last.ABOVE, "22", "2", 3), "233132": (Last.ZUGZWANG, "211", "1", 3),
    "3112122": (Last.ZUGZWANG, "33", "3", 3), "2243331": (Last.ZUGZWANG, "211", "14", 3),
    "32331221": (Last.FULL, "1", "", 0), "1333211": (Last.FULL, "22", "", 0),
}  # fmt: skip


def test_each_reason_is_told_to_the_loser() -> None:
    for claim, fact, plan in CLAIMS:
        assert (claim.fact(YOU, Player("Hard")), claim.plan(YOU, Player("Hard"))) == (fact, plan), claim
    other = Player("Hard"), YOU
    assert Series(1, 4, 9, True).plan(*other).endswith(" So Hard always faces one of 1, 5, 9 and so on.")
    assert Singles(1, "row").plan(*other) == "So Hard takes the last match and loses."
    assert Threats((), False, ("1",), False, 5).fact(*other).startswith("a disc of Hard in column 1 lets you complete")
    assert (
        Threats((), False, (), False, 5).fact(*other) == "you win with your 5th disc at the latest, whatever Hard does"
    )


@pytest.mark.parametrize("position", ENDINGS)
def test_how_the_last_disc_comes_to_win(position: str) -> None:
    game, (last, line, columns, row) = parse_game(f"connect:{max('3', max(position))}x3x3"), ENDINGS[position]
    assert connect.ending(game, game.new(position)) == claims.Ending(last, tuple(line), tuple(columns), row)


# Values in documents and as words.


@pytest.mark.parametrize(
    ("value", "text", "whole"),
    [
        (1_000_000 - 5, "wins in 5", "wins in 5 plies"),
        (-(1_000_000 - 1), "loses in 1", "loses in 1 ply"),
        (-2, "−2", "−2"),
        (0, "0", "0"),
        (900_000, "+900,000", "+900,000"),  # the largest estimate
    ],
)
def test_a_decided_value_is_a_count_of_plies(value: int, text: str, whole: str) -> None:
    decided = report.Decided(value)
    assert (decided.text, decided.whole) == (text, whole)
    assert report.bounded(decided, "upper").text == f"≤ {text}" and report.bounded(decided, "lower").text == f"≥ {text}"
    assert report.bounded(decided, "exact").text == report.bounded(decided, None).text == text
    assert (report.Decided(value, True).text, report.Decided(None).text) == (Score(value).text, "–")


def test_the_exact_value_beside_a_move() -> None:
    win, loss = MoveValue(0, Outcome.WIN, True, 7), MoveValue(1, Outcome.LOSS, False, 2)
    draw = MoveValue(2, Outcome.DRAW, True, None)
    assert [report.truth(move).text for move in (win, loss)] == ["wins in 7", "loses in 2"]
    assert report.truth(draw).text == "draws" and report.truth(None).text not in ("wins", "loses", "draws")
    assert report.truth_keys(win) == {"optimal": True, "outcome": "win", "remoteness": 7}
    assert report.truth_keys(None) == {"optimal": None, "outcome": None, "remoteness": None}
    assert [report.verdict(move, {0: win, 1: loss}) for move in (win, loss, None)] == ["best", "mistake", "unknown"]
    assert report.verdict(win, {0: win, 2: draw}) == "all equal" and report.verdict(win, None) == "unknown"


def test_a_solved_position_with_a_payoff_names_its_best_moves_even_if_it_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    solve = report.answer
    monkeypatch.setattr(report, "answer", lambda *asks, **how: asked.append(how["patience"]) or solve(*asks, **how))
    game = parse_game("tree:(-3,(-1,5))")
    [figures, *others] = [
        block
        for block in report.solution(Place(game, game.start, None)).report.blocks
        if isinstance(block, Figures | Table)
    ]
    rows = {figure.label: figure.value.text for figure in figures.rows}
    assert rows == {"position": "the start", "payoff": "−1 for the player to move", "best moves": "2"} and not others
    report.solution(Place(game, game.start, None), patience=Patience(9, 2))
    assert asked == [Patience(64 << 20, 1), Patience(9, 2)]


def test_all_that_is_exact_has_the_best_line_to_the_end() -> None:
    lines = {"nim:2,1": ["a1", "a1", "b1"], "nim:1,1": ["a1", "b1"], "noughts:2x1x2": ["a1", "a2"]}
    lines |= {"nim:2,1,3": ["b1", "c1", *["a1", "c1"] * 2]}  # a1 and a2 leave 1,1,3 and 1,3, which are over sooner
    lines |= {"connect:2x2x2": ["1", "1", "2"], "tree:(-3,(-1,5))": None}
    for name, line in lines.items():
        game = parse_game(name)
        told = report.everything(Place(game, game.start, None))
        assert (told["line"] and [*told["line"]]) == line and [move["move"] for move in told["moves"]] == list(
            map(game.move_name, base.legal_moves(game.start))
        )


@pytest.mark.parametrize(
    ("name", "positions", "column"),
    [
        ("nim:3,4,5", ["3,4,5", "0,4,5", "0,0,0"], "Grundy"),
        ("nim:1,3:misere", ["1,3", "0,1"], None),
        ("noughts:3x3x3", [".../.../...", "xx./oo./..."], None),
        ("connect:3x3x3", ["", "12", "1212"], "score"),
    ],
)
def test_many_positions_are_listed_with_what_is_known_of_each(
    name: str, positions: list[str], column: str | None
) -> None:
    game, rows = parse_game(name), []
    for position in positions:
        found = answer(game, game.new(position))
        more = {None: [], "Grundy": [Count(found.verdict.grundy).text], "score": [Score(found.verdict.score).text]}[
            column
        ]
        rows.append([position or "the start", found.outcome.value, Count(found.remoteness).text, *more])
    [table] = [
        block for block in report.listed(game, positions, values_of(game, positions)).blocks if isinstance(block, Table)
    ]
    assert [each.head for each in table.columns] == ["position", "outcome", "plies", *filter(None, [column])]
    assert [each.head for each in table.columns if each.left] == ["position", "outcome"]
    assert [[each.value(row).text for each in table.columns] for row in table.rows] == rows

"""One report, many writers: the same figures everywhere, within every width, and only what the ranks say is lost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.report import cells
from nimtui.report import document as documents
from nimtui.report.bar import ProgressBar
from nimtui.report.blocks import (
    Column,
    Facts,
    Figure,
    Figures,
    Gap,
    Group,
    Heading,
    Inked,
    Picture,
    Report,
    Sentence,
    Table,
    View,
    Words,
)
from nimtui.report.cells import spoken
from nimtui.report.document import document, read_back, rows_of
from nimtui.report.lines import (
    BLANK,
    FIRM,
    Ink,
    Run,
    aimed,
    beside,
    cell_len,
    centred,
    clipped,
    cut,
    filled,
    gathering,
    inked,
    justified,
    keys,
    line,
    mended,
    paragraphs,
    plain_text,
    up_to_a_gap,
    width,
)
from nimtui.report.values import Count, Elo, Raw, Share, Value, Within, Word


class Row(NamedTuple):
    name: str
    games: int
    share: float
    elo: float


NAMES = st.text(st.sampled_from("abcde漢é "), min_size=1, max_size=24).map(str.strip).filter(bool)
ROWS = st.lists(
    st.builds(Row, NAMES, st.integers(0, 10**9), st.floats(0, 1), st.floats(-3000, 3000)), min_size=1, max_size=12
)
NUMBERS: dict[str, tuple[int, Any]] = {
    "games": (3, lambda row: Count(row.games)),
    "share": (0, lambda row: Share(row.share)),
    "elo": (1, lambda row: Elo(row.elo)),
    "error": (2, lambda row: Within(row.share / 2, (1 + row.share) / 2)),
}


def table(rows: Sequence[Row], ranked: bool = True) -> Table:
    columns = [Column("agent", lambda row: Word(row.name), "agent", left=True)]
    for key, (rank, value) in NUMBERS.items():
        columns.append(Column(key, value, key, rank=rank if ranked else 0))
    return Table("rows", columns, rows, lambda row: row.name)


def texts(report: Report, *given: Any, **named: Any) -> list[str]:
    return [plain_text(shown) for shown in cells.cells(report, *given, **named)]


WORDS = st.lists(st.text("abc123,%–", min_size=1, max_size=7), min_size=1, max_size=6).map(" ".join)


@given(
    st.lists(st.tuples(st.text("abcdefghij", max_size=12), WORDS, st.sampled_from(["", "a note of it"])), max_size=5),
    st.integers(24, 60),
    st.booleans(),
)
def test_no_figure_breaks_within_a_word_however_long_the_others_are(
    rows: list[tuple[str, str, str]], columns: int, right: bool
) -> None:
    figures = Figures([Figure(label, Word(text), "", note) for label, text, note in rows], right)
    shown = [plain_text(line) for line in cells.cells(Report([figures]), columns)]
    assert all(cell_len(line) <= columns for line in shown)
    assert " ".join(shown).split() == [word for row in rows for text in row for word in text.split()]


@given(ROWS, st.integers(2, 9), st.integers(0, 11))
def test_a_bounded_table_shows_the_row_of_the_cursor_and_counts_the_rest(
    rows: list[Row], lines: int, number: int
) -> None:
    rows = [row._replace(name=f"{at}") for at, row in enumerate(rows)]
    cursor = rows[min(number, len(rows) - 1)].name
    shown = cells.cells(Report([table(rows)]), 80, lines, View(cursor))
    assert len(shown) <= lines
    marked = [line for line in shown if any(run.ink is Ink.WHERE for run in line)]
    assert len(marked) == 1 and plain_text(marked[0]).startswith(cursor)
    body = [line for line in shown[1:] if not (line and line[0].ink is Ink.QUIET)]
    if len(body) < len(rows) and lines > 2:  # in two lines there is room for the head and a row
        assert f"{len(rows) - len(body)} more row" in plain_text(shown[-1])


def test_only_the_rows_that_are_shown_are_worded() -> None:
    worded: list[int] = []

    def value(row: int) -> Value:
        worded.append(row)
        return Count(row)

    millions = Table("", [Column("row", value)], range(1_000_000), lambda row: row)
    cells.table_lines(millions, 80, 20, View(500_000))
    assert 0 < len(worded) < 100


def test_a_cell_has_the_ink_of_its_value_else_of_its_column_else_of_its_row() -> None:
    columns = [
        Column("name", lambda row: Inked(("✓", Ink.RIGHT), (row.name, Ink.GOOD)), left=True),
        Column("games", lambda row: Count(row.games), ink=Ink.QUIET),
        Column("share", lambda row: Share(row.share)),
        Column("bar", lambda row: Count(0), draw=lambda row, room: (Run("█" * room, Ink.BAR),), most=9),
    ]
    one = Table("", columns, [Row("a", 7, 0.5, 0), Row("b", 9, 1, 0)], lambda row: row.name, 1)
    _, marked, other = cells.list_lines(one, 60, View("a", sign="▸"))
    inks = [(run.text.strip(), run.ink) for run in marked]
    assert inks == [
        ("▸", Ink.WHERE), ("✓", Ink.RIGHT), ("a", Ink.GOOD), ("7", Ink.QUIET), ("50.0 %", Ink.WHERE), ("█" * 9, Ink.BAR)
    ]  # fmt: skip
    assert plain_text(other).startswith(" ✓b") and Run("100 % ", Ink.TEXT) in other
    assert documents.markdown(Report([one])).splitlines()[2] == "| ✓a | 7 | 50.0 % | 0 |"


def test_a_click_acts_on_the_row_and_the_column_below_it() -> None:
    one = table([Row("first", 12, 0.5, 100), Row("second", 7, 0.25, -100)])
    drawn = cells.table_lines(one, 80, 12, View(clicked=True))
    still = cells.table_lines(one, 80, 12)
    assert [plain_text(line).rstrip() for line in drawn] == list(map(plain_text, still))
    targets = [[run.target for run in line for _ in run.text] for line in drawn]
    for y, places in enumerate(targets):
        for key in ("agent", "games", "share"):
            x = plain_text(drawn[0]).index(key)
            assert places[x] == ((one.rows[y - 1].name, key) if y else key), places
        assert None not in places, "nor is anything between the columns of a row left out"
    assert not any(run.target for line in still for run in line)


def test_drawn_cells_keep_their_width_and_little_room_its_first_columns() -> None:
    name = Column("name", lambda row: Word(row), left=True, brief="n")
    for least, most, head, drawn in ((4, 9, "approxi…", "█" * 9), (4, 4, "ap…", "████"), (0, 9, "approximately", "0")):
        bar = Column("approximately", lambda _: Count(0), width=least, draw=lambda _, room: "█" * room, most=most)
        one = Table("", [name, bar], ["ab"], lambda _: None)
        shown = cells.list_lines(one, 60)
        assert [plain_text(each).split() for each in shown] == [["name", head], ["ab", drawn]]
        assert [run.ink for run in shown[1]] == [Ink.TEXT], "a row without a name is not the cursor's"
    assert [plain_text(each).split()[0] for each in cells.list_lines(one, 15)] == ["n", "ab"]
    heads = {33: "agent  games  share   elo   error", 25: "agent  games  share   elo", 24: "agent  games  share"}
    for room, head in {**heads, 32: heads[25], 4: "agent"}.items():
        assert plain_text(cells.table_lines(table(AGENTS, False), room, 5)[0]) == head
    assert plain_text(cells.table_lines(table(AGENTS), None, 3)[-1]) == "2 more rows"
    picture = Picture(one, lambda columns, rows: [(Run(f"{columns} {rows}"),)])
    assert texts(Report([Heading("a" * 90), picture])) == ["a" * 90, "78 None"]
    assert cells.list_lines(Table("", [Column("", lambda _: Word(""))], [0]), 20) == [BLANK]
    assert texts(Report([Figures([Figure("", Word("x"))])])) == ["  x"]


def test_sheets_and_files_have_plain_values_that_no_spreadsheet_runs() -> None:
    told = {"": "", "3": "3", "=1": "'=1", "-3.5e2": "-3.5e2", "-x": "'-x", "\tx": "'\tx", " +1": "' +1", "x": "x"}
    assert [documents.cell(value) for value in (*told, 3, None)] == [*told.values(), 3, None]
    rows = [{"a": "x,y", "n": 1}, {"a": "x;y", "n": True}, {"n": None, "more": 3}]
    assert documents.sheet(rows, ["a", "n"]) == 'a,n\n"x,y",1\n"x;y","1"\n,\n'
    columns = [Column("", lambda row: Raw({"won": row, "lost": None}), "first"), Column(None, lambda _: Word("w"), "b")]
    assert documents.csv(Table("", columns, [1, 2])) == "first_won,first_lost,b\n1,,w\n2,,w\n"
    assert documents.csv(Table("", columns, [])) == "first,b\n"
    assert documents.file_text({"é": 1}) == '{\n  "é": 1\n}\n'
    assert (
        "".join(documents.long_file({"a": 1}, "of", [[1], "é"]))
        == '{\n  "a": 1,\n  "of": [\n    [1],\n    "é"\n  ]\n}\n'
    )
    for write in (documents.text, documents.file_text):
        with pytest.raises(ValueError, match="not JSON compliant"):
            write({"a": float("nan")})


def test_a_document_refuses_two_values_for_one_key() -> None:
    blocks = [Facts({"a": 1}), Facts({"a": 1}), Words(["x"], "", "w"), Picture(Table("rows", [], [0]), lambda *_: [])]
    assert document(Report(blocks)) == {"a": 1, "w": ["x"], "rows": [{}]}
    with pytest.raises(ValueError, match="games"):
        document(Report([Facts({"games": 1}), Figures([Figure("games", Count(2), "games")])]))
    nested = Report([Facts({"games": 1}), Group("inner", [Facts({"games": 2})])])
    assert document(nested) == {"games": 1, "inner": {"games": 2}}


AGENTS = [
    Row("perfect", 1200, 0.995, 412.4), Row("漢字 agent", 40, 0.5, -3), Row("mcts simulations", 7, 0, float("nan"))
]  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "lines", "view", "shown"),
    [
        (80, None, View(), """
agent              games    share    elo       error
perfect            1,200   99.5 %   +412   49.8–99.8
漢字 agent            40   50.0 %     −3   25.0–75.0
mcts simulations       7      0 %      –      0–50.0"""),
        (40, None, View(), """
agent             share   elo   error
perfect           >99 %  +412  50–>99
漢字 agent         50 %    −3   25–75
mcts simulations    0 %     –    0–50
1 more column"""),
        (20, None, View(), """
agent          share
perfect        >99 %
漢字 agent      50 %
mcts …           0 %
3 more columns"""),
        (80, 3, View("mcts simulations", sign="▸"), """
 agent              games   share   elo    error
▸mcts simulations       7     0 %     –   0–50.0
 2 more rows"""),
        (24, 2, View(), """
agent     share   elo
perfect  99.5 %  +412  …"""),
        (14, 4, View(), """
agent    share
perfect  >99 %
漢字 …    50 %
1 more row · …"""),
    ],
)  # fmt: skip
def test_a_table_fits_its_room(columns: int, lines: int | None, view: View, shown: str) -> None:
    drawn = cells.table_lines(table(AGENTS), columns, lines, view)
    assert "\n".join(map(plain_text, drawn)) == shown.removeprefix("\n")


@pytest.mark.parametrize(("room", "heads"), [
     (29, ["name first other joined"]), (28, ["name first", "name other joined"]),
     (21, ["name first", "name other joined"]), (20, ["name first", "name other", "name joined"]),
     (12, ["name first", "name other", "name joined"])
])  # fmt: skip
def test_joined_columns_stay_together_where_they_fit(room: int, heads: list[str]) -> None:
    named = Column("name", lambda _: Word("12345"), left=True)
    columns = [
        named,
        *(Column(head, lambda _: Count(100_000), joined=head == "joined") for head in ("first", "other", "joined")),
    ]
    lines = [plain_text(line) for line in cells.table_lines(Table("", columns, [0], gap=1), room)]
    assert [" ".join(line.split()) for line in lines if "name" in line] == heads


def test_a_table_without_ranks_is_folded_and_the_sorted_head_is_strong() -> None:
    folded = cells.table_lines(table(AGENTS, False), 30)
    assert (
        "\n".join(map(plain_text, folded))
        == """\
agent             games  share
perfect           1,200  >99 %
漢字 agent           40   50 %
mcts simulations      7    0 %

agent              elo   error
perfect           +412  50–>99
漢字 agent          −3   25–75
mcts simulations     –    0–50"""
    )
    head, row = cells.table_lines(table(AGENTS[:1]), 80, None, View("perfect", sign="▸", sorted_by="share"))
    assert head == (
        Run(" agent     games    ", Ink.COLUMN), Run("share    ", Ink.STRONG), Run("elo       error", Ink.COLUMN)
    )  # fmt: skip
    assert row == (Run("▸perfect   1,200   99.5 %   +412   49.8–99.8", Ink.WHERE),)


@pytest.mark.parametrize(("columns", "right", "shown"), [
        (None, False, ["games  1,200", "score  50.0 %                            of all",
                       "       more words than fit into a line"]),
        (24, False, ["games  1,200", "score  50.0 %", "       of all", "       more words than",
                     "       fit into a line"]),
        (12, False, ["games  1,200", "score", "  50.0 %", "  of all", "  more words", "  than fit", "  into a",
                     "  line"]),
        (None, True, ["games                            1,200", "score                           50.0 %   of all",
                      "       more words than fit into a line"]),
        (24, True, ["games              1,200", "score             50.0 %", "                  of all",
                     "         more words than", "         fit into a line"]),
])  # fmt: skip
def test_figures_fit_their_room(columns: int | None, right: bool, shown: list[str]) -> None:
    rows = [Figure("games", Count(1200)), Figure("score", Share(0.5), "", "of all")]
    figures = Figures([*rows, Figure("", Word("more words than fit into a line"))], right)
    assert [plain_text(each) for each in cells.lines(figures, columns)] == shown


def test_labels_of_one_width_keep_the_figures_in_place() -> None:
    for label, shown in (("seed", "seed     7"), ("positions", "positions  7")):
        assert plain_text(*cells.lines(Figures([Figure(label, Count(7))], width=7), None)) == shown


def test_sentences_wrap_and_empty_lines_give_way_first() -> None:
    words = "Won 83.4 % of all. --openings random:2 avoids this."
    report = Report([Heading("Title"), Gap(), Sentence(words, {"half": True}), Gap(), table(AGENTS)])
    sentence = ["Won 83.4 % of all. --openings random:2", "avoids this."]
    head, row = "agent    games   share   elo      error", "perfect  1,200  99.5 %  +412  49.8–99.8"
    assert texts(report, 40, 8) == ["Title", "", *sentence, "", head, row, "2 more rows"]
    assert texts(report, 40, 7) == ["Title", *sentence, "", head, row, "2 more rows"]
    assert texts(report, 40, 5) == ["Title", *sentence, head, f"{row}…"]
    assert texts(report, 24)[2:5] == ["Won 83.4 % of all.", "--openings random:2", "avoids this."]
    assert document(report)["half"] is True and list(spoken(report))[1] == words


def test_every_block_is_written_in_each_format() -> None:
    figures = Figures([Figure("games", Count(7), "g", "of 9"), Figure("", Word("a|b"))])
    words, facts, inner = Words(["one", "two | three"]), Facts({"x": 1}), Group("inner", [table(AGENTS[:1])])
    report = Report([Heading("Title | x"), Gap(), Sentence("a <b> & c"), words, figures, facts, inner])
    assert documents.markdown(report).split("\n\n") == [
        "## Title | x", "a <b> & c", "```text\none\ntwo | three\n```", "- games: 7 (of 9)\n- a|b",
        "| agent | games | share | elo | error |\n|:--|--:|--:|--:|--:|\n"
        "| perfect | 1,200 | 99.5 % | +412 | 49.8–99.8 |",
    ]  # fmt: skip
    left, right = 'style="text-align:left"', 'style="text-align:right"'
    assert documents.html_of(report) == (
        "<h4>Title | x</h4>\n<p>a &lt;b&gt; &amp; c</p>\n<pre>one\ntwo | three</pre>\n"
        f"<table><tr><th {left}>games</th><td {left}>7</td><td {left}>of 9</td></tr>"
        f"<tr><th {left}></th><td {left}>a|b</td></tr></table>\n<table><tr><th {left}>agent</th>"
        + "".join(f"<th {right}>{head}</th>" for head in ("games", "share", "elo", "error"))
        + f"</tr><tr><td {left}>perfect</td>"
        + "".join(f"<td {right}>{text}</td>" for text in ("1,200", "99.5 %", "+412", "49.8–99.8"))
        + "</tr></table>"
    )
    assert list(spoken(report)) == [
        "Title | x.", "a <b> & c.", "one", "two | three", "Games: 7, of 9.", "a|b.",
        "perfect: games 1,200, share 99.5 per cent, elo plus 412, error between 49.8 and 99.8 per cent.",
    ]  # fmt: skip
    row = {"agent": "perfect", "games": 1200, "share": 0.995, "elo": 412.4, "error_low": 0.4975, "error_high": 0.9975}
    assert document(report) == {"g": 7, "x": 1, "inner": {"rows": [row]}}


# Lines of ink: how runs are joined, placed, wrapped and painted. tests/ui/test_cut_lines.py has those that are cut.


GOOD, QUIET, TEXT = Ink.GOOD, Ink.QUIET, Ink.TEXT


def test_neighbours_of_one_ink_are_joined_and_spaces_take_the_ink_before_them() -> None:
    assert line("a", "b", ("", GOOD), ("c", GOOD), "  ", ("d", GOOD), "e") == (
        Run("ab"), Run("c  d", GOOD), Run("e"),
    )  # fmt: skip
    assert line(" ", ("a", GOOD)) == (Run(" a", GOOD),) and line() == BLANK == ()
    assert line(("x", Ink.CURSOR), " ", ("y", GOOD)) == (Run("x", Ink.CURSOR), Run(" y", GOOD))
    assert line(("a\x1b", GOOD)) == (Run("a‹1B›", GOOD),)


def test_each_character_has_its_own_ink() -> None:
    assert inked("ab  cd", [0, 0, 1, 1, 1, 0], [GOOD, QUIET]) == (
        Run("ab", GOOD), Run("  c", QUIET), Run("d", GOOD),
    )  # fmt: skip
    assert inked(" ab", [1, 0, 1], [GOOD, QUIET]) == (Run(" ", TEXT), Run("a", GOOD), Run("b", QUIET))
    assert inked("a a", [0, 1, 0], [GOOD, QUIET]) == (Run("a a", GOOD),)
    assert inked("ab", [0, 1], [GOOD, GOOD]) == (Run("ab", GOOD),)


def test_lines_are_placed_by_their_width() -> None:
    one, other = line("漢a"), line(("b", GOOD))
    assert (width(one), plain_text(one)) == (3, "漢a")
    assert [plain_text(centred(one, columns)) for columns in (2, 4, 5, 8)] == ["漢a", "漢a", " 漢a", "  漢a"]
    assert [plain_text(justified(one, other, columns)) for columns in (8, 6)] == ["漢a    b", "漢a  b"]
    assert [plain_text(justified(line("abc de"), line("right"), columns)) for columns in (11, 7, 6, 3)] == [
        "abc…  right", "  right", "right", "ri…",
    ]  # fmt: skip
    assert [plain_text(each) for each in beside([[one, BLANK, one], [other], [other, other]], [5, 2, 1])] == [
        "漢a  b b", "       b", "漢a",
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "columns", "lines"), [
        ("one two three", 7, ["one two", " three"[1:]]),
        ("one two three", 8, ["one two", "three"]),
        ("ab\ncd\tef", 8, ["ab cd ef"]),
        ("abcdefghij k", 4, ["abcd", "efgh", "ij k"]),
        ("nim-1,3-reward-1000-1.npz k", 12, ["nim-1,3-", "reward-1000-", "1.npz k"]),  # after a hyphen, if it can be
        ("folder/file 12345678", 9, ["folder/", "file", "12345678"]),
        ("winning1,234", 9, ["winning", "1,234"]),  # not within a number
        ("1234567,890", 4, ["1234", "567,", "890"]),
        ("漢字漢字", 5, ["漢字", "漢字"]),
        ("", 5, []),
])  # fmt: skip
def test_a_text_is_broken_at_blanks(text: str, columns: int, lines: list[str]) -> None:
    assert filled(text, columns) == lines


def test_words_may_stay_whole_and_a_number_keeps_its_per_cent_sign() -> None:
    assert filled("a bcdefgh", 4, whole=True) == ["a", "bcdefgh"]
    found = paragraphs(["won 83.4 % of all", ""], 10, GOOD)
    assert [plain_text(each) for each in found] == ["won 83.4 %", "of all", ""]
    assert FIRM not in plain_text(found[0]) and found[0] == (Run("won 83.4 %", GOOD),)
    assert [(each.text, each.at, each.of, each.columns) for each in found] == [  # type: ignore[attr-defined]
        ("won 83.4 % of all", 0, 2, 10), ("won 83.4 % of all", 1, 2, 10), ("", 0, 1, 10),
    ]  # fmt: skip
    assert [plain_text(one) for one in paragraphs(["abcdefgh i", "won 834 %"], 3)] == ["abcdefgh", "i", "won", "834 %"]


def test_what_is_cut_ends_after_a_word_and_is_gathered_whole() -> None:
    with gathering(wholes := []):
        assert plain_text(cut(line("one two", (" three", GOOD)), 13)) == "one two three"
        assert cut(line("one two", (" three", GOOD)), 9) == (Run("one two …"),)
        assert clipped("one two three", 9) == "one two …" and clipped("one", 3) == "one"
        assert cut(line("ab"), 0) == BLANK and plain_text(cut(line("abc"), 2, "...")) == ""
    assert wholes == ["one two three", "one two three", "ab", "abc"]
    for text, places in (
        ("takes 1,234,567 matches", {21: 16, 15: 15, 14: 6, 6: 6, 5: 5, 3: 3}),
        ("1,234,567 x", {9: 9, 5: 0}),  # never within a number
        ("1,2,3,4,5,67", {12: 12, 11: 10, 9: 8, 3: 2}),  # a position, of rows …
        ("64463623211111", {14: 14, 9: 9}),  # … or moves
        ("abcdefgh", {5: 5, 1: 1, 0: 0}),
        ("won it all, then lost", {18: 12, 14: 12, 6: 6}),  # rather at the end of a clause
    ):
        assert {room: up_to_a_gap(text, room) for room in places} == places


def test_a_wrapped_text_that_breaks_off_ends_with_a_clause() -> None:
    lines = paragraphs(["It won, and it took very long to do so at last", "next"], 14)
    with gathering(wholes := []):
        assert [plain_text(each) for each in mended(lines, 2)] == ["It won …"]
        assert mended(lines, len(lines)) == lines
        assert [plain_text(each) for each in mended(paragraphs(["one two three four"], 8), 1)] == ["one two…"]
    assert wholes == ["next", "It won, and it took very long to do so at last", "one two three four"]


def test_texts_of_different_targets_stay_apart() -> None:
    one, other = (aimed((Run("a"), Run(" ")), target) for target in (1, 2))
    assert line(*one, *one, *other, "b") == (Run("a a ", target=1), Run("a ", target=2), Run("b"))


def test_every_other_part_is_a_key() -> None:
    assert keys("press ", "u", " to undo") == [Run("press ", QUIET), Run("u", Ink.KEY), Run(" to undo", QUIET)]


def test_a_bar_counts_each_phase_from_its_start() -> None:
    bar = ProgressBar(("{task.description}",), disable=True)
    bar.show(1, 0, "solving")
    assert [(task.completed, task.total, task.description) for task in bar.rich.tasks] == [(1, None, "solving")]
    bar.show(2, 4, "solving")
    assert [(task.completed, task.total, task.description) for task in bar.rich.tasks] == [(2, 4, "solving")]
    bar.show(3, 0, "playing")
    [task] = bar.rich.tasks
    assert (task.completed, task.total, task.description, task.speed) == (3, None, "playing", None)
    bar.close()


@pytest.mark.parametrize("columns", [-1, 0, 1])
def test_text_without_room_keeps_a_sign_in_each_line(columns: int) -> None:
    assert filled("ab 語", columns) == ["a", "b", "語"]


def test_numbers_of_numpy_are_plain_in_a_document() -> None:
    rows = [Row("a", np.int64(3), np.float32(0.5), np.float64("nan"))]  # type: ignore[arg-type]
    keys = read_back({"rows": rows_of(table(rows))})
    assert keys["rows"][0]["games"] == 3 and keys["rows"][0]["elo"] is None
    assert json.loads(json.dumps(keys)) == keys

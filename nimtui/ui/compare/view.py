"""Painters of the Compare screen: the table, the agents' answers, the effort curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from nimtui.arena.compare import comparison_report as reports
from nimtui.arena.compare.comparison import Column, Comparison
from nimtui.arena.compare.effort_curve import Curve, Step
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.jobs.clock import compiling_text
from nimtui.report.blocks import Column as TableColumn
from nimtui.report.blocks import Inked, Table, View
from nimtui.report.cells import table_lines
from nimtui.report.lines import Ink, Line, Run, beside, fit, justified, line, paragraphs, width
from nimtui.report.values import NOTHING, Progress
from nimtui.theory.report import truth as exact_value
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import NOBODY
from nimtui.ui.board.discs import ENDS
from nimtui.ui.board.raster import Raster
from nimtui.ui.compare.work import CompareWork
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.curve import short
from nimtui.ui.kit.widgets.panel import Paint, of_head, painter

HEAD = -1  # the place of the agents' names, above the first move
TRUTH = 11  # columns of an exact value: 'loses in 12'
LEAST_CELL, RANK, VALUE, SHARE = 8, 4, 9, 7
LEAST_BAR, LONGEST_BAR = 3, 24
INKS = (Ink.ONE, Ink.TWO, Ink.BAR, Ink.OPEN)  # of the agents


@dataclass(frozen=True, slots=True)
class Place:
    """The marked cell: a move, or HEAD, and an agent."""

    row: int = 0
    agent: int = 0

    def moved(self, down: int, across: int, moves: int, agents: int) -> Place:
        """Return the place so many rows and agents further, within the table."""
        row = max(HEAD, min(moves - 1, self.row + down))
        return Place(row, max(0, min(agents - 1, self.agent + across)))


def status(conductor: CompareWork) -> Paint:
    """Paint the top line: the game, the moves that lead to the position, and what runs."""
    setup, game, title = conductor.setup, conductor.game, "No comparison yet: N starts one"
    if setup is not None and game is not None:
        title = game.title if setup.position is None else f"{game.title}, from {setup.position}"
        title = " · ".join([title, *filter(None, [" ".join(game.line_names(conductor.path, conductor.states[0]))])])

    work = len(conductor.asked)
    runs = "‖ paused" if conductor.paused else f"▶ {work} at work" if work else ""
    return of_head(title, [" · ".join(filter(None, (conductor.message, runs)))], Ink.JOB)


@painter
def table(columns: int, rows: int, signs: Glyphs, conductor: CompareWork, place: Place) -> list[Line]:
    """Paint the moves as rows: the exact value, then each agent's rank, value, share and bar."""
    compared = conductor.compared
    if compared is None:
        return _ended(conductor, columns, signs)
    game, marked = compared.game, None if place.row == HEAD else compared.moves[place.row]

    def name(move: Move) -> Inked:
        sign = signs.mostly[0] if compared.disputed(move) else " "
        ink = Ink.WHERE if move == marked else Ink.TEXT
        return Inked((sign, Ink.OPEN), (f"{game.move_name(move, compared.state)} ", ink))

    def truth(move: Move) -> Inked:
        exact = reports.exact(compared, move)
        ink = Ink.QUIET if exact is None else ENDS[exact.outcome]
        right = exact is not None and compared.decides and exact.optimal
        return Inked((exact_value(exact).text, Ink.GOOD if right else ink))

    heads = [TableColumn(" move ", name, left=True), TableColumn("truth", truth, left=True, width=TRUTH)]
    for at, column in enumerate(compared.columns):
        here = place.row == HEAD and place.agent == at
        sign = signs.cursor if here else signs.mark[0] if place.agent == at else " "
        head, ink = f"{sign}{at + 1} {column.agent}", Ink.CURSOR if here else INKS[at]
        draw = partial(_cell, compared, column, INKS[at], signs)
        cell = TableColumn(head, lambda _: NOTHING, left=True, width=LEAST_CELL, head_ink=ink, draw=draw, most=columns)
        heads.append(cell)
    moves = Table("", heads, compared.moves, lambda move: move, gap=0)
    lines = table_lines(moves, columns, rows, View(marked, sign=signs.cursor, clicked=True), signs)
    plays = f"{signs.right}{signs.wrong}" if compared.decides else signs.best
    meanings = f"{signs.mostly[0]} they disagree", f"{plays} plays it", "each: rank, value, share"
    legend = fit(line((signs.plain("   ".join(meanings)), Ink.QUIET)), columns, signs)
    return [*lines, legend] if len(lines) < rows else lines


def _cell(compared: Comparison, column: Column, ink: Ink, signs: Glyphs, move: Move, each: int) -> Line:
    """Return rank, value, share and bar of one move in one agent's column, in `each` cells."""
    cell, played = column.cell(move), column.move == move
    sign, mark_ink = " ", Ink.TEXT
    if played:
        right = compared.right(column) if compared.decides else None
        sign = signs.best if right is None else signs.right if right else signs.wrong
        mark_ink = Ink.STRONG if right is None else Ink.RIGHT if right else Ink.WRONG
    value = signs.plain(reports.value_of(cell).text)
    text_ink = Ink.STRONG if played else Ink.TEXT
    room = each - RANK
    wide = min(room, max(VALUE, len(value)) + 1)
    runs = [Run(f" {sign}", mark_ink), Run(f"{cell.rank or '':>2}"[:2], Ink.QUIET)]
    runs.append(Run(f"{value[: wide - 1]:>{wide}}", text_ink))
    room -= wide
    if column.share_of and room >= SHARE:
        runs.append(Run(f"{signs.plain(reports.share_of(cell).text):>{SHARE}}", text_ink))
        room -= SHARE
    bar = min(LONGEST_BAR, room - 2)
    amount = cell.value if cell.share is None else cell.share
    if bar >= LEAST_BAR and amount is not None:
        runs.append(Run(f" {signs.signed_bar(amount, bar)}", Ink.QUIET if amount < 0 else ink))
    return tuple(runs)


def _ended(conductor: CompareWork, columns: int, signs: Glyphs) -> list[Line]:
    if conductor.state is None:
        return []
    end = "The game is over: a draw." if base.outcome(conductor.state) == base.DRAW else "The game is over here."
    return [fit(line((f"{end} Backspace goes back.", Ink.STRONG)), columns, signs)]


@painter
def answers(columns: int, rows: int, signs: Glyphs, conductor: CompareWork) -> list[Line]:
    """Paint for each agent its move, whether that is right, its line and its effort; above them where they disagree."""
    compared = conductor.compared
    if compared is None:
        return []
    lines_too, lines = rows >= 3 * len(compared.columns) + 1, list[Line]()
    for at, column in enumerate(compared.columns):
        lines += _answer(conductor, compared, at, column, lines_too, columns, signs)
    texts = filter(None, (reports.best_text(compared), reports.agreement_text(compared)))
    end = paragraphs(map(signs.plain, texts), columns, Ink.STRONG)
    return [*end, *lines[: max(len(compared.columns), rows - len(end))]][:rows]


def _answer(
    conductor: CompareWork, compared: Comparison, at: int, column: Column, line_too: bool, columns: int, signs: Glyphs
) -> list[Line]:
    job = conductor.waits_for(at)
    number = Run(f"{at + 1} ", INKS[at])
    if column.move is None:
        what = column.fault
        if job is not None:
            done = job.snapshot
            amount = Progress(done.share).text if done.share is not None else done.far * bool(done.done)
            what = f"{amount} {done.what or compiling_text() or 'prepares'}".lstrip()
        return [fit(line(number, (what, Ink.BAD if column.fault else Ink.QUIET)), columns, signs)]
    name = compared.game.move_name(column.move, compared.state)
    verb = "plays" if column.decided and not column.fault else "would play"
    right = compared.right(column) if compared.decides else None
    ink = Ink.TEXT if right is None else Ink.GOOD if right else Ink.BAD
    sign = "" if right is None else f"{signs.right if right else signs.wrong} "
    verdict = "" if compared.truths is None else f"{sign}{reports.verdict_text(compared, column)}"
    start = line(number, (f"{verb} {name}  ", Ink.STRONG), (verdict, ink))
    efforts = (line((signs.plain(text), Ink.QUIET)) for text in reports.effort_texts(column))
    end = next((text for text in efforts if width(start) + width(text) + 2 <= columns), None)
    lines = [start if end is None else justified(start, end, columns)]
    below = [(column.fault, Ink.BAD)]
    if line_too:
        names = " ".join(compared.game.line_names(column.line, compared.state))
        below += [(f"line {names}" * (len(column.line) > 1), Ink.QUIET), (column.note, Ink.QUIET)]
    lines += [line((f"  {text}", ink)) for text, ink in below if text]
    return [fit(each, columns, signs) for each in lines]


@painter
def board(
    columns: int, rows: int, signs: Glyphs, game: Game | None, state: State | None, move: Move | None
) -> list[Line]:
    """Paint a position with the marked move; where there is room, as large as it fits, after that move."""
    if game is None or state is None:
        return []
    if rows >= TALL_BOARD:
        title, owned, here = "Position", NOBODY, state
        if move is not None:
            title, owned = f"Position after {game.move_name(move, state)}", small_board.after(game, state, move, 0)
            here = game.after(state, move)
        return [line((title, Ink.TITLE)), *small_board.drawing(game, here, owned, columns, rows - 1, signs)]
    picture = small_board.drawing(game, state, NOBODY, columns, rows, signs, move=move)
    return (picture or paragraphs([signs.plain(game.position_name(state))], columns))[:rows]


TALL_BOARD = 9  # lines from which a board is drawn as on the Play screen
BLOCKS = "▁▂▃▄▅▆▇█"  # a value from −1 to 1
LEVELS = "0123456789"  # the same in ASCII
GUTTER = 2  # columns of the agents' numbers
WIDE_STEPS = 48  # columns for the steps of one agent beside those of another
LEAST_TABLE = 3  # lines: its head, and two steps
HIGHEST, LEAST_STEPS = 6, 8  # lines: of bars at most; of the axis, a blank, and steps beside which bars are high


@painter
def curves(columns: int, rows: int, signs: Glyphs, conductor: CompareWork, agent: int) -> list[Line]:
    """Paint all strips on one logarithmic axis, then the steps: of all agents, or of the marked one."""
    compared, strips = conductor.compared, conductor.curves
    if compared is None:
        return []
    if not strips:
        return [line(("No curves yet.", Ink.QUIET))]
    most = max((curve.steps[-1].effort for curve in strips if curve is not None and curve.steps), default=10)
    decades = max(1, math.ceil(math.log10(max(10, most))))
    high = 1 if not signs.parts else max(1, min(HIGHEST, (rows - LEAST_STEPS) // len(strips) - 2))
    lines: list[Line] = []
    for at, curve in enumerate(strips):
        lines += _strip(compared, at, curve, at == agent, decades, (columns, high), signs)
    lines.append(_axis(decades, columns))
    room, wide = rows - len(lines) - 1, columns // max(1, len(strips))
    shown = range(len(strips)) if wide >= WIDE_STEPS else [agent]  # those of all agents, where they have room
    tables = [
        _steps(compared, strip, room, wide if len(shown) > 1 else columns, signs)
        for at in shown
        if (strip := strips[at] if at < len(strips) else None) is not None and strip.steps
    ]
    if tables and room >= LEAST_TABLE:
        lines += [(), *beside(tables, [columns // len(tables)] * len(tables))]
    return lines[:rows]


def _column(effort: int, decades: int, columns: int) -> int:
    return GUTTER + round(math.log10(max(1, effort)) / decades * (columns - GUTTER - 1))


def _strip(
    compared: Comparison, at: int, curve: Curve | None, marked: bool, decades: int, size: tuple[int, int], signs: Glyphs
) -> list[Line]:
    """Return an agent's name with its summary, its values as bars of so many lines, and whether its moves are right."""
    steps, summary = () if curve is None else curve.steps, "at work"
    (columns, high), judged = size, compared.right_moves is not None
    picture = Raster(columns, high + 1, signs)
    most = max((abs(step.score) for step in steps if step.score is not None), default=0.0) or 1.0
    if curve is not None:
        summary = reports.settled_text(compared, curve) if steps else curve.why_none
    head = f"{at + 1}{signs.cursor if marked else ' '}{compared.columns[at].agent}  "
    first = fit(line((head, INKS[at]), (summary, Ink.QUIET)), columns, signs)
    for step in steps:
        x = _column(step.effort, decades, columns)
        for below, sign in enumerate(_bar(step, most, high, signs)):
            picture.write(x, high - 1 - below, sign, INKS[at])
        picture.write(x, high, *_verdict(compared, step, signs))
    return [first, *(picture.lines()[: high + judged] if steps else [])]


def _bar(step: Step, most: float, high: int, signs: Glyphs) -> str:
    """Return the signs of a value from below, or of a score of at most `most`; '' for a step without one."""
    if step.value is step.score is None:
        return ""
    share = step.value if step.value is not None else (step.score or 0) / most
    levels = BLOCKS if signs.parts else LEVELS
    full, part = divmod(min(high * len(levels) - 1, int((1 + share) / 2 * high * len(levels))), len(levels))
    return levels[-1] * full + levels[part]


def _verdict(compared: Comparison, step: Step, signs: Glyphs) -> tuple[str, Ink]:
    right = compared.right_moves
    if right is None:
        return " ", Ink.QUIET
    return (signs.right, Ink.RIGHT) if step.move in right else (signs.wrong, Ink.WRONG)


def _axis(decades: int, columns: int) -> Line:
    text = ""
    for decade in range(decades + 1):
        label = short(10**decade)
        at = min(_column(10**decade, decades, columns), columns - len(label))
        if at > len(text) or not text:
            text = text.ljust(at) + label
    return line((text, Ink.QUIET))


def _steps(compared: Comparison, curve: Curve, rows: int, columns: int, signs: Glyphs) -> Sequence[Line]:
    """Return the last steps of a curve as rows: effort, depth, move, value, right or mistake."""

    def verdict(step: Step) -> Inked:
        sign, ink = _verdict(compared, step, signs)
        return Inked((f"{sign} {reports.step_verdict(compared, step)}".rstrip(), ink))

    judged = TableColumn("", verdict, left=True)
    last = curve.steps[max(0, len(curve.steps) - rows + 1) :]
    return table_lines(Table("", [*reports.steps(compared, curve), judged], last, gap=2), columns, rows, signs=signs)

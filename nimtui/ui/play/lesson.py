"""The screen of a lesson: the map of all positions before and after, for a weight that a person chooses."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, TypeAlias

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.learning.atlas import Order, orders
from nimtui.learning.evaluate import WORDS
from nimtui.learning.sample import SampledTruth
from nimtui.learning.table import Table
from nimtui.learning.taught import WEIGHTS, Effect, Lesson, Preview, TaughtMove, after, changed_positions
from nimtui.progress import Progress
from nimtui.report.blocks import Column, Heading, Inked, Report
from nimtui.report.blocks import Table as Rows
from nimtui.report.cells import table_lines
from nimtui.report.lines import Ink, Line, Run, fit, justified, keys, line, paragraphs, width
from nimtui.ui.board.position_map import PositionMap
from nimtui.ui.board.position_map_picture import INKS
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.panel import Panel, framed, of_report
from nimtui.ui.play.view import score_columns, shorter

SIDES = ("Before", "After")
KEEP = "Learn with this weight, and save the table"
Solved: TypeAlias = tuple[Preview, list[Order]]


class LessonScreen(Page[int | None], place="lesson"):
    """Shows what a lesson does to the table. Returns the weight to learn with, or None."""

    BESIDE = (PositionMap,)
    BINDING_GROUP_TITLE = "Lesson"
    HELP = (
        "Both maps show every position of the game, or of a large game some of its exact sample: before the lesson and "
        "after it. A sign says whether the best "
        "moves of the table are right. A larger sign marks one whose best moves change, unless it is lost. "
        "The accuracy is over the positions that are not lost.\n\n"
        "The weight is how many equal games of training the lesson counts as. + and - choose it, and the maps follow. "
        "Enter lets the opponent learn with this weight and saves its table. Esc leaves the table as it is.\n\n"
        "The arrow keys move the cursor on both maps, n goes to the next change."
    )

    def __init__(self, who: str, table: Table, lesson: Lesson, *, learned: bool = False) -> None:
        """`who` learns; `table`: before the lesson. If the lesson has been `learned`, its weight is fixed."""
        super().__init__()
        self.who, self.table, self.lesson, self.learned = who, table, lesson, learned
        self.weight = lesson.weight
        self.effect: Effect | None = None  # of the lesson with this weight
        self._preview: Preview | None = None
        self._fault = ""  # why there is no map

    def content(self) -> ComposeResult:
        yield Panel(id="title")
        yield Horizontal(*map(self._side, (0, 1)), id="maps")
        yield Panel(id="told", classes="box")

    def _side(self, at: int) -> Vertical:
        """Return one of the maps below its caption."""
        position_map = PositionMap(self._moved, self.notify, id=f"map{at}")
        position_map.picks = False  # Enter belongs to the screen
        return Vertical(Panel(id=f"caption{at}"), position_map, id=f"side{at}", classes="box")

    def on_mount(self) -> None:
        def solve(progress: Progress) -> Solved:
            preview = Preview(self.table, self.lesson, progress)
            solved = preview.truth
            return preview, solved.orders() if isinstance(solved, SampledTruth) else orders(solved, self.table.game)

        self.fetch("solving the game of the lesson", solve, self._solved, self._failed)
        self._maps[1].focus()
        self.draw()

    @property
    def _maps(self) -> list[PositionMap]:
        return list(self.query(PositionMap))

    def _solved(self, solved: Solved) -> None:
        self._preview, by_row = solved
        for each in self._maps:
            each.set_orders(by_row)
        self._learn()

    def _failed(self, why: str) -> None:
        self._fault = why or "stopped"
        self.draw()

    def _learn(self) -> None:
        """Compute the effect of the current weight."""
        if self._preview is not None:
            try:
                self.effect, self._fault = self._preview.effect(self.weight), ""
            except InputError as fault:
                self.effect, self._fault = None, str(fault)
        self.draw()

    # Showing.

    def draw(self) -> None:
        effect = self.effect
        self.refresh_bindings()
        for at, (each, side) in enumerate(zip(self._maps, SIDES, strict=True)):
            each.heading = side
            self.fill(f"caption{at}", of_report(Report([Heading(side)])))
            if effect is None:
                each.verdicts = None
                each.draw()
            else:
                each.marked = effect.changed
                each.show((effect.before, effect.after)[at].verdicts)
        self.fill("title", self._title)
        self.fill("told", self._teaches)

    def _title(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        title = signs.plain(shorter(self.table.game.title))
        who = f"{self.who} {'learned' if self.learned else 'learns'} from this game"
        head = line(("Lesson", Ink.STRONG), (f"  {title}", Ink.QUIET))
        return [justified(head, line((signs.plain(who), Ink.TEXT)), columns)]

    def _teaches(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        head = [line(("What it teaches", Ink.TITLE))] if framed(self.query_one("#told")) else []
        lines = [*head, self._ladder(columns, signs)]
        effect = self.effect
        if effect is None:
            lines += paragraphs([signs.plain(self._without_map())], columns, Ink.QUIET)
            return lines[:rows]
        lines += paragraphs([signs.plain(effect.text)], columns)
        if effect.changed.any():
            lines.append(fit(_now(effect, signs), columns, signs))
        lines.append(fit(self._marked(effect, signs), columns, signs))
        if (room := rows - len(lines) - 1) > 2:
            lines += [line(), *table_lines(_moves(effect, signs), columns, room, signs=signs)]
        return lines[:rows]

    def _ladder(self, columns: int, signs: Glyphs) -> Line:
        """Return the weights, the current one marked."""
        if self.learned:
            return line(("Weight ", Ink.QUIET), (f"{self.weight:,}", Ink.STRONG))
        runs = keys("Weight  ")
        for weight in WEIGHTS:
            here = weight == self.weight
            runs.append(Run(f"{signs.cursor if here else ' '}{weight:,}  ", Ink.WHERE if here else Ink.QUIET))
        more, less, keep = (key_of(f"lesson.{id}", key) for id, key in (("more", "+"), ("less", "-"), ("keep", "⏎")))
        whole = line(*runs, *keys("  ", more, " ", less, " choose  ", keep, " keep"))
        return fit(whole if width(whole) <= columns else line(*runs), columns, signs)

    def _without_map(self) -> str:
        """Say why there is no map, and whose best moves the lesson changes."""
        if not self._fault:
            return "Solving every position" if self.table.function is None else "Solving the game, or a sample of it"
        lesson = replace(self.lesson, weight=self.weight)
        try:
            changed = changed_positions(self.table, after(self.table, lesson)[0], lesson)
        except InputError:  # the reason is told already
            return f"No map: {self._fault}."
        number = plural(len(changed), "position", "positions")
        named = f": {'  '.join(name or 'the start' for name in changed)}" if changed else ""
        return f"No map: {self._fault}. Best moves change in {number} of this game{named}."

    def _marked(self, effect: Effect, signs: Glyphs) -> Line:
        """Return what the lesson does to the position under the cursor."""
        node = self._maps[1].node
        if node < 0:
            return line(("The arrow keys choose a position.", Ink.QUIET))
        old, new = (WORDS[int(judged.verdicts[node])] for judged in (effect.before, effect.after))
        verdict = old if old == new else f"{old} {signs.to} {new}"
        before, after = (" ".join(moves) for moves in effect.best(node))
        best = f"best {before}" if before == after else f"best {before} {signs.to} {after}"
        return line((f"{effect.name(node) or 'the start'}: {verdict}", Ink.STRONG), (f", {best}", Ink.TEXT))

    # Keys.

    def _moved(self, node: int) -> None:
        for each in self._maps:
            each.goto(node)
        self.fill("told", self._teaches)

    def reweigh(self, by: int) -> None:
        at = WEIGHTS.index(self.weight) + by
        self.weight = WEIGHTS[max(0, min(len(WEIGHTS) - 1, at))]
        self._learn()

    def to_change(self) -> None:
        if self.effect is None:
            self.notify(self._without_map())
        elif (node := self._maps[1].next_of(self.effect.changed)) is None:
            self.notify("The lesson changes no best move")
        else:
            self._moved(node)

    def _unlearned(self) -> bool:
        return not self.learned

    ROWS: ClassVar[tuple[Command[LessonScreen], ...]] = (
        Command("enter", "keep", "keep", KEEP, lambda s: s.dismiss(s.weight), _unlearned),
        Command(
            "plus,equals_sign", "weight(1)", "More", "Higher weight", lambda s: s.reweigh(1), _unlearned, group="weight"
        ),
        Command("minus", "weight(-1)", "Less", "Lower weight", lambda s: s.reweigh(-1), _unlearned, group="weight"),
        Command("n", "change", "next change", "Go to the next position whose best moves change", to_change),
        Command("escape,backspace", "dismiss(None)", "back", "Leave the table as it is", id="leave"),
    )


def _now(effect: Effect, signs: Glyphs) -> Line:
    """Return the positions whose best moves change, by their new verdict."""
    runs: list[Run] = []
    for verdict, nodes in effect.became().items():
        if nodes:
            named = "  ".join(effect.name(node) or "the start" for node in nodes)
            runs.append(Run(f"{signs.fresh[verdict]} {WORDS[verdict]}: {named}   ", INKS[verdict]))
    return line(*runs)


def _moves(effect: Effect, signs: Glyphs) -> Rows:
    """Return the moves of the lesson: position, move, scores, verdicts."""

    def verdict(move: TaughtMove) -> Inked:
        if move.verdicts is None:
            return Inked(("not on the map", Ink.QUIET))
        was, now = move.verdicts
        changed = f"{signs.fresh[was]} {WORDS[was]} → {signs.fresh[now]} {WORDS[now]}"
        return Inked((f"{signs.verdicts[now]} {WORDS[now]}" if was == now else changed, INKS[now]))

    columns = [
        *score_columns(lambda move: move.position or "the start", lambda move: move.move, lambda move: move.scores),
        Column("position is", verdict, left=True),
    ]
    return Rows("", columns, effect.moves(), gap=2)

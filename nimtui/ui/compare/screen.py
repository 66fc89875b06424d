"""The Compare screen: agents beside each other on one position, the exact values, the effort of each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from nimtui.report.lines import plain_text
from nimtui.ui.board.position_map import PositionMap
from nimtui.ui.compare import view as compare_view
from nimtui.ui.compare.form import (
    CompareChoice,
    CompareExport,
    CompareForm,
    able,
    agent_field,
    content,
    suggested,
)
from nimtui.ui.compare.stage import CompareStage
from nimtui.ui.compare.work import CompareWork
from nimtui.ui.kit.clipboard import Copy
from nimtui.ui.kit.command import Command, NotNow, Possible, absent
from nimtui.ui.kit.kept import write_new
from nimtui.ui.kit.mode_screen import StageScreen
from nimtui.ui.kit.virtual_list import VirtualList
from nimtui.ui.play.compare_setup import CURVE, DEPTHS, LIST, MAP, TABLE, TREES, CompareSetup
from nimtui.ui.search.tree import SearchTree

HELP = (
    "Sets agents beside each other on one position. All agents think at the same time, each with the same seed as the "
    "command nimtui compare.\n\n"
    "Table: one row per move. The first column is the exact value, where it is known. Then each agent's rank of the "
    "move, its value and its share. The value is the expected result for the player to move, from −1 to 1; alpha-beta "
    "shows its score, a learner its table's score, or ±1 if it is proven. The share is the part of all visits, or of "
    "all playouts won. ✓ and ✗ mark the move that an agent plays: right, or a mistake. ★ marks it where no mistake is "
    "possible, or where the exact value is unknown. ◐ marks moves on which agents disagree.\n\n"
    "Enter plays the marked move, and all agents think about the position after it. Backspace goes back. "
    "Esc returns to the table, goes back, and leaves.\n\n"
    "Curve (c): what each agent plays after 1, 2, 5, 10 … units of its own effort: simulations, playouts, nodes or "
    "games of training. Blocks show the value of its move, the signs below whether the move is right. The axis is "
    "logarithmic. The steps depend on the seed, not on the machine.\n\n"
    "Depths (d): minimax, alpha-beta and best-first on this position, to depth 1, 2, 3 …\n\n"
    "Trees (s): the search trees of the first agent and the marked one, walked by the same moves. + and − mark moves "
    "that only one tree has. ◐ marks a move that is best in one tree only, ! a value that contradicts the other one. "
    "n goes to where the best lines part.\n\n"
    "Map (m): all positions of the game, and m again the list. The map judges the first of two agents: right ●, "
    "wrong ×, undecided ○; ◐ stands for several positions, most of them right. + and − mark positions where only one "
    "is right: the first agent, or the marked (second). Shares leave out lost positions. Enter opens a position.\n\n"
    "The left and right keys mark an agent, a changes it. On the agents' names, above the first move, Enter changes "
    "the agent too."
)


ALL = 10_000  # more rows than any table has
PAUSE = "Pause or continue all agents"
BACK, PARTING = "Go back to the position before", "Go to the first move on which the best lines part"
TO_TABLE = "Show the moves as rows and the agents as columns"
TO_CURVE = "Show how each agent's choice changes with its effort"
TO_DEPTHS = "Show the nodes of searches to depth 1, 2, 3 …"
TO_TREES = "Show two search trees beside each other, and where they part"
TO_MAP = "Show the map of all positions, then the list: who is right where"
WIDEST = 200  # columns of a copied table


class ComparisonScreen(StageScreen[CompareWork, CompareStage], place="compare"):
    """Forwards keys to the app's conductor, which asks the agents, and to the stage, which shows them."""

    BESIDE = (VirtualList, SearchTree, PositionMap)
    CONDUCTOR, STAGE, PROMPT = CompareWork, CompareStage, False
    BINDING_GROUP_TITLE, WRONG = "Compare", "Cannot compare these agents"
    HELP = HELP

    def begin(self, answer: CompareSetup) -> None:
        """Start this comparison."""
        self.conductor.every = self.shell.tick
        self.conductor.start(answer)
        if self.is_mounted:
            self._open(answer.view)
        else:
            self.call_after_refresh(self._open, answer.view)

    def _open(self, view: str = "") -> None:
        self.stage.open()
        self.stage.show(view or self.stage.view)

    # Showing.

    def tick(self) -> None:
        if self.conductor.look():
            self.draw()

    def typing_changed(self) -> None:
        self.fill("status", compare_view.status(self.conductor))
        self.draw_footer()

    # Actions.

    def go(self, down: int, across: int) -> None:
        self.stage.go(down, across)
        self.draw_footer()

    def enter(self) -> None:
        """Walk into the marked move; on the agents' names, change the agent."""
        if self.stage.listed or self.stage.planted:
            self.stage.take()
            return
        if self.stage.move is None:
            self.ask_agent()
            return
        self.conductor.walk(self.stage.move)
        self._open()

    def back(self) -> None:
        move = self.conductor.back()
        self._open()
        self.stage.mark(move)
        self.draw()

    def leave(self) -> None:
        """Stop what runs; else return to the table, then go back in the game, then leave the screen."""
        if self.conductor.stop():
            self.draw()
        elif not self.stage.tabled:
            self.view(TABLE)
        elif self.conductor.path:
            self.back()
        else:
            self.shell.action_go_back()

    def view(self, view: str) -> None:
        self.stage.show(view)
        self.draw()

    def positions(self) -> None:
        """Show the map of all positions; from the map, the list; from the list, the map."""
        self.view(LIST if self.stage.view == MAP and self.conductor.everywhere.found is not None else MAP)

    def on_compare_stage_opened(self, message: CompareStage.Opened) -> None:
        self.conductor.open(message.node)
        self._open(TABLE)

    def ask_agent(self) -> None:
        setup = self.conductor.setup_here
        if setup is not None:
            self.app.push_screen(CompareForm(setup, agent_field(self.stage.place.agent)), self._changed)

    def _changed(self, setup: CompareSetup | None) -> None:
        """Start the changed comparison in the view that is shown."""
        if setup is not None:
            self.start(replace(setup, view=self.stage.view))

    def ask(self) -> None:
        self.app.push_screen(CompareChoice(self.conductor.setup_here), self.start)

    def ask_export(self) -> None:
        conductor, view = self.conductor, self.stage.view

        def exported(path: Path) -> None:
            conductor.say(f"Saved to {path}")

        def failed(why: str) -> None:
            self.notify(why, title="Not saved", severity="error")

        def chosen(path: Path | None) -> None:
            if path is not None and able(conductor, view):
                text = content(path.suffix.lower(), conductor, view)
                self.fetch("exporting", lambda progress: write_new(path, text(progress)), exported, failed)

        form = CompareExport(suggested(conductor, view))
        self.app.push_screen(form, chosen)

    def copies(self) -> list[Copy]:
        """Return the position, the table of the agents as text, and the command of this comparison."""
        conductor, stage, signs = self.conductor, self.stage, self.shell.glyphs
        setup = conductor.setup_here
        if setup is None or conductor.game is None or conductor.state is None:
            return []
        found = [Copy("position", conductor.game.position_name(conductor.state))]
        if conductor.compared is not None:
            painted = compare_view.table(conductor, stage.place)(WIDEST, 1 + len(stage.moves), signs)
            found.append(Copy("table", "\n".join(plain_text(row).rstrip() for row in painted)))
        return [*found, setup.command]

    # Commands.

    def possible(self, action: str, parameters: tuple[object, ...] = ()) -> Possible:
        started = self.conductor.setup is not None or action in ("new", "leave")
        return (started or absent("No comparison yet: N starts one")) and super().possible(action, parameters)

    def _can_enter(self) -> bool:
        stage = self.stage
        return stage.listed or stage.planted or (stage.tabled and not self.conductor.over)

    def _can_export(self) -> Possible:
        return able(self.conductor, self.stage.view) or NotNow("Not all of this is there yet")

    ROWS: ClassVar[tuple[Command[ComparisonScreen], ...]] = (
        Command("enter", "enter", "walk", "Play, open, unfold; on a name, change the agent", enter, _can_enter),
        Command("backspace", "back", "back", BACK, back, lambda s: bool(s.conductor.path), show=False),
        Command("up,k", "go(-1,0)", "Row above", "", lambda s: s.go(-1, 0), show=False),
        Command("down,j", "go(1,0)", "Row below", "", lambda s: s.go(1, 0), show=False),
        Command("left,h", "go(0,-1)", "Agent to the left", "", lambda s: s.go(0, -1), show=False),
        Command("right,l", "go(0,1)", "Agent to the right", "", lambda s: s.go(0, 1), show=False),
        Command("pageup", "go(-10,0)", "Page up", "", lambda s: s.go(-10, 0), show=False),
        Command("pagedown", "go(10,0)", "Page down", "", lambda s: s.go(10, 0), show=False),
        Command("home", "go(-10000,0)", "First row", "", lambda s: s.go(-ALL, 0), show=False),
        Command("end", "go(10000,0)", "Last row", "", lambda s: s.go(ALL, 0), show=False),
        Command(
            "space", "pause", "pause", PAUSE, lambda s: s.conductor.pause_or_go_on(), lambda s: s.conductor.working
        ),
        Command("escape", "leave", "back", "Stop; or return to the table, go back, leave", leave, show=False),
        Command("t", "view('table')", "table", TO_TABLE, lambda s: s.view(TABLE)),
        Command("c", "view('curve')", "curve", TO_CURVE, lambda s: s.view(CURVE)),
        Command("d", "view('depths')", "depths", TO_DEPTHS, lambda s: s.view(DEPTHS)),
        Command("s", "view('trees')", "trees", TO_TREES, lambda s: s.view(TREES)),
        Command("n", "part", "parting", PARTING, lambda s: s.stage.part(), lambda s: s.stage.planted, show=False),
        Command("m", "positions", "map", TO_MAP, positions),
        Command("a", "agent", "agent", "Change the marked agent", ask_agent),
        Command("e", "export", "export", "Export the table, the curves or all to a file", ask_export, _can_export),
        Command("N", "new", "new", "Start a new comparison", ask),
    )

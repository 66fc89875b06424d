"""The Compare screen: agents beside each other on one position, the exact values, the effort of each; and its dialogs:
presets, and the form as a table of fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Never

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from nimtui.errors import valid
from nimtui.games.base import Move
from nimtui.playing.setup import how_written, parse_game
from nimtui.report.copies import Copy
from nimtui.report.lines import plain_text
from nimtui.ui.board.position_map import PositionMap
from nimtui.ui.compare import parts_view
from nimtui.ui.compare import view as compare_view
from nimtui.ui.compare.view import HEAD, Place, curves
from nimtui.ui.compare.work import CompareWork, Positions, able, content, suggested
from nimtui.ui.kit.contract.command import Command, NotNow, Possible, absent, family
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.forms.dialogs import StartDialog
from nimtui.ui.kit.forms.draft import Choice, Draft, Field
from nimtui.ui.kit.forms.entries import game_field, position_field, seed_field
from nimtui.ui.kit.forms.form import SetupForm
from nimtui.ui.kit.forms.kept import write_new
from nimtui.ui.kit.widgets.page import APPLY, UNTYPE, filtering
from nimtui.ui.kit.widgets.panel import Paint, Panel
from nimtui.ui.kit.widgets.virtual_list import VirtualList
from nimtui.ui.kit.work_screen import WorkScreen, export_row, new_row
from nimtui.ui.play.compare_setup import CURVE, DEPTHS, LIST, MAP, MOST_AGENTS, PRESETS, TABLE, TREES, CompareSetup
from nimtui.ui.search.stage import SearchTree

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game


# The dialogs.


def _game(draft: Any) -> Game | None:
    """Return the game at the typed position, which `perfect` may need; None while either is invalid."""
    return valid(lambda: parse_game(draft.texts["game"]).beginning(draft.texts["position"].strip() or None))


def _agent(draft: Any, text: str) -> Agent | None:
    from nimtui.agents import parse_agent

    game = _game(draft)
    return parse_agent(text, game) if game is not None and text.strip() else None


def _offers(draft: Any) -> Iterator[Choice]:
    from nimtui.agents import agent_choices

    yield Choice("", "none", "leave this place free")
    if (game := _game(draft)) is not None:
        yield from (Choice(preset.agent, preset.agent, preset.title) for preset in agent_choices(game))


def agent_field(place: int) -> str:
    """Return the name of the field of an agent, the first place is 0."""
    return f"agent{place + 1}"


def _agents_field(place: int) -> Field[Agent | None]:
    name = agent_field(place)
    return Field(
        name,
        f"Agent {place + 1}",
        _agent,
        lambda draft, agent: agent.title if agent is not None else "" if draft.text(name).strip() else "none",
        lambda draft: how_written(draft.text(name)),
        _offers,
        "none",
        written=lambda setup: "".join(setup.agents[place : place + 1]),
    )


class CompareDraft(Draft[CompareSetup]):
    """The form of a comparison."""

    FIELDS = (
        game_field("any game: connect4:4x4, tower:16, nim:3,5,4,2,6, subtraction:21,3:misere"),
        position_field("compare on this position"),
        *map(_agents_field, range(MOST_AGENTS)),
        seed_field("same seed, same random choices", "without a clock, the same seed gives the same answers"),
    )

    def setup(self) -> CompareSetup:
        texts = self.texts
        agents = tuple(text for place in range(MOST_AGENTS) if (text := texts[agent_field(place)].strip()))
        return CompareSetup(texts["game"], texts["position"] or None, agents, self.value("seed"), TABLE).validate()

    def field_of(self, wrong: str) -> str:
        return agent_field(0)


class CompareForm(SetupForm[CompareSetup]):
    """Edits a comparison, one field each, and checks the fields as you type."""

    HELP = "Type into a field, or choose with the up and down keys. Leave an agent's field empty for fewer agents."
    BINDING_GROUP_TITLE = "Comparison"
    DRAFT = CompareDraft.of


class CompareChoice(StartDialog[Never, CompareSetup]):
    """Offers presets."""

    BINDING_GROUP_TITLE = "New comparison"
    HELP = "Press Enter to start the marked comparison, or Tab to change its settings first."
    INTRO = "Sets agents beside each other on one position,\nwith the exact value of every move:"
    OWN = "any game, position and agents"
    FORM, PRESETS, USUAL = CompareForm, PRESETS, CompareSetup()


# The screen.

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
WIDEST = 200  # columns of a copied table
ANSWERS, LEAST = 12, 7  # lines of the answers, and at least of the effort curves below them, with their frames
HEADINGS = {
    TABLE: "Moves: exact value, and what each agent believes",
    CURVE: "Moves by effort; height: their value",
    DEPTHS: "Nodes by depth",
    TREES: "Two search trees",
    MAP: "All positions",
    LIST: "All positions",
}


def _view_row(key: str, view: str, about: str) -> Command[ComparisonScreen]:
    def apart(screen: ComparisonScreen) -> Possible:
        return not screen.view == view == TABLE or NotNow("The table is shown")

    return Command(key, f"view('{view}')", view, about, lambda screen: screen.show(view), apart)


class ComparisonScreen(WorkScreen[CompareWork], place="compare"):
    """Forwards keys to the app's conductor, which asks the agents; shows one view of all of them, and the board."""

    BESIDE = (VirtualList, SearchTree, PositionMap)
    CONDUCTOR, NEW = CompareWork, CompareChoice
    ABOVE: ClassVar = {"status": lambda s: compare_view.status(s.conductor)}
    BINDING_GROUP_TITLE, WRONG = "Compare", "Cannot compare these agents"
    HELP = HELP

    place = Place()
    view = TABLE
    _mapped: Positions | None = None  # that the map and the list show
    _at = 0  # the marked place of the list

    def parts(self) -> ComposeResult:
        with Vertical(id="stage"):
            yield Panel(id="main", classes="box -focus").headed(
                "Moves", "What each agent believes of them will stand here."
            )
            yield PositionMap(self._stepped, self.conductor.say, id="map", classes="box")
            yield VirtualList(id="list", classes="box")
            with Horizontal(id="below"):
                yield Panel(id="board", classes="box").headed("Position", "The position will stand here.")
                with Vertical(id="beside"):
                    yield Panel(id="answers", classes="box").headed("Answers", "What each agent plays will stand here.")
                    yield Panel(id="effort", classes="box").headed(HEADINGS[CURVE])
                    yield Panel(id="trees", classes="box").headed(HEADINGS[TREES])

    def on_mount(self) -> None:
        self._focus()
        self.hint({"trees": f"{key_of('compare.trees', 's')} walk"})

    def begin(self, answer: CompareSetup) -> None:
        """Start this comparison."""
        self.conductor.every = self.shell.tick
        self.conductor.start(answer)
        self.view = answer.view or self.view
        if self.is_mounted:
            self._open()
        else:
            self.call_after_refresh(self._open)

    # What is shown.

    @property
    def planted(self) -> bool:
        """Are two trees shown?"""
        return self.view == TREES and self.conductor.trees.result is not None

    @property
    def mapped(self) -> bool:
        """Is the map or the list of positions shown?"""
        return self.view in (MAP, LIST) and self.conductor.everywhere.result is not None

    @property
    def moves(self) -> list[Move]:
        compared = self.conductor.compared
        return [] if compared is None else compared.moves

    @property
    def move(self) -> Move | None:
        """The marked move; None on the agents' names."""
        moves, row = self.moves, self.place.row
        return moves[row] if 0 <= row < len(moves) else None

    @property
    def node(self) -> int:
        """The marked position of the map and the list; −1 for none."""
        return self._mapped.listed[self._at] if self._mapped is not None and self._mapped.listed else -1

    def _open(self, move: Move | None = None) -> None:
        """Show a new position; mark this move, else the first one."""
        row = self.moves.index(move) if move in self.moves else 0 if self.moves else HEAD
        self.place = Place(row, min(self.place.agent, max(0, len(self.conductor.agents) - 1)))
        self.show(self.view)

    def show(self, view: str) -> None:
        """Show this view, and start what it needs."""
        self.view = view
        if view == CURVE:
            self.conductor.find_curves()
        elif view == DEPTHS:
            self.conductor.by_depth.find()
        elif view == TREES:
            self.conductor.trees.find(self.place.agent)
        elif view in (MAP, LIST):
            self.conductor.everywhere.find(self.place.agent)
        self.draw()
        self._focus()

    def _focus(self) -> None:
        """Give the map or the list the keys while it is shown; else they are the screen's."""
        for name in (MAP, LIST):
            self.query_one(f"#{name}").can_focus = name == self.view
        self.set_focus(self.query_one(f"#{self.view}") if self.view in (MAP, LIST) else None)

    # Drawing.

    def panels(self) -> Iterator[tuple[str, Paint]]:
        conductor, view, stage = self.conductor, self.view, self.query_one("#stage")
        # Where there is room the answers follow the table, instead of a wide gap.
        needed = len(self.moves) + 4
        follows = view == TABLE and bool(self.moves)
        follows = follows and (self.has_class("-framed") or stage.size.height - needed > LEAST)
        self.query_one("#main").styles.max_height = needed if follows else None
        free = stage.size.height - needed - ANSWERS
        tall = follows and self.has_class("-framed") and free >= LEAST
        planted = tall and self.has_class("-huge") and len(conductor.trees.searches(self.place.agent)) == 2
        classes = {"-alone": view == DEPTHS, "-tall": tall, "-planted": planted, "-follows": follows}
        maps = {"-map": self.mapped and view == MAP, "-list": self.mapped and view == LIST}
        stage.update_classes(classes | maps)
        for name in ("main", "list"):
            self.query_one(f"#{name}", Panel).heading = HEADINGS[view]
        if tall:
            if not (conductor.working or conductor.over or conductor.curves):
                conductor.find_curves()
            yield "effort", curves(conductor, self.place.agent)
        if planted:
            if not (conductor.working or conductor.over):
                conductor.trees.show(self.place.agent)
            yield "trees", parts_view.trees(conductor.trees, conductor, walked=False)
        game, state, move, answers = conductor.game, conductor.state, self.move, compare_view.answers(conductor)
        if self.mapped:
            self._draw_positions()
            move = None
            state = self._mapped.atlas.state(self.node) if self._mapped is not None and self.node >= 0 else None
            answers = parts_view.counts(conductor.everywhere, self.node)
        elif view in (MAP, LIST):
            yield "main", parts_view.waiting(conductor.everywhere)
        elif view == CURVE:
            yield "main", curves(conductor, self.place.agent)
        elif view == DEPTHS:
            yield "main", parts_view.by_depth(conductor.by_depth)
        elif view == TREES:
            yield "main", parts_view.trees(conductor.trees, conductor)
            if (grown := conductor.trees.result) is not None:
                state, move = grown.state(conductor.trees.at), None
                answers = parts_view.differences(conductor.trees, conductor)
        else:
            yield "main", compare_view.table(conductor, self.place)
        yield "board", compare_view.board(game, state, move)
        yield "answers", answers

    def _draw_positions(self) -> None:
        everywhere, drawn = self.conductor.everywhere, self.query_one(PositionMap)
        assert everywhere.result is not None
        if everywhere.result is not self._mapped:
            self._mapped, self._at = everywhere.result, 0
            drawn.set_orders(everywhere.result.orders, self.node)
            drawn.show(*everywhere.result.compared.verdicts)
        self.query_one("#list", VirtualList).put(parts_view.rows(everywhere, self._at, self._go, self.choose))

    # The map and the list.

    def _stepped(self, node: int) -> None:
        """Mark the position under the map's cursor in the list, too."""
        if self._mapped is not None:
            self._at = self._mapped.listed.index(node)
            self.draw()

    def _go(self, place: int) -> None:
        self._at = place
        self.query_one(PositionMap).goto(self.node)
        self.draw()

    def on_position_map_picked(self, message: PositionMap.Picked) -> None:
        self.choose()

    def choose(self) -> None:
        """Open the marked position of the map or the list."""
        if self.node >= 0:
            self.conductor.open(self.node)
            self.view = TABLE
            self._open()

    # Actions.

    def go(self, down: int, across: int) -> None:
        """Mark another row or agent; in the trees, another line, or fold it."""
        trees = self.conductor.trees
        if self.planted:
            trees.fold(across > 0) if across else trees.go(down)
        else:
            self.place = self.place.moved(down, across, len(self.moves), len(self.conductor.agents))
        self.draw()

    def on_canvas_clicked(self, message: Panel.Clicked) -> None:
        """Mark the clicked move; a click on the marked one plays it."""
        move, _ = message.target
        if move != self.move:
            self.place = replace(self.place, row=self.moves.index(move))
            self.draw()
        else:
            self.enter()

    def part(self) -> None:
        """Go to where the best lines of two trees part."""
        if self.conductor.trees.part():
            self.draw()

    def enter(self) -> None:
        """Walk into the marked move, open a position, unfold a line; on the agents' names, change the agent."""
        if self.planted:
            self.conductor.trees.toggle()
            self.draw()
        elif self.view == LIST:
            self.choose()
        elif self.move is None:
            self.ask_agent()
        else:
            self.conductor.walk(self.move)
            self._open()

    def back(self) -> None:
        self._open(self.conductor.back())

    def leave(self) -> None:
        """Stop what runs; else return to the table, then go back in the game, then leave the screen."""
        if self.conductor.stop():
            self.draw()
        elif self.view != TABLE:
            self.show(TABLE)
        elif self.conductor.path:
            self.back()
        else:
            self.shell.action_go_back()

    def positions(self) -> None:
        """Show the map of all positions; from the map, the list; from the list, the map."""
        self.show(LIST if self.view == MAP and self.mapped else MAP)

    def ask_agent(self) -> None:
        setup = self.conductor.setup_here
        if setup is not None:
            self.app.push_screen(CompareForm(setup, agent_field(self.place.agent)), self._changed)

    def _changed(self, setup: CompareSetup | None) -> None:
        """Start the changed comparison in the view that is shown."""
        if setup is not None:
            self.start(replace(setup, view=self.view))

    @property
    def last(self) -> CompareSetup | None:
        return self.conductor.setup_here

    @property
    def exports(self) -> Mapping[str, str] | None:
        return suggested(self.conductor, self.view) if able(self.conductor, self.view) else None

    def export(self, path: Path) -> None:
        text = content(path.suffix.lower(), self.conductor, self.view)
        self.conductor.write(path, lambda progress: write_new(path, text(progress)))

    def copies(self) -> list[Copy]:
        """Return the position, the table of the agents as text, and the command of this comparison."""
        conductor, signs = self.conductor, self.shell.glyphs
        setup = conductor.setup_here
        if setup is None or conductor.game is None or conductor.state is None:
            return []
        copies = [Copy("position", conductor.game.position_name(conductor.state))]
        if conductor.compared is not None:
            painted = compare_view.table(conductor, self.place)(WIDEST, 1 + len(self.moves), signs)
            copies.append(Copy("table", "\n".join(plain_text(row).rstrip() for row in painted)))
        return [*copies, setup.command]

    # Commands.

    def possible(self, action: str, parameters: tuple[object, ...] = ()) -> Possible:
        started = self.conductor.setup is not None or action in ("new", "leave")
        return (started or absent("No comparison yet: N starts one")) and super().possible(action, parameters)

    def _can_enter(self) -> bool:
        listed = self.view == LIST and self._mapped is not None
        return listed or self.planted or (self.view == TABLE and not self.conductor.over)

    def _can_export(self) -> Possible:
        return able(self.conductor, self.view) or NotNow("Not all of this is there yet")

    ROWS: ClassVar[tuple[Command[ComparisonScreen], ...]] = (
        Command("enter", "enter", "walk", "Play, open, unfold; on a name, change the agent", enter, _can_enter),
        APPLY,
        UNTYPE,
        *filtering("positions", lambda s: s.mapped and s.view == LIST),
        Command("backspace", "back", "back", BACK, back, lambda s: bool(s.conductor.path), show=False),
        *family("go", go, ("up,k", "Row above", "", -1, 0), ("down,j", "Row below", "", 1, 0)),
        *family("go", go, ("left,h", "Agent to the left", "", 0, -1), ("right,l", "Agent to the right", "", 0, 1)),
        *family("go", go, ("pageup", "Page up", "", -10, 0), ("pagedown", "Page down", "", 10, 0)),
        *family("go", go, ("home", "First row", "", -ALL, 0), ("end", "Last row", "", ALL, 0)),
        Command("space", "pause", "pause", PAUSE, lambda s: s.work.pause_or_go_on(), lambda s: s.conductor.working),
        Command("escape", "leave", "back", "Stop; or return to the table, go back, leave", leave, show=False),
        _view_row("t", TABLE, "Show the moves as rows and the agents as columns"),
        _view_row("c", CURVE, "Show how each agent's choice changes with its effort"),
        _view_row("d", DEPTHS, "Show the nodes of searches to depth 1, 2, 3 …"),
        _view_row("s", TREES, "Show two search trees beside each other, and where they part"),
        Command("n", "part", "parting", PARTING, lambda s: s.part(), lambda s: s.planted, show=False),
        Command("m", "positions", "map", "Show the map of all positions, then the list: who is right where", positions),
        Command("a", "agent", "agent", "Change the marked agent", ask_agent),
        export_row("Export the table, the curves or all to a file", _can_export),
        new_row("comparison"),
    )

"""The keys of the Compare screen, when each is possible, and the F1 help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from nimtui.ui.compare.files import able

if TYPE_CHECKING:
    from nimtui.ui.compare.conductor import CompareConductor
    from nimtui.ui.compare.stage import CompareStage

MOVE = Binding.Group("go", compact=True)

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
    "wrong ×, undecided ○; ◐ stands for several positions, most of them right. + and − mark positions on which only "
    "one of the two is right: the first agent and the marked one, or the second. Enter opens a position.\n\n"
    "The left and right keys mark an agent, a changes it. On the agents' names, above the first move, Enter changes "
    "the agent too."
)

WALKING = (
    Binding("enter", "enter", "walk", tooltip="Play the marked move; on a name, change the agent"),
    Binding("backspace", "back", "back", show=False, tooltip="Go back to the position before"),
    Binding("up,k", "go(-1,0)", "Row above", show=False),
    Binding("down,j", "go(1,0)", "Row below", show=False),
    Binding("left,h", "go(0,-1)", "Agent to the left", show=False),
    Binding("right,l", "go(0,1)", "Agent to the right", show=False),
    Binding("pageup", "go(-10,0)", "Page up", show=False),
    Binding("pagedown", "go(10,0)", "Page down", show=False),
    Binding("home", "go(-10000,0)", "First row", show=False),
    Binding("end", "go(10000,0)", "Last row", show=False),
)
RUNNING = (
    Binding("space", "pause", "pause", tooltip="Pause or continue all agents"),
    Binding("escape", "leave", "back", show=False, tooltip="Stop; or return to the table, go back, leave"),
)
ALWAYS = (
    Binding("t", "view('table')", "table", tooltip="Show the moves as rows and the agents as columns"),
    Binding("c", "view('curve')", "curve", tooltip="Show how each agent's choice changes with its effort"),
    Binding("d", "view('depths')", "depths", tooltip="Show the nodes of searches to depth 1, 2, 3 …"),
    Binding("s", "view('trees')", "trees", tooltip="Show two search trees beside each other, and where they part"),
    Binding("n", "part", "parting", show=False, tooltip="Go to the first move on which the best lines part"),
    Binding("m", "positions", "map", tooltip="Show the map of all positions, then the list: who is right where"),
    Binding("a", "agent", "agent", tooltip="Change the marked agent"),
    Binding("e", "export", "export", tooltip="Export the table, the curves or all to a file"),
    Binding("N", "new", "new", tooltip="Start a new comparison"),
)


def possible(action: str, conductor: CompareConductor, stage: CompareStage) -> bool | None:
    """Return True if the action is possible, None if not now (dimmed), False if never here (hidden)."""
    if conductor.setup is None:
        return action in ("new", "leave")
    if action == "enter":
        return stage.listed or stage.planted or (stage.tabled and not conductor.over)
    if action == "part":
        return stage.planted
    if action == "back":
        return bool(conductor.path)
    if action == "pause":
        return conductor.working
    if action == "export":
        return able(conductor, stage.view) or None
    return True

"""The keys of the Search screen, when each is possible, and the F1 help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from nimtui.ui.kit.mode_screen import actions, going_to

if TYPE_CHECKING:
    from nimtui.ui.search.conductor import SearchConductor
    from nimtui.ui.search.stage import SearchStage

TIME = Binding.Group("event", compact=True)

HELP = (
    "A search looks ahead: it tries moves and answers to them, and backs values up from the leaves to the root.\n\n"
    "Tree: one line per searched position, with value, window and number of nodes. All numbers are those of the "
    "player to move at the root, who wants them high. ★ marks the best line. Next to the moves of the root stands "
    "their result in perfect play. ✗ marks a result that contradicts the search. With the "
    "document's heuristic (original), numbers are estimates: it does not see a win in one move.\n\n"
    "Window (α, β): α (alpha) is the value that the root player already has by an earlier move. β (beta) is the most "
    "that the opponent allows. Only values between the two matter. A better move of the root player raises α, a "
    "better answer of the opponent lowers β. The bars show the windows on the line to the marked node.\n\n"
    "Cutoff: when α reaches β, the other moves of the position are pruned. One answer has shown that a player has "
    "something better elsewhere and avoids this line. ✂ gives the pruned moves and the reason.\n\n"
    "Bound: the value of a node with pruned branches is not exact. ≤ −2 means −2 or less. Of equal values only the "
    "first is exact, so the search plays the first best move.\n\n"
    "Events: , and . step through the search, < and > go from cutoff to cutoff, Space plays the events. From the end, "
    "they start at the marked node. Home shows the first event, End the whole search. b compares "
    "agents on the marked position.\n\n"
    "Tree search (MCTS) has no windows. Each simulation has four phases. Select: follow the highest mean + bonus from "
    "the root; rarely visited nodes have a large bonus. Expand: add a new node. Play out: finish the game at random. "
    "Back up: add the result to every node on the line. Its numbers are those of the player "
    "who makes the move, at the root those of the player to move.\n\n"
    "While it searches, the tree grows on the screen: walk, fold and unfold in it. Nodes that are being searched say "
    "active. Space pauses, Esc stops. Events and filters need a search that stands still. c continues "
    "a stopped search. m searches on: 1,000 more simulations, or one ply deeper. o runs one more simulation. P runs a "
    "tree search that proves (proven=yes) until the root is proven or memory is full.\n\n"
    "Flat Monte Carlo has no tree, only playouts. In Nim without a limit, a move that leaves "
    "two rows of two or more matches wins half of its games, good or bad."
)

TYPING = going_to("node")
SEARCHING = (
    Binding("space", "pause", "pause", tooltip="Pause the search"),
    Binding("space", "resume", "continue", tooltip="Continue the paused search"),
    Binding("escape,backspace", "stop", "stop", tooltip="Stop the search and show what it found"),
)
MORE = (
    Binding("c", "go_on", "continue", tooltip="Continue the stopped search"),
    Binding("m", "more", "more", tooltip="Search on: 1,000 more simulations, or one ply deeper"),
    Binding("o", "more_of_one", "one more", show=False, tooltip="Run one more simulation of a tree search"),
    Binding("P", "prove", "prove", show=False, tooltip="Run a tree search until it proves the root"),
)
WAITING = (
    Binding(
        "comma,full_stop,less_than_sign,greater_than_sign,home,end,plus,equals_sign,minus,f,w,t,b,e,m,o,P",
        "wait",
        "pause first",
        show=False,
        key_display="",
        tooltip="While a search runs: needs a pause (space)",
    ),
)
WALKING = (
    Binding("space", "play", "play", tooltip="Play the events from here, or pause"),
    Binding("comma", "event(-1)", "Previous event", group=TIME, tooltip="Go to the previous event"),
    Binding("full_stop", "event(1)", "Next event", group=TIME, tooltip="Go to the next event"),
    Binding(
        "less_than_sign",
        "to_cut(-1)",
        "previous cutoff event",
        show=False,
        tooltip="Go back to the previous cutoff event",
    ),
    Binding(
        "greater_than_sign",
        "to_cut(1)",
        "next cutoff event",
        show=False,
        tooltip="Go on to the next cutoff event",
    ),
    Binding("plus,equals_sign", "pace(1)", "faster", show=False, tooltip="Play more events per step"),
    Binding("minus", "pace(-1)", "slower", show=False, tooltip="Play fewer events per step"),
    Binding("home", "edge(0)", "first event", show=False, tooltip="Go to the first event"),
    Binding("end", "edge(1)", "last event", show=False, tooltip="Go to the end: the whole search"),
    Binding("n", "next_cut(1)", "next cutoff", tooltip="Go to the next cutoff in the tree"),
    Binding("u", "next_cut(-1)", "previous cutoff", show=False, tooltip="Go to the previous cutoff in the tree"),
    Binding("p", "principal", "best line", tooltip="Show only the best line, or all"),
    Binding("f", "cuts", "only cutoffs", show=False, tooltip="Show only nodes with cutoffs, or all"),
    Binding("w", "wins", "only wins", show=False, tooltip="Show only positions won for the root player, or all"),
    Binding("escape", "all", "show all", show=False, tooltip="Show all nodes again"),
    *(
        Binding(str(ply), f"to_ply({ply})", "unfold to depth", show=False, tooltip="Unfold to this depth, 0 to 9")
        for ply in range(10)
    ),
    Binding("slash", "find", "find", tooltip="Find a node by its moves (b1 d1) or its position (1,1,3,4)"),
    Binding("t", "same", "same position", show=False, tooltip="Go to the next node with the same position"),
    Binding("r", "root", "search from here", show=False, tooltip="Start a new search from the marked position"),
)
ALWAYS = (
    Binding("b", "compare", "compare", tooltip="Compare agents on the marked position; nodes by depth"),
    Binding("e", "export", "export", show=False, tooltip="Save the tree to a file"),
    Binding("N", "new", "new", show=False, tooltip="Start a new search"),
)

BUSY, WALK, MORE_OF_IT = actions(SEARCHING), actions(WALKING), actions(MORE)
NEED_WINDOWS = {"next_cut", "cuts", "wins", "same"}
NEED_GROWTH = {"more_of_one", "prove"}
NEED_REST = {"play", "event", "to_cut", "pace", "edge", "cuts", "wins", "same"}  # a tree that stands still


def possible(action: str, conductor: SearchConductor, stage: SearchStage) -> bool | None:
    """Return True if the action is possible, None if not now (dimmed), False if never here (hidden)."""
    if action == "stop":
        return conductor.job is not None
    if action in BUSY:
        return conductor.paused if action == "resume" else conductor.running
    if action in WALK:
        if not stage.walking or (action == "play" and conductor.job is not None):
            return False
        if action in NEED_REST and conductor.found is None:
            return False
        if action == "all":
            return conductor.job is None and bool(stage.filter)
        return stage.windows or action not in NEED_WINDOWS
    if action == "wait":
        return stage.walking and conductor.found is None
    if action == "go_on":
        return conductor.stopped
    if action in MORE_OF_IT:
        resting = stage.walking and conductor.found is not None
        return resting and not (stage.windows and action in NEED_GROWTH)
    if action == "compare":
        return conductor.game is not None and not conductor.running
    if action == "export":
        return stage.walking and conductor.found is not None
    return True

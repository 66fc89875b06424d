"""The keys of the Search screen: what each does, which of them make sense at a moment, and what help says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from nimtui.ui.kit.mode_screen import actions

if TYPE_CHECKING:
    from nimtui.ui.search.conductor import SearchConductor
    from nimtui.ui.search.stage import SearchStage

TIME = Binding.Group("event", compact=True)

HELP = (
    "A search looks ahead: it tries moves, answers to them, answers to those, and carries values back. The tree shows "
    "every position it looked at; all numbers are those of the player to move at the root, who wants them high.\n\n"
    "α (alpha) is what that player is sure of already, by some move searched before. β (beta) is what the other player "
    "is sure to hold them to. Only values between the two matter: that is the window (α, β). At each of the player's "
    "own positions a better move raises α, at the other's a better answer lowers β.\n\n"
    "A cut: as soon as α reaches β, the rest of a position need not be looked at. One answer has shown that the line "
    "is no better than what is had elsewhere, so that nobody will go there. The moves left are marked as cut, with "
    "why.\n\n"
    "A bound: what is cut is not known exactly. ≤ −2 says: at most −2, perhaps less. Of equal values only the first "
    "is exact, so the search plays the first best move, marked with ★ like the answers that follow it.\n\n"
    "Beside the moves of the root stands what they lead to in perfect play; ✗ where the search says otherwise. With "
    "the original heuristic the numbers are guesses, and win or loss is not seen.\n\n"
    "Time: , and . go through the search event by event, < and > from cut to cut, Space plays it; from the end they "
    "begin at the marked node. The bars at the "
    "right are the windows on the line that is being searched. A letter b sets several ways beside each other.\n\n"
    "Tree search (MCTS) has no windows. Each simulation selects a way down by mean + bonus, the bonus being large "
    "where little was tried; expands a new node; plays out at random; and backs the result up. Its numbers are those "
    "of the player who makes the move. Flat Monte Carlo only plays out: on Nim every move then wins half of its games, "
    "whatever it is worth."
)

TYPING = (
    Binding("enter", "typed", "go there", key_display="⏎", tooltip="To the node that these moves lead to"),
    Binding("escape", "untype", "cancel", key_display="esc", tooltip="Forget what was typed"),
)
SEARCHING = (
    Binding("space", "pause", "hold, go on", key_display="space", tooltip="Hold the search, or let it go on"),
    Binding("escape,backspace", "stop", "stop", key_display="esc", tooltip="Stop it: what it has found is shown"),
)
WALKING = (
    Binding("space", "play", "play", key_display="space", tooltip="Play the search from here, or hold it"),
    Binding("comma", "event(-1)", "Event before", group=TIME, key_display=",", tooltip="The event before"),
    Binding("full_stop", "event(1)", "Next event", group=TIME, key_display=".", tooltip="The next event"),
    Binding(
        "less_than_sign", "to_cut(-1)", "cut before", show=False, key_display="<", tooltip="In time to the cut before"
    ),
    Binding(
        "greater_than_sign", "to_cut(1)", "cut after", show=False, key_display=">", tooltip="In time to the next cut"
    ),
    Binding("plus,equals_sign", "pace(1)", "faster", show=False, key_display="+", tooltip="Play more events at a time"),
    Binding("minus", "pace(-1)", "slower", show=False, key_display="-", tooltip="Play fewer events at a time"),
    Binding("home", "edge(0)", "begin", show=False, tooltip="To the first event"),
    Binding("end", "edge(1)", "end", show=False, tooltip="To the end: all that was searched"),
    Binding("n", "next_cut(1)", "next cut", tooltip="The next cut in the tree"),
    Binding("u", "next_cut(-1)", "cut before", show=False, tooltip="The cut before in the tree"),
    Binding("p", "principal", "principal", tooltip="Only the best line, or all again"),
    Binding("f", "cuts", "only cuts", show=False, tooltip="Only what has cuts, or all again"),
    Binding("w", "wins", "only wins", show=False, tooltip="Only what is won for the player at the root, or all again"),
    *(
        Binding(str(ply), f"to_ply({ply})", "to ply", show=False, tooltip="Unfold to this ply, 0 to 9")
        for ply in range(10)
    ),
    Binding(
        "slash", "find", "find", key_display="/", tooltip="Find a node by its moves, b1 d1, or by its position, 1,1,3,4"
    ),
    Binding("t", "same", "same position", show=False, tooltip="The next node of the same position"),
    Binding("r", "root", "search from here", show=False, tooltip="Search the marked position itself"),
)
ALWAYS = (
    Binding("b", "compare", "beside", tooltip="Several ways of searching beside each other, depth by depth"),
    Binding("e", "export", "export", show=False, tooltip="Write the tree or the comparison to a file"),
    Binding("N", "new", "new", show=False, key_display="N", tooltip="A new search"),
)

BUSY, WALK = actions(SEARCHING), actions(WALKING)
NEED_WINDOWS = {"next_cut", "cuts", "wins", "same"}


def possible(action: str, conductor: SearchConductor, stage: SearchStage) -> bool | None:
    """True: can be done; None: not now (dimmed); False: makes no sense here (left out)."""
    if action == "stop":
        return conductor.job is not None or conductor.comparing is not None
    if action in BUSY:
        return conductor.job is not None
    if action in WALK:
        if not stage.walking or stage.comparing or conductor.job is not None:
            return False
        return stage.windows or action not in NEED_WINDOWS
    if action == "compare":
        return conductor.game is not None and conductor.job is None
    if action == "export":
        return stage.walking or conductor.comparison is not None
    return True

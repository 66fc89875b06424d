"""The keys of the Train screen, and what F1 says about it."""

from __future__ import annotations

from textual.binding import Binding

from nimtui.ui.kit.mode_screen import actions
from nimtui.ui.train.conductor import TrainConductor

SPEED = Binding.Group("speed", compact=True)

HELP = (
    "A learner plays against itself, and after every game changes the scores of the moves it made. Here you see what "
    "becomes of its table, and how much of it is true: the app knows the exact value of every position.\n\n"
    "The map has a sign for every position. ● the best-scored move is right: it keeps what can be had. × it gives it "
    "away. ○ undecided: several moves share the best score, and only some are right. · nothing to win here: every move "
    "loses against perfect play. What changed within the last second stands out. Watch the signs turn from the end of "
    "the game backwards: a move can only be judged when what follows is known. o puts the positions into another order "
    "(matches left, nim-sum, number), z shows one position a cell.\n\n"
    "The curve has the number of games from left to right, each step ten times as many. Accuracy is the share of right "
    "moves among the best-scored ones, over all positions where there is something to win; at 100 % every position is "
    "played right. Unbeaten is how probably it does not lose to perfect play from the start, computed exactly.\n\n"
    "Why reward freezes below 100 %: it always plays the first move whose score is above zero. A good move found early "
    "is never compared with the others again, and positions it no longer comes to are never learned: it wins from the "
    "start all the same. The quality learner plays any move whose score is near enough to the best, so it goes on "
    "trying the others: with a margin of 90 nearly for ever, with 50 it gets stuck too. Proof carries the certainty of "
    "the last move backwards and needs the fewest games.\n\n"
    "The position under the cursor: each move with its score, how often it was played, ✓ where it is right in theory, "
    "and how its score came about. j and k mark a move, Enter follows it, Backspace goes back. At one or two games a "
    "second, and with the full stop, the game is shown move by move, and at its end what it taught.\n\n"
    "A training goes on while you play or look elsewhere. It is saved every ten seconds, when you hold it and when it "
    "stops. A saved one (r) is opened as it was kept, and held. Beyond its goal it goes on in a new file: the finished "
    "table stays. S leads to the sweep, which tries the constants of a learner against each other."
)

TYPING = (
    Binding("enter", "typed", "go there", key_display="⏎", tooltip="To the position that was typed"),
    Binding("escape", "untype", "cancel", key_display="esc", tooltip="Forget what was typed"),
)
ASKING = (
    Binding("y,enter", "reset_now", "begin anew", key_display="y", tooltip="Forget the table and begin anew"),
    Binding("escape,backspace,n", "keep", "keep it", key_display="esc", tooltip="Go on with this table"),
)
TRAINING = (
    Binding("space", "pause", "pause", key_display="space", tooltip="Hold the training"),
    Binding("space", "go_on", "go on", key_display="space", tooltip="Let it go on"),
    Binding("space", "go_further", "further", key_display="space", tooltip="Beyond its goal, in a new file"),
    Binding("full_stop", "games(1)", "one game", key_display=".", tooltip="One game, move by move, then hold"),
    Binding("colon", "games(10)", "ten games", show=False, key_display=":", tooltip="Ten games, then hold"),
    Binding("plus,equals_sign", "speed(1)", "Faster", group=SPEED, key_display="+", tooltip="Faster"),
    Binding("minus", "speed(-1)", "Slower", group=SPEED, key_display="-", tooltip="Slower"),
    Binding("n", "to_change", "change", tooltip="To the next change of a best move, wherever it is"),
    Binding("x", "wrong", "wrong", tooltip="The next position that it plays wrong, or has not decided"),
    Binding("l", "list", "list", tooltip="All positions below each other; s sorts them"),
    Binding("escape", "close_list", "map", show=False, key_display="esc", tooltip="From the list back to the map"),
    Binding("p", "play", "play", tooltip="Play against the table as it is now; F3 comes back"),
    Binding("N", "new", "new", key_display="N", tooltip="A new training"),
    Binding("o", "order", "order", show=False, tooltip="Another order of the positions"),
    Binding("g", "goto", "go to", show=False, tooltip="Type a position to go to"),
    Binding("j", "mark(1)", "next move", show=False, tooltip="Mark the next move of the position"),
    Binding("k", "mark(-1)", "move before", show=False, tooltip="Mark the move before"),
    Binding("enter", "follow", "follow", show=False, key_display="⏎", tooltip="Follow the marked move"),
    Binding("backspace", "back", "back", show=False, tooltip="Back to the position before"),
    Binding("c", "checkpoint", "save", show=False, tooltip="Save the training now"),
    Binding("r", "runs", "saved runs", show=False, tooltip="Open a training that was saved"),
    Binding(
        "S",
        "app.mode('sweep')",
        "sweep",
        show=False,
        key_display="S",
        tooltip="Sweep: try parameters against each other",
    ),
    Binding("R", "reset", "reset", show=False, key_display="R", tooltip="Begin anew with the same settings"),
)

ASKED = actions(ASKING)
ALWAYS = {"new", "runs", "app.mode"}
NEED_VIEW = {"wrong", "list", "play", "order", "goto", "mark", "follow", "back", "to_change"}


def possible(action: str, conductor: TrainConductor, asking: bool, seen: bool) -> bool | None:
    """True: can be done; None: not now (dimmed); False: makes no sense here (left out). `seen`: there is a picture."""
    if asking or action in ASKED:
        return asking and action in ASKED
    if action in ALWAYS:
        return True
    if not conductor.lanes:
        return False
    if action in ("pause", "go_on", "go_further"):
        state = "go_further" if conductor.ended else "pause" if conductor.going else "go_on"
        return action == state
    if action in NEED_VIEW:
        return True if seen else None
    return True

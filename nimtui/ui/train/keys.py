"""The keys of the Train screen and its F1 help."""

from __future__ import annotations

from textual.binding import Binding

from nimtui.ui.kit.mode_screen import actions, going_to
from nimtui.ui.train.conductor import TrainConductor

SPEED = Binding.Group("speed", compact=True)

HELP = (
    "A learner plays against itself. After every game it changes the scores of the moves it made. The app knows the "
    "exact value of every position. This screen shows how much of the learner's table is right.\n\n"
    "Curve: the number of games runs from left to right, on a log scale. Accuracy is the share of right moves among "
    "the best-scored moves. Lost positions do not count. At 100 % every best move is right. Unbeaten is the exact "
    "probability that these moves do not lose to perfect play from the start.\n\n"
    "Position under the cursor: each move has its score and how often it was played. ✓ marks a right move. The small "
    "graph is the history of the score from the first game on; ─ has never changed. Bars are on a log scale. j and k "
    "mark a move, Enter follows it, Backspace goes back. Press . to watch one game move by move, and then what "
    "changed in the table. At one or two games per second you see every game this way.\n\n"
    "Map: every position has a sign. ● right: the best-scored move keeps the value of the position. × wrong: it is a "
    "mistake. ○ undecided: several moves share the best score, and only some are right. · lost: every move loses. "
    "◐ stands for several positions, most of them right. Where no score is above 0, the reward learner draws among "
    "all moves: the position under the cursor says so. "
    "Signs that changed within the last second stand out. Learning spreads from the end of the game backwards, "
    "because a move is judged by the positions after it. o sorts the map by matches left, nim-sum or number. z shows "
    "one position per cell.\n\n"
    "Why the reward learner freezes below 100 %: if the best score is above zero, it plays that move, the first of "
    "equals. It never tries the others again, and it never learns positions that it no longer reaches. It still wins "
    "from the start. The quality learner plays any move whose score is near the best, so it continues to try other "
    "moves. With a margin of 90 it does so nearly for ever; with 50 it gets stuck too. The proof learner carries "
    "proven results back from the last move and needs the fewest games.\n\n"
    "p plays against the table from the start, P from the position under the cursor. "
    "The training continues while you play or use another screen. It is saved every ten seconds, when you pause it "
    "and when it stops. r opens a saved training, paused. Training past the goal uses a new file, so the finished "
    "table stays. S opens the sweep, which compares settings of a learner."
)

TYPING = going_to("position")
ASKING = (
    Binding("y,enter", "reset_now", "start over", tooltip="Discard the table and start over"),
    Binding("escape,backspace,n", "keep", "keep it", tooltip="Keep this table"),
)
TRAINING = (
    Binding("space", "pause", "pause", tooltip="Pause the training"),
    Binding("space", "go_on", "continue", tooltip="Continue the training"),
    Binding("space", "go_further", "continue", tooltip="Train past the goal (new file)"),
    Binding("full_stop", "games(1)", "one game", tooltip="Play one game move by move, then pause"),
    Binding("colon", "games(10)", "ten games", show=False, tooltip="Play ten games, then pause"),
    Binding("plus,equals_sign", "speed(1)", "Faster", group=SPEED, tooltip="Train faster"),
    Binding("minus", "speed(-1)", "Slower", group=SPEED, tooltip="Train slower"),
    Binding("n", "to_change", "next change", tooltip="Run until a best move changes, show that game, and go there"),
    Binding("x", "wrong", "next wrong", tooltip="Go to the next position that is wrong or undecided"),
    Binding("l", "list", "list", tooltip="List all positions; s sorts them"),
    Binding("escape", "close_list", "map", show=False, tooltip="Return from the list to the map"),
    Binding("p", "play", "play", tooltip="Play against the current table; F3 returns here"),
    Binding(
        "P",
        "play_here",
        "play here",
        show=False,
        tooltip="Play the position under the cursor: the table moves first",
    ),
    Binding("N", "new", "new", tooltip="Start a new training"),
    Binding("o", "order", "order", show=False, tooltip="Sort the map in another order"),
    Binding("g", "goto", "go to", show=False, tooltip="Type a position to go to"),
    Binding("j", "mark(1)", "next move", show=False, tooltip="Mark the next move"),
    Binding("k", "mark(-1)", "previous move", show=False, tooltip="Mark the previous move"),
    Binding("enter", "follow", "follow", show=False, tooltip="Follow the marked move"),
    Binding("backspace", "back", "back", show=False, tooltip="Return to the previous position"),
    Binding("c", "checkpoint", "save", show=False, tooltip="Save the training now"),
    Binding("r", "runs", "saved runs", show=False, tooltip="Open a saved training"),
    Binding("S", "app.mode('sweep')", "sweep", show=False, tooltip="Sweep: compare settings of a learner"),
    Binding("R", "reset", "reset", show=False, tooltip="Start over with the same settings"),
)

ASKED = actions(ASKING)
ALWAYS = {"new", "runs", "app.mode"}
NEED_VIEW = {"wrong", "list", "play", "play_here", "order", "goto", "mark", "follow", "back", "to_change"}


def possible(action: str, conductor: TrainConductor, asking: bool, seen: bool) -> bool | None:
    """Return True if the action is possible, None if not now (dimmed), False if never here (hidden).

    `seen`: the map is drawn.
    """
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

"""The F1 help of the Compare screen."""

from __future__ import annotations

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

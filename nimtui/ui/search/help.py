"""The F1 help of the Search screen."""

from __future__ import annotations

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

ABOUT = {  # what each command does, for F1 and the palette
    "play": "Play the events from here, or pause",
    "event(-1)": "Go to the previous event",
    "event(1)": "Go to the next event",
    "to_cut(-1)": "Go back to the previous cutoff event",
    "to_cut(1)": "Go on to the next cutoff event",
    "pace(1)": "Play more events per step",
    "pace(-1)": "Play fewer events per step",
    "edge(0)": "Go to the first event",
    "edge(1)": "Go to the end: the whole search",
    "next_cut(1)": "Go to the next cutoff in the tree",
    "next_cut(-1)": "Go to the previous cutoff in the tree",
    "principal": "Show only the best line, or all",
    "cuts": "Show only nodes with cutoffs, or all",
    "wins": "Show only positions won for the root player, or all",
    "all": "Show all nodes again",
    "find": "Find a node by its moves (b1 d1) or its position (1,1,3,4)",
    "same": "Go to the next node with the same position",
    "root": "Start a new search from the marked position",
    "compare": "Compare agents on the marked position; nodes by depth",
    "export": "Save the tree to a file",
    "new": "Start a new search",
    "pause": "Pause the search",
    "resume": "Continue the paused search",
    "stop": "Stop the search and show what it found",
    "go_on": "Continue the stopped search",
    "more": "Search on: 1,000 more simulations, or one ply deeper",
    "more_of_one": "Run one more simulation of a tree search",
    "prove": "Run a tree search until it proves the root",
    "wait": "While a search runs: needs a pause (space)",
    "to_ply": "Unfold to this depth, 0 to 9",
}

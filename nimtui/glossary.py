"""The terms of nimtui, each with one meaning: shown by `nimtui words`, by F1, and in docs/glossary.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from nimtui.errors import InputError, did_you_mean, shortened


class Term(NamedTuple):
    """A term and what it means here."""

    name: str
    meaning: str
    also: tuple[str, ...] = ()  # other names of the same thing

    @property
    def heading(self) -> str:
        """The name with the others behind it: 'MCTS (Monte Carlo tree search)'."""
        return f"{self.name} ({', '.join(self.also)})" if self.also else self.name


TERMS = (
    Term(
        "accuracy", "The share of a table's best-scored moves that keep the outcome, averaged over positions not lost."
    ),
    Term("agent", "A program that chooses moves: random, perfect, a search, or a learned table."),
    Term("alpha-beta", "Minimax that skips branches which cannot change the result. It finds the same value."),
    Term("anchor", "An agent with a given rating, from which all other ratings are counted."),
    Term("balanced openings", "Random first moves, half of them leading to won and half to lost positions."),
    Term(
        "belief",
        "What an agent thinks its move is worth: an expected result from −1 to 1, an exact value, or a score in its own"
        " unit.",
    ),
    Term("checkpoint", "A saved state of a training, from which it can resume without a difference."),
    Term("cutoff", "The point where alpha-beta stops examining a node, because β ≤ α.", ("pruned branch",)),
    Term("depth", "How many plies a search looks ahead."),
    Term("discount", "What is left of a value one ply earlier, γ. Below 1, early wins are worth more."),
    Term("draw", "A game without a winner. It counts as half a point."),
    Term("Elo", "A scale of playing strength. A difference of 191 means 75 % of the points."),
    Term("epsilon", "The probability of a random move during training. It makes a learner explore."),
    Term("event", "One step of a recorded search: a node is entered, gets a value, or is cut off."),
    Term("exact value", "The outcome of a position under perfect play by both players.", ("solved value", "truth")),
    Term("exploration", "Trying moves that do not look best, to learn more about them."),
    Term("flat Monte Carlo", "Rates each move by random playouts from the position after it.", ("mc",)),
    Term("gauntlet", "A tournament in which one agent plays against each of the others."),
    Term("goodness of fit", "A test whether the ratings and the seat explain all results of a tournament."),
    Term("greedy", "Always playing the move with the highest score."),
    Term(
        "group",
        "A power of 2 in the binary number that a row or run counts as: 7 is a group of 4, one of 2 and one of 1.",
    ),
    Term("Grundy value", "A number that stands for a position in normal play: 0 means the player to move loses."),
    Term("heuristic", "An estimate of a position's value, used where a search stops before the end of the game."),
    Term("hint", "A best move, shown on request. Of an unsolved position, the move that does best in random games."),
    Term("impartial", "Said of a game in which both players have the same moves, such as Nim."),
    Term("interval", "The range that contains the true value with 95 % confidence.", ("95 % interval",)),
    Term("iterative deepening", "Searching one ply deep, then two, and so on, each time with the best moves first."),
    Term("kept tree", "The nodes that a search visited, recorded in memory up to a limit. It grows with every node."),
    Term("kernel", "A part of the engine that is compiled, once for each kind of game, and stored for the next start."),
    Term("killer move", "A move that caused a cutoff at the same depth. Alpha-beta tries it early."),
    Term("learner", "A method that improves a table of scores by self-play."),
    Term("lesson", "A game that a person lets a learned opponent learn from. Each makes a new version of its table."),
    Term("logistic Elo", "An Elo difference computed from the score alone: 400 log10(s / (1 − s))."),
    Term("LOS", "The probability that an agent is stronger than another.", ("likelihood of superiority",)),
    Term("margin", "How far below the best score a move may lie and still be played by the quality learner."),
    Term("match", "A series of games between two agents. In Nim a match is also one of the sticks in a row."),
    Term(
        "MCTS",
        "Builds a search tree by simulations, and plays the move visited most. A proven win goes first, a proven loss"
        " last.",
        ("Monte Carlo tree search",),
    ),
    Term("minimax", "A search that assumes the best move by both players, and examines every branch."),
    Term("misère", "The rule that whoever takes the last match loses. Otherwise the last match wins: normal play."),
    Term(
        "misère quotient",
        "A finite monoid that decides misère sums of heaps: each sum is one element, and some elements are lost.",
    ),
    Term("mistake", "A move that worsens the outcome: from a win to a draw or a loss, or from a draw to a loss."),
    Term("N-position", "A position that the player to move wins. N stands for next."),
    Term("negamax", "Minimax with one rule for both players: a position's value is minus the opponent's value."),
    Term(
        "nim-sum",
        "The values of rows or runs added in binary without carrying: in Nim the row sizes, in Kayles the"
        " Grundy values. In normal play 0 means: the player to move loses.",
    ),
    Term(
        "node",
        "A position in a search tree. The search starts at the root; a leaf has no successors.",
        ("root", "leaf"),
    ),
    Term("normalised Elo", "An Elo difference measured in standard deviations of a game: 347.4 (s − 1/2) / σ."),
    Term("opening", "The first moves of a game, played for both agents before they take over."),
    Term("outcome", "Win, draw or loss for the player to move."),
    Term("P-position", "A position that the player to move loses. P stands for previous."),
    Term("pairing", "Two agents that play each other in a tournament, on one game."),
    Term("payoff", "The number with which some games end: what the player who moved last gets from the opponent."),
    Term("pentanomial", "The five counts of game pairs: with 0, ½, 1, 1½ and 2 points for one side."),
    Term("perfect play", "Play that never worsens the outcome."),
    Term("period", "The distance at which the values of rows of 0, 1, 2, … matches repeat, from some row on."),
    Term("playout", "One random game from a position to its end.", ("random game",)),
    Term("ply", "One move by one player."),
    Term("policy", "How moves are chosen during a playout or a training."),
    Term("pool", "Several tournaments whose agents are rated together, as if they were one."),
    Term("position", "A state of the game: what lies on the board, and whose turn it is."),
    Term("preset", "A ready set-up of a game, a training, a search or a tournament."),
    Term("principal variation", "The line of play that a search considers best for both players.", ("best line",)),
    Term("prior", "Half a drawn game per agent, added before rating, so that every rating is finite."),
    Term("Q-learning", "A learner that scores a move by the negative of the opponent's best reply."),
    Term("remoteness", "The plies to the end: the winner wins as soon, and the loser loses as late as possible."),
    Term("reward", "What a learner adds to a move's score after a won game, or takes from it after a lost one."),
    Term("round-robin", "A tournament in which every agent plays every other."),
    Term("score", "In a table: how good a move seems. In a tournament: the share of the points."),
    Term("seat", "First or second: who makes the first move."),
    Term("seed", "The number that fixes all random choices. Without a clock, the same seed gives the same result."),
    Term("self-play", "Games of a learner against itself."),
    Term("simulation", "One round of MCTS: select a node, expand it, play out, and update the statistics."),
    Term("SPRT", "A sequential test. It ends a match as soon as one of two hypotheses is accepted."),
    Term("stack", "The plies of the line that a search examines, one frame each. It grows with the depth only."),
    Term("standings", "The table of a tournament's agents, the best one first."),
    Term("strength", "How well an agent plays, in Elo."),
    Term("sweep", "Trainings with every combination of some parameters, several seeds each."),
    Term("table", "The scores that a learner has found for every move of every position."),
    Term("temporal difference", "How much a position's value differs from that of the position after the next move."),
    Term("threat", "A cell where a player completes a line with the next disc, unless the opponent blocks it."),
    Term(
        "transposition table", "A memory of searched positions. It saves searching them again, as far as it has room."
    ),
    Term("turning point", "The last mistake of a game: it decided the result."),
    Term("UCB", "The formula by which MCTS weighs a move's mean result against how rarely it was tried.", ("UCT",)),
    Term(
        "unbeaten",
        "The probability that a table's best-scored moves do not lose to perfect play: in the favoured seat, or the"
        " mean of both seats if the start is a draw.",
    ),
    Term("undecided", "A position in which only some of a table's best-scored moves keep the outcome."),
    Term("value history", "A picture of a game: its value after each move, and what each player believed of the move."),
    Term("weight", "The number of equal games of training that a lesson counts as."),
    Term("Wilson interval", "The 95 % interval of a score. After 4 wins in 4 games it is 51.0–100 %.", ("Wilson",)),
    Term("window", "The range (α, β) in which a value matters to alpha-beta.", ("α and β",)),
    Term("zugzwang", "A position in which every move is a disadvantage: whoever need not move is better off."),
)


def find(word: str) -> Term:
    """Return the term of this name, in any spelling of its letters.

    InputError where there is none, with the nearest name.
    """
    wanted = word.strip().casefold()
    names = {name.casefold(): term for term in TERMS for name in (term.name, *term.also)}
    if wanted in names:
        return names[wanted]
    raise InputError(f"unknown term '{shortened(word)}'{did_you_mean(wanted, names)} ('nimtui words' lists all terms)")


def meanings(names: Sequence[str], here: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return these terms with what each means; `here` gives what it means in one game, '' for the general meaning."""
    return [(name, here(name) or find(name).meaning) for name in names]


def markdown(terms: Sequence[Term] = TERMS) -> str:
    """Return the glossary as a page of docs/."""
    lines = [f"**{term.heading}** — {term.meaning}\n" for term in terms]
    return "\n".join(["# Glossary\n", "`nimtui words` and F1 in the app show this list.\n", *lines])

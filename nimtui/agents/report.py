"""What `moves` tells: how an agent rates every move of a position, and which of them are right."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nimtui.agents.agent import Decision, Thought
from nimtui.agents.program import called
from nimtui.games import base
from nimtui.games.base import Move
from nimtui.games.rule_text import Place
from nimtui.report.blocks import Block, Column, Figure, Figures, Gap, Heading, Report, Sentence, Table
from nimtui.report.values import NOTHING, Count, Duration, Keys, Number, Result, Score, Value, Word, known
from nimtui.theory.answers import MoveValue
from nimtui.theory.report import Decided, bounded, truth, truth_keys, verdict
from nimtui.trees.report import pace

NUMBERS: dict[str, type[Number]] = {
    "wins": Count,
    "losses": Count,
    "draws": Count,
    "low": Result,
    "high": Result,
    "visits": Count,
    "mean": Result,
    "ucb": Result,
}


def rated(place: Place, agent: str, decision: Decision, truths: Mapping[Move, MoveValue] | None) -> Report:
    """Return the report of every legal move with the agent's numbers, the best first; `truths`: None if unknown."""
    best, rate = place.move(decision.move), decision.nodes_per_second
    facts = {
        **place.keys,
        "agent": agent,
        "best_move": best,
        "note": decision.note,
        "seconds": decision.seconds,
        "nodes": decision.nodes,
        "nodes_per_second": None if rate is None else round(rate),
    }
    blocks: list[Block] = [
        Heading(f"{place.game.name}  {place.line}"),
        Sentence(f"{called(agent)} plays {best}  ({Duration(decision.seconds)})", facts),
        Gap(),
        moves(place, decision, truths),
    ]
    if decision.nodes is not None:
        blocks += [Gap(), Figures([Figure("nodes", Count(decision.nodes)), pace(rate)])]
    if decision.note:
        blocks += [Gap(), Sentence(decision.note)]
    return Report(blocks)


def moves(place: Place, decision: Decision, truths: Mapping[Move, MoveValue] | None) -> Table:
    """Return a row for each move: what the agent knows of it, and its exact value."""

    def number(key: str) -> Callable[[Thought], Value]:
        return lambda thought: known(NUMBERS[key], getattr(thought, key))

    def exact(thought: Thought) -> MoveValue | None:
        return None if truths is None else truths[thought.move]

    def bound_keys(thought: Thought) -> Keys:
        return Keys({key: value for key in ("score", "bound") if (value := getattr(thought, key)) is not None})

    thoughts = decision.thoughts
    largest = int(base.largest_payoff(place.state))

    def value(thought: Thought) -> float | None:
        return thought.value * largest if largest and thought.value is not None else thought.value

    columns = [
        Column("move", lambda thought: Word(place.move(thought.move)), "move", left=True),
        Column("", lambda thought: Word("plays" if thought.move == decision.move else ""), left=True, joined=True),
    ]
    for key in NUMBERS:
        numbers = [getattr(thought, key) for thought in thoughts]
        has_numbers = any(numbers) or (key != "draws" and any(number is not None for number in numbers))
        columns.append(Column(key if has_numbers else None, number(key), key))
    scored = any(thought.score is not None for thought in thoughts)
    valued = any(thought.value is not None for thought in thoughts)
    columns += [
        Column("score" if scored else None, score_of),
        Column(None, bound_keys, "score"),
        Column("value" if valued else None, lambda thought: known(Score if largest else Result, value(thought))),
        Column(None, lambda thought: Keys({"value": value(thought), **truth_keys(exact(thought))}), "value"),
        Column("truth", lambda thought: Word(verdict(exact(thought), truths)), left=True),
        Column("", lambda thought: NOTHING if truths is None else truth(exact(thought)), left=True),
    ]
    return Table("moves", columns, thoughts, lambda thought: thought.move, rank=rank)


def score_of(thought: Thought) -> Value:
    """Return the score of a move in a table or a search, with its bound: '≤ −2'."""
    if thought.score is None:
        return NOTHING
    if thought.bound is None:
        return Score(thought.score)
    return bounded(Decided(thought.score, thought.largest > 0), thought.bound)


def rank(thought: Thought) -> tuple[float, float]:
    """Return what the agent prefers: the higher, the better."""
    value, score = thought.value, thought.score
    if score is not None and thought.bound is not None:  # alpha-beta: its scores include decided games
        return (score, thought.bound == "exact")
    return (-2.0 if value is None else value, 0.0 if score is None else score)

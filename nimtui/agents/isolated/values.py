"""Encodes and decodes agents' answers as plain values; describes an invalid answer in one line."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from nimtui.agents.agent import Decision, Thinking, Thought, short_text
from nimtui.engine.policy import Policy
from nimtui.games import base
from nimtui.games.base import Move, State

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph

LONGEST = 200  # characters of a name
LONGEST_NOTE = 2_000
MOST_THOUGHTS = 100_000  # a game has fewer moves
LONGEST_LINE = 500  # moves
LONGEST_UNIT = 20  # characters
MOST = 2**62  # of whole numbers
WHOLE = ("wins", "losses", "draws", "visits")  # of a Thought
REAL = ("value", "low", "high", "score", "mean", "ucb")
WHOLE_OF_THINKING = ("move", "done", "depth", "table_hits", "searching")
REAL_OF_THINKING = ("per_second", "seconds")
BOUNDS = (EXACT := "exact", "upper", "lower")
NAMES = {"ptr": np.int64, "edges": np.int64, "casual": np.bool_}  # of a Policy


class WrongAnswer(Exception):
    """An answer is invalid. The message follows the agent's name in a line."""


# In the agent's process.


def description(agent: Any) -> dict[str, Any]:
    """Return the agent's name, title and readiness. Raises WrongAnswer if one is missing."""
    incomplete = "is not an agent: {} lacks a name, a title or ready"
    return {
        "name": _words(attribute(agent, "name", incomplete), "its name"),
        "title": _words(attribute(agent, "title", incomplete), "its title"),
        "ready": bool(attribute(agent, "ready", incomplete)),
    }


def move(value: object) -> int:
    """Return a move as a number, legal or not. Raises WrongAnswer for anything else."""
    number = _index(value, "played {}, which is not a move")
    if not -(2**63) <= number < 2**63:
        raise WrongAnswer(f"played {short_text(value)}, which is not legal")
    return number


def encode_decision(decision: object) -> dict[str, Any]:
    """Return a decision as plain values: move, thoughts, note and seconds."""
    if not isinstance(decision, Decision):
        raise WrongAnswer(f"decided {short_text(decision)}, which is not a Decision")
    thoughts = _thoughts(decision.thoughts)
    if not isinstance(decision.note, str):
        raise WrongAnswer(f"has a note that is not text: {short_text(decision.note)}")
    return {
        "move": move(decision.move),
        "thoughts": [_of_thought(thought) for thought in thoughts],
        "note": decision.note[:LONGEST_NOTE],
        "seconds": _real(decision.seconds, "the seconds of its decision"),
    }


def encode_thinking(thinking: object) -> dict[str, Any]:
    """Return what an agent believes so far as plain values. Raises WrongAnswer."""
    if not isinstance(thinking, Thinking):
        raise WrongAnswer(f"thinks {short_text(thinking)}, which is not a Thinking")
    thoughts, line = _thoughts(thinking.thoughts), thinking.line
    if not isinstance(line, Sequence):
        raise WrongAnswer(f"expects a line that is not a sequence of moves: {short_text(line)}")
    if not isinstance(thinking.unit, str) or len(thinking.unit) > LONGEST_UNIT:
        raise WrongAnswer(f"counts {short_text(thinking.unit)}, which is not a short name of a unit")
    fields: dict[str, Any] = {
        "thoughts": [_of_thought(thought) for thought in thoughts],
        "line": [move(each) for each in line[:LONGEST_LINE]],
        "unit": thinking.unit,
    }
    return fields | _numbers(thinking, WHOLE_OF_THINKING, REAL_OF_THINKING, "its thinking")


def encode_policy(policy: object) -> dict[str, str] | None:
    """Return a policy's arrays as base64."""
    if policy is None:
        return None
    if not isinstance(policy, Policy):
        raise WrongAnswer(f"has a policy that is not a Policy: {short_text(policy)}")
    arrays = {}
    for name, kind in NAMES.items():
        array = np.asarray(getattr(policy, name))
        if array.ndim != 1 or array.dtype.kind not in ("b" if kind is np.bool_ else "iu"):
            raise WrongAnswer(f"has a policy with a wrong {name}: {short_text(array)}")
        arrays[name] = b64encode(array.astype(kind).tobytes()).decode("ascii")
    return arrays


def _thoughts(thoughts: object) -> Sequence[Thought]:
    if isinstance(thoughts, Sequence) and len(thoughts) > MOST_THOUGHTS:
        raise WrongAnswer(f"has {len(thoughts):,} thoughts; {MOST_THOUGHTS:,} are allowed")
    if not isinstance(thoughts, Sequence) or not all(isinstance(thought, Thought) for thought in thoughts):
        raise WrongAnswer(f"has thoughts that are not Thoughts: {short_text(thoughts)}")
    return thoughts


def _of_thought(thought: Thought) -> dict[str, Any]:
    fields: dict[str, Any] = {"move": _index(thought.move, "thinks of {}, which is not a move")}
    fields |= _numbers(thought, WHOLE, REAL, "a move")
    if thought.bound is not None:
        if thought.bound not in BOUNDS:
            raise WrongAnswer(
                f"thinks of a move with the bound {short_text(thought.bound)}, not one of {', '.join(BOUNDS)}"
            )
        fields["bound"] = thought.bound
    return fields


def _numbers(one: Thought | Thinking, whole: Iterable[str], real: Iterable[str], what: str) -> dict[str, float | int]:
    """Return those of its numbers that it has. Raises WrongAnswer."""
    fields: dict[str, float | int] = {}
    for name in whole:
        if (value := getattr(one, name)) is not None:
            fields[name] = _index(value, f"says for the {name} of {what} {{}}, which is not a whole number")
    for name in real:
        if (value := getattr(one, name)) is not None:
            fields[name] = _real(value, f"the {name} of {what}")
    return fields


def attribute(whole: Any, name: str, wrong: str) -> Any:
    """Return this attribute. Raises WrongAnswer with the object in the place of {}."""
    try:
        return getattr(whole, name)
    except AttributeError:
        raise WrongAnswer(wrong.format(short_text(whole))) from None


def _index(value: Any, wrong: str) -> int:
    """Return a whole number. Raises WrongAnswer with the object in the place of {} for anything else."""
    try:
        return index(value)
    except Exception:  # noqa: BLE001 - whatever its `__index__` raises
        raise WrongAnswer(wrong.format(short_text(value))) from None


def _words(value: object, what: str) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > LONGEST:
        raise WrongAnswer(f"says for {what} {short_text(value)}, which is not a line of text")
    return value


def _real(value: Any, what: str) -> float | int:
    """Return the same number; a whole number stays whole. Raises WrongAnswer for anything else."""
    if isinstance(value, str):
        raise WrongAnswer(f"says for {what} {short_text(value)}, which is not a number")
    try:
        number = float(value)
        whole = index(value) if hasattr(value, "__index__") else None
    except Exception:  # noqa: BLE001 - whatever its `__float__` raises
        raise WrongAnswer(f"says for {what} {short_text(value)}, which is not a number") from None
    if not isfinite(number):
        raise WrongAnswer(f"says for {what} {number}, which is not a finite number")
    return number if whole is None else int(whole)


# In the main process. The agent may have changed the code that checked the answer there, so it is checked again.


def decode_decision(answer: Any, state: State, seconds: float) -> Decision:
    """Return the decision, with one thought per legal move in order. Raises WrongAnswer or ValueError."""
    thoughts, note, own_seconds = _decoded_thoughts(answer, state), answer["note"], answer["seconds"]
    return Decision(
        decode_move(answer["move"], state),
        tuple(thoughts.get(move, Thought(move)) for move in base.legal_moves(state)),
        note if isinstance(note, str) else "",
        float(own_seconds) if isinstance(own_seconds, int | float) and own_seconds > 0 else seconds,
    )


def decode_thinking(answer: Any, state: State) -> Thinking:
    """Return what the agent believes so far, the thoughts in the order of the moves. Raises WrongAnswer or ValueError.

    The expected line ends before its first illegal move.
    """
    numbers = _decoded_numbers(answer, WHOLE_OF_THINKING, REAL_OF_THINKING)
    thoughts = _decoded_thoughts(answer, state, *(numbers[name] for name in ("move", "searching") if name in numbers))
    whole = {name: numbers[name] for name in WHOLE_OF_THINKING if name in numbers}
    if any(not 0 <= number < MOST for number in whole.values()):
        raise WrongAnswer(f"says a number that is too large, or below 0, in its thinking: {whole}"[:LONGEST])
    unit = answer["unit"]
    if not isinstance(unit, str) or not unit.isprintable() or len(unit) > LONGEST_UNIT:
        raise ValueError("unit")
    rated = tuple(thoughts[each] for each in base.legal_moves(state) if each in thoughts)
    return Thinking(rated, line=_legal_line(answer["line"], state), unit=unit, **numbers)


def _decoded_thoughts(answer: Any, state: State, *more: Move) -> dict[Move, Thought]:
    """Return the thoughts by their moves. Raises WrongAnswer if one of these moves, or of `more`, is illegal."""
    thoughts = {}
    for fields in answer["thoughts"]:
        if fields.get("bound", EXACT) not in BOUNDS:
            raise ValueError("bound")
        numbers, move = _decoded_numbers(fields, WHOLE, REAL), _whole(fields["move"])
        thoughts[move] = Thought(move, **numbers, bound=fields.get("bound"))
    if other := {*thoughts, *more} - set(base.legal_moves(state)):
        raise WrongAnswer(f"thinks of the move {min(other)}, which is not legal")
    return thoughts


def _decoded_numbers(fields: Mapping[str, Any], whole: Iterable[str], real: Iterable[str]) -> dict[str, Any]:
    """Return those of these numbers that there are. Raises ValueError for anything else in their place."""
    numbers: dict[str, Any] = {name: _whole(fields[name]) for name in whole if name in fields}
    for name in real:
        if (value := fields.get(name)) is not None:
            if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
                raise ValueError(name)
            numbers[name] = value
    return numbers


def _legal_line(codes: Any, state: State) -> tuple[Move, ...]:
    """Return the moves of a line up to the first illegal one."""
    at = base.copy(state)
    line = []
    for each in map(_whole, codes[:LONGEST_LINE]):
        if base.outcome(at) != base.GOING_ON or not 0 <= each < base.size(at) or not base.legal(at, each):
            break
        base.play(at, each)
        line.append(each)
    return tuple(line)


def decode_move(answer: Any, state: State) -> Move:
    """Return a legal move. Raises WrongAnswer if it is illegal, ValueError if it is not a whole number."""
    move = _whole(answer)
    if not 0 <= move < base.size(state) or not base.legal(state, move):
        raise WrongAnswer(f"played {move}, which is not legal")
    return move


def decode_policy(answer: Any, graph: Graph) -> Policy | None:
    """Return a policy in which each node of the graph has its own edges only. Raises WrongAnswer or ValueError."""
    if answer is None:
        return None
    ptr, edges = (np.frombuffer(b64decode(answer[name]), np.int64).copy() for name in ("ptr", "edges"))
    casual = np.frombuffer(b64decode(answer["casual"]), np.uint8) != 0
    nodes = len(graph.ptr) - 1  # compiled code reads without bounds checks
    if len(ptr) != nodes + 1 or len(casual) != nodes:
        raise WrongAnswer(f"has a policy of {max(0, len(ptr) - 1):,} positions, and the game has {nodes:,}")
    sizes = np.diff(ptr)
    if ptr[0] != 0 or ptr[-1] != len(edges) or (sizes < 0).any() or ((sizes == 0) & ~casual).any():
        raise WrongAnswer("has a policy that has no move in some position")
    node = np.repeat(np.arange(nodes), sizes)
    if ((edges < graph.ptr[node]) | (edges >= graph.ptr[node + 1])).any():
        raise WrongAnswer("has a policy with a move that is not legal")
    return Policy(ptr, edges, casual)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(value)
    return value

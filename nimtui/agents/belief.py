"""What an agent believed of the move that it made: one number that can be stored, compared and drawn.

The beliefs of a game's moves are written as bytes, and as words of a text.

The bytes of a game are one record per move. The first byte says what follows: its lower seven bits are a `_Tag`, the
highest is set if the number of nodes or playouts comes last. Whole numbers have seven bits per byte, the lowest first;
signed ones are folded (0, −1, 1, −2 …). An estimate takes five or six bytes, an exact value one or more, a move without
a belief one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from math import isfinite

from nimtui.agents.agent import Decision, Thought
from nimtui.errors import invalid
from nimtui.games.base import Move

PLACES = 4  # decimals of a belief: more would only be noise
MOST_SCORE = 10.0**12  # larger numbers are no scores
MOST_WORK = 2**62  # nodes or playouts


class Kind(Enum):
    """How far a belief can be trusted."""

    EXACT = "exact"  # looked up or proved: −1, 0 or 1
    ESTIMATE = "estimate"  # an expected result, −1 (lost) to 1 (won)
    SCORE = "score"  # a number in the agent's own unit, which cannot be compared with other agents' numbers


@dataclass(frozen=True, slots=True)
class Belief:
    """An agent's belief about a move, for the player who makes it. Numbers have `PLACES` decimals."""

    kind: Kind
    number: float  # the exact value, the expected result, or the score
    work: int | None = None  # nodes or playouts of the decision; None if the agent does not search

    @property
    def value(self) -> float | None:
        """Return the expected result, −1 to 1; None for a score."""
        return None if self.kind is Kind.SCORE else self.number


def belief_of(decision: Decision, move: Move | None = None) -> Belief | None:
    """Return what the agent believed of its move [or of another one]; None if it does not rate that move.

    How the thoughts of each agent are read:

    - mcts: the mean result of the move's simulations is an estimate; a proven value is exact.
    - mc: the mean result of the playouts is an estimate.
    - minimax and alphabeta: a value that the search proved is exact; otherwise the heuristic's number is a score.
    - perfect and value: exact.
    - tables: an estimate if the learner's scores are expected results (average, q); exact if they prove the result
      (proof); otherwise a score.
    - own agents: a value with counts, or other than −1, 0 and 1, is an estimate; −1, 0 and 1 alone are exact;
      a score alone is a score.
    """
    wanted = decision.move if move is None else move
    thought = next((one for one in decision.thoughts if one.move == wanted), None)
    return None if thought is None else _belief(thought, _work(decision))


def _belief(thought: Thought, work: int | None) -> Belief | None:
    if (payoff := thought.payoff) is not None:
        return Belief(Kind.SCORE, round(payoff, PLACES) + 0.0, work)
    value = thought.mean if thought.value is None else thought.value
    if value is not None and isfinite(value):
        value = max(-1.0, min(1.0, value))
        exact = value in (-1.0, 0.0, 1.0) and not _is_estimated(thought)
        return Belief(Kind.EXACT if exact else Kind.ESTIMATE, round(value, PLACES) + 0.0, work)  # + 0.0: never −0
    score = thought.score
    if score is not None and abs(score) < MOST_SCORE:  # false for NaN
        return Belief(Kind.SCORE, round(float(score), PLACES) + 0.0, work)
    return None


def _is_estimated(thought: Thought) -> bool:
    """Return whether a value counts results, or is learned: it may be −1, 0 or 1 by chance."""
    if thought.bound is not None:
        return False  # a search proved it
    return thought.wins is not None or thought.visits is not None or isinstance(thought.score, float)


def _work(decision: Decision) -> int | None:
    """Return the nodes of the search, or the playouts of all moves."""
    rated = [one for one in decision.thoughts if one.wins is not None]
    work = decision.nodes
    if work is None and rated:
        work = sum((one.wins or 0) + (one.losses or 0) + (one.draws or 0) for one in rated)
    return None if work is None else max(0, min(MOST_WORK, work))


Beliefs = Sequence[Belief | None]  # of each move of a game; None if the player has none

UNIT = 10**PLACES
WORK = 0x80
MARKS = {Kind.EXACT: "=", Kind.ESTIMATE: "", Kind.SCORE: "#"}  # before the number, wherever a belief is written
LONGEST = 10  # bytes of a number
WORD = re.compile(r"\{(=?)([+\-]?\d{1,15}(?:\.\d{1,4})?)?(#[+\-]?\d{1,15}(?:\.\d{1,4})?)?(?:/(\d{1,19}))?\}", re.ASCII)
RIGHT = "a belief is written {+0.25/500}, {=+1} or {#37/500}"


class _Tag(IntEnum):
    """What a record holds."""

    NONE = 0
    LOST = 1
    DRAWN = 2
    WON = 3
    ESTIMATE = 4  # two bytes: the value in ten-thousandths
    WHOLE = 5  # a signed number
    REAL = 6  # a signed number of ten-thousandths


_EXACT = {-1: _Tag.LOST, 0: _Tag.DRAWN, 1: _Tag.WON}
_VALUES = {tag: value for value, tag in _EXACT.items()}


def packed(beliefs: Beliefs) -> bytes:
    """Return the bytes of a game's beliefs; b'' if no move has one."""
    return b"".join(map(_packed, beliefs)) if any(one is not None for one in beliefs) else b""


def unpacked(data: bytes) -> list[Belief | None]:
    """Return the beliefs of a game from `packed`. Raise ValueError if the bytes are invalid."""
    beliefs, places = [], iter(data)
    for head in places:
        try:
            belief = _read(_Tag(head & ~WORK), places, bool(head & WORK))
        except StopIteration:
            raise ValueError("the last belief is cut off") from None
        beliefs.append(belief)
    return beliefs


def of_game(data: bytes, plies: int) -> list[Belief | None]:
    """Return the beliefs of a stored game of so many moves; [] if there are none, or they are not of this game."""
    try:
        beliefs = unpacked(data)
    except ValueError:
        return []
    return beliefs if len(beliefs) == plies else []


def _packed(belief: Belief | None) -> bytes:
    if belief is None:
        return bytes((_Tag.NONE,))
    if belief.kind is Kind.EXACT:
        tag, rest = _EXACT[int(belief.number)], b""
    elif belief.kind is Kind.ESTIMATE:
        tag, rest = _Tag.ESTIMATE, round(belief.number * UNIT).to_bytes(2, "little", signed=True)
    elif float(belief.number).is_integer():
        tag, rest = _Tag.WHOLE, _folded(int(belief.number))
    else:
        tag, rest = _Tag.REAL, _folded(round(belief.number * UNIT))
    if belief.work is None:
        return bytes((tag,)) + rest
    return bytes((tag | WORK,)) + rest + _number(belief.work)


def _read(tag: _Tag, places: Iterator[int], worked: bool) -> Belief | None:
    if tag is _Tag.NONE:
        if worked:
            raise ValueError("work without a belief")
        return None
    kind, number = Kind.SCORE, 0.0
    if tag in _VALUES:
        kind, number = Kind.EXACT, float(_VALUES[tag])
    elif tag is _Tag.ESTIMATE:
        kind = Kind.ESTIMATE
        number = int.from_bytes((next(places), next(places)), "little", signed=True) / UNIT
        if abs(number) > 1:
            raise ValueError("an expected result is beyond 1")
    else:
        folded = _unsigned(places)
        whole = folded >> 1 if not folded & 1 else -(folded >> 1) - 1
        number = float(whole) if tag is _Tag.WHOLE else whole / UNIT
    return Belief(kind, number, _unsigned(places) if worked else None)


def _folded(number: int) -> bytes:
    return _number(2 * number if number >= 0 else -2 * number - 1)


def _number(number: int) -> bytes:
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*groups, number))


def _unsigned(places: Iterator[int]) -> int:
    number = 0
    for place in range(LONGEST):
        byte = next(places)
        number |= (byte & 0x7F) << 7 * place
        if not byte & 0x80:
            return number
    raise ValueError("a number has too many bytes")


def word(belief: Belief) -> str:
    """Return a belief as a word without blanks: '{+0.25/500}', '{=+1}', '{#37/500}'. A number after / is the work."""
    work = "" if belief.work is None else f"/{belief.work}"
    value = belief.number
    number = f"{value:+.0f}" if float(value).is_integer() else f"{value:+.{PLACES}f}".rstrip("0")
    return f"{{{MARKS[belief.kind]}{number}{work}}}"


def parse_word(text: str) -> Belief:
    """Return the belief of a word. Raise InputError if it is invalid."""
    match = WORD.fullmatch(text)
    if match is None or (match[2] is None) == (match[3] is None) or (match[1] and match[2] is None):
        raise invalid("belief", text, RIGHT)
    kind = Kind.EXACT if match[1] else Kind.ESTIMATE if match[3] is None else Kind.SCORE
    number = float(match[2] if match[3] is None else match[3][1:])
    work = None if match[4] is None else int(match[4])
    fits = {Kind.EXACT: number in (-1, 0, 1), Kind.ESTIMATE: abs(number) <= 1, Kind.SCORE: abs(number) < MOST_SCORE}
    if not fits[kind] or (work or 0) > MOST_WORK:
        raise invalid("belief", text, f"a number is out of range; {RIGHT}")
    return Belief(kind, number, work)

"""Check the contract of `games.base`, position by position, on the rules as the interpreter runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NamedTuple

import numpy as np

from nimtui.check.trial import Broken, Late, Overdue, Trial, at_most, is_whole
from nimtui.engine.windows import DECIDED
from nimtui.errors import shortened
from nimtui.games import base
from nimtui.games.base import Board, Move, State
from nimtui.games.game import Game
from nimtui.process.plugins import fault_text

PATIENCE = 2  # seconds for all rules at one position
MOST_CODES = 20_000  # with more move codes, `legal` is asked about a sample
SAMPLE = 500  # size of that sample, beside the codes of `following`
MOST_NTH = 60  # `nth` is asked about at most so many moves of one position
MOST_SHOWN = 12  # numbers of a list shown in an example
ASKED_AGAIN = 30  # repetitions that reveal rules that answer at random
BITS = (0, (1 << 60) - 1, 0x123456789ABCDEF, 0xFEDCBA987654321)  # for `casual`
OUTCOMES = (base.GOING_ON, base.WON, base.LOST, base.DRAW)
NAMES = (
    *("outcome", "legal", "following", "count", "nth", "casual", "row", "play", "undo", "constants", "same", "index"),
    "evaluate",
)


class Answers(NamedTuple):
    """The answers of the rules at one position: always the same, whatever was played before."""

    outcome: int
    moves: tuple[Move, ...]
    number: int  # the index, or −1 if there is none
    key: int
    value: int  # from `evaluate`; 0 in a finished position


class Rules:
    """The rules of one configured game, called one at a time; a broken rule raises Broken."""

    def __init__(self, game: Game, trial: Trial) -> None:
        self.game = game
        self.trial = trial
        self.kind = type(game.start)
        self.known: dict[bytes, Answers] = {}
        self.numbers: dict[int, Board] = {}  # index -> its board
        self.keys: dict[int, Board] = {}
        self._constants = {
            name: (value, value.copy())
            for name, value in game.start._asdict().items()  # type: ignore[attr-defined]
            if name != "board" and isinstance(value, np.ndarray)
        }
        self.arrays = [game.start.board, *(now for now, _ in self._constants.values())]
        self.now = ""
        self._here: State = game.start
        trial.tries("size", *NAMES)
        self.size = self.number("size", game.start)
        if not 1 <= self.size < 1 << 31:
            raise self.broken("size", f"size returns {self.size}: it must be 1 or more, and below 2**31")
        self.positions = self.number("positions", game.start)
        self.largest = self.number("largest_payoff", game.start)
        if self.largest:
            trial.tries("payoff")
        if not 0 <= self.largest <= base.LARGEST:
            raise self.broken("payoff", f"largest_payoff returns {self.largest}: it must be from 0 to {base.LARGEST}")
        if not 0 <= self.positions < 1 << 63:
            raise self.broken("index", f"positions returns {self.positions}: it must be from 0 to 2**63 - 1")

    def fresh(self, board: Board) -> State:
        """Return a new state with a copy of this board."""
        return base.with_board(self.game.start, board.copy())

    # The text of an example.

    def where(self, state: State) -> str:
        """Return the position in brackets, for the end of an example."""
        return f"(position {self.position(state)})"

    def position(self, state: State) -> str:
        """Return the position's name, its board's numbers if the name fails, or 'at the start' if the name is empty."""
        self.trial.at("position_name")
        try:
            with at_most(PATIENCE):
                name = self.game.position_name(self.fresh(state.board))
        except (Exception, Overdue):  # noqa: BLE001 - a person's own code may fail in any way
            name = ",".join(map(str, state.board.tolist()))
        return name[:80] or "at the start"

    def move(self, move: Move, state: State) -> str:
        """Return the move's name, or its code if the name fails."""
        self.trial.at("move_name")
        try:
            with at_most(PATIENCE):
                return self.game.move_name(move, self.fresh(state.board))[:40]
        except (Exception, Overdue):  # noqa: BLE001 - a person's own code may fail in any way
            return str(move)

    def broken(self, name: str, example: str, state: State | None = None) -> Broken:
        """Return the finding that this game breaks a rule, at this position."""
        return Broken(name, f"{self.game.name}: {example}{'' if state is None else f' {self.where(state)}'}")

    # Calls of the rules.

    def ask(self, word: str, state: State, *given: Any) -> Any:
        """Return what the rule `word` answers. Raise Broken if it raises an exception."""
        self.now, self._here = word, state
        self.trial.at(word)
        try:
            return base.rule(self.kind, word)(state, *given)
        except Overdue:
            raise
        except BaseException as fault:  # noqa: BLE001 - a person's own code may fail in any way
            call = f"{word}({', '.join(map(str, given))})" if given else word
            raise self.broken(word, f"{call} raises {fault_text(fault)}", state) from None

    def number(self, word: str, state: State, *given: Any) -> int:
        """Return the whole number that a rule answers. Raise Broken for anything else."""
        answer = self.ask(word, state, *given)
        if not is_whole(answer):
            raise self.broken(word, f"{word} returns {value_text(answer)}, not a whole number", state)
        return int(answer)

    def in_time(self, work: Callable[[], object]) -> None:
        """Do the work. Raise Late if it takes too long."""
        try:
            with at_most(PATIENCE):
                work()
        except Overdue:
            broken = self.broken(self.now, f"{self.now} does not return within {PATIENCE} s", self._here)
            raise Late(broken.name, broken.example) from None

    # One position.

    def untouched(self, doing: str, state: State) -> None:
        """Raise Broken if an array other than `board` has changed, and restore the array."""
        for name, (now, before) in self._constants.items():
            if not np.array_equal(now, before, equal_nan=now.dtype.kind == "f"):
                np.copyto(now, before)
                raise self.broken("constants", f"{doing} writes '{name}': only 'board' may change", state)

    def answers(self, state: State) -> Answers:
        """Return the answers of the rules that depend on the position alone."""
        before = state.board.copy()
        self._same_everywhere(state)
        outcome = self.number("outcome", state)
        if outcome not in OUTCOMES:
            raise self.broken("outcome", f"outcome returns {outcome}, not 0, 1, -1 or 2", state)
        self._payoff(state, outcome)
        moves = tuple(self._legal(state)) if outcome == base.GOING_ON else ()
        if outcome == base.GOING_ON and not moves:
            raise self.broken("outcome", "outcome returns 0 (going on), but no move is legal", state)
        index, key = self._index(state), self.number("key", state)
        if key < -1:
            raise self.broken("index", f"key returns {key}: it must be 0 or more, or -1", state)
        self._unchanged(before, state, "a rule")
        value = self._value(state) if outcome == base.GOING_ON else 0
        self._unchanged(before, state, "evaluate")
        self.untouched("asking", state)
        return Answers(outcome, moves, index, key, value)

    def _unchanged(self, before: Board, state: State, word: str) -> None:
        if not np.array_equal(before, state.board):
            raise self.broken("constants", f"{word} changes the board", self.fresh(before))

    def _same_everywhere(self, state: State) -> None:
        """Raise Broken if `size` or `positions` differs from the value at the start."""
        for word, name, at_start in (
            ("size", "size", self.size),
            ("positions", "index", self.positions),
            ("largest_payoff", "payoff", self.largest),
        ):
            if (number := self.number(word, state)) != at_start:
                raise self.broken(name, f"{word} returns {number}, but {at_start} at the start", state)

    def _payoff(self, state: State, outcome: int) -> None:
        """Raise Broken if a finished game pays more than the largest payoff, or against its outcome."""
        if not self.largest or outcome == base.GOING_ON:
            return
        payoff = self.number("payoff", state)
        if abs(payoff) > self.largest:
            raise self.broken("payoff", f"payoff returns {payoff}, but largest_payoff is {self.largest}", state)
        sign = base.DRAW if not payoff else base.WON if payoff > 0 else base.LOST
        if outcome != sign:
            raise self.broken("payoff", f"payoff returns {payoff}, but outcome {outcome}, not {sign}", state)

    def _value(self, state: State) -> int:
        value = self.number("evaluate", state)
        if abs(value) > (most := self.largest or DECIDED):
            why = "larger values mean a decided game" if not self.largest else "no payoff is larger"
            right = f"it must be from -{most:,} to {most:,}; {why}"
            raise self.broken("evaluate", f"evaluate returns {value}: {right}", state)
        return value

    def _legal(self, state: State) -> list[Move]:
        """Return the moves that `legal` allows. With many codes, only those of `following`, their neighbours and a
        sample are asked about.
        """
        codes: Iterable[int] = range(self.size)
        if self.size > MOST_CODES:
            near = {move + i for move in self._followed(state) for i in (-1, 0, 1)}
            sample = Random(0).sample(range(self.size), SAMPLE)
            codes = sorted(move for move in near.union(sample) if 0 <= move < self.size)
        moves = []
        for move in codes:
            answer = self.ask("legal", state, move)
            if not is_whole(answer):
                raise self.broken("legal", f"legal({move}) returns {value_text(answer)}, not True or False", state)
            if answer:
                moves.append(move)
        return moves

    def _followed(self, state: State) -> list[Move]:
        moves: list[Move] = []
        last = -1
        while (move := self.number("following", state, last)) != -1:
            if move <= last or move >= self.size:
                raise self.broken("following", f"following({last}) returns {move}", state)
            moves.append(move)
            last = move
        return moves

    def _index(self, state: State) -> int:
        if not self.positions:
            return -1
        index = self.number("index", state)
        if not 0 <= index < self.positions:
            raise self.broken("index", f"index returns {index}, but positions is {self.positions:,}", state)
        return index

    def same(self, state: State, how: str = "") -> Answers:
        """Return the answers at this position. Raise Broken if they differ from earlier answers for the same board."""
        answers = self.answers(state)
        before = self.known.setdefault(state.board.tobytes(), answers)
        for field, old, new in zip(Answers._fields, before, answers, strict=True):
            if old != new:
                word = {"moves": "legal", "number": "index", "value": "evaluate"}.get(field, field)
                returns = f"{word} returns {value_text(old)}, then {value_text(new)}"
                raise self.broken("same", f"the same board, but {returns} {self.where(state)}{how}")
        return answers

    def unique(self, state: State, answers: Answers) -> None:
        """Raise Broken if another board has the same index or key."""
        for word, number, numbers in (("index", answers.number, self.numbers), ("key", answers.key, self.keys)):
            if number < 0:
                continue
            other = numbers.setdefault(number, state.board.copy())
            if not np.array_equal(other, state.board):
                first, second = self.position(self.fresh(other)), self.position(state)
                raise self.broken("index", f"positions {first} and {second} have the same {word} {number}")

    def _agreeing(self, state: State, moves: tuple[Move, ...]) -> None:
        """Check as `choices` does; if rules contradict each other, first ask whether each rule agrees with itself."""
        try:
            self.choices(state, moves)
        except Broken:
            for _ in range(ASKED_AGAIN):
                self.same(self.fresh(state.board))
            raise

    def choices(self, state: State, moves: tuple[Move, ...]) -> None:
        """Raise Broken if `following`, `count`, `nth`, `row` or `casual` disagrees with `legal`."""
        followed = self._followed(state)
        if followed != list(moves):
            returns = f"following returns {value_text(followed)}"
            raise self.broken("following", f"{returns}, but legal allows {value_text(moves)}", state)
        if (counted := self.number("count", state)) != len(moves):
            raise self.broken("count", f"count returns {counted}, but legal allows {len(moves)}", state)
        places = range(len(moves)) if len(moves) <= MOST_NTH else (0, 1, len(moves) // 2, len(moves) - 1)
        for place in places:
            if (move := self.number("nth", state, place)) != moves[place]:
                raise self.broken("nth", f"nth({place}) returns {move}, but following gives {moves[place]}", state)
        rows = [self.number("row", state, move) for move in moves[:MOST_NTH]]
        begins = [row for i, row in enumerate(rows) if i == 0 or row != rows[i - 1]]
        if len(begins) != len(set(begins)):
            right = "the moves of a row must be neighbours"
            raise self.broken("row", f"{right}, but the rows are {value_text(rows)}", state)
        for bits in BITS:
            if (move := self.number("casual", state, bits)) not in moves:
                raise self.broken("casual", f"casual returns {move}, which is not legal", state)

    def step(self, state: State, move: Move) -> Board:
        """Play a move and take it back; return the board after the move."""
        before = state.board.copy()
        where, name = self.where(state), self.move(move, self.fresh(before))
        self.ask("play", state, move)
        if state.board.shape != before.shape:
            raise self.broken("play", f"move {name} changes the board's size {where}")
        self.untouched(f"play of move {name}", self.fresh(before))
        after = state.board.copy()
        if np.array_equal(before, after):
            raise self.broken("play", f"move {name} {where} changes nothing")
        self.ask("undo", state, move)
        if not np.array_equal(before, state.board):
            raise self.broken("undo", f"undo after move {name} {where} gives {self._undone(before, state)}")
        self.untouched(f"undo of move {name}", state)
        return after

    def _undone(self, before: Board, state: State) -> str:
        """Return what a wrong undo leads to: the position's name, or the board's numbers if the names are equal."""
        name = self.position(state)
        if name != self.position(self.fresh(before)):
            return name
        return f"the board {','.join(map(str, state.board.tolist()))}, not {','.join(map(str, before.tolist()))}"

    def examine(self, board: Board) -> list[Board]:
        """Check everything at one position; return the boards that its moves lead to. Raise Broken at the first broken
        rule.
        """
        after: list[Board] = []
        self.trial.at("asking", f"{self.game.name} (board {value_text(board.tolist())})")

        def work() -> None:
            state = self.fresh(board)
            answers = self.same(state)
            self.unique(state, answers)
            if answers.outcome != base.GOING_ON:
                return
            self._agreeing(state, answers.moves)
            for move in answers.moves:
                after.append(self.step(state, move))
            self.same(state, ", after its moves were played and taken back")

        self.in_time(work)
        return after


def value_text(value: Any) -> str:
    """Return a value as text for an example, shortened to fit a line."""
    if isinstance(value, list | tuple) and all(map(is_whole, value)):
        numbers = " ".join(map(str, value[:MOST_SHOWN]))
        return (numbers + (" …" if len(value) > MOST_SHOWN else "")) or "none"
    try:
        text = " ".join(repr(value).split())
    except Exception:  # noqa: BLE001 - a person's own code may fail in any way
        text = f"a {type(value).__name__}"
    return shortened(text)

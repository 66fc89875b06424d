"""Check a rules file: its games by name, every rule near the start and in random games, then compiled.

The games are those that FORMS lists, and smaller ones of the same form. A walk through the positions, the nearest to
the start first, also finds out whether a game can return to an earlier position, so that it may never end. Random games
are played to the end and back.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import deque
from collections.abc import Iterator
from functools import partial
from random import Random
from time import monotonic
from types import ModuleType
from typing import Any

import numpy as np

from nimtui.check import naming
from nimtui.check.rules import PATIENCE, Rules, value_text
from nimtui.check.trial import Broken, Ended, Late, Overdue, Trial, at_most, compiling, own_code
from nimtui.engine.limits import MOST_PLIES
from nimtui.errors import InputError
from nimtui.games import base, heaps
from nimtui.games.base import Board, Move, State
from nimtui.games.game import Game
from nimtui.games.registry import forms_of, parse_game, state_class
from nimtui.learning.sight import Sight
from nimtui.process.plugins import fault_text, one_line

LONG_ENOUGH = 1_000  # plies after which positions are checked less closely and the game may be too slow
LINE_SECONDS = 3  # for one game
MOST_POSITIONS = 3_000
MOST_LINES = 200
MOST_BROKEN = 20  # broken positions after which the walk stops
SHOWN_MOVES = 12


def small_positions(rules: Rules, seconds: float) -> list[Board]:
    """Examine positions breadth first, so that the first broken position is one of the nearest to the start.

    Return the examined positions. The rules are asked about them a second time, in another order.
    """
    until = monotonic() + seconds
    boards: dict[bytes, Board] = {rules.game.start.board.tobytes(): rules.game.start.board.copy()}
    waiting = deque(boards.values())
    done: list[Board] = []
    moves: dict[bytes, list[bytes]] = {}  # position -> the positions after its moves
    faults = 0
    rules.trial.tries("end")
    while waiting and len(done) < MOST_POSITIONS and faults < MOST_BROKEN and (monotonic() < until or not done):
        board = waiting.popleft()
        try:
            after = rules.examine(board)
        except Broken as broken:
            rules.trial.note(broken)
            if isinstance(broken, Late):
                raise Ended from None
            faults += 1
            continue
        done.append(board)
        moves[board.tobytes()] = [one.tobytes() for one in after]
        for one in after:
            if len(boards) < 2 * MOST_POSITIONS and boards.setdefault(one.tobytes(), one) is one:
                waiting.append(one)
    with rules.trial.noting():
        check_no_cycles(rules, moves)
    again = done.copy()
    Random(0).shuffle(again)
    for board in again:
        with rules.trial.noting():
            rules.in_time(partial(rules.same, rules.fresh(board)))
        if "same" in rules.trial.broken or monotonic() > until + seconds:
            break
    return done


def whole_games(rules: Rules, seconds: float) -> list[Board]:
    """Play games from the start to the end, and take them back move by move.

    One game plays each first legal move, one each last move; the others are random. Return the positions that occurred.
    """
    until = monotonic() + seconds
    seen: list[Board] = []
    for number in range(MOST_LINES):
        if number > 2 and monotonic() > until:
            break
        try:
            seen += _one_game(rules, number)
        except Broken as broken:
            rules.trial.note(broken)
            break
        except Overdue:
            slow = f"a game is too slow to be played to its end in {2 * LINE_SECONDS} s"
            raise Late("end", f"{rules.game.name}: {slow}") from None
    return seen


def _one_game(rules: Rules, number: int) -> list[Board]:
    random, until = Random(number), monotonic() + LINE_SECONDS
    state = rules.fresh(rules.game.start.board)
    line: list[Move] = []
    rules.trial.at("playing", f"{rules.game.name}, game {number + 1}")
    boards = [state.board.copy()]
    with at_most(2 * LINE_SECONDS):
        rules.same(state)
        while rules.number("outcome", state) == base.GOING_ON:
            move = _next_move(rules, state, number, random)
            rules.ask("play", state, move)
            line.append(move)
            boards.append(state.board.copy())
            if len(line) < LONG_ENOUGH:  # early positions are checked more closely
                _after(rules, state, line)
            if len(line) >= MOST_PLIES:
                raise rules.broken("end", f"no end after {len(line):,} moves: the game may be endless")
            if len(line) >= LONG_ENOUGH and monotonic() > until:
                slow = f"a game is too slow to be played to its end: {len(line):,} moves take {LINE_SECONDS} s"
                raise Late("end", f"{rules.game.name}: {slow}")
        for ply in range(len(line) - 1, -1, -1):
            rules.ask("undo", state, line[ply])
            if not np.array_equal(state.board, boards[ply]):
                before = rules.fresh(boards[ply])
                place = f"{rules.move(line[ply], before)} {rules.where(before)}"
                raise rules.broken("undo", f"undo after move {place} gives {rules.position(state)}")
    rules.untouched("playing a game", state)
    return boards


def _next_move(rules: Rules, state: State, number: int, random: Random) -> Move:
    """Return the first legal move, the last or a random one, by the number of the game."""
    start = (0, rules.size - 1, random.randrange(rules.size))[min(number, 2)]
    step = -1 if number == 1 else 1
    answers = rules.known.get(state.board.tobytes())
    if answers is not None:
        return answers.moves[(0, -1, random.randrange(len(answers.moves)))[min(number, 2)]]
    for i in range(rules.size):
        if rules.ask("legal", state, move := (start + i * step) % rules.size):
            return move
    raise rules.broken("outcome", "outcome returns 0 (going on), but no move is legal", state)


def _after(rules: Rules, state: State, line: list[Move]) -> None:
    """Ask the rules after this line. Raise Broken if they answered differently when another line led to this board."""
    try:
        rules.same(state)
    except Broken as broken:
        if broken.name != "same":
            raise
        names = " ".join(rules.move(move, rules.game.start) for move in line[:SHOWN_MOVES])
        more = " …" if len(line) > SHOWN_MOVES else ""
        raise Broken("same", f"{broken.example}, after the moves {names}{more}") from None


Moves = dict[bytes, list[bytes]]  # board -> the boards that its moves lead to, in the order of the moves


def check_no_cycles(rules: Rules, moves: Moves) -> None:
    """Raise Broken, with the moves, if some moves lead back to the position where they start."""
    here = _on_cycle(moves)
    if here is None:
        return
    names, board = [], here
    for after in _shortest(moves, here):
        state = rules.fresh(np.frombuffer(board, np.int64))
        names.append(rules.move(rules.known[board].moves[moves[board].index(after)], state))
        board = after
    line = " ".join(names[:SHOWN_MOVES]) + (" …" if len(names) > SHOWN_MOVES else "")
    where = rules.where(rules.fresh(np.frombuffer(here, np.int64)))
    raise rules.broken("end", f"the game may never end: the moves {line} lead back to the same board {where}")


def _on_cycle(moves: Moves) -> bytes | None:
    """Return the first position found on a cycle, or None if there is no cycle."""
    done: set[bytes] = set()
    for start in moves:
        path: dict[bytes, int] = {start: 0} if start not in done else {}  # position -> how many of its moves are tried
        while path:
            here, tried = path.popitem()
            if tried == len(moves.get(here, ())):
                done.add(here)
                continue
            path[here] = tried + 1
            after = moves[here][tried]
            if after in path:
                return after
            if after not in done:
                path[after] = 0
    return None


def _shortest(moves: Moves, start: bytes) -> list[bytes]:
    """Return the positions of the shortest cycle through this one; the position itself comes last."""
    came: dict[bytes, bytes] = {}
    waiting = deque([start])
    while start not in came:
        here = waiting.popleft()
        for after in moves.get(here, ()):
            if after not in came:
                came[after] = here
                waiting.append(after)
    line = [start]
    while came[line[-1]] != start:
        line.append(came[line[-1]])
    return line[::-1]


SMALL = (3, 2, 1)
MOST_GAMES = 8
GUESSES = ("", ":3", ":2,3", ":3x3", ":3,3", ":3x3x3", ":1,2,3")  # tried if no form can be parsed as it stands


def names_to_check(module: ModuleType) -> list[str]:
    """Return the names of games to check, those from FORMS first; a guessed name may be invalid."""
    forms = [str(form) for form in forms_of(module)]
    plain = [re.sub(r"\[[^\]]*\]", "", form) for form in forms]
    with_options = [name for form in forms for name in _with_options(form)]
    smaller = [_smaller(form, most) for most in SMALL for form in plain]
    return list(dict.fromkeys([*plain, *with_options, *smaller]))


def named_forms(module: ModuleType) -> list[str]:
    """Return the entries of FORMS that are names: without an option in brackets, a placeholder or an ellipsis."""
    return [form for form in getattr(module, "FORMS", ()) if not re.search(r"[\[\]A-Z…]|\.\.\.", form)]


def guesses(module: ModuleType) -> Iterator[str]:
    """Yield names that a game of this module might have."""
    for word in module.NAMES:
        for guess in GUESSES:
            yield f"{word}{guess}"


def _with_options(form: str) -> Iterator[str]:
    """Yield the form with each single option: 'nim:1,3[:max=K][:misere]' gives 'nim:1,3:max=2', 'nim:1,3:misere'."""
    plain = re.sub(r"\[[^\]]*\]", "", form)
    for option in re.findall(r"\[([^\]]*)\]", form):
        yield plain + re.sub(r"[A-Z]+", "2", option)


def _smaller(form: str, most: int) -> str:
    word, colon, rest = form.partition(":")
    return word + colon + re.sub(r"\d+", lambda number: str(min(int(number[0]), most)), rest)


SECONDS = 1.5  # for the interpreted rules of a file, without the compilation
MOST_COMPILED = 600  # positions where interpreted and compiled rules are compared
REFUSALS = (InputError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)  # of a name
SEEN = ("inputs", "input", "changes", "side", "levels", "neighbours", "symmetries")  # words about what is seen
MOST_SEEN, MOST_MOVES = 100, 20  # positions and moves of each whose inputs are compared
MOST_CODES = 2_000  # move codes of one position that are compared


def check_game(module: ModuleType, trial: Trial, wanted: str = "") -> None:
    """Check the games of a module, the `wanted` one first."""
    trial.stage("rules")
    trial.tries("parse", "name")
    for word in (*base.REQUIRED, *base.DEFAULTS):
        if (what := _no_function(getattr(module, word, None))) is not None:
            trial.fail(word, f"{word} is {what}: a rule must be a plain function, made with def")
    if trial.broken:
        return
    if wanted:
        with trial.noting():
            _game(module, wanted)  # raises InputError if the name is refused
    names = ([wanted] if wanted else []) + names_to_check(module)
    games = _parsed(module, names, trial)
    if not games and not trial.broken:
        games = _parsed(module, list(guesses(module)), trial)
    if not games:
        if not trial.broken:
            form = f"{module.NAMES[0]}:…"
            trial.fail("parse", f"no game can be parsed: FORMS needs an example of a name, such as ('{form}',)")
        return
    until = monotonic() + SECONDS
    tried: list[tuple[Game, list[Board]]] = []
    for number, game in enumerate(games):
        seconds = (until - monotonic()) / (len(games) - number)
        if seconds <= 0 and tried:
            break
        try:
            tried.append((game, _tried(game, trial, max(seconds, 0.05))))
        except Broken as broken:
            trial.note(broken)
        except Ended:
            break
    if not trial.broken:
        _compiled(tried, trial)


def _no_function(rule: object) -> str | None:
    """Return what this is if Numba cannot compile it as a rule, or None; None stands for a default rule."""
    if rule is not None and not inspect.isfunction(rule):
        return f"of type {type(rule).__name__}"
    if inspect.isgeneratorfunction(rule) or inspect.isasyncgenfunction(rule):
        return "a generator"
    return "a coroutine" if inspect.iscoroutinefunction(rule) else None


def _parsed(module: ModuleType, names: list[str], trial: Trial) -> list[Game]:
    """Return the games of these names. Skip a refused name that FORMS does not list."""
    games: dict[str, Game] = {}
    exact = named_forms(module)
    for name in names:
        if len(games) >= MOST_GAMES and name not in exact:
            continue
        trial.at("parse", name)
        try:
            with at_most(PATIENCE):
                game = _game(module, name)
        except InputError as fault:
            if name in exact:
                trial.fail("parse", f"FORMS has {name}, which parse refuses: {fault}")
                break
            continue
        except Broken as broken:
            trial.note(broken)
            break
        except Overdue:
            trial.fail("parse", f"parse does not return within {PATIENCE} s for {name}", certain=False, late=True)
            break
        games.setdefault(game.name, game)
    return list(games.values())[:MOST_GAMES]


def _game(module: ModuleType, name: str) -> Game:
    """Return the game of this name. Raise InputError if `parse` refuses it, Broken if the result is not a game."""
    word, *fields = name.split(":")
    try:
        with own_code("parse", lambda fault: f"parse raises {fault} for {name}", passing=REFUSALS):
            start: Any = module.parse(word, fields)
    except REFUSALS as fault:
        raise InputError(one_line(fault) if isinstance(fault, InputError) else fault_text(fault)) from None
    if module.__file__ == heaps.__file__:
        module = sys.modules[type(start).__module__]  # nim:21:take=1,3,4 is a game of another module
    kind: Any = state_class(module)
    if not isinstance(start, kind):
        raise Broken("parse", f"parse returns {value_text(start)} for {name}, not a {kind.__name__}")
    board = start[0]
    if not isinstance(board, np.ndarray) or board.dtype != np.int64 or board.ndim != 1 or not len(board):
        what = value_text(board)
        if isinstance(board, np.ndarray):
            what = f"{board.dtype} array of {board.ndim} dimensions and {board.size} numbers"
        raise Broken("parse", f"the board of {name} is {what}: it must be a 1-D array of int64 with a number or more")
    with own_code("name", lambda fault: f"name raises {fault} for {name}"):
        canonical = module.name(start)
    if not isinstance(canonical, str) or not canonical.strip():
        raise Broken("name", f"name returns {value_text(canonical)} for {name}, not text")
    game = Game(module, start)
    _same_game(game, name)
    return game


def _same_game(game: Game, name: str) -> None:
    """Raise Broken if the canonical name does not parse to an equal game."""
    returns = f"name returns {game.name} for {name}"
    with own_code("name", lambda fault: f"{returns}, which parse refuses: {fault}"):
        again = parse_game(game.name)
    if again.name != game.name or not np.array_equal(again.start.board, game.start.board):
        raise Broken("name", f"{returns}, which is another game: {again.name}")


def _tried(game: Game, trial: Trial, seconds: float) -> list[Board]:
    """Check the interpreted rules of one game; return positions that passed every check."""
    trial.at("asking", game.name)
    rules = Rules(game, trial)
    boards = small_positions(rules, seconds * 0.6)
    boards = boards[: MOST_COMPILED // 2] + whole_games(rules, seconds * 0.2)[: MOST_COMPILED // 2]
    naming.check_names(rules, boards, seconds * 0.2)
    if any(hasattr(game.module, word) for word in SEEN):
        trial.tries("inputs")
        with own_code("inputs", lambda fault: f"{game.name}: {fault}"):
            _check_inputs(rules, boards[:MOST_SEEN])
    return boards


def _check_inputs(rules: Rules, boards: list[Board]) -> None:
    """Raise Broken if what a learner would see of a position is not what the game says of it."""
    game = rules.game
    sight = Sight.of(game)
    for board in boards:
        state = game.at(board)
        before = _seen(rules, state, sight)
        for move in base.legal_moves(state)[:MOST_MOVES]:
            listed: list[int] = []
            while len(listed) <= sight.inputs and (i := base.changes(state, move, len(listed))) >= 0:
                listed.append(i)
            if len(set(listed)) < len(listed) or any(i >= sight.inputs for i in listed):
                raise rules.broken("inputs", f"changes lists {listed} for {rules.move(move, state)}", state)
            after = _seen(rules, game.after(state, move), sight)
            if missed := [i for i in range(sight.inputs) if before[i] != after[i] and i not in listed]:
                raise rules.broken(
                    "inputs", f"{rules.move(move, state)} changes input {missed[0]}, which is not listed", state
                )


def _seen(rules: Rules, state: State, sight: Sight) -> list[int]:
    """Return the value of each input. Raise Broken if one is beyond its levels, or the side is neither 0 nor 1."""
    values = [int(base.input(state, i)) for i in range(sight.inputs)]
    for i, (value, levels) in enumerate(zip(values, sight.levels, strict=True)):
        if not 0 <= value < levels:
            raise rules.broken("inputs", f"input {i} is {value}: its levels allow 0 to {levels - 1}", state)
    if base.side(state) not in (0, 1):
        raise rules.broken("inputs", f"side is {base.side(state)}: it must be 0 or 1", state)
    return values


def _compiled(tried: list[tuple[Game, list[Board]]], trial: Trial) -> None:
    """Compare the answers of interpreted and compiled rules."""
    trial.stage("compiled")
    trial.tries("compiled")
    from nimtui.engine import probe

    probe.check_bounds()
    for game, boards in tried:
        trial.at("the compiled code", game.name)
        many = np.array(boards)
        with trial.noting():
            with compiling(game.name), np.errstate(all="ignore"):
                slow = probe.interpreted_answers(base.copy(game.start), many, MOST_CODES)
                fast = probe.compiled_answers(base.copy(game.start), many, MOST_CODES)
            for place, word in np.argwhere(slow != fast)[:1]:
                position = Rules(game, trial).where(base.with_board(game.start, many[place]))
                raise Broken("compiled", f"{game.name}: compiled and interpreted {probe.WORDS[word]} differ {position}")
        if trial.broken:
            return

"""What plain mode prints of a training, computed again from the table by brute force."""

from __future__ import annotations

import re

import pytest

from nimtui.cli.plain import telling
from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from tests.patterns import COUNT, real
from tests.theory.force import Force


def accuracy(force: Force, run: Run) -> tuple[float, int, int, int, int]:
    """The mean share of best-scored moves that keep the outcome, and the right, wrong, undecided and lost positions."""
    seen, todo, shares = set[bytes](), [force.game.new()], list[float]()
    lost = 0
    while todo:
        state = todo.pop()
        if state.board.tobytes() in seen or int(base.outcome(state)) != base.GOING_ON:
            continue
        seen.add(state.board.tobytes())
        moves = base.legal_moves(state)
        todo += [force.after(state, move) for move in moves]
        if force.value(state)[0] < 0:
            lost += 1
            continue
        found, keeping = run.training.table.scores(state), force.keeping(state)
        best = [move for move in moves if found[move] == max(found.values())]
        shares.append(sum(force.game.move_name(move, state) in keeping for move in best) / len(best))
    right, wrong = shares.count(1.0), shares.count(0.0)
    return sum(shares) / len(shares), right, wrong, len(shares) - right - wrong, lost


def losing(force: Force, run: Run, state: State, own: bool) -> float:
    """How often the table loses to perfect play; `own`: it is to move. Both choose at random among equal moves."""
    if (over := int(base.outcome(state))) != base.GOING_ON:
        return float(over != base.DRAW and own == (over == base.WON))
    moves = base.legal_moves(state)
    if own:
        found = run.training.table.scores(state)
        moves = [move for move in moves if found[move] == max(found.values())]
    else:
        moves = [move for move in moves if force.game.move_name(move, state) in force.keeping(state)]
    return sum(losing(force, run, force.after(state, move), not own) for move in moves) / len(moves)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["nim:3,2,1", "kayles:1,3:misere", "connect:3x2x2", "noughts:2x2x2"])
@pytest.mark.parametrize("learner", ["reward", "q"])
def test_every_line_about_a_training_is_true(game: str, learner: str) -> None:
    force = Force(game)
    for games in (1, 30, 3000):
        run = Run(telling_training(force.game, learner))
        run.goal(games)
        run.work()
        head, *curve, population, proof, right = telling.training(run)
        found = re.fullmatch(rf"Trained the learner (\S+) on ({COUNT}) games? of (\S+), seed (\d+)\.", head)
        assert found and found[1].startswith(learner) and int(real(found[2])) == games and found[3] == force.game.name
        share, *counted, _ = accuracy(force, run)
        for at, text in enumerate(curve):
            point = re.fullmatch(
                rf"After ({COUNT}|no) games?: accuracy ([\d.]+) %, against perfect play ([\d.]+) %\.", text
            )
            assert point, f"a sentence without a pattern: {text}"
            if at == len(curve) - 1:
                assert int(real(point[1])) == games and abs(real(point[2]) - 100 * share) <= 0.0501
                start = force.value(force.game.new())[0]
                seats = [seat for seat, favoured in enumerate((start >= 0, start <= 0)) if favoured]
                lost = [losing(force, run, force.game.new(), seat == 0) for seat in seats]
                assert abs(real(point[3]) - 100 * (1 - sum(lost) / len(lost))) <= 0.0501
        assert population == f"Accuracy: over the {sum(counted)} positions not lost."
        assert re.fullmatch(r"Proof against any opponent: (yes|no)\.", proof)
        if counted[1:] == [0, 0]:
            assert re.fullmatch(rf"Every position right: yes(?:, after {COUNT} games)?\.", right)
            assert proof.endswith("yes.")
        else:
            parts = re.findall(r"([\d,]+)(?: of ([\d,]+))? (wrong|undecided)", right)
            assert right.startswith("Every position right: no (")
            said = {what: int(real(number)) for number, _, what in parts}
            assert said == {what: n for what, n in zip(("wrong", "undecided"), counted[1:], strict=True) if n}
            assert int(real(parts[0][1])) == sum(counted)


def telling_training(game: Game, learner: str) -> Training:
    return Training(game, learner, 1)

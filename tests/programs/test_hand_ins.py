"""Unmodified files of CS50 AI play: in the sandbox, trained first, whatever they print."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.agent import AgentFault
from nimtui.agents.program import called
from nimtui.arena.play.match import play_match
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.sandbox.faults import FaultKind
from tests.programs.hand_ins import NIM, TICTACTOE

TOWER, NOUGHTS = parse_game("nim:1,3,5,7:misere"), parse_game("noughts:3x3x3")


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return f"cs50:{folder / name}"


def lost(piles: tuple[int, ...]) -> bool:
    """Return whether the player to move loses in misère Nim: Bouton's rule."""
    if max(piles) <= 1:
        return sum(piles) % 2 == 1
    total = 0
    for pile in piles:
        total ^= pile
    return total == 0


@pytest.mark.slow
def test_a_trained_learner_plays_what_it_learnt(tmp_path: Path) -> None:
    agent = parse_agent(written(tmp_path, "nim.py", NIM), TOWER)
    assert agent.name == f"cs50:{tmp_path / 'nim.py'}" and called(agent.name) == agent.title == "nim.py"
    right = won = 0
    for piles in product(range(2), range(4), range(6), range(8)):
        if sum(piles) and not lost(piles):
            state = TOWER.new(",".join(map(str, piles)))
            move = TOWER.move_name(agent.choose(state, Stream(0)), state)
            after = list(piles)
            after["abcd".index(move[0])] -= int(move[1:])
            won, right = won + 1, right + lost(tuple(after))
    assert won == 335 and right / won > 0.9


def test_games_repeat_and_its_prints_are_dropped(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    name = written(tmp_path, "nim.py", NIM).replace("cs50:", "cs50:--train=200 ")
    results = [
        play_match(TOWER, parse_agent(name, TOWER), parse_agent("random", TOWER), 6, alternate=True) for _ in range(2)
    ]
    assert results[0].transcript == results[1].transcript and results[0].faults == ()
    assert capfd.readouterr() == ("", "")


def test_minimax_never_loses(tmp_path: Path) -> None:
    agent = parse_agent(written(tmp_path, "tictactoe.py", TICTACTOE), NOUGHTS)
    result = play_match(NOUGHTS, parse_agent("random", NOUGHTS), agent, 6, alternate=True)
    assert result.sums.results[:, 2].sum() == 0 and result.faults == ()  # the random player won none


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("def train(n:", FaultKind.NO_START),
        ("import sys; sys.exit(0)", FaultKind.NO_START),
        ("class AI:\n def choose_action(self, s, epsilon): raise OSError(3)\ndef train(n): return AI()", "disconnect"),
        ("class AI:\n def choose_action(self, s, epsilon): return 0, 9\ndef train(n): return AI()", "illegal"),
        ("class AI:\n def choose_action(self, s, epsilon): return None\ndef train(n): return AI()", "disconnect"),
    ],
)
def test_a_broken_file_loses_with_its_reason(tmp_path: Path, code: str, kind: str) -> None:
    agent = parse_agent(written(tmp_path, "nim.py", code), TOWER)
    with pytest.raises(AgentFault) as fault:
        agent.choose(TOWER.new(), Stream(0))
    assert fault.value.kind == kind and str(fault.value).startswith("nim.py ")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cs50:", "takes one file"),
        ("cs50:nowhere.py", "no file 'nowhere.py'"),
        ("cs50:--trian=3 nim.py", "did you mean --train"),
        ("cs50:'", "invalid file"),
    ],
)
def test_a_wrong_name_is_refused_in_one_line(name: str, words: str) -> None:
    with pytest.raises(InputError) as fault:
        parse_agent(name, TOWER)
    assert words in str(fault.value)


def test_other_games_are_refused(tmp_path: Path) -> None:
    name = written(tmp_path, "nim.py", NIM)
    with pytest.raises(InputError, match="play nim and noughts:3x3x3, not connect:7x6x4"):
        parse_agent(name, parse_game("connect4"))

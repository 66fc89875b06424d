"""Unmodified files of CS50 AI play: in the sandbox, trained first, whatever they print."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.agent import AgentFault
from nimtui.agents.program import called
from nimtui.agents.student import StudentAgent
from nimtui.arena.play.match import play_match
from nimtui.check.quarantine import add_own_files
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.learning.learner import parse_learner, spec
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.progress import Progress
from nimtui.sandbox.command import FaultKind
from nimtui.ui.train.form import TrainDraft
from nimtui.ui.train.setup import TrainSetup
from tests.programs.hand_ins import NIM, TICTACTOE, lost

TOWER, NOUGHTS = parse_game("nim:1,3,5,7:misere"), parse_game("noughts:3x3x3")


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return f"cs50:{folder / name}"


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


FORGETFUL = (
    NIM.replace("return max(actions", "return (max if TRAINED else min)(actions")
    + """
TRAINED = 0
own = train
def train(n):
    global TRAINED
    TRAINED += 1
    return own(n)
"""
)


def test_what_it_learnt_is_stored_if_it_then_plays_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    trainings: list[str] = []
    train = StudentAgent._train
    monkeypatch.setattr(StudentAgent, "_train", lambda self, *rest: trainings.append(self.title) or train(self, *rest))

    def moves(name: str, text: str) -> list[int]:
        folder = tmp_path / name.removesuffix(".py")
        folder.mkdir(exist_ok=True)
        agent = parse_agent(written(folder, name, text).replace("cs50:", "cs50:--train=60 "), TOWER)
        states = [TOWER.new(place) for place in ("1,3,5,7", "0,3,5,7", "1,2,3,4", "0,1,1,1", "1,1,0,4")]
        return [agent.choose(state, Stream(0)) for state in states]

    (tmp_path / "nim").mkdir()
    os.mkfifo(tmp_path / "nim" / "endless.py")
    first = moves("nim.py", NIM)
    assert moves("nim.py", NIM) == first and trainings == ["nim.py"]
    assert moves("nim.py", NIM + "#") == first and trainings == ["nim.py"] * 2
    assert moves("global.py", FORGETFUL) == moves("global.py", FORGETFUL) == first and len(trainings) == 4


def test_its_training_is_shown(tmp_path: Path) -> None:
    texts = set()

    class Shown(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            texts.add(f"{done:.0f}/{total:.0f} {what}")

    agent = parse_agent(written(tmp_path, "nim.py", NIM).replace("cs50:", "cs50:--train=41 "), TOWER)
    agent.prepare(Shown())
    assert {f"{games}/41 training games of nim.py" for games in (2, 20, 40, 41)} <= texts


@pytest.mark.slow
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
        ("cs50:", "takes one file"), ("cs50:nowhere.py", "no file 'nowhere.py'"),
        ("cs50:--trian=3 nim.py", "did you mean --train"), ("cs50:'", "invalid file"),
    ],
)  # fmt: skip
def test_a_wrong_name_and_another_game_are_refused_in_one_line(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(InputError) as fault:
        parse_agent(name, TOWER)
    assert words in str(fault.value)
    with pytest.raises(InputError, match="play nim and noughts:3x3x3, not connect:7x6x4"):
        parse_agent(written(tmp_path, "nim.py", NIM), parse_game("connect4"))


# The same files as learners.


def own_training(games: int) -> tuple[dict[Any, float], Counter[Any]]:
    """Return what the file learns without nimtui: its q, and how often each move was played."""
    names: dict[str, Any] = {"print": lambda *words: None}
    exec(NIM, names)
    plays: Counter[Any] = Counter()
    move = names["Nim"].move

    def counted(game: Any, action: Any) -> None:
        plays[tuple(game.piles), action] += 1
        move(game, action)

    names["Nim"].move = counted
    random.seed(0)
    return names["train"](games).q, plays


def trained(name: str, *games: int) -> Training:
    training = Training(TOWER, name)
    for number in games:
        training.run(number)
    return training


def scores(training: Training) -> dict[Any, tuple[float, int]]:
    """Return score and plays of each move that is not as before any game, by piles and (pile, take)."""
    rows = {}
    for row in training.table.rows():
        piles = tuple(map(int, TOWER.position_name(row.state).split(",")))
        for move, score in row.scores.items():
            name = TOWER.move_name(move, row.state)
            if score or row.visits[move]:
                rows[piles, ("abcd".index(name[0]), int(name[1:]))] = score, row.visits[move]
    return rows


def test_a_file_learns_what_it_learns_alone(tmp_path: Path) -> None:
    q, plays = own_training(300)
    training = trained(written(tmp_path, "nim.py", NIM), 100, 200)
    moves = {*(key for key, value in q.items() if value), *plays}
    assert scores(training) == {key: (q.get(key, 0), plays[key]) for key in moves}
    assert training.games == 300 and training.plies == sum(plays.values())


def test_a_resumed_training_learns_the_same(tmp_path: Path) -> None:
    name, path = written(tmp_path, "nim.py", NIM), tmp_path / "run.npz"
    for games in (150, 50):
        run = Run.load(path) if path.exists() else Run(Training(TOWER, name), path)
        run.goal(games)
        run.work()
    assert run.training.games == 200 and scores(run.training) == scores(trained(name, 200))
    (tmp_path / "nim.py").write_text(NIM.replace("epsilon=0.1", "epsilon=0.5"))
    run = Run.load(path)
    run.goal(50)
    with pytest.raises(InputError, match=r"cannot continue: nim.py learns other values now"):
        run.work()


def test_its_games_are_watched_one_by_one(tmp_path: Path) -> None:
    training = trained(written(tmp_path, "nim.py", NIM), 20)
    before = scores(training)
    games, _ = training.watch(1)
    episode = training.episode
    assert games == 1 and episode is not None and episode.number == 21
    assert training.truth is not None and (training.truth.graph.to[episode.edges[:-1]] == episode.nodes[1:]).all()
    assert episode.outcome == -1  # the player who takes the last match has lost
    changes = {key for key, value in scores(training).items() if before.get(key) != value}
    assert len(changes) <= len(episode.edges) and (episode.before != episode.after).any()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("max((self", "float('nan') + max((self", "learnt nan for"),
        ("def train(n):", "def train(n):\n    raise OSError('no disk')", "OSError: no disk"),
        ("range(n)", "range(5)", "ended after 5 games"),
        ("import random", "import random, sys; sys.exit()", "did not start"),
    ],
)
def test_a_file_that_cannot_be_trained_says_why(tmp_path: Path, old: str, new: str, words: str) -> None:
    training = Training(TOWER, written(tmp_path, "nim.py", NIM.replace(old, new)))
    with pytest.raises(InputError) as fault:
        training.run(30)
    assert words in str(fault.value)


def test_a_file_is_named_as_a_learner(tmp_path: Path) -> None:
    name = written(tmp_path, "my nim.py", NIM)
    learner = parse_learner(f"cs50:'{tmp_path / 'my nim.py'}'")
    assert parse_learner(spec(learner)) == learner and name.removeprefix("cs50:") == learner.file
    draft = TrainDraft.of(TrainSetup(TOWER.name, spec(learner), goal="100"))
    assert draft.setup().learners == (spec(learner),) and not draft.parameters
    for setup, words in (
        (TrainSetup("tower:16", spec(learner)), "learn nim:1,3,5,7:misere, not nim:1,3,5,7"),
        (TrainSetup(TOWER.name, "cs50:/nowhere.py"), "no file"),
    ):
        with pytest.raises(InputError, match=words):
            setup.validate()


# Recognised by what they define.


def test_a_path_is_a_player(tmp_path: Path) -> None:
    for name, text, game in (("nim.py", NIM, TOWER), ("game.py", TICTACTOE, NOUGHTS)):
        (tmp_path / name).write_text(text)
        assert parse_agent(str(tmp_path / name), game).name == f"cs50:{tmp_path / name}"
    (tmp_path / "bot.py").write_text("for line in sys.stdin: print(1)")
    assert parse_agent(str(tmp_path / "bot.py"), TOWER).name.startswith("cmd:")
    with pytest.raises(InputError, match="plays noughts:3x3x3, not nim:1,3,5,7:misere"):
        parse_agent(str(tmp_path / "game.py"), TOWER)
    with pytest.raises(InputError, match="no file"):
        parse_agent(str(tmp_path / "nowhere.py"), TOWER)


@pytest.mark.parametrize("folder", ["agents", "programs"])
def test_a_file_among_own_agents_is_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "nim.py").write_text(NIM)
    assert not add_own_files() and capfd.readouterr() == ("", "")
    assert parse_agent("nim", TOWER).name == f"cs50:{tmp_path / folder / 'nim.py'}"

"""What stands in a class's report, counted by brute force and by hand; and which files are whose, and why not."""

from __future__ import annotations

import os
import random
from collections import Counter
from hashlib import sha256
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.agents.agent import AgentFault, Clock
from nimtui.arena.classes import class_folder, results
from nimtui.arena.classes.class_folder import OUTSIDE, Settings, Student
from nimtui.arena.classes.results import Against, Mistake
from nimtui.arena.play.batch import Batch, Played
from nimtui.arena.play.plan import CLASS, Plan
from nimtui.arena.standings.ledger import Ledger
from nimtui.arena.standings.standings import standings
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game
from nimtui.progress import SILENT, Cancelled
from nimtui.sandbox.command import FaultKind
from nimtui.store.rows import GameRow
from nimtui.theory import Outcome
from tests.theory.force import Force

OUTCOMES = {1: Outcome.WIN, 0: Outcome.DRAW, -1: Outcome.LOSS}


def random_rows(game: Game, number: int, force: Force) -> tuple[list[GameRow], Counter[Any]]:
    """Random games, the openers in turn, after a move of an opening; and player 0's mistakes by brute force."""
    chance, rows, wrong = random.Random(game.name), list[GameRow](), Counter[Any]()
    for at in range(number):
        state, codes, mistakes = game.new(), list[int](), 0
        while base.outcome(state) == base.GOING_ON:
            move, before = chance.choice(base.legal_moves(state)), force.value(state)[0]
            after = -force.value(force.after(state, move))[0]
            if codes and (len(codes) - 1) % 2 == at % 2 and after < before:
                mistakes += 1
                wrong[game.position_name(state), move, OUTCOMES[before], OUTCOMES[after]] += 1
            codes.append(move)
            base.play(state, move)
        data = b"".join(code.to_bytes(2, "little") for code in codes)
        rows.append(GameRow(at, at % 2, 1, data, 0, (0, 0), (0, 0), (mistakes, 1), "", 0.0))
    return rows, wrong


@pytest.mark.parametrize("name", ["nim:1,2,3", "connect:3x3x3"])
def test_the_worst_mistakes_are_those_that_cost_most_then_those_made_most_often(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, force = parse_game(name), Force(name)
    rows, wrong = random_rows(game, 60, force)

    def solved(position: str) -> Any:
        return SimpleNamespace(outcome=OUTCOMES[force.value(game.new(position))[0]])

    made, before, cost = results._mistake, Counter[Outcome](), {outcome: value for value, outcome in OUTCOMES.items()}
    monkeypatch.setattr(results, "_mistake", lambda *of: of[1:])
    kinds, worst = results._mistakes(game, rows, solved)
    for key, games in wrong.items():
        before[key[2]] += games
    assert kinds == before and len(before) == (2 if name.startswith("connect") else 1)
    order = sorted(wrong, key=lambda key: (cost[key[3]] - cost[key[2]], -wrong[key], len(key[0]), *key[:2]))
    assert [*worst] == [(*key, wrong[key]) for key in order[:3]]
    for known in ((0,), (0, 1), (1, 0)):  # of the positions before and after a move
        turns = cycle(known)
        found = results._mistakes(game, rows, lambda position, turns=turns: solved(position) if next(turns) else None)
        assert found == (Counter(), ())
    if name.startswith("nim"):
        for position, move, *others in order:
            state = game.new(position)
            found = made(game, position, move, *others, 7)
            piles = zip("abc", map(int, position.split(",")), strict=True)
            assert found[:-1] == (
                position,
                tuple(f"{row}  {'|' * pile}".rstrip() for row, pile in piles),
                game.move_name(move, state),
                *others,
                7,
            )
            assert any(found.right.lower().startswith(each) for each in force.keeping(state))
            verdict = results._solved(game, position)
            assert verdict is not None and verdict.outcome is solved(position).outcome
        assert results._solved(game, "no position") is results._solved(parse_game("connect4:9x6"), "") is None


def test_a_student_has_the_games_against_the_pool_and_a_rating_of_all() -> None:
    agents = ("random", "cs50:/x/pool.py", "cs50:/x/ann.py", "cs50:/x/bert.py")
    plan = Plan(("nim:1,1",), agents, CLASS, number=4, pool=2)
    rows, ledgers = dict[int, list[GameRow]](), list[Ledger]()
    for place, pairing in enumerate(plan.pairings):
        ledgers.append(Ledger(plan, place))
        outcomes = [1, 1, 0, -1] if pairing.first == 2 else [-1] * 4
        fault = ["", "c fell", "d fell", "a fell"] if pairing.second == 0 else ["", "", *["b\xa0fell"] * 2]
        rows[place] = [
            GameRow(at, at % 2, 0, b"\0\0\1\0", result, (1, 1), (2, 5), (0, 0), fault[at], 0.5)
            for at, result in enumerate(outcomes)
        ]
        ledgers[-1].add(Batch.of([Played(*row) for row in rows[place]]))
    scores = [ledger.score for ledger in ledgers]
    table = standings(plan, scores)
    students = [
        Student("cid", "", "", "no file"),
        Student("bert", agents[3], ""),
        Student("ann", agents[2], ""),
        Student("abe", "", "", "late"),
    ]
    pupils = results.pupils(plan, scores, table, rows.__getitem__, students, Settings())
    assert [(one.name, one.mark, one.fault) for one in pupils] == [
        ("ann", "A", ""), ("bert", "F", ""), ("abe", "F", "late"), ("cid", "F", "no file"),
    ]  # fmt: skip
    ann, bert, abe, _ = pupils
    assert (ann.score[:2], bert.score[:2], abe.score, abe.rating) == ((5.0, 8), (0.0, 8), (0, 0, 0, 1), None)
    assert (ann.against, bert.against[1]) == (
        (Against("random", 2.5, 4), Against("pool.py", 2.5, 4)),
        Against("pool.py", 0.0, 4),
    )
    assert (ann.missed_wins, ann.thrown_draws, ann.chances, ann.seconds) == (0, 0, 16, 4.0)
    assert ann.faults == (("a fell", 1), ("b fell", 1)), "not those of games that it did not lose"
    assert bert.faults == (("b fell", 2), ("a fell", 1), ("c fell", 1), ("d fell", 1))
    assert [one.rating for one in (ann, bert)] == [
        next(row.rating for row in table.rows if row.agent == agent) for agent in agents[2:]
    ]
    large = Plan(("connect4:9x6",), agents, CLASS, number=4, pool=2)
    [found] = results.pupils(large, scores, table, rows.__getitem__, students[1:2], Settings())
    assert (found.missed_wins, found.thrown_draws, found.worst) == (None, None, ())
    paid: Any = SimpleNamespace(rows=table.rows, paid=True)
    assert results.pupils(plan, scores, paid, rows.__getitem__, students[1:2], Settings())[0].rating is None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with hand-ins, and files that are none."""
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    here = tmp_path / "class"
    (here / "team").mkdir(parents=True)
    for name in ("class.toml", "ann.py", "ann", "zoe.py", "random.py", "notes.txt", "bot.sh", ".git", "_old.py"):
        (here / name).write_text("")
    (here / "ann").chmod(0o755)
    return here


def test_hand_ins_have_the_names_of_their_files_or_secret_ones(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = ["ann", "ann.py", "random.py", "team", "zoe.py"]
    assert [path.name for path in class_folder.hand_ins(folder)] == files
    places, rules = class_folder.hand_ins(folder), Settings(anonymous=True, secret="x")
    assert class_folder.names_of(places, Settings()) == ["ann", "ann.py", "random.py", "team", "zoe"]
    codes = [sha256(f"x {name} 0".encode()).hexdigest()[:4] for name in files]
    assert class_folder.names_of(places, rules) == [f"student {code}" for code in codes]
    assert class_folder.omitted(folder) == "not executable: bot.sh, notes.txt" and class_folder.names_csv(folder) == ""
    (folder / "class.toml").write_text('anonymous = true\nsecret = "x"\nfault = "void"')
    assert class_folder.omitted(folder) == "not executable: 2 files"
    rows = [f"student {code},{name}" for code, name in zip(codes, files, strict=True)]
    assert class_folder.names_csv(folder).splitlines() == ["name,hand-in", *rows]
    monkeypatch.setattr(
        class_folder, "sha256", lambda text: SimpleNamespace(hexdigest=lambda: "000" + text[-1:].decode())
    )
    assert len({*class_folder.names_of(places, rules)}) == 5, "taken codes are passed over"
    for name in ("notes.txt", "bot.sh"):
        (folder / name).unlink()
    assert class_folder.omitted(folder) == ""
    with pytest.raises(InputError, match="nowhere cannot be read: No such file or directory"):
        class_folder.hand_ins(folder / "nowhere")
    assert not class_folder.begin(folder) and class_folder.begin(folder / "team")
    assert len(class_folder.read(folder / "team").secret) == 16


def test_a_student_is_a_hand_in_that_starts_or_says_why_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tried = parse_game("nim:1,2"), list[Any]()
    agent: Any = SimpleNamespace(name="cs50:ann")
    monkeypatch.setattr(class_folder, "parse_agent", lambda name, of: tried.append(name) or agent)
    monkeypatch.setattr(class_folder, "_fault", lambda *of: tried.append(of) or "why")
    monkeypatch.setattr(class_folder, "agent_of", lambda path, of: f"cmd:{path}")
    (folder / "link.py").symlink_to("ann.py")
    os.mkfifo(folder / "pipe.py")
    for name, fault in (("link.py", OUTSIDE), ("pipe.py", "no ordinary file"), ("no.py", "no ordinary file")):
        found = class_folder._student(folder / name, "x", game, {}, Settings(), class_folder._Trial())
        assert found == Student("x", "", "", fault) and tried == []
    assert class_folder.LARGEST == 1 << 26  # bytes
    digest, trial = class_folder.digest_of(folder / "ann.py"), class_folder._Trial()
    named = f"cmd:--name=x --memory=2048 {folder}/ann.py"
    asked = folder / "ann.py", "x", game
    found = class_folder._student(*asked, {("cs50:ann", "other"): "old"}, Settings(), trial)
    assert found == Student("x", "cs50:ann", digest, "why") and tried == [named, (agent, game, 5.0, trial)]
    for before in ("old", ""):  # that is known
        found = class_folder._student(*asked, {("cs50:ann", digest): before}, Settings(), trial)
        assert found == Student("x", "cs50:ann", digest, before) and len(tried) == 3
        tried.pop()
    for wrong, said in (
        (InputError("odd"), "odd"),
        (OSError(2, "gone"), "cannot be read: gone"),
        (OSError(), "cannot be read: no ordinary file in it"),
    ):
        monkeypatch.setattr(class_folder, "agent_of", lambda *of, wrong=wrong: (_ for _ in ()).throw(wrong))
        assert class_folder._student(*asked, {}, Settings(), trial) == Student("x", "", digest, said)
    trial.report(1, 0)
    shares = [trial.report(done, 8) or trial.share for done in (2, 8)]
    trial.stopped = True
    assert shares == [0.25, 0.99]
    with pytest.raises(Cancelled):
        class_folder._student(*asked, {}, Settings(), trial)


def test_copies_of_an_anonymous_class_have_its_names_and_are_there_as_long_as_their_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "class.toml").write_text('anonymous = true\nsecret = "x"\nfault = "void"')
    (folder / "team" / "__pycache__").mkdir()
    (folder / "team" / "a.py").write_text("print()")
    (folder / "team" / "b").symlink_to("nowhere")
    copies, copied = class_folder._copies(folder), list[Path]()
    assert copies == folder.parent / "home" / "classes" / sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    for name in ("team", "ann.py"):
        for _ in range(2):  # over the copy of an earlier trial
            copied.append(class_folder._copied(folder / name, Student("student 1a2b", "", f"digest of {name}")))
    assert copied[0] == copies / "digest of team" / "student 1a2b" and copied[2].name == "student 1a2b.py"
    assert sorted(path.name for path in copied[0].iterdir()) == ["a.py", "b"] and (copies / "class.toml").is_file()
    rules, kept = Settings(anonymous=True, secret="x"), {"digest of team": True, "digest of ann.py": True}
    monkeypatch.setattr(class_folder, "agent_of", lambda path, game: f"cmd:{path}")
    monkeypatch.setattr(class_folder, "parse_agent", lambda name, game: SimpleNamespace(name=name))
    monkeypatch.setattr(class_folder, "_fault", lambda *of: "")
    student = class_folder._student(folder / "ann.py", "ann", parse_game("nim:1"), {}, rules, class_folder._Trial())
    assert student.agent == f"cmd:--name=ann --memory=2048 {copies / student.digest / 'ann.py'}"
    monkeypatch.setattr(class_folder, "_student", lambda path, name, *of: Student(name, "", "digest of team"))
    for change in (Settings(), rules):
        found = class_folder.students(folder, parse_game("nim:1"), {}, change, 2)
        assert [one.name for one in found] == class_folder.names_of(class_folder.hand_ins(folder), change)
        kept["digest of ann.py"] = not change.anonymous
        assert {name: (copies / name).is_dir() for name in kept} == kept
    for path in folder.rglob("*"):
        path.rename(path.with_name(f".{path.name}")) if path.parent == folder else None
    with pytest.raises(InputError, match="class has no file or folder of a student"):
        class_folder.students(folder, parse_game("nim:1"), {}, rules)


class Asked(SimpleNamespace):
    """A program that makes its first move, or fails."""

    def choose(self, state: object, stream: object, progress: object) -> None:
        self.done = [(self.clock, progress)]
        if self.fault is not None:
            raise self.fault

    def end(self) -> None:
        self.done.append("end")


def test_a_hand_in_does_not_start_if_its_program_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_folder, "ProgramAgent", Asked)
    for fault, why in (
        (AgentFault("ann did not start: it ended", FaultKind.NO_START), "it ended"), (None, ""),
        (AgentFault("ann is odd", FaultKind.NO_START), "is odd"), (AgentFault("ann is late", FaultKind.STALL), ""),
    ):  # fmt: skip
        agent = Asked(title="ann", fault=fault)
        assert class_folder._fault(agent, parse_game("nim:1"), 2.5, SILENT) == why
        assert agent.done == [(Clock(2.5), SILENT), "end"]


def test_a_board_shows_what_its_cells_hold() -> None:
    game: Any = SimpleNamespace(cells=lambda state: state)
    assert results.board(game, [[0, 1, 2], [3, -1, 12]]) == ("· x o", "3   12")  # type: ignore[arg-type]
    assert results.board(game, None) == ()  # type: ignore[arg-type]
    one = Mistake("1,2", (), "a1", Outcome.WIN, Outcome.LOSS, 1, "")
    assert results._story(one) == "1 time played a1 at 1,2: win → loss."

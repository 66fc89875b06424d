"""A class is played and marked: fair, repeatable, resumed, and again only as far as a file has changed."""

from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import Event
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.arena.classes import class_folder, results
from nimtui.arena.play import pieces
from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import CLASS, Plan
from nimtui.arena.rating.ratings import UNKNOWN, Rating, Score
from nimtui.cli.app import run
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.jobs import Jobs, classes, tournament
from nimtui.jobs.live_games import LiveGame
from nimtui.progress import SILENT, Cancelled, Progress
from nimtui.report.cells import cells
from nimtui.report.lines import FIRM, plain_text
from nimtui.sandbox.program import held
from nimtui.store import saved_games, tournaments
from nimtui.store.database import Database
from nimtui.store.rows import codes_of
from nimtui.theory import Outcome
from nimtui.ui.tournament.draft import TournamentDraft
from nimtui.ui.tournament.setup import TournamentSetup
from nimtui.ui.tournament.work import TournamentWork, open_class
from tests.programs.hand_ins import lost
from tests.ui.drawn import as_reported, as_written

GAME = "nim:1,3,5,7:misere"
HAND_IN = """
print("hello")
class Nim: pass
class NimAI:
    def choose_action(self, state, epsilon=True):
        moves = [(pile, take) for pile, n in enumerate(state) for take in range(1, n + 1)]
        return {choice}
def train(n):
    return NimAI()
"""
CHOICES = {  # students that need no training
    "first": "moves[0]", "last": "moves[-1]", "middle": "moves[len(moves) // 2]", "fails": "moves[9]",
}  # fmt: skip
POOL = 'pool = ["random", "perfect"]\ngames = 4\n'


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    yield
    pieces._boards.clear()


def hand_in(folder: Path, name: str, choice: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(HAND_IN.format(choice=choice))


def classroom(folder: Path, *names: str) -> Path:
    for name in names:
        hand_in(folder, name, CHOICES[name])
    (folder / class_folder.FILE).write_text(POOL)
    return folder


def played(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    """Play a class and return its document without times."""
    capsys.readouterr()
    pieces._boards.clear()  # a command is a new process, in which no program runs yet
    assert run(["class", str(folder), GAME, "--workers", "1", "--json", *more]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    for row in document["students"]:
        del row["seconds"]
    return {key: document[key] for key in ("students", "pages", "pool", "game")}


def wins_missed(student: str) -> Counter[tuple[str, str]]:
    """Count from the saved games, by Bouton's rule, where a student left a win to the opponent, and how."""
    with closing(Database()) as database:
        info = tournaments.tournaments(database)[0]
        plan = Plan.from_document(info.document)
        missed: Counter[tuple[str, str]] = Counter()
        for place, pairing in enumerate(plan.pairings):
            if pairing.second >= plan.pool or f"/{student}.py" not in plan.agents[pairing.first]:
                continue
            for row in saved_games.rows(database, info.id, place):
                piles = [1, 3, 5, 7]
                takes = [(pile, take) for pile, n in enumerate(piles) for take in range(1, n + 1)]
                for ply, code in enumerate(codes_of(row.moves)):
                    won, before = not lost(piles), ",".join(map(str, piles))
                    pile, take = takes[code]
                    piles[pile] -= take
                    own = ply >= row.opening and (ply - row.opening) % 2 == row.opener
                    missed[before, f"{'abcd'[pile]}{take}"] += own and won and (not sum(piles) or not lost(piles))
        return +missed


def test_a_small_class_has_marks_faults_and_the_same_report_in_each_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = classroom(tmp_path / "class", "first", "fails")
    (folder / "empty.py").symlink_to("nowhere.py")
    report = tmp_path / "report.html"
    document = played(folder, capsys, "--to", str(report), "--pages", str(tmp_path / "pages"))
    rows, pages = ({row["student"]: row for row in document[key]} for key in ("students", "pages"))
    check_mistakes(rows["first"], pages["first"])
    raised = "fails raised IndexError: list index out of range"
    assert pages["fails"]["faults"] == [{"games": 8, "text": raised}]
    assert (rows["fails"]["points"], rows["fails"]["fault"], rows["empty"]["played"]) == (0, None, 0)
    assert rows["empty"]["fault"] == "a link, or the command in its file 'start', leads outside the hand-in"
    assert [rows[name]["mark"] for name in ("fails", "empty")] == ["F", "F"]
    page = (tmp_path / "pages/fails.md").read_text()
    assert page.startswith("## fails: F\n\n- points: 0 of 8 (0 %") and f"Lost by a fault in 8 games: {raised}." in page
    assert all(f">{name}</" in report.read_text() for name in rows)


@pytest.mark.slow
def test_a_class_is_fair_and_repeats_only_the_games_of_a_file_that_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, play, most = list[Any](), tournament.play, 1 << 30

    def counted(piece: Any, *rest: Any) -> Any:
        if len(parts) == most:
            raise Cancelled
        parts.append(piece)
        return play(piece, *rest)

    monkeypatch.setattr(tournament, "play", counted)
    folder = classroom(tmp_path / "class", "first", "last", "middle")
    report, pages = [tmp_path / f"report{ending}" for ending in (".md", ".csv", ".html", ".json")], tmp_path / "pages"
    before = played(folder, capsys, "--to", str(report[0]), "--pages", str(pages))
    for row, page in zip(before["students"], before["pages"], strict=True):
        check_mistakes(row, page)
    page = (pages / "first.md").read_text()
    assert page.startswith("## first: ") and "last" not in page.replace("last match", "")
    parts.clear()
    assert played(folder, capsys, "--to", str(report[1])) == before
    assert run(["class", str(folder), GAME, "--to", str(tmp_path / "report.txt")]) == 2
    assert "must end in .md" in capsys.readouterr().err and not parts, "no game was played again"

    hand_in(folder, "last", CHOICES["middle"] + " if len(moves) > 3 else moves[0]")
    after = played(folder, capsys, "--to", str(report[2]))
    agents = [{piece.plan.agents[at] for at in piece.plan.pairings[piece.pairing][1:]} for piece in parts]
    assert sum(piece.last - piece.first for piece in parts) == 4 * 4  # two of the pool, two students
    assert all(any("/last.py" in agent for agent in pair) for pair in agents)
    assert after != before

    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home2"))  # the same from the start, stopped and continued
    parts.clear()
    most = 3
    assert run(["class", str(folder), GAME, "--workers", "1"]) != 0 and len(parts) == 3
    most = 1 << 30
    assert played(folder, capsys, "--to", str(report[3])) == after
    for file, words in zip(report, ("| first |", "1,", "<!doctype html>", '"students"'), strict=True):
        assert words in file.read_text()
    (folder / "first.py").unlink()
    parts.clear()
    assert [row["student"] for row in played(folder, capsys)["students"]] and not parts

    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home3"))
    alone = played(classroom(tmp_path / "alone", "middle"), capsys)
    (page,), (row,) = alone["pages"], alone["students"]
    assert page in before["pages"], "marks do not depend on the other students, but ratings do"
    among = next(other for other in before["students"] if other["student"] == "middle")
    assert {key for key in row if row[key] != among[key]} <= UNKNOWN.keys.keys()


def check_mistakes(row: dict[str, Any], page: dict[str, Any]) -> None:
    """Hold the missed wins of a student, and the worst of them, against Bouton's rule."""
    missed = wins_missed(row["student"])
    assert row["missed_wins"] == missed.total() > 0 and row["chances"] >= row["missed_wins"]
    assert row["elo_low"] < row["elo"] < row["elo_high"]
    worst = [mistake["games"] for mistake in page["worst"]]
    assert sorted(missed.values(), reverse=True)[:3] == worst
    for mistake in page["worst"]:
        assert mistake["games"] == missed[mistake["position"], mistake["move"]]
        assert (mistake["before"], mistake["after"]) == ("win", "loss")
        piles = [int(pile) for pile in mistake["position"].split(",")]
        drawn = [f"{name}  {'|' * pile}".rstrip() for name, pile in zip("abcd", piles, strict=True)]
        assert mistake["board"] == drawn
        name = mistake["right"].split()[0].lower()
        piles["abcd".index(name[0])] -= int(name[1:])
        assert not sum(piles) or lost(piles)


SPY = """
import os
from pathlib import Path
place, read = Path(__file__).parent, []
for look in (
    lambda: (place / "first.py").read_text(),
    lambda: (place.parent / "first.py").read_text(),
    lambda: os.listdir(CLASS),
    lambda: Path("/proc/self/cwd/first.py").read_text(),
):
    try:
        read.append(look())
    except OSError:
        pass
if read:
    raise SystemExit(f"read {read}")
"""


@pytest.mark.slow
def test_each_hand_in_has_its_own_name_and_fault_and_reads_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = classroom(tmp_path / "class", "first", "fails")
    (folder / class_folder.FILE).write_text(POOL.replace("4", "2") + "league = 2\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    right = HAND_IN.format(choice="moves[0]")
    spy = SPY.replace("CLASS", repr(str(folder))) + right
    bot = "import sys, json\nfor line in sys.stdin:\n    print(json.loads(line)['moves'][0])\n"
    files = {
        "one/start": "cmd:/usr/bin/env cat\n", "other/start": "cmd:/usr/bin/env cat\n",
        "loud/start": "cmd:--memory=9 cat\n", "thief/start": "cs50:../first.py",
        "absolute/start": f"cs50:{tmp_path / 'solution.py'}", "nested/nim.py": f"import helper\n{spy}",
        "nested/helper.py": "", "../solution.py": right,
        **dict.fromkeys(("a.py", "a.py.py", "O'Hara, Ann.py", "perfect.py"), right), "spy.py": spy, "bot.py": bot,
        "wrong.py": "def train(n:",
        "large.py": "#" * (2 << 20),
        "a.js": "#!/bin/sh\n",
    }  # fmt: skip
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "a.js").chmod(0o755)
    (folder / "empty").mkdir()
    os.mkfifo(folder / "pipe.py")
    links = {"link": "first.py", "solution": tmp_path / "solution.py", "etc": "/etc", "dangling": "nowhere.py"}
    for name, place in links.items():
        (folder / f"{name}{'.py' * (name != 'etc')}").symlink_to(place)
    rows = {row["student"]: row for row in played(folder, capsys)["students"]}
    playing = {"first", "fails", "one", "other", "nested", "a", "a.py.py", "O'Hara, Ann", "perfect.py", "spy", "bot"}
    broken = {"loud": "--memory is there twice", "wrong": "SyntaxError", "empty": "0 programs", "a.js": ""}
    broken |= {"pipe": "no ordinary file", "large": "the limit is 1 MB"}
    broken |= dict.fromkeys(("thief", "absolute", *links), "leads outside")
    assert rows.keys() == playing | broken.keys()
    for name, words in broken.items():
        assert words in rows[name]["fault"] and (rows[name]["played"], rows[name]["mark"]) == (0, "F")
    if "Landlock" in held():  # only Landlock hides single files
        assert {name for name in playing if rows[name]["fault"]} <= {"fails", "one", "other"}
    assert {rows[name]["points"] for name in ("first", "nested", "bot", "a", "a.py.py", "perfect.py")} == {
        rows["first"]["points"]
    }
    plan = Plan.from_document(tournaments.tournaments(Database())[0].document)
    assert {*(label.replace(FIRM, " ") for label in labels(plan.agents))} == {"random", "perfect", *playing}


def test_the_form_starts_a_class(tmp_path: Path) -> None:
    folder = classroom(tmp_path / "class", "first", "last")
    draft = TournamentDraft.of(TournamentSetup((GAME,), ())).with_text("folder", str(folder))
    assert all(finding.right for finding in draft.check().values())
    assert draft.finding("folder").text == "2 hand-ins, as class.toml says"
    assert draft.setup().command.text == f"nimtui class {folder} {GAME}"
    assert draft.fields == ("games", "workers", "name", "folder"), "all else is in the folder's settings"
    assert TournamentDraft.of(draft.setup()).setup() == draft.setup() and draft.question is None
    assert draft.with_text("games", f"{GAME} noughts").finding("games").text == "a class plays one game"
    task = open_class(Database, draft.setup(), SILENT)
    task.work()
    assert task.writer is not None
    result = cells(classes.report_of(Database(), task), 100)
    task.writer.close()
    assert any(plain_text(line).split()[:1] == ["first"] for line in result)
    assert not draft.with_text("folder", str(tmp_path / "nowhere")).finding("folder").right


def test_a_long_move_is_named() -> None:
    plan = Plan((GAME,), ("random", "cs50:/x/anna.py", "cs50:/x/bert.py"), CLASS, pool=1)
    work = TournamentWork(Jobs())
    work.task = SimpleNamespace(plan=plan)  # type: ignore[assignment]
    assert work.stuck == ""
    game = LiveGame(0, 3, (1, 2))
    work._waits._since = {game: monotonic() - 5.5, LiveGame(1, 0, ()): monotonic()}
    first, second = (labels(plan.agents)[place] for place in plan.pairings[0][1:])
    mover, other = (second, first) if plan.opener(3) else (first, second)
    assert work.stuck == f"{mover} thinks for 5 s: game 4 against {other}"
    work._waits._since = {LiveGame(len(plan.pairings) - 1, 0, ()): monotonic() - 5.5}
    work._remark = lambda task: None  # type: ignore[method-assign]
    task = SimpleNamespace(plan=replace(plan, agents=plan.agents[:2]), number=None, remote=None, finished=True)
    work.begin(task, go=False)  # type: ignore[arg-type]
    assert work.stuck == "", "a tournament of fewer pairings has no such game"


@pytest.mark.slow
def test_anonymous_names_tell_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = classroom(tmp_path / "class", "first", "last")
    (folder / "first.py").rename(folder / "First, Ann.py")
    (folder / "bert.py").symlink_to("nowhere.py")
    (folder / class_folder.FILE).write_text(f"{POOL}anonymous = true\nsecret = 'x'\n")
    pages = tmp_path / "pages"
    document = played(folder, capsys, "--pages", str(pages))
    assert all(re.fullmatch("student [0-9a-f]{4}", row["student"]) for row in document["students"])
    everything = str([document, *(page.read_text() for page in pages.glob("*.md")), *pages.glob("*.md")])
    for words in (["tournaments", "show", "1", "--json"], ["games", "list", "--json"], ["games", "export"]):
        assert run(words) == 0
    everything += str(capsys.readouterr())
    assert "leads outside" in everything and not re.search("bert|Ann|last[.]py", everything)
    with (pages / "names.csv").open(newline="") as file:
        names = dict(csv.reader(file))
    assert {*names.values()} == {"hand-in", "First, Ann.py", "bert.py", "last.py"}
    points = {names[row["student"]].removesuffix(".py"): row["points"] for row in document["students"]}
    (folder / "carl.py").write_text("")
    assert {name for name in names if name != "name"} < {row["student"] for row in played(folder, capsys)["students"]}
    (folder / "carl.py").unlink()
    (folder / class_folder.FILE).write_text(POOL)
    assert points == {row["student"]: row["points"] for row in played(folder, capsys)["students"]}


def test_a_large_class_plays_in_leagues() -> None:
    agents = ("random", "perfect", *(f"s{number}" for number in range(65)))
    plan = Plan((GAME,), agents, CLASS, pool=2, league=30)
    among = [pairing for pairing in plan.pairings if pairing.second >= 2]
    met = {at: {x for one in among for x in one[1:] if at in one[1:]} for at in range(2, 67)}
    assert {frozenset(group) for group in met.values()} == {frozenset(range(start, 67, 3)) for start in (2, 3, 4)}
    assert max(map(len, met.values())) <= 30 and len(plan.pairings) == 2 * 65 + len(among)
    assert {plan.stream(place) for place, one in enumerate(plan.pairings) if one.second == 1} == {1}
    assert not [one for one in Plan((GAME,), agents, CLASS, pool=2).pairings if one.second >= 2]


def test_marks_follow_the_scale() -> None:
    rules = class_folder.Settings(marks={"1": 87.5, "2": 50, "5": 0})
    shares = [(1.0, "1"), (0.875, "1"), (0.874, "2"), (0.5, "2"), (0.49, "5"), (0.0, "5"), (None, "5")]
    assert [rules.mark(share) for share, _ in shares] == [mark for _, mark in shares]


def test_a_digest_is_of_all_files_with_their_names_and_lengths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("a/x.py", "one"), ("b.py", "two"), ("__pycache__/x.pyc", "old"), ("a/__pycache__/y", "old")):
        (tmp_path / "my" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "my" / name).write_text(text)
    first, both = b"my/a/x.py 3\none", b"my/a/x.py 3\nonemy/b.py 3\ntwo"
    for most, content in ((6, both), (5, first), (2, b"")):
        monkeypatch.setattr(class_folder, "LARGEST", most)
        assert class_folder.digest_of(tmp_path / "my") == sha256(content).hexdigest()
    monkeypatch.setattr(class_folder, "LARGEST", 3)
    assert class_folder.digest_of(tmp_path / "my" / "b.py") == sha256(b"b.py 3\ntwo").hexdigest()


def test_a_hand_in_is_an_agent_with_its_name_and_memory_and_uses_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ann.py"
    for inside, command in (
        (True, f"cmd:--restart {tmp_path}/bin/python3 -u {path} 7"), (True, f"cmd:{path}"),
        (False, f"cmd:{tmp_path}/env {path}"), (False, f"cmd:{tmp_path}/bin/python3 {path} {tmp_path}/other.py"),
    ):  # fmt: skip
        monkeypatch.setattr(class_folder, "agent_of", lambda *of, command=command: command)
        if inside:
            found = class_folder._agent_of(path, parse_game(GAME), "ann lee", 64)
            kind, _, rest = command.partition(":")
            assert found == f"{kind}:--name='ann{FIRM}lee' --memory=64 {rest}"
            continue
        with pytest.raises(InputError) as fault:
            class_folder._agent_of(path, parse_game(GAME), "ann", 64)
        assert str(fault.value) == class_folder.OUTSIDE


def test_a_new_class_has_the_default_settings_and_limits_are_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "class", str(tmp_path / "mine")]) == 0
    written = class_folder.read(tmp_path / "mine")
    marks = {"A": 60.0, "B": 50.0, "C": 40.0, "D": 30.0, "F": 0.0}
    usual = class_folder.Settings(
        0, 20, "random:2", ("random", "easy", "hard", "perfect"), 5.0, 0.0, 2048, "game", 30, False, "", marks
    )
    assert written._replace(secret="") == class_folder.Settings() == class_folder.read(tmp_path) == usual
    assert len(written.secret) == 16
    assert run(["new", "class", str(tmp_path / "mine")]) == 2
    assert "already exists" in capsys.readouterr().err
    text = "games = 1\nmemory = 16\nleague = 0\nseed = 2147483647\nmove_time = 0.001\ngame_time = 0\n"
    (tmp_path / class_folder.FILE).write_text(text + "marks = {A = 100, B = 0}")  # the least and the largest
    assert class_folder.read(tmp_path) == class_folder.Settings(
        seed=2**31 - 1, games=1, memory=16, league=0, move_time=0.001, game_time=0, marks={"A": 100, "B": 0}
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = 3", "did you mean games"), ("games = 0", "games must be a whole number"),
        ("games = true", "games must be a whole number"), ("games = 1.5", "games must be a whole number"),
        ("games = 2147483648", "games must be a whole number"), ("memory = 15", "memory must be a whole number"),
        ("league = -1", "league must be a whole number"),
        ("game_time = -0.1", "game_time must be 0 or a positive number"),
        ("move_time = 0.0009", "move_time must be a positive number"), ("pool = ['random', 1]", "pool must be a list"),
        ("marks = {A = 101}", "marks must be percentages"), ("marks = {}", "marks must be percentages"),
        ("pool = []", "pool must be a list"), ("move_time = -1", "move_time must be a positive number"),
        ("anonymous = 1", "anonymous must be true or false"),
        ("anonymous = true", "anonymous names need a secret, such as"), ("openings = 2", "openings must be a text"),
        ("games = " + "[" * 5000, "is not TOML"), ("fault = 'none'", "unknown fault"),
        ("marks = {A = 'x'}", "marks must be percentages"), ("games = ", "is not TOML"),
    ],
)  # fmt: skip
def test_wrong_settings_are_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / class_folder.FILE).write_text(text)
    with pytest.raises(InputError, match=r"class\.toml") as fault:
        class_folder.read(tmp_path)
    assert words in str(fault.value)


def test_a_class_reads_as_it_was_drawn() -> None:
    missed = results.Mistake("1,3,0", ("a  |", "b  |||", "c"), "b1", Outcome.WIN, Outcome.LOSS, 1, "B3 wins.")
    thrown = missed._replace(board=(), before=Outcome.DRAW, games=1200)
    against = (results.Against("random", 1199.5, 1200), results.Against("漢字", 0.0, 1))
    rating = Rating(101.4, -20.2, 223.0)
    pupils = [
        results.Pupil("ann", "A", Score(1199.5, 1201, 0.99, 1.0), rating, against, 2, 1, 4000, 61.5,
                      (("it raised", 3), ("too slow", 1)), (missed, thrown)),
        results.Pupil("bob", "C", Score(1.0, 2, 0.1, 0.9), None, against, 0, 0, 1, 0.25),
        results.Pupil("eve", "F", Score(0, 0, 0, 1), None, fault="no file.py"),
    ]  # fmt: skip
    terms = Plan((GAME,), ("random", "perfect", "cs50:ann.py"), CLASS, pool=2)
    for name, some in (("three", pupils), ("no draws", [replace(pupils[1], thrown_draws=None)])):
        report = results.whole(terms, results.report(terms, some), some)
        as_reported("class", name, report, 100, 44)
        as_written("class", f"{name}, CSV", results.sheet(some))


def test_a_damaged_class_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bot.sh").write_text("#!/bin/sh\n")
    assert run(["class", str(tmp_path), GAME]) == 2
    assert "not executable: bot.sh" in capsys.readouterr().err
    hand_in(tmp_path, "first", CHOICES["first"])
    agents = ("random", f"cs50:{tmp_path / 'first.py'}")
    document = Plan((GAME,), agents, CLASS, pool=1, league=30).document()
    assert Plan.from_document(document).document() == document
    for pool in (0, 2, -1, "x"):
        with pytest.raises(InputError):
            Plan.from_document({**document, "pool": pool})


def test_starting_hand_ins_are_counted_with_the_share_of_each_that_is_being_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, heard = list[tuple[float, float, str]](), Event()

    class Told(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            told.append((done, total, what))
            heard.set()

    def student(path: Path, name: str, *more: Any) -> class_folder.Student:
        more[-1].report(1, 4)
        assert heard.wait(20)
        return class_folder.Student(name, name, "")

    monkeypatch.setattr(class_folder, "_student", student)
    monkeypatch.setattr(class_folder, "LOOK", 0.01)
    folder = classroom(tmp_path / "class", "first", "last", "middle")
    found = class_folder.students(folder, parse_game(GAME), set(), class_folder.Settings(), 1, Told())  # type: ignore[arg-type]
    assert [one.name for one in found] == ["first", "last", "middle"]
    assert told[0] in [(share, 3, "students, now first") for share in (0, 0.25)]
    assert all(0 <= done <= total == 3 for done, total, _ in told)

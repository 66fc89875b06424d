"""Thirty programs in one tournament, twelve of them hostile: `python -m tests.programs.show`, some ten minutes.

The seconds for a move may follow [default: 0.4]; a busy machine needs more.
Every hostile program loses each game by its own fault and in time, nothing of it is left, the sound ones play among
each other what they play alone, and a run that is killed and resumed ends equal to an unbroken one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nimtui.store import game_list
from nimtui.store.database import Database
from tests import forks
from tests.programs.bots import FIRST, HOSTILE, hostile, sound

GAME, LIMIT, START, SLACK = "nim:3,4,5", 0.4, 1.0, 0.5  # seconds
TRIES = 5  # games of a program that was late on a busy machine
CHOSEN = {what: kind for what, (kind, _) in HOSTILE.items() if what not in ("answers nonsense", "answers late")}


class Played(NamedTuple):
    """A saved game: who, how, and by which fault."""

    first: str
    second: str
    opener: int
    moves: tuple[int, ...]
    result: int
    kind: str
    seconds: float


class Show:
    """The programs in a folder, and the tournaments that they play."""

    def __init__(self, folder: Path, kinds: int, what: Sequence[str], languages: Sequence[str], limit: float) -> None:
        """Write `kinds` sound programs in each language of this machine, and hostile ones; `limit`: seconds a move."""
        self.folder, self.home, self.limit = folder, folder / "person", limit
        self.home.mkdir()
        named = [name for language in languages if (name := sound(folder, language))]
        self.sound = [f"{name} {number}" for name in named for number in range(1, kinds + 1)]
        names = {one: hostile(folder, one, limit, self.home) for one in what}
        starts = {one: START if CHOSEN[one] == "no-start" else 10.0 for one in what}
        self.hostile = {
            f"cmd:--start={starts[one]:g} {name.removeprefix('cmd:')}": CHOSEN[one] for one, name in names.items()
        }

    def start(self, data: str, agents: Sequence[str], *more: str) -> subprocess.Popen[bytes]:
        """Start a tournament that stores its games in the folder `data`."""
        words = [word for agent in agents for word in ("--agent", agent)] or []
        settings = ["--games", "2", "--move-time", str(self.limit), "--workers", "2"] if agents else []
        command = [sys.executable, "-m", "nimtui", "tournament", *([GAME] if agents else []), *words, *settings]
        environment = {**os.environ, "NIMTUI_HOME": str(self.folder / data)}
        return forks.Popen(
            [*command, "--json", *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )

    def finish(self, running: subprocess.Popen[bytes]) -> dict[str, Any]:
        """Return the document of a tournament."""
        text = running.communicate()[0]
        assert running.returncode == 0, running.returncode
        return dict(json.loads(text))

    def games(self, data: str) -> dict[tuple[str, str, int], Played]:
        """Return the saved games by their agents and numbers."""
        os.environ["NIMTUI_HOME"] = str(self.folder / data)
        with Database() as db:
            infos = game_list.games(db, tournament=1, limit=None)
        return {
            (one.first, one.second, one.row.number): Played(
                one.first,
                one.second,
                one.row.opener,
                tuple(one.codes),
                one.row.result,
                unpacked_kind(one.row.packed_fault),
                one.row.seconds,
            )
            for one in infos
        }

    def limit_of(self, kind: str) -> float:
        """Return the seconds after which a fault of this kind ends a game."""
        return START if kind == "no-start" else self.limit

    def alone(self, data: str, loser: str) -> float:
        """Return the seconds beyond its limit that a hostile program takes for a game, with nothing beside it."""
        document = self.finish(self.start(data, [loser, "random"]))
        [game, *_] = self.games(data).values()
        assert len(document["faults"]) == 1
        return game.seconds - self.limit_of(game.kind)

    def left(self) -> list[str]:
        """Return what is left of the programs: processes in their folder, and files in the person's home."""
        lines = [str(path) for path in self.home.iterdir()]
        for path in Path("/proc").glob("[0-9]*"):
            try:
                command = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                folder = str((path / "cwd").readlink())
            except OSError:
                continue
            if folder == str(self.folder) and "pytest" not in command and "tests.programs.show" not in command:
                lines.append(command)
        return lines


def unpacked_kind(line: str) -> str:
    """Return the kind of a stored fault, '' without one."""
    from nimtui.store.rows import unpacked

    return unpacked(line).kind if line else ""


def check_faults(show: Show, games: dict[tuple[str, str, int], Played]) -> tuple[Counter[str], dict[str, list[float]]]:
    """Check that hostile programs, and they alone, lose by their faults.

    Return how many games each kind of fault ended, and by program the seconds beyond its limit, below 0 before it.
    """
    kinds: Counter[str] = Counter()
    over: dict[str, list[float]] = {}
    for game in games.values():
        seats = (game.second, game.first) if game.opener else (game.first, game.second)
        loser = next((agent for agent in seats if agent in show.hostile), None)
        assert game.kind == ("" if loser is None else show.hostile[loser]), game
        if loser is not None:
            assert (game.result < 0) == (loser == game.first), game
            kinds[game.kind] += 1
            over.setdefault(loser, []).append(game.seconds - show.limit_of(game.kind))
    return kinds, over


def check_times(show: Show, over: dict[str, list[float]]) -> None:
    """Check that each fault ends its game within SLACK of its limit, and print the seconds beyond it.

    On a busy machine the judge waits for the processor: a program with a late game gets some more, alone.
    """
    every = sorted(seconds for times in over.values() for seconds in times)
    late = {loser: max(times) for loser, times in over.items() if max(times) > SLACK}
    load = f"{os.getloadavg()[0]:.0f} processes wanted {os.cpu_count()} processors"
    median, p99 = every[len(every) // 2], every[len(every) * 99 // 100]
    print(f"seconds beyond the limit: median {median:.2f}, 99 % below {p99:.2f}, at most {every[-1]:.2f}; {load}")
    print(f"{sum(seconds > SLACK for seconds in every)} of {len(every)} games took more than {SLACK} s beyond it")
    for loser in late:
        times = [show.alone(f"again {number}", loser) for number in range(TRIES)]
        print(f"{loser.rpartition('/')[2]}, {TRIES} games alone: {', '.join(f'{seconds:.2f}' for seconds in times)}")
        assert min(times) <= SLACK, loser


def plain(games: dict[tuple[str, str, int], Played]) -> dict[tuple[str, str, int], Played]:
    """Return the games without their times."""
    return {key: game._replace(seconds=0.0) for key, game in games.items()}


def play(
    folder: Path, kinds: int, what: Sequence[str], languages: Sequence[str], limit: float, timed: bool = False
) -> None:
    """Play it all and check it; `timed`: also how long it took, which depends on the machine, and print it."""
    show = Show(folder, kinds, what, languages, limit)
    every = [*show.sound, *show.hostile]
    began = time.perf_counter()
    document = show.finish(show.start("whole", every))
    games = show.games("whole")
    assert document["games"] == len(games) == len(every) * (len(every) - 1)
    counts, over = check_faults(show, games)
    assert Counter({one["kind"]: 0 for one in document["faults"]}).keys() == counts.keys()
    assert (
        sum(one["games"] for one in document["faults"])
        == counts.total()
        == sum(sum(row["fault_counts"].values()) for row in document["standings"])
    )
    assert document["sandbox"].startswith("sandbox: ") and show.left() == []
    seconds = time.perf_counter() - began
    if timed:
        check_times(show, over)
        print(f"{document['games']} games in {seconds:.0f} s, {document['sandbox']}: {dict(counts)}")
    show.finish(show.start("alone", show.sound))
    alone = plain(show.games("alone"))
    assert {key: game for key, game in plain(games).items() if key in alone} == alone and len(alone) > 1
    killed = show.start("killed", every)
    path = folder / "killed" / "nimtui.sqlite"
    while killed.poll() is None and not path.exists():
        time.sleep(0.1)
    time.sleep(min(30.0, seconds / 4))
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    time.sleep(2.0)  # the servers notice it, and end all that they forked
    assert show.left() == [], "after kill -9"
    part = len(show.games("killed"))
    assert 0 < part < len(games), part
    show.finish(show.start("killed", [], "--resume"))
    assert plain(show.games("killed")) == plain(games) and show.left() == []
    if timed:
        print(f"killed after {part} games and resumed: the same games; {len(alone)} games of sound programs: the same")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="nimtui-show-") as place:
        play(Path(place), 3, list(CHOSEN), list(FIRST), float((*sys.argv, LIMIT)[1]), timed=True)

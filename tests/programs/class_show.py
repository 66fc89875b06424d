"""Hand-ins of CS50 AI graded and played as a class: `python -m tests.programs.class_show`, some ten minutes.

Prints what each file breaks, then a class of 25 with 5 broken ones, one student's page, and the class after one file
changed, which equals a run from the start. Ends with an error if a file is sorted wrong, or two runs differ.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.programs.hand_ins import NIM, RIGHT_NIM, RIGHT_TICTACTOE, TICTACTOE, WRONG_NIM, WRONG_TICTACTOE

GAME = "nim:1,3,5,7:misere"
BROKEN = ("no train", "syntax error", "ends while it loads")  # with an empty folder and a missing module: 5
UNTRAINED = ("nothing for the last move", "None for the unknown", "keys are lists")  # they raise in training
PLAYING = ("worst future", "known actions only", "never explores")  # wrong, and playing all the same
SIZE = 25


def file(text: str, change: tuple[Any, ...]) -> str:
    """Return a hand-in with a change: what stands there, and what instead."""
    return text.replace(change[0], change[1]) if change[0] else text


def run(home: Path, *words: str) -> str:
    """Return what a command prints; status 1 is a broken rule."""
    environment = {**os.environ, "NIMTUI_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-m", "nimtui", *words], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def graded(folder: Path) -> int:
    """Grade all files, print a line for each, and return how many there were."""
    kinds = (("nim", NIM, RIGHT_NIM, WRONG_NIM), ("tictactoe", TICTACTOE, RIGHT_TICTACTOE, WRONG_TICTACTOE))
    number = 0
    for name, text, right, wrong in kinds:
        for what, change in {**right, **wrong}.items():
            path = folder / f"{name}.py"
            path.write_text(file(text, change))
            document = json.loads(run(folder / "home", "grade", str(path), "--json"))
            broken = {rule["name"]: rule["example"] for rule in document["rules"] if not rule["ok"]}
            assert change[2] in broken if what in wrong else not broken, (name, what, broken)
            rule = change[2] if what in wrong else "all rules kept"
            learns = next((row["reached"] for row in document["rules"] if row["name"] == "learns"), None)
            assert name != "nim" or what in wrong or learns == [change[2], 1.0], learns
            reached = f"reached {learns[0]:g} to {learns[1]:g}" if learns else ""
            print(f"{name:10} {what:28} {rule:28} {broken.get(rule, reached)}", flush=True)
            number += 1
    return number


def classroom(folder: Path) -> None:
    """Write the hand-ins of a class: right ones, wrong ones that play, and five broken ones."""
    folder.mkdir()
    changes = {**RIGHT_NIM, **{what: WRONG_NIM[what] for what in PLAYING}}
    more = {what: change for what, change in WRONG_NIM.items() if what not in (*PLAYING, *BROKEN, *UNTRAINED)}
    changes |= dict(list(more.items())[: SIZE - 5 - len(changes)])
    for what, change in {**changes, **{what: WRONG_NIM[what] for what in BROKEN}}.items():
        (folder / f"{what.replace(' ', '_')}.py").write_text(file(NIM, change))
    (folder / "missing_module.py").write_text(f"import no_such_module\n{NIM}")
    (folder / "empty").mkdir()


def played(folder: Path, home: Path, *more: str) -> dict[str, Any]:
    """Return the document of a class without times."""
    document: dict[str, Any] = json.loads(run(home, "class", str(folder), GAME, "--json", *more))
    for row in document["students"]:
        del row["seconds"]
    return {key: document[key] for key in ("students", "pages", "pool")}


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long something takes."""
    began = time.monotonic()
    yield
    print(f"{what}: {time.monotonic() - began:.0f} s", flush=True)


def killed(folder: Path, home: Path, seconds: float) -> None:
    """Start a class, and kill it after so many seconds."""
    environment = {**os.environ, "NIMTUI_HOME": str(home)}
    command = [sys.executable, "-m", "nimtui", "class", str(folder), GAME, "--headless"]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    running.send_signal(signal.SIGKILL)
    running.wait()


def class_of_25(folder: Path) -> None:
    """Play a class, again after one file changed, and killed; each time from the start, too."""
    room, home = folder / "class", folder / "home"
    classroom(room)
    with timed(f"class of {SIZE}, 5 broken, from the start to the report"):
        before = played(room, home, "--pages", str(folder / "pages"))
    assert (len(before["students"]), sum(bool(row["fault"]) for row in before["students"])) == (SIZE, 5)
    print(run(home, "class", str(room), GAME, "--headless"))
    print((folder / "pages" / "worst_move.md").read_text())
    shutil.copy(room / "as_it_is.py", room / "worst_move.py")
    with timed("after one file changed"):
        after = played(room, home)
    assert after != before
    with timed("the same from the start"):
        assert played(room, folder / "other") == after
    killed(room, folder / "third", 20.0)
    with timed("the same killed after 20 s, then continued"):
        assert played(room, folder / "third") == after
    print("all four agree, digit by digit")


def main() -> None:
    """Show all of it in a folder that is deleted."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "class" not in sys.argv[1:]:
            with timed("graded"):
                print(graded(folder), "files, all sorted right")
        class_of_25(folder)


if __name__ == "__main__":
    main()

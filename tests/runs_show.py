"""Shows that runs outlive links: `python -m tests.runs_show ssh|proxy|kills|ends|cost [--seconds S] [--times N]`.

ssh: a real sshd; the client is killed, another login watches, takes over and finishes; the results equal those of
uninterrupted runs, for a training, a tournament with two workers and a sweep.
proxy: the link stalls for so many seconds and survives; then it stays dead, and a second login takes the run.
kills: so many random kills of run, watcher and taker; the table equals that of an uninterrupted run.
ends: so many runs are started, cut, taken and ended, as many as fit in these seconds; nothing is left.
cost: the processor time that 0, 1 and 3 watchers take of a run.
Needs sshd for the first two. Each prints what it saw, and ends with an error if that is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import selectors
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nimtui.games import parse_game
from nimtui.jobs import recording
from nimtui.jobs.work import Work
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.process import sockets
from nimtui.progress import SILENT, Cancelled
from nimtui.store import run_files
from tests.cli.processes import begin, end, run
from tests.cli.test_runs import left, listed, same
from tests.e2e.terminal import Terminal

PATIENCE = 600.0
GAMES = 200_000_000
TRAIN = f"train tower:16 --games {GAMES} --seed 7"
OWN = ("Id:", "Tournament:", "Plan:", "Seconds:", "Times:", "Date:")  # lines that differ between tournaments
BRIEF = 300.0  # seconds of a stall that a link survives here
PACE = 200_000.0  # games per second behind a link that stalls
QUIET = ("-q", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "BatchMode=yes")


def until(true: Callable[[], Any], what: str) -> Any:
    latest = time.monotonic() + PATIENCE
    while not (answer := true()):
        if time.monotonic() > latest:
            raise SystemExit(f"never: {what}")
        time.sleep(0.1)
    return answer


def row(home: Path, what: str, **wanted: Any) -> dict[str, Any]:
    """Wait until the newest run has these values, and return it."""

    def fits() -> dict[str, Any] | None:
        first = next(iter(listed(home)), {})
        return first if wanted.items() <= first.items() and (first["state"] != "going" or first["done"]) else None

    found: dict[str, Any] = until(fits, what)
    return found


class Server:
    """An sshd of this user with a key, which knows one home of nimtui."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.home, self.port = folder, home, _free_port()
        for name in ("host", "user"):
            key = folder / name
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        shutil.copy(folder / "user.pub", folder / "authorized")
        config = folder / "sshd_config"
        environment = {"NIMTUI_HOME": home, "XDG_RUNTIME_DIR": folder / "run", "PYTHONPATH": Path.cwd()}
        (folder / "run").mkdir()
        config.write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder / 'host'}\nUsePAM no\nStrictModes no\n"
            f"AuthorizedKeysFile {folder / 'authorized'}\nPidFile none\nPermitRootLogin yes\n"
            "PasswordAuthentication no\nSetEnv " + " ".join(f"{name}={value}" for name, value in environment.items())
        )
        Path("/run/sshd").mkdir(exist_ok=True)  # where it drops its rights
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen([shutil.which("sshd") or "sshd", "-D", "-e", "-f", config], stderr=log)
        until(lambda: _listens(self.port), "sshd")

    def command(self, words: str, port: int | None = None, terminal: bool = True) -> list[str]:
        key = ("-i", str(self.folder / "user"), "-p", str(port or self.port))
        return ["ssh", *QUIET, *key, "-tt" if terminal else "-T", "127.0.0.1", f"{sys.executable} -m nimtui {words}"]

    def login(self, words: str, port: int | None = None) -> Terminal:
        return Terminal(self.command(words, port), self.folder / "client", columns=100, lines=30)

    def ask(self, words: str) -> str:
        done = subprocess.run(self.command(words, terminal=False), capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode:
            raise SystemExit(f"{words}: {done.stderr}")
        return done.stdout

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


class Proxy:
    """Hands on what comes at a port to another one, unless it stalls."""

    def __init__(self, to: int) -> None:
        self.stalls = False
        self._to, self._listening = to, socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            one, other = self._listening.accept()[0], socket.create_connection(("127.0.0.1", self._to))
            threading.Thread(target=self._hand_on, args=(one, other), daemon=True).start()

    def _hand_on(self, one: socket.socket, other: socket.socket) -> None:
        selector = selectors.DefaultSelector()
        for here, there in ((one, other), (other, one)):
            selector.register(here, selectors.EVENT_READ, there)
        with contextlib.suppress(OSError):
            while True:
                while self.stalls:
                    time.sleep(0.05)
                for key, _ in selector.select(0.05):
                    data = key.fileobj.recv(65536)  # type: ignore[union-attr]  # a socket
                    if not data:
                        return
                    key.data.sendall(data)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@contextlib.contextmanager
def places(**settings: Any) -> Iterator[tuple[Path, Path]]:
    """A folder for a server, and a home with these settings; both go at the end."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        (Path(home) / "settings.json").write_text(json.dumps({"format": 1, **settings}))
        yield Path(folder), Path(home)


def whole(home: Path, file: Path) -> bool:
    """Is a training equal to the bit to an uninterrupted one of as many games?"""
    other, games = home / "whole.npz", Training.load(file).games
    other.unlink(missing_ok=True)
    words = f"train tower:16 --seed 7 --games {games} --save {other} --json"
    process = begin(home, words)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    print(f"  after {games:,} games: equal to the bit: {same(file, other)}")
    return same(file, other)


def show_ssh() -> None:
    with places(background="always") as (folder, home):
        server = Server(folder, home)
        try:
            print("training: app over ssh; the client is killed")
            terminal = server.login(TRAIN)
            first = row(home, "the run of the app", state="going")
            terminal.signal(signal.SIGKILL)
            second = row(home, "the run in the background", state="going", background=True)
            assert second["id"] == first["id"] and second["pid"] != first["pid"]
            print(f"  run {first['id']} went on from process {first['pid']} to {second['pid']}")
            terminal = server.login("")
            assert terminal.sees("Watch it"), terminal.text
            terminal.press("enter")
            assert terminal.becomes(lambda: "● " in terminal.text and "right" in terminal.text), terminal.text
            print("  second login: start screen, Enter, and the map:")
            print("\n".join("    " + line for line in terminal.text.splitlines()[:12]))
            until(lambda: row(home, "a watcher", state="going")["watchers"], "a watcher")
            terminal.press("T")
            third = row(home, "taken over", state="going", background=False)
            assert third["pid"] not in (first["pid"], second["pid"])
            print(f"  T took it over: process {third['pid']}")
            last = row(home, "the end", state="finished")
            assert last["done"] == GAMES and whole(home, Path(last["file"]))
            terminal.press("\x11")
            assert terminal.ends() == 0

            print("tournament with two workers")
            words = "tournament nim:5,6,7 -a random -a mc:playouts=300 -a perfect --games 1200 --workers 2 --seed 5"
            passed_on(server, words)
            uninterrupted(home, f"{words} --json")
            ours, theirs = (_games(home, number, home / f"{number}.json") for number in (1, 2))
            print(f"  {len(ours)} games, equal to those of an uninterrupted one: {ours == theirs}")
            assert len(ours) == 3600 and ours == theirs

            print("sweep with two workers")
            words = "sweep nim:7,5,3 -l quality --grid margin=50..90:10 --repeats 20 --games 300000 --workers 2"
            passed_on(server, f"{words} --save {home}/a.jsonl")
            uninterrupted(home, f"{words} --save {home}/b.jsonl --json")
            both = [sorted((home / name).read_text().splitlines()[1:]) for name in ("a.jsonl", "b.jsonl")]
            pairs = [[_untimed(line) for line in lines] for lines in both]
            print(f"  {len(pairs[0])} trainings, equal to those of an uninterrupted one: {pairs[0] == pairs[1]}")
            assert len(pairs[0]) == 100 and pairs[0] == pairs[1]
            assert not left(home) and not list((folder / "run" / "nimtui").iterdir())
        finally:
            server.close()


def uninterrupted(home: Path, words: str) -> None:
    """Run a command to its end, however long that takes beside other programs."""
    process = begin(home, *words.split())
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, words


def passed_on(server: Server, words: str) -> None:
    """Start a command in the background, take it over in an app, kill that app's client, and take it again."""
    server.ask(f"{words} --background")
    first = row(server.home, "in the background", state="going", background=True)
    terminal = server.login("")
    assert terminal.sees("Watch it"), terminal.text
    terminal.press("enter")
    assert terminal.sees("T take over"), terminal.text
    terminal.press("T")
    second = row(server.home, "taken over by the app", state="going", background=False)
    terminal.signal(signal.SIGKILL)
    third = row(server.home, "in the background again", state="going", background=True)
    taker = subprocess.Popen(server.command(f"runs take {first['id']} --json", terminal=False), stdout=subprocess.PIPE)
    fourth = row(server.home, "taken over without a screen", state="going", background=False)
    pids = [each["pid"] for each in (first, second, third, fourth)]
    print(f"  run {first['id']} passed on, the second by a killed client: processes {pids}")
    assert len(set(pids)) == 4 and len({each["id"] for each in (first, second, third, fourth)}) == 1
    taker.communicate(timeout=PATIENCE)
    last = row(server.home, "its end", state="finished")
    assert last["done"] == last["goal"]


def _games(home: Path, number: int, file: Path) -> list[Any]:
    assert run(home, f"tournaments export {number} --to {file}").status == 0
    texts = json.loads(file.read_text())["transcripts"]
    return sorted("\n".join(line for line in text.splitlines() if not line.startswith(OWN)) for text in texts)


def _untimed(line: str) -> Any:
    return {name: value for name, value in json.loads(line).items() if "seconds" not in name}


def show_proxy(seconds: float) -> None:
    with places(background="always") as (folder, home):
        server = Server(folder, home)
        proxy = Proxy(server.port)
        try:
            terminal = server.login(TRAIN.replace(str(GAMES), "2000000000"), proxy.port)
            first = row(home, "the run of the app", state="going")
            asker = sockets.Asker(first["address"])
            asker.ask({"ask": "speed", "amount": PACE})  # so that it does not end meanwhile
            asker.close()
            proxy.stalls, sent = True, terminal.sent
            time.sleep(seconds)
            during = row(home, "during the stall", state="going")
            assert during["pid"] == first["pid"] and during["done"] > first["done"]
            if seconds <= BRIEF:
                proxy.stalls = False
                assert terminal.becomes(lambda: terminal.sent > sent + 500)
                after = row(home, "after the stall", state="going")
                assert after["pid"] == first["pid"] and terminal.status() is None
                print(f"stalled {seconds:g} s: the link survived, process {first['pid']} went on, nothing handed over")
                proxy.stalls = True
                time.sleep(15)
            os.environ["NIMTUI_HOME"] = str(home)
            began = time.monotonic()
            run_files.take(run_files.read(first["id"]))
            print(f"dead for {seconds:g} s: asked by a new process, the app saved and stopped in", end=" ")
            print(f"{time.monotonic() - began:.2f} s", flush=True)
            taker = subprocess.Popen(server.command("runs take --json", terminal=False), stdout=subprocess.PIPE)
            until(lambda: _taken(home, first["pid"]), "the app behind the dead link ends")
            second = row(home, "taken over", state="going")
            assert second["pid"] != first["pid"] and second["id"] == first["id"]
            until(lambda: not Path(f"/proc/{first['pid']}").exists(), "the app behind the dead link is gone")
            run(home, "runs stop")
            taker.communicate(timeout=PATIENCE)
            assert whole(home, Path(first["file"]))
            terminal.signal(signal.SIGKILL)
        finally:
            server.close()


def _taken(home: Path, pid: int) -> dict[str, Any] | None:
    first = listed(home)[0]
    return first if first["pid"] != pid or first["state"] != "going" else None


def show_kills(times: int) -> None:
    draw = random.Random(42)
    with places() as (_, home):
        file = home / "a.npz"
        words = ("--games", "2000000000", "--seed", "7", "--save", str(file), "--json")
        processes = {"run": begin(home, "train", "tower:16", *words)}
        row(home, "the run", state="going")
        counts = dict.fromkeys(("run", "watcher", "taker"), 0)
        for _ in range(times):
            if "run" not in processes:
                processes["run"] = begin(home, "runs", "take", "--json")
            processes["watcher"] = begin(home, "runs", "watch", "1", "--json")
            if draw.random() < 0.3:
                processes["taker"] = begin(home, "runs", "take", "1", "--json")
            time.sleep(draw.uniform(0.1, 6.0))
            victim = draw.choice(sorted(processes))
            counts[victim] += 1
            process = processes.pop(victim)
            with contextlib.suppress(ProcessLookupError):  # the taker that was told that another one had the run
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            for name in list(processes):
                if name != "run" or processes[name].poll() is not None:
                    processes[name].kill()
                    processes.pop(name).communicate()
        for process in processes.values():
            process.kill()
            process.communicate()
        assert len(listed(home)) == 1
        taker = begin(home, "runs", "take", "--json")
        row(home, "the last one", state="going", pid=taker.pid)
        end(taker, signal.SIGTERM)
        print(f"killed: {counts}; runs in the list: {len(listed(home))}; left beside: {sorted(left(home))}")
        assert whole(home, file) and not left(home)


def show_ends(times: int, seconds: float) -> None:
    draw = random.Random(300)
    os.environ["XDG_RUNTIME_DIR"] = folder = tempfile.mkdtemp()
    with places() as (_, home):
        ends = dict.fromkeys(("finished", "stopped", "killed", "taken"), 0)
        latest = time.monotonic() + seconds
        for at in range(times):
            if at and not at % 50:
                print(f"{at} runs: {ends}", flush=True)
            if latest < time.monotonic():
                break
            file, how = home / f"{at}.npz", draw.choice(sorted(ends))
            games = 2000 if how == "finished" else 2_000_000_000
            run(home, f"train nim:3,4,5 --games {games} --save {file} --background")
            ends[how] += 1
            first = _listed(home)[0]
            if how == "stopped":
                run(home, f"runs stop {first['id']}")
            elif how == "killed":
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(first["pid"], signal.SIGKILL)
            elif how == "taken":
                taker = begin(home, "runs", "take", str(first["id"]), "--json")
                until(lambda: _listed(home)[0]["pid"] == taker.pid or taker.poll() is not None, "a taker")  # noqa: B023
                end(taker, signal.SIGTERM)
            else:
                until(lambda: _listed(home)[0]["state"] == "finished", "the end")
        run(home, "train nim:3,4,5 --games 20000000 --json")  # the next start clears what the killed left
        states = [one["state"] for one in _listed(home)]
        ids = [one["id"] for one in _listed(home)]
        places_left = list((Path(folder) / "nimtui").glob("*"))
        print(f"ended: {ends}; processes left: {_nimtuis(home)}; sockets: {places_left}; files: {left(home)}")
        assert not {"going", "paused"} & set(states) and len(set(ids)) == len(ids)
        assert not places_left and not left(home) and not _nimtuis(home)


def _listed(home: Path) -> list[dict[str, Any]]:
    """The runs, as this process reads them: that is sooner than by another one."""
    os.environ["NIMTUI_HOME"] = str(home)
    return [{"id": one.id, "pid": one.pid, "state": one.state} for one in run_files.every()]


def _nimtuis(home: Path) -> set[int]:
    """The processes of nimtui in the background of this home, by their numbers."""
    numbers, own = set(), f"NIMTUI_HOME={home}".encode()
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().split(b"\0")
            if own in words and any(word.startswith(b"NIMTUI_BACKGROUND=") for word in words):
                numbers.add(int(path.parent.name))
    return numbers


def show_cost(times: int, seconds: float) -> None:
    """Measure the processor time that watchers take of a run, a second: of the thread of the games, which makes views
    for them, and of the threads that answer them. Other programs on this machine make both larger, by cold caches.
    """
    with places() as (_, home):
        os.environ["NIMTUI_HOME"] = str(home)
        training = Run(Training(parse_game("tower:16"), "reward", 7), home / "a.npz")
        training.goal(2_000_000_000)
        spent, look = 0.0, training.views.look

        def looking() -> None:
            nonlocal spent
            began = time.thread_time()
            look()
            spent += time.thread_time() - began

        def work() -> None:
            with contextlib.suppress(Cancelled):
                Work.here(training, SILENT)

        training.views.look = looking  # type: ignore[method-assign]
        thread = threading.Thread(target=work)
        thread.start()
        file = until(lambda: next((one.file for one in recording.going if one.file is not None), None), "the run")
        shares: dict[int, list[tuple[float, float]]] = {watchers: [] for watchers in (0, 1, 3)}
        for _ in range(times):
            for watchers, some in shares.items():
                time.sleep(3.5)  # until nobody seems to watch
                askers = [multiprocessing.Process(target=_ask, args=(file.address, seconds)) for _ in range(watchers)]
                for asker in askers:
                    asker.start()
                before, began = (spent, _used()), time.monotonic()
                time.sleep(seconds)
                took = time.monotonic() - began
                some.append(((spent - before[0]) / took, (_used() - before[1]) / took))
                for asker in askers:
                    asker.join()
        training.job.cancel()
        thread.join()
        for watchers, some in shares.items():
            words = [
                f"{statistics.mean(each):.3%} ± {2 * statistics.stdev(each) / len(each) ** 0.5:.3%}"
                for each in zip(*some, strict=True)
            ]
            print(f"{watchers} watchers: of a core {words[0]} in the games' thread, {words[1]} beside it", flush=True)


def _used() -> float:
    """The processor time of the threads that answer, in seconds."""
    threads = [thread.ident for thread in threading.enumerate() if thread.name == "sockets"]
    return sum(time.clock_gettime(time.pthread_getcpuclockid(ident)) for ident in threads if ident is not None)


def _ask(address: str, seconds: float) -> None:
    """Ask as often as an app, for the same."""
    asker, number, points, past, latest = sockets.Asker(address), 0, 0, -1, time.monotonic() + seconds
    while time.monotonic() < latest:
        question = {"ask": "picture", "since": number, "points": points, "nodes": [0], "past": past}
        picture = asker.ask(question)["picture"]
        number, points, past = picture.get("number", 0), picture["points"], picture.get("games", -1)
        time.sleep(0.5)
    asker.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("show", choices=("ssh", "proxy", "kills", "ends", "cost"))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--times", type=int, default=100)
    chosen = parser.parse_args()
    match chosen.show:
        case "ssh":
            show_ssh()
        case "proxy":
            show_proxy(chosen.seconds)
        case "kills":
            show_kills(chosen.times)
        case "ends":
            show_ends(chosen.times, chosen.seconds)
        case "cost":
            show_cost(chosen.times, chosen.seconds)


if __name__ == "__main__":
    main()

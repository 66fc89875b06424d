"""Where a sequence starts: every screen and every dialog, each in a state that shows something."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from nimtui.playing.replay import KeptGame
from nimtui.playing.setup import PlaySetup
from nimtui.ui.play.compare_setup import CompareSetup
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.search.work import SearchWork
from nimtui.ui.sweep.setup import SweepSetup
from nimtui.ui.tournament.setup import TournamentSetup
from nimtui.ui.train.lane import PACES
from nimtui.ui.train.setup import TrainSetup
from tests.fuzz.drive import Drive
from tests.fuzz.faults import Broken
from tests.fuzz.home import TAUGHT
from tests.fuzz.steps import KEYS, Step
from tests.fuzz.watched import WatchedApp

NIM, ROW, FOUR = "nim:3,2,1", "subtraction:21,3:misere", "connect:5x4x4"
TREE, DEEP = "mcts:simulations=900000,c=1.0", "alphabeta:depth=24"  # searches that take long
F1, F3, F4, F5, F6 = (KEYS[f"f{number}"] for number in (1, 3, 4, 5, 6))
DOWN, ESCAPE, ENTER = KEYS["down"], KEYS["escape"], KEYS["enter"]
PALETTE, QUIT = KEYS["ctrl+p"], KEYS["ctrl+q"]
Open = Callable[[WatchedApp], object]


class Start(NamedTuple):
    """How a state is reached: what the app is asked, the steps after it, and the class of screen shown then."""

    screen: str
    steps: tuple[Step, ...] = ()
    open: Open = lambda app: None
    under_way: bool = False  # something runs there, and runs on; else all jobs end first
    offered: str = ""  # the action of the last letter, or of the last key, which the screen has to offer first
    state: Callable[[WatchedApp], bool] = lambda app: True  # what holds at last


def played(game: str, *seats: str, position: str | None = None) -> Open:
    return lambda app: app.play(PlaySetup(game, position, (seats[0], seats[1]), 1))


def trained(learner: str = "quality", rival: str = "", goal: str = "500", pace: int = -1) -> Open:
    def open(app: WatchedApp) -> None:
        app.training.pace = PACES[pace]
        app.begin("train", TrainSetup(NIM, learner, rival, 1, goal))

    return open


def searched(game: str, way: str) -> Open:
    return lambda app: app.begin("search", SearchSetup(game, None, way))


def compared(game: str, *agents: str, view: str = "table") -> Open:
    return lambda app: app.begin("compare", CompareSetup(game, None, agents, view=view))


def held(*agents: str, number: int = 4, thoughts: bool = False) -> Open:
    setup = TournamentSetup((ROW,), agents, number=number, seed=1, workers=1, thoughts=thoughts)
    return lambda app: app.begin("tournament", setup)


def swept(games: int = 500) -> Open:
    return lambda app: app.begin("sweep", SweepSetup(NIM, "quality", ("margin=50,90", "win=19,29"), 1, games, 1, 1))


def shown(app: WatchedApp) -> None:
    """Show a saved game of Nim 3,2,1."""
    app.show_game(KeptGame(NIM, "me", "perfect", tuple(app_game()), title="cup"))


def app_game() -> list[int]:
    from tests.ui.shelving import codes, parse_game

    return codes(parse_game(NIM), "a3 b1 b1 c1")


def has_learned(app: WatchedApp) -> bool:
    return app.game_played.session.learned is not None


def is_reviewing(app: WatchedApp) -> bool:
    return bool(getattr(app.screen, "reviewing", False))


ME, RANDOM, SLOW = "me", "random", "mcts:simulations=300000"
LEARNER = "reward:games=100,seed=0"
OVER = (b"a1", ENTER, b"b1", ENTER)
TO_LEARN = (b"a1", ENTER, 0.1, b"l")
STARTS: dict[str, Start] = {
    "start": Start("StartScreen"),
    "settings": Start("SettingsScreen", (b"s",)),
    "help": Start("HelpScreen", (F1,)),
    "palette": Start("Palette", (PALETTE,)),
    "small": Start("StartScreen", ((40, 10),)),
    "play": Start("PlayScreen", (), played("tower:16", ME, "perfect")),
    "play columns": Start("PlayScreen", (), played(FOUR, ME, RANDOM)),
    "play neighbours": Start("PlayScreen", (), played("adjacent:1,3,5", ME, ME)),
    "play rows": Start("PlayScreen", (), played("nim:60,3,200:max=3", ME, RANDOM)),
    "play thinking": Start("PlayScreen", (), played("connect4", SLOW, ME), True),
    "watched": Start("PlayScreen", (b"-",), played("nim:9,8,7", RANDOM, RANDOM), True),
    "over": Start("PlayScreen", OVER, played("nim:1,1", ME, ME)),
    "another player": Start("PlayScreen", (b"o",), played(NIM, ME, RANDOM)),
    "analysed": Start("PlayScreen", (b"A",), played("connect4", ME, ME), True),
    "analysed and solved": Start("PlayScreen", (b"A",), played("tower:16", ME, RANDOM), True),
    "thinking aloud": Start("PlayScreen", (b"4", ENTER), played("connect4", ME, SLOW), True),
    "analysed while thinking": Start("PlayScreen", (b"A", b"4", ENTER), played("connect4", ME, SLOW), True),
    "values": Start("PlayScreen", (b"d3", ENTER, b"V"), played("tower:16", ME, "mc:playouts=20")),
    "values explained": Start("PlayScreen", (b"V", b"w"), played("nim:1,1", ME, ME)),
    "lesson": Start("LessonScreen", TO_LEARN, played("nim:1,1", ME, LEARNER), offered="learn"),
    "taught": Start(
        "PlayScreen", (*TO_LEARN, ENTER), played("nim:1,1", ME, LEARNER), offered="learn", state=has_learned
    ),
    "taught and saved": Start(
        "PlayScreen", (*TO_LEARN, ENTER, ENTER), played("nim:1,1", ME, LEARNER), state=has_learned
    ),
    "taught before": Start(
        "PlayScreen", (*TO_LEARN, ENTER), played("nim:1,1", ME, f"table:{TAUGHT}"), state=has_learned
    ),
    "review": Start("ReplayScreen", (*OVER, b"r"), played("nim:1,1", ME, ME), state=is_reviewing),
    "new game": Start("NewGame", (b"n",)),
    "quit": Start("QuitScreen", (b"d3", ENTER, QUIT), played("tower:16", ME, RANDOM)),
    "replay": Start("ReplayScreen", (), shown),
    "replay thoughts": Start("ReplayScreen", (F6, 0.5, b"/alphabeta", ENTER, 0.5, ENTER)),
    "replay review": Start("ReplayScreen", (b"r",), shown, state=is_reviewing),
    "train choice": Start("TrainChoice", (F3,)),
    "train form": Start("TrainForm", (F3, b"e")),
    "train runs": Start("RunChoice", (F3, b"r")),
    "train": Start("TrainScreen", (), trained(pace=2, goal="endless"), True),
    "train ended": Start("TrainScreen", (), trained()),
    "train two": Start("TrainScreen", (), trained("quality:margin=50", "quality:margin=90", "900")),
    "train list": Start("TrainScreen", (b"l",), trained("reward")),
    "train reset": Start("TrainScreen", (b"R",), trained("reward")),
    "search choice": Start("SearchChoice", (F4,)),
    "search form": Start("SearchForm", (F4, b"e")),
    "search": Start("SearchScreen", (), searched("nim:1,2,3,4", "alphabeta:depth=4,heuristic=original")),
    "search grown": Start("SearchScreen", (), searched(ROW, "mcts:simulations=500,c=1.0")),
    "search flat": Start("SearchScreen", (), searched(NIM, "mc:playouts=50")),
    "search growing": Start(
        "SearchScreen", (), searched("connect4", TREE), True, state=lambda app: app.conductor(SearchWork).running
    ),
    "search deepening": Start(
        "SearchScreen", (), searched("connect4", DEEP), True, state=lambda app: app.conductor(SearchWork).running
    ),
    "search paused": Start(
        "SearchScreen",
        (0.3, b" "),
        searched("connect4", TREE),
        True,
        "pause",
        lambda app: app.conductor(SearchWork).paused,
    ),
    "search stopped": Start(
        "SearchScreen",
        (0.3, ESCAPE),
        searched("connect4", TREE),
        True,
        "stop",
        lambda app: app.conductor(SearchWork).stopped,
    ),
    "search proving": Start(
        "SearchScreen", (0.3, b"P"), searched("connect4", "mcts:simulations=99,c=1.0,proven=yes"), True, "prove"
    ),
    "search beside": Start("ComparisonScreen", (b"b", 0.3), searched(NIM, "alphabeta:depth=-1")),
    "compare choice": Start("CompareChoice", (b"b",)),
    "compare form": Start("CompareForm", (b"a",), compared(NIM, "mc:playouts=50", "perfect")),
    "compare": Start("ComparisonScreen", (), compared(NIM, "mcts:simulations=500,c=1.0", "alphabeta:depth=4")),
    "compare running": Start("ComparisonScreen", (), compared(ROW, "mcts:simulations=900000,c=1.0", RANDOM), True),
    "compare curves": Start("ComparisonScreen", (), compared(NIM, "mcts:simulations=500,c=1.0", "mc", view="curve")),
    "compare trees": Start(
        "ComparisonScreen", (b"s",), compared(NIM, "mcts:simulations=99,c=1.0", "alphabeta:depth=4")
    ),
    "compare map": Start("ComparisonScreen", (b"m",), compared(NIM, "reward:games=100,seed=0", "perfect")),
    "compare list": Start(
        "ComparisonScreen", (b"m", b"m"), compared(NIM, "reward:games=100,seed=0", "perfect", "table:kept"), False
    ),
    "compare depths": Start("ComparisonScreen", (b"d",), compared(NIM, "alphabeta:depth=4", RANDOM)),
    "compare trees growing": Start("ComparisonScreen", (b"s",), compared("connect4", TREE, DEEP), True),
    "tournament choice": Start("TournamentScreen", (F5,)),
    "tournament form": Start("TournamentForm", (F5, b"n")),
    "tournament set-ups": Start("SetupList", (F5, b"n", KEYS["ctrl+o"])),
    "tournament": Start("TournamentScreen", (), held("perfect", RANDOM, "mc:playouts=20")),
    "tournament running": Start("TournamentScreen", (), held(RANDOM, "mcts:simulations=5000", number=2000), True),
    "looked on": Start("LookingOn", (b"o",), held(RANDOM, "mcts:simulations=5000", number=2000), True, "look_on"),
    "pairing": Start("PairingScreen", (0.3, ENTER), held("perfect", RANDOM)),
    "pairing thoughts": Start("PairingScreen", (0.3, ENTER), held("mc:playouts=20", RANDOM, thoughts=True)),
    "sweep choice": Start("SweepChoice", (b"S",)),
    "sweep form": Start("SweepForm", (b"S", b"e")),
    "sweep": Start("SweepScreen", (), swept()),
    "sweep list": Start("SweepList", (b"o",), swept()),
    "sweep running": Start("SweepScreen", (), swept(2_000_000), True),
    "library": Start("LibraryScreen", (F6,)),
    "library filter": Start("LibraryScreen", (F6, b"/", b"n")),
    "library rename": Start("LibraryScreen", (F6, b"R")),
    "library export": Start("ExportForm", (F6, 0.5, b"e")),
    "library import": Start("LibraryScreen", (F6, b"i")),
    "library taught": Start("LibraryScreen", (F6, 0.5, b"/pupil", ENTER, 0.5, b"c"), offered="compare"),
    "library versions": Start("CompareScreen", (F6, 0.5, b"/pupil", ENTER, 0.5, b"c", ENTER)),
    "library compare": Start("CompareScreen", (F6, 0.5, b"2", DOWN, b" ", DOWN, b"c")),
}

PATIENCE = 60.0  # seconds until an app is there, on a busy machine


async def reach(drive: Drive, name: str) -> None:
    """Bring the app there. Broken where that is not possible."""
    start, app = STARTS[name], drive.app
    keys = [step for step in start.steps if isinstance(step, bytes)]
    waiting = [key for key in keys if key.isalpha()] or keys
    start.open(app)
    for step in (0.0, *start.steps):
        if start.offered and step == waiting[-1]:
            await drive.until(lambda: bool(app.screen.check_action(start.offered, ())), PATIENCE)
        await drive.do(step)
        if not start.under_way:
            await drive.until(lambda: not app.jobs.running(), PATIENCE)
    if not await drive.until(lambda: type(app.screen).__name__ == start.screen, PATIENCE) and not app.found:
        raise Broken(f"start {name}", f"{start.screen} is not shown, but {type(app.screen).__name__}")
    if not await drive.until(lambda: start.state(app), PATIENCE) and not app.found:
        raise Broken(f"start {name}", "its state is not reached")
    await drive.settle()  # a screen that a job has just opened is composed and painted too

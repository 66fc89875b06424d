"""The Train screen: the map of all positions, the curve, one position with its moves, and the controls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import events

from nimtui.errors import InputError
from nimtui.playing.setup import ME, PlaySetup, fresh_seed
from nimtui.report.copies import Copy
from nimtui.store.run_files import RunFile
from nimtui.store.settings import Settings
from nimtui.ui.board.position_map import PositionMap
from nimtui.ui.board.preview import Preview
from nimtui.ui.kit.contract.command import Command, NotNow, Possible, family
from nimtui.ui.kit.widgets.page import APPLY, Prompt, filtering, going_to
from nimtui.ui.kit.work_screen import TAKE, StageScreen, foreign, new_row, turn
from nimtui.ui.train import view as train_view
from nimtui.ui.train.form import GoOn, RunChoice, TrainChoice
from nimtui.ui.train.lane import SEARCH
from nimtui.ui.train.position_list import PositionList
from nimtui.ui.train.setup import TrainSetup
from nimtui.ui.train.stage import Asked, TrainStage
from nimtui.ui.train.work import TrainWork

HELP = (
    "A learner plays against itself. After every game it changes the scores of the moves it made. The app knows the "
    "exact value of every position. This screen shows what the learner knows, and how much of it is right.\n\n"
    "Curve: the number of games runs from left to right, on a log scale. Accuracy is the share of right moves among "
    "the best-scored moves. Lost positions do not count. At 100 % every best move is right. Unbeaten is the exact "
    "probability that these moves do not lose to perfect play from the start.\n\n"
    "Position under the cursor: each move has its score and how often it was played. ✓ marks a right move. The small "
    "graph is the history of the score from the first game on; ─ has never changed. Bars are on a log scale. j and k "
    "mark a move, Enter follows it, Backspace goes back. Press . to watch one game move by move, and then what "
    "changed in the table. At one or two games per second you see every game this way.\n\n"
    "Map: every position has a sign. ● right: the best-scored move keeps the value of the position. × wrong: it is a "
    "mistake. ○ undecided: several moves share the best score, and only some are right. · lost: every move loses. "
    "◐ stands for several positions, most of them right. Where no score is above 0, the reward learner draws among "
    "all moves: the position under the cursor says so. "
    "Signs that changed within the last second stand out. Learning spreads from the end of the game backwards, "
    "because a move is judged by the positions after it. o sorts the map by matches left, nim-sum or number. z shows "
    "one position per cell.\n\n"
    "Why the reward learner freezes below 100 %: if the best score is above zero, it plays that move, the first of "
    "equals. It never tries the others again, and it never learns positions that it no longer reaches. It still wins "
    "from the start. The quality learner plays any move whose score is near the best, so it continues to try other "
    "moves. With a margin of 90 it does so nearly for ever; with 50 it gets stuck too. The proof learner carries "
    "proven results back from the last move and needs the fewest games.\n\n"
    "A function learns games that have too many positions for a table: it adds up numbers for what it sees. Where the "
    "positions cannot be listed, the map shows some of an exact sample by the plies played, and the curve the share of "
    "right moves in all of it; in each of these positions the moves differ in their result. w shows why the marked "
    "move has its value: what each cell adds, and the tuples that say most for and against it. W shows the heaviest "
    "patterns that were learned, each with its name if a person has one for it. Below it stands how often the games "
    "met it or its mirror image. After 1,000 games that is about (~), as one game counts for many; rarely: "
    "in no game that counts. A saved training counts again from where you open it. Rows count from below: the first "
    "player gains by threats on odd rows, the second by those on even rows. Of a network, w and W show the hidden "
    "units. Each cell has the sign of the weight of a disc of the first player there, then of the second. A unit adds "
    "to the marked move what is missing without it. The sum goes through tanh: a value is an expected result from −1, "
    "lost, to +1, won. "
    "Above each column of a board stand two bars from lost, empty, to won, full: the function's value and the exact "
    "result. Small signs on the map are positions that no game of the learner has met: • right, ∗ wrong. Press . to "
    "see what one game taught: V is the value of the position after the move, G what it should have been, and the step "
    "what the weights learned from the error G − V. < and > go back and forth through the game."
    "\n\n"
    "Where it errs: x goes to the wrong position that it met most in training, then to the next. Those "
    "met equally often follow by plies: a function meets few positions of a sample. t shows what the learner "
    "thought of the position earlier: a sign for each picture since the screen shows it, and the best moves then. E "
    "plays 60 games against a search of depth 2, after two random moves, and solves its positions. Of a large game the "
    "map then shows these positions; of a small one x goes to the most met of them. The line below says how many "
    "mistakes were in positions that it did not meet in training, or in 1,000 games against itself. E again ends that. "
    "With two learners D goes to the next position that only one plays right, and says if that one ever met it."
    "\n\n"
    "p plays against the learner as it is now from the start, P from the position under the cursor. After the game l "
    "on the Play screen lets it learn from it, and shows what that changes. The training continues while you play or "
    "use another screen. It is saved every ten seconds, when you pause it and when it stops. r opens a saved "
    "training, paused. Training past the goal uses a new file, so the finished table stays. S opens the sweep, which "
    "compares settings of a learner."
)


ANSWERS = ("reset_now", "keep")  # to the question whether to start over
ALWAYS = ("new", "runs", "app.mode")  # possible without a training
ONE_GAME, BEYOND = "Play one game move by move, then pause", "Train past the goal (new file)"
TO_CHANGE = "Run until a best move changes, show that game, and go there"
TO_WRONG = "Go to the wrong or undecided position that it meets most, then to the next"
TO_WHY, HEAVIEST = "Why the function values the marked move so", "The heaviest patterns that it has learned"
PAST = "What it thought of the position earlier, and when it was right"
TO_GOAL = "Train to another number of games"
TO_MAP = "Return from the list to the map"
TO_SEARCH = "Play a search of depth 2, and show where it errs; or show all again"
TO_DIFFERENCE = "Go to the next position that only one of the two plays right"
BACK, ON = "Go a move back in the game that was played alone", "Go a move forwards in that game"
PLAY_HERE = "Play the position under the cursor: the table moves first"


class TrainScreen(StageScreen[TrainWork, TrainStage], place="train"):
    """Forwards keys to the app's conductor, which runs the training, and to the stage, which shows it."""

    BESIDE = (PositionMap, PositionList)
    CONDUCTOR, STAGE, NEW, SAVED = TrainWork, TrainStage, TrainChoice, RunChoice
    ABOVE: ClassVar = {"status": lambda s: train_view.status(s.conductor)}
    BELOW: ClassVar = {"prompt": lambda s: train_view.prompt(s.conductor, s.asking)}
    BINDING_GROUP_TITLE, WRONG = "Train", "Cannot start this training"
    HELP = HELP
    AUTO_FOCUS = "#map0"

    asking = False  # is the question open whether to start over?

    def begin(self, answer: TrainSetup | Path | GoOn | RunFile) -> None:
        """Start a training, open or resume the one in a file, or show that of another nimtui."""
        if isinstance(answer, GoOn):
            self.conductor.resume(answer.path, held=False)
        else:
            super().begin(answer)

    # Showing.

    def tick(self) -> None:
        self.stage.look()
        self.typing_changed()

    def settings_changed(self, settings: Settings) -> None:
        if self.is_current:
            self._watch()
        super().settings_changed(settings)

    def on_screen_suspend(self) -> None:
        self.conductor.watch(None)
        self.stage.sight.rest()

    def on_screen_resume(self) -> None:
        self._watch()
        self.query_one(Preview).play()
        if self.focused is None:
            self.stage.map().focus()

    def _watch(self) -> None:
        """Make views as often as the screen draws; half as often on a slow line."""
        app = self.shell
        self.conductor.watch(2 * app.tick if app.slow else app.tick)

    # The keyboard.

    def on_key(self, event: events.Key) -> None:
        """Answer the question with Enter, before the map takes the key."""
        if event.key == "enter" and self.asking:
            event.stop()
            event.prevent_default()
            self.reset()

    def take(self, text: str) -> None:
        """Go to the typed position, or train to the typed number of games."""
        if self.typing.asked is Prompt.GOAL:
            self.conductor.change_goal(text)
        else:
            self.stage.goto(text)

    # Actions.

    @property
    def rules(self) -> str:
        """What the function under the cursor has learned, in sentences; '' of a table."""
        return self.stage.summary() if self.functional() else ""

    def copies(self) -> list[Copy]:
        setup = self.conductor.setup
        return [*self.stage.copies(), *([setup.command_of(self.stage.sight.active)] if setup is not None else [])]

    def ask_reset(self, asking: bool) -> None:
        self.asking = asking
        self.draw()

    def reset(self) -> None:
        self.asking = False
        self.stage.sight.rest()
        self.conductor.reset()

    def play(self) -> None:
        """Play against the current table; the training continues meanwhile."""
        self._play(lambda game, table: PlaySetup(game, None, (ME, table), fresh_seed()))

    def play_here(self) -> None:
        """Play the position under the cursor: the table moves first, with the seed of the training."""
        position, seed = self.stage.position, self.conductor.setup.seed if self.conductor.setup is not None else 0
        self._play(lambda game, table: PlaySetup(game, position, (table, ME), seed))

    def _play(self, setup: Callable[[str, str], PlaySetup]) -> None:
        """Save the current table, and play the game that `setup` makes of the game and the table's name."""
        if self.conductor.game is None:
            return
        game = self.conductor.game.name

        def play(path: Path) -> None:
            try:
                self.shell.play(setup(game, f"table:{path}").validate())
            except InputError as fault:
                self.notify(str(fault), severity="error")

        self.conductor.copy(self.stage.sight.active, self.while_shown(play))

    # Commands.

    def seen(self) -> Possible:
        return (self.there and self.stage.seen) or NotNow("The game is not solved yet: wait for the map")

    def whole(self) -> Possible:
        """Is every position listed, so that what a game changes can be told?"""
        only_some = NotNow("The map shows only some positions: no game goes along them", absent=True)
        return self.seen() and (self.conductor.whole or only_some)

    def functional(self) -> Possible:
        """Does a function learn, whose value can be taken apart?"""
        no_function = NotNow("A table holds a number for each move: it has no reasons", absent=True)
        lanes, active = self.conductor.lanes, self.stage.sight.active
        return self.seen() and (lanes[min(active, len(lanes) - 1)].training.estimator is not None or no_function)

    def followed(self) -> Possible:
        """Is there a game to walk through?"""
        no_game = NotNow("No game is shown move by move: play one first", absent=True)
        return self.seen() and ((self.conductor.following and self.stage.sight.game is not None) or no_game)

    def two(self) -> Possible:
        """Do two learners stand beside each other?"""
        return len(self.conductor.lanes) > 1 and self.seen()

    def solved(self) -> Possible:
        """Is nothing in the way of games against a search?"""
        return self.seen() and (not self.conductor.on_errand(SEARCH) or NotNow("The games against a search go on"))

    def against_search(self) -> None:
        self.stage.sight.rest()  # the map shows its positions, not a game
        self.conductor.against_search(self.stage.sight.active)

    def walk(self, by: int) -> None:
        self.stage.walk(by)

    def listing(self) -> bool:
        return self.there and self.stage.seen and self.stage.listing

    def possible(self, action: str, parameters: tuple[object, ...] = ()) -> Possible:
        """Allow only the answers while the question is open; without a training, only a few commands."""
        if self.asking or action in ANSWERS:
            return self.asking and action in ANSWERS
        return (bool(self.conductor.lanes) or action in ALWAYS) and super().possible(action, parameters)

    def going(self) -> bool:
        return self.conductor.going and not self.conductor.ended

    def held(self) -> bool:
        return not (self.conductor.going or self.conductor.ended)

    def own(self) -> Possible:
        return self.conductor.foreign is None or NotNow("Another nimtui trains it: take it over first")

    ROWS: ClassVar[tuple[Command[TrainScreen], ...]] = (
        Command("space", "pause", "pause", "Pause the training", turn, going),
        Command("space", "go_on", "continue", "Continue the training", turn, held),
        Command("space", "go_further", "continue", BEYOND, turn, lambda s: s.conductor.ended),
        Command("T", "take", "take over", TAKE, lambda s: s.conductor.take(), foreign),
        Command("full_stop", "games(1)", "one game", ONE_GAME, lambda s: s.work.step(1)),
        *family(
            "walk",
            walk,
            ("less_than_sign", "earlier move", BACK, -1),
            ("greater_than_sign", "later move", ON, 1),
            when=followed,
            group="moves of the game",
        ),
        Command("colon", "games(10)", "ten games", "Play ten games, then pause", lambda s: s.work.step(10), show=False),
        Command(
            "plus,equals_sign", "speed(1)", "Faster", "Train faster", lambda s: s.work.change_pace(1), group="speed"
        ),
        Command("minus", "speed(-1)", "Slower", "Train slower", lambda s: s.work.change_pace(-1), group="speed"),
        Command("n", "to_change", "next change", TO_CHANGE, lambda s: s.conductor.to_change(), whole),
        Command("x", "wrong", "next wrong", TO_WRONG, lambda s: s.stage.next_wrong(), seen),
        Command("w", "why", "why", TO_WHY, lambda s: s.stage.ask(Asked.MOVE), functional),
        Command("E", "against_search", "errors", TO_SEARCH, lambda s: s.against_search(), solved, False),
        Command("D", "difference", "difference", TO_DIFFERENCE, lambda s: s.stage.next_difference(), two),
        Command(
            "l", "list", "list", "List all positions: s sorts, / filters them", lambda s: s.stage.toggle_list(), seen
        ),
        APPLY,
        *filtering("positions", listing),
        Command("escape", "close_list", "map", TO_MAP, lambda s: s.stage.toggle_list(), listing, show=False),
        Command("p", "play", "play", "Play against the current table; F3 returns here", play, seen),
        Command("P", "play_here", "play here", PLAY_HERE, play_here, seen, show=False),
        new_row("training"),
        Command("o", "order", "order", "Sort the map in another order", lambda s: s.stage.next_order(), seen, False),
        Command("g", "goto", "go to", "Type a position to go to", lambda s: s.ask_for(Prompt.POSITION), seen, False),
        Command("G", "goal", "goal", TO_GOAL, lambda s: s.ask_for(Prompt.GOAL), going, False),
        Command("W", "patterns", "patterns", HEAVIEST, lambda s: s.stage.ask(Asked.HEAVIEST), functional, False),
        Command("t", "past", "over time", PAST, lambda s: s.stage.ask(Asked.PAST), seen, False),
        Command("j", "mark(1)", "next move", "Mark the next move", lambda s: s.stage.mark(1), seen, show=False),
        Command("k", "mark(-1)", "previous move", "Mark the previous move", lambda s: s.stage.mark(-1), seen, False),
        Command("enter", "follow", "follow", "Follow the marked move", lambda s: s.stage.follow(), seen, show=False),
        Command("backspace", "back", "back", "Return to the previous position", lambda s: s.stage.back(), seen, False),
        Command("c", "checkpoint", "save", "Save the training now", lambda s: s.conductor.checkpoint(), show=False),
        Command("r", "runs", "saved runs", "Open a saved training", StageScreen.ask_saved, show=False),
        Command("S", "app.mode('sweep')", "sweep", "Sweep: compare settings of a learner", show=False),
        Command("R", "reset", "reset", "Start over with the same settings", lambda s: s.ask_reset(True), own, False),
        *going_to("position"),
        Command("y,enter", "reset_now", "start over", "Discard the table and start over", reset),
        Command("escape,backspace,n", "keep", "keep it", "Keep this table", lambda s: s.ask_reset(False)),
    )

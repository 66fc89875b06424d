"""The Search screen: the tree, its windows, the events in time; and its dialogs: presets, and the form as a table of
fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Concatenate, Never, ParamSpec, TypeAlias

from nimtui.errors import InputError, unknown
from nimtui.games import base
from nimtui.jobs.clock import compiling_text
from nimtui.playing.setup import presets
from nimtui.report.copies import Copy
from nimtui.report.values import Named
from nimtui.trees.settings import CHOICES, default_options, parse
from nimtui.trees.settings import OPTIONS as SEARCH_OPTIONS
from nimtui.ui.kit.contract.command import Command, Possible, absent, when
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.forms.dialogs import StartDialog
from nimtui.ui.kit.forms.draft import Choice, Draft, Field
from nimtui.ui.kit.forms.entries import game_field, game_of, offered, position_field
from nimtui.ui.kit.forms.form import SetupForm
from nimtui.ui.kit.forms.kept import names
from nimtui.ui.kit.widgets.page import Prompt, going_to
from nimtui.ui.kit.widgets.panel import Paint, of_message
from nimtui.ui.kit.work_screen import StageScreen, export_row, new_row
from nimtui.ui.play.compare_setup import beside
from nimtui.ui.search import view as search_view
from nimtui.ui.search.setup import FLAT, PRESETS, SearchSetup
from nimtui.ui.search.stage import TRIES, SearchStage, SearchTree
from nimtui.ui.search.work import SearchWork

# The dialogs.

ALGORITHMS = {
    "alphabeta": "minimax that prunes useless branches",
    "minimax": "looks ahead and searches every move",
    "mcts": "a tree that grows at promising moves",
    FLAT: "playouts of every move, without a tree",
}
OF_FLAT = {  # the default first
    "playouts": ("1000", "10000", "100"),
    "policy": ("random", "perfect-opponent", "perfect-both"),
}
OPTIONS = {**SEARCH_OPTIONS, FLAT: tuple(OF_FLAT)}
MEANT: dict[str, tuple[str, Sequence[str]]] = {  # what an option means, and the values offered
    "depth": ("plies to look ahead; −1: to the end of the game", ("4", "3", "6", "8", "-1")),
    "order": ("the order in which moves are searched", CHOICES["order"]),
    "table": ("entries of the transposition table; 0: none", ("0", "65536", "1048576")),
    "deepening": ("search to depth 1, then 2, and so on", ("no", "yes")),
    "heuristic": ("value of a node at the depth limit", CHOICES["heuristic"]),
    "value": ("saved run whose function values positions where the search ends; empty: none", ()),
    "simulations": ("number of simulations", ("500", "100", "10000", "100000")),
    "time": ("seconds to search; 0: no limit. The result depends on the machine", ("0", "0.5", "2", "10")),
    "c": ("preference for rarely visited moves", ("1.0", "1.4", "0.5", "0")),
    "log": ("visits in the bonus: parent or root", CHOICES["log"]),
    "policy": ("how playouts choose moves", CHOICES["policy"]),
    "proven": ("treat proven values as certain", ("no", "yes")),
    "seed": ("same seed, same tree", ("0", "1", "2")),
    "playouts": ("playouts of each move", OF_FLAT["playouts"]),
}


def _algorithm(draft: Any, text: str) -> str:
    if (word := text.strip().lower()) not in ALGORITHMS:
        raise unknown("algorithm", text, tuple(ALGORITHMS))
    return word


class SearchDraft(Draft[SearchSetup]):
    """The form of a search."""

    FIELDS = (
        game_field(
            "any game: nim:1,2,3,4, connect4:4x4, subtraction:21,3:misere, adjacent:1,3,5,7",
            lambda: [("Nim 1,2,3,4", "nim:1,2,3,4"), *presets()],
            placeholder="for example nim:1,2,3,4",
        ),
        position_field("search from this position", ". t in Play sends a position here"),
        Field(
            "algorithm",
            "Algorithm",
            _algorithm,
            lambda draft, word: ALGORITHMS[word],
            "the search algorithm; the fields below are its options",
            tuple(Choice(word, word, about) for word, about in ALGORITHMS.items()),
            "a search algorithm",
            written=lambda setup: setup.search.partition(":")[0],
        ),
    )

    @classmethod
    def of(cls, setup: SearchSetup) -> SearchDraft:
        options = (part.partition("=") for part in setup.search.partition(":")[2].split(","))
        return cls({**cls.written(setup), **{key.strip(): value.strip() for key, _, value in options if key.strip()}})

    @property
    def algorithm(self) -> str:
        """The algorithm as typed, which may not exist."""
        return self.texts["algorithm"].strip().lower()

    @property
    def options(self) -> tuple[str, ...]:
        """The options of the algorithm."""
        return OPTIONS.get(self.algorithm, ())

    @property
    def timed(self) -> bool:
        """Does the form set a time limit? Then depth and simulations have no limit by default."""
        try:
            return "time" in self.options and float(self.texts.get("time", "0")) > 0
        except ValueError:
            return False

    @property
    def entries(self) -> Sequence[Field[Any]]:
        return (*self.FIELDS, *map(self._option, self.options))

    def setup(self) -> SearchSetup:
        options = ",".join(f"{name}={self.text(name).replace('−', '-')}" for name in self.options)
        search = f"{self.texts['algorithm']}:{options}"
        return SearchSetup(self.texts["game"], self.texts["position"] or None, search).validate()

    def field_of(self, wrong: str) -> str:
        """Return the field that an error of the whole form names."""
        return next((name for name in self.options if name in wrong), "algorithm")

    def _option(self, name: str) -> Field[str]:
        flat = self.algorithm == FLAT
        default, (meaning, values) = self._usual(name), MEANT[name]

        def read(draft: SearchDraft, text: str) -> str:
            if not flat:  # the playouts are checked as a whole
                timed = f",time={draft.text('time')}" if draft.timed and name != "time" else ""
                parse(f"{draft.algorithm}:{name}={text.replace('−', '-')}{timed}")
            return text

        offers = offered(*(OF_FLAT[name] if flat else values), default=default)
        return Field(name, f"  {name}", read, meaning, meaning, _runs if name == "value" else offers, usual=default)

    def _usual(self, name: str) -> str:
        if self.algorithm == FLAT:
            return OF_FLAT[name][0]
        if name == "time":
            return "0"
        value = default_options(self.timed)[name]
        return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _runs(draft: SearchDraft) -> Iterator[Choice]:
    """Offer the saved functions of the game."""
    from nimtui.learning import saved_tables

    yield Choice("", "none", "default")
    if (game := game_of(draft)) is not None:
        yield from (Choice(name, name, about) for name, about in saved_tables.saved_functions(game).items())


class SearchForm(SetupForm[SearchSetup]):
    """Edits the settings of a search, one field each, and checks them as you type."""

    HELP = "Type into a field, or choose with the up and down keys. The fields below the algorithm are its options."
    BINDING_GROUP_TITLE = "Settings of a search"
    DRAFT = SearchDraft.of


class SearchChoice(StartDialog[Never, SearchSetup]):
    """Offers presets."""

    BINDING_GROUP_TITLE = "New search"
    HELP = "Press Enter to start the marked search, or Tab to change its settings first."
    INTRO = "A search looks ahead from one position.\nExplore its tree, and see what was pruned, and why:"
    OWN = "any game and position"
    FORM, PRESETS, USUAL = SearchForm, PRESETS, SearchSetup()


FORMATS = {".json": "JSON: the 10,000 nodes nearest to the root", ".dot": "Graphviz: a drawing of a few hundred nodes"}


# The screen.

HELP = (
    "A search looks ahead: it tries moves and answers to them, and backs values up from the leaves to the root.\n\n"
    "Tree: one line per searched position, with value, window and number of nodes. All numbers are those of the "
    "player to move at the root, who wants them high. ★ marks the best line. Next to the moves of the root stands "
    "their result in perfect play. ✗ marks a result that contradicts the search. With the "
    "document's heuristic (original), numbers are estimates: it does not see a win in one move. "
    "Wide trees have bars of the nodes, or of the visits, on a log scale. "
    "With value=RUN a learned function gives the estimates: 100,000 stands for a sure win.\n\n"
    "Window (α, β): α (alpha) is the value that the root player already has by an earlier move. β (beta) is the most "
    "that the opponent allows. Only values between the two matter. A better move of the root player raises α, a "
    "better answer of the opponent lowers β. The bars show the windows on the line to the marked node.\n\n"
    "Cutoff: when α reaches β, the other moves of the position are pruned. One answer has shown that a player has "
    "something better elsewhere and avoids this line. ✂ gives the pruned moves and the reason.\n\n"
    "Bound: the value of a node with pruned branches is not exact. ≤ −2 means −2 or less. Of equal values only the "
    "first is exact, so the search plays the first best move.\n\n"
    "Events: , and . step through the search, < and > go from cutoff to cutoff, Space plays the events. From the end, "
    "they start at the marked node. Home shows the first event, End the whole search. b compares "
    "agents on the marked position.\n\n"
    "Tree search (MCTS) has no windows. Each simulation has four phases. Select: follow the highest mean + bonus from "
    "the root; rarely visited nodes have a large bonus. Expand: add a new node. Play out: finish the game at random. "
    "Back up: add the result to every node on the line. Its numbers are those of the player "
    "who makes the move, at the root those of the player to move.\n\n"
    "While it searches, the tree grows on the screen: walk, fold and unfold in it. Nodes that are being searched say "
    "active. Space pauses, Esc stops. Events and filters need a search that stands still. c continues "
    "a stopped search. m searches on: 1,000 more simulations, or one ply deeper. o runs one more simulation. P runs a "
    "tree search that proves (proven=yes) until the root is proven or memory is full.\n\n"
    "Flat Monte Carlo has no tree, only playouts. In Nim without a limit, a move that leaves "
    "two rows of two or more matches wins half of its games, good or bad."
)

ABOUT = {  # what each command does, for F1 and the palette
    "play": "Play the events from here, or pause",
    "event(-1)": "Go to the previous event",
    "event(1)": "Go to the next event",
    "to_cut(-1)": "Go back to the previous cutoff event",
    "to_cut(1)": "Go on to the next cutoff event",
    "pace(1)": "Play more events per step",
    "pace(-1)": "Play fewer events per step",
    "edge(0)": "Go to the first event",
    "edge(1)": "Go to the end: the whole search",
    "next_cut(1)": "Go to the next cutoff in the tree",
    "next_cut(-1)": "Go to the previous cutoff in the tree",
    "principal": "Show only the best line, or all",
    "cuts": "Show only nodes with cutoffs, or all",
    "wins": "Show only positions won for the root player, or all",
    "all": "Show all nodes again",
    "find": "Find a node by its moves (b1 d1) or its position (1,1,3,4)",
    "same": "Go to the next node with the same position",
    "root": "Start a new search from the marked position",
    "compare": "Compare agents on the marked position; nodes by depth",
    "pause": "Pause the search",
    "resume": "Continue the paused search",
    "stop": "Stop the search and show what it found",
    "go_on": "Continue the stopped search",
    "more": "Search on: 1,000 more simulations, or one ply deeper",
    "more_of_one": "Run one more simulation of a tree search",
    "prove": "Run a tree search until it proves the root",
    "to_ply": "Unfold to this depth, 0 to 9",
}


MORE = 1_000  # simulations at one key
PACES = (1, 4, 16, 64, 256, 1024)  # events per tick while the search is played
Act: TypeAlias = "Callable[[SearchScreen], None]"
When: TypeAlias = "Callable[[SearchScreen], Possible]"
P = ParamSpec("P")


def walk(step: Callable[Concatenate[SearchStage, P], object], *to: P.args, **_: P.kwargs) -> Act:
    """Return a command that goes to another node or event, or shows other ones."""
    return lambda screen: screen.go(lambda stage: step(stage, *to, **_))


def in_search(search: Callable[Concatenate[SearchWork, P], object], *by: P.args, **_: P.kwargs) -> Act:
    """Return a command that searches on, pauses or stops."""
    return lambda screen: screen.run(lambda conductor: search(conductor, *by, **_))


def _row(key: str, action: str, name: str, do: Act, when: When | None = None, **more: Any) -> Command[SearchScreen]:
    return Command(key, action, name, ABOUT[action.partition("(")[0] if key.isdigit() else action], do, when, **more)


UNFOLDING = [
    _row(str(ply), f"to_ply({ply})", "unfold to depth", walk(SearchStage.fold_to, ply), show=False) for ply in range(10)
]


class SearchScreen(StageScreen[SearchWork, SearchStage], place="search"):
    """Forwards keys to the app's conductor, which runs the search, and to the stage, which shows it."""

    BESIDE = (SearchTree,)
    CONDUCTOR, STAGE, NEW = SearchWork, SearchStage, SearchChoice
    ABOVE: ClassVar = {"status": lambda s: search_view.status(s.conductor, s.moment())}
    BELOW: ClassVar = {"prompt": lambda s: s.said()}
    BINDING_GROUP_TITLE, WRONG = "Search", "Cannot start this search"
    HELP = HELP
    AUTO_FOCUS = "#tree"

    _playing = False
    _pace = PACES[0]

    def begin(self, answer: SearchSetup) -> None:
        """Start this search."""
        self._rest()
        self.conductor.start(answer)

    def _rest(self) -> None:
        """Play no more events, and clear the message."""
        self._playing, self.conductor.message = False, ""

    # Showing.

    def tick(self) -> None:
        if self._playing and not self.stage.step(self._pace):
            self._playing = False
        if self.conductor.running:
            self.stage.draw()
        if self._playing or self.conductor.working:
            self.typing_changed()

    def moment(self) -> str:
        """Return the event that is shown; '' for the whole search."""
        slider = self.stage.walk.slider
        return slider.moment if slider is not None and self.stage.walking else ""

    def said(self) -> Paint:
        """Return the painter of a fault, a message or a hint."""
        return of_message(self.conductor.message, self.conductor.fault, self.shell.glyphs.keys(self._hint()))

    def _hint(self) -> str:
        conductor = self.conductor
        if conductor.running and (compiling := compiling_text()):
            return f"{compiling[0].upper()}{compiling[1:]}. esc stops"
        if conductor.running:
            return "Searching. Walk, fold and unfold at any time. Space pauses, esc stops"
        if conductor.paused:
            return "Paused. Space continues, esc stops" + ("" if self.stage.windows else ". m searches more")
        if conductor.limit:
            return conductor.limit[:1].upper() + conductor.limit[1:]
        if conductor.stopped:
            more = "" if self.stage.windows else f", {key_of('search.more', 'm')} for more"
            return f"Stopped. Press {key_of('search.go-on', 'c')} to continue{more}"
        if self.stage.walking:
            return "← → fold  0-9 unfold to depth  home end first/last event  < > cutoffs  N new"
        return ""

    def on_search_tree_moved(self, message: SearchTree.Moved) -> None:
        self._playing = False
        if self.conductor.message:
            self.conductor.message = ""
            self.typing_changed()

    def on_screen_suspend(self) -> None:
        self._playing = False

    # The keyboard.

    def take(self, text: str) -> None:
        """Go to the node that these moves or this position name."""
        self._while_still(lambda stage: stage.find(text))

    # Actions.

    def copies(self) -> list[Copy]:
        setup = self.conductor.setup
        return [] if setup is None else [*self.stage.copies(), setup.command]

    def run(self, what: Callable[[SearchWork], object]) -> None:
        self._rest()
        try:
            what(self.conductor)
        except InputError as fault:
            self.conductor.message = str(fault)[:1].upper() + str(fault)[1:]
        self.typing_changed()

    def more_or_deeper(self) -> None:
        """Run a thousand simulations more, or search one ply deeper."""
        deeper = self.stage.windows
        self.run(lambda conductor: conductor.deepen() if deeper else conductor.simulate(MORE))

    def play(self) -> None:
        """Play the events, from the first one if the whole search is shown; or pause."""
        slider = self.stage.walk.slider
        self._playing = not self._playing
        if self._playing and slider is not None and slider.at is None:
            self.stage.seek(0)
        self.typing_changed()

    def change_pace(self, by: int) -> None:
        """Play more or fewer events per tick."""
        self._pace = PACES[max(0, min(len(PACES) - 1, PACES.index(self._pace) + by))]
        self.conductor.message = f"{Named(self._pace, 'event', 'events')} per step"
        self.typing_changed()

    def go(self, what: Callable[[SearchStage], object]) -> None:
        """Go to another node or event, or show other ones."""
        self.run(lambda conductor: self._while_still(what))

    def _while_still(self, what: Callable[[SearchStage], object]) -> None:
        """Do this while the search stands still. Raises InputError if it does not."""
        with self.conductor.still(TRIES) as still:
            if not still:
                raise InputError("The search does not stand still. Try again, or pause first (space)")
            what(self.stage)

    def compare(self) -> None:
        """Compare agents on the marked position, this search first."""
        setup, game = self.conductor.setup, self.conductor.game
        if setup is not None and game is not None:
            here = self.stage.state() if self.stage.walking else None
            going_on = here is not None and base.outcome(here) == base.GOING_ON
            position = game.position_name(here) if here is not None and going_on else setup.position
            self.shell.begin("compare", beside(setup.game, position, setup.agent))

    def search_here(self) -> None:
        """Search the marked position with the same settings."""
        setup, game = self.conductor.setup, self.conductor.game
        if setup is not None and game is not None:
            self.start(SearchSetup(setup.game, game.position_name(self.stage.state()), setup.search))

    @property
    def exports(self) -> Mapping[str, str] | None:
        setup, found = self.conductor.setup, self.conductor.found
        if setup is None or found is None or found.tree is None:
            return None
        return names(f"{setup.game}-{setup.search}".replace("depth=-1", "to-the-end"), FORMATS)

    # Commands.

    def _walking(self) -> Possible:
        flat = self.conductor.flat is not None
        return self.stage.walking or absent("Flat Monte Carlo has no tree" if flat else "No search tree yet")

    def _resting(self) -> Possible:
        """Return whether the tree is shown and stands still."""
        going = "Pause first (space)" if self.conductor.running else "Opening the tree"
        return self._walking() and (self.conductor.found is not None or absent(going))

    def _can_compare(self) -> Possible:
        return self.conductor.game is not None and (not self.conductor.running or absent("Pause first (space)"))

    def _has_windows(self) -> Possible:
        return self._walking() and (self.stage.windows or absent("This key is for minimax and alpha-beta"))

    def _with_windows(self) -> Possible:
        return self._resting() and self._has_windows()

    def _is_stopped(self) -> Possible:
        return self.conductor.stopped or absent("The search is not stopped")

    def _can_show_all(self) -> bool:
        return self.stage.walking and not self.conductor.on and bool(self.stage.walk.filter)

    ROWS: ClassVar[tuple[Command[SearchScreen], ...]] = (
        _row("space", "play", "play", play, lambda s: s._resting() and not s.conductor.on),
        *when(
            _resting,
            _row("comma", "event(-1)", "Previous event", walk(SearchStage.step, -1), group="event"),
            _row("full_stop", "event(1)", "Next event", walk(SearchStage.step, 1), group="event"),
            _row("less_than_sign", "to_cut(-1)", "previous cutoff event", walk(SearchStage.to_cut, True), show=False),
            _row("greater_than_sign", "to_cut(1)", "next cutoff event", walk(SearchStage.to_cut, False), show=False),
            _row("plus,equals_sign", "pace(1)", "faster", lambda s: s.change_pace(1), show=False),
            _row("minus", "pace(-1)", "slower", lambda s: s.change_pace(-1), show=False),
            _row("home", "edge(0)", "first event", walk(SearchStage.seek, 0), show=False),
            _row("end", "edge(1)", "last event", walk(SearchStage.seek, None), show=False),
        ),
        _row("n", "next_cut(1)", "next cutoff", walk(SearchStage.next_cut, False), _has_windows),
        _row("u", "next_cut(-1)", "previous cutoff", walk(SearchStage.next_cut, True), _has_windows, show=False),
        _row("p", "principal", "best line", walk(SearchStage.toggle_filter, "principal"), _walking),
        _row("f", "cuts", "only cutoffs", walk(SearchStage.toggle_filter, "cuts"), _with_windows, show=False),
        _row("w", "wins", "only wins", walk(SearchStage.toggle_filter, "wins"), _with_windows, show=False),
        _row("escape", "all", "show all", walk(lambda s: s.toggle_filter(s.walk.filter)), _can_show_all, show=False),
        *when(_walking, *UNFOLDING),
        _row("slash", "find", "find", lambda s: s.ask_for(Prompt.NODE), _walking),
        _row("t", "same", "same position", walk(SearchStage.next_same), _with_windows, show=False),
        _row("r", "root", "search from here", search_here, _walking, show=False),
        _row("b", "compare", "compare", compare, _can_compare),
        export_row("Save the tree to a file", _resting, show=False),
        new_row("search", show=False),
        _row("space", "pause", "pause", in_search(SearchWork.pause), lambda s: s.conductor.running),
        _row("space", "resume", "continue", in_search(SearchWork.unpause), lambda s: s.conductor.paused),
        _row("escape,backspace", "stop", "stop", in_search(SearchWork.stop), lambda s: s.conductor.on),
        *going_to("node"),
        _row("c", "go_on", "continue", in_search(SearchWork.go_on), _is_stopped),
        _row("m", "more", "more", more_or_deeper, _resting),
        _row("o", "more_of_one", "one more", in_search(SearchWork.simulate, 1), _resting, show=False),
        _row("P", "prove", "prove", in_search(SearchWork.prove), _resting, show=False),
    )

"""The places with keys: every screen, dialog and widget that binds some, by name. Imports none of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from textual.dom import DOMNode

DIGITS = "0123456789"


class Place(NamedTuple):
    """A class with BINDINGS, and the places whose keys work beside its own while it is shown."""

    name: str
    where: str  # 'module:class' below nimtui.ui
    beside: tuple[str, ...] = ()  # its widgets, and what it inherits
    typed: str = ""  # characters that open its prompt


EVERYWHERE = "everywhere"
BOARDS = ("board", "rows-board", "runs-board", "columns-board", "list-board")
PLACES = (
    Place(EVERYWHERE, "app.app:NimtuiApp"),
    Place("start", "app.start:StartScreen", ("choices",)),
    Place("play", "play.screen:PlayScreen", BOARDS, DIGITS + ":"),
    Place("replay", "play.replay_screen:ReplayScreen", ("list",), DIGITS),
    Place("review", "play.review:ReviewScreen", ("list",)),
    Place("lesson", "play.lesson:LessonScreen", ("map",)),
    Place("train", "train.screen:TrainScreen", ("map", "list", "position-list")),
    Place("search", "search.screen:SearchScreen", ("tree",)),
    Place("compare", "compare.screen:ComparisonScreen", ("list", "tree", "map")),
    Place("tournament", "tournament.screen:TournamentScreen", ("choices",)),
    Place("pairing", "tournament.pairing:PairingScreen", ("list",)),
    Place("first-moves", "tournament.first_moves:FirstMoves", ("report",)),
    Place("watch", "tournament.looking_on:LookingOn"),
    Place("library", "library.screen:LibraryScreen", ("list",)),
    Place("comparison", "library.compare_screen:CompareScreen", ("report",)),
    Place("pool", "library.compare_screen:PoolScreen", ("report",)),
    Place("report", "library.compare_screen:Scrolled"),
    Place("sweep", "sweep.screen:SweepScreen"),
    Place("board", "board.board:Board"),
    Place("rows-board", "board.boards:RowsBoard", ("board",)),
    Place("runs-board", "board.boards:RunsBoard", ("board",)),
    Place("columns-board", "board.boards:ColumnsBoard", ("board",)),
    Place("grid-board", "board.boards:GridBoard", ("board",)),
    Place("list-board", "board.boards:ListBoard", ("board",)),
    Place("map", "board.position_map:PositionMap"),
    Place("position-list", "train.position_list:PositionList", ("list",)),
    Place("tree", "search.tree:SearchTree"),
    Place("list", "kit.virtual_list:VirtualList"),
    Place("choices", "kit.choices:Choices"),
    Place("form", "kit.form:Form", ("field", "choices")),
    Place("field", "kit.field:FieldInput"),
    Place("new-game", "play.form:NewGame", ("form", "pick")),
    Place("pick", "play.form:PickInput", ("field",)),
    Place("new-tournament", "tournament.form:TournamentForm", ("form", "agent")),
    Place("agent", "tournament.form:AgentInput", ("field",)),
    Place("set-ups", "tournament.form:SetupList", ("choices",)),
    Place("new", "kit.start_dialog:StartDialog", ("choices",)),
    Place("new-training", "train.form:TrainChoice", ("new",)),
    Place("new-sweep", "sweep.form:SweepChoice", ("new",)),
    Place("saved", "kit.start_dialog:SavedList", ("choices",)),
    Place("export", "kit.dialogs:ExportForm", ("field", "choices")),
    Place("copy", "kit.copying:CopyMenu", ("choices",)),
    Place("sure", "kit.dialogs:Confirm"),
    Place("quit", "kit.dialogs:QuitScreen"),
    Place("settings", "app.settings:SettingsScreen", ("choices",)),
    Place("help", "app.help:HelpScreen"),
)
BY_NAME = {place.name: place for place in PLACES}
ROOT = __name__.rpartition(".")[0].rpartition(".")[0]
_NAMES = {place.where: place.name for place in PLACES}


def name_of(kind: type) -> str:
    """Return the place of this class; '' if it has none."""
    return _NAMES.get(f"{kind.__module__.removeprefix(ROOT + '.')}:{kind.__qualname__}", "")


def load(where: str) -> type[DOMNode]:
    """Import the class at 'module:class' below nimtui.ui."""
    module, name = where.split(":")
    found: type[DOMNode] = getattr(import_module(f"{ROOT}.{module}"), name)
    return found


def together(place: Place) -> set[str]:
    """Return the names of the places whose keys may work at the same time as those of this place."""
    if place.name == EVERYWHERE:
        return set(BY_NAME)
    inside = _inside(place)
    return {EVERYWHERE, *inside, *(other.name for other in PLACES if place.name in _inside(other))}


def _inside(place: Place) -> set[str]:
    """Return the place, its widgets and what they inherit."""
    return {place.name}.union(*(_inside(BY_NAME[name]) for name in place.beside))

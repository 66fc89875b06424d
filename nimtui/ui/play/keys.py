"""The commands of the Play screen, and the characters that start a typed move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nimtui.games import base
from nimtui.games.notation import LETTERS
from nimtui.playing import sentences as words
from nimtui.playing.advice import can_analyse
from nimtui.playing.session import Session
from nimtui.ui.board.board import DIGITS
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.contract.command import Command, NotNow, Possible, absent
from nimtui.ui.kit.widgets.page import Prompt, is_typing
from nimtui.ui.play import value_history
from nimtui.ui.play.compare_setup import of_game

NAMED = "Save what the opponent learned under this name"
PAUSE, AGAIN = "Pause or continue the game of two agents", "Let a stopped or failed agent try again"
LEARN = "Show what the trained opponent learns from this game"
WHY = "Explain the position; again: the reason, the terms, close"
ANALYSE = "Analyse this position until you press the key again"
END = "End the analysis of this position"
COMPARE = "Compare agents on this position"
SEQUENCE = "Show the values of heaps 0, 1, 2, …, their period and the misère quotient"
STORY = "Show what the players expected, and the exact values"
NOTHING_DONE = "No move of a person to take back"
PLAYER = "Replace a player by an agent or a person"
CLOSE, STOP = "Close the explanation or the values", "Stop the thinking agent or the hint"

HELP = (
    "Mark a move with the arrow keys and play it with Enter. The board crosses out what the move takes. "
    "Or type a move: c3 takes three from row C, c2-4 takes matches 2 to 4 of row C, 4 marks column 4, "
    "b2 is the cell in row B and column 2. "
    "If the letter of a row is also a key, type it with Shift (H3) or after a colon (:h3). "
    "An arrow key discards a typed move. "
    "With the mouse, click a match to mark it, and click it again to take it.\n\n"
    "Taken matches leave small marks. The line above the board shows which mark is yours. "
    "The marks of the last move are larger, and the last disc has a mark in it or around it. "
    "The panel beside the board shows what the opponent thought of every move before its own.\n\n"
    "While an agent thinks, the panel shows what it believes so far: the move that it would play, its rating of every "
    "move, the best line, its effort. "
    "A analyses the position: a tree search rates every move until the same key or esc, and shows the exact values if "
    "they are known; then its own line is what the search expects. It follows your moves.\n\n"
    "Columns: mean is the average result for the player to move, from −1, lost, to +1, won. bound is the mean plus the "
    "bonus for rarely tried moves: the search tries the move with the highest one. For flat Monte Carlo the bar is the "
    "95 % interval of the mean, with a mark at 0. ±0.05 says how far the bars reach.\n\n"
    "h says which move is good, and why. w explains the position in plain words. "
    "The same key goes deeper: the reason in binary, with a mark below each odd column, then the terms. "
    "After that it closes the explanation. "
    "P shows the values of one heap of 0, 1, 2, … matches, and the misère quotient.\n\n"
    "After the game, r judges every move against perfect play and shows the mistakes. "
    "l shows what a trained opponent learns from the game: the map of all positions before and after, for a weight "
    "that you choose. Enter saves its table under a name. Each lesson makes a new version; l shows the last one again. "
    "Play against the table later (n offers it), or compare its versions in the Library. "
    f"{value_history.HELP} During the game it shows only what the players expected; w adds the exact values.\n\n"
    "Ctrl+S saves the game at any time. Replay it move by move in the Library (F6)."
)


def _of(condition: Callable[[Session], Possible]) -> Callable[[Any], Possible]:
    """Return a condition of the game alone as one of the screen."""
    return lambda screen: condition(screen.session)


def _asks(*prompts: Prompt) -> Callable[[Any], bool]:
    """Return the condition of a command on what is typed, while one of these is asked for."""
    return lambda screen: screen.typing.open and screen.typing.asked in prompts


_SEATS, _OFFERS = _asks(Prompt.PLAYER), _asks(Prompt.PLAYER, Prompt.TABLE)
OVER, NOT_OVER = absent("The game is over"), absent("The game is not over")
NO_MOVE = absent("No move was played")
UNTRAINED = absent("No trained opponent to teach")


def analysable(screen: Any) -> Possible:
    """Return whether an analysis can begin."""
    wait = NotNow(OVER.why if screen.session.over else "Wait: an agent is to move")
    return not screen.conductor.analysis.on and (can_analyse(screen.session) or wait)


_GOING = _of(lambda game: not game.over or OVER)
_WATCHED = _of(lambda game: (game.watched or absent("Only while two agents play")) and (not game.over or OVER))
_HELD = _of(lambda game: game.hold is not None and not game.over)
_PLAYED = _of(lambda game: game.record.ply > 0 or NO_MOVE)
_ENDED = _of(lambda game: (game.over or NOT_OVER) and (game.record.ply > 0 or NO_MOVE))
_TAUGHT = _of(lambda game: (game.over or NOT_OVER) and ((game.record.ply > 0 and game.pupil is not None) or UNTRAINED))
_DONE = _of(lambda game: game.undo_ply is not None or NotNow(NOTHING_DONE, absent=game.redo_ply is not None))
_UNDONE = _of(lambda game: game.redo_ply is not None or absent("No move was taken back"))
_HEAPS = _of(lambda game: game.game.board_kind in ("rows", "runs", "heaps") or absent("Only games of heaps have this"))
_AWAKE = _of(lambda game: not board_sleeps(game) or (OVER if game.over else absent("Two agents play")))
_UNLIKE = _of(lambda game: game.players[0].spec != game.players[1].spec or absent("Both players are the same"))

TYPING: tuple[Command[Any], ...] = (
    Command("enter", "typed", "play", "Play the typed move", when=_asks(Prompt.MOVE)),
    Command("up", "offer(-1)", "One up", "Previous offer", lambda s: s.offer(-1), _OFFERS, group="choose"),
    Command("down", "offer(1)", "One down", "Next offer", lambda s: s.offer(1), _OFFERS, group="choose"),
    Command("enter", "seated", "seat", "Give the seat to this player", lambda s: s.action_typed(), _SEATS),
    Command("enter", "named", "save", NAMED, lambda s: s.action_typed(), _asks(Prompt.TABLE)),
    Command("escape", "untype", "cancel", "Discard what you typed", when=is_typing),
)
PLAYING: tuple[Command[Any], ...] = (
    Command("space", "pause", "pause", PAUSE, lambda s: s.conductor.pause_or_resume(), _WATCHED),
    Command("space", "again", "again", AGAIN, lambda s: s.conductor.pause_or_resume(), _HELD, show=False),
    Command("full_stop", "step", "step", "Let the agent to move play one move", lambda s: s.conductor.step(), _WATCHED),
    Command("plus,equals_sign", "pace(1)", "Faster", "", lambda s: s.change_pace(1), _WATCHED, group="pace"),
    Command("minus", "pace(-1)", "Slower", "", lambda s: s.change_pace(-1), _WATCHED, group="pace"),
    Command("r", "review", "review", "Judge every move and show the mistakes", lambda s: s.review(), _ENDED),
    Command("l", "learn", "learn", LEARN, lambda s: s.learn(), _TAUGHT),
    Command("u", "undo", "undo", "Take back your last move and the reply", lambda s: s.conductor.undo(), _DONE),
    Command("y", "redo", "redo", "Replay the move that you took back", lambda s: s.conductor.redo(), _UNDONE),
    Command("h", "hint", "hint", "Show a good move and the reason", lambda s: s.conductor.hint(), _AWAKE),
    Command("w", "why", "why", WHY, lambda s: s.conductor.explain()),
    Command("A", "analyse", "analyse", ANALYSE, lambda s: s.analyse(), analysable),
    Command("A", "end_analysis", "end analysis", END, lambda s: s.analyse(), lambda s: s.conductor.analysis.on),
    Command("P", "sequence", "period", SEQUENCE, lambda s: s.open_sequence(), _HEAPS, show=False),
    Command("V", "story", "values", STORY, lambda s: s.toggle_story(), _PLAYED, show=False),
    Command("s", "swap", "swap", "Swap the players", lambda s: s.conductor.swap(), _UNLIKE, show=False),
    Command("o", "player", "player", PLAYER, lambda s: s.ask_for(Prompt.PLAYER), show=False),
    Command("t", "search", "search", "Open the search tree of this position", lambda s: s.search(), _GOING, show=False),
    Command("B", "compare", "compare", COMPARE, lambda s: s.shell.begin("compare", of_game(s.session)), _GOING, False),
    Command("n", "new", "new", "Start a new game", lambda s: s.shell.action_new_game(s.conductor.next_setup())),
    Command("ctrl+s", "keep", "save", "Save this game in the Library (F6)", lambda s: s.save_game(), _PLAYED, False),
    Command("escape", "close", "close", CLOSE, lambda s: s.close(), lambda s: s.covered, show=False),
    Command("escape,backspace", "stop", "Stop", STOP, lambda s: s.conductor.stop(), lambda s: s.conductor.busy, False),
)


def board_sleeps(session: Session) -> bool:
    """Return whether a person has no move to make: at the end, and while they watch two agents."""
    return session.over or (session.watched and not session.person_may_move)


def rows_of(session: Session) -> str:
    """Return the letters of the rows, of a grid those that moves start with; '' for other boards."""
    if session.game.board_kind in ("grid", "heaps"):
        return _first_letters(session)
    rows = len(session.game.cells(session.state) or ()) if session.game.board_kind in words.MATCHES else 0
    return LETTERS[:rows]


def keys_held() -> set[str]:
    """Return the keys of the game: no typed move starts with one of them."""
    return keymap.held("play", [row.binding for row in PLAYING]) | set(keymap.current("everywhere.quit", ("q",)))


def rows_that_are_keys(session: Session) -> str:
    """Return the letters of the rows that are also keys: their moves are typed with Shift."""
    rows, keys = rows_of(session), keys_held()
    return "".join(letter for letter in rows if letter in keys) if len(rows) > 1 else ""


def typing_starts(session: Session) -> str:
    """Return the characters that start a typed move: digits, ':' and letters. Letters of keys only as capitals."""
    if board_sleeps(session):
        return ""
    if session.game.board_kind == "columns" and len((session.game.cells(session.state) or [[]])[0]) <= DIGITS:
        return ":"  # a digit marks its column at once
    letters = _first_letters(session) if session.game.board_kind == "list" else rows_of(session)
    keys = keys_held()
    return "0123456789:" + "".join(letter for letter in letters.upper() + letters if letter not in keys)


def _first_letters(session: Session) -> str:
    """Return the first letters of the legal moves' names."""
    names = (session.game.move_name(move, session.state) for move in base.legal_moves(session.state))
    return "".join(sorted({name[:1].lower() for name in names if name[:1].isalpha()}))


def of_boxes() -> dict[str, str]:
    """Return the keys that stand in the frames of boxes, by the box."""
    keys = {"thoughts": ("analyse", "A"), "log": ("review", "r")}
    return {box: f"{keymap.key_of(f'play.{action}', key)} {action}" for box, (action, key) in keys.items()}

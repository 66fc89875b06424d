"""Defines the keys of the Play screen: what each does, and which of them apply at a moment of a game."""

from __future__ import annotations

from textual.binding import Binding

from nimtui.games import base
from nimtui.ui.board.boards import DIGITS
from nimtui.ui.kit import keymap
from nimtui.ui.kit.typing_line import Prompt
from nimtui.ui.play import sentences as words
from nimtui.ui.play import value_history
from nimtui.ui.play.analysis import can_analyse
from nimtui.ui.play.session import Session

PACE = Binding.Group("pace", compact=True)
OFFER = Binding.Group("choose", compact=True)
LETTERS = "abcdefghijklmnopqrstuvwxyz"

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
    "After that it closes the explanation.\n\n"
    "After the game, r judges every move against perfect play and shows the mistakes. "
    "l shows what a trained opponent learns from the game: the map of all positions before and after, for a weight "
    "that you choose. Enter saves its table under a name. Each lesson makes a new version; l shows the last one again. "
    "Play against the table later (n offers it), or compare its versions in the Library. "
    f"{value_history.HELP} During the game it shows only what the players expected; w adds the exact values.\n\n"
    "Ctrl+S saves the game at any time. Replay it move by move in the Library (F6)."
)

TYPING = (
    Binding("enter", "typed", "play", key_display="⏎", tooltip="Play the typed move"),
    Binding("up", "offer(-1)", "One up", group=OFFER, key_display="↑", tooltip="Previous offer"),
    Binding("down", "offer(1)", "One down", group=OFFER, key_display="↓", tooltip="Next offer"),
    Binding("enter", "seated", "seat", key_display="⏎", tooltip="Give the seat to this player"),
    Binding("enter", "named", "save", key_display="⏎", tooltip="Save what the opponent learned under this name"),
    Binding("escape", "untype", "cancel", key_display="esc", tooltip="Discard what you typed"),
)
PLAYING = (
    Binding("space", "pause", "pause", key_display="space", tooltip="Pause or continue the game of two agents"),
    Binding("space", "again", "again", show=False, tooltip="Let a stopped or failed agent try again"),
    Binding("full_stop", "step", "step", key_display=".", tooltip="Let the agent to move play one move"),
    Binding("plus,equals_sign", "pace(1)", "Faster", group=PACE, key_display="+"),
    Binding("minus", "pace(-1)", "Slower", group=PACE, key_display="-"),
    Binding("r", "review", "review", tooltip="Judge every move and show the mistakes"),
    Binding("l", "learn", "learn", tooltip="Show what the trained opponent learns from this game"),
    Binding("u", "undo", "undo", tooltip="Take back your last move and the reply"),
    Binding("y", "redo", "redo", tooltip="Replay the move that you took back"),
    Binding("h", "hint", "hint", tooltip="Show a good move and the reason"),
    Binding("w", "why", "why", tooltip="Explain the position; again: the reason, the terms, close"),
    Binding("A", "analyse", "analyse", tooltip="Analyse this position until you press the key again"),
    Binding("A", "end_analysis", "end analysis", tooltip="End the analysis of this position"),
    Binding("V", "story", "values", show=False, tooltip="Show what the players expected, and the exact values"),
    Binding("s", "swap", "swap", show=False, tooltip="Swap the players"),
    Binding("o", "player", "player", show=False, tooltip="Replace a player by an agent or a person"),
    Binding("t", "search", "search", show=False, tooltip="Open the search tree of this position"),
    Binding("B", "compare", "compare", show=False, key_display="B", tooltip="Compare agents on this position"),
    Binding("n", "new", "new", tooltip="Start a new game"),
    Binding("ctrl+s", "keep", "save", show=False, tooltip="Save this game in the Library (F6)"),
    Binding("escape", "close", "close", show=False, key_display="esc", tooltip="Close the explanation or the values"),
    Binding("escape,backspace", "stop", "Stop", show=False, tooltip="Stop the thinking agent or the hint"),
)

WHY_NOT = {
    **dict.fromkeys(("review", "keep", "story"), "No move was played"),
    "learn": "No trained opponent to teach",
    "hint": "Two agents play",
    "analyse": "Wait: an agent is to move",
    "undo": "No move of a person to take back",
}
WHILE_TYPING = {
    Prompt.MOVE: ("typed", "untype"),
    Prompt.PLAYER: ("offer", "seated", "untype"),
    Prompt.NAME: ("offer", "named", "untype"),
}


def possible(action: str, session: Session, busy: bool, analysing: bool = False) -> bool | None:
    """Return True if the action applies, None if not now (dimmed), False if never here (hidden).

    `busy`: esc would stop something. `analysing`: an analysis is on.
    """
    redo = session.redo_ply is not None
    found: dict[str, bool | None] = {
        "offer": False,
        "seated": False,
        "named": False,
        "pause": not session.over and session.watched,
        "again": not session.over and session.hold is not None,
        "step": not session.over and session.watched,
        "pace": session.watched and not session.over,
        "review": session.over and session.record.ply > 0,
        "learn": session.over and session.pupil is not None and session.record.ply > 0,
        "hint": not board_sleeps(session),
        "analyse": not analysing and (None if session.over else can_analyse(session) or None),
        "end_analysis": analysing,
        "undo": session.undo_ply is not None or (False if redo else None),
        "redo": redo,
        "swap": session.players[0].spec != session.players[1].spec,
        "search": not session.over,
        "compare": not session.over,
        "stop": busy,
        "keep": session.record.ply > 0,
        "story": session.record.ply > 0,
    }
    return found.get(action, True)


def why_not(action: str, session: Session) -> str:
    """Return why an action is not possible in this game now; '' for actions of keys that are not named."""
    if action in (("hint", "analyse") if session.over else ("review", "learn")):
        return f"The game is {'' if session.over else 'not '}over"
    return WHY_NOT.get(action, "")


def board_sleeps(session: Session) -> bool:
    """Return whether a person has no move to make: at the end, and while they watch two agents."""
    return session.over or (session.watched and not session.person_may_move)


def rows_of(session: Session) -> str:
    """Return the letters of the rows, of a grid those that moves start with; '' for other boards."""
    if session.game.board_kind == "grid":
        return _first_letters(session)
    rows = len(session.game.cells(session.state) or ()) if session.game.board_kind in words.MATCHES else 0
    return LETTERS[:rows]


def keys_held() -> set[str]:
    """Return the keys of the game: no typed move starts with one of them."""
    return keymap.held("play", PLAYING) | set(keymap.current("everywhere.quit", ("q",)))


def rows_that_are_keys(session: Session) -> str:
    """Return the letters of the rows that are also keys: their moves are typed with Shift."""
    rows = rows_of(session) if len(rows_of(session)) > 1 else ""
    keys = keys_held()
    return "".join(letter for letter in rows if letter in keys)


def typing_starts(session: Session) -> str:
    """Return the characters that start a typed move: digits, ':' and letters. Letters of keys only as capitals."""
    if board_sleeps(session):
        return ""
    if session.game.board_kind == "columns" and len((session.game.cells(session.state) or [[]])[0]) <= DIGITS:
        return ":"  # a digit marks its column at once
    letters = _first_letters(session) if session.game.board_kind == "list" else rows_of(session)
    keys = keys_held()
    capitals = "".join(letter for letter in letters.upper() if letter not in keys)
    return "0123456789:" + capitals + "".join(letter for letter in letters if letter not in keys)


def _first_letters(session: Session) -> str:
    """Return the first letters of the legal moves' names."""
    names = (session.game.move_name(move, session.state) for move in base.legal_moves(session.state))
    return "".join(sorted({name[:1].lower() for name in names if name[:1].isalpha()}))


def of_boxes() -> dict[str, str]:
    """Return the keys that stand in the frames of boxes, by the box."""
    keys = {"thoughts": ("analyse", "A"), "log": ("review", "r")}
    return {box: f"{keymap.key_of(f'play.{action}', key)} {action}" for box, (action, key) in keys.items()}

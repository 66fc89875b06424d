"""The keys of the Play screen: what each does, and which of them make sense at this moment of a game."""

from __future__ import annotations

from textual.binding import Binding

from nimtui.games import base
from nimtui.ui.kit.typing_line import Prompt
from nimtui.ui.play import sentences as words
from nimtui.ui.play.session import Session

PACE = Binding.Group("pace", compact=True)
OFFER = Binding.Group("choose", compact=True)
LETTERS = "abcdefghijklmnopqrstuvwxyz"

HELP = (
    "Arrow keys mark a move, Enter plays it; what it would take is crossed out before. A move can also be typed: "
    "c3 takes three from row C, c2-4 the neighbours 2 to 4 of row C, 4 drops a disc in column 4. "
    "A row whose letter is a key of its own is typed with Shift (H3), or after a colon (:h3). "
    "Arrow keys leave a move that is being typed. "
    "With the mouse, click a match to mark it, again to take it.\n\n"
    "Matches that were taken stay as small marks, one for you and one for the opponent: the line above the board "
    "shows which. The panel beside the board has what the opponent thought of every move before it made one.\n\n"
    "After the game, r judges every move against perfect play and tells where it was lost, "
    "and l lets a learned opponent learn from it, for as long as the app is open. "
    "Ctrl+S keeps the game as it stands, at any time; the Library (F6) shows it again, move by move."
)

TYPING = (
    Binding("enter", "typed", "play", key_display="⏎", tooltip="Play the move that was typed"),
    Binding("up", "offer(-1)", "One up", group=OFFER, key_display="↑", tooltip="The player before"),
    Binding("down", "offer(1)", "One down", group=OFFER, key_display="↓", tooltip="The next player"),
    Binding("enter", "seated", "let play", key_display="⏎", tooltip="Let this player play"),
    Binding("escape", "untype", "cancel", key_display="esc", tooltip="Forget what was typed"),
)
PLAYING = (
    Binding("space", "pause", "pause", key_display="space", tooltip="Pause two agents, go on"),
    Binding("space", "again", "again", show=False, tooltip="Let an agent that was stopped try again"),
    Binding("full_stop", "step", "step", key_display=".", tooltip="One move of two agents"),
    Binding("plus,equals_sign", "pace(1)", "Faster", group=PACE, key_display="+"),
    Binding("minus", "pace(-1)", "Slower", group=PACE, key_display="-"),
    Binding("r", "review", "review", tooltip="Judge every move; why did I lose?"),
    Binding("l", "learn", "learn", tooltip="Let the learned opponent learn from this game"),
    Binding("u", "undo", "undo", tooltip="Take back your last move, and the answer to it"),
    Binding("y", "redo", "redo", tooltip="Play again what was taken back"),
    Binding("h", "hint", "hint", tooltip="A good move, and why it is one"),
    Binding("w", "why", "why", tooltip="Explain the position"),
    Binding("s", "swap", "swap", show=False, tooltip="Swap the seats"),
    Binding("o", "player", "player", show=False, tooltip="Let another agent play, or a person"),
    Binding("t", "search", "search", show=False, tooltip="The search tree of this position"),
    Binding("n", "new", "new", tooltip="A new game"),
    Binding("ctrl+s", "keep", "keep", show=False, tooltip="Keep this game: the Library (F6) shows it again"),
    Binding("escape,backspace", "stop", "Stop", show=False, tooltip="Stop the agent that is thinking, or a hint"),
)

WHILE_TYPING = {Prompt.MOVE: ("typed", "untype"), Prompt.PLAYER: ("offer", "seated", "untype")}
KEYS = {key for binding in PLAYING for key in binding.key.split(",")} | {"q"}


def possible(action: str, session: Session, busy: bool) -> bool | None:
    """True: can be done; None: not now (dimmed); False: makes no sense here (left out). `busy`: esc stops something."""
    redo = session.redo_ply is not None
    found: dict[str, bool | None] = {
        "offer": False,
        "seated": False,
        "pause": not session.over and session.watched,
        "again": not session.over and session.hold is not None,
        "step": not session.over and session.watched,
        "pace": session.watched and not session.over,
        "review": session.over and session.record.ply > 0,
        "learn": session.over and session.pupil is not None and session.record.ply > 0,
        "hint": not board_sleeps(session),
        "undo": session.undo_ply is not None or (False if redo else None),
        "redo": redo,
        "swap": session.players[0].spec != session.players[1].spec,
        "search": not session.over,
        "stop": busy,
        "keep": session.record.ply > 0,
    }
    return found.get(action, True)


def board_sleeps(session: Session) -> bool:
    """Is there nothing for a person to play: at the end, and while two agents are watched?"""
    return session.over or (session.watched and not session.person_may_move)


def rows_of(session: Session) -> str:
    """The letters of the rows; '' for other boards."""
    rows = len(session.game.cells(session.state) or ()) if session.game.board_kind in words.MATCHES else 0
    return LETTERS[:rows]


def rows_that_are_keys(session: Session) -> str:
    """The letters of those rows that are keys here, so that a typed move begins with Shift."""
    rows = rows_of(session) if len(rows_of(session)) > 1 else ""
    return "".join(letter for letter in rows if letter in KEYS)


def typing_starts(session: Session) -> str:
    """What begins a typed move: digits, ':', the letters of rows or moves; those that are keys only as capitals."""
    if board_sleeps(session):
        return ""
    letters = rows_of(session) or _first_letters(session)
    return "0123456789:" + letters.upper() + "".join(letter for letter in letters if letter not in KEYS)


def _first_letters(session: Session) -> str:
    """The letters with which the names of moves begin on a board that is a list of them."""
    if session.game.board_kind != "list":
        return ""
    names = (session.game.move_name(move, session.state) for move in base.legal_moves(session.state))
    return "".join(sorted({name[:1].lower() for name in names if name[:1].isalpha()}))

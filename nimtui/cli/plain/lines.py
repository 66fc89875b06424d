"""The lines between a person and the program.

The prompt reads what a person types, asks which game to play and who plays it, and works between two prompts. What is
known of a game is put into lines: its rules, its board, why a position is won, a search. In the dialogue a game starts,
players move, and each move and each board is printed.

On a terminal that can move its cursor, arrow keys edit the line and bring back earlier ones, where Python has readline.
Long work tells in occasional lines how far it is, and Ctrl+C leads back to the prompt.
"""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from threading import Thread
from typing import TypeVar

from nimtui.agents import Agent, Decision, agent_choices
from nimtui.agents.agent import short_text
from nimtui.api import games
from nimtui.cli import output
from nimtui.cli.bar import Bar
from nimtui.cli.names import read_game
from nimtui.errors import InputError
from nimtui.games import Game, base, rule_text
from nimtui.games.base import Move, State
from nimtui.games.registry import presets
from nimtui.games.rule_text import Place
from nimtui.jobs.clock import compiling_text
from nimtui.jobs.job import Job, Snapshot
from nimtui.playing import sentences as words
from nimtui.playing.session import Session
from nimtui.playing.setup import ME, USUAL_OPPONENT, PlaySetup, fresh_seed, seat_name
from nimtui.progress import Cancelled, Progress
from nimtui.report.blocks import Figure, Figures, Report
from nimtui.report.cells import spoken
from nimtui.report.values import Count, Score
from nimtui.theory.answers import MoveValue
from nimtui.theory.explanation import Explanation, sentences
from nimtui.trees import Result
from nimtui.ui.app.terminal import has_cursor

LONGEST = 2_000  # characters of a line


class EndOfInput(Exception):
    """Stdin has ended: Ctrl+D, or the end of a pipe."""


class Asking:
    """Reads lines from stdin. A pipe's line is printed after its prompt, so that a log shows what was typed."""

    def __init__(self) -> None:
        self.terminal = sys.stdin is not None and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        self._edits = self.terminal and sys.stdout.isatty() and has_cursor() and _edited()

    def ask(self, prompt: str) -> str:
        """Return the next line without blanks around it. Raises EndOfInput, and InputError for an endless line."""
        try:
            line = self._line(f"{prompt}: ")
        except KeyboardInterrupt:
            output.say("")  # the message that follows has a line of its own
            raise
        whole = len(line) < LONGEST or line.endswith("\n")
        if not self.terminal or not line:
            output.say(line.strip())
        while not whole:
            whole = (more := sys.stdin.readline(LONGEST)).endswith("\n") or not more
            if whole:
                raise InputError(f"a line has at most {LONGEST:,} characters")
        if not line:
            raise EndOfInput
        return line.strip()

    def _line(self, prompt: str) -> str:
        """Return what is typed, '' at the end of the input."""
        if self._edits:
            try:
                return f"{input(output.encodable(prompt))}\n"[-LONGEST:]
            except EOFError:
                return ""
        output.prompt(prompt)
        return sys.stdin.readline(LONGEST) if sys.stdin is not None else ""


def _edited() -> bool:
    """Let `input` edit its line, without escape sequences that no key asks for; return whether Python can."""
    try:
        import readline
    except ImportError:
        return False
    for option in ("enable-bracketed-paste", "enable-meta-key"):
        readline.parse_and_bind(f"set {option} off")
    return True


T = TypeVar("T")
AWAY = ("quit", "exit", "q")


class Back(Exception):
    """The person goes back to the game on the board."""


class Quit(Exception):
    """The person quits instead of choosing."""


def choose(asking: Asking, seed: int) -> PlaySetup:
    """Ask for a game and its players. Raises Quit, Back and EndOfInput."""
    say_games()
    name = _asked(asking, "Game, by number or name", "1", _named)
    game = read_game(name)
    output.paragraph(f"{title(game)} Each player is 'me' or an agent; 'agents' lists the agents.")

    def seat(text: str) -> str:
        if text.lower() == "agents":
            say_agents(game)
            raise InputError("")
        return seat_name(text, game)

    first = _asked(asking, "First player", ME, seat)
    second = _asked(asking, "Second player", USUAL_OPPONENT if first == ME else ME, seat)
    return PlaySetup(name, None, (first, second), seed)


def say_games() -> None:
    """Print the games that lists offer, with their names."""
    output.paragraphs(f"{number}. {preset.title}: {preset.game}" for number, preset in enumerate(presets(), 1))


def say_agents(game: Game) -> None:
    """Print the agents that can play a game, with their names."""
    output.paragraphs(f"{preset.agent}: {preset.title}" for preset in agent_choices(game))


def _named(text: str) -> str:
    """Return the name of a game by its number or name."""
    if text.isascii() and text.isdigit() and len(text) < 4:
        if not 1 <= int(text) <= len(presets()):
            raise InputError(f"choose a number from 1 to {len(presets())}, or type a name such as nim:3,4,5")
        return presets()[int(text) - 1].game
    read_game(text)
    return text


def _asked(asking: Asking, question: str, default: str, read: Callable[[str], T]) -> T:
    """Ask until the answer is valid. An empty line stands for the default."""
    while True:
        try:
            text = asking.ask(f"{question} [{default}]") or default
            if text.lower() in AWAY:
                raise Quit
            if text.lower() == "back":
                raise Back
            return read(text)
        except InputError as wrong:
            if error := str(wrong):
                output.paragraph(f"Error: {error}")


PATIENCE, EVERY = 0.8, 5.0  # seconds before the first line of progress, and between two


class Stopped(Exception):
    """A person stopped the work by Ctrl+C."""


def work(name: str, function: Callable[[Progress], T], told: Callable[[Snapshot], str] | None = None) -> T:
    """Return what the function returns; `told` puts into words how far it is. Raises Stopped after Ctrl+C.

    Another signal ends the program. What own games and agents print meanwhile is discarded.
    """
    bar, stdout = Bar(name, shown=False), sys.stdout
    job = Job(name, function, bar)

    def speak() -> None:
        wait = PATIENCE
        while not job.join(wait):
            output.paragraph(f"{name}: {counted(job.snapshot)}." if told is None else told(job.snapshot), to=stdout)
            wait = EVERY

    stdout.flush()
    speaking = Thread(target=speak, daemon=True)
    try:
        with bar, output.others_silent():
            speaking.start()
            job.run()
            speaking.join()
            return job.value()
    except (Cancelled, KeyboardInterrupt):
        if bar.stopped_by not in (0, signal.SIGINT):
            raise
        if sys.stdin is not None and sys.stdin.isatty():
            output.say("")  # ends the line of the ^C that the terminal shows
        raise Stopped from None


def counted(snapshot: Snapshot) -> str:
    """Return a report in words: '412,000 of 1,000,000 games'."""
    if snapshot.done or snapshot.total:
        return f"{snapshot.far} {snapshot.what}".rstrip()
    return snapshot.what or "at work"


SIGNS = {1: "X", 2: "O", 3: "a piece", 4: "a poisoned piece"}
SEVERAL = {**SIGNS, 3: "pieces", 4: "poisoned pieces"}
UNSAID = "Cells that are not named are empty."


def title(game: Game) -> str:
    """Return the game's title as a sentence."""
    return f"{game.title.replace(' · ', ': ')}."


def board(game: Game, state: State) -> list[str]:
    """Return the board in sentences: 'Row 2: column 4 O.'; each run of equal signs is said once, an empty cell not."""
    cells, columns = game.cells(state), game.board_kind == "columns"
    if cells is None or not (columns or game.board_kind == "grid"):
        return games.board_lines(game, state)
    names = [str(len(cells) - at) if columns else chr(ord("A") + at) for at in range(len(cells))]
    rows = [(name, ", ".join(_runs(row))) for name, row in zip(names, cells, strict=True)]
    return [f"Row {name}: {signs}." for name, signs in rows if signs] or ["The board is empty."]


def _runs(row: Sequence[int]) -> Iterator[str]:
    """Yield the runs of a row: 'column 1 X', 'columns 2 to 4 a piece'."""
    for number, run in groupby(enumerate(row, 1), key=lambda cell: cell[1]):
        first, *_, last = [place for place, _ in run] * 2
        if number > 0:
            if first == last:
                yield f"column {first} {SIGNS.get(number, number)}"
            else:
                yield f"columns {first} to {last} {SEVERAL.get(number, number)}"


def rules(game: Game) -> list[str]:
    """Return the rules in sentences, whose the signs on the board are, and how moves are typed."""
    start, lines = game.start, [rule_text.rules(game)]
    cells, moves = game.cells(start) or [], base.legal_moves(start)
    if game.board_kind == "columns":
        lines.append(f"The board has {len(cells[0])} columns and {len(cells)} rows. Row 1 is the lowest.")
    if game.board_kind in ("columns", "grid"):
        states = [start, *(game.after(start, move) for move in moves[:1])]
        marked = any(cell in (1, 2) for state in states for row in game.cells(state) or () for cell in row)
        sign = "disc" if game.board_kind == "columns" else "mark"
        lines.append(f"X is the first player's {sign}, O the second player's. {UNSAID}" if marked else UNSAID)
    if game.board_kind not in ("rows", "runs", "columns"):
        lines.append("'moves' lists the legal moves.")
    typed = rule_text.notation(game)
    if not typed and moves:
        typed = f"A move is typed as {game.move_name(moves[len(moves) // 2], start)}, for example."
    return [*lines, *([typed] if typed else [])]


def why(explanation: Explanation) -> list[str]:
    """Return the reason in plain words, each row with its value, and the sentences that explain the outcome."""
    from nimtui.theory.report import reason

    lines = [" ".join(explanation.plain)] if explanation.plain else []
    lines += spoken(Report(reason(explanation)))
    if explanation.scores:
        columns = ", ".join(f"column {name} {Score(score)}" for name, score in explanation.scores)
        lines.append(f"Scores: {columns}.")
    return [*lines, " ".join(sentences(explanation))]


def terms(explanation: Explanation) -> list[str]:
    """Return a line for each term that the explanation uses."""
    from nimtui import glossary

    return [f"{term}: {meaning}" for term, meaning in glossary.meanings(explanation.terms, explanation.meaning)]


def search(place: Place, result: Result, truths: dict[Move, MoveValue] | None) -> list[str]:
    """Return the move that a search plays, the best line, a line for each move of the root, and its effort."""
    from nimtui.trees.report import NOTHING_FOUND, findings

    if result.best_move is None:
        return [f"{NOTHING_FOUND.capitalize()}."]
    effort = Figures([Figure("nodes", Count(result.nodes))])
    return [" ".join(text.split()) for text in spoken(Report([*findings(place, result, truths), effort]))]


NOT_ITS_FAULT = (Cancelled, Stopped, KeyboardInterrupt, MemoryError)


class Dialogue:
    """What is on the board and who plays; `talk` reads the lines and obeys them."""

    session: Session  # the game on the board, from the first `start` on

    def __init__(self, seed: int | None) -> None:
        """`seed` is that of the next game without one; the game after it has this seed + 1. None: random seeds."""
        self.asking = Asking()
        self.ended = False
        self._explained: Game | None = None  # whose rules were printed last
        self._seed = seed

    def next_seed(self) -> int:
        """Return the seed of another game."""
        if self._seed is None:
            return fresh_seed()
        self._seed += 1
        return self._seed - 1

    # Games.

    def start(self, setup: PlaySetup) -> None:
        """Start this game. Raises InputError if it is invalid; the game before then continues."""
        self.session = session = Session(setup.validate())
        output.paragraph(title(session.game))
        first, second = (player.title for player in session.players)
        seed = "" if all(player.is_person for player in session.players) else f" Seed {session.seed}."
        output.paragraph(f"First: {first}. Second: {second}.{seed}")
        if session.game != self._explained:
            self._explained = session.game
            output.paragraphs(rules(session.game))
        if session.position is not None or session.waiting_for is None or session.watched:
            self.show_board()

    def again(self) -> None:
        """Start the same game with the same players."""
        self.start(replace(self.session.setup(), seed=self.next_seed()))

    def end(self) -> None:
        self.ended = True

    def show_rules(self) -> None:
        output.paragraphs([title(self.session.game), *rules(self.session.game)])

    def show_board(self) -> None:
        output.paragraphs(board(self.session.game, self.session.state))

    def show_place(self) -> None:
        """Print the board, and how the game ended or which agent moves; the prompt tells when a person does."""
        session = self.session
        self.show_board()
        if session.over:
            output.paragraph(words.result(session))
        elif not session.to_move.is_person:
            output.paragraph(f"{session.called(session.record.turn)} moves.")

    # Moves.

    def let_agents_move(self) -> None:
        """Let agents move until a person's turn, the end, Ctrl+C or a fault."""
        while (agent := self.session.waiting_for) is not None:
            self._let_move(agent)

    @property
    def prompt(self) -> str:
        """The question for the next line: 'Your move', or 'Command' where no person is to move."""
        session = self.session
        if not session.person_may_move or session.hold is not None:
            return "Command"
        who = session.called(session.record.turn)
        return "Your move" if who == "You" else f"{who}'s move"

    def play(self, text: str) -> None:
        """Play the move that a person typed. Raises InputError if it is illegal."""
        self.session.play(self.session.game.parse_move(text, self.session.state))
        self._moved()

    def _moved(self) -> None:
        """Print the latest move, then the board before a person moves, or the result."""
        session = self.session
        record = session.record
        move, before = record.moves[-1], record.state_at(record.ply - 1)
        author = session.authors[record.ply - 1]
        who = author.names[(record.ply - 1) % 2]
        did, name = words.doing(session.game, before, move, "took", "dropped"), session.game.move_name(move, before)
        named = f" ({name})" if session.game.board_kind in words.MATCHES and name not in did else ""
        by = " (you moved for it)" if author.person and not session.players[(record.ply - 1) % 2].is_person else ""
        output.paragraph(f"Move {record.ply}: {words.inside(who)} {did}{named}{by}.")
        if session.over:
            self.show_board()
            output.paragraph(words.result(session))
            output.paragraph("'review' judges the moves, 'again' starts another game.")
        elif session.waiting_for is None:
            self.show_board()

    def _let_move(self, agent: Agent) -> None:
        """Let an agent think and move. Ctrl+C and a fault hold the game."""
        session = self.session
        state, stream = base.copy(session.state), session.stream()
        name = session.called(session.record.turn)

        def decide(progress: Progress) -> Decision:
            if not agent.ready:
                agent.prepare(progress)
            return agent.decide(state, stream, progress)

        def told(snapshot: Snapshot) -> str:
            return f"{words.working(name, agent.ready, snapshot, compiling_text())}."

        try:
            decision = work(name, decide, told)
        except Stopped:
            session.stop()
            watched = "" if session.watched else " You may type a move for it."
            output.paragraph(f"{name} was stopped. 'go' lets it continue.{watched}")
            return
        except NOT_ITS_FAULT:
            raise
        except Exception as fault:  # noqa: BLE001 - an own agent may raise anything
            kind = "" if isinstance(fault, InputError) else f"{type(fault).__name__}: "
            self._fail(f"{kind}{short_text(fault)}".removeprefix(f"{agent.name} "))
            return
        try:
            session.play(decision.move, decision)
        except (ValueError, IndexError):
            self._fail(f"it chose {decision.move}, an illegal move")
            return
        self._moved()
        faults = getattr(agent, "faults", [])  # of the file of its table
        while faults:
            output.paragraph(f"{faults.pop(0)}.")

    def _fail(self, fault: str) -> None:
        self.session.fail(fault)
        name = self.session.called(self.session.record.turn)
        output.paragraph(f"{name} failed: {fault}. 'go' lets it try again. You may type a move for it.")

"""The game of a dialogue: it starts, players move, and each move and each board is printed."""

from __future__ import annotations

from dataclasses import replace

from nimtui.agents import Agent, Decision
from nimtui.agents.agent import short_text
from nimtui.cli import output
from nimtui.cli.plain import lines
from nimtui.cli.plain.lines import Asking, Stopped, work
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.jobs.clock import compiling_text
from nimtui.jobs.job import Snapshot
from nimtui.playing import sentences as words
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup, fresh_seed
from nimtui.progress import Cancelled, Progress

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
        output.paragraph(lines.title(session.game))
        first, second = (player.title for player in session.players)
        seed = "" if all(player.is_person for player in session.players) else f" Seed {session.seed}."
        output.paragraph(f"First: {first}. Second: {second}.{seed}")
        if session.game != self._explained:
            self._explained = session.game
            output.paragraphs(lines.rules(session.game))
        if session.position is not None or session.waiting_for is None or session.watched:
            self.show_board()

    def again(self) -> None:
        """Start the same game with the same players."""
        self.start(replace(self.session.setup(), seed=self.next_seed()))

    def end(self) -> None:
        self.ended = True

    def show_rules(self) -> None:
        output.paragraphs([lines.title(self.session.game), *lines.rules(self.session.game)])

    def show_board(self) -> None:
        output.paragraphs(lines.board(self.session.game, self.session.state))

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

"""Reads lines and obeys them; the table of what a line may say beside a move: names, arguments, meanings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import NamedTuple

from nimtui.arena.review.review import review, story
from nimtui.cli import output
from nimtui.cli.names import read_game
from nimtui.cli.plain import lines
from nimtui.cli.plain.lines import Dialogue, EndOfInput, Stopped, counted, work
from nimtui.errors import InputError, did_you_mean, shortened, whole_number
from nimtui.games import base
from nimtui.games.notation import plural
from nimtui.games.rule_text import Place
from nimtui.jobs.job import Snapshot
from nimtui.learning.graph_table import why_untrainable
from nimtui.learning.opponents import parse_opponent
from nimtui.learning.training import Training
from nimtui.playing import advice
from nimtui.playing.sentences import reviewed
from nimtui.playing.setup import PlaySetup, default_seats
from nimtui.report.cells import spoken
from nimtui.theory.answers import known_moves
from nimtui.theory.explanation import Explanation
from nimtui.trees import parse, search_of

LEARNER, PAID, FUNCTION = "reward", "q", "ntuple"  # of a training without another; FUNCTION where no table fits
GAMES = 100_000
LOOKS = 1.0  # seconds between two evaluations of its table
LONGEST_MOVE = 60  # characters of a move's name


class Command(NamedTuple):
    """A line's first word, the form of the others, what the command does, and its key in the app."""

    name: str
    form: str
    meaning: str
    obey: Callable[[Dialogue, str], None]
    key: str = ""

    @property
    def usage(self) -> str:
        return f"{self.name}{', ' * bool(self.key)}{self.key} {self.form}".strip()


def obey(dialogue: Dialogue, line: str) -> None:
    """Obey a line: a command, or a move. Raises InputError, one line, if it is neither."""
    word, _, rest = line.partition(" ")
    command = None if _may_be_move(dialogue, word, rest) else _named(word)
    if not line:
        dialogue.show_place()
    elif command is None:
        _play(dialogue, line)
    elif rest.strip() and not command.form:
        raise InputError(f"'{command.name}' stands alone: nothing follows it")
    elif command.form[:1].isalpha() and not rest.strip():
        raise InputError(f"'{command.name}' needs more: {command.usage}")
    else:
        command.obey(dialogue, rest.strip())


def _named(word: str) -> Command | None:
    return BY_NAME.get(ALIASES.get(word.lower(), word.lower()))


def _may_be_move(dialogue: Dialogue, word: str, rest: str) -> bool:
    """Return whether a line with a key means a move: it is one, or has the form of one, 'h 3'."""
    session = dialogue.session
    try:
        return len(word) == 1 and (rest[:1].isdigit() or session.game.parse_move(word, session.state) >= 0)
    except InputError:
        return False


def _play(dialogue: Dialogue, line: str) -> None:
    """Play a move. Raises InputError that names commands, too, if the line looks like one."""
    try:
        _move(dialogue, line)
    except InputError:
        word, _, _ = line.partition(" ")
        if near := did_you_mean(word, BY_NAME) if word.isalpha() and len(word) > 2 else "":
            raise InputError(f"unknown command '{shortened(word)}'{near}. 'help' lists the commands") from None
        if dialogue.session.over:
            raise InputError("the game is over. 'again' starts another game, 'help' lists the commands") from None
        if word.isalpha() and len(word) > 1:
            error = f"'{shortened(line)}' is neither a command nor a legal move"
            raise InputError(f"{error}. 'help' lists the commands, 'moves' the moves") from None
        raise


# The game.


def _move(dialogue: Dialogue, text: str) -> None:
    if len(text) > LONGEST_MOVE:
        raise InputError(f"invalid move '{shortened(text)}'. 'moves' lists the legal moves")
    dialogue.play(text)


def _moves(dialogue: Dialogue, _: str) -> None:
    session = dialogue.session
    names = [session.game.move_name(move, session.state) for move in base.legal_moves(session.state)]
    output.paragraph(f"Legal moves: {', '.join(names)}." if names else "The game is over: no moves are left.")


def _hint(dialogue: Dialogue, _: str) -> None:
    game, state = dialogue.session.game, base.copy(dialogue.session.state)
    if dialogue.session.over:
        raise InputError("the game is over: hints are for unfinished games")
    output.paragraph(work("Looking for the best move", lambda progress: advice.hint(game, state, progress)).text)


def _why(dialogue: Dialogue, wanted: str) -> None:
    depths: dict[str, Callable[[Explanation], list[str]]] = {
        "": lines.why,
        "plain": lambda explanation: [" ".join(explanation.plain)] if explanation.plain else lines.why(explanation),
        "terms": lines.terms,
    }
    if wanted not in depths:
        raise InputError(f"unknown depth '{shortened(wanted)}': expected plain or terms, or nothing for the reason")
    game, state = dialogue.session.game, base.copy(dialogue.session.state)
    explanation = work("Solving the position", lambda progress: advice.explained(game, state, progress))
    if not isinstance(explanation, Explanation):
        raise InputError(explanation)
    output.paragraphs(depths[wanted](explanation) or ["The game is over: no term is needed to explain it."])


def _undo(dialogue: Dialogue, _: str) -> None:
    if not dialogue.session.undo():
        raise InputError("no moves have been made: nothing to take back")
    output.paragraph(f"Back before move {dialogue.session.record.ply + 1}.")
    dialogue.show_place()


def _redo(dialogue: Dialogue, _: str) -> None:
    if not dialogue.session.redo():
        raise InputError("no moves were taken back: nothing to play again")
    output.paragraph(f"Played again up to move {dialogue.session.record.ply}.")
    dialogue.show_place()


def _go(dialogue: Dialogue, _: str) -> None:
    if dialogue.session.hold is None:
        raise InputError("no agent was stopped")
    dialogue.session.resume()


def _review(dialogue: Dialogue, _: str) -> None:
    session = dialogue.session
    if not session.record.ply:
        raise InputError("no move has been made yet")
    session.judgements = work("Judging the moves", lambda progress: review(session.record, progress, plies=True))
    for judgement in session.judgements:
        name = session.game.move_name(judgement.move, session.record.state_at(judgement.ply))
        author, verdict = session.authors[judgement.ply].label, judgement.effect
        output.paragraph(f"Move {judgement.ply + 1}, {author}, {name}: {'mistake, ' * judgement.mistake}{verdict}.")
    output.paragraph(" ".join(story(reviewed(session, session.judgements))))


def _save(dialogue: Dialogue, _: str) -> None:
    from nimtui.cli.saving import open_database
    from nimtui.playing.replay import Snapshot
    from nimtui.store.rows import short_id

    snapshot = Snapshot.of(dialogue.session)
    with closing(open_database()) as database:
        id = short_id(work("Saving the game", partial(snapshot.save, database)), alone=True)
    output.paragraph(f"Saved as game {id}. 'nimtui games show {id}' shows it.")


# Games and players.


def _new(dialogue: Dialogue, text: str) -> None:
    if not text:
        output.paragraph("'back' returns to this game.")
        try:
            setup = lines.choose(dialogue.asking, dialogue.next_seed())
        except lines.Back:
            dialogue.show_place()
        else:
            dialogue.start(setup)
        return
    name, *seats = text.split()
    read_game(name)
    if len(seats) > 2:
        raise InputError("a game has two players: new GAME FIRST SECOND")
    dialogue.start(PlaySetup(name, None, default_seats(*seats), dialogue.next_seed()))


def _seat(seat: int) -> Callable[[Dialogue, str], None]:
    def change(dialogue: Dialogue, text: str) -> None:
        session = dialogue.session
        if not text:
            who = session.called(seat)
            output.paragraph(f"{session.order(seat).capitalize()}: {who}. 'agents' lists the agents.")
            return
        session.seat(seat, text)
        output.paragraph(f"{session.order(seat).capitalize()}: {session.players[seat].title}.")

    return change


def _swap(dialogue: Dialogue, _: str) -> None:
    dialogue.session.swap()
    first, second = (player.title for player in dialogue.session.players)
    output.paragraph(f"First: {first}. Second: {second}.")


# The laboratory.


def _train(dialogue: Dialogue, text: str) -> None:
    from nimtui.cli.options import MOST_GAMES
    from nimtui.learning import summary
    from nimtui.learning.report import now_of, trained, worth
    from nimtui.learning.run import Run

    numbers = [word for word in text.split() if word[:1].isdigit()]
    named = [word for word in text.split() if not word[:1].isdigit()]
    if len(numbers) > 1 or len(named) > 1:
        raise InputError("expected a learner and a number of games, for example: train quality 20000")
    games = whole_number(numbers[0], "games", 1, MOST_GAMES) if numbers else GAMES
    game, seed = dialogue.session.game, dialogue.session.seed
    usual = FUNCTION if why_untrainable(game) is not None else PAID if game.pays else LEARNER
    learner = named[0] if named else usual
    run = Run(Training(game, learner, seed))
    run.goal(games)
    run.views.every = LOOKS

    def told(snapshot: Snapshot) -> str:
        learned = worth(run)
        return f"Training: {counted(snapshot)}{', ' * bool(learned)}{learned}."

    try:
        work("Training", run.work, told)
    except Stopped:
        if not run.training.games:
            raise
        output.paragraph(f"Stopped after {plural(run.training.games, 'game', 'games')}.")
    _, *sentences = spoken(work("Measuring the accuracy", lambda _: trained(run)))  # the game is known
    output.paragraphs(sentences)
    if run.training.estimator is not None:
        output.paragraphs(summary.sentences(summary.of(run.training, run.training.curve_to(now_of(run)))))
    word, _, options = learner.partition(":")
    name = parse_opponent(f"{word}:games={run.training.games},seed={seed}{',' * bool(options)}{options}").name
    output.paragraph(f"'second {name}' lets it play.")


def _search(dialogue: Dialogue, text: str) -> None:
    game, state = dialogue.session.game, base.copy(dialogue.session.state)
    if dialogue.session.over:
        raise InputError("the game is over: there is nothing to search")
    search = search_of(game, state, parse(text or "alphabeta"), record=False)
    truths = None
    try:
        work("Searching", search.run)
        truths = work("Solving the position", lambda progress: known_moves(game, state, progress))
    except Stopped:
        output.paragraph("Stopped.")
    output.paragraphs(lines.search(Place(game, state, None), search.result, truths))


# The dialogue.


def _words(dialogue: Dialogue, text: str) -> None:
    from nimtui import glossary

    if not text:
        output.paragraph(f"Terms: {', '.join(term.name for term in glossary.TERMS)}.")
        return
    term = glossary.find(text)
    output.paragraph(f"{term.heading}: {term.meaning}")


def _help(dialogue: Dialogue, text: str) -> None:
    if text:
        if (command := _named(text)) is None:
            raise InputError(
                f"unknown command '{shortened(text)}'{did_you_mean(text, BY_NAME)}. 'help' lists the commands"
            )
        output.paragraph(f"{command.usage}: {command.meaning}")
        return
    output.paragraph("Type a move, or one of these commands. An empty line repeats the board.")
    output.paragraph("A letter that names a legal move plays it; else it is a command's key.")
    output.paragraphs(f"{command.usage}: {command.meaning}" for command in COMMANDS)
    output.paragraph("Ctrl+C stops an agent that thinks, or a long command. At a prompt it ends nimtui.")


COMMANDS = (
    Command("board", "", "print the board, and who moves.", lambda dialogue, _: dialogue.show_place()),
    Command("moves", "", "list the legal moves.", _moves),
    Command("move", "MOVE", "play a move, also one that is called like a command.", _move),
    Command("hint", "", "show the best move, and why.", _hint, "h"),
    Command("why", "[DEPTH]", "explain who wins the position, and why. DEPTH: plain or terms.", _why, "w"),
    Command("undo", "", "take back your last move and the reply.", _undo, "u"),
    Command("redo", "", "play a move again that was taken back.", _redo, "y"),
    Command("go", "", "let a stopped agent continue.", _go),
    Command("review", "", "judge every move of the game, and say what decided it.", _review, "r"),
    Command("save", "", "save the game as it stands.", _save),
    Command("again", "", "start the same game again.", lambda dialogue, _: dialogue.again()),
    Command("new", "[GAME [FIRST [SECOND]]]", "start another game; alone it asks which.", _new, "n"),
    Command("first", "[PLAYER]", "let 'me' or an agent play the first seat.", _seat(0)),
    Command("second", "[PLAYER]", "let 'me' or an agent play the second seat.", _seat(1)),
    Command("swap", "", "swap the players.", _swap, "s"),
    Command("games", "", "list games.", lambda dialogue, _: lines.say_games()),
    Command(
        "agents",
        "",
        "list the agents that can play this game.",
        lambda dialogue, _: lines.say_agents(dialogue.session.game),
    ),
    Command("search", "[ALGORITHM]", "search the position by minimax, alphabeta or mcts.", _search, "t"),
    Command("train", "[LEARNER] [GAMES]", f"train one [default: {LEARNER}, {PAID} or {FUNCTION} {GAMES:,}].", _train),
    Command("rules", "", "print the rules.", lambda dialogue, _: dialogue.show_rules()),
    Command("words", "[TERM]", "explain a term, or list all of them.", _words),
    Command("help", "[COMMAND]", "list the commands, or explain one.", _help, "?"),
    Command("quit", "", "end nimtui.", lambda dialogue, _: dialogue.end(), "q"),
)
BY_NAME = {command.name: command for command in COMMANDS}
ALIASES = {"exit": "quit", **{command.key: command.name for command in COMMANDS if command.key}}


def talk(setup: PlaySetup | None, seed: int | None = None) -> None:
    """Start with this game, or let the person choose one. `seed` is that of the next game without one."""
    dialogue = Dialogue(seed)
    output.paragraph("nimtui, line by line. 'help' lists the commands, 'quit' ends.")
    try:
        dialogue.start(setup or lines.choose(dialogue.asking, dialogue.next_seed()))
        while not dialogue.ended:
            _turn(dialogue)
    except EndOfInput:
        output.paragraph("End of input.")
    except (lines.Quit, lines.Back):
        pass


def _turn(dialogue: Dialogue) -> None:
    """Let the agents move, then read a line and obey it. Invalid input leads back to the prompt.

    Raises InputError if the rules of an own game fail before a line is read: they would fail again.
    """
    try:
        dialogue.let_agents_move()
        prompt = dialogue.prompt
        try:
            obey(dialogue, dialogue.asking.ask(prompt))
        except InputError as wrong:
            output.paragraph(f"Error: {wrong}")
    except Stopped:
        output.paragraph("Stopped.")

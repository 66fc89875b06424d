"""Makes the painters of the Play screen's panels: title, thoughts, moves, and what stands below the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from nimtui.agents import Thinking, agent_choices
from nimtui.arena.review.history import Story
from nimtui.arena.review.review import kept_by
from nimtui.games import base
from nimtui.games.base import Move
from nimtui.games.connect import Connect
from nimtui.games.game import Game
from nimtui.games.rule_text import both, notation, rules
from nimtui.learning.table import Change
from nimtui.playing import levels
from nimtui.playing import sentences as words
from nimtui.playing.advice import Analysis, best_by, can_analyse
from nimtui.playing.advice import verdict as analysis_verdict
from nimtui.playing.replay import Replay
from nimtui.playing.session import OPENING, Hold, Learned, Session
from nimtui.playing.setup import ME
from nimtui.playing.teaching import Course, Teaching, changed_text
from nimtui.report.blocks import Column, Gap, Heading, Inked, Report, Sentence, Table
from nimtui.report.cells import cells
from nimtui.report.copies import Copy
from nimtui.report.lines import Ink, Line, Run, cut, fit, fitting, justified, keys, line, paragraphs, width
from nimtui.report.values import Count, Score, Word
from nimtui.theory import Outcome, connect
from nimtui.ui.board import grid
from nimtui.ui.board.cursor import Cell, Owned
from nimtui.ui.board.discs import Labels, winning_cells
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets import page
from nimtui.ui.kit.widgets.page import Prompt, TypingLine
from nimtui.ui.kit.widgets.panel import Paint, of_report, painter
from nimtui.ui.play import thinking, value_history
from nimtui.ui.play.conductor import PlayConductor, Waiting
from nimtui.ui.play.keys import rows_that_are_keys
from nimtui.ui.play.thinking import Belief, Namer, Steady, settled

QUIET = "While an agent thinks, this panel shows its rating of every move. A analyses the position."
STARTS = "A tree search starts. A or esc ends the analysis."
NARROW = page.NARROW - 2  # columns of the prompt where the screen has no room for thoughts
ENTER = "⏎"
LONGEST_BAR = 48
DOING = 26  # columns for the marked move
PLAYED = 34  # columns for the latest move of a replay


def owned(session: Session, ply: int | None = None) -> Owned:
    """Return the owners of the cells after `ply` moves [default: all]: 0 one's own, 1 the opponent's."""
    ply = session.record.ply if ply is None else ply
    by = session.owners(ply)
    winning: frozenset[Cell] = frozenset()
    state = session.record.state_at(ply)
    if not ply:
        return Owned(by)
    before, move = session.record.state_at(ply - 1), session.record.moves[ply - 1]
    last, ended = session.game.touched(before, move), base.outcome(state)
    k = getattr(state, "k", 0)
    if session.game.board_kind in ("columns", "grid") and isinstance(k, int) and k and last and ended == base.WON:
        winning = winning_cells(session.game.cells(state) or [], last[0], k)
    return Owned(by, winning, frozenset(last), session.game.move_name(move, before))


def labels(conductor: PlayConductor) -> Labels:
    """Return how a disc in each column ends the game, as far as it is solved; nothing while no reasons are shown."""
    session, analysis, explaining = conductor.session, conductor.analysis, conductor.explaining
    state, analysing = session.state, analysis.on and can_analyse(session)
    if not isinstance(state, Connect) or session.over or not (analysing or explaining.on):
        return {}
    if analysis.truths:
        return {move: (value.outcome, value.remoteness) for move, value in analysis.truths.items()}
    scores = analysis.scores or explaining.scores(session)
    return {move: (Outcome.of(score), connect.plies(state, score)) for move, score in scores.items()}


def exact(conductor: PlayConductor) -> dict[Move, Outcome]:
    """Return the exact results of the moves that an analysis has solved; Connect boards have labels for them."""
    session, analysis = conductor.session, conductor.analysis
    shown = analysis.on and can_analyse(session) and not session.over and not isinstance(session.state, Connect)
    return {move: value.outcome for move, value in analysis.truths.items()} if shown else {}


def marks(session: Session, signs: Glyphs) -> tuple[Run, Run]:
    """Return the signs of the two players on this board."""
    kind, start, ground = session.game.board_kind, session.record.state_at(0), Ink.BOARD if signs.grounds else None
    number = grid.made(session.game, start) if kind == "grid" else grid.NONE
    if number in grid.PLAYERS:
        inks = (grid.INKS[at] for at in grid.PLAYERS)
        first, second = (Run(sign, ink, ground) for sign, ink in zip(grid.marks(signs), inks, strict=True))
        swapped = number != grid.FIRST
    elif kind == "columns":
        first, second = Run(signs.discs[0], Ink.FIRST, ground), Run(signs.discs[1], Ink.SECOND, ground)
        swapped = sum(disc > 0 for row in session.game.cells(start) or [] for disc in row) % 2 == 1
    elif kind in (*words.MATCHES, "grid") and number == grid.NONE:
        first, second = (Run(ghost, Ink.GHOST) for ghost in signs.ghosts)
        swapped = bool(session.sides[0])
    else:
        return Run(""), Run("")
    return (second, first) if swapped else (first, second)


def shows_rules(session: Session) -> bool:
    """Return whether the screen shows the rules: until the person's first move, or the first move of two agents."""
    people = [author.person for author in session.authors[session.opening : session.record.ply]]
    return not (session.over or session.record.undone or (people if session.watched else any(people)))


def brief_rules(game: Game, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Return the rules without a title: with the notation if both fit, else alone, else where to read them."""
    for text in (both(game), rules(game)):
        lines = paragraphs([signs.plain(text)], columns, Ink.QUIET)
        if len(lines) <= rows:
            return lines
    return [line(*keys("", "?", " shows the rules"))]


@painter
def latest_moves(columns: int, rows: int, signs: Glyphs, session: Session, explaining: bool) -> Sequence[Line]:
    """Return the line of moves; a narrow screen shows the rules there until the first move."""
    if shows_rules(session) and not explaining and columns < NARROW:
        return brief_rules(session.game, columns, rows, signs)
    return value_history.across(session, columns, signs)


@painter
def prompt_paint(
    columns: int,
    rows: int,
    signs: Glyphs,
    conductor: PlayConductor,
    typing: TypingLine,
    marked: Move | None,
    offers: Sequence[str],
) -> Sequence[Line]:
    session, waiting, believed = conductor.session, conductor.waiting, conductor.believed
    if typing.open:
        return typed(typing, session.called(asked_seat(session)), offers)(columns, rows, signs)
    doing = words.doing(session.game, session.state, marked) if marked is not None else ""
    letters = rows_that_are_keys(session).upper()
    tip = f"Type row{'s' * (len(letters) > 1)} {' '.join(letters)} with Shift, as in {letters[0]}1" if letters else ""
    if believed is not None and columns < NARROW:  # a narrow screen has no panel of thoughts
        belief = thinking.brief(believed, namer(session, session.record.ply))
        waiting = waiting._replace(text=belief or waiting.text)
    return actions(session, doing, waiting, conductor.message, columns, signs, tip)


def offered(typing: TypingLine, conductor: PlayConductor, course: Course | None) -> list[str]:
    """Return the players to offer while a new player is asked for, or the names for the table of this course."""
    if typing.open and typing.asked is Prompt.TABLE and course is not None:
        return conductor.teaching.names(course)
    if not typing.open or typing.asked is not Prompt.PLAYER:
        return []
    return [ME, *(choice.agent for choice in agent_choices(conductor.session.game))]


def asked_seat(session: Session) -> int:
    """Return the seat whose player is replaced: that of a held or watched agent, else the opponent's."""
    if session.hold is not None or session.watched:
        return session.record.turn
    return 1 - session.me if session.opponent is None else session.opponent


@painter
def title(columns: int, rows: int, signs: Glyphs, session: Session) -> Sequence[Line]:
    called = [session.called(seat) for seat in (0, 1)]
    name_of = (lambda player: player.title) if session.watched else levels.title_of
    titles = [name if one.is_person else name_of(one) for name, one in zip(called, session.players, strict=True)]
    short = called if session.opponent is not None else ["First", "Second"]
    return title_lines(session, (titles, short), columns, signs)


@painter
def replayed_title(columns: int, rows: int, signs: Glyphs, replay: Replay) -> list[Line]:
    """Return the replayed game's title and its players."""
    names = [[name(seat) for seat in (0, 1)] for name in (replay.in_full, replay.called, replay.short)]
    return title_lines(replay, names, columns, signs)


@painter
def reviewed_title(columns: int, rows: int, signs: Glyphs, session: Session) -> list[Line]:
    """Return the reviewed game's title and how it ended."""
    whole, result = signs.plain(session.game.title), signs.plain(words.result(session))
    name = fitting(columns - len(result) - len("Review") - 4, whole, whole.partition(signs.plain(" · "))[0])
    return [justified(line(("Review", Ink.STRONG), (f"  {name}", Ink.QUIET)), line((result, Ink.TEXT)), columns)]


@painter
def thoughts_paint(
    columns: int, rows: int, signs: Glyphs, conductor: PlayConductor, steady: Steady, whole: bool = False
) -> Sequence[Line]:
    """Paint the thoughts: of the agent that thinks, or behind the latest move of one.

    The rules stand above them until the first move. The `whole` judged game, if asked for, takes their place.
    """
    session, beliefs = conductor.session, beliefs_of(conductor)
    if whole and session.over and session.judged() and session.learned is None and not beliefs:
        return value_history.judged_paint(session)(columns, rows, signs)
    below = thinking.paint(beliefs, steady) if beliefs else _thoughts(session, conductor.teaching)
    if conductor.analysis.on or not shows_rules(session):
        return below(columns, rows, signs)
    texts = [Sentence(text) for text in (rules(session.game), notation(session.game)) if text]
    above = cells(Report([Heading("Rules"), *texts, Gap()]), columns, signs=signs)
    idle = not beliefs and session.reflection is None
    lower = below(columns, rows if idle else max(1, rows - len(above)), signs)
    return above if idle and len(above) + len(lower) > rows else [*above, *lower]


def beliefs_of(conductor: PlayConductor) -> list[Belief]:
    """Return what the agents believe: the one that thinks, and of two agents the other's last thought too.

    The agent to move comes first. [] if none thinks and a person plays.
    """
    session, believed = conductor.session, conductor.believed
    if believed is None and conductor.analysis.on and can_analyse(session):
        return [_analysed(session, conductor.analysis)]
    if session.learned is not None or (believed is None and not session.watched):
        return []
    turn = session.record.turn
    beliefs = [_last_belief(session, seat) for seat in (turn, 1 - turn) if session.watched]
    if believed is not None:
        ply, who = session.record.ply, session.called(turn)
        beliefs[:1] = [Belief(turn, f"{who} thinks", believed, namer(session, ply), base.legal_moves(session.state))]
    return [belief for belief in beliefs if belief is not None]


def _analysed(session: Session, analysis: Analysis) -> Belief:
    """Return what the analysis believes of the position on the board."""
    believed, truths = analysis.thinking or Thinking(()), analysis.truths
    value = analysis_verdict(truths)
    marked = replace(believed, move=best_by(truths, believed.move))
    note = analysis.note or ("" if believed.thoughts else STARTS)
    moves, name = thinking.by_value(base.legal_moves(session.state), truths), namer(session, session.record.ply)
    title = f"Analysis: {value}" if value else "Analysis"
    return Belief(session.record.turn, title, marked, name, moves, truths, note)


def _last_belief(session: Session, seat: int) -> Belief | None:
    """Return what the agent on this seat thought before its last move on the board; None if there is none."""
    last = session.last_reflection(seat)
    if last is None:
        return None
    name, decision = namer(session, last.ply), last.decision
    moves = [thought.move for thought in decision.thoughts]
    title = f"{session.called(seat)}, before {name(decision.move)}"
    return Belief(seat, title, settled(decision), name, moves, note=decision.note)


def namer(session: Session, ply: int) -> Namer:
    """Return how moves are called in the position after `ply` moves."""
    return partial(session.game.move_name, state=base.copy(session.record.state_at(ply)))


def _thoughts(session: Session, teaching: Teaching) -> Paint:
    course = teaching.course(session)
    if session.learned is not None and course is not None:
        state = f"{changed_text(session.learned)} {course.state}"
        return of_report(learned_report(course.who, session.learned, state))
    last = session.reflection
    if last is None:
        reason = QUIET if session.opponent is not None else "Two people play, so there are no thoughts to show."
        return of_report(Report([Heading("Thoughts"), Sentence(reason, ink=Ink.QUIET)]))
    name = namer(session, last.ply)
    who = last.player.title.partition(" (")[0]
    move, unit = name(last.decision.move), thinking.legend(last.decision, last.player.agent)
    empty = f"{who} does not rate its moves."
    return lambda columns, rows, signs: thinking.reflection(
        thinking.head(who, move, columns), last.decision, name, empty, columns, rows, signs, unit
    )


# The lines.


def title_lines(session: Session, names: Sequence[Sequence[str]], columns: int, signs: Glyphs) -> list[Line]:
    """Return the line above the board: the game, its players with their signs on the board, and the turn until the end.

    `names`: the players' names, from long to short. Shorter ones, then a shorter title, are used in little room.
    """
    game, turn = session.game.title, None if session.over or session.past else session.record.turn
    rights = [_title_names(called, marks(session, signs), turn, signs) for called in names]
    titles = [line((signs.plain(text), Ink.STRONG)) for text in (game, shorter(game), game.partition(" · ")[0])]
    pairs = [*((titles[0], right) for right in rights), *((title, rights[-1]) for title in titles[1:])]
    fitting = (pair for pair in pairs if width(pair[0]) + width(pair[1]) + 2 <= columns)
    return [justified(*next(fitting, pairs[-1]), columns)]


def shorter(game: str) -> str:
    """Return the game's title in fewer words: 'Tower of 16', '21 matches, take 1 to 3 · misère'."""
    return game.replace(" · the last match wins", "").replace(" · the last match loses", " · misère")


def _title_names(names: Sequence[str], marks: Sequence[Run], turn: int | None, signs: Glyphs) -> Line:
    runs: list[Run] = []
    for seat, name in enumerate(names):
        runs += [Run("  vs  " if seat else "", Ink.QUIET), Run(signs.cursor if seat == turn else " ", Ink.STRONG)]
        runs += [marks[seat], Run(f" {signs.plain(name)}", Ink.TEXT)]  # the same for both: a turn moves the sign alone
    return line(*runs)


def learned_report(who: str, learned: Learned, state: str) -> Report:
    """Return which scores of a table a game has changed, and the `state` of the table, in sentences."""
    weight = f", weight {Count(learned.weight)}" if learned.weight > 1 else ""

    def arrow(pair: tuple[Change, str]) -> Inked:
        return Inked(("↑", Ink.GOOD) if pair[0].after > pair[0].before else ("↓", Ink.BAD))

    columns = [
        *score_columns(
            lambda pair: pair[0].position_name, lambda pair: pair[1], lambda pair: (pair[0].before, pair[0].after)
        ),
        Column("", arrow),
    ]
    changes = Table("", columns, list(zip(learned.changes, learned.moves, strict=True)), gap=1)
    none = Sentence("This game changed no score of the table.", ink=Ink.QUIET)
    end = Sentence(state, ink=Ink.QUIET)
    return Report([Heading(f"{who} learned{weight}"), changes if learned.changes else none, end])


def score_columns(
    position: Callable[[Any], str], move: Callable[[Any], str], scores: Callable[[Any], tuple[float, float]]
) -> list[Column]:
    """Return the columns of moves whose scores a lesson changes; in narrow ones only the new score stays."""
    return [
        Column("position", lambda row: Word(position(row)), left=True),
        Column("move", lambda row: Word(move(row)), left=True),
        Column("was", lambda row: Score(scores(row)[0]), rank=1),
        Column("", lambda row: Word("→"), rank=1),
        Column("now", lambda row: Score(scores(row)[1])),
    ]


def copies(session: Session) -> list[Copy]:
    """Return what any game offers to copy: the shown position, and the moves that led to it."""
    position = Copy("position", session.game.position_name(session.state))
    return [position, Copy("moves", session.record.transcript())] if session.record.ply else [position]


@painter
def typed(
    columns: int, rows: int, signs: Glyphs, typing: TypingLine, seat: str = "", offers: Sequence[str] = ()
) -> list[Line]:
    """Return the typed text, and its error or the offers."""
    question = f"{typing.asked.value}{f' {seat}' if typing.asked is Prompt.PLAYER else ''}: "
    end = keys("   ", ENTER, "  ", "esc")
    first = line((question, Ink.TEXT), (typing.text, typing.ink), (signs.full, Ink.PICK), *end)
    if typing.fault:
        second = line((f"{signs.fault} {typing.fault}", Ink.BAD))
    else:
        second = line((", ".join(offers), Ink.QUIET)) if typing.asked is not Prompt.MOVE else ()
    return [fit(first, columns, signs), fit(second, columns, signs)]


def actions(
    session: Session, doing: str, waiting: Waiting, message: str, columns: int, signs: Glyphs, tip: str = ""
) -> list[Line]:
    """Return what the person can do: `doing` is the marked move. `tip` is shown if there is no message."""
    who = session.called(session.record.turn)
    messages = [fit(part, columns, signs) for part in paragraphs([signs.plain(message)], columns)]
    second = messages[0]
    if session.over:
        winner = session.record.winner
        mine = winner is not None and session.players[winner].is_person
        ended = (words.result(session), Ink.GOOD if mine else Ink.STRONG)
        news = levels.news(session)
        first = _first_fitting(
            columns, [ended, (f" {news}", Ink.TEXT)], [ended, (f" {news.partition(',')[0]}", Ink.TEXT)]
        )
        if not message:
            asks = words.question(session)
            long = keys("", "r", f" {asks}   ", "u", " take back   ", "n", " new game")
            longer = [*long, *keys("   ", "^s", " save")]
            longest = [*longer, *keys("   ", "V", " values")]
            second = _first_fitting(
                columns, longest, longer, long, keys("", "r", f" {asks}  ", "u", " undo  ", "n", " new")
            )
    elif session.hold is Hold.FAILED:
        first = line((f"{signs.fault} {who} failed: {session.fault}", Ink.BAD))
        second = _instead("try again", doing, columns)
    elif session.hold is Hold.STOPPED:
        first = line((f"{who} was stopped", Ink.STRONG))
        second = _instead("think again", doing, columns)
    elif session.hold is Hold.PAUSED and not session.steps:
        can = keys("   ", "space", " continue   ", ".", " one move   ", "o", " another player")
        less = keys("  ", "space", " continue  ", ".", " step  ", "o", " other player")
        paused = (f"Paused, {who} to move", Ink.STRONG)
        first = _first_fitting(columns, [paused, *can], [paused, *less], [("Paused", Ink.STRONG), *less])
    elif not session.person_may_move:
        stop = keys("   ", "esc", " stop")
        busy = line((signs.plain(waiting.text) or f"{who} is thinking", Ink.TEXT))
        first = line(*cut(busy, columns - sum(len(run.text) for run in stop), signs.hidden), *stop)
        if waiting.share is not None and not message:
            time = f"  {waiting.left}" if waiting.left else ""
            bar = signs.bar(waiting.share, min(LONGEST_BAR, columns - len(time)))
            second = line((bar, Ink.JOB), (time, Ink.QUIET))
    else:
        # The part that changes with every key is leftmost, so the rest of the line is not sent again.
        whose = "your move" if who == "You" else f"{who[:1].lower() + who[1:]}'s move"
        first = line((f"{doing}  {ENTER}".ljust(DOING), Ink.PICK), (whose, Ink.QUIET))
        second = second if message else line((tip, Ink.QUIET))
    return [fit(first, columns, signs), fit(second, columns, signs), *messages[1:]]


def _instead(again: str, doing: str, columns: int) -> Line:
    """Return what the person can do when an agent does not move: let it try again, replace it, or move for it."""
    long = keys("", "space", f" {again}   ", "o", " another player   ", ENTER, f" {doing} for it")
    return _first_fitting(columns, long, keys("", "space", f" {again}  ", "o", " other player  ", ENTER, f" {doing}"))


def _first_fitting(columns: int, *choices: Sequence[Run | tuple[str, Ink]]) -> Line:
    """Return the first of these lines that fits, else the last."""
    lines = [line(*choice) for choice in choices]
    return next((shorter for shorter in lines if width(shorter) <= columns), lines[-1])


# Below a game that was played.


@painter
def replayed(
    columns: int, rows: int, signs: Glyphs, replay: Replay, pace: float | None, message: str, story: Story | None
) -> list[Line]:
    """Return what stands below a replay: the latest move with its judgement and its story, then the next move.

    `pace`: seconds per move of automatic play; None if it is off.
    """
    ply = replay.record.ply
    done = f"{ply} of {replay.last}   {_latest_move(replay)}"
    judged, ink = _judged(replay)
    sign = f"{signs.wrong} " if ink is Ink.BAD else ""
    first = line((signs.plain(done).ljust(PLAYED), Ink.STRONG), (f"  {sign}{signs.plain(judged)}", ink))
    second = cut(line((signs.plain(message or _following(replay)), Ink.TEXT)), columns, signs.hidden)
    if pace is not None:
        second = justified(second, line((f"{signs.running} {pace:g} s per move", Ink.QUIET)), columns)
    history = "" if story is None else signs.plain(story.told(ply - 1))
    third = [cut(line((history, Ink.TEXT)), columns, signs.hidden)] if rows > 2 else []
    fault = [cut(line((signs.plain(text), Ink.QUIET)), columns, signs.hidden) for text in replay.particulars]
    return [cut(first, columns, signs.hidden), *third, second, *fault[: rows - 2 - len(third)]]


@painter
def reviewed(columns: int, rows: int, signs: Glyphs, asks: str, told: str, history: str, fault: str) -> list[Line]:
    """Return what stands below a review: the question, what decided the game, and the history of the marked move."""
    if fault:
        return paragraphs([f"The review failed: {fault}"], columns, Ink.BAD)
    if not told:
        return [line(("Solving every position ", Ink.QUIET), (signs.hidden, Ink.QUIET))]
    story, marked = (paragraphs([signs.plain(text)], columns) if text else [] for text in (told, history))
    rows -= len(marked)
    if len(story) > rows - 1 > 0:
        story = [*story[: rows - 2], line(*cut(story[rows - 2], columns - 2, ""), f" {signs.hidden}")]
    return [line((asks[:1].upper() + asks[1:], Ink.TITLE)), *story, *marked]


def _who(replay: Replay, ply: int) -> str:
    return "the opening" if replay.authors[ply].label == OPENING else replay.short(ply % 2)


def _latest_move(replay: Replay) -> str:
    """Return the latest move: 'mc took 2 from D'."""
    ply = replay.record.ply - 1
    if ply < 0:
        return "the start"
    before = replay.record.state_at(ply)
    return f"{_who(replay, ply)} {words.doing(replay.game, before, replay.record.moves[ply], 'took', 'dropped')}"


def _judged(replay: Replay) -> tuple[str, Ink]:
    """Return what the latest move did: 'win → loss; b1 keeps the win'."""
    latest = replay.judged().get(replay.record.ply - 1)
    if latest is None or latest.before is None:
        return "", Ink.QUIET
    if not latest.mistake:
        return latest.effect, Ink.QUIET
    return f"{latest.effect}; {kept_by(replay.record, latest)}", Ink.BAD


def _following(replay: Replay) -> str:
    """Return how the game ended, or the next move."""
    if replay.at_end:
        return replay.result
    ply = replay.record.ply
    who = _who(replay, ply)
    taking, dropping = ("take", "drop") if who == "you" else ("takes", "drops")
    following = f"Next: {who} {words.doing(replay.game, replay.state, replay.record.undone[-1], taking, dropping)}"
    return f"{replay.kept.title} · {following[0].lower()}{following[1:]}" if replay.kept.title else following

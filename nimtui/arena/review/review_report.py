"""What a game tells: its moves with their exact values, its value history, and what decided it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from nimtui.agents import parse_agent
from nimtui.agents.belief import Belief, of_game
from nimtui.agents.program import called
from nimtui.arena.play.batch import Played
from nimtui.arena.play.entrants import labels
from nimtui.arena.play.steps import check
from nimtui.arena.review.history import Believed, Cell, Moment, Story, cells, estimates, history, legend, sides
from nimtui.arena.review.review import Judgement, Reviewed, better, of_seats, review, story
from nimtui.games import Game, Record
from nimtui.games.base import Move
from nimtui.games.notation import plural
from nimtui.progress import Progress
from nimtui.report.blocks import Block, Column, Facts, Gap, Picture, Sentence, Table
from nimtui.report.cells import LINE
from nimtui.report.document import rows_of
from nimtui.report.lines import BLANK, FIRM, Line, line, paragraphs
from nimtui.report.values import Count, Ending, Keys, Raw, Score, Value, Word
from nimtui.theory.report import VERBS

OPENING = "opening"
MOST_NAMED = 4  # better moves that are named beside a mistake
WIDTH, BELIEF = 60, 8  # columns of a line of the value history, and of the belief behind it
NAMED = 10  # characters of a player there
SIGNS = dict(zip(map(str, Cell), " │┃░█─✗○◇", strict=True))

NO_STORY = Story((), ("", ""))  # of a game that was not judged


class Ply(NamedTuple):
    """One move of a game."""

    ply: int  # from 1
    agent: str
    move: str
    position: str  # after the move
    judged: Judgement | None = None
    best: tuple[str, ...] = ()  # the moves that would have kept the outcome


@dataclass(frozen=True, slots=True)
class GameReview:
    """A game move by move, and its review; None if it was not judged."""

    moves: Sequence[Ply]
    reviewed: Reviewed | None = None
    story: Story = NO_STORY


def read(
    game: Game,
    moves: Sequence[Move],
    opening: int,
    seats: tuple[str, str],
    judge: Progress | None = None,
    fault: str = "",
    beliefs: Sequence[Belief | None] = (),
) -> GameReview:
    """Return a game move by move, judged against perfect play if `judge` is given.

    `seats` names the agents that move first and second after the opening. `fault` says why the last of them lost.
    `beliefs` are what the players believed of their moves. Raises InputError for an illegal move.
    """
    record, played = Record(game), []
    for ply, move in enumerate(moves):
        check(game, record.state, ply, move)
        name = game.move_name(move, record.state)
        record.push(move)
        agent = OPENING if ply < opening else seats[(ply - opening) % 2]
        played.append(Ply(ply + 1, agent, name, game.position_name(record.state)))
    if judge is None:
        return GameReview(played)
    judgements = review(record, judge, plies=True)
    for ply, judged in enumerate(judgements):
        state = record.state_at(ply)
        best = tuple(game.move_name(move, state) for move in judged.best_moves)
        played[ply] = played[ply]._replace(judged=judged, best=best)
    reviewed = of_seats(record, judgements, (called(seats[0]), called(seats[1])), opening, fault)
    moments = history(len(played), judgements, beliefs, opening=opening)
    return GameReview(played, reviewed, Story(moments, reviewed.in_turn))


def of_row(game: Game, row: Played, agents: Sequence[str], judge: Progress | None) -> GameReview:
    """Return a game of a batch or of the database move by move; `agents` are its players 0 and 1."""
    codes, first, second = row.codes(), agents[row.opener], agents[1 - row.opener]
    return read(game, codes, row.opening, (first, second), judge, row.fault, of_game(row.beliefs, len(codes)))


def estimated(game: GameReview, spec: str, seed: int, progress: Progress) -> GameReview:
    """Return a judged game with the estimates of the agent of this name. Raises InputError if it cannot estimate."""
    if game.reviewed is None:
        return game
    record = game.reviewed.record
    agent = parse_agent(spec, record.game)
    beliefs = estimates(record, agent, seed, progress)
    moments = [replace(one, estimate=belief) for one, belief in zip(game.story.moments, beliefs, strict=True)]
    return replace(game, story=replace(game.story, moments=moments, analyst=agent.name))


def blocks(game: GameReview, drawn: bool = True) -> list[Block]:
    """Return the report of a game: a line per move, its value history, if it is `drawn`, and what decided it."""
    if game.reviewed is None:
        return [moves(game)]
    values = values_of(game)
    if game.story.blank or not drawn:
        return [moves(game), Facts({"history": rows_of(values)}), Gap(), decision(game)]
    return [moves(game), Gap(), Picture(values, lambda columns, rows: picture_of(game, columns)), Gap(), decision(game)]


def moves(game: GameReview) -> Table:
    """Return a row for each move: the agent, the move, the position after it, and what a mistake gave away."""
    point = None if game.reviewed is None else game.reviewed.decision.point
    mistakes = any(row.judged and row.judged.mistake for row in game.moves)

    def mark(row: Ply) -> str:
        """Return 'mistake: win → loss; better: a1', '' for other moves."""
        if row.judged is None or not row.judged.mistake:
            return ""
        more = f" or {plural(len(row.best) - MOST_NAMED, 'other', 'others')}" if len(row.best) > MOST_NAMED else ""
        kind = (
            "mistake in the opening" if row.agent == OPENING else "turning point" if row.judged is point else "mistake"
        )
        return f"{kind}: {row.judged.gave_away}; better: {' '.join(row.best[:MOST_NAMED])}{more}"

    columns = [
        Column("", lambda row: Count(row.ply), "ply"),
        Column("agent", lambda row: Word(called(row.agent)), left=True),
        Column(None, lambda row: Raw(row.agent), "agent"),
        Column("move", lambda row: Word(row.move), "move", left=True),
        Column("position after it", lambda row: Word(row.position or "the start"), left=True),
        Column(None, lambda row: Raw(row.position), "position"),
        Column(None, lambda row: Keys(judged_keys(row)), "before"),
        Column("" if mistakes else None, lambda row: Word(mark(row)), left=True),
    ]
    return Table("moves", columns, game.moves)


def judged_keys(row: Ply) -> dict[str, Any]:
    """Return the exact values before and after a move for a document; none if the game was not judged."""
    judged = row.judged
    if judged is None:
        return {}
    paid = {"payoff_before": judged.payoff_before, "payoff_after": judged.payoff_after}
    return {
        **(paid if judged.payoff_after is not None else {}),
        "before": judged.before and judged.before.value,
        "after": judged.after and judged.after.value,
        "remoteness_before": judged.plies_before,
        "remoteness": judged.plies_after,
        "mistake": judged.mistake,
        "best_moves": list(row.best),
        "gave_away": _change(judged) if judged.mistake else None,
    }


def decision(game: GameReview) -> Sentence:
    """Return what decided a judged game.

    `turning_point` is None without a known mistake, and if the outcome changed later among `unjudged` moves.
    """
    assert game.reviewed is not None
    decided, sentences = game.reviewed.decision, story(game.reviewed)
    point = None
    if decided.point is not None:
        why = better(game.reviewed.record, decided.point)
        point = {**_brief(game, decided.point), "better": list(why.moves), "why": why.why, "certain": decided.certain}
    facts = {
        "turning_point": point,
        "earlier": [_brief(game, mistake) for mistake in decided.earlier],
        "unjudged": [{"first": gap.first + 1, "last": gap.last + 1} for gap in decided.gaps],
        "story": sentences,
    }
    return Sentence(" ".join(sentences), facts)


def _brief(game: GameReview, judged: Judgement) -> dict[str, Any]:
    row = game.moves[judged.ply]
    return {"ply": row.ply, "agent": row.agent, "move": row.move, **_change(judged)}


def _change(judged: Judgement) -> dict[str, str | None]:
    """Return the outcomes before and after a move, for its player."""
    return {"from": judged.before and judged.before.value, "to": judged.after and judged.after.value}


def values_of(game: GameReview) -> Table:
    """Return the value history: outcome and remoteness after each move, for the first player.

    A belief is for the player who made the move.
    """

    def value(moment: Moment) -> Value:
        verb = None if moment.outcome is None else VERBS[moment.outcome]
        return Ending(verb, moment.remoteness) if moment.payoff is None else Score(moment.payoff)

    def exact(moment: Moment) -> Keys:
        outcome = moment.outcome
        keys = {"outcome": outcome and outcome.value, "remoteness": moment.remoteness}
        return Keys({**keys, "mistake": None if outcome is None else bool(moment.gave_away)})

    columns = [
        Column("", lambda moment: Count(moment.ply + 1), "ply"),
        Column("player", lambda moment: Word(called(game.moves[moment.ply].agent)), left=True),
        Column(None, lambda moment: Raw(game.moves[moment.ply].agent), "player"),
        Column("move", lambda moment: Word(game.moves[moment.ply].move), "move", left=True),
        Column("first player", value),
        Column(None, exact, "outcome"),
        Column("expected", lambda moment: Believed(moment.belief), "belief"),
    ]
    if game.story.analyst:
        columns.append(Column(game.story.analyst, lambda moment: Believed(moment.estimate), "estimate"))
    return Table("history", columns, game.story.moments)


def picture_of(game: GameReview, columns: int) -> list[Line]:
    """Return the drawn value history: the names of the sides, a line per move with the belief, what the signs mean.

    Lines without anything known have no bar.
    """
    played = game.moves
    agents = tuple(dict.fromkeys(row.agent for row in played))
    short = dict(zip(agents, labels(agents), strict=True))
    who = min(NAMED, max(map(len, short.values())))
    wide, digits = max(len(row.move) for row in played), len(str(len(played)))
    lead = digits + 1 + who + 1 + wide + 1
    room = min(WIDTH, columns - BELIEF) - lead
    width = max(9, room - (1 - room % 2))
    first, second = (short.get(name, name) for name in game.story.names)
    low, high = sides((first, second), game.story.paid)
    half = width // 2
    texts = [f"{'':{lead}}{low[: half - 2]:<{half - 2}} ‹ › {high[: half - 2]:>{half - 2}}"]
    for moment, row in zip(game.story.moments, played, strict=True):
        bar = "" if moment.blank else "".join(SIGNS[cell] for cell in cells(moment, width))
        label = f"{row.ply:>{digits}} {short[row.agent][:who]:<{who}} {row.move:<{wide}} "
        texts.append(f"{label}{bar:<{width}} {Believed(moment.belief).short}")
    parts = legend([cells(moment, width) for moment in game.story.moments], game.story.analyst, game.story.paid)
    told = ("".join(SIGNS[cell] for cell in kinds) + f" {meaning}" for kinds, meaning in parts)
    signs = " · ".join(text.replace(" ", FIRM) for text in told)
    return [*(line(text.rstrip()) for text in texts), BLANK, *paragraphs([signs], min(columns, LINE))]

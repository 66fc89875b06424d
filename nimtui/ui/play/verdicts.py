"""Put a review into words: which move lost the game, which move would have kept it, and why."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui import theory
from nimtui.arena.review import Judgement
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.theory import Outcome
from nimtui.ui.play import sentences as words
from nimtui.ui.play.session import ORDER, Session

COULD = {Outcome.WIN: "win", Outcome.DRAW: "hold the draw"}


def sign(judgement: Judgement, wrong: str) -> str:
    """Return the mark after a move: `wrong` for a mistake, else none."""
    return wrong if judgement.mistake else ""


def said(judgement: Judgement) -> str:
    """Return the judgement in a few words: 'keeps the win', 'gives the win away', 'was lost anyway'."""
    before, after = judgement.before, judgement.after
    if before is None or after is None:
        return "unknown"
    if judgement.mistake:
        return {Outcome.WIN: "gives the win away", Outcome.DRAW: "gives the draw away"}[before]
    return {Outcome.WIN: "keeps the win", Outcome.DRAW: "keeps the draw", Outcome.LOSS: "was lost anyway"}[before]


def made_by(who: str, by: Sequence[str], judgements: Sequence[Judgement]) -> list[Judgement]:
    """Return the judgements of this player's moves; `by` has the label of each move's player."""
    return [found for found in judgements if by[found.ply] == who]


def tally(judgements: Sequence[Judgement]) -> tuple[int, int]:
    """Return how many of these moves could be mistakes, and how many were."""
    could = [found for found in judgements if found.before not in (None, Outcome.LOSS)]
    return len(could), sum(found.mistake for found in could)


def first_turning_point(judgements: Sequence[Judgement], seat: int) -> Judgement | None:
    return next((found for found in judgements if found.seat == seat and found.turning_point), None)


def why_lost(session: Session, judgements: Sequence[Judgement]) -> list[str]:
    """Return in a few sentences why the loser lost; in a draw, who gave a win away."""
    winner = session.record.winner
    if all(found.before is None for found in judgements):
        return ["The board is too large to solve, so no move can be judged."]
    since = "first move" if not session.opening else "end of the opening"
    judgements = judgements[session.opening :] or judgements  # the opening's mistakes belong to no player
    if not session.over:
        return _so_far(session, judgements)
    if winner is None:
        return _about_a_draw(session, judgements)
    loser = 1 - winner
    turn = first_turning_point(judgements, loser)
    names = session.names_at(turn.ply if turn is not None else session.record.ply - 1)
    name, other = names[loser], names[winner]
    if turn is None and judgements[0].before is None:
        known = next(found.ply for found in judgements if found.before is not None)
        return [f"The board can be solved only from move {known + 1}. The position was already lost there."]
    if turn is None and session.changed_hands:
        return [f"The {ORDER[loser]} seat was losing from the {since}, and its opponent made no mistake."]
    if turn is None:
        lost = words.verb(name, "was", "were")
        return [f"{lost} losing from the {since}: {words.verb(words.inside(other), 'made', 'made')} no mistake."]
    sentences = [*_turn(session, turn, name, other), *_why(session.game, session.record.state_at(turn.ply), turn)]
    later = [found for found in judgements if found.turning_point and found.ply > turn.ply]
    if later:
        who = [words.inside(session.names_at(found.ply)[found.seat]) for found in later]
        moves = ", ".join(f"{found.ply + 1} ({name})" for found, name in zip(later, who, strict=True))
        sentences.append(f"It turned again at move{'s' * (len(later) > 1)} {moves}.")
    now = words.names(session)[loser]
    if now != name:
        sentences.append(f"{now} took over that seat later.")
    return sentences


def _turn(session: Session, turn: Judgement, name: str, other: str) -> list[str]:
    """Return sentences about the turning point."""
    assert turn.before is not None
    state = session.record.state_at(turn.ply)
    best = theory.explanation.several([session.game.move_name(move, state) for move in turn.best_moves])
    after = "could win" if turn.after is Outcome.LOSS else "could hold the draw"
    return [
        f"Move {turn.ply + 1}, {session.game.move_name(turn.move, state)}, was the turning point.",
        f"Before it, {words.inside(name)} could {COULD[turn.before]} with {best}.",
        f"After it, {words.inside(other)} {after}.",
    ]


def _why(game: Game, state: State, turn: Judgement) -> list[str]:
    """Return what the better move leaves, and what the played move left."""
    better, played = _left(game, state, turn.best_moves[0]), _left(game, state, turn.move)
    if better is None or played is None:
        return []
    return (
        [
            f"{game.move_name(turn.best_moves[0], state)} leaves nim-sum 0, which every reply changes. "
            f"{game.move_name(turn.move, state)} left nim-sum {played}, which a reply could change to 0."
        ]
        if better == 0 and played != 0
        else []
    )


def _left(game: Game, state: State, move: Move) -> int | None:
    """Return the nim-sum after a move; None if no nim-sum decides."""
    from nimtui.games import base

    after = base.copy(state)
    base.play(after, move)
    if base.outcome(after) != base.GOING_ON:
        return 0
    why = theory.explain(game, after)
    return why.nim_sum if why.phase in (None, theory.explanation.Phase.OPEN) else None


def _so_far(session: Session, judgements: Sequence[Judgement]) -> list[str]:
    """Return sentences about an unfinished game."""
    turns = [f"{found.ply + 1} ({words.inside(session.called(found.seat))})" for found in judgements if found.mistake]
    if not turns:
        return ["Neither player has made a mistake."]
    return [f"It turned at move{'s' * (len(turns) > 1)} {', '.join(turns)}."]


def _about_a_draw(session: Session, judgements: Sequence[Judgement]) -> list[str]:
    turn = next((found for found in judgements if found.turning_point), None)
    if turn is None:
        return ["Both played perfectly: perfect play ends in a draw."]
    names = session.names_at(turn.ply)
    name, other = names[turn.seat], names[1 - turn.seat]
    return _turn(session, turn, name, other)

"""One game, move by move: the agent, the move, the position after it, mistakes, and what decided the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from nimtui.documents import history

if TYPE_CHECKING:
    from nimtui.agents.belief import Belief
    from nimtui.arena.history import Moment
    from nimtui.arena.review import Judgement
    from nimtui.arena.review_text import Reviewed
    from nimtui.games import Game
    from nimtui.games.base import Move
    from nimtui.progress import Progress

OPENING = "opening"
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GameText:
    """A game's rows, one per move, and its review; None if it was not judged."""

    rows: list[Row]
    reviewed: Reviewed | None = None
    moments: tuple[Moment, ...] = ()  # the value history, if the game was judged
    analyst: str = ""  # the agent of its estimates


def read(
    game: Game,
    moves: Sequence[Move],
    opening: int,
    seats: tuple[str, str],
    judge: Progress | None = None,
    fault: str = "",
    beliefs: Sequence[Belief | None] = (),
) -> GameText:
    """Return one row per move: `ply, agent, move, position` (after the move).

    With `judge`, a row also has `before, after, mistake, best_moves, gave_away`, if the game can be solved, and the
    plies to the end under best play before and after the move, `remoteness_before, remoteness`.
    `seats` names the agents that move first and second after the opening. `fault` says why the last of them lost.
    `beliefs` are what the players believed of their moves.
    Raises InputError for an illegal move.
    """
    from nimtui.arena.history import history
    from nimtui.arena.review import review
    from nimtui.arena.review_text import Reviewed, seat_names
    from nimtui.errors import InputError
    from nimtui.games import Record

    record = Record(game)
    rows: list[Row] = []
    for ply, move in enumerate(moves):
        try:
            name = game.move_name(move, record.state)
            record.push(move)
        except (ValueError, IndexError):
            raise InputError(f"move {ply + 1} of this game (code {move}) is not legal in {game.name}") from None
        who = OPENING if ply < opening else seats[(ply - opening) % 2]
        rows.append({"ply": ply + 1, "agent": who, "move": name, "position": game.position_name(record.state)})
    if judge is None:
        return GameText(rows)
    judgements = review(record, judge, plies=True)
    for row, judged in zip(rows, judgements, strict=True):
        at = record.state_at(judged.ply)
        row["before"] = None if judged.before is None else judged.before.value
        row["after"] = None if judged.after is None else judged.after.value
        row["remoteness_before"], row["remoteness"] = judged.plies_before, judged.plies_after
        row["mistake"] = judged.mistake
        row["best_moves"] = [game.move_name(move, at) for move in judged.best_moves]
        row["gave_away"] = _change(judged) if judged.mistake else None
    names = seat_names(seats, opening)
    moments = history(len(rows), judgements, beliefs, opening=opening)
    return GameText(rows, Reviewed(record, judgements, lambda ply: names, opening, fault), tuple(moments))


def estimated(text: GameText, spec: str, seed: int, progress: Progress) -> GameText:
    """Return a judged game with the estimates of the agent of this name. Raises InputError if it cannot estimate."""
    from nimtui.agents import parse_agent
    from nimtui.arena.estimates import estimates

    if text.reviewed is None:
        return text
    record = text.reviewed.record
    agent = parse_agent(spec, record.game)
    found = estimates(record, agent, seed, progress)
    moments = tuple(replace(one, estimate=belief) for one, belief in zip(text.moments, found, strict=True))
    return replace(text, moments=moments, analyst=agent.name)


def document(text: GameText) -> dict[str, Any]:
    """Return the keys of what decided a game: `turning_point, earlier, unjudged, story, history`; none if unjudged.

    `turning_point` is None without a known mistake, and if the outcome changed later among `unjudged` moves.
    """
    if text.reviewed is None:
        return {}
    from nimtui.arena.review_text import better, story

    found = text.reviewed.decision
    point = None
    if found.point is not None:
        why = better(text.reviewed.record, found.point)
        known = {"better": list(why.moves), "why": why.why, "certain": found.certain}
        point = _brief(text.rows, found.point) | known
    return {
        "turning_point": point,
        "earlier": [_brief(text.rows, mistake) for mistake in found.earlier],
        "unjudged": [{"first": gap.first + 1, "last": gap.last + 1} for gap in found.gaps],
        "story": story(text.reviewed),
        "history": history.document(text.moments, *columns(text), text.analyst),
    }


def columns(text: GameText) -> tuple[list[str], list[str]]:
    """Return the players and the moves."""
    return [row["agent"] for row in text.rows], [row["move"] for row in text.rows]


def _change(judged: Judgement) -> dict[str, str | None]:
    """Return the outcomes before and after a move, for its player."""
    before, after = judged.before, judged.after
    return {"from": None if before is None else before.value, "to": None if after is None else after.value}


def _brief(rows: Sequence[Row], judged: Judgement) -> dict[str, Any]:
    row = rows[judged.ply]
    return {key: row[key] for key in ("ply", "agent", "move")} | _change(judged)

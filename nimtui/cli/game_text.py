"""One game, move by move: the agent, the move, the position after it, mistakes, and what decided the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nimtui.agents.belief import Belief
    from nimtui.arena.history import Moment
    from nimtui.arena.review import Judgement
    from nimtui.arena.review_text import Names, Reviewed
    from nimtui.games import Game
    from nimtui.games.base import Move
    from nimtui.progress import Progress

OPENING = "opening"
MOST_NAMED = 4  # better moves that are named beside a mistake

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
    from nimtui.cli import game_history

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
        "history": game_history.document(text.moments, *_columns(text), text.analyst),
    }


def show(text: GameText, history: bool = True) -> None:
    """Print one line per move, with what mistakes gave away; then the value history, and what decided the game."""
    from nimtui.cli import output

    point = text.reviewed.decision.point if text.reviewed is not None else None
    marks = [_mark(row, point is not None and row["ply"] == point.ply + 1) for row in text.rows]
    cells = [[str(row["ply"]), row["agent"], row["move"], row["position"] or "the start"] for row in text.rows]
    head = ["", "agent", "move", "position after it"]
    if any(marks):
        head.append("")
        cells = [[*line, mark] for line, mark in zip(cells, marks, strict=True)]
    output.columns(head, cells, left=(1, 2, 3, 4))
    if text.reviewed is not None:
        from nimtui.arena.review_text import story
        from nimtui.cli import game_history

        if history and (
            lines := game_history.lines(text.moments, *_columns(text), _seats(text.reviewed), text.analyst)
        ):
            output.say("", *lines[:-1], "")
            output.paragraph(lines[-1])
        output.say("")
        output.paragraph(" ".join(story(text.reviewed)))


def _columns(text: GameText) -> tuple[list[str], list[str]]:
    """Return the players and the moves."""
    return [row["agent"] for row in text.rows], [row["move"] for row in text.rows]


def _seats(game: Reviewed) -> Names:
    """Return the names of the first and the second player, after the opening."""
    names, first = game.names(0), game.opening % 2
    return names[first], names[1 - first]


def _change(judged: Judgement) -> dict[str, str | None]:
    """Return the outcomes before and after a move, for its player."""
    before, after = judged.before, judged.after
    return {"from": None if before is None else before.value, "to": None if after is None else after.value}


def _brief(rows: Sequence[Row], judged: Judgement) -> dict[str, Any]:
    row = rows[judged.ply]
    return {key: row[key] for key in ("ply", "agent", "move")} | _change(judged)


def _mark(row: Row, decisive: bool) -> str:
    """Return 'mistake: win → loss; better: a1', or '' for other moves."""
    if not row.get("mistake"):
        return ""
    best = row["best_moves"]
    more = f" or {len(best) - MOST_NAMED} others" if len(best) > MOST_NAMED else ""
    said = "mistake in the opening" if row["agent"] == OPENING else "turning point" if decisive else "mistake"
    return f"{said}: {row['before']} → {row['after']}; better: {' '.join(best[:MOST_NAMED])}{more}"

"""Put a review into words: what each move did, and what decided the game."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.arena import review_text
from nimtui.arena.review import Judgement
from nimtui.theory import Outcome
from nimtui.ui.play import sentences as words
from nimtui.ui.play.session import Session


def mark(judgement: Judgement, wrong: str) -> str:
    """Return the mark after a mistake, `wrong` and what the move gave away: '✗ win → loss'; '' for other moves."""
    return f"{wrong} {judgement.gave_away}" if judgement.mistake else ""


def said(judgement: Judgement) -> str:
    """Return the judgement in a few words: 'keeps the win', 'win → loss', 'was lost anyway'."""
    if judgement.before is None or judgement.after is None:
        return "unknown"
    if judgement.mistake:
        return judgement.gave_away
    return {Outcome.WIN: "keeps the win", Outcome.DRAW: "keeps the draw", Outcome.LOSS: "was lost anyway"}[
        judgement.before
    ]


def made_by(who: str, by: Sequence[str], judgements: Sequence[Judgement]) -> list[Judgement]:
    """Return the judgements of this player's moves; `by` has the label of each move's player."""
    return [found for found in judgements if by[found.ply] == who]


def tally(judgements: Sequence[Judgement]) -> tuple[int, int]:
    """Return how many of these moves could be mistakes, and how many were."""
    could = [found for found in judgements if found.before not in (None, Outcome.LOSS)]
    return len(could), sum(found.mistake for found in could)


def reviewed(session: Session, judgements: Sequence[Judgement]) -> review_text.Reviewed:
    """Return the game with its judgements and its players' names, from which its story is told."""

    def names(ply: int) -> tuple[str, str]:
        first, second = map(words.inside, session.names_at(ply))
        return first, second

    return review_text.Reviewed(session.record, judgements, names, session.opening, session.fault)

"""Review a game, finished or not, move by move against perfect play, and find the move that decided it.

That is the last one that changed the game's outcome. A move can only worsen the outcome of its own player, so each
change is a mistake. After the last mistake of a finished game the outcome is the game's result. Positions that are too
large to solve leave gaps: what changed there is unknown.

Sentences tell what decided a game: the turning point, the better move and why, and the mistakes before it. Each follows
from the judgements. What a gap between solved positions hides is called unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from nimtui import theory
from nimtui.games import Record, base
from nimtui.games.base import Move, State
from nimtui.games.notation import plural
from nimtui.games.rule_text import named
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Score
from nimtui.theory import Outcome, Unsolvable
from nimtui.theory.answers import BRIEFLY, Answer, TooSlow, Until, answer
from nimtui.theory.explanation import several
from nimtui.theory.plain import best_explained, merit


@dataclass(frozen=True, slots=True)
class Judgement:
    """The effect of one move on the game's theoretical outcome, for its player.

    An outcome is None if the position is too large to solve.
    """

    ply: int  # moves made before it
    seat: int  # 0: the first player of the game
    move: Move
    before: Outcome | None
    after: Outcome | None
    best_moves: tuple[Move, ...]  # the moves that would have preserved the outcome; () if unknown
    plies_before: int | None = None  # to the end under best play, before the move; None in a draw, or if unknown
    plies_after: int | None = None
    payoff_before: int | None = None  # games with payoffs: what perfect play was worth to its player before the move
    payoff_after: int | None = None

    @property
    def cost(self) -> int | None:
        """The points that the move gave away; None in a game without payoffs, or if that is unknown."""
        if self.payoff_before is None or self.payoff_after is None:
            return None
        return self.payoff_before - self.payoff_after

    @property
    def known(self) -> bool:
        """Return whether the outcomes before and after the move are known."""
        return self.before is not None and self.after is not None

    @property
    def mistake(self) -> bool:
        """Return whether another move was better. In a lost position all moves are equally good.

        A move can only worsen its own player's outcome: each change of the outcome is a mistake.
        """
        if self.before is None or self.after is None:
            return False
        if self.cost is not None:
            return self.cost > 0
        return self.after.worth < self.before.worth

    @property
    def gave_away(self) -> str:
        """Return what a mistake changed for its player: 'win → loss', 'win → draw', 'draw → loss'; '' if none."""
        if self.before is None or self.after is None or not self.mistake:
            return ""
        if self.payoff_before is not None:
            return f"{Score(self.payoff_before)} → {Score(self.payoff_after)}"
        return f"{self.before.value} → {self.after.value}"

    @property
    def effect(self) -> str:
        """Return what the move did: 'win → loss', 'keeps the win', 'was lost anyway'; 'unknown'."""
        if self.before is None or self.after is None:
            return "unknown"
        if self.payoff_before is not None and not self.mistake:
            return f"keeps {Score(self.payoff_before)}"
        unchanged = "was lost anyway" if self.before is Outcome.LOSS else f"keeps the {self.before.value}"
        return self.gave_away or unchanged


def review(record: Record, progress: Progress = SILENT, plies: bool = False) -> list[Judgement]:
    """Judge every move of the game in order, without moves taken back. `plies` asks for the remoteness, too."""
    state = record.state_at(0)
    judgements: list[Judgement] = []
    verdict = _solve(record, state, progress, plies)
    for ply, move in enumerate(record.moves):
        base.play(state, move)
        following = _solve(record, state, progress, plies)
        judgements.append(
            Judgement(
                ply,
                ply % 2,
                move,
                verdict.outcome if verdict else None,
                following.outcome.reply if following else None,
                verdict.best_moves if verdict else (),
                verdict.remoteness if verdict else None,
                following.remoteness if following else None,
                verdict.verdict.payoff if verdict else None,
                None if following is None or following.verdict.payoff is None else -following.verdict.payoff,
            )
        )
        verdict = following
        progress.report(ply + 1, record.ply, "moves")
    return judgements


def review_briefly(record: Record, progress: Progress = SILENT) -> list[Judgement]:
    """Judge every move while a person waits: with remoteness if that is quick. Raise TooSlow if solving takes long."""
    try:
        return review(record, Until(progress, BRIEFLY), plies=True)
    except TooSlow:
        return review(record, Until(progress, BRIEFLY))


def _solve(record: Record, state: State, progress: Progress, plies: bool) -> Answer | None:
    try:
        if plies:
            return answer(record.game, state, progress, scores=False)
        return Answer(theory.solve(record.game, state, progress, scores=False), None)
    except Unsolvable:
        return None


@dataclass(frozen=True, slots=True)
class Gap:
    """Moves between two solved positions with none inside. Outcomes are the first player's; None: unknown."""

    first: int  # ply of the first of these moves
    last: int
    before: Outcome | None
    after: Outcome | None

    @property
    def changed(self) -> bool:
        """Return whether the outcome is known to differ between both sides."""
        return None not in (self.before, self.after) and self.before is not self.after


@dataclass(frozen=True, slots=True)
class Decision:
    """What decided a game, as far as it is known."""

    point: Judgement | None  # the last known mistake; None if none is known, or if the outcome changed in a later gap
    earlier: tuple[Judgement, ...]  # the known mistakes before, in the order of play
    gaps: tuple[Gap, ...]  # all gaps, in the order of play
    later: tuple[Gap, ...]  # those after `point`, or after the last known mistake

    @property
    def hidden(self) -> Gap | None:
        """Return the gap that contains the turning point; None if no gap is known to contain it."""
        return next((gap for gap in reversed(self.later) if gap.changed), None)

    @property
    def certain(self) -> bool:
        """Return whether nothing unknown can have changed the outcome after the last known mistake."""
        return not self.later


def for_first(outcome: Outcome | None, seat: int) -> Outcome | None:
    """Return a seat's outcome as the first player's."""
    return outcome if outcome is None or seat == 0 else outcome.reply


def decide(judgements: Sequence[Judgement]) -> Decision:
    """Return what decided these successive moves."""
    mistakes = [judgement for judgement in judgements if judgement.mistake]
    gaps = tuple(_gaps(judgements))
    latest = mistakes[-1].ply if mistakes else -1
    later = tuple(gap for gap in gaps if gap.first > latest)
    if not mistakes or any(gap.changed for gap in later):
        return Decision(None, tuple(mistakes), gaps, later)
    return Decision(mistakes[-1], tuple(mistakes[:-1]), gaps, later)


def _gaps(judgements: Sequence[Judgement]) -> Iterator[Gap]:
    """Yield the longest stretches of moves without a known position inside."""
    first: Judgement | None = None
    for one in judgements:
        if one.known:
            continue
        if first is None or one.before is not None:
            first = one
        if one.after is not None or one is judgements[-1]:
            yield Gap(first.ply, one.ply, for_first(first.before, first.seat), for_first(one.after, one.seat))
            first = None


ORDER = ("first", "second")
PERSON = "me"  # names a person in a saved game
STARTS = ("you", "the", "column", "move", "moves")  # words that are no names
MOST_EARLIER = 6  # earlier mistakes that are named

Names = tuple[str, str]  # of the players on both seats, as they stand inside a sentence: 'you', 'hard'


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A game, its judgements, and its players' names."""

    record: Record
    judgements: Sequence[Judgement]  # of all moves
    names: Callable[[int], Names]  # the players at the time of a move, by its ply
    opening: int = 0  # how many of the first moves belong to no player
    fault: str = ""  # why the player to move lost at the end: an illegal move, an error

    @property
    def own(self) -> Sequence[Judgement]:
        """The judgements of the players' moves."""
        return self.judgements[self.opening :]

    @property
    def in_turn(self) -> Names:
        """The names of the first and the second player, after the opening."""
        names, first = self.names(0), self.opening % 2
        return names[first], names[1 - first]

    @property
    def decision(self) -> Decision:
        """What decided the players' moves."""
        return decide(self.own)


@dataclass(frozen=True, slots=True)
class Better:
    """The moves that would have kept the outcome, and what one of them achieves."""

    moves: tuple[str, ...]
    best: str  # the move that is explained: 'd4', 'column 3'
    merit: str  # 'wins: nim-sum 3 becomes 0, so every binary column is even.'

    @property
    def why(self) -> str:
        """The explanation as sentences: 'd4 wins: …'."""
        return start(f"{self.best} {self.merit}")


def story(game: Reviewed) -> list[str]:
    """Return the sentences about a game."""
    if not game.own:
        return ["No player has made a move."]
    if not any(judgement.known for judgement in game.own):
        return ["The board is too large to solve, so no move can be judged."]
    decision = game.decision
    sentences = ["The game ended by a fault, not on the board."] if game.fault and not game.record.over else []
    if game.record.game.pays:
        return sentences + _of_payoffs(game, decision)
    if decision.point is not None:
        sentences += _turning(game, decision, decision.point)
    elif (hidden := decision.hidden) is not None:
        sentences.append(_hidden(game, hidden, last=hidden is decision.later[-1]))
    else:
        sentences += _unchanged(game, decision)
    sentences += _unsure(decision)
    if decision.earlier:
        sentences.append(_earlier(game, decision.earlier))
    sentences += [start(f"{_moves(gap)} cannot be judged.") for gap in decision.gaps if gap not in decision.later]
    if not game.record.over:
        sentences += _from_here(game)
    return sentences + _taken_over(game, decision.point)


def better(record: Record, mistake: Judgement) -> Better:
    """Return what was better than a mistake, and why. Raises Unsolvable if the position before is too large."""
    game, state = record.game, record.state_at(mistake.ply)
    best = best_explained(theory.solve(game, state))
    why = merit(game, state, best, theory.explain(game, state))
    moves = tuple(game.move_name(move, state) for move in mistake.best_moves)
    return Better(moves, named(game, state, best), why)


def kept_by(record: Record, mistake: Judgement) -> str:
    """Return which moves would have kept the outcome: 'b1 keeps the win'."""
    assert mistake.before is not None
    worth = mistake.payoff_before
    value = f"the {mistake.before.value}" if worth is None else Score(worth).text
    state = record.state_at(mistake.ply)
    names = [record.game.move_name(move, state) for move in mistake.best_moves]
    return f"{several(names, 3)} keep{'s' * (len(names) == 1)} {value}"


def improvement(record: Record, mistake: Judgement) -> str:
    """Return what was better than a mistake, and why if theory knows that at once."""
    instant = theory.is_instant(record.game, record.state_at(mistake.ply))
    return better(record, mistake).why if instant else f"{kept_by(record, mistake)}."


def seat_names(seats: tuple[str, str], opening: int) -> Names:
    """Return the names of a saved game's players by the parity of their plies, as sentences call them.

    `seats` names the players that move first and second after the opening.
    """
    if seats == (PERSON, PERSON):
        named = [f"the {order} player" for order in ORDER]
    elif seats[0] == seats[1]:
        named = [f"the {order} {seats[0]}" for order in ORDER]
    else:
        named = ["you" if name == PERSON else name for name in seats]
    first = opening % 2
    return named[first], named[1 - first]


def of_seats(
    record: Record, judgements: Sequence[Judgement], seats: tuple[str, str], opening: int, fault: str
) -> Reviewed:
    """Return the review of a saved game; `seats` names the players that move first and second after the opening."""
    names = seat_names(seats, opening)
    return Reviewed(record, judgements, lambda ply: names, opening, fault)


def start(text: str) -> str:
    """Return the text as the start of a sentence; a move's or an agent's name stays as it is."""
    return text[:1].upper() + text[1:] if text.partition(" ")[0] in STARTS else text


def _turning(game: Reviewed, decision: Decision, point: Judgement) -> list[str]:
    """Return the turning point, and what was better."""
    record = game.record
    what = "the turning point" if decision.certain else "the last known turning point"
    so_far = "" if record.over else " so far"
    who = game.names(point.ply)[point.seat]
    move = named(record.game, record.state_at(point.ply), point.move)
    lost = "win" if point.before is Outcome.WIN else "draw"
    improvement, kind = better(record, point), "column " if record.game.board_kind == "columns" else ""
    return [
        f"Move {point.ply + 1}, {move}, was {what}{so_far}: {who} gave the {lost} away ({point.gave_away}).",
        f"Better: {kind}{several(improvement.moves)}.",
        improvement.why if len(improvement.moves) > 1 else f"It {improvement.merit}",
    ]


def _of_payoffs(game: Reviewed, decision: Decision) -> list[str]:
    """Return what the mistakes cost in a game with payoffs, the largest one first."""
    record, mistakes = game.record, [judged for judged in game.own if judged.mistake]
    sentences = []
    if mistakes:
        worst = max(mistakes, key=lambda judged: (judged.cost or 0, -judged.ply))
        who, move = game.names(worst.ply)[worst.seat], named(record.game, record.state_at(worst.ply), worst.move)
        points, improvement = plural(worst.cost or 0, "point", "points"), better(record, worst)
        sentences = [
            f"Move {worst.ply + 1}, {move}, was the largest mistake: {who} gave {points} away ({worst.gave_away}).",
            f"Better: {several(improvement.moves)}.",
        ]
        if others := [judged for judged in mistakes if judged is not worst]:
            sentences.append(_earlier(game, others).replace("Earlier", "Other", 1).replace(", the latest", "", 1))
    elif not decision.gaps:
        sentences = ["Both played perfectly." if record.over else "Neither player has made a mistake."]
    sentences += [start(f"{_moves(gap)} cannot be judged.") for gap in decision.gaps]
    worth, seat = game.own[-1].payoff_after, game.own[-1].seat
    if not record.over and worth is not None:
        name = game.names(record.ply)[seat if worth > 0 else 1 - seat]
        verb, points = "get" if name == "you" else "gets", plural(abs(worth), "point", "points")
        gets = f"{name} {verb} {points}" if worth else "nobody pays"
        sentences.append(f"With perfect play, {gets} from here.")
    return sentences


def _unchanged(game: Reviewed, decision: Decision) -> list[str]:
    """Return sentences about a game without a known mistake."""
    record, own, last = game.record, game.own, game.own[-1]
    if decision.gaps:
        return _since(game, decision.gaps[0]) if decision.gaps[0].after is not None else []
    if not record.over:
        return ["Neither player has made a mistake."]
    if record.winner is None:
        return ["Both played perfectly: perfect play ends in a draw."]
    loser = 1 - record.winner
    since = "end of the opening" if game.opening else "first move"
    if len({game.names(judged.ply) for judged in own}) > 1:
        seat = ORDER[loser ^ game.opening % 2]
        return [f"The {seat} seat was losing from the {since}, and its opponent made no mistake."]
    names = game.names(last.ply)
    return [f"{start(_were(names[loser]))} losing from the {since}: {names[record.winner]} made no mistake."]


def _since(game: Reviewed, gap: Gap) -> list[str]:
    """Return what is known after the first moves, which cannot be judged, if no later mistake is known."""
    assert gap.after is not None
    if gap.last == game.own[-1].ply:
        return []
    standing = _standing(gap.after, game.names(gap.last + 1))
    return [f"After move {gap.last + 1} {standing}, and no later move is known to have changed that."]


def _hidden(game: Reviewed, gap: Gap, last: bool) -> str:
    """Return where the turning point lies; a later gap may hide one more."""
    assert gap.before is not None and gap.after is not None
    names = game.names(gap.first)
    before, after = _standing(gap.before, names), _standing(gap.after, names)
    what = "The turning point lies" if last else "The last known change of the outcome lies"
    return f"{what} in {_moves(gap)}: before, {before}; after, {after}."


def _unsure(decision: Decision) -> list[str]:
    """Return what is unknown since the turning point."""
    sentences = []
    for gap in decision.later:
        what = start(f"{_moves(gap)} cannot be judged: the positions are too large to solve")
        between = gap.before is not None and gap.before is gap.after
        sentences.append(f"{what}. The outcome may have changed there and back." if between else f"{what}.")
    return sentences


def _earlier(game: Reviewed, mistakes: Sequence[Judgement]) -> str:
    named = [
        f"move {mistake.ply + 1} ({game.names(mistake.ply)[mistake.seat]}, {mistake.gave_away})"
        for mistake in mistakes[-MOST_EARLIER:]
    ]
    count = f"{len(mistakes)}, the latest: " if len(mistakes) > MOST_EARLIER else ""
    return f"Earlier mistake{'s' * (len(mistakes) > 1)}: {count}{', '.join(named)}."


def _from_here(game: Reviewed) -> list[str]:
    """Return the outcome of an unfinished game as it stands."""
    last = game.own[-1]
    outcome = for_first(last.after, last.seat)
    if outcome is None:
        return ["The outcome is unknown now."]
    if outcome is Outcome.DRAW:
        return ["With perfect play, the game ends in a draw from here."]
    name = game.names(game.record.ply)[outcome is Outcome.LOSS]
    return [f"With perfect play, {name} {'win' if name == 'you' else 'wins'} from here."]


def _taken_over(game: Reviewed, point: Judgement | None) -> list[str]:
    """Return who took over the seat that made the decisive mistake."""
    if point is None:
        return []
    then, now = game.names(point.ply)[point.seat], game.names(game.record.ply - 1)[point.seat]
    return [f"{start(now)} took over that seat later."] if now != then else []


def _standing(outcome: Outcome, names: Names) -> str:
    """Return who was winning, from the first player's outcome: 'you were winning', 'hard was losing'."""
    if outcome is Outcome.DRAW:
        return "the game was drawn"
    return f"{_were(names[outcome is Outcome.LOSS])} winning"


def _were(name: str) -> str:
    return f"{name} {'were' if name == 'you' else 'was'}"


def _moves(gap: Gap) -> str:
    return f"move {gap.first + 1}" if gap.first == gap.last else f"moves {gap.first + 1} to {gap.last + 1}"

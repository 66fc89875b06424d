"""What tests of tournaments share: a plan, what comes of it by a plain loop, and ways to stop it."""

from __future__ import annotations

from dataclasses import replace

from nimtui.agents import parse_agent
from nimtui.arena.play.plan import Openings, Plan
from nimtui.arena.rating.sprt import parse_sprt
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.jobs.tournament import GAMES, Tournament, View
from nimtui.progress import Progress
from nimtui.store import tournaments as store
from nimtui.store.database import Database
from nimtui.store.rows import GameRow
from nimtui.store.tournaments import TournamentWriter

AGENTS = ["random", "perfect", "mc:playouts=3", "awkward:plays"]
LONG = 60.0  # seconds: for a machine with other work


def some_plan(sprt: str | None = None, number: int = 24, agents: list[str] = AGENTS) -> Plan:
    games, test = ("nim:1,3,5", "nim:2,4"), parse_sprt(sprt) if sprt else None
    return Plan(games, tuple(agents), number=number, openings=Openings("random", 1), seed=7, sprt=test)


def literal(wanted: Plan, pairing: int, number: int) -> tuple[int, list[int]]:
    """One game by a loop that knows nothing of pieces, and by `decide` alone: the result and the moves."""
    board, first, second = wanted.pairings[pairing]
    game = parse_game(wanted.games[board])
    opener = number % 2
    names = [wanted.agents[first], wanted.agents[second]]
    seats = [parse_agent(names[opener], game), parse_agent(names[1 - opener], game)]
    streams = [Stream(wanted.seed, 2 * (pairing * 2**32 + number) + seat) for seat in (0, 1)]
    moves = list(wanted.openings.opening(game, wanted.seed, number // 2))
    state, seat = game.new(), 1
    for move in moves:
        base.play(state, move)
    while not (outcome := base.outcome(state)):
        seat = 1 - seat
        moves.append(seats[seat].decide(state, streams[seat]).move)
        base.play(state, moves[-1])
    winner = seat if outcome == base.WON else 1 - seat
    return (1 if winner == opener else -1), moves


def begin(db: Database, wanted: Plan) -> TournamentWriter:
    return store.begin(db, wanted.document(), wanted.games, wanted.agents, wanted.pairings, wanted.total)


def rows(kept: TournamentWriter) -> list[list[GameRow]]:
    """All that is kept, without the time it took."""
    pairings = range(len(Plan.from_document(kept.info.document).pairings))
    return [[row._replace(seconds=0.0) for row in kept.rows(place)] for place in pairings]


def timeless(view: View) -> View:
    """What does not depend on when it was, and who did it."""
    return replace(view, seconds=0.0, rate=0.0, left=None, latest_fault="")


class Looking(Progress):
    """Keeps every view that differs from the one before."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.views: list[View] = []

    def report(self, done: float, total: float, what: str = "") -> None:
        view = self.tournament.view
        assert what != GAMES or (done, total) == (view.done, view.total)  # who watches the job sees what a screen shows
        if not self.views or self.views[-1] is not view:
            self.views.append(view)

"""Collects the results of one pairing, in any order, and sums them up; counts the games that agents lost by a fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.agents.program import called
from nimtui.arena.play.batch import DRAWN, LOST, WON, Batch, pair
from nimtui.arena.play.plan import LOSES_GAME, LOSES_MATCH, VOID, Plan
from nimtui.arena.play.steps import MeanPayoff, Payoffs
from nimtui.arena.rating.meetings import NO_PAIRS, pair_counts
from nimtui.arena.standings.standings import PairingScore
from nimtui.games import parse_game
from nimtui.games.notation import plural
from nimtui.report.values import Count
from nimtui.store.rows import Fault, unpacked

NOT_PLAYED = -2  # of `results`
NULL = -3  # a game that is there and does not count


class Ledger:
    """One pairing.

    With a sequential test a game counts once all games before it are there; none after the end of the test counts. So
    the counted games do not depend on who played which game when.
    """

    def __init__(self, plan: Plan, place: int) -> None:
        """Open the ledger of the pairing at this place in the plan."""
        self._plan, self._place = plan, place
        self._results = np.full(plan.number, NOT_PLAYED, np.int8)  # of all games that are there
        self._in_turn = plan.sprt is not None or plan.fault == LOSES_MATCH
        if self._in_turn:  # each game waits here for its turn
            self._moves = np.zeros((plan.number, 3, 2), np.int32)
            self._first = np.zeros(plan.number, np.int16)
            self._fault_texts: dict[int, str] = {}
        self._ready = 0  # all games before this one are there; used only with a test
        self._outcomes = np.zeros((2, 3), np.int64)  # [opener, result + 1]
        self._sums = np.zeros((3, 2), np.int64)  # moves, chances, mistakes
        self._kinds: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self._firsts: Counter[tuple[int, int]] = Counter()  # first move, result for the player who made it
        self._pairs = np.array(NO_PAIRS)
        game = parse_game(plan.games[plan.pairings[place].game])
        self._payoffs = Payoffs(game) if game.pays else None
        self._paid = MeanPayoff()
        self._stop: int | None = None
        self._llr: float | None = 0.0 if plan.sprt is not None else None
        self._verdict = ""
        self.latest_fault = ""  # a line: which game, and what happened
        self._new_kinds: tuple[EqualFaults, ...] = ()
        self.score = self._score()

    @property
    def wanted(self) -> int:
        """Return how many games the pairing will have: all of them, also the forfeited ones, but no void one."""
        return self.kept if self._plan.fault == LOSES_GAME else self._plan.number - int((self._results == NULL).sum())

    @property
    def kept(self) -> int:
        """Return how many games of the pairing are played at most."""
        return self._plan.number if self._stop is None else self._stop

    @property
    def played_out(self) -> int:
        """Return how many games were played, whether they count or not."""
        return int((self._results[: self.kept] != NOT_PLAYED).sum())

    @property
    def decided(self) -> bool:
        """Return whether the sequential test, or a fault, has ended this pairing."""
        return self._stop is not None

    @property
    def played(self) -> int:
        """Return how many games count."""
        return self.score.played

    def results(self) -> npt.NDArray[np.int8]:
        """Return the results by number of the game: LOST, DRAWN, WON for the first entrant, or NOT_PLAYED. A copy."""
        results = self._results[: self.kept if self._plan.fault == LOSES_GAME else None].copy()
        if self._in_turn and self._stop is None:
            results[self._ready :] = NOT_PLAYED
        results[results == NULL] = NOT_PLAYED
        return results

    def there(self, number: int) -> bool:
        """Return whether this game was entered, counted or not."""
        return bool(self._results[number] != NOT_PLAYED)

    def new_kinds(self) -> tuple[EqualFaults, ...]:
        """Return all faults entered since the last call, equal ones together."""
        kinds, self._new_kinds = self._new_kinds, ()
        return kinds

    def missing(self) -> list[tuple[int, int]]:
        """Return the missing games, as ranges [first, last)."""
        absent = np.concatenate([[False], self._results[: self.kept] == NOT_PLAYED, [False]])
        ends = np.flatnonzero(absent[1:] != absent[:-1]).tolist()
        return list(zip(ends[::2], ends[1::2], strict=True))

    def add(self, games: Batch) -> None:
        """Enter games that were missing. Ignores all but their first moves."""
        if self.decided or not len(games.number):
            return
        self._results[games.number] = games.result
        moves = np.stack([games.own, games.chances, games.mistakes], axis=1)
        if self._plan.fault == VOID:
            self._results[games.number[list(games.faults)]] = NULL
        if not self._in_turn:
            self._count_pairs(np.unique(games.number // 2))
            sound = self._results[games.number] != NULL
            self._count(games.opener[sound], games.result[sound], moves[sound], games.first[sound])
            if self._payoffs is not None:
                self._paid += MeanPayoff.of(self._payoffs.of(games)[sound])
            for place, text in games.faults.items():
                self._count_fault(int(games.number[place]), text, int(games.result[place]))
        else:
            self._moves[games.number] = moves
            self._first[games.number] = games.first
            self._fault_texts.update((int(games.number[place]), text) for place, text in games.faults.items())
            self._test()
        self.score = self._score()

    def _test(self) -> None:
        """Count the games whose turn has come, until the test or a fault ends the pairing."""
        sprt, before = self._plan.sprt, self._ready
        absent = self._results[before:] == NOT_PLAYED
        ready = before + (int(absent.argmax()) if absent.any() else len(absent))
        if ready == before:
            return
        if sprt is not None:
            self._stop, _, self._verdict = sprt.decide(self._results[:ready], self._plan.alternate, before)
        else:
            self._stop = min((number + 1 for number in self._fault_texts if number < ready), default=None)
        self._ready = ready if self._stop is None else self._stop
        if sprt is not None:
            self._llr = sprt.llr(self._results[: self._ready], self._plan.alternate)  # independent of arrival
        turn = slice(before, self._ready)
        openers = np.arange(before, self._ready) % 2 if self._plan.alternate else np.zeros(self._ready - before, int)
        self._count(openers, self._results[turn], self._moves[turn], self._first[turn])
        self._count_pairs(np.arange(before // 2, self._ready // 2))
        for number in sorted(number for number in self._fault_texts if number < self._ready):
            self._count_fault(number, self._fault_texts.pop(number), int(self._results[number]))
        if sprt is None and self._stop is not None:
            self._forfeit(int(self._results[self._stop - 1]))

    def _forfeit(self, result: int) -> None:
        """Give all games of the pairing the result of the one with the fault."""
        number = self._plan.number
        self._results[:] = result
        starts = np.bincount([self._plan.opener(game) for game in range(number)], minlength=2)
        self._outcomes[:] = 0
        self._outcomes[:, result + 1] = starts
        self._pairs = np.array(pair_counts(self._results))

    def _count(
        self,
        openers: npt.NDArray[np.integer],
        results: npt.NDArray[np.int8],
        moves: npt.NDArray[np.int32],
        first: npt.NDArray[np.int16],
    ) -> None:
        kinds = openers.astype(np.int64) * 3 + results + 1
        self._outcomes += np.bincount(kinds, minlength=6).reshape(2, 3)
        self._sums += moves.sum(axis=0, dtype=np.int64)
        own = np.where(openers ^ (self._plan.openings.plies & 1), -results, results)
        self._firsts.update(zip(first.tolist(), own.tolist(), strict=True))

    def _count_pairs(self, pairs: npt.NDArray[np.int64]) -> None:
        """Count pairs that were not complete before, if they are now."""
        two = 2 * pairs[2 * pairs + 1 < len(self._results)]
        self._pairs += np.array(pair_counts(np.stack([self._results[two], self._results[two + 1]], 1).ravel()))

    def _count_fault(self, number: int, line: str, result: int) -> None:
        loser, fault = 0 if result == LOST else 1, unpacked(line)
        self._kinds[loser][fault.kind] += 1
        pairing = self._plan.pairings[self._place]
        names = [called(self._plan.agents[entrant]) for entrant in (pairing.first, pairing.second)]
        where = f"{self._plan.games[pairing.game]}, " if len(self._plan.games) > 1 else ""
        game = f"{where}{names[0]} – {names[1]}, game {number + 1:,}"
        self.latest_fault = f"{game}: {fault.text}"
        self._new_kinds = joined(self._new_kinds, [EqualFaults(fault.text, 1, game, (self._place, number), fault)])

    def _score(self) -> PairingScore:
        lost, drawn, won = (pair(self._outcomes[:, kind + 1]) for kind in (LOST, DRAWN, WON))
        own, chances, mistakes = map(pair, self._sums)
        counts = won, drawn, lost, own, chances, mistakes, (self._kinds[0].total(), self._kinds[1].total())
        pairing, pairs = self._plan.pairings[self._place], tuple(self._pairs.tolist())
        firsts = tuple((move, result, games) for (move, result), games in sorted(self._firsts.items()) if move >= 0)
        kinds = (tuple(sorted(self._kinds[0].items())), tuple(sorted(self._kinds[1].items())))
        paid = None if self._payoffs is None else self._paid
        return PairingScore(pairing, *counts, pairs, self.wanted, self._llr, self._verdict, firsts, kinds, paid)


MOST_KINDS = 100  # different faults that are counted apart
OTHER = "other faults"


class EqualFaults(NamedTuple):
    """The games lost by one and the same fault."""

    text: str  # the fault: which agent failed, and how
    games: int
    where: str  # the pairing and the number of the first of these games
    at: tuple[int, int] = (0, 0)  # the numbers of that pairing and game
    first: Fault | None = None  # what happened in it

    @property
    def line(self) -> str:
        """Return 'ended by a fault in 30 games: …', or the one game and its fault."""
        if self.games == 1:
            return f"{self.where or 'ended by a fault'}: {self.text}"
        return f"ended by a fault in {Count(self.games)} games: {self.text}"


def lost(games: int) -> str:
    """Return '1 game ended by a fault'."""
    return f"{plural(games, 'game', 'games')} ended by a fault"


def joined(faults: Sequence[EqualFaults], more: Iterable[EqualFaults]) -> tuple[EqualFaults, ...]:
    """Return both with equal faults together, the most frequent first. Beyond MOST_KINDS a fault counts as another."""
    counts = {each.text: each for each in faults}
    for one in more:
        each = one if one.text in counts or len(counts) < MOST_KINDS else EqualFaults(OTHER, one.games, "")
        before = counts.get(each.text)
        earlier = each if before is None or (each.first and each.at < before.at) else before
        counts[each.text] = earlier._replace(games=each.games + (before.games if before else 0))
    return tuple(sorted(counts.values(), key=lambda each: (-each.games, each.text)))


def lines(faults: Sequence[EqualFaults], most: int) -> list[str]:
    """Return at most `most` lines, the most frequent faults first; the last says how many games are not shown."""
    if len(faults) <= most:
        return [each.line for each in faults]
    rest = sum(each.games for each in faults[most - 1 :])
    return [*(each.line for each in faults[: most - 1]), f"other faults in {Count(rest)} games"]

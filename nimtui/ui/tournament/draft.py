"""A tournament while its form is filled in: its fields, its plan, its size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nimtui.arena.openings import parse_openings
from nimtui.arena.plan import MOST_IN_ALL, Plan
from nimtui.arena.sprt import parse_sprt
from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.ui.kit.draft import Entry, Finding
from nimtui.ui.kit.entries import parse_game, parse_workers, workers_text
from nimtui.ui.kit.remaining import duration_text
from nimtui.ui.tournament.fields import GAMES, MORE, agent_entry
from nimtui.ui.tournament.lookups import known, seconds
from nimtui.ui.tournament.play_entries import OFF, SAVED
from nimtui.ui.tournament.roster import Roster
from nimtui.ui.tournament.setup import TournamentSetup
from nimtui.ui.tournament.typed import TypedTournament


@dataclass(frozen=True)
class TournamentDraft(TypedTournament):
    """A tournament while the form is filled in. Below the last agent is an empty line for another one."""

    @classmethod
    def of(cls, setup: TournamentSetup) -> TournamentDraft:
        texts = {
            "games": " ".join(setup.games),
            "pairs": setup.pairs,
            "number": f"{setup.number:,}",
            "openings": setup.openings,
            "seed": str(setup.seed),
            "sprt": OFF if setup.sprt is None else setup.sprt,
            "limits": setup.limits.name or OFF,
            "workers": workers_text(setup.workers),
            "thoughts": SAVED if setup.thoughts else OFF,
            "name": setup.name,
        }
        return cls(texts, Roster(setup.agents, setup.joined))

    @property
    def entries(self) -> Sequence[Entry]:
        return (GAMES, *map(agent_entry, range(len(self.agents) + 1)), *MORE)

    @property
    def plan(self) -> Plan | None:
        """Return the plan as far as known at once; whether its openings exist is checked elsewhere."""
        try:
            setup = self.setup()
            games = tuple(parse_game(name).name for name in setup.games)
            agents = tuple(known(agent, setup.games[0])[0] for agent in setup.agents)
            openings, sprt = parse_openings(setup.openings), parse_sprt(setup.sprt) if setup.sprt else None
        except (InputError, IndexError):
            return None
        asked = games, agents, setup.pairs, setup.number, openings, setup.seed, sprt, setup.limits, setup.joined
        return Plan(*asked, thoughts=setup.thoughts).as_first_planned()

    @property
    def size(self) -> str:
        """Return '15 pairings × 100 games: 1,500 in all'; '' while unknown."""
        plan = self.plan
        if plan is None or not plan.pairings:
            return ""
        games = f"{plan.number:,} {'game' if plan.number == 1 else 'games'}: {'at most ' if plan.sprt else ''}"
        time = seconds(plan, parse_workers(self.texts["workers"]))
        taking = f" · {duration_text(time)}" if time is not None else ""
        return f"{plural(len(plan.pairings), 'pairing', 'pairings')} × {games}{plan.total:,} in all{taking}"

    def check(self) -> dict[str, Finding]:
        found = {name: self.finding(name) for name in self.fields}
        plan = self.plan
        if plan is not None and plan.total > MOST_IN_ALL and found["number"].right:
            found["number"] = Finding(False, f"too many games: {plan.total:,} in all, at most {MOST_IN_ALL:,}")
        return found

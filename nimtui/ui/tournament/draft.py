"""A tournament while its form is filled in: what is typed, the fields that ask for it, and what it means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple, Self

from nimtui.agents.agent import USUAL_SECONDS
from nimtui.arena import verdict_words
from nimtui.arena.limits import UNLIMITED, Limits, parse_limits
from nimtui.arena.openings import BALANCED, FORMS, START, parse_openings
from nimtui.arena.plan import (
    GAUNTLET,
    MOST_AGENTS,
    MOST_GAMES,
    MOST_IN_ALL,
    ORDERED,
    PAIRS,
    ROUND_ROBIN,
    Plan,
    check_test,
)
from nimtui.arena.sprt import parse_sprt
from nimtui.errors import InputError, shortened, unknown, whole_number
from nimtui.games.notation import plural
from nimtui.ui.kit.draft import Draft, Entry, Finding, Offer
from nimtui.ui.kit.entries import (
    parse_game,
    parse_seed,
    parse_workers,
    presets,
    seed_entry,
    workers_entry,
    workers_text,
)
from nimtui.ui.kit.remaining import duration_text
from nimtui.ui.play.fields import how_written
from nimtui.ui.tournament.estimates import known, seconds, unsolvable
from nimtui.ui.tournament.setup import TournamentSetup, parse_name

OFF, NO_LIMIT = "off", "no limit"
SAVED = "saved"


def parse_thoughts(text: str) -> bool:
    """Return whether the thoughts of the agents are saved. InputError if the text is invalid."""
    if (said := text.strip().lower()) not in (OFF, SAVED, ""):
        raise InputError(f"thoughts are {SAVED} or {OFF}, not '{shortened(said)}'")
    return said == SAVED


AGENT = "agent"  # the fields of the agents are agent1, agent2, …


def place_of(name: str) -> int:
    """Return which agent's field this is, counted from 0; −1 for another field."""
    number = name.removeprefix(AGENT)
    return int(number) - 1 if number != name and number.isdigit() else -1


class Entrant(NamedTuple):
    """A typed agent; an empty text holds a place. Those that joined later, the last ones, have their pairings last."""

    text: str
    later: bool = False


@dataclass(frozen=True)
class TournamentDraft(Draft[TournamentSetup]):
    """A tournament while the form is filled in. Below the last agent is an empty line for another one."""

    roster: tuple[Entrant, ...] = ()
    answers: Mapping[tuple[str, str], str] = field(default_factory=dict)  # the answers of `look` by game and openings

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
        first = len(setup.agents) - setup.joined
        return cls(texts, tuple(Entrant(agent, place >= first) for place, agent in enumerate(setup.agents)))

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
        pairings, games = plural(len(plan.pairings), "pairing", "pairings"), plural(plan.number, "game", "games")
        time = seconds(plan, parse_workers(self.texts["workers"]))
        taking = f" · {duration_text(time)}" if time is not None else ""
        return f"{pairings} × {games}: {'at most ' if plan.sprt else ''}{plan.total:,} in all{taking}"

    def check(self) -> dict[str, Finding]:
        found = {name: self.finding(name) for name in self.fields}
        plan = self.plan
        if plan is not None and plan.total > MOST_IN_ALL and found["number"].right:
            found["number"] = Finding(False, f"too many games: {plan.total:,} in all, at most {MOST_IN_ALL:,}")
        return found

    @property
    def agents(self) -> tuple[str, ...]:
        """Return the agents as typed; an empty text holds a place."""
        return tuple(entrant.text for entrant in self.roster)

    def text(self, name: str) -> str:
        place = place_of(name)
        return self.texts[name] if place < 0 else "".join(self.agents[place : place + 1])

    def with_text(self, name: str, text: str) -> Self:
        """Return the draft with this text. An agent below the last one joins later, if some did before."""
        if (place := place_of(name)) < 0:
            return super().with_text(name, text)
        roster = [*self.roster, Entrant("", any(entrant.later for entrant in self.roster))]
        roster[place] = roster[place]._replace(text=text)
        while roster and not roster[-1].text.strip():
            roster.pop()
        return replace(self, roster=tuple(roster))

    def without(self, name: str) -> Self:
        """Return the draft without this agent."""
        place = place_of(name)
        return replace(self, roster=self.roster[:place] + self.roster[place + 1 :]) if place >= 0 else self

    def first(self, name: str) -> Self:
        """Return the draft with this agent first, so it did not join later: in a gauntlet it plays all others."""
        if (place := place_of(name)) not in range(1, len(self.roster)):
            return self
        return replace(self, roster=(Entrant(self.agents[place]), *self.without(name).roster))

    def completed(self, name: str) -> Self | None:
        """Return the draft with the first agent whose name starts with the typed text; None if there is none."""
        typed = self.text(name).strip().lower()
        offers = self.offers(name) if typed and not self.finding(name).right else []
        return next((self.with_text(name, offer.value) for offer in offers if offer.value.startswith(typed)), None)

    def setup(self) -> TournamentSetup:
        sprt, limits = self.texts["sprt"].strip(), self.limits
        roster = [entrant for entrant in self.roster if entrant.text.strip()]
        later = sum(entrant.later for entrant in roster)
        return TournamentSetup(
            self.games,
            tuple(entrant.text.strip() for entrant in roster),
            self.pairs,
            whole_number(self.texts["number"], "the number of games", 1, MOST_GAMES),
            self.openings,
            parse_seed(self.texts["seed"]),
            None if sprt.lower() in (OFF, "") else sprt,
            parse_workers(self.texts["workers"]),
            parse_name(self.texts["name"]),
            limits.move,
            limits.game,
            min(later, max(0, len(roster) - self.least)),
            parse_thoughts(self.texts["thoughts"]),
        )

    @cached_property
    def games(self) -> tuple[str, ...]:
        """Return the games' names as typed."""
        return tuple(word.strip(",") for word in re.split(r"[\s;]+", self.texts["games"]) if word.strip(","))

    @property
    def pairs(self) -> str:
        """Return the kind of pairing; an empty field means the default, which it shows."""
        return self.texts["pairs"].strip().lower() or ROUND_ROBIN

    @property
    def least(self) -> int:
        """Return how many agents the pairings need."""
        return 1 if self.pairs == ORDERED else 2

    @property
    def limits(self) -> Limits:
        """Return the time limits of the agents. InputError if they are invalid."""
        text = self.texts["limits"]
        return UNLIMITED if text.strip().lower() in (OFF, "") else parse_limits(text)

    @property
    def openings(self) -> str:
        """Return the openings' name as typed, or the default."""
        return self.texts["openings"].strip().lower() or START

    @cached_property
    def playable(self) -> bool:
        """Return whether the games are valid; only then can agents be checked."""
        return self.finding("games").right

    @cached_property
    def entered(self) -> tuple[str, ...]:
        """Return the canonical names of the agents; '' for an agent that cannot play the games."""
        return tuple(map(self.name_of, self.agents))

    def known(self, text: str) -> tuple[str, str]:
        """Return the canonical name and the title of an agent that can play all the games. InputError otherwise."""
        both = [known(text, game) for game in self.games]
        return both[0]

    def name_of(self, text: str) -> str:
        """Return an agent's canonical name; '' if it cannot play the games."""
        try:
            return self.known(text.strip())[0] if text.strip() and self.playable else ""
        except InputError:
            return ""

    @property
    def question(self) -> tuple[str, str] | None:
        """Return a game and openings that are not checked yet: ask `look`, give its answer to `answered`."""
        try:
            openings = parse_openings(self.openings)
            games = [parse_game(name).name for name in self.games]
        except InputError:
            return None
        if openings.kind == START or (openings.kind == BALANCED and any(map(unsolvable, games))):
            return None
        return next(((game, openings.name) for game in games if (game, openings.name) not in self.answers), None)

    def answered(self, question: tuple[str, str], fault: str) -> Self:
        """Return the draft with the answer whether such openings exist."""
        return replace(self, answers={**self.answers, question: fault})


# The fields.


LOOKING = "checking whether such positions exist …"


def _games(draft: TournamentDraft, text: str) -> str:
    games = [parse_game(name) for name in draft.games or [""]]
    for place, game in enumerate(games):
        if game in games[:place]:
            raise InputError(f"{draft.games[place]} is given twice")
    return " · ".join(game.title for game in games)


def _offered_games(draft: TournamentDraft) -> Iterator[Offer]:
    """Offer games for the last word; after a space, one more game."""
    text = draft.texts["games"]
    before = " ".join(text.split()[: None if text.endswith(" ") else -1])
    for title, game in presets():
        yield Offer(f"{before} {game}".strip(), title, game)


def agent_entry(place: int) -> Entry:
    name = f"{AGENT}{place + 1}"
    return Entry(
        name,
        "Agents   1" if place == 0 else f"{place + 1:>10}",
        partial(_agent, place),
        lambda draft: how_written(draft.text(name)),
        partial(_free_agents, name),
        "another agent" if place else "name an agent",
    )


def _agent(place: int, draft: TournamentDraft, text: str) -> str:
    if not text.strip():
        return _nobody(place, draft)
    if place >= MOST_AGENTS:
        raise InputError(f"too many agents: at most {MOST_AGENTS}")
    if not draft.playable:
        return ""
    name, title = draft.known(text.strip())
    if name in draft.entered[:place]:
        raise InputError(f"the same as agent {draft.entered.index(name) + 1}: enter each agent once")
    return f"{title} · joined later" if draft.roster[place].later else title


def _nobody(place: int, draft: TournamentDraft) -> str:
    """Judge an empty line: an error while agents are missing."""
    entered = sum(1 for agent in draft.agents if agent.strip())
    if place == len(draft.agents) and entered < draft.least:
        raise InputError("name an agent" if entered == 0 else "name at least two agents")
    return "" if place == len(draft.agents) else "nobody"


def _free_agents(name: str, draft: TournamentDraft) -> Iterator[Offer]:
    """Offer the agents that can play all games and are not entered yet; those that match the typed text come first."""
    from nimtui.agents import presets_for

    if not draft.playable:
        return
    typed = draft.text(name).strip().lower()
    able = [(agent, title, draft.name_of(agent)) for title, agent in presets_for(parse_game(draft.games[0]))]
    entered = draft.without(name).entered
    free = [(agent, title) for agent, title, canonical in able if canonical and canonical not in entered]
    for agent, title in sorted(free, key=lambda one: not (one[0].startswith(typed) or typed in one[1].lower())):
        yield Offer(agent, agent, title)


def _pairs(draft: TournamentDraft, text: str) -> str:
    if draft.pairs not in PAIRS:
        raise unknown("kind of pairing", text, PAIRS)
    return PAIRS[draft.pairs]


def _how_pairs_are_written(draft: TournamentDraft) -> str:
    first = "; ctrl+t puts an agent first" if draft.pairs == GAUNTLET else ""
    return PAIRS.get(draft.pairs, ", ".join(PAIRS)) + first


def _number(draft: TournamentDraft, text: str) -> str:
    number = whole_number(text, "the number of games", 1, MOST_GAMES)
    alternate = draft.pairs != ORDERED
    return "games per pairing" + ("; the last opening only once" if alternate and number % 2 else "")


def _openings(draft: TournamentDraft, text: str) -> str:
    openings = parse_openings(draft.openings)
    if openings.kind == START or not draft.playable:
        return openings.title
    for name in draft.games:
        game = parse_game(name)
        if openings.kind == BALANCED and (fault := unsolvable(game.name)):
            raise InputError(fault)
        if fault := draft.answers.get((game.name, openings.name), ""):
            raise InputError(fault)
    return openings.title if draft.question is None else LOOKING


def _offered_openings(draft: TournamentDraft) -> Iterator[Offer]:
    solvable = draft.playable and not any(unsolvable(parse_game(game).name) for game in draft.games)
    balanced = [f"{BALANCED}:2", f"{BALANCED}:4"] if solvable else []
    for text in (START, *balanced, "random:2", "random:4"):
        yield Offer(text, text, parse_openings(text).title)


def _test(draft: TournamentDraft, text: str) -> str:
    if text.strip().lower() in (OFF, ""):
        return "each pairing plays all its games"
    test = parse_sprt(text.strip())
    check_test(draft.pairs, int(number) if (number := draft.texts["number"].strip()).isdecimal() else None)
    return verdict_words.brief_question(test)


GAMES = Entry(
    "games",
    "Game",
    _games,
    "any game: tower:16, nim:3,5,4,2,6:misere, connect4:4x4; separate several by spaces",
    _offered_games,
    "for example tower:16",
)
MORE = (
    Entry(
        "pairs",
        "Pairs",
        _pairs,
        _how_pairs_are_written,
        tuple(Offer(kind, kind, about) for kind, about in PAIRS.items()),
        ROUND_ROBIN,
    ),
    Entry(
        "number",
        "Each plays",
        _number,
        "games per pairing; with alternating seats, each opening is played twice, with the seats swapped",
        (
            Offer("100", "100", "± 70 Elo between equals"),
            Offer("1,000", "1,000", "± 22 Elo"),
            Offer("10,000", "10,000", "± 7 Elo"),
            Offer("10", "10", "a first look"),
        ),
        "number of games",
    ),
    Entry(
        "openings",
        "Openings",
        _openings,
        ", ".join(f"{form}: {about}" for form, about in FORMS.items()),
        _offered_openings,
        START,
    ),
    seed_entry(
        "same seed, same games",
        "without a clock, the same seed gives the same games, for any number of workers",
    ),
    Entry(
        "sprt",
        "Test",
        _test,
        "sequential test of pairs (at least 10): is the agent named first elo0 (H0) or elo1 (H1) stronger? "
        "elo0=0,elo1=50 [also alpha=0.05,beta=0.05, scale=logistic or normalised]",
        (
            Offer(OFF, OFF, "each pairing plays all its games"),
            Offer("elo0=0,elo1=50", "0 or 50 Elo", "is the first agent stronger?"),
            Offer("elo0=-50,elo1=0", "−50 or 0 Elo", "is the first agent not weaker?"),
            Offer("elo0=0,elo1=50,scale=normalised", "0 or 50, normalised", "counts draws as no noise"),
        ),
        OFF,
    ),
    Entry(
        "limits",
        "Time",
        lambda draft, text: draft.limits.title or NO_LIMIT,
        "in seconds: move=2,game=60; or off. An agent that is late loses the game; a search plays its best move so "
        f"far. Your own agents have {USUAL_SECONDS:g} s per move [default]",
        (
            Offer(OFF, OFF, NO_LIMIT),
            Offer("move=2", "2 s per move", "a late agent loses, a search moves"),
            Offer("game=60", "60 s per game", "for all moves of one agent"),
        ),
        OFF,
    ),
    workers_entry(),
    Entry(
        "name",
        "Name",
        lambda draft, text: "its name in the Library" if parse_name(text) else "optional",
        "a name for the tournament; ctrl+s saves the set-up under it, ctrl+o loads one",
        placeholder="none",
    ),
    Entry(
        "thoughts",
        "Thoughts",
        lambda draft, text: "saved: same games, slower" if parse_thoughts(text) else "not saved",
        "saved: each game keeps what the agents expected of their moves, for its value history; whole games then do "
        "not run in the engine",
        (
            Offer(OFF, OFF, "only the moves: fastest"),
            Offer(SAVED, SAVED, "what the agents expected of their moves, too"),
        ),
        OFF,
    ),
)

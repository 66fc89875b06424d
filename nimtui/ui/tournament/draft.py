"""A tournament while its form is filled in: the table of its fields, and what they mean together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Self

from nimtui.agents import parse_agent, presets_for
from nimtui.agents.agent import USUAL_SECONDS
from nimtui.agents.program import is_program
from nimtui.agents.table import file_stamp
from nimtui.arena.play.limits import UNLIMITED, parse_limits
from nimtui.arena.play.pieces import seconds
from nimtui.arena.play.plan import (
    BALANCED,
    GAUNTLET,
    LOSES_GAME,
    MOST_AGENTS,
    MOST_GAMES,
    MOST_IN_ALL,
    OPENING_FORMS,
    ORDERED,
    PAIRS,
    ROUND_ROBIN,
    START,
    Plan,
    check_decided,
    check_scale,
    check_test,
    parse_openings,
)
from nimtui.arena.rating.sprt import parse_sprt
from nimtui.arena.standings import statements
from nimtui.errors import InputError, shortened, unknown, valid
from nimtui.games.notation import plural
from nimtui.jobs.clock import duration_text
from nimtui.jobs.processes import cores
from nimtui.playing.setup import how_written, parse_game, presets
from nimtui.report.values import Seconds
from nimtui.ui.kit.forms.draft import Choice, Draft, Field, Finding
from nimtui.ui.kit.forms.entries import FAULTS, WORKERS, number_field, seed_field
from nimtui.ui.tournament.class_folder import ABOUT, CLASS_FOLDER, OF_CLASS, is_class
from nimtui.ui.tournament.setup import Entrant, TournamentSetup, parse_name

OFF, NO_LIMIT = "off", "no limit"
SAVED = "saved"
AGENT = "agent"  # the fields of the agents are agent1, agent2, …
LOOKING = "checking whether such positions exist …"


def place_of(name: str) -> int:
    """Return which agent's field this is, counted from 0; −1 for another field."""
    number = name.removeprefix(AGENT)
    return int(number) - 1 if number != name and number.isdigit() else -1


def _word(text: str, usual: str) -> str:
    """Return a word as typed, or the usual one, which an empty field shows."""
    return text.strip().lower() or usual


# The fields; those of the agents stand below the games.


def _games(draft: Any, text: str) -> tuple[str, ...]:
    names = _words(text)
    games = [parse_game(name) for name in names or ("",)]
    if is_class(draft) and games[1:]:
        raise InputError("a class plays one game")
    for place, game in enumerate(games):
        if game in games[:place]:
            raise InputError(f"{names[place]} is given twice")
    check_scale(games)
    return names


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip(",") for word in re.split(r"[\s;]+", text) if word.strip(","))


def _offered_games(draft: TournamentDraft) -> Iterator[Choice]:
    """Offer games for the last word; after a space, one more game."""
    text = draft.texts["games"]
    before = " ".join(text.split()[: None if text.endswith(" ") else -1])
    for title, game in presets():
        yield Choice(f"{before} {game}".strip(), title, game)


def _pairs(draft: Any, text: str) -> str:
    if (pairs := _word(text, ROUND_ROBIN)) not in PAIRS:
        raise unknown("kind of pairing", text, PAIRS)
    return pairs


def _how_pairs_are_written(draft: TournamentDraft) -> str:
    first = "; ctrl+t puts an agent first" if draft.pairs == GAUNTLET else ""
    return PAIRS.get(draft.pairs, ", ".join(PAIRS)) + first


def _each_plays(draft: TournamentDraft, number: int) -> str:
    return "games per pairing" + ("; the last opening only once" if draft.pairs != ORDERED and number % 2 else "")


def _openings(draft: TournamentDraft, name: str) -> str:
    """Return what openings are, once it is known that every game has such positions."""
    openings = parse_openings(name)
    if openings.kind != START and draft.playable:
        for game in (parse_game(each).name for each in draft.games):
            fault = unsolvable(game) if openings.kind == BALANCED else ""
            if fault := fault or draft.answers.get((game, name), ""):
                raise InputError(fault)
    return LOOKING if draft.playable and draft.question is not None else openings.title


def _offered_openings(draft: TournamentDraft) -> Iterator[Choice]:
    solvable = draft.playable and not any(unsolvable(parse_game(game).name) for game in draft.games)
    balanced = [f"{BALANCED}:2", f"{BALANCED}:4"] if solvable else []
    for text in (START, *balanced, "random:2", "random:4"):
        yield Choice(text, text, parse_openings(text).title)


def _test(draft: Any, text: str) -> str | None:
    if _word(text, OFF) == OFF:
        return None
    parse_sprt(text.strip())
    return text.strip()


def _tested(draft: TournamentDraft, test: str | None) -> str:
    if test is None:
        return "each pairing plays all its games"
    if draft.playable:
        check_decided([parse_game(name) for name in draft.games])
    if _word(draft.text("fault"), LOSES_GAME) != LOSES_GAME:
        raise InputError(f"a sequential test needs the rule {LOSES_GAME} for faults")
    check_test(draft.pairs, int(number) if (number := draft.texts["number"].strip()).isdecimal() else None)
    return statements.brief_question(parse_sprt(test))


def _offered_tests(draft: TournamentDraft) -> Iterator[Choice]:
    yield Choice(OFF, OFF, "each pairing plays all its games")
    if draft.playable and not parse_game(draft.games[0]).pays:
        yield Choice("elo0=0,elo1=50", "0 or 50 Elo", "is the first agent stronger?")
        yield Choice("elo0=-50,elo1=0", "−50 or 0 Elo", "is the first agent not weaker?")
        yield Choice("elo0=0,elo1=50,scale=normalised", "0 or 50, normalised", "counts draws as no noise")


def _thoughts(draft: Any, text: str) -> bool:
    if (word := _word(text, OFF)) not in (OFF, SAVED):
        raise InputError(f"thoughts are {SAVED} or {OFF}, not '{shortened(word)}'")
    return word == SAVED


def agent_field(place: int) -> Field[tuple[str, str]]:
    """Return the field of an agent; its value is the canonical name and the title."""
    name = f"{AGENT}{place + 1}"

    def read(draft: TournamentDraft, text: str) -> tuple[str, str]:
        if not text.strip():
            return "", draft.nobody(place)
        if place >= MOST_AGENTS:
            raise InputError(f"too many agents: at most {MOST_AGENTS}")
        if not draft.playable:
            return "", ""
        agent, title = draft.known(text.strip())
        if agent in draft.entered[:place]:
            raise InputError(f"the same as agent {draft.entered.index(agent) + 1}: enter each agent once")
        return agent, f"{title} · joined later" if draft.roster[place].later else title

    def offers(draft: TournamentDraft) -> Iterator[Choice]:
        """Offer the agents that can play all games and are not entered yet; those that match the text come first."""
        typed, entered = draft.text(name).strip().lower(), ("", *draft.without(name).entered)
        named = [(title, agent) for title, agent in presets_for(parse_game(draft.games[0]))] if draft.playable else []
        free = [(agent, title) for title, agent in named if draft.name_of(agent) not in entered]
        for agent, title in sorted(free, key=lambda one: not (one[0].startswith(typed) or typed in one[1].lower())):
            yield Choice(agent, agent, title)

    return Field(
        name,
        "Agents   1" if place == 0 else f"{place + 1:>10}",
        read,
        lambda draft, known: known[1],
        lambda draft: how_written(draft.text(name)),
        offers,
        "another agent" if place else "name an agent",
    )


GAMES: Field[tuple[str, ...]] = Field(
    "games",
    "Game",
    _games,
    lambda draft, games: " · ".join(parse_game(game).title for game in games),
    "any game: tower:16, nim:3,5,4,2,6:misere, connect4:4x4; separate several by spaces",
    _offered_games,
    "for example tower:16",
    written=lambda setup: " ".join(setup.games),
)
MORE: tuple[Field[Any], ...] = (
    Field(
        "pairs",
        "Pairs",
        _pairs,
        lambda draft, pairs: PAIRS[pairs],
        _how_pairs_are_written,
        tuple(Choice(kind, kind, about) for kind, about in PAIRS.items()),
        ROUND_ROBIN,
    ),
    number_field(
        "number",
        "Each plays",
        MOST_GAMES,
        "the number of games",
        _each_plays,
        "games per pairing; with alternating seats, each opening is played twice, with the seats swapped",
        (
            Choice("100", "100", "± 70 Elo between equals"),
            Choice("1,000", "1,000", "± 22 Elo"),
            Choice("10,000", "10,000", "± 7 Elo"),
            Choice("10", "10", "a first look"),
        ),
        "number of games",
    ),
    Field(
        "openings",
        "Openings",
        lambda draft, text: parse_openings(_word(text, START)).name,
        _openings,
        ", ".join(f"{form}: {about}" for form, about in OPENING_FORMS.items()),
        _offered_openings,
        START,
    ),
    seed_field(
        "same seed, same games", "without a clock, the same seed gives the same games, for any number of workers"
    ),
    Field(
        "sprt",
        "Test",
        _test,
        _tested,
        "sequential test of pairs (at least 10): is the agent named first elo0 (H0) or elo1 (H1) stronger? "
        "elo0=0,elo1=50 [also alpha=0.05,beta=0.05, scale=logistic or normalised]",
        _offered_tests,
        OFF,
        written=lambda setup: OFF if setup.sprt is None else setup.sprt,
    ),
    Field(
        "limits",
        "Time",
        lambda draft, text: UNLIMITED if _word(text, OFF) == OFF else parse_limits(text),
        lambda draft, limits: limits.title or NO_LIMIT,
        "in seconds: move=2,game=60,increment=1; or off. A late agent loses the game; a search plays its best move so "
        f"far. Your own agents have {Seconds(USUAL_SECONDS)} per move [default]",
        (
            Choice(OFF, OFF, NO_LIMIT),
            Choice("move=2", "2 s per move", "a late agent loses, a search moves"),
            Choice("game=60", "60 s per game", "for all moves of one agent"),
            Choice("game=60,increment=1", "60 s, and 1 s more", "after each move"),
        ),
        OFF,
        written=lambda setup: setup.limits.name or OFF,
    ),
    FAULTS,
    WORKERS,
    Field(
        "name",
        "Name",
        lambda draft, text: parse_name(text),
        lambda draft, name: "optional" if not name or is_class(draft) else "its name in the Library",
        "a name for the tournament; ctrl+s saves the set-up under it, ctrl+o loads one",
        placeholder="none",
    ),
    CLASS_FOLDER,
    Field(
        "thoughts",
        "Thoughts",
        _thoughts,
        lambda draft, saved: "saved: same games, slower" if saved else "not saved",
        "saved: each game keeps what the agents expected of their moves, for its value history; whole games then do "
        "not run in the engine",
        (
            Choice(OFF, OFF, "only the moves: fastest"),
            Choice(SAVED, SAVED, "what the agents expected of their moves, too"),
        ),
        OFF,
        written=lambda setup: SAVED if setup.thoughts else OFF,
    ),
)


# The form.


@dataclass(frozen=True)
class TournamentDraft(Draft[TournamentSetup]):
    """A tournament while the form is filled in. Below the last agent is an empty line for another one."""

    FIELDS = (GAMES, *MORE)
    roster: tuple[Entrant, ...] = ()
    answers: Mapping[tuple[str, str], str] = field(default_factory=dict)  # the answers of `look` by game and openings

    @classmethod
    def of(cls, setup: TournamentSetup) -> Self:
        first = len(setup.agents) - setup.joined
        roster = tuple(Entrant(agent, place >= first) for place, agent in enumerate(setup.agents))
        return cls(cls.written(setup), roster)

    @property
    def entries(self) -> Sequence[Field[Any]]:
        if is_class(self):
            return [field for field in self.FIELDS if field.name in OF_CLASS]
        return (GAMES, *map(agent_field, range(len(self.roster) + 1)), *MORE)

    @property
    def plan(self) -> Plan | None:
        """Return the plan as far as known at once; whether its openings exist is checked elsewhere."""
        try:
            setup = self.setup()
            games = tuple(parse_game(name).name for name in setup.games)
            agents = tuple(known(agent, setup.games[0])[0] for agent in setup.agents)
        except InputError:
            return None
        if setup.folder:
            return None
        openings, sprt = parse_openings(setup.openings), parse_sprt(setup.sprt) if setup.sprt else None
        settings = games, agents, setup.pairs, setup.number, openings, setup.seed, sprt, setup.limits, setup.joined
        return Plan(*settings, thoughts=setup.thoughts).as_first_planned()

    @property
    def size(self) -> str:
        """Return '15 pairings × 100 games: 1,500 in all'; '' while unknown."""
        plan = self.plan
        if plan is None or not plan.pairings:
            return ABOUT if is_class(self) else ""
        pairings, games = plural(len(plan.pairings), "pairing", "pairings"), plural(plan.number, "game", "games")
        time = seconds(plan, min(self.value("workers") or cores(), cores()))
        taking = f" · {duration_text(time)}" if time is not None else ""
        return f"{pairings} × {games}: {'at most ' if plan.sprt else ''}{plan.total:,} in all{taking}"

    def check(self) -> dict[str, Finding]:
        findings = {name: self.finding(name) for name in self.fields}
        plan = self.plan
        if plan is not None and plan.total > MOST_IN_ALL and findings["number"].right:
            findings["number"] = Finding(False, f"too many games: {plan.total:,} in all, at most {MOST_IN_ALL:,}")
        return findings

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
        if is_class(self):
            return TournamentSetup(agents=(), **{name: self.value(name) for name in self.fields})
        values = self.values()
        limits: dict[str, Any] = values.pop("limits").document()
        roster = [entrant for entrant in self.roster if entrant.text.strip()]
        joined = min(sum(entrant.later for entrant in roster), max(0, len(roster) - self.least))
        agents = tuple(entrant.text.strip() for entrant in roster)
        return TournamentSetup(**values, **limits, agents=agents, joined=joined)

    @property
    def games(self) -> tuple[str, ...]:
        """Return the games' names as typed."""
        return _words(self.texts["games"])

    @property
    def pairs(self) -> str:
        """Return the kind of pairing as typed, which may not exist."""
        return _word(self.texts["pairs"], ROUND_ROBIN)

    @property
    def least(self) -> int:
        """Return how many agents the pairings need."""
        return 1 if self.pairs == ORDERED else 2

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
        titles = [known(text, game) for game in self.games]
        return titles[0]

    def name_of(self, text: str) -> str:
        """Return an agent's canonical name; '' if it cannot play the games."""
        agent = valid(lambda: self.known(text.strip())) if text.strip() and self.playable else None
        return agent[0] if agent is not None else ""

    @property
    def question(self) -> tuple[str, str] | None:
        """Return a game and openings that are not checked yet: ask `look`, give its answer to `answered`."""
        if is_class(self) or not self.playable:
            return None
        openings = valid(lambda: parse_openings(self.value("openings")))
        games = [parse_game(name).name for name in self.games]
        if openings is None or openings.kind == START or (openings.kind == BALANCED and any(map(unsolvable, games))):
            return None
        return next(((game, openings.name) for game in games if (game, openings.name) not in self.answers), None)

    def answered(self, question: tuple[str, str], fault: str) -> Self:
        """Return the draft with the answer whether such openings exist."""
        return replace(self, answers={**self.answers, question: fault})

    def nobody(self, place: int) -> str:
        """Return what an empty line means. InputError if it is the last one and agents are missing."""
        entered = sum(1 for agent in self.agents if agent.strip())
        if place == len(self.agents) and entered < self.least:
            raise InputError("name an agent" if entered == 0 else "name at least two agents")
        return "" if place == len(self.agents) else "nobody"


# What is known before it starts: its agents, and whether its openings exist.


def known(agent: str, game: str) -> tuple[str, str]:
    """Return an agent's canonical name and title. InputError if it is unknown or cannot play this game."""
    ask = _known.__wrapped__ if is_program(agent) else _known  # its file may come and go
    name, title, fault = ask(agent, game, file_stamp(agent))
    if fault:
        raise InputError(fault)
    return name, title


@lru_cache(2048)
def _known(agent: str, game: str, stamp: object) -> tuple[str, str, str]:
    """Return name and title, and what is wrong. `stamp` changes with the agent's file."""
    try:
        choice = parse_agent(agent, parse_game(game))
    except InputError as wrong:
        return "", "", str(wrong)
    return choice.name, choice.title, ""


@lru_cache(64)
def unsolvable(game: str) -> str:
    """Say why this game cannot be solved; '' if it can."""
    from nimtui import theory

    played = parse_game(game)
    fault = theory.why_unsolvable(played, played.start)
    return f"balanced openings need a solved game; {game}: {fault}" if fault is not None else ""


def look(question: tuple[str, str]) -> str:
    """Return '' if such openings exist in this game, else what is wrong. May take seconds."""
    game, openings = question
    try:
        parse_openings(openings).check(parse_game(game))
    except InputError as wrong:
        return str(wrong)
    return ""

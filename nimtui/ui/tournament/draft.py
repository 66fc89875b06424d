"""A tournament while it is being asked for: its texts, what is right or wrong with each, and what could stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from nimtui.agents.agent import USUAL_SECONDS
from nimtui.arena.limits import UNLIMITED, Limits, parse_limits
from nimtui.arena.openings import BALANCED, FORMS, START, parse_openings
from nimtui.arena.plan import GAUNTLET, MOST_AGENTS, MOST_GAMES, MOST_IN_ALL, ORDERED, PAIRS, ROUND_ROBIN, Plan
from nimtui.arena.sprt import parse_sprt
from nimtui.errors import InputError, unknown
from nimtui.games.notation import plural
from nimtui.ui.kit.findings import Finding, Offer, finding
from nimtui.ui.kit.remaining import span
from nimtui.ui.play.draft import how_written
from nimtui.ui.play.setup import fresh_seed, parse_game, parse_seed, presets
from nimtui.ui.sweep.setup import ALL, parse_count, parse_workers
from nimtui.ui.tournament import guess
from nimtui.ui.tournament.entrants import known, unsolvable
from nimtui.ui.tournament.setup import TournamentSetup, parse_name

BEFORE = ("games",)  # and the agents after them
AFTER = ("pairs", "number", "openings", "seed", "sprt", "limits", "workers", "name")
AGENT = "agent"  # the fields of the agents are agent1, agent2, …
OFF, NO_LIMIT = "off", "no limit"
LOOKING = "looking whether there are such positions …"


@dataclass(frozen=True)
class TournamentDraft:
    """The texts of the fields, as typed so far. Below the last agent is an empty line for another one."""

    games: str
    agents: tuple[str, ...]
    pairs: str
    number: str
    openings: str
    seed: str
    sprt: str
    limits: str
    workers: str
    name: str
    answers: Mapping[tuple[str, str], str] = field(default_factory=dict)  # what `look` said of a game and openings

    @classmethod
    def of(cls, setup: TournamentSetup) -> TournamentDraft:
        return cls(
            " ".join(setup.games),
            setup.agents,
            setup.pairs,
            f"{setup.number:,}",
            setup.openings,
            str(setup.seed),
            OFF if setup.sprt is None else setup.sprt,
            setup.limits.name or OFF,
            ALL if setup.workers is None else str(setup.workers),
            setup.name,
        )

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all fields, from the top."""
        return (*BEFORE, *(f"{AGENT}{number}" for number in range(1, len(self.agents) + 2)), *AFTER)

    def text(self, name: str) -> str:
        """What stands in a field."""
        if (place := place_of(name)) < 0:
            return str(getattr(self, name))
        return self.agents[place] if place < len(self.agents) else ""

    def with_text(self, name: str, text: str) -> TournamentDraft:
        """The person has put this text into a field."""
        if (place := place_of(name)) < 0:
            changed: dict[str, Any] = {name: text}
            return replace(self, **changed)
        agents = [*self.agents, ""]
        agents[place] = text
        while agents and not agents[-1].strip():
            agents.pop()
        return replace(self, agents=tuple(agents))

    def without(self, name: str) -> TournamentDraft:
        """This agent is taken off the list."""
        place = place_of(name)
        agents = (*self.agents[:place], *self.agents[place + 1 :])
        return replace(self, agents=agents) if place >= 0 else self

    def first(self, name: str) -> TournamentDraft:
        """This agent is put first: in a gauntlet it is the one who plays all others."""
        place = place_of(name)
        agents = (*self.agents[place : place + 1], *self.agents[:place], *self.agents[place + 1 :])
        return replace(self, agents=agents) if place > 0 else self

    def completed(self, name: str) -> TournamentDraft | None:
        """With the agent that is meant by what has been typed so far; None where nothing is to be completed."""
        typed = self.text(name).strip().lower()
        if not typed or self._finding(name).right:
            return None
        meant = next((offer.value for offer in self.offers(name) if offer.value.startswith(typed)), None)
        return self.with_text(name, meant) if meant is not None else None

    def setup(self) -> TournamentSetup:
        """The tournament these texts mean. InputError where one is wrong."""
        return TournamentSetup(
            self._games,
            tuple(agent.strip() for agent in self.agents if agent.strip()),
            self._pairs,
            parse_count(self.number, "the number of games", MOST_GAMES),
            self._openings_text,
            parse_seed(self.seed),
            None if self.sprt.strip().lower() in (OFF, "") else self.sprt.strip(),
            parse_workers(self.workers),
            parse_name(self.name),
            self._limits,
        )

    @cached_property
    def _games(self) -> tuple[str, ...]:
        """The games' names as they were typed."""
        return tuple(word.strip(",") for word in re.split(r"[\s;]+", self.games) if word.strip(","))

    @property
    def _pairs(self) -> str:
        """The kind of pairing; an empty field means the usual one, which is seen in it."""
        return self.pairs.strip().lower() or ROUND_ROBIN

    @property
    def _limits(self) -> Limits:
        return UNLIMITED if self.limits.strip().lower() in (OFF, "") else parse_limits(self.limits)

    @property
    def _openings_text(self) -> str:
        return self.openings.strip().lower() or START

    @cached_property
    def _playable(self) -> bool:
        """Are the games known? Before that nothing can be said of who plays them."""
        return self._finding("games").right

    @cached_property
    def _entered(self) -> tuple[str, ...]:
        """The canonical names of the agents; '' for one that cannot play the games."""
        return tuple(map(self._name_of, self.agents))

    # What is to be said of each field.

    @property
    def plan(self) -> Plan | None:
        """What is to be played, as far as can be told at once: whether there are such openings is another question."""
        try:
            setup = self.setup()
            games = tuple(parse_game(name).name for name in setup.games)
            agents = tuple(known(agent, setup.games[0])[0] for agent in setup.agents)
            openings, sprt = parse_openings(setup.openings), parse_sprt(setup.sprt) if setup.sprt else None
        except (InputError, IndexError):
            return None
        return Plan(games, agents, setup.pairs, setup.number, openings, setup.seed, sprt, setup.limits)

    @property
    def size(self) -> str:
        """How much is to be played: '15 pairings × 100 games: 1,500 in all'; '' where that is not known yet."""
        plan = self.plan
        if plan is None or not plan.pairings:
            return ""
        games = f"{plan.number:,} {'game' if plan.number == 1 else 'games'}: {'at most ' if plan.sprt else ''}"
        time = guess.seconds(plan, parse_workers(self.workers))
        taking = f" · {span(time)}" if time is not None else ""
        return f"{plural(len(plan.pairings), 'pairing', 'pairings')} × {games}{plan.total:,} in all{taking}"

    def check(self) -> dict[str, Finding]:
        """What is to be said of each field."""
        found = {name: self._finding(name) for name in self.fields}
        plan = self.plan
        if plan is not None and plan.total > MOST_IN_ALL and found["number"].right:
            found["number"] = Finding(False, f"{plan.total:,} games in all are too many, at most {MOST_IN_ALL:,}")
        return found

    def _finding(self, name: str) -> Finding:
        return finding(lambda: self._meaning(name))

    def _meaning(self, name: str) -> str:
        """What the text of a field means. InputError where it means nothing."""
        text = self.text(name)
        match name:
            case "games":
                return self._meaning_of_games()
            case "pairs":
                if self._pairs not in PAIRS:
                    raise unknown("kind of pairing", text, PAIRS)
                return PAIRS[self._pairs]
            case "number":
                number = parse_count(text, "the number of games", MOST_GAMES)
                alternate = self._pairs != ORDERED
                return "games a pairing" + (", the last opening only once" if alternate and number % 2 else "")
            case "openings":
                return self._meaning_of_openings()
            case "seed":
                parse_seed(text)
                return "same seed, same games"
            case "sprt":
                return self._meaning_of_test()
            case "limits":
                return self._limits.title or NO_LIMIT
            case "workers":
                return "one process a core" if parse_workers(text) is None else "processes"
            case "name":
                return "to know it by later" if parse_name(text) else "may be left out"
        return self._meaning_of_agent(place_of(name))

    def _meaning_of_games(self) -> str:
        games = [parse_game(name) for name in self._games or [""]]
        for place, game in enumerate(games):
            if game in games[:place]:
                raise InputError(f"{self._games[place]} is given twice")
        return " · ".join(game.title for game in games)

    def _meaning_of_agent(self, place: int) -> str:
        text = self.agents[place].strip() if place < len(self.agents) else ""
        if not text:
            return self._meaning_of_none(place)
        if place >= MOST_AGENTS:
            raise InputError(f"at most {MOST_AGENTS} agents can take part")
        if not self._playable:
            return ""
        name, title = self._known(text)
        if name in self._entered[:place]:
            raise InputError(f"the same as agent {self._entered.index(name) + 1}: each may be entered once")
        return title

    def _known(self, text: str) -> tuple[str, str]:
        """The canonical name and the title of an agent that can play all the games. InputError where it cannot."""
        first, *others = self._games
        for game in others:
            known(text, game)
        return known(text, first)

    def _meaning_of_none(self, place: int) -> str:
        """An empty line: wrong where somebody is missing."""
        entered = sum(1 for agent in self.agents if agent.strip())
        least = 1 if self._pairs == ORDERED else 2
        if place == len(self.agents) and entered < least:
            raise InputError("name who plays" if entered == 0 else "name at least two agents")
        return "" if place == len(self.agents) else "nobody"

    def _meaning_of_openings(self) -> str:
        openings = parse_openings(self._openings_text)
        if openings.kind == START or not self._playable:
            return openings.title
        for name in self._games:
            game = parse_game(name)
            if openings.kind == BALANCED and (fault := unsolvable(game.name)):
                raise InputError(fault)
            if fault := self.answers.get((game.name, openings.name), ""):
                raise InputError(fault)
        return openings.title if self.question is None else LOOKING

    @property
    def question(self) -> tuple[str, str] | None:
        """A game, and openings of which it is not known yet whether it has such: `look` tells, `answered` takes it."""
        try:
            openings = parse_openings(self._openings_text)
            games = [parse_game(name).name for name in self._games]
        except InputError:
            return None
        if openings.kind == START or (openings.kind == BALANCED and any(map(unsolvable, games))):
            return None
        return next(((game, openings.name) for game in games if (game, openings.name) not in self.answers), None)

    def answered(self, question: tuple[str, str], fault: str) -> TournamentDraft:
        """Somebody has looked whether there are such openings."""
        return replace(self, answers={**self.answers, question: fault})

    def _meaning_of_test(self) -> str:
        text = self.sprt.strip()
        if text.lower() in (OFF, ""):
            return "every pairing plays all its games"
        test = parse_sprt(text)
        if self._pairs == ORDERED:
            raise InputError("a sequential test needs seats that alternate: round-robin or gauntlet, not ordered")
        return f"until {test.elo0:g} or {test.elo1:g} Elo is decided"

    def hint(self, name: str) -> str:
        """How this field is written, in a sentence."""
        match name:
            case "games":
                return "any game: tower:16, nim:3,5,4,2,6:misere, connect4:4x4; several with a space between them"
            case "pairs":
                kind = self._pairs
                first = "; ctrl+t in its line puts an agent first" if kind == GAUNTLET else ""
                return PAIRS.get(kind, ", ".join(PAIRS)) + first
            case "number":
                return "so many games for each pairing; where seats alternate, each opening is played from both of them"
            case "openings":
                return ", ".join(f"{form}: {about}" for form, about in FORMS.items())
            case "seed":
                return "the same tournament with the same seed has the same games, whatever the number of workers"
            case "sprt":
                return (
                    "is the first agent elo0 stronger, or elo1? A pairing ends as soon as that is decided: "
                    "elo0=0,elo1=50, with alpha=0.05,beta=0.05 as usual"
                )
            case "limits":
                return (
                    "in seconds: move=2,game=60; or off. An agent that is late loses that game; a search plays the best"
                    f" it has found. Your own agents have {USUAL_SECONDS:g} s a move by default"
                )
            case "workers":
                return f"how many processes share the work, or {ALL}: one a core"
            case "name":
                return "what you call it; ctrl+s saves the set-up under this name, ctrl+o loads one"
        return how_written(self.text(name))

    def offers(self, name: str) -> list[Offer]:
        """What could stand in this field, for choosing."""
        match name:
            case "games":
                before = " ".join(self.games.split()[: None if self.games.endswith(" ") else -1])
                return [Offer(f"{before} {game}".strip(), title, game) for title, game in presets()]
            case "pairs":
                return [Offer(kind, kind, about) for kind, about in PAIRS.items()]
            case "number":
                abouts = (
                    ("100", "± 70 Elo between equals; as original 2"),
                    ("1,000", "± 22 Elo"),
                    ("10,000", "± 7 Elo"),
                    ("10", "a first look"),
                )
                return [Offer(count, count, about) for count, about in abouts]
            case "openings":
                return [Offer(text, text, parse_openings(text).title) for text in self._openings()]
            case "seed":
                fresh = [str(fresh_seed()) for _ in range(2)]
                return [Offer("0", "0", "the usual one"), *(Offer(seed, seed, "drawn anew") for seed in fresh)]
            case "sprt":
                return [
                    Offer(OFF, OFF, "every pairing plays all its games"),
                    Offer("elo0=0,elo1=50", "0 or 50 Elo", "is it clearly stronger?"),
                    Offer("elo0=-50,elo1=0", "−50 or 0 Elo", "is it not weaker?"),
                    Offer("elo0=0,elo1=10", "0 or 10 Elo", "a small difference: many games"),
                ]
            case "limits":
                return [
                    Offer(OFF, OFF, NO_LIMIT),
                    Offer("move=2", "2 s a move", "an agent that is late loses, a search moves"),
                    Offer("game=60", "60 s a game", "for all moves of one agent"),
                ]
            case "workers":
                return [Offer(ALL, ALL, "one a core"), Offer("1", "1", "the others stay free")]
            case "name":
                return []
        return list(self._agents(name))

    def _openings(self) -> Iterator[str]:
        yield START
        for plies in (2, 4):
            if self._playable and not any(unsolvable(parse_game(game).name) for game in self._games):
                yield f"{BALANCED}:{plies}"
        yield from ("random:2", "random:4")

    def _agents(self, name: str) -> Iterator[Offer]:
        """Who can play all the games and is not entered yet; first whoever is called as what was typed."""
        from nimtui.agents import presets as agents

        if not self._playable:
            return
        typed = self.text(name).strip().lower()
        able = [(preset.agent, preset.title, self._name_of(preset.agent)) for preset in agents()]
        entered = self.without(name)._entered
        free = [(agent, title) for agent, title, canonical in able if canonical and canonical not in entered]
        for agent, title in sorted(free, key=lambda one: not (one[0].startswith(typed) or typed in one[1].lower())):
            yield Offer(agent, agent, title)

    def _name_of(self, text: str) -> str:
        try:
            return self._known(text.strip())[0] if text.strip() and self._playable else ""
        except InputError:
            return ""


def place_of(name: str) -> int:
    """The agent whose field this is, counted from 0; −1 for another field."""
    number = name.removeprefix(AGENT)
    return int(number) - 1 if number != name and number.isdigit() else -1

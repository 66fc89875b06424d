"""The fields of a tournament: games, agents, pairings, number of games, openings and workers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from nimtui.arena import plan as plans
from nimtui.arena import verdict_words
from nimtui.arena.openings import BALANCED, FORMS, START, parse_openings
from nimtui.arena.plan import GAUNTLET, MOST_AGENTS, MOST_GAMES, ORDERED, PAIRS, ROUND_ROBIN
from nimtui.arena.sprt import parse_sprt
from nimtui.errors import InputError, unknown
from nimtui.ui.kit.draft import Entry, Offer
from nimtui.ui.kit.entries import parse_count, parse_game, presets, seed_entry, workers_entry
from nimtui.ui.play.fields import how_written
from nimtui.ui.tournament.setup import parse_name
from nimtui.ui.tournament.typed import AGENT, LIMITS, OFF, THOUGHTS, TypedTournament, unsolvable

LOOKING = "checking whether such positions exist …"


def _games(draft: TypedTournament, text: str) -> str:
    games = [parse_game(name) for name in draft.games or [""]]
    for place, game in enumerate(games):
        if game in games[:place]:
            raise InputError(f"{draft.games[place]} is given twice")
    return " · ".join(game.title for game in games)


def _offered_games(draft: TypedTournament) -> Iterator[Offer]:
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


def _agent(place: int, draft: TypedTournament, text: str) -> str:
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


def _nobody(place: int, draft: TypedTournament) -> str:
    """Judge an empty line: an error while agents are missing."""
    entered = sum(1 for agent in draft.agents if agent.strip())
    if place == len(draft.agents) and entered < draft.least:
        raise InputError("name an agent" if entered == 0 else "name at least two agents")
    return "" if place == len(draft.agents) else "nobody"


def _free_agents(name: str, draft: TypedTournament) -> Iterator[Offer]:
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


def _pairs(draft: TypedTournament, text: str) -> str:
    if draft.pairs not in PAIRS:
        raise unknown("kind of pairing", text, PAIRS)
    return PAIRS[draft.pairs]


def _how_pairs_are_written(draft: TypedTournament) -> str:
    first = "; ctrl+t puts an agent first" if draft.pairs == GAUNTLET else ""
    return PAIRS.get(draft.pairs, ", ".join(PAIRS)) + first


def _number(draft: TypedTournament, text: str) -> str:
    number = parse_count(text, "the number of games", MOST_GAMES)
    alternate = draft.pairs != ORDERED
    return "games per pairing" + ("; the last opening only once" if alternate and number % 2 else "")


def _openings(draft: TypedTournament, text: str) -> str:
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


def _offered_openings(draft: TypedTournament) -> Iterator[Offer]:
    solvable = draft.playable and not any(unsolvable(parse_game(game).name) for game in draft.games)
    balanced = [f"{BALANCED}:2", f"{BALANCED}:4"] if solvable else []
    for text in (START, *balanced, "random:2", "random:4"):
        yield Offer(text, text, parse_openings(text).title)


def _test(draft: TypedTournament, text: str) -> str:
    if text.strip().lower() in (OFF, ""):
        return "each pairing plays all its games"
    test = parse_sprt(text.strip())
    plans.check_test(draft.pairs, int(number) if (number := draft.texts["number"].strip()).isdecimal() else None)
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
    LIMITS,
    workers_entry(),
    Entry(
        "name",
        "Name",
        lambda draft, text: "its name in the Library" if parse_name(text) else "optional",
        "a name for the tournament; ctrl+s saves the set-up under it, ctrl+o loads one",
        placeholder="none",
    ),
    THOUGHTS,
)

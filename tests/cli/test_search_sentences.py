"""Every line that `nimtui search` prints, that plain mode says, and the numbers of the Search screen, are true."""

from __future__ import annotations

import re
from functools import cache

import pytest

from nimtui.cli.plain import lines
from nimtui.engine.windows import WIN
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.games.registry import parse_game
from nimtui.games.rule_text import Place
from nimtui.report.values import Bytes
from nimtui.theory.answers import MoveValue, known_moves
from nimtui.trees import more, search_of
from nimtui.trees.report import searched
from nimtui.trees.result import Result
from nimtui.trees.settings import parse
from nimtui.trees.tree import Kind
from nimtui.ui.search import view as search_view
from tests.patterns import COUNT, Patterns, check, real, same
from tests.printed import printed
from tests.theory.force import Force, is_true
from tests.trees.test_replay import Aloud

GAMES = ["nim:3,2,1", "nim:2,2:misere", "kayles:5", "connect:3x3x3", "noughts:2x2x2"]
CUT = ["1", "4", "-1", "4,order=best-first", "5,order=killer", "4,deepening=yes,table=1024", "-1,table=1024",
       "3,heuristic=original", "3,heuristic=flat"]  # fmt: skip
SEARCHES = ["minimax:depth=3", "minimax:depth=-1", *(f"alphabeta:depth={how}" for how in CUT), "alphabeta:time=0.02",
            "mcts:simulations=60", "mcts:simulations=200,proven=yes,seed=3"]  # fmt: skip
VALUE = r"(?:wins|loses) in \d+|[+−]?[\d,]+(?:\.\d+)?"


def number(text: str) -> float:
    """Return a value: of a decided game, the plies away from a win."""
    decided = re.fullmatch(r"(wins|loses) in (\d+)(?: pl(?:y|ies))?", text)
    return (1 if decided[1] == "wins" else -1) * (WIN - int(decided[2])) if decided else real(text)


class Searched:
    """A search, its position and its result, with minimax by brute force."""

    def __init__(self, force: Force, how: str, record: bool = False) -> None:
        self.force, self.game, self.state = force, force.game, force.game.new()
        self.search = search_of(self.game, self.state, parse(how), record=record).run()
        self.result: Result = self.search.result
        self.truths: dict[Move, MoveValue] | None = known_moves(self.game, self.state, seconds=600)  # type: ignore[assignment]
        settings = self.result.settings
        self.tree = settings.algorithm == "mcts"
        self.original, self.flat = (settings.heuristic == name for name in ("original", "flat"))
        depth = self.result.depth if settings.time else settings.depth
        self.depth = 1000 if depth == -1 else depth or 0
        self.plain = not self.tree and not settings.time and settings.order == "natural" and not settings.table
        self.known: dict[tuple[bytes, int], int] = {}

    @property
    def aloud(self) -> Aloud:
        """The same search as a person writes it."""
        cutting = self.result.settings.algorithm == "alphabeta"
        return told_aloud(self.game.name, self.depth, cutting, self.original)

    def after(self, name: str) -> State:
        return self.force.after(self.state, self.game.parse_move(name, self.state))

    def value(self, state: State, depth: int, ply: int) -> int:
        """The value of minimax for the player to move."""
        key = state.board.tobytes(), ply
        if key not in self.known:
            over = int(base.outcome(state))
            if over != base.GOING_ON and not self.original:
                won = 1000 if self.flat else WIN - ply
                self.known[key] = 0 if over == base.DRAW else -over * won
            elif over != base.GOING_ON or not depth:
                self.known[key] = int(base.evaluate(state))
            else:
                moves = base.legal_moves(state)
                self.known[key] = max(-self.value(self.force.after(state, m), depth - 1, ply + 1) for m in moves)
        return self.known[key]

    def of_move(self, name: str) -> int:
        return -self.value(self.after(name), self.depth - 1, 1)


@cache
def told_aloud(name: str, depth: int, cutting: bool, original: bool) -> Aloud:
    return Aloud(name, depth, cutting, original)


def plays(one: Searched, how: str, name: str, time: str, early: str | None) -> None:
    assert how == one.result.settings.name and name == one.game.move_name(one.result.best_move, one.state)
    assert bool(early) == (not one.result.finished)
    if not one.tree:
        assert one.of_move(name) == max(one.of_move(other) for other in names(one))


def names(one: Searched) -> list[str]:
    return [one.game.move_name(move, one.state) for move in base.legal_moves(one.state)]


def worth(one: Searched, text: str) -> None:
    if not one.tree:
        assert number(text) == one.value(one.state, one.depth, 0)
        assert bool(re.search("pl(y|ies)$", text)) == bool(re.match("wins|loses", text))
        assert text.endswith("ply") == text.endswith("in 1 ply")
    elif one.result.settings.proven and one.search.settled:
        assert real(text) == one.force.value(one.state)[0]
    else:
        assert -1 <= real(text) <= 1


def line(one: Searched, text: str) -> None:
    """The line is legal, and each move is a best one by minimax at the remaining depth."""
    state = one.state
    for ply, name in enumerate(text.split()):
        after = one.force.after(state, one.game.parse_move(name, state))
        if one.plain:
            assert -one.value(after, one.depth - ply - 1, ply + 1) == one.value(state, one.depth - ply, ply)
        state = after


def truth(one: Searched, name: str, word: str) -> None:
    keeping = one.force.keeping(one.state)
    assert word == ("all equal" if len(keeping) == len(names(one)) else "best" if name in keeping else "mistake")


def move_row(
    one: Searched, name: str, played: str | None, bound: str | None, value: str, nodes: str, word: str
) -> None:
    best = one.game.move_name(one.result.best_move, one.state)
    assert bool(played) == (name == best)
    exact, given = one.of_move(name), number(value)
    assert exact <= given <= one.of_move(best) if bound else exact == given
    if one.plain:
        assert int(real(nodes)) == below(one)[names(one).index(name)]
    truth(one, name, word)


def below(one: Searched) -> list[int]:
    """The nodes below each move of the root."""
    entered = [len(frames) for kind, _, frames in one.aloud.told if kind is Kind.ENTER]
    counts: list[int] = []
    for frames in entered[1:]:
        if frames == 2:
            counts.append(0)
        counts[-1] += 1
    return counts


def tree_row(
    one: Searched, name: str, played: str | None, visits: str, mean: str, ucb: str, proven: str | None, word: str
) -> None:
    assert bool(played) == (name == one.game.move_name(one.result.best_move, one.state))
    assert int(real(visits)) <= one.result.simulations and -1 <= real(mean) <= 1
    if proven:
        assert {"wins": 1, "draws": 0, "loses": -1}[proven] == -one.force.value(one.after(name))[0]
    truth(one, name, word)


def count(one: Searched, what: str, text: str) -> None:
    found = int(real(text))
    assert found == getattr(one.result, what.replace(" ", "_"))
    if one.plain and not one.flat:
        assert found == literal(one).get(what, found)
    if one.tree and what == "nodes":
        visits = sum(move.visits for move in one.result.moves)
        assert found <= visits + 1 and sum(move.visits > 0 for move in one.result.moves) < found


def literal(one: Searched) -> dict[str, int]:
    kinds = [kind for kind, _, _ in one.aloud.told]
    counted = {"nodes": Kind.ENTER, "leaves": Kind.EVALUATE, "cutoffs": Kind.CUT}
    return {
        "table hits": 0,
        "skipped": one.aloud.skipped,
        **{what: kinds.count(kind) for what, kind in counted.items()},
    }


def memory(one: Searched, what: str, size: str, text: str) -> None:
    """Check the bytes of a part: so many units of so many bytes."""
    space = one.result.space
    if what == "tree":
        found = re.fullmatch(
            rf"({COUNT}) nodes of (\d+) bytes, (stored|not stored|the first ({COUNT}) stored, .+)", text
        )
        assert found and Bytes(int(real(found[1])) * int(found[2])).text == size
        assert (found[3] == "not stored") == (space.recorded == 0) and not found[4]
        if one.plain and not one.flat:
            assert int(real(found[1])) == literal(one)["nodes"]
    elif what == "stack":
        found = re.fullmatch(rf"({COUNT}) (ply|plies)", text)
        assert found and (found[2] == "ply") == (found[1] == "1")
        if one.plain and not one.flat:
            assert int(real(found[1])) == max(len(frames) for _, _, frames in one.aloud.told) - 1
    elif what == "table":
        found = re.fullmatch(rf"({COUNT}) of ({COUNT}) entries used", text)
        assert found and int(real(found[1])) <= int(real(found[2]))
    else:
        assert (what, text) in (("simulations", "to replay them"), ("memory", "in all"))
    if what == "memory":
        parts = space.recorded * space.node_bytes + space.stack_bytes + space.table_bytes + space.simulation_bytes
        assert size == Bytes(parts).text


def pace(one: Searched, text: str) -> None:
    if text != "–":
        size = {"k": 1e3, "M": 1e6}.get(text[-1], 1)
        assert real(text.split()[0]) * size == pytest.approx(one.result.nodes / one.result.seconds, rel=0.06)


def bounded(one: Searched) -> None:
    best = one.of_move(one.game.move_name(one.result.best_move, one.state))
    some = [move for move in one.result.moves if move.bound == "upper"]
    assert some and all(one.of_move(one.game.move_name(move.move, one.state)) <= best for move in some)


ROW = r"(\S+) +(plays +)?"
TRUTH = r" +(best|mistake|all equal)"
LINES: Patterns = {
    r"position  .+": lambda one: None,  # as `nimtui solve` prints it
    r"(\S+) plays (\S+)  \((.+?)(, stopped early)?\)": plays,
    r"value +(.+)": worth,
    r"line +(.+)": line,
    r"move +(?:value +nodes|visits +mean +ucb(?: +proven)?) +truth": lambda one: None,
    rf"{ROW}(≤ )?({VALUE}) +({COUNT}){TRUTH}": move_row,
    rf"{ROW}({COUNT}) +([+−]?\d\.\d+) +([+−]?\d\.\d+)(?: +(wins|draws|loses))?{TRUTH}": tree_row,
    rf"(nodes|leaves|cutoffs|skipped|table hits|depth) +({COUNT})": count,
    rf"simulations +({COUNT})": lambda one, text: same(int(real(text)), one.result.simulations),
    r"nodes/s +(–|.+)": pace,
    r"(tree|stack|table|simulations|memory) +([\d.,]+ \S+)   (.+)": memory,
    r"≤ marks a bound: the move is not better than the one that is played, so its own value is not needed\.": bounded,
    r"A search with a time limit depends on the machine: a faster one searches more\.": lambda one: is_true(
        one.result.settings.time > 0
    ),
}
SAID_TRUTH = r"truth (best|mistake|all equal)\."
SAID: Patterns = {
    r"(\S+) plays (\S+) \((.+?)(, stopped early)?\)\.": plays,
    r"Value: (.+)\.": worth,
    r"Line: (.+)\.": line,
    rf"(?:column )?(\S+): (plays, )?value (at most )?(.+), nodes ({COUNT}), {SAID_TRUTH}": move_row,
    rf"(?:column )?(\S+): (plays, )?visits ({COUNT}), mean (\S+), ucb (\S+?)(?:, proven (\w+))?, {SAID_TRUTH}": (
        tree_row
    ),
    rf"(Nodes): ({COUNT})\.": lambda one, what, text: count(one, what.lower(), text),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_line_of_a_search_is_true(name: str) -> None:
    force, told = Force(name), set[str]()
    for how in SEARCHES:
        one = Searched(force, how)
        place = Place(one.game, one.state, None)
        title, *texts = printed(searched(place, [one.result], one.truths))
        assert title.endswith(f"({one.game.name})")
        told |= {check(text, LINES, one) for text in texts}
        spoken = [
            text.replace("plus ", "+").replace("minus ", "−") for text in lines.search(place, one.result, one.truths)
        ]
        told |= {check(text, SAID, one) for text in spoken}
    assert told >= {*SAID} and len(told - {*SAID}) >= len(LINES) - 2


# Several searches.

MANY = ("minimax:depth=3", "alphabeta:depth=4,table=1024", "mcts:simulations=60")


def search_row(searches: list[Searched], *cells: str) -> None:
    how, name, value, *counts, hits, _, rate = cells
    [one] = [each for each in searches if each.result.settings.name == how]
    assert name == one.game.move_name(one.result.best_move, one.state)
    worth(one, re.sub(r"in (\d+)$", lambda found: f"{found[0]} pl{'y' if found[1] == '1' else 'ies'}", value))
    for what, text in zip(("nodes", "leaves", "cutoffs", "skipped", "table hits"), (*counts, hits), strict=True):
        count(one, what, text)
    assert (rate == "–") == (one.result.nodes_per_second is None)
    pace(one, rate.removesuffix("/s"))


def memory_row(searches: list[Searched], how: str, *cells: str) -> None:
    [one] = [each for each in searches if each.result.settings.name == how]
    nodes, tree, plies, stack, entries, table, whole = cells
    space = one.result.space
    assert int(real(nodes)) == space.tree_nodes and tree == Bytes(int(real(nodes)) * space.node_bytes).text
    assert int(real(plies)) == space.stack_plies and stack == Bytes(space.stack_bytes).text
    assert (entries == "–") == (table == "–") == (not one.result.settings.table)
    memory(one, "memory", whole, "in all")


def not_recorded(searches: list[Searched]) -> None:
    windows = [one.result.space for one in searches if not one.tree]
    assert windows and all(space.recorded == 0 for space in windows)


TABLES: Patterns = {
    r"position  .+": lambda searches: None,
    r"search +move +value +nodes +leaves +cutoffs +skipped +hits +time +nodes/s": lambda searches: None,
    rf"(\S+) +(\S+) +({VALUE})" + rf" +({COUNT})" * 5 + r" +(<?[\d.]+ m?s) +(–|.+/s)": search_row,
    r"memory +tree nodes +tree +stack plies +stack +entries used +table +in all": lambda searches: None,
    rf"(\S+) +({COUNT}) +([\d.,]+ \w+) +({COUNT}) +([\d.,]+ \w+) +(–|{COUNT}) +(–|[\d.,]+ \w+) +([\d.,]+ \w+)":
        memory_row,
    r"The tree of minimax and alpha-beta is what recording it would take; it was not recorded here\.": not_recorded,
}  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_every_line_of_several_searches_is_true(name: str) -> None:
    force = Force(name)
    searches = [Searched(force, how) for how in MANY]
    place = Place(force.game, force.game.new(), None)
    _, *texts = printed(searched(place, [one.result for one in searches], None))
    assert {check(text, TABLES, searches) for text in texts} == set(TABLES)


# The numbers of the Search screen.


def screen_nodes(one: Searched, nodes: str, leaves: str | None, rate: str | None) -> None:
    count(one, "nodes", nodes)
    if leaves:
        count(one, "leaves", leaves)
    assert (rate is None) == (one.result.nodes_per_second is None)
    pace(one, (rate or "–").removesuffix("/s"))


def screen_cutoffs(one: Searched, cutoffs: str, skipped: str | None) -> None:
    count(one, "cutoffs", cutoffs)
    if skipped:
        count(one, "skipped", skipped)


def screen_table(one: Searched, hits: str, used: str, rest: str | None) -> None:
    count(one, "table hits", hits)
    assert int(real(used)) == one.result.space.table_used
    if rest:
        entries, size = rest.removeprefix(" of ").split(" entries, ")
        assert int(real(entries)) == one.result.space.table_entries and size == Bytes(one.result.space.table_bytes).text


def screen_minimax(one: Searched, nodes: str, times: str) -> None:
    literal_nodes = told_aloud(one.game.name, one.depth, False, one.original).nodes
    assert int(real(nodes)) == literal_nodes
    assert abs(real(times) - literal_nodes / one.result.nodes) <= 0.0501


def screen_plays(one: Searched, name: str, mean: str | None, value: str | None, proven: str | None) -> None:
    assert name == one.game.move_name(one.result.best_move, one.state)
    if value:
        worth(one, value)
    if mean:
        assert abs(real(mean) - one.result.value) <= 0.000501
    if proven and not one.flat:
        given = number(value) if value else real(mean or "0")
        assert (given > 0) - (given < 0) == one.force.value(one.state)[0]


SCREEN: Patterns = {
    rf"nodes ({COUNT})(?:  leaves ({COUNT}))?(?:  (.+/s))?": screen_nodes,
    rf"cutoffs ({COUNT})(?:, ({COUNT}) moves pruned)?": screen_cutoffs,
    rf"table ({COUNT}) hits, ({COUNT})(?: used|( of .+))": screen_table,
    rf"minimax ({COUNT})  ([\d.,]+) ×(?: as many)?": screen_minimax,
    r"plays (\S+)  (?:value )?(?:([+−]?\d\.\d{3})|(.+?))(, proven)?": screen_plays,
    r"seconds ([\d.]+)": lambda one, text: is_true(abs(float(text) - one.result.seconds) <= 0.000501),
    rf"tree ({COUNT}) nodes, (.+)": lambda one, nodes, size: same(
        (int(real(nodes)), size), (one.result.space.tree_nodes, Bytes(one.result.space.tree_bytes).text)
    ),
    rf"stack ({COUNT}) (?:ply|plies), (.+)": lambda one, plies, size: same(
        (int(real(plies)), size), (one.result.space.stack_plies, Bytes(one.result.space.stack_bytes).text)
    ),
}


def test_every_number_of_a_search_on_the_screen_is_true() -> None:
    told = set[str]()
    for name in GAMES:
        force = Force(name)
        for how in SEARCHES:
            one = Searched(force, how)
            cutting = one.result.settings.algorithm == "alphabeta" and not one.flat
            whole = told_aloud(name, one.depth, False, one.original).nodes if cutting else None
            for wide in (False, True):
                pairs = search_view.counts(one.result, whole, one.game, one.state, wide)
                for label, text in [*pairs, *search_view.memory(one.result.space)]:
                    told.add(check(f"{label} {text}", SCREEN, one))
    assert told == set(SCREEN)


# Why a search cannot continue, and which limit ended it.


def root_is_proven(one: Searched, simulations: str | None) -> None:
    assert one.result.settings.proven and one.search.value == one.force.value(one.state)[0]
    assert simulations is None or int(real(simulations)) == one.search.done


def deepest(one: Searched) -> None:
    """Every leaf of the literal search is a finished game."""
    longest = max(len(frames) for _, _, frames in told_aloud(one.game.name, 1000, False, False).told) - 1
    evaluated = [len(frames) for kind, _, frames in one.aloud.told if kind is Kind.EVALUATE]
    assert one.depth >= longest or one.depth + 1 not in evaluated


def recorded(one: Searched, first: str, visited: str) -> None:
    assert int(real(first)) == len(one.search.tree) <= 20 < int(real(visited)) == one.result.nodes


WHY: Patterns = {
    r"only tree search \(mcts\) (?:can run until it proves the root|runs simulations)": lambda one: is_true(
        not one.tree
    ),
    r"this search proves nothing: start it with proven=yes": lambda one: is_true(
        one.tree and not one.result.settings.proven
    ),
    r"the root is proven": lambda one: root_is_proven(one, None),
    rf"the root is proven after ({COUNT}) simulations": root_is_proven,
    r"the search has reached the end of every game: more depth changes nothing": deepest,
    rf"the tree has the first ({COUNT}) of ({COUNT}) nodes": recorded,
}


@pytest.mark.parametrize("name", ["nim:3,2,1", "kayles:5"])
def test_every_reason_why_a_search_cannot_continue_is_true(name: str) -> None:
    force, told, ends = Force(name), set[str](), False
    for how in (*(f"minimax:depth={depth}" for depth in range(1, 8)), "alphabeta:depth=-1", *SEARCHES[-2:]):
        one = Searched(force, how, record=True)
        said = [more.why_no_proof(one.search), more.why_no_simulations(one.search)]
        if not one.tree:
            try:
                assert more.deeper(one.search).run().result.nodes > one.result.nodes and not ends
            except InputError as fault:
                said, ends = [*said, str(fault)], True
        told |= {check(text, WHY, one) for text in said if text}
        one.search = search_of(one.game, one.state, parse(how), record=True, most_nodes=20).run()
        told |= {check(text, WHY, one) for text in [more.limit(one.search)] if text}
    assert told == set(WHY)


@pytest.mark.parametrize(
    ("position", "how", "both"),
    [("", -1, "MIN to move: MAX gets 1"), ("2", -1, "MAX to move: MAX gets 9"), ("", 1, "")],
)
def test_an_exact_search_of_a_tree_says_what_max_gets(position: str, how: int, both: str) -> None:
    game = parse_game("tree:((3,5),(6,9,7),(0,1)):min")
    place = Place(game, game.new(position or None), None)
    search = search_of(game, place.state, parse(f"minimax:depth={how}")).run()
    text = "\n".join(printed(searched(place, [search.result], None)))
    assert re.findall("M[A-Z]+ to move: .*", text) == [both] * bool(both)

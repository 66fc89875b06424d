"""Games that end with a number, held by brute force: red-blue Nim, scored connect boards and textbook trees."""

from __future__ import annotations

import random
import re
import statistics
from functools import cache

import pytest

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.api import games
from nimtui.arena.play.limits import UNLIMITED
from nimtui.arena.play.match import play_match
from nimtui.arena.play.plan import plan
from nimtui.arena.review.review import of_seats, review, story
from nimtui.arena.standings import match_report
from nimtui.engine import exact
from nimtui.engine.rng import Stream
from nimtui.engine.windows import CUT
from nimtui.errors import InputError
from nimtui.games import Record, base, registry
from nimtui.games import tree as tree_rules
from nimtui.games.registry import parse_game
from nimtui.games.rule_text import Place
from nimtui.games.tree import FORMS
from nimtui.jobs.tournament import Tournament
from nimtui.learning.training import Training
from nimtui.progress import Cancelled
from nimtui.report import document as documents
from nimtui.report.cells import cells
from nimtui.report.lines import Ink, plain_text
from nimtui.store import tournaments
from nimtui.store.database import Database
from nimtui.theory import explanation, plain
from nimtui.theory.answers import answer, move_values
from nimtui.theory.truth import truth
from nimtui.trees import parse, search_of
from nimtui.trees import report as tree_report
from nimtui.ui.board import small_board
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from tests.examples import examples, few
from tests.games import coins
from tests.games.refusal import refusal
from tests.jobs.playing import begin
from tests.stops import StopAt
from tests.theory.oracles import Columns
from tests.ui.drawn import as_drawn

TREE = "tree:((3,5),(6,9,7),(0,1))"
LEAF = "expected a leaf from −1,000,000,000 to 1,000,000,000"
LARGE_TREE = "the tree is too large: at most 100,000 nodes and 64 plies"


@cache
def points(red: int, blue: int, misere: bool) -> int:
    """What red-blue Nim is worth to the player to move, in five lines."""
    if not red or not blue:
        return (2 * red + 3 * blue) * (1 if misere else -1)
    piles = [(red - n, blue) for n in (1, 2) if n <= red] + [(red, blue - n) for n in (1, 2) if n <= blue]
    return max(-points(*after, misere) for after in piles)


@pytest.mark.parametrize("goal", ["", ":misere"])
def test_red_blue_nim_is_worth_what_brute_force_says(goal):
    game = parse_game(f"redblue:12,12{goal}")
    solution = truth(game)
    for node, board in enumerate(solution.graph.boards.tolist()):
        assert solution.values[node] == points(*board, bool(goal)), board
    assert len(solution.graph.boards) == 12 * 12 and base.largest_payoff(game.start) == 36
    assert base.outcome(game.new("0,0")) == base.DRAW
    assert exact.distances(solution.graph, solution.values).tolist() == [-1] * 144, "nobody hurries"


EXACT = ("minimax:depth=-1", "alphabeta:depth=-1,table=yes", "alphabeta:depth=60,order=best-first")  # to the end


@pytest.mark.parametrize("red", range(1, 7))
@pytest.mark.parametrize("goal", ["", ":misere"])
def test_every_search_and_every_sentence_agrees_with_brute_force(red, goal):
    for blue in few((1, 2, 7 - red), (1, 2, 3, 4, 5, 6)):
        game = parse_game(f"redblue:{red},{blue}{goal}")
        state, value = game.new(), points(red, blue, bool(goal))
        for name in few(EXACT[:2], EXACT):
            result = search_of(game, state, parse(name)).run().result
            assert (result.value, result.exact) == (value, True), name
        solved = answer(game, state)
        assert (solved.verdict.payoff, solved.remoteness, solved.verdict.grundy) == (value, None, None)
        worths = {}
        for move in move_values(game, state):
            worths[game.move_name(move.move, state)] = move.payoff
            assert move.optimal == (move.payoff == value)
            after = game.after(state, move.move).board.tolist()
            assert move.payoff == -points(*after, bool(goal))
        check_told(game, state, value, worths)


def check_told(game, state, value, worths):
    """Check all that is said of a position with this value for the player to move, and of moves with these."""
    first, *others = explanation.sentences(theory.explain(game, state)) + plain.explained(game, state).sentences()
    text = " ".join(others)
    assert "win" not in first + text and "lose" not in first + text
    if to_move := re.fullmatch(r"(MAX|MIN) to move: MAX gets (\S+)\.", first):
        assert number(to_move[2]) == (value if to_move[1] == "MAX" else -value)
    else:
        assert number(re.fullmatch(r"Worth (\S+) to the player to move\.", first)[1]) == value
    named = re.search(r"Best: (.*)\. (?:Take|Drop|Play)", text)[1]
    assert set(re.split(r", | or ", named)) == {move for move, worth in worths.items() if worth == value}
    if other := re.search(r"that is worth (\S+)\. The best other move, (\S+), is worth (\S+)\.", text):
        assert number(other[1]) == value
        assert number(other[3]) == worths[other[2]] == max(worth for worth in worths.values() if worth != value)
    else:
        assert number(re.search(r"every move is worth (\S+)\.", text)[1]) == value
        assert set(worths.values()) == {value}


def number(text: str) -> int:
    return int(text.replace("−", "-").replace(",", ""))


def test_monte_carlo_tree_search_finds_the_best_payoff_and_counts_in_payoffs():
    game = parse_game("redblue:7,5")
    for position in ("7,5", "4,4", "6,3"):
        state = game.new(position)
        result = search_of(game, state, parse("mcts:simulations=20000")).run().result
        solved = answer(game, state)
        assert result.best_move in solved.best_moves
        assert abs(result.value - solved.verdict.payoff) < 1
        last = search_of(game, state, parse("mcts:simulations=50")).run().tree.simulation(50)
        assert last.result == int(last.result), "a playout ends with whole points"


@pytest.mark.parametrize("learner", ["q", "average"])
def test_a_learner_learns_the_best_payoffs(learner):
    training = Training(parse_game("redblue:7,5"), learner)
    training.run(20_000)
    standing = training.standing()
    assert standing.perfect and standing.nothing == 0 and standing.right == len(training.truth.values)


def test_what_only_knows_won_and_lost_is_refused_in_one_line():
    game = parse_game("redblue:4,4")
    for learner in ("reward", "quality", "proof", "ntuple"):
        with pytest.raises(InputError, match="ends with a number: use average or q"):
            Training(game, learner)
        with pytest.raises(InputError, match="ends with a number: use average or q"):
            parse_agent(f"{learner}:games=5", game)
    for agent in ("mc", "mcts:proven=yes", "mcts:policy=perfect-opponent"):
        with pytest.raises(InputError, match="number"):
            parse_agent(agent, game)
    for level in ("easy", "medium", "hard", "perfect:lost=longest", "value"):
        agent = parse_agent(level, game)
        agent.prepare()
        assert game.move_name(agent.decide(game.new(), Stream(1)).move, game.new()) in ("a1", "b1", "a2", "b2")


@pytest.mark.parametrize("size", ["4x4x4", "4x4x3", "5x3x3", "3x5x3"])
def test_scores_of_connect_boards_are_those_of_brute_force(size):
    oracle = Columns(*map(int, size.split("x")))
    game, chance = parse_game(f"connect:{size}:score"), random.Random(size)
    compared = 0
    while compared < few(5, 12):
        state, board = game.new(), oracle.empty()
        while base.outcome(state) == base.GOING_ON and oracle.columns * oracle.rows - oracle.played(board) > 7:
            base.play(state, move := chance.choice(base.legal_moves(state)))
            board = oracle.drop(board, move)
        if base.outcome(state) != base.GOING_ON:
            assert theory.solve(game, state).payoff == -int(base.payoff(state))
            continue
        compared += 1
        assert answer(game, state).verdict.payoff == oracle.score(board)
        assert search_of(game, state, parse("alphabeta:depth=-1")).run().result.value == oracle.score(board)
        assert {value.move: value.payoff for value in move_values(game, state)} == oracle.moves(board)
        named = {game.move_name(move, state): worth for move, worth in oracle.moves(board).items()}
        check_told(game, state, oracle.score(board), named)
        assert abs(oracle.score(board)) <= int(base.largest_payoff(state))


# Trees.


def searched(tree, windows, alpha=-(10**9), beta=10**9, sign=1):
    """The reference: value, nodes and leaves of a tree for the player to move; `tree` is a number or a list."""
    if isinstance(tree, int):
        return sign * tree, 1, 1
    best, nodes, leaves = -(10**9), 1, 0
    for child in tree:
        value, more, below = searched(child, windows, -beta, -max(alpha, best), -sign)
        best, nodes, leaves = max(best, -value), nodes + more, leaves + below
        if windows and best >= beta:
            break
    return best, nodes, leaves


def grown(chance, depth):
    if not depth or (depth < 4 and chance.random() < 0.2):
        return chance.randint(-9, 9)
    return [grown(chance, depth - 1) for _ in range(chance.randint(1, 4))]


def text_of(tree) -> str:
    return str(tree) if isinstance(tree, int) else f"({','.join(map(text_of, tree))})"


@pytest.mark.parametrize(("branching", "depth"), [(2, 3), (2, 6), (3, 4), (3, 5), (4, 4), (5, 3)])
def test_a_tree_in_the_best_order_takes_the_least_number_of_leaves(branching, depth):
    """Knuth and Moore, 1975: b to the half of d rounded up, and down, less 1."""
    leaves = random.Random(depth).sample(range(branching**depth), branching**depth)

    def grow(ply):
        """A tree for who is to move at this ply, the best child first, and its value."""
        if ply == depth:
            worth = leaves.pop()
            return worth * (-1) ** depth, worth  # a leaf counts for MAX
        children = sorted((grow(ply + 1) for _ in range(branching)), key=lambda child: child[1])
        return [child for child, _ in children], -children[0][1]

    tree, value = grow(0)
    game = parse_game(f"tree:{text_of(tree)}")
    result = search_of(game, game.new(), parse("alphabeta:depth=-1")).run().result
    least = branching ** (-(-depth // 2)) + branching ** (depth // 2) - 1
    assert (result.value, result.leaves) == (value, least)


def test_the_largest_score_is_that_of_the_soonest_line():
    for size, largest in (("7x6x4", 18), ("4x4x4", 5), ("5x3x3", 6), ("1x2x2", 1)):  # after 2k − 1 discs
        assert base.largest_payoff(parse_game(f"connect:{size}:score").start) == largest


def test_the_score_of_connect_four_is_that_of_the_solver():
    assert theory.is_instant(parse_game("connect4:score"), parse_game("connect4:score").first)
    scores, won = parse_game("connect4:score"), parse_game("connect4")
    for position in ("44", "4455", "44444", "4444442222221"):
        solved = answer(scores, scores.new(position)).verdict
        assert solved.payoff == answer(won, won.new(position)).verdict.score == max(solved.scores.values())
        assert {move for move, score in solved.scores.items() if score == solved.payoff} == set(solved.best_moves)


def test_values_and_counts_of_random_trees_are_those_of_a_reference():
    chance = random.Random(40)
    for _ in range(examples(100)):
        tree = grown(chance, chance.randint(1, 4))
        if isinstance(tree, int):
            continue
        first = chance.choice(("", ":min"))
        game = parse_game(f"tree:{text_of(tree)}{first}")
        for name in ("minimax", "alphabeta"):
            result = search_of(game, game.new(), parse(f"{name}:depth=-1")).run().result
            expected = searched(tree, name == "alphabeta", sign=-1 if first else 1)
            assert (result.value, result.nodes, result.leaves) == expected, game.name
            assert result.exact
        sign = -1 if first else 1
        worths = {str(at): -searched(child, False, sign=-sign)[0] for at, child in enumerate(tree, 1)}
        check_told(game, game.new(), expected[0], worths)
        path = 0
        while not isinstance(tree, int):
            tree, path = tree[0], path + 1
        end = theory.explain(game, game.new(".".join("1" * path)))
        assert explanation.sentences(end) == [f"The game is over: MAX gets {tree}.".replace("-", "−")]


def test_payoffs_up_to_a_billion_are_no_codes_of_wins():
    chance = random.Random(9)
    ends = [s * end for end in (900_001, 950_000, 999_999, 1_000_000, 1_000_001, 999_999_999, 10**9) for s in (1, -1)]
    for _ in range(examples(8)):
        tree = [[chance.choice(ends) for _ in range(3)] for _ in range(3)]
        game, expected = parse_game(f"tree:{text_of(tree)}"), searched(tree, False)[0]
        place = Place(game, game.start, None)
        for name in few(EXACT[::2], EXACT):
            result = search_of(game, game.new(), parse(name)).run().result
            assert (result.value, result.exact, len(result.principal_variation)) == (expected, True, 2)
            document = tree_report.keys(place, result, None)
            assert document["remoteness"] is None and all(move["remoteness"] is None for move in document["moves"])
            text = "\n".join(map(plain_text, cells(tree_report.searched(place, [result], None))))
            assert f"{expected:+,}".replace("-", "−") in text and "wins" not in text and "loses" not in text
        assert answer(game, game.start).verdict.payoff == expected
        grown = search_of(game, game.new(), parse("mcts:simulations=40")).run().tree
        totals = grown.total.tolist()
        grown.seek(25)
        grown.seek(0)
        for at in range(1, 41):
            grown.seek(at)
        assert grown.total.tolist() == totals, "a replay takes back exactly what a simulation added"


def test_moves_and_positions_of_a_tree_have_names_or_places():
    game = parse_game("tree:A( Left(3, +5), Right((6, −9)) )")
    assert game.name == "tree:A(Left(3,5),Right((6,-9)))"
    state = game.new("right.1.2")
    assert base.outcome(state) == base.LOST and game.position_name(state) == "Right.1.2"
    assert parse_game(game.name) == game


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tree:", f"'tree' needs a tree, as in {TREE}"),
        ("tree:5", f"invalid tree '5': it is one leaf; expected a node with children, as in {TREE}"),
        ("tree:((3,5),(6", "expected a comma or a closing bracket at letter 10, where the text ends"),
        ("tree:((3,5),)", "expected a number or an opening bracket at letter 8, at ')'"),
        ("tree:(A(3,5),(6,7))", "expected names for all children of a node or for none at letter 14, at ')'"),
        ("tree:(A(3,5),a(6,7))", "expected children of one node with different names at letter 15, at ')'"),
        ("tree:((3,5),x)", "expected an opening bracket at letter 9, at ')'"),
        ("tree:(a 5,b(6))", "expected an opening bracket at letter 4, at '5,b(6))'"),
        ("tree:((3,5)) 7", "expected the end of the tree at letter 9, at '7'"),
        ("tree:((3,5.5))", "expected a bracket, a comma, a whole number or a name at letter 6, at '.5))'"),
        ("tree:((3,1000000001))", f"{LEAF} at letter 5, at '1000000001))'"),
        (f"tree:(3,{'0' * 20}5)", f"{LEAF} at letter 4, at '{'0' * 20}5)'"),
        (f"tree:{'(' * 65}1{')' * 65}", LARGE_TREE),
        ("tree:randomly:depth=3", f"expected {FORMS[2]}"),
        ("tree:random:depth=65", "depth must be from 1 to 64, not 65"),
        ("tree:random:depth=0", "depth must be from 1 to 64, not 0"),
        ("tree:random:seed=-1", "seed must be from 0 to 9,223,372,036,854,775,807, not -1"),
        (f"tree:random:seed={2**63}", f"seed must be from 0 to 9,223,372,036,854,775,807, not {2**63}"),
        ("tree:random:branching=1001", "branching must be from 1 to 1,000, not 1001"),
        ("tree:random:branching=0", "branching must be from 1 to 1,000, not 0"),
        ("tree:random:leaves=-1000000001..2", "from -1,000,000,000 to 1,000,000,000, not -1000000001"),
        ("tree:random:leaves=1..1000000001", "from -1,000,000,000 to 1,000,000,000, not 1000000001"),
        ("tree:random:branching=x", "invalid branching 'x': expected a number or a range, as in 2..3"),
        ("tree:random:branching=3..2", "invalid branching '3..2': the range ends before it starts"),
        ("tree:random:deep=3", "did you mean depth?). Options of tree:random: depth, branching, leaves, seed"),
        ("tree:@", "name the file of the tree, as in tree:@FILE"),
        ("tree:@/no/such/file", "cannot read the tree in /no/such/file: No such file or directory"),
        ("tree:~abc", "no tree with the hash abc is stored here: give its text, or tree:@FILE"),
    ],
)
def test_a_wrong_tree_is_refused_in_one_line(text, reason):
    told, begin = refusal(parse_game, text), "" if "invalid" in reason else f"invalid tree '{text[5:]}': "
    assert told.endswith(reason) and told in (reason, begin + reason, told * ("random" in text))


def test_the_largest_leaves_ranges_and_depths_are_read(monkeypatch):
    game = parse_game("tree:(1000000000,-1000000000,0)")
    assert (game.start.value.tolist(), game.start.largest) == ([0, 10**9, -(10**9), 0], 10**9)
    assert (game.start.widest, game.start.ply.tolist(), game.start.parent.tolist()) == (3, [0, 1, 1, 1], [0] * 4)
    deep = parse_game(f"tree:{'(' * 64}0{')' * 64}").start
    assert (deep.ply.tolist(), deep.first.tolist(), deep.largest) == ([*range(65)], [*range(1, 66)], 1)
    second = parse_game(f"tree:{'(0,' * 64}0{')' * 64}").start
    assert deep.board.tolist() == [0] and int(second.ply.max()) == 64
    assert [parse_game(f"tree:random:depth=1{end}").start.min_first for end in ("", ":min")] == [0, 1]
    name = "random:depth=2,branching=2..3,leaves=-1000000000..1000000000,seed=9223372036854775807"
    grown = parse_game(f"tree:{name}")
    assert grown.name == f"tree:{name}" and {*grown.start.ply[grown.start.width == 0].tolist()} == {2}
    assert {*grown.start.width.tolist()} <= {0, 2, 3} and grown.start.largest <= 10**9
    assert parse_game("tree:Random").name == "tree:random:depth=3,branching=2,leaves=-9..9,seed=0"
    monkeypatch.setattr(tree_rules, "MOST_NODES", 4)
    for right, wrong in (("(91,92,93)", "(91,92,93,94)"), ("random:depth=1,branching=3", "random:depth=1,branching=4")):
        assert len(parse_game(f"tree:{right}").start.width) == 4
        assert refusal(parse_game, f"tree:{wrong}") == "the tree is too large: at most 4 nodes and 64 plies"


def test_a_random_tree_is_the_same_for_the_same_seed():
    trees = [parse_game(f"tree:random:depth=4,branching=2..3,seed={seed}").start.value.tolist() for seed in (7, 8, 7)]
    assert trees[0] == trees[2] != trees[1]


def test_a_tree_is_read_from_a_file(tmp_path):
    (tmp_path / "book.txt").write_text("tree:((3,5),\n (6,9,7),\n (0,1))\n")
    assert parse_game(f"tree:@{tmp_path / 'book.txt'}").name == TREE


def drawn(game, start, path, columns=60, rows=9, label=None):
    return [plain_text(row).rstrip() for row in small_board.tree(game, start, path, columns, rows, UNICODE, label)]


def test_a_tree_is_drawn_as_books_draw_it_and_a_large_one_from_the_marked_node():
    game = parse_game(TREE)
    assert drawn(game, game.start, [1], columns=12) == ["MIN    ●", "     ┌─┼─┐", "     6 9 7"]
    assert drawn(game, game.start, [], rows=3)[-1].split() == ["●", "●", "●"]
    assert drawn(game, game.start, [], columns=4) == []
    uneven = parse_game("tree:((3,5),2,(6,(9,(1,-4)),7),(8)):min")
    for name, *room in (
        ("whole", [], 60, 9, UNICODE),
        ("in ASCII, marked", [2, 1], 60, 9, ASCII),
        ("narrow", [2], 14, 9, UNICODE),
        ("low", [2, 1, 1], 60, 5, UNICODE),
        ("with values, one pruned", [0], 60, 9, UNICODE, lambda path: None if path[:1] == [3] else ("≥ 12", Ink.GOOD)),
    ):
        as_drawn("search", f"a book's tree: {name}", small_board.tree(uneven, uneven.start, *room))


@pytest.mark.parametrize("text", ["redblue:7,5", "coins:3,9,2,7"])
def test_the_mean_payoff_of_a_match_is_that_of_its_games(text):
    registry.add(coins)
    game = parse_game(text)
    first, second = parse_agent("perfect", game), parse_agent("random", game)
    result = play_match(game, first, second, 200, alternate=True)
    payoffs = []
    for row in result.batch.rows():
        state, seat = game.new(), row.opener
        for move in row.codes():
            base.play(state, move)
            last, seat = seat, 1 - seat
        payoffs.append(int(base.payoff(state)) * (1 if last == 0 else -1))
    assert result.payoff.mean == pytest.approx(statistics.mean(payoffs))
    assert result.payoff.error == pytest.approx(1.96 * statistics.stdev(payoffs) / len(payoffs) ** 0.5, rel=1e-3)
    document = documents.document(match_report.match(result, 200, UNLIMITED))
    one, other = document["agents"]
    assert one["elo"] is None and document["los"] is None
    assert (one["payoff"], other["payoff"]) == (result.payoff.mean, -result.payoff.mean)
    assert other["payoff_low"] == -one["payoff_high"]


def test_standings_are_in_order_of_the_mean_payoff_also_of_a_resumed_tournament(tmp_path, monkeypatch):
    monkeypatch.setattr("nimtui.jobs.tournament.TARGET", 0.0)  # game by game
    planned = plan(["redblue:7,5"], ["random", "perfect", "mcts:simulations=20"], number=100)
    field = Tournament(planned, workers=1).work().standings
    means = [row.payoff.mean for row in field.rows]
    assert means == sorted(means, reverse=True) and abs(sum(means)) < 1e-9
    assert field.rows[0].agent == "perfect"
    assert all(row.keys["elo"] is None and row.keys["payoff_low"] < row.keys["payoff"] for row in field.rows)
    with Database(tmp_path / "kept.sqlite") as database:
        with begin(database, planned) as kept:
            number = kept.id
            with pytest.raises(Cancelled):
                Tournament(planned, kept, 1).work(StopAt(50, "games"))
        with tournaments.resume(database, number) as kept:
            resumed = Tournament(planned, kept, 1)
            assert 0 < resumed.view.done < 300
            assert [row.keys for row in resumed.work().standings.rows] == [row.keys for row in field.rows]
    with pytest.raises(InputError, match="sequential test counts won and lost games"):
        plan(["redblue:7,5"], ["random", "perfect"], number=1000, sprt="elo0=0,elo1=50")


def test_a_review_says_how_many_points_a_mistake_cost():
    game = parse_game("redblue:4,4")
    record = Record(game, moves=[game.parse_move(name, game.new()) for name in ("b2", "a2", "r2")])
    judged = review(record)
    for one in judged:
        state = record.state_at(one.ply)
        before = points(*state.board.tolist(), False)
        after = -points(*game.after(state, one.move).board.tolist(), False)
        assert (one.payoff_before, one.payoff_after, one.mistake) == (before, after, after < before)
    told = " ".join(story(of_seats(record, judged, ("ann", "bob"), 0, "")))
    worst = max(judged, key=lambda one: one.payoff_before - one.payoff_after)
    cost = worst.payoff_before - worst.payoff_after
    assert f"Move {worst.ply + 1}, " in told and f"gave {cost} points away" in told
    assert record.over and not any(word in told for word in ("win", "los", "With perfect play"))
    part = Record(game, moves=list(record.moves[:2]))
    told = " ".join(story(of_seats(part, review(part), ("ann", "bob"), 0, "")))
    worth = points(*part.state.board.tolist(), False)
    assert told.endswith(f"With perfect play, {'ann' if worth > 0 else 'bob'} gets {abs(worth)} points from here.")


def test_a_long_tree_has_a_short_name_by_which_its_home_knows_it(tmp_path, monkeypatch):
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    leaves = ",".join(map(str, range(100)))
    game, other = parse_game(f"tree:(({leaves}),(1,2))"), parse_game(f"tree:(({leaves}),(1,3))")
    assert len(game.name) < 50 and game.name.startswith("tree:((0,1,2,") and game.name != other.name
    assert Place(game, game.start, None).keys["game"] == game.name
    assert game.whole_name == f"tree:(({leaves}),(1,2))"
    full, longer = (f"tree:({'1,' * 96}{last})" for last in ("1", "11"))
    assert (len(full), parse_game(full).name) == (200, full)
    assert re.fullmatch(re.escape(f"{longer[:30]}…~") + "[0-9a-f]+", parse_game(longer).name)
    text, more = f"({'1,' * 18}11)", f"({'1,' * 19}1)"
    titles = [parse_game(f"tree:{whole}").title.split()[2] for whole in (text, more)]
    assert len(text) == 40 and titles == [text, f"{more[:39]}…"]
    again = parse_game(f"{game.name}:min")
    assert again.start.value.tolist() == game.start.value.tolist() and again.name == f"{game.name}:min"
    assert parse_game(TREE).name == TREE
    [file] = [file for file in tmp_path.glob("texts/*") if file.stem in game.name]
    file.write_text("((1,2),(3,4))")
    with pytest.raises(InputError, match="no tree with the hash"):
        parse_game(game.name)
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    with pytest.raises(InputError, match="no tree with the hash"):
        parse_game(other.name)


def test_the_board_in_words_counts_marbles_of_both_colours():
    game = parse_game("redblue:3,2")
    assert games.board_lines(game, game.start) == ["A: 3 marbles", "B: 2 marbles"]
    assert games.board_lines(game, game.new("1,0")) == ["A: 1 marble", "B: no marbles"]


def test_cutoffs_are_named_deep_where_the_bound_comes_from_farther_up():
    for text, kinds in (("(5,(((4,9),8),6))", ["deep"]), ("((3,5),(2,9))", ["shallow"])):
        game = parse_game(f"tree:{text}")
        tree = search_of(game, game.new(), parse("alphabeta:depth=-1"), record=True).run().tree
        cuts = [tree_report.why_cut(tree, node) for node in range(len(tree)) if tree.kind(node) == CUT]
        assert [re.search(r"pruned \((\w+) cutoff\)", text)[1] for text in cuts] == kinds

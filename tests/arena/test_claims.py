"""What reports say of plans, sequential tests, pools, sweeps: thousands of random ones, each sentence taken apart."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from math import isnan, log
from statistics import median
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.arena.compare.comparison import Column, Comparison
from nimtui.arena.compare.comparison_report import agreement_text, best_text, settled_text, verdict_text
from nimtui.arena.compare.effort_curve import Curve, Step
from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import plan
from nimtui.arena.rating.ratings import Anchor
from nimtui.arena.rating.sprt import Sprt
from nimtui.arena.standings import standings_report, statements
from nimtui.arena.standings.pool import Gathered, Part, SavedMeetings, Source, rated
from nimtui.arena.standings.standings import PairingScore, remark
from nimtui.games import base, parse_game
from nimtui.jobs.tournament_report import kind_text, speed_text
from nimtui.learning.perfection import Needed
from nimtui.learning.sweep import Cell
from nimtui.learning.sweep import plan as sweep_plan
from nimtui.theory.answers import known_moves
from nimtui.ui.sweep.heat import Unit
from nimtui.ui.sweep.view import best
from nimtui.ui.tournament.view import played
from tests.arena import facts
from tests.arena.crosstables import AGENTS, _field
from tests.arena.facts import COUNT, Checks, check, games, named, same, whole

NUMBER = r"[\d.]+"
SIGNED = rf"(?:0|[+−]{NUMBER})"


def real(text: str) -> float:
    return float(text.replace("−", "-"))


# A plan.


def outcome(game: str) -> int:
    """Return 1, 0 or −1: won, drawn or lost for the player to move at the start, by plain search."""

    def search(state: base.State) -> int:
        over = int(base.outcome(state))
        if over != base.GOING_ON:
            return {base.WON: -1, base.LOST: 1, base.DRAW: 0}[over]  # the outcome is of the player who moved
        values = []
        for move in base.legal_moves(state):
            after = base.copy(state)
            base.play(after, move)
            values.append(-search(after))
        return max(values)

    return search(parse_game(game).new())


STARTS = {name: outcome(name) for name in ("nim:1,2,3", "nim:3,2", "nim:2,2:misere", "connect:3x3x3", "chomp:2x3")}


def test_what_is_said_of_a_plan_is_true() -> None:
    said = set()
    for pairs, number, openings, several, agents in product(
        ("round-robin", "gauntlet", "ordered"), (1, 2, 21, 1000), ("start", "random:1", "random:2"), (1, 2), (2, 4)
    ):
        for first in list(STARTS)[:: 1 if several == 1 else 3]:
            names = [first, "nim:3,2"][:several] if first != "nim:3,2" else [first]
            made = plan(names, AGENTS[:agents], pairs, number, openings)
            swaps = pairs != "ordered"
            kind = re.fullmatch(
                rf"(round-robin|gauntlet|all ordered pairs) of (\d+) agents, ({COUNT} games?) per pairing, (.+)",
                kind_text(made),
            )
            assert kind is not None and games(kind[3]) == number and int(kind[2]) == agents
            assert kind[1] == {"ordered": "all ordered pairs"}.get(pairs, pairs)
            plies = int(openings.partition(":")[2] or 0)
            opened = f"after {plies} random move{'s' * (plies > 1)}" if plies else "from the start"
            assert kind[4] == opened
            meet = re.fullmatch(
                rf"(gauntlet of )?(\d+)( ordered)? pairs? × ({COUNT} games?)(, seats swapped)?", played(made)
            )
            assert meet is not None and games(meet[4]) == number and bool(meet[1]) == (pairs == "gauntlet")
            two = {"round-robin": agents * (agents - 1) // 2, "gauntlet": agents - 1, "ordered": agents**2}[pairs]
            assert int(meet[2]) == two and bool(meet[3]) == (not swaps) and bool(meet[5]) == (swaps and number > 1)

            def start(match: re.Match[str], all_games: tuple[str, ...] = made.games, openings: str = openings) -> None:
                name = match[1] if match[1] is not None else all_games[0]
                assert (match[1] is None) == (len(all_games) == 1)
                value = next(STARTS[one] for one in STARTS if parse_game(one).name == name)
                assert (
                    match[2] == {1: "won for the player to move", -1: "lost for the player to move", 0: "a draw"}[value]
                )
                told = {0: ": perfect players draw every game. --openings random:2 avoids this"}.get(
                    value, ": between perfect players the seat decides. --openings balanced:2 avoids this"
                )
                assert (match[3] or "") == told * (openings == "start")

            def opening(match: re.Match[str], after: str = opened, swaps: bool = swaps, number: int = number) -> None:
                assert after != "from the start" and match[1] == after
                assert bool(match[2]) == (swaps and number > 1)
                assert bool(match[3]) == (swaps and number > 1 and number % 2 == 1)

            forms: Checks = [
                (r"The start(?: of (.+))? is (won .+?|lost .+?|a draw)(: .+)?\.", start),
                (
                    r"Games start (.+?)\.( Each is played twice, with the seats swapped(, the last one once)?\.)?",
                    opening,
                ),
            ]
            said |= check(remark(made), forms)
    assert len(said) == 2


def test_the_speed_is_that_of_the_games() -> None:
    for finished, done, seconds, now in product((True, False), (0, 1, 2, 1234), (0.0, 0.5, 20.0), (0.0, 0.3, 19.0)):
        view: Any = SimpleNamespace(finished=finished, done=done, total=5000, seconds=seconds)
        match = re.fullmatch(
            rf"({COUNT})(?: of ({COUNT}))? games? in ([^ ]+ m?s)(?: \(([^ ]+ m?s) of it now\))?"
            rf"(?:, ({COUNT}) a second)?",
            speed_text(view, now),
        )
        assert match is not None and whole(match[1]) == done and (match[2] is None) == finished
        assert (match[5] is not None) == (seconds > 0 and done > 1)
        assert match[5] is None or abs(whole(match[5]) - done / seconds) <= 0.5
        assert bool(match[4]) == (0 < now < 0.9 * seconds)


# A sequential test.


def claim(text: str) -> tuple[str, float]:
    """Return what is said of the first agent's lead: ('>', 5.0) or ('<', 5.0)."""
    match = re.fullmatch(
        rf"(?:(less|more) than |(not )?)(?:({NUMBER}) (?:normalised )?Elo )?(weaker|stronger) than", text
    )
    assert match is not None, text
    size = real(match[3] or "0") * (-1 if match[4] == "weaker" else 1)
    if match[4] == "weaker":
        return (">" if match[1] == "less" else "<"), size
    return ("<" if match[2] else ">"), size


def test_what_is_said_of_a_sequential_test_is_true() -> None:
    source = np.random.default_rng(1)
    for _ in range(1500):
        low, high = sorted(source.choice(np.r_[-60:61:5, 2.5], 2, replace=False).tolist())
        alpha, beta = source.choice([0.001, 0.01, 0.05, 0.1, 0.2], 2).tolist()
        test = Sprt(low, high, alpha, beta, str(source.choice(["logistic", "normalised"])))
        pairs = "gauntlet" if source.random() < 0.5 else "round-robin"
        made = plan(("nim:3,2",), AGENTS[: int(source.integers(2, 5))], pairs, 4000, "start", sprt=test.name)
        pairing = made.pairings[int(source.integers(len(made.pairings)))]
        number, verdict = int(source.integers(0, 1500)), str(source.choice(["", "H0", "H1"]))
        bounds = log(beta / (1 - alpha)), log((1 - beta) / alpha)
        llr = {"H0": bounds[0] - 0.1, "H1": bounds[1] + 0.1, "": float(source.uniform(*bounds))}[verdict]
        score = PairingScore(pairing, (number, 0), (0, 0), (0, number), (0, 0), (0, 0), (0, 0), (0, 0),
                             (0, 0, number, 0, 0), 4000, llr, verdict)  # fmt: skip
        names, unit = labels(made.agents), "Elo" if test.scale == "logistic" else "normalised Elo"
        text = statements.sentence(made, score)
        match = re.fullmatch(
            rf"(?:(H[01]) accepted after ({COUNT}) pairs?: (.+?) is (.+ than) (.+) \((α|β) ({NUMBER}) %\)\."
            rf"|(.+) against (.+): undecided after ({COUNT}) pairs?,) LLR (.+) of (.+) … ([\d.]+)"
            r"(; a verdict needs 10 pairs)?\.",
            text,
        )
        assert match is not None, text
        for said, value in zip(match.groups()[10:13], (llr, *bounds), strict=True):
            assert abs(real(said) - value) <= 0.00501
        assert whole(match[2] or match[10]) == number == score.pairs and ("1 pair:" in text or "pairs" in text)
        two = names[pairing.first], names[pairing.second]
        assert ((match[3], match[5]) if verdict else (match[8], match[9])) == two
        assert bool(match[14]) == (not verdict and number < 10)
        if verdict:
            assert (match[1], match[6]) == (verdict, "α" if verdict == "H1" else "β")
            assert real(match[7]) == pytest.approx(100 * (alpha if verdict == "H1" else beta))
            assert claim(match[4]) == ((">", low) if verdict == "H1" else ("<", high))
            assert (unit in match[4]) == bool(re.search(r"\d", match[4]))
        asked, errors = statements.question(made)
        match = re.fullmatch(
            rf"sequential test: is the (.+) Elo of (.+) against (.+) ({SIGNED}) or less \(H0\),"
            rf" or ({SIGNED}) or more \(H1\)\?",
            asked,
        )
        assert match is not None and match[1] == test.scale and (real(match[4]), real(match[5])) == (low, high)
        everybody = (names[0], "each other agent") if pairs == "gauntlet" else ("the agent named first", "the other")
        assert (match[2], match[3]) == (two if len(names) == 2 else everybody)
        match = re.fullmatch(rf"α ({NUMBER}) %, β ({NUMBER}) %; two .* are a pair, a verdict needs 10 pairs", errors)
        assert match is not None and (real(match[1]), real(match[2])) == pytest.approx((100 * alpha, 100 * beta))
        match = re.fullmatch(
            rf"If the true difference is ({SIGNED}) {unit} or less, at most about ({NUMBER}) % of such tests accept H1"
            rf" \(α\)\. If it is ({SIGNED}) {unit} or more, at most about ({NUMBER}) % accept H0 \(β\)\.",
            statements.errors_text(test),
        )
        assert match is not None
        assert tuple(map(real, match.groups())) == pytest.approx((low, 100 * alpha, high, 100 * beta))


# A pool.


def test_what_is_said_of_a_pool_is_true() -> None:
    source, met = np.random.default_rng(2), set[str]()
    kinds = ("model", "cells", "one wins all", "one loses all", "first", "circle")
    for number in range(250):
        pairs = str(source.choice(["round-robin", "gauntlet", "ordered"]))
        made = plan(
            ("nim:3,2",), AGENTS[: int(source.integers(2, 6))], pairs, int(source.choice([2, 21, 120])), "start"
        )
        shown = str(source.choice(["all", "some", "first", "none"]))
        field = _field(made, kinds[number % len(kinds)], shown, 0.0, 0.0, source)
        terms = [str(source.choice(["start", "random:2"])) for _ in made.pairings]
        met_by = zip(field.view.standings.meetings, terms, strict=True)
        sources = [Source(one, 1, 0, "nim:3,2", openings, 0, (0, 0), (), ()) for one, openings in met_by]
        saved = SavedMeetings(made.agents, tuple(sources))
        repeats = tuple((int(n), int(source.integers(1, 4))) for n in range(int(source.integers(0, 6))))
        parts: Any = [Part(SimpleNamespace(id=7), saved.played, repeats), Part(SimpleNamespace(id=8), 0)]  # type: ignore[arg-type]
        anchor = Anchor(int(source.choice(sorted(field.group))), 50.0) if field.group and number % 2 else None
        pool = rated(Gathered(saved, tuple(parts)), anchor)
        names, tallies = field.names, field.of_agents
        unrated = [row.entrant for row in pool.rows if isnan(row.rating.elo)]
        assert sorted(unrated) == sorted(set(range(len(names))) - field.group)

        def anchored(
            match: re.Match[str], anchor: Anchor | None = anchor, tallies: Any = tallies, names: Any = names
        ) -> None:
            assert anchor is not None and match[1] == names[anchor.agent]
            counts = tallies[anchor.agent]
            assert facts.all_games(match[3]) == counts.games == (counts.won if match[2] == "won" else counts.lost)
            assert match[4] == ("below" if match[2] == "won" else "above")

        def zero(match: re.Match[str], anchor: Anchor | None = anchor, names: Any = names) -> None:
            assert (match[1] is None) == (anchor is None)
            assert anchor is None or (match[1], real(match[2])) == (names[anchor.agent], anchor.elo)

        def without(match: re.Match[str], unrated: Any = unrated, names: Any = names) -> None:
            named(match[1], [names[at] for at in unrated])

        def repeated(match: re.Match[str], repeats: Any = repeats) -> None:
            assert (whole(match[3]), games(match[1])) in repeats and (match[2] == "is") == (match[1] == "1 game")

        def further(match: re.Match[str], repeats: Any = repeats) -> None:
            assert games(match[1]) == sum(many for _, many in repeats[3:]) > 0

        forms: Checks = [
            *facts.rating_forms(field, pool.ratings, None if anchor is None else anchor.agent),
            (r"Elo: (?:above the mean of the agents|counted from (.+) = (.+))\. The difference .* they score\.", zero),
            (r"LOS: probability that an agent is stronger than the next one\. .*", lambda match: None),
            (r"Crosstable: the row moves first\. .*", lambda match: None),
            (r"(.+) (won|lost) (.+): how far the others are (below|above) the anchor is uncertain\.", anchored),
            (r"No two agents met: no ratings\.", lambda match, field=field: same(len(field.group), 0)),  # type: ignore[misc]
            (r"(.+) met none of the others: no rating\.", without),
            (
                r"The pool mixes openings: each agent has one rating for all, moving first one worth\.",
                lambda match, terms=terms: same(len(set(terms)), 2),  # type: ignore[misc]
            ),
            (rf"({COUNT} games?) of tournament 7 (is|are) also in tournament (\d+): counted once\.", repeated),
            (rf"({COUNT} games?) more (?:are|is) saved twice: counted once\.", further),
            (r"Tournament 8 has no finished games\.", lambda match: None),
            (
                r"Tournament 7 has no finished games\.",
                lambda match, saved=saved, repeats=repeats: same((saved.played, repeats), (0, ())),  # type: ignore[misc]
            ),
        ]
        if anchor is None:
            forms = [form for form in forms if "above the anchor" not in form[0]]
        met |= check([line for line in standings_report.of_pool(pool) if " Elo." not in line or "±" in line], forms)
        head = re.fullmatch(
            rf"pool of 2 tournaments \(7, 8\), (\d+) agents, ({COUNT} games?)", standings_report.kind_text(pool)
        )
        assert head is not None and int(head[1]) == len(names) and games(head[2]) == saved.played
    assert len(met) > 12


# Agents on one position.


@cache
def wins(rows: tuple[int, ...]) -> bool:
    """Return whether the player to move wins, the last match winning: by plain search."""
    return any(not wins((*rows[:at], rest, *rows[at + 1 :])) for at, row in enumerate(rows) for rest in range(row))


def test_what_is_said_of_agents_on_one_position_is_true() -> None:
    source, met = np.random.default_rng(4), set[str]()
    for number in range(400):
        rows = tuple(source.integers(0, 4, 3).tolist())
        if not any(rows):
            continue
        game = parse_game(f"nim:{','.join(str(row) for row in rows if row)}")
        state = game.new()
        moves = base.legal_moves(state)
        right = []
        for move in moves:
            after = base.copy(state)
            base.play(after, move)
            if not wins(tuple(after.board.tolist()[: sum(map(bool, rows))])):
                right.append(move)
        names = {game.move_name(move, state): move for move in moves}
        chosen = [
            None if source.random() < 0.2 else int(source.choice(moves)) for _ in range(int(source.integers(1, 5)))
        ]
        columns = tuple(Column(f"agent {at}", move=move) for at, move in enumerate(chosen))
        found = Comparison(game, state, columns, known_moves(game, state) if number % 4 else None)
        answers = [move for move in chosen if move is not None]

        def agree(match: re.Match[str], names: Any = names, chosen: Any = chosen) -> None:
            assert {move for move in chosen if move is not None} == {names[match[2]]}
            assert bool(match[1]) == (None in chosen)

        def disagree(match: re.Match[str], names: Any = names, chosen: Any = chosen) -> None:
            said = {}
            for who, name in re.findall(r"((?:\d, )*(?:\d and )?\d) plays? ([^,]+)", match[1]):
                said |= {int(at): names[name] for at in re.findall(r"\d", who)}
            assert said == {at + 1: move for at, move in enumerate(chosen) if move is not None}

        def several(match: re.Match[str], names: Any = names, right: Any = right) -> None:
            assert {names[name] for name in match[1].split(", ")} == set(right) and len(right) > 1

        def all_alike(match: re.Match[str], moves: Any = moves, right: Any = right) -> None:
            assert len(right) == (len(moves) if match[1] == "wins" else 0)

        met |= check(
            filter(None, (agreement_text(found), best_text(found))),
            [
                (r"All( with an answer)? play (.+)\.", agree),
                (r"They disagree: (.+)\.", disagree),
                (r"Best: (.+) \(win\)\.", several),
                (r"Only (.+) wins\.", lambda match, names=names, right=right: same([names[match[1]]], right)),  # type: ignore[misc]
                (r"Every move (wins|loses): no mistake is possible\.", all_alike),
            ],
        )
        assert bool(agreement_text(found)) == (len(answers) > 1) and bool(best_text(found)) == (number % 4 > 0)
        for column in columns:
            text = verdict_text(found, column)
            if column.move is None or not number % 4:
                assert text == ""
            elif not right or len(right) == len(moves):
                assert text == f"every move {'wins' if right else 'loses'}"
            else:
                assert text == "right" if column.move in right else re.fullmatch(r"mistake: loses in \d+", text)
    assert len(met) == 5


def test_when_an_agent_settles_is_when_it_stays() -> None:
    source, game = np.random.default_rng(5), parse_game("nim:3,2")
    state = game.new()
    moves = base.legal_moves(state)
    names = {game.move_name(move, state): move for move in moves}
    found = Comparison(game, state, (), known_moves(game, state))
    for _ in range(500):
        steps = tuple(
            Step(effort, int(source.choice(moves[:3]))) for effort in (1, 2, 5, 10)[: int(source.integers(1, 5))]
        )
        text = settled_text(found, Curve("agent", "simulations", steps))
        match = re.fullmatch(
            r"Plays (.+?) (?:after (\d+) simulations?, the last step|from (\d+) simulations? on)(: a mistake)?\."
            r"(?: Right from (\d+) simulations? on\.)?",
            text,
        )
        assert match is not None, text
        since = int(match[2] or match[3])
        assert all(step.move == names[match[1]] for step in steps if step.effort >= since)
        before = [step for step in steps if step.effort < since]
        assert not before or before[-1].move != names[match[1]]
        assert bool(match[2]) == (since == steps[-1].effort and len(steps) > 1)
        after = base.copy(state)
        base.play(after, steps[-1].move)
        assert bool(match[4]) == wins(tuple(after.board.tolist()[:2]))


# A sweep.


def test_the_best_cell_of_a_sweep_is_the_best() -> None:
    source = np.random.default_rng(3)
    for _ in range(2000):
        repeats = int(source.integers(1, 6))
        made = sweep_plan(parse_game("nim:2,1"), "quality", ["margin=50,70,90"], repeats, 500, 1)
        cells = []
        for setting in made.settings:
            seeds = repeats if source.random() < 0.8 else int(source.integers(0, repeats + 1))
            runs = []
            for seed in range(seeds):
                needed = None if source.random() < 0.4 else int(source.choice([40, 70, 90, 7224]))
                runs.append((seed, Needed(needed, needed, 500, float(source.choice([0.5, 0.75, 1.0])), 1.0)))
            cells.append(Cell(setting, tuple(runs)))
        done = [cell for cell in cells if len(cell.runs) == repeats]
        so_far = " so far" if len(done) < len(cells) else ""
        for unit in Unit:
            text = best(cells, made, unit, "See the accuracy.")
            never = 10**9
            values = {
                cell.setting.params["margin"]: median(
                    [run.accuracy if unit is Unit.SHARE else run.perfect or never for _, run in cell.runs]
                )
                for cell in done
            }
            if unit is Unit.GAMES:
                values = {margin: value for margin, value in values.items() if value < never / 2}
            if not values:
                assert (
                    text == ""
                    if not done
                    else text == f"No cell became perfect with most of its seeds{so_far}. See the accuracy."
                )
                continue
            match = re.fullmatch(
                rf"(?:(Most accurate|Quickest|Quickest median)( so far)?: )margin (\d+)(?: and (\d) other cells?)?,"
                rf" (?:with ({NUMBER}) %|perfect after ({COUNT}(?:\.5)?) games|({COUNT}) games)"
                rf"(?: \(median of ({COUNT}) seeds\))?\."
                r"(?: Of (\d) seeds?, (\d) got there\.)?",
                text,
            )
            assert match is not None and (match[2] or "") == so_far, text
            value = (max if unit is Unit.SHARE else min)(values.values())
            assert values[int(match[3])] == value, "the best"
            one = next(cell for cell in done if cell.setting.params["margin"] == int(match[3]))
            there = [run.perfect for _, run in one.runs if run.perfect is not None]
            if unit is Unit.SHARE:
                assert float(match[5]) == pytest.approx(100 * value) and match[9] is None
            else:
                assert abs(whole((match[6] or match[7]).split(".")[0]) - value) <= 0.5
                assert (match[10] is None) == (len(there) == repeats), "who never got there is counted"
                assert match[10] is None or (int(match[9]), int(match[10])) == (repeats, len(there))
                assert (match[1] == "Quickest median") == (len(there) < repeats)
            assert match[8] is None or int(match[8]) == repeats > 1
            assert int(match[4] or 0) < sum(known == value for known in values.values())

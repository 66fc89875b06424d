"""What a search tells: the same figures as text at every width, in its document and to a screen reader."""

from __future__ import annotations

import re
from typing import Any

import pytest

from nimtui.games import parse_game
from nimtui.games.place import Place
from nimtui.report.cells import cells, spoken
from nimtui.report.document import document
from nimtui.report.lines import plain_text
from nimtui.theory.answers import known_moves
from nimtui.trees import parse, search_of
from nimtui.trees.report import searched

DECIDED, WON = 900_000, 1_000_000
SEARCHES = ("minimax:depth=3", "alphabeta:depth=-1", "alphabeta:depth=5,table=4096", "mcts:simulations=60,proven=yes")


def run(name: str, *algorithms: str) -> tuple[Place, Any]:
    game = parse_game(name)
    place = Place(game, game.new(), None)
    results = [search_of(game, place.state, parse(algorithm), record=False).run().result for algorithm in algorithms]
    return place, searched(place, results, known_moves(game, place.state), len(algorithms) > 1)


def lines(report: Any, columns: int | None = None) -> list[str]:
    return [plain_text(line).rstrip() for line in cells(report, columns)]


def written(value: float, mean: bool) -> str:
    """A value as a person reads it, worked out here."""
    if not mean and abs(value) > DECIDED:
        return f"{'wins' if value > 0 else 'loses'} in {WON - abs(value)}"
    digits = f"{value:+.3f}" if mean else f"{value:+,}"
    return (digits if any(digit in digits for digit in "123456789") else digits[1:]).replace("-", "−")


@pytest.mark.parametrize("algorithm", SEARCHES)
@pytest.mark.parametrize("name", ["nim:1,2", "noughts:3x2x2"])
def test_each_move_has_the_figures_of_the_document(name: str, algorithm: str) -> None:
    _, report = run(name, algorithm)
    keys, text, mean = document(report), lines(report), algorithm.startswith("mcts")
    rows = {line.split()[0]: line for line in text[text.index("") + 1 :] if line}
    for row in keys["moves"]:
        shown = rows[row["move"]]
        assert ("plays" in shown) == (row["move"] == keys["best_move"])
        if row["value"] is not None and not (mean and (row["mean"] is None or row.get("proven") is not None)):
            assert re.search(rf"(^|\s){re.escape(written(row['value'], mean))}\s", shown)
        assert f"{row['visits' if mean else 'nodes']:,}" in shown.split()
        every = all(other["optimal"] for other in keys["moves"])
        assert shown.endswith("all equal" if every else "best" if row["optimal"] else "mistake")
    figures = dict(line.split()[:2] for line in text if line[:1].isalpha() and len(line.split()) > 1)
    assert figures["nodes"] == f"{keys['nodes']:,}" and figures["leaves"] == f"{keys['leaves']:,}"
    said = list(spoken(report))
    assert all(
        any(sentence.removeprefix("column ").startswith(f"{row['move']}: ") for sentence in said)
        for row in keys["moves"]
    )


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_several_searches_fit_every_width_and_lose_no_number(columns: int) -> None:
    _, report = run("nim:1,2,3,4", "minimax:depth=3", "alphabeta:depth=4,order=killer", "mcts:simulations=100")
    whole, shown = lines(report), lines(report, columns)
    assert all(len(line) <= columns for line in shown)
    numbers = {word for line in whole for word in re.findall(r"[\d,.]*\d", line)}
    assert numbers <= {word for line in shown for word in re.findall(r"[\d,.]*\d", line)}


def test_a_search_without_a_move_says_that_it_was_stopped() -> None:
    game = parse_game("connect4")
    place = Place(game, game.new(), None)
    search = search_of(game, place.state, parse("alphabeta:depth=8"), record=False)
    report = searched(place, [search.result], None)
    assert document(report)["best_move"] is None and document(report)["truth"] is None
    assert lines(report)[-1] == "stopped before the first move was searched"

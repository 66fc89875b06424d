"""Equal faults are counted together, and none is lost."""

from __future__ import annotations

from collections import Counter
from random import Random

from nimtui.arena.standings.ledger import MOST_KINDS, EqualFaults, joined, lines


def test_thirty_equal_faults_are_one_line() -> None:
    found = joined((), (EqualFaults("a raised ValueError: no", 1, f"a – b, game {game}") for game in range(1, 31)))
    assert lines(found, 20) == ["lost by a fault in 30 games: a raised ValueError: no"]
    one = joined(found, [EqualFaults("a played 9, which is not legal", 1, "a – b, game 31")])
    assert lines(one, 20)[1:] == ["a – b, game 31: a played 9, which is not legal"]


def test_the_counts_are_those_of_the_texts_in_any_order_of_arrival() -> None:
    random = Random(5)
    texts = [f"fault {random.randrange(12)}" for _ in range(500)]
    whole = joined((), (EqualFaults(text, 1, "x") for text in texts))
    halves = joined(joined((), (EqualFaults(text, 1, "x") for text in texts[250:])), joined((), whole[:0]))
    halves = joined(halves, (EqualFaults(text, 1, "x") for text in texts[:250]))
    assert {each.text: each.games for each in whole} == Counter(texts)
    assert whole == halves
    assert [each.games for each in whole] == sorted((each.games for each in whole), reverse=True)


def test_what_does_not_fit_is_counted() -> None:
    found = joined((), (EqualFaults(f"fault {at}", 2, "x") for at in range(MOST_KINDS + 50)))
    assert sum(each.games for each in found) == 2 * (MOST_KINDS + 50) and len(found) == MOST_KINDS + 1
    said = lines(found, 5)
    assert len(said) == 5
    shown = [each.games for each in found[:4]]
    assert said[-1] == f"other faults in {2 * (MOST_KINDS + 50) - sum(shown)} games"

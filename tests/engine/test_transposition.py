"""The transposition table: what is stored is returned, bounds answer where they may, won games count their plies."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nimtui.engine import alpha_beta
from nimtui.engine.alpha_beta import NOTHING, TO_THE_END, answer, keep, remembered, slot_of, used
from nimtui.engine.windows import DECIDED, INFINITY, WIN, slots
from nimtui.games.bits import ones

WIDE = (-INFINITY, INFINITY)


def ask(given: tuple[int, ...], asked: tuple[int, ...], key: int = 12345) -> tuple[int, bool]:
    """What a table with one entry answers: (depth, α, β, later, value, guessed, move) given, (depth, α, β, later)."""
    table = alpha_beta.table(16)
    keep(table, key, *given[:5], given[5] > 0, given[6])
    assert used(table) == (key >= 0) and remembered(table, key) == (given[6] if key >= 0 else -1)
    assert remembered(table, key + 1) == -1 and answer(table, key + 1, *asked) == (NOTHING, False)
    value, guessed = answer(table, key, *asked)
    return int(value), bool(guessed)


def test_an_exact_value_answers_any_window_of_its_depth() -> None:
    exact = (3, *WIDE, 0, 17, 1, 2)
    assert ask(exact, (3, 40, 50, 0)) == (17, True)
    for depth in (2, 4):  # guessed: another depth guesses otherwise
        assert ask(exact, (depth, 40, 50, 0)) == (NOTHING, False)


def test_games_seen_to_their_end_answer_deeper_searches_too() -> None:
    seen = (3, *WIDE, 0, 0, 0, 2)
    assert [ask(seen, (depth, *WIDE, 0)) for depth in (2, 3, 5)] == [(NOTHING, False), (0, False), (0, False)]
    assert ask((TO_THE_END, *WIDE, 0, 0, 0, 2), (TO_THE_END, *WIDE, 0)) == (0, False)


def test_bounds_answer_only_outside_the_window() -> None:
    for entry, answered, unanswered in (
        ((2, 0, 5, 0, 9, 1, 1), (0, 9), (0, 10)),  # at least 9
        ((2, 0, 9, 0, 9, 1, 1), (0, 9), (0, 10)),
        ((2, 4, 8, 0, 3, 1, 1), (3, 9), (2, 9)),  # at most 3
        ((2, 3, 8, 0, 3, 1, 1), (3, 9), (2, 9)),
    ):
        assert ask(entry, (2, *answered, 0)) == (entry[4], True)
        assert ask(entry, (2, *unanswered, 0)) == (NOTHING, False)


def test_a_decided_value_counts_its_plies_from_the_position() -> None:
    # Won 3 plies on, met at ply 4: worth WIN − 7 there, WIN − 5 where it comes up at ply 2.
    assert ask((9, *WIDE, 4, WIN - 7, 0, 1), (9, *WIDE, 2)) == (WIN - 5, False)
    assert ask((9, *WIDE, 4, 7 - WIN, 0, 1), (9, *WIDE, 2)) == (5 - WIN, False)
    for value in (DECIDED, -DECIDED):  # a heuristic value, the same at every ply
        assert ask((9, *WIDE, 4, value, 0, 1), (9, *WIDE, 2)) == (value, False)
    assert ask((9, *WIDE, 0, 5, 0, 1), (9, *WIDE, 0), key=-1) == (NOTHING, False), "positions without a number"


@given(st.integers(0, 2**63 - 1), st.integers(0, 12))
def test_every_key_has_a_slot_and_every_bit_is_counted(key: int, power: int) -> None:
    assert 0 <= slot_of(alpha_beta.table(1 << power), key) < 1 << power
    assert ones(key) == key.bit_count()


def test_sizes_are_the_next_power_of_two_and_neighbours_are_spread() -> None:
    assert [slots(entries) for entries in (0, 1, 2, 3, 4, 5, 1 << 20, (1 << 20) + 1)] == [
        1,
        1,
        2,
        4,
        4,
        8,
        1 << 20,
        1 << 21,
    ]
    table = alpha_beta.table(800)
    assert len({slot_of(table, key) for key in range(800)}) > 0.55 * 800
    keys = [0, 1, 12_345, 1 << 31, (1 << 62) + 5]
    assert [int(slot_of(table, key)) for key in keys] == [0, 819, 302, 1, 396]

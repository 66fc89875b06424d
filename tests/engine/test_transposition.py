"""The transposition table: what is kept is found, bounds answer where they may, decided values move with the ply."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nimtui.engine import transposition
from nimtui.engine.jit import kernel
from nimtui.engine.transposition import NOTHING, TO_THE_END, Table, answer, keep, remembered, slot_of
from nimtui.engine.windows import INFINITY, WIN, slots
from nimtui.games import parse_game
from nimtui.games.bits import ones


@kernel
def kept_and_asked(table: Table, key: int, given, asked):  # type: ignore[no-untyped-def]
    keep(table, key, given[0], given[1], given[2], given[3], given[4], given[5] > 0, given[6])
    return answer(table, key, asked[0], asked[1], asked[2], asked[3]), remembered(table, key)


def ask(given: tuple[int, ...], asked: tuple[int, ...], key: int = 12345) -> int:
    compiled = kept_and_asked(transposition.table(16), key, given, asked)
    assert compiled == kept_and_asked.py_func(transposition.table(16), key, given, asked)
    return int(compiled[0][0])


WIDE = (-INFINITY, INFINITY)


def test_an_exact_value_answers_any_window_of_its_depth() -> None:
    assert ask((3, *WIDE, 0, 17, 1, 2), (3, 40, 50, 0)) == 17
    assert ask((3, *WIDE, 0, 17, 1, 2), (2, 40, 50, 0)) == NOTHING  # guessed: another depth guesses otherwise
    assert ask((3, *WIDE, 0, 17, 1, 2), (4, 40, 50, 0)) == NOTHING


def test_games_seen_to_their_end_answer_deeper_searches_too() -> None:
    assert ask((3, *WIDE, 0, 0, 0, 2), (5, *WIDE, 0)) == 0
    assert ask((3, *WIDE, 0, 0, 0, 2), (2, *WIDE, 0)) == NOTHING
    assert ask((TO_THE_END, *WIDE, 0, 0, 0, 2), (TO_THE_END, *WIDE, 0)) == 0


def test_bounds_answer_only_outside_the_window() -> None:
    at_least_9 = (2, 0, 5, 0, 9, 1, 1)
    assert ask(at_least_9, (2, 0, 9, 0)) == 9
    assert ask(at_least_9, (2, 0, 10, 0)) == NOTHING
    at_most_3 = (2, 4, 8, 0, 3, 1, 1)
    assert ask(at_most_3, (2, 3, 9, 0)) == 3
    assert ask(at_most_3, (2, 2, 9, 0)) == NOTHING


def test_a_win_counts_its_plies_from_the_position() -> None:
    # Won 3 plies on, found at ply 4: worth WIN − 7 there, WIN − 5 where it comes up at ply 2.
    assert ask((9, *WIDE, 4, WIN - 7, 0, 1), (9, *WIDE, 2)) == WIN - 5
    assert ask((9, *WIDE, 4, 7 - WIN, 0, 1), (9, *WIDE, 2)) == 5 - WIN


def test_positions_without_a_number_are_not_kept() -> None:
    assert ask((9, *WIDE, 0, 5, 0, 1), (9, *WIDE, 0), key=-1) == NOTHING


@given(st.integers(0, 2**63 - 1), st.integers(0, 12))
def test_every_key_has_a_slot(key: int, power: int) -> None:
    table = transposition.table(1 << power)
    assert 0 <= slot_of(table, key) < 1 << power


@given(st.integers(1, 1 << 28))
def test_sizes_are_the_next_power_of_two(entries: int) -> None:
    n = slots(entries)
    assert n >= entries and n & (n - 1) == 0 and n < 2 * entries


@given(st.integers(0, 2**63 - 1))
def test_ones_are_counted(bits: int) -> None:
    assert ones(bits) == bits.bit_count()


def test_neighbouring_positions_do_not_meet_in_one_slot() -> None:
    game = parse_game("nim:3,4,5,6")
    table = transposition.table(game.positions)
    used = {slot_of(table, key) for key in range(game.positions)}
    assert len(used) > 0.55 * game.positions

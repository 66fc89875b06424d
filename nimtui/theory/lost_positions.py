"""Say why a lost position of matches is lost: which claim holds for the player who faces it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from nimtui.games.adjacent import Adjacent
from nimtui.games.heaps import Heaps, rows_of
from nimtui.theory import adjacent, heaps, nim
from nimtui.theory.claims import Claim, Mirrored, Multiples, Paired, Series, Singles


def of_heaps(state: Heaps) -> Claim:
    """Return the claim of a lost position of a heap game with matches left."""
    rows, misere = [row for row in rows_of(state) if row], bool(state.misere)
    step = int(state.limit) + 1
    if len(state.start) == 1 and max(rows) >= step:
        return Series(int(misere), step, rows[0], misere)
    values = [row for row in heaps.values_of(state) if row]
    modulus = step if max(rows) >= step else None
    if misere and not nim.large(values):
        return Singles(len(values), "row", modulus)
    if not misere and not values:
        return Multiples(step)
    if not misere and (pairs := _pairs(rows)):
        return Mirrored(pairs, "row")
    return Paired(powers(values), "row", modulus, misere=misere)


def of_runs(state: Adjacent) -> Claim | None:
    """Return the claim of a lost position of neighbours with matches left; None where no formula decides."""
    runs, misere = adjacent.runs_of(state), bool(state.misere)
    if not adjacent.has_rule(state, runs):
        return None
    table = adjacent.values_for(state, runs)
    lengths = [run.length for run in runs]
    values = [table[length] for length in lengths]
    if misere and not nim.large(values):
        return Singles(len(values), "run")
    if not misere and (pairs := _pairs(lengths)):
        return Mirrored(pairs, "run")
    counts = tuple((length, table[length]) for length in sorted(set(lengths)) if table[length] != length)
    return Paired(powers(values), "run", counts=counts, misere=misere)


def powers(values: Iterable[int]) -> tuple[int, ...]:
    """Return the powers of 2 that occur in the binary digits of the values, the largest first."""
    present = 0
    for value in values:
        present |= value
    return tuple(1 << bit for bit in range(present.bit_length() - 1, -1, -1) if present >> bit & 1)


def _pairs(sizes: list[int]) -> tuple[int, ...]:
    """Return one size of each pair of equal ones, the largest first; () if one has no partner."""
    counted = Counter(sizes)
    if any(number % 2 for number in counted.values()):
        return ()
    return tuple(sorted((size for size, number in counted.items() for _ in range(number // 2)), reverse=True))

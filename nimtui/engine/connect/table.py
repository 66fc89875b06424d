"""The transposition table: bounds of scores by position, in one word of 64 bits each.

    62 …                               19   18 … 14   13 … 7   6 … 0
    the rest of the position's number       work      upper    lower

A position's number has one bit for each bit of the board. Multiplying by an odd number, modulo a power of two, only
shuffles these numbers; the top bits of the product choose the bucket, and the rest identifies the position there,
without any risk of confusion. A bound b is stored as b + BIAS; 0 is no bound. `work` is the logarithm of the nodes that
were searched for the entry.

A bucket has two words. A new entry replaces the one with less work; two old entries with much work lose some of it each
time, so that they do not stay for ever. One word is read and written at once, so threads may share a table: at worst an
entry is lost.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from nimtui.engine.connect.board import Board
from nimtui.engine.jit import helper

Words = npt.NDArray[np.int64]

ODD = 0x1E3779B97F4A7C15  # from the golden ratio
WAYS = 2  # words in a bucket
BIAS = 33  # more than the largest score on 63 cells
BOUND, WORK = 7, 5  # bits of a bound and of the work
NOTES = 2 * BOUND + WORK  # bits beside the rest of the position's number
MOST_REST = 63 - NOTES  # bits of that rest
MOST_WORK = (1 << WORK) - 1
AGES = 3  # entries with more work than this age when they are passed over


class Table(NamedTuple):
    """The words, and how a position finds its bucket."""

    words: Words
    mask: int  # all bits of a position's number
    rest: int  # how many bits identify a position in its bucket


def table(size_bytes: int, board: Board) -> Table:
    """Return an empty table of at most so many bytes, but of at least the least size for this board."""
    bits = board.columns * (board.rows + 1)
    buckets = max(1, bits - MOST_REST, (size_bytes // (8 * WAYS)).bit_length() - 1)  # the logarithm
    buckets = min(buckets, bits)
    return Table(np.zeros(WAYS << buckets, np.int64), (1 << bits) - 1, bits - buckets)


@helper
def key_of(mine: int, discs: int, board: Board, mirrored: bool) -> int:
    """Return the number of a position, different for different positions.

    If `mirrored`, a position and its mirror image have the same number. `mine + discs` has in each column the discs of
    the player to move, as bits, below a 1 and the cells above it as 0, so that no sum runs over into the next column.
    """
    key = mine + discs
    if mirrored:
        height = board.rows + 1
        rest, turned = key, 0
        for _ in range(board.columns):
            turned = (turned << height) | (rest & board.column)
            rest >>= height
        key = min(key, turned)
    return key


@helper
def mixed(key: int, table: Table) -> int:
    """Shuffle the numbers of all positions: the top bits choose the bucket, the rest identifies the position there."""
    return (int(key) * ODD) & table.mask


@helper
def ask(table: Table, key: int) -> int:
    """Return what is known about a position, for `upper_of` and `lower_of`; 0 for nothing."""
    shuffled = mixed(key, table)
    place = (shuffled >> table.rest) * WAYS
    rest = shuffled & ((1 << table.rest) - 1)
    for way in range(WAYS):
        word = table.words[place + way]
        if word >> NOTES == rest:  # or it is empty and answers 0: words fill from the first
            return word
    return 0


@helper
def upper_of(word: int, otherwise: int) -> int:
    """Return the upper bound in a word, or another number if it has none."""
    bound = (word >> BOUND) & ((1 << BOUND) - 1)
    return bound - BIAS if bound else otherwise


@helper
def lower_of(word: int, otherwise: int) -> int:
    """Return the lower bound in a word, or another number if it has none."""
    bound = word & ((1 << BOUND) - 1)
    return bound - BIAS if bound else otherwise


@helper
def keep(table: Table, key: int, value: int, is_lower: bool, nodes: int) -> None:
    """Store a bound of a position, found by searching so many nodes."""
    work = 0
    while nodes and work < MOST_WORK:
        nodes >>= 1
        work += 1
    shuffled = mixed(key, table)
    place = (shuffled >> table.rest) * WAYS
    rest = shuffled & ((1 << table.rest) - 1)
    best = place
    least = 99
    old = 0
    for way in range(WAYS):
        word = table.words[place + way]
        worth = (word >> 2 * BOUND) & MOST_WORK
        if word == 0:
            worth = -1
        elif word >> NOTES == rest:
            worth = -2
            old = word
        if worth < least:
            best, least = place + way, worth
    if least > AGES:
        for way in range(WAYS):
            word = table.words[place + way]  # another thread may just have stored a new one
            if (word >> 2 * BOUND) & MOST_WORK:
                table.words[place + way] = word - (1 << 2 * BOUND)
    bounds = value + BIAS if is_lower else (value + BIAS) << BOUND
    if old:  # keep the other bound
        bounds |= old & (((1 << BOUND) - 1) << BOUND if is_lower else (1 << BOUND) - 1)
    table.words[best] = (rest << NOTES) | (work << 2 * BOUND) | bounds


@helper
def fetch(table: Table, key: int) -> None:
    """Let the processor load a position's bucket, which takes some hundred cycles, while other work goes on."""
    prefetch(table.words, (mixed(key, table) >> table.rest) * WAYS)


def prefetch(words: Words, place: int) -> None:
    """Do nothing: only compiled code can prefetch."""


@overload(prefetch)
def _prefetch(words: Any, place: Any) -> Any:
    def implementation(words: Any, place: Any) -> Any:
        return _prefetched(words, place)  # type: ignore[call-arg]  # Numba passes the first argument itself

    return implementation


@intrinsic
def _prefetched(typing: Any, words: Any, place: Any) -> Any:
    """Emit LLVM's prefetch for reading, into all caches."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte, i32 = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, i32, i32, i32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        address = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
        builder.call(function, [address, i32(0), i32(3), i32(1)])
        return context.get_dummy_value()

    return types.void(words, place), code

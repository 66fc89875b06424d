"""Compute misère quotients of games on heaps: T. Plambeck and A. Siegel, "Misère quotients for impartial games" (2008).

The sums of all heaps up to N are words in a commutative monoid. Two words are one element of the quotient if no third
word tells them apart: added to both, it always leaves the same outcome. Finitely many elements decide all sums.

A candidate comes from words in a few heaps, the generators, whose exponents repeat from some number on; the coarsest
partition of these words that respects outcomes and sums has the elements (E. F. Moore's refinement). Nothing of this
has to be right, because the candidate is verified for all sums: see `_fault`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from math import prod

import numpy as np
import numpy.typing as npt

from nimtui.games.octal import Rule
from nimtui.progress import SILENT, Progress

MOST_ELEMENTS = 200
MOST_WORDS = 60_000  # of a candidate
FEW_WORDS = 4_000  # where somebody waits: a third of a second if the quotient does not close
WORDS_PER_KIND = 4  # the verification may meet so many times fewer kinds of sums than a candidate has words
MARGINS = (1, 2, 3, 5)  # tried in turn: powers of a generator beyond those that should repeat

Word = tuple[int, ...]  # exponents of the generators
Flags = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Quotient:
    """The misère quotient of all sums of heaps up to `to`, verified if it is closed."""

    to: int
    closed: bool
    bound: str = ""  # why it is not closed
    generators: tuple[int, ...] = ()  # the heaps that bring them in; the letters are a, b, c …
    words: tuple[Word, ...] = ()  # element -> its first word, the identity first
    times: Labels = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # [element, element]: their product
    lost_elements: frozenset[int] = frozenset()  # the P-portion
    heaps: tuple[int, ...] = ()  # heap -> its element
    leaves: tuple[frozenset[int], ...] = ()  # heap -> the elements that its moves leave

    @property
    def order(self) -> int:
        return len(self.words)

    @property
    def is_lost(self) -> Flags:
        """[element]: is it in the P-portion?"""
        return np.isin(np.arange(self.order), list(self.lost_elements))

    def of(self, heaps: Iterable[int]) -> int:
        """Return the element of a sum of heaps."""
        at = 0
        for heap in heaps:
            at = int(self.times[at, self.heaps[heap]])
        return at

    def left_by(self, rule: Rule, heap: int) -> frozenset[int]:
        """Return the elements that the moves of a heap leave, all smaller heaps of which are known."""
        return frozenset(int(self.times[self.heaps[small], self.heaps[rest]]) for _, small, rest in rule.options(heap))

    def lost(self, heaps: Iterable[int]) -> bool:
        """Return whether the player to move loses this sum of heaps in misère play."""
        return self.of(heaps) in self.lost_elements

    def name(self, element: int) -> str:
        return word_name(self.words[element])

    def element(self, heaps: Iterable[int]) -> str:
        """Return the name of the element of a sum of heaps: 'ab^2'."""
        return self.name(self.of(heaps))

    def sum_of(self, element: int) -> tuple[int, ...]:
        """Return the generators whose sum is this element."""
        word = self.words[element]
        return tuple(heap for heap, power in zip(self.generators, word, strict=True) for _ in range(power))

    def repeats(self, element: int) -> int:
        """Return the first power of an element that a higher one equals; 0 for a unit."""
        powers = [0]
        while (power := int(self.times[powers[-1], element])) not in powers:
            powers.append(power)
        return powers.index(power)

    @property
    def p_portion(self) -> tuple[str, ...]:
        """The names of the elements whose sums the player to move loses."""
        return tuple(self.name(element) for element in sorted(self.lost_elements))

    @property
    def presentation(self) -> tuple[str, ...]:
        """Relations that define the quotient: each word with no smaller one, whose parts are all elements' names."""
        names, relations = set(self.words), []
        unit = [tuple(int(at == i) for at in range(len(self.generators))) for i in range(len(self.generators))]
        beyond = {tuple(map(sum, zip(word, one, strict=True))) for word in self.words for one in unit} - names
        for word in sorted(beyond, key=_order):
            parts = [tuple(a - b for a, b in zip(word, one, strict=True)) for one in unit]
            if all(part in names for part in parts if min(part) >= 0):
                relations.append(f"{word_name(word)}={self.name(self._at(word))}")
        return tuple(relations)

    def _at(self, word: Word) -> int:
        return self.of(heap for heap, power in zip(self.generators, word, strict=True) for _ in range(power))

    @property
    def tame(self) -> bool:
        """Whether the quotient is one of Nim: of order 1, 2, or 2^n + 2 with all but 1 and a in a group."""
        size, lost = self.order - 2, self.lost_elements
        if self.order <= 2:
            return True
        if size & (size - 1) or len(lost) != 2:
            return False
        units = [at for at in range(self.order) if 0 in self.times[at]]
        group = [at for at in range(self.order) if at not in units]
        squares = {int(self.times[at, at]) for at in group}
        if len(units) != 2 or len(squares) != 1:
            return False
        [one], [other] = squares, [at for at in units if at]
        same = all(self.times[at, one] == at for at in group)
        return same and lost == {one, other} and self.times[other, one] != one


def word_name(word: Word) -> str:
    """Return a word as a product: 'ab^2'; '1' if it is empty."""
    letters = zip("abcdefghijklmnopqrstuvwxyz", word, strict=False)
    return "".join(letter + (f"^{power}" if power > 1 else "") for letter, power in letters if power) or "1"


def _order(word: Word) -> tuple[int, Word]:
    """Return the place of a word among all: shorter ones first, then those with more of the first generators."""
    return sum(word), tuple(-power for power in word)


class _Candidate:
    """Words in the generators, with exponents that repeat by two from their caps on, and the words of all heaps."""

    def __init__(self, rule: Rule, caps: dict[int, int], sums: dict[int, tuple[int, ...]]) -> None:
        """`caps`: generator -> its cap. `sums`: any other heap -> the smaller generators whose sum it equals."""
        self.rule, self.sums = rule, sums
        self.generators = sorted(caps)
        self.caps = [caps[heap] for heap in self.generators]
        self.size = int(np.prod(self.caps, dtype=np.int64))
        self.strides = [int(np.prod(self.caps[:at], dtype=np.int64)) for at in range(len(caps))]
        powers = np.arange(self.size)
        self.powers = np.stack([powers // stride % cap for stride, cap in zip(self.strides, self.caps, strict=True)], 1)
        ups = [np.append(np.arange(1, cap), cap - 2) for cap in self.caps]
        self.raised = [  # generator -> place of a word -> the place of its product with the generator
            powers + (up[self.powers[:, at]] - self.powers[:, at]) * self.strides[at] for at, up in enumerate(ups)
        ]
        self.lost = self._outcomes()
        self.labels = self._refined()

    def place(self, word: Word) -> int:
        """Return the place of a word, with its exponents below the caps."""
        at = 0
        for power, cap, stride in zip(word, self.caps, self.strides, strict=False):
            at += (power if power < cap else cap - 2 + (power - cap) % 2) * stride
        return at

    def word(self, heap: int) -> Word:
        """Return the word of a heap."""
        parts = (heap,) if heap in self.generators else self.sums[heap]
        return tuple(parts.count(generator) for generator in self.generators)

    def options(self, heap: int) -> set[Word]:
        """Return the words that the moves of a heap leave."""
        return {
            tuple(map(sum, zip(self.word(small), self.word(rest), strict=True)))
            for _, small, rest in self.rule.options(heap)
        }

    def times(self, word: Word) -> Labels:
        """Return the place of the product with this word, for every place."""
        at = np.arange(self.size)
        for raised, power in zip(self.raised, word, strict=True):
            for _ in range(power):
                at = raised[at]
        return at

    def _outcomes(self) -> Flags:
        """Return which words are lost, as far as their exponents really repeat."""
        moves = [[self.times(option).tolist() for option in self.options(heap)] for heap in self.generators]
        lost = [False] * self.size
        below = [
            [(stride, targets) for power, stride, targets in zip(row, self.strides, moves, strict=True) if power]
            for row in self.powers.tolist()
        ]
        for at in range(1, self.size):
            lost[at] = not any(lost[to[at - stride]] for stride, targets in below[at] for to in targets)
        return np.array(lost)

    def _refined(self) -> Labels:
        """Return the classes of the coarsest partition that respects outcomes and products."""
        labels = self.lost.astype(np.int64)
        classes = len(np.unique(labels))
        while True:
            keys = labels
            for raised in self.raised:
                _, keys = np.unique(keys * (int(labels.max()) + 1) + labels[raised], return_inverse=True)
            number = int(keys.max()) + 1
            if number == classes:
                return keys
            labels, classes = keys, number

    def needed(self) -> list[int]:
        """Return the places of the generators without those that a sum of smaller ones, or of the rest, equals."""
        every = list(range(len(self.strides)))
        basis: list[int] = []
        for at in every:
            if not self._is_sum(at, basis):
                basis.append(at)
        for at in basis.copy():
            if self._is_sum(at, rest := [other for other in basis if other != at]):
                basis = rest
        return basis

    def _is_sum(self, at: int, of: list[int]) -> bool:
        """Return whether a generator is a sum of these."""
        same = self.labels == self.labels[self.strides[at]]
        return bool((same & self._only(of)).any())

    def _only(self, basis: list[int]) -> Flags:
        """Return which words have no other generators than these."""
        others = [other for other in range(len(self.strides)) if other not in basis]
        return np.asarray(self.powers[:, others].sum(axis=1) == 0)

    def quotient(self, to: int) -> Quotient:
        """Return the quotient of these classes, not verified."""
        basis = self.needed()
        places = np.flatnonzero(self._only(basis)).tolist()
        places.sort(key=lambda at: _order(tuple(self.powers[at].tolist())))
        first: dict[int, int] = {}  # class -> its first word
        for at in places:
            first.setdefault(int(self.labels[at]), at)
        number = {label: element for element, label in enumerate(first)}
        roots = np.array(list(first.values()))
        element = np.array([number.get(int(label), -1) for label in self.labels])
        times = np.stack([element[self.times(tuple(self.powers[root].tolist()))[roots]] for root in roots])
        lost = frozenset(at for at, root in enumerate(roots) if self.lost[root])
        heaps = tuple(int(element[self.place(self.word(heap))]) for heap in range(to + 1))  # 0 is the empty sum
        words = tuple(tuple(self.powers[root, basis].tolist()) for root in roots)
        generators = tuple(self.generators[at] for at in basis)
        bare = Quotient(to, True, "", generators, words, times, lost, heaps)
        return replace(bare, leaves=tuple(bare.left_by(self.rule, heap) for heap in range(to + 1)))


def _fault(quotient: Quotient, words: int) -> str:
    """Return '' if the quotient decides all sums of its heaps, else why not.

    1. A sum in the P-portion must have no move into it: true if it holds for each heap beside each element.
    2. Any other sum, if a move is left, must have one. For this go through all sums, as pairs of their element and the
       elements that, beside them, give some move of theirs a lost sum. Of two pairs with the same element the one
       with fewer such elements stands for both, since more heaps only add to them.
    """
    times, is_lost = quotient.times, quotient.is_lost
    kinds: dict[tuple[int, bytes], Flags] = {}
    for heap, (element, options) in enumerate(zip(quotient.heaps, quotient.leaves, strict=True)):
        if not options:
            if element:
                return f"heap {heap} has no move, and is not the identity"
            continue
        winning: Flags = np.asarray(np.any(is_lost[times[sorted(options)]], axis=0))
        if (winning & is_lost[times[element]]).any():
            return f"a sum with heap {heap} is lost, and has a move to a lost sum"
        kinds.setdefault((element, winning.tobytes()), winning)
    heaps = [(element, winning) for (element, _), winning in kinds.items()]
    least: dict[int, list[Flags]] = {}
    waiting = list(heaps)
    done = 0
    while waiting:
        element, winning = waiting.pop()
        others = least.setdefault(element, [])
        if any(not (other & ~winning).any() for other in others):
            continue
        if not is_lost[element] and not winning[0]:
            return f"a sum of the element {quotient.name(element)} is won, and has no move to a lost sum"
        others[:] = [other for other in others if (winning & ~other).any()]
        others.append(winning)
        done += 1
        if done > words // WORDS_PER_KIND:
            return f"more than {words // WORDS_PER_KIND:,} kinds of sums"
        for other, more in heaps:
            waiting.append((int(times[element, other]), winning[times[other]] | more[times[element]]))
    return ""


@cache
def quotient_of(rule: Rule, to: int) -> Quotient:
    """Return the quotient of all sums of heaps up to `to`, within a third of a second or so if it does not close."""
    return quotients(rule, to, words=FEW_WORDS)[-1]


def quotients(
    rule: Rule, to: int, most: int = MOST_ELEMENTS, words: int = MOST_WORDS, progress: Progress = SILENT
) -> list[Quotient]:
    """Return the quotients of all sums of heaps up to 0, 1, … `to`, as far as they close; the last one may not.

    `most` is the largest order, `words` the most words of a candidate.
    """
    nothing = Quotient(0, True, words=((),), times=np.zeros((1, 1), np.int64), heaps=(0,), leaves=(frozenset(),))
    closed = [nothing]
    for heap in range(1, to + 1):
        progress.report(heap - 1, to, "heaps")
        closed.append(_extended(rule, closed[-1], most, words))
        if not closed[-1].closed:
            break
    return closed


def _extended(rule: Rule, before: Quotient, most: int, words: int) -> Quotient:
    """Return the quotient with one more heap: the same one, or one with a new generator, or one that is not closed."""
    heap = before.to + 1
    leaves = before.left_by(rule, heap)
    same = replace(before, to=heap, leaves=(*before.leaves, leaves))
    if leaves in before.leaves:  # as a smaller heap: no new kind of sum
        return replace(same, heaps=(*before.heaps, before.heaps[before.leaves.index(leaves)]))
    for element in _fitting(before, leaves):
        equal = replace(same, heaps=(*before.heaps, element))
        if not _fault(equal, words):
            return equal
    powers = {generator: before.repeats(before.heaps[generator]) for generator in before.generators} | {heap: 2}
    others = _others(rule, before)
    why = ""
    for apart in ((), *(others[at:] for at in range(len(others) - 1, -1, -1))):
        sums = {one: before.sum_of(at) for one, at in enumerate(before.heaps) if one not in powers and one not in apart}
        sums |= twins(rule, heap)
        for margin in MARGINS if not apart else MARGINS[:2]:
            caps = {one: power + 2 + (margin if power else margin // 2) for one, power in powers.items()}
            caps |= {one: before.repeats(before.heaps[one]) + 2 + margin for one in apart}
            if prod(caps.values()) > words:
                why = why or f"more than {words:,} words in its generators"
                break
            larger = _Candidate(rule, caps, sums).quotient(heap)
            if larger.order > most:
                why = f"more than {most:,} elements"
                break
            if not (why := _fault(larger, words)):
                return larger
    return Quotient(heap, False, why)


def _others(rule: Rule, before: Quotient) -> list[int]:
    """Return the heaps that are neither generators nor the same game as a smaller heap."""
    same = twins(rule, before.to)
    return [heap for heap in range(1, before.to + 1) if heap not in before.generators and heap not in same]


@cache
def twins(rule: Rule, to: int) -> dict[int, tuple[int, ...]]:
    """Return the heaps up to `to` that are the same game as a smaller one, each with that one; () if without moves."""
    games: dict[frozenset[tuple[int, ...]], tuple[int, ...]] = {frozenset(): ()}
    stands: dict[int, tuple[int, ...]] = {0: ()}
    for heap in range(1, to + 1):
        moves = frozenset(
            tuple(sorted((*stands.get(small, (small,)), *stands.get(rest, (rest,)))))
            for _, small, rest in rule.options(heap)
        )
        one = games.setdefault(moves, (heap,))
        if one != (heap,):
            stands[heap] = one
    return stands


def _fitting(before: Quotient, leaves: frozenset[int]) -> list[int]:
    """Return the elements that a heap with these moves may be: beside no element would it be lost with a winning move.

    A heap without moves is the identity.
    """
    if not leaves:
        return [0]
    times, is_lost = before.times, before.is_lost
    winning = is_lost[times[sorted(leaves)]].any(0)
    return [at for at in range(before.order) if not (winning & is_lost[times[at]]).any()]

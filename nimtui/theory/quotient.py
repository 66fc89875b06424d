"""Compute misère quotients of games on heaps: T. Plambeck and A. Siegel, "Misère quotients for impartial games" (2008).

The sums of all heaps up to N are words in a commutative monoid. Two words are one element of the quotient if no third
word tells them apart: added to both, it always leaves the same outcome. Finitely many elements decide all sums.

A candidate has a word for each element, and third words that tell any two of them apart. It is verified for all sums:
see `_fault`. A sum of which it is wrong gives a new third word, or shows that a heap equals its word no more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from nimtui.games.octal import Rule
from nimtui.progress import SILENT, Progress

MOST_ELEMENTS = 200
MOST_WORDS = 1_000_000  # whose outcomes are tried for a heap: some ten seconds
FEW_WORDS = 20_000  # where somebody waits: a third of a second if the quotient does not close
WORDS_PER_KIND = 4  # the verification may meet so many times fewer kinds of sums
BITS = 8  # of a word for the power of a letter
POWER = (1 << BITS) - 1  # the largest power

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
        """Whether the quotient is one of Nim: of order 1, 2, or 2^n + 2 with all but 1 and a in a group.

        All elements of this group have the same square, the 1 of the group, so they are 2^n.
        """
        if self.order <= 2:
            return True
        units = [at for at in range(self.order) if 0 in self.times[at]]
        group = [at for at in range(self.order) if at not in units]
        squares = {int(self.times[at, at]) for at in group}
        if len(units) != 2 or len(squares) != 1:
            return False
        [one], [other] = squares, [at for at in units if at]
        same = all(self.times[at, one] == at for at in group)
        return same and self.lost_elements == {one, other} and self.times[other, one] != one


def word_name(word: Word) -> str:
    """Return a word as a product: 'ab^2'; '1' if it is empty."""
    letters = zip("abcdefghijklmnopqrstuvwxyz", word, strict=False)
    return "".join(letter + (f"^{power}" if power > 1 else "") for letter, power in letters if power) or "1"


def _order(word: Word) -> tuple[int, Word]:
    """Return the place of a word among all: shorter ones first, then those with more of the first generators."""
    return sum(word), tuple(-power for power in word)


class TooMany(Exception):
    """A candidate is larger than a bound; the text says which one."""


class _Outcomes:
    """The outcomes of sums of some heaps, the letters: by trying every move, and without the newest heap as known.

    A word is a number that has eight bits for the power of each letter, the newest heap the highest ones. Any other
    heap stands for the sum of letters that it equals without the newest heap, which may be wrong beside it.
    """

    def __init__(self, rule: Rule, before: Quotient, letters: Collection[int], words: int) -> None:
        self.before, self.words, self.letters = before, words, sorted(letters)
        one = {heap: 1 << BITS * at for at, heap in enumerate(self.letters)}
        self.newest = one[before.to + 1]
        same = twins(rule, before.to + 1)
        self.word = [0]  # heap -> its word
        for heap in range(1, before.to + 2):
            if heap in one:
                self.word.append(one[heap])
            elif heap in same:
                self.word.append(sum(self.word[smaller] for smaller in same[heap]))
            else:
                self.word.append(sum(one[part] for part in before.sum_of(before.heaps[heap])))
        self.options = [
            sorted({self.word[small] + self.word[rest] for _, small, rest in rule.options(heap)})
            for heap in range(before.to + 2)
        ]
        self.moves = [[option - one[heap] for option in self.options[heap]] for heap in self.letters]
        self.pairs = sum(
            (POWER - 1) << BITS * at for at, heap in enumerate(self.letters) if self.options[heap] == [0]
        )  # two heaps of which each has one move, to nothing, cancel
        self.memo: dict[int, bool] = {}

    def lost(self, word: int) -> bool:
        """Return whether the player to move loses this word. Raises TooMany."""
        word &= ~self.pairs
        lost = self.memo.get(word)
        return self._tried(word) if lost is None else lost

    def _tried(self, word: int) -> bool:
        """Try the moves of a word, and of the words after them, until it is decided."""
        line = [(word, self._after(word))]  # of play: each word is left by a move of the one before
        lost = False
        while line:
            at, after = line[-1]
            if lost or at < self.newest:
                lost = not lost and self.before.lost(self.heaps(at))
            elif (unknown := next((each for each in after if self.memo.get(each, True)), None)) is None:
                lost = True  # a word with the newest heap, which is a generator, has a move
            elif unknown not in self.memo:
                line.append((unknown, self._after(unknown)))
                continue
            if len(self.memo) >= self.words:
                raise TooMany(f"more than {self.words:,} sums were tried")
            self.memo[at] = lost
            line.pop()
        return lost

    def _after(self, word: int) -> Iterator[int]:
        """Yield the words that the moves of a word leave, first those in its largest heaps: they are known soonest."""
        for at in reversed(range(len(self.moves))):
            if word >> BITS * at & POWER:
                for move in self.moves[at]:
                    yield word + move & ~self.pairs

    def heaps(self, word: int) -> list[int]:
        """Return the letters of a word, each as often as it has it."""
        return [heap for at, heap in enumerate(self.letters) for _ in range(word >> BITS * at & POWER)]


class _Candidate:
    """Elements, each with a word, that tests tell apart: words that, added to two elements, leave different outcomes.

    Source of the algorithm: D. Angluin, "Learning regular sets from queries and counterexamples" (1987).
    """

    def __init__(self, outcomes: _Outcomes, most: int) -> None:
        self.outcomes, self.most, self.tests = outcomes, most, [0]
        self.rows: dict[int, tuple[int, int]] = {}  # word -> its outcomes beside the first tests, and how many
        self.fill()

    def row(self, word: int) -> int:
        """Return the outcomes of a word beside each test, as bits."""
        row, done = self.rows.get(word, (0, 0))
        for at in range(done, len(self.tests)):
            row |= self.outcomes.lost(word + self.tests[at]) << at
        self.rows[word] = row, len(self.tests)
        return row

    def fill(self) -> None:
        """Find the elements and their products with each letter, until factors may stand in any order."""
        while not self._filled():
            pass

    def _filled(self) -> bool:
        """Find the elements that the tests tell apart; return False after adding a test for two orders of factors."""
        lost, letters = self.outcomes.lost, [self.outcomes.word[heap] for heap in self.outcomes.letters]
        self.roots, number = [0], {self.row(0): 0}  # element -> its word, row -> element
        self.next: list[list[int]] = []  # element, letter -> their product
        for root in self.roots:  # a list that grows
            self.next.append([])
            for letter in letters:
                word = (root + letter) & ~self.outcomes.pairs
                if (row := self.row(word)) not in number:
                    if len(self.roots) == self.most:
                        raise TooMany(f"more than {self.most:,} elements")
                    number[row] = len(self.roots)
                    self.roots.append(word)
                self.next[-1].append(number[row])
        for element, root in enumerate(self.roots):
            for one, other in combinations(range(len(letters)), 2):
                ends = [self.next[self.next[element][one]][other], self.next[self.next[element][other]][one]]
                if ends[0] != ends[1]:
                    differ = self.row(self.roots[ends[0]]) ^ self.row(self.roots[ends[1]])
                    test = self.tests[(differ & -differ).bit_length() - 1]
                    word = root + letters[one] + letters[other] + test
                    first = lost(word) != lost(self.roots[self.next[element][one]] + letters[other] + test)
                    self.tests.append(test + letters[other if first else one])
                    return False
        return True

    def learn(self, word: int) -> bool:
        """Add a test where the element of a word has another outcome than the word; return whether there is one."""
        lost, element, rest = self.outcomes.lost, 0, word
        before = lost(word)
        for heap in self.outcomes.heaps(word):
            rest -= self.outcomes.word[heap]
            element = self.next[element][self.outcomes.letters.index(heap)]
            if lost(self.roots[element] + rest) != before:
                self.tests.append(rest)
                self.fill()
                return True
        return False

    def learn_from(self, heaps: Sequence[int]) -> bool:
        """Add a test if the candidate is wrong about a sum of heaps or a move of it; return whether it is."""
        word = sum(self.outcomes.word[heap] for heap in heaps)
        moved = (word - self.outcomes.word[heap] + option for heap in heaps for option in self.outcomes.options[heap])
        return any(self.learn(each) for each in (word, *moved))

    def _reach(self, letters: Collection[int]) -> set[int]:
        """Return the elements that are products of these letters."""
        reached = [0]
        for element in reached:  # a list that grows
            reached += {self.next[element][letter] for letter in letters} - set(reached)
        return set(reached)

    def _needed(self) -> list[int]:
        """Return the letters without those that a sum of smaller ones, or of the rest, equals."""
        basis: list[int] = []
        for letter, element in enumerate(self.next[0]):
            if element not in self._reach(basis):
                basis.append(letter)
        for letter in basis.copy():
            if self.next[0][letter] in self._reach(rest := [other for other in basis if other != letter]):
                basis = rest
        return basis

    def _end(self, word: int, elements: Labels) -> Labels:
        """Return the products of these elements with a word."""
        products = np.array(self.next)
        for heap in self.outcomes.heaps(word):
            elements = products[elements, self.outcomes.letters.index(heap)]
        return elements

    def quotient(self, rule: Rule, to: int) -> Quotient:
        """Return the quotient of these elements, not verified."""
        basis = self._needed()
        words = {0: (0,) * len(basis)}  # element -> its first word
        longest = [0]
        while longest:
            longer = []
            for element in longest:
                for at, letter in enumerate(basis):
                    word = tuple(power + (at == place) for place, power in enumerate(words[element]))
                    longer.append((_order(word), self.next[element][letter], word))
            longest = []
            for _, element, word in sorted(longer):
                if element not in words:
                    words[element] = word
                    longest.append(element)
        places = np.array(list(words))
        number = np.argsort(places)
        times = np.stack([number[self._end(self.roots[element], places)] for element in words], 1)
        lost = frozenset(at for at, element in enumerate(words) if self.outcomes.lost(self.roots[element]))
        heaps = tuple(int(number[self._end(word, places[:1])[0]]) for word in self.outcomes.word)
        generators = tuple(self.outcomes.letters[letter] for letter in basis)
        bare = Quotient(to, True, "", generators, tuple(words.values()), times, lost, heaps)
        return replace(bare, leaves=tuple(bare.left_by(rule, heap) for heap in range(to + 1)))


def _fault(quotient: Quotient, most: int) -> tuple[int, ...] | None:
    """Return None if the quotient decides all sums of its heaps, else a sum of which it is wrong, or of a move of it.

    Raises TooMany after `most` kinds of sums.

    1. A sum in the P-portion must have no move into it: true if it holds for each heap beside each element.
    2. Any other sum, if a move is left, must have one. For this go through all sums, as pairs of their element and the
       elements that, beside them, give some move of theirs a lost sum. Of two pairs with the same element the one
       with fewer such elements stands for both, since more heaps only add to them.
    """
    times, is_lost = quotient.times, quotient.is_lost
    kinds: dict[tuple[int, bytes], tuple[int, int, Flags]] = {}
    for heap, (element, options) in enumerate(zip(quotient.heaps, quotient.leaves, strict=True)):
        if not options:
            if element:
                return (heap,)
            continue
        winning: Flags = np.asarray(np.any(is_lost[times[sorted(options)]], axis=0))
        if len(beside := np.flatnonzero(winning & is_lost[times[element]])):
            return (*quotient.sum_of(int(beside[0])), heap)
        kinds.setdefault((element, winning.tobytes()), (heap, element, winning))
    least: dict[int, list[Flags]] = {}
    waiting: deque[tuple[tuple[int, ...], int, Flags]] = deque()
    waiting.extend(((heap,), element, winning) for heap, element, winning in kinds.values())
    done = 0
    while waiting:
        heaps, element, winning = waiting.popleft()
        others = least.setdefault(element, [])
        if any(not (other & ~winning).any() for other in others):
            continue
        if not is_lost[element] and not winning[0]:
            return heaps
        others[:] = [other for other in others if (winning & ~other).any()]
        others.append(winning)
        done += 1
        if done > most:
            raise TooMany(f"more than {most:,} kinds of sums")
        for heap, other, more in kinds.values():
            waiting.append(((*heaps, heap), int(times[element, other]), winning[times[other]] | more[times[element]]))
    return None


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
        closed.append(extended(rule, closed[-1], most, words))
        if not closed[-1].closed:
            break
    return closed


def extended(rule: Rule, before: Quotient, most: int = MOST_ELEMENTS, words: int = MOST_WORDS) -> Quotient:
    """Return the quotient with one more heap: the same one, or one with a new generator, or one that is not closed."""
    heap = before.to + 1
    leaves = before.left_by(rule, heap)
    same = replace(before, to=heap, leaves=(*before.leaves, leaves))
    if leaves in before.leaves:  # as a smaller heap: no new kind of sum
        return replace(same, heaps=(*before.heaps, before.heaps[before.leaves.index(leaves)]))
    kinds = words // WORDS_PER_KIND
    try:
        for element in _fitting(before, leaves):
            equal = replace(same, heaps=(*before.heaps, element))
            if _fault(equal, kinds) is None:
                return equal
        first = twins(rule, heap)
        letters = {heap, *before.generators}  # and the heaps that would stand for sums of larger ones
        letters |= {
            one for one, at in enumerate(before.heaps) if one not in first and one < max((0, *before.sum_of(at)))
        }
        candidate = _Candidate(_Outcomes(rule, before, letters, words), most)
        while (wrong := _fault(larger := candidate.quotient(rule, heap), kinds)) is not None:
            if not candidate.learn_from(wrong):
                # A heap equals its sum no more: it becomes a letter.
                [one, *_] = sorted({*(part for each in wrong for part in first.get(each, (each,)))} - letters)
                letters.add(one)
                candidate = _Candidate(_Outcomes(rule, before, letters, words), most)
    except TooMany as bound:
        return Quotient(heap, False, str(bound))
    return larger


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

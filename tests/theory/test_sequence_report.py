"""What is told of sequences and misère quotients: every number and sentence against their values and brute force."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product as every
from typing import Any

import numpy as np
import pytest

from nimtui.games import parse_game
from nimtui.games.octal import GRUNDY, read_code
from nimtui.report.blocks import Facts, Figures, Heading, Report, Sentence
from nimtui.report.cells import cells
from nimtui.report.lines import plain_text
from nimtui.theory import quotient, sequence_report
from nimtui.theory.quotient import Quotient, quotients
from nimtui.theory.sequence import Period, Sequence, family_of, family_values, of_set, sequence
from nimtui.ui.kit.terminal.glyphs import UNICODE
from tests.theory.test_matches import closed, left, lost, product


def shown(report: Report) -> list[str]:
    return [plain_text(line) for line in cells(report, 200, signs=UNICODE)]


@pytest.mark.parametrize("name", ["kayles:9", "octal:0.137:9", "subtraction:9,3", "nim:9:misere", "adjacent:9:misere"])
@pytest.mark.parametrize("to", [3, 39, 40, 50, 159, 180, 1_001])
def test_every_number_about_a_sequence_is_that_of_its_values(name: str, to: int) -> None:
    found = sequence(parse_game(name), to)
    row, values = sequence_report.Row(found, "a title", "matches", name), list(found.grundy or found.values)
    keys, said = sequence_report.facts(row, to), " ".join(sequence_report.sentences(found, to))
    assert keys["outcomes"] == ["N" if value == 1 else "P" for value in found.values] and keys["grundy"] == found.grundy
    assert (keys["game"], keys["to"], keys["set"], keys["values"]) == (name, to, None, found.values)
    if (period := found.period) is None:
        assert keys["period"] is keys["exceptions"] is None and "prove no period" in said
    else:
        start, length = period.preperiod, period.length
        assert (keys["period"]["preperiod"], keys["period"]["length"]) == (start, length)
        assert f"have period {length} from {start} on" in said and ("not proven" in said) != keys["period"]["proven"]
        differ = [n for n in range(start) if values[n] != values[start + (n - start) % length]]
        assert keys["exceptions"] == {"count": len(differ), "last": differ[-1] if differ else None}
        before = re.findall(r"(\d+) heaps? differs? from it before, the last (\d+)\.", said)
        assert before == [(f"{len(differ)}", f"{differ[-1]}")] if differ else not before
    if found.grundy is not None:
        most = max(map(int, values))
        assert keys["largest"] == {"value": most, "heap": values.index(most)}
        assert f"The largest Grundy value is {most}, first of {values.index(most)}." in said
    if (rare := found.rare) is not None:
        heaps = [n for n in range(1, found.computed + 1) if (int(values[n]) & rare.mask).bit_count() % 2 == 0]
        assert keys["rare"] == {"mask": rare.mask, "values": [*rare.values], "heaps": len(heaps), "last": heaps[-1]}
        assert f"under the mask {rare.mask:b}, the last {rare.last}." in said
        assert f"Sparse space: {len(heaps)} heaps have a value" in said
    brief = sequence_report.facts(row, to, summary=True)
    assert brief == {key: value for key, value in keys.items() if key not in ("values", "outcomes", "grundy")}
    report = sequence_report.listed(row, to)
    assert [*report.blocks[:2]] == [Heading("a title"), Facts(keys)]
    texts = [block.text for block in report.blocks if isinstance(block, Sentence)]
    losing = [n for n, value in enumerate(found.values) if value == -1]
    more = f" and {len(losing) - 40} more" if len(losing) > 40 else ""
    assert texts[0] == f"lost for the player to move: {', '.join(map(str, losing[:40]))}{more}"
    assert " ".join(texts[1:]) == said
    rows = [line.split() for line in shown(report) if re.match(r" *\d+  ", line)]
    if to < 40:
        assert [(int(n), outcome) for n, _, outcome, *_ in rows] == list(enumerate(keys["outcomes"]))
    else:  # rows as long as the period
        assert any("Grundy values" in line.split("  ")[-1] for line in shown(report)) == (found.grundy is not None)
        signs = [sign for _, *signs in rows for sign in signs]
        assert signs == sequence_report.signs(found)[: len(signs)] and (len(signs) == to + 1 or len(rows) == 40)
        assert [int(first) for first, *_ in rows] == list(range(0, to + 1, len(rows[0]) - 1))[:40]
        lines = [line for line in shown(report) if re.match(r" *\d+  ", line)]
        cell = max(map(len, sequence_report.signs(found)))
        texts = [" ".join(f"{one:>{cell}}" for one in line.split()[1:]) for line in lines]
        assert len({len(line) - len(text) for line, text in zip(lines, texts, strict=True)}) == 1, "one below another"


def test_families_have_drawn_and_missing_numbers() -> None:
    found = sequence(parse_game("octal:0.51:9"), 1_001)
    assert found.rare is not None and (found.rare.heaps, found.rare.last) == (0, None)
    assert "Sparse" not in " ".join(sequence_report.sentences(found, 1_001))
    drawn = sequence_report.Row(family_values(family_of("connect:4xNx4"), 4), "", "N")
    keys = sequence_report.facts(drawn, 4)
    assert keys["outcomes"][4] == "D" and keys["outcomes"][0] == "–" and keys["largest"] is None
    nim = sequence_report.facts(sequence_report.Row(family_values(family_of("nim:1,2,N"), 7), "", "N"), 7)
    assert (nim["grundy"][0], nim["largest"]) == (None, {"value": 7, "heap": 4}) and nim["outcomes"][3] == "P"
    taken = sequence_report.facts(sequence_report.Row(of_set([2, 3], False, 9), "", "N", takes=[2, 3]), 9)
    assert (taken["set"], taken["game"]) == ([2, 3], None)
    sizes = sequence_report.facts(sequence_report.Row(family_values(family_of("nim:N:max=2"), 20), "", "N"), 20)
    assert (sizes["period"]["preperiod"], sizes["exceptions"]) == (1, {"count": 0, "last": None}), "0 has no game"


@pytest.mark.parametrize("length", [None, 1, 2, 7, 12, 34, 148])
def test_rows_are_as_long_as_the_period_or_a_part_of_it_or_round(length: int | None) -> None:
    period = None if length is None else Period(0, length, None)
    for room, cell in ((1, 2), *((room, 2) for room in (12, 14, 20, 24, 66, 200)), (20, 5), (66, 5), (200, 5)):
        wide, fit = sequence_report.across(Sequence((), (), period), room, cell), max(1, room // cell)
        parts = [part for part in range(1, fit + 1) if length and length > 1 and length % part == 0]
        if parts and (length == parts[-1] or 3 * parts[-1] >= fit):
            assert wide == parts[-1]
        else:
            assert wide == (fit - fit % 10 or min(fit, 5))


@pytest.mark.parametrize(
    ("code", "to", "heaps"), [("0.123", 11, (11, 9)), ("0.77", 12, (5, 4)), ("0.07", 5, ()), ("0.07", 0, ())]
)
def test_every_key_of_a_quotient_is_that_of_its_elements(code: str, to: int, heaps: tuple[int, ...]) -> None:
    quotient = closed(code, to)
    keys = sequence_report.quotient_facts(code, to, quotient, heaps)
    names, order = keys["elements"], quotient.order
    assert (keys["order"], keys["closed"], keys["bound"], keys["game"], keys["to"]) == (order, True, None, code, to)
    assert [product(quotient, name) for name in names] == list(range(order)) and keys["tame"] == quotient.tame
    assert [product(quotient, name) for name in keys["heaps"]] == [quotient.of([heap]) for heap in range(to + 1)]
    assert keys["p_portion"] == [name for one, name in enumerate(names) if quotient.is_lost[one]]
    assert all(keys["heaps"][heap] == letter for letter, heap in keys["generators"].items())
    words, letters = set(quotient.words), range(len(quotient.generators))
    beyond = [  # words that are no name, without one letter all are
        word
        for word in every(range(2 + max((max(word, default=0) for word in words), default=0)), repeat=len(letters))
        if word not in words and all((*word[:i], word[i] - 1, *word[i + 1 :]) in words for i in letters if word[i])
    ]
    told = {"".join("abcdef"[i] + f"^{word[i]}" * (word[i] > 1) for i in letters if word[i]): word for word in beyond}
    first = sorted(told, key=lambda name: (sum(told[name]), [-power for power in told[name]]))
    assert keys["presentation"] == [f"{name}={names[product(quotient, name)]}" for name in first]
    assert (keys["sum"], keys["element"]) == (list(heaps), names[quotient.of(heaps)])
    assert keys["outcome"] == ("loss" if lost(code, heaps) else "win")
    who = "loses" if lost(code, heaps) else "wins"
    said = f"The sum {','.join(map(str, heaps)) or '0'} is {keys['element']}: the player to move {who}."
    report = sequence_report.quotient_report("a title", code, to, quotient, heaps)
    assert [*report.blocks[:2]] == [Heading("a title"), Facts(keys)]
    [figures] = [block.rows for block in report.blocks if isinstance(block, Figures)]
    assert {figure.label: figure.value.text for figure in figures} == {
        "order": str(order),
        "lost": ", ".join(keys["p_portion"]) or "none",
        "generators": ", ".join(f"{letter} by heap {heap}" for letter, heap in keys["generators"].items()) or "none",
        "relations": ", ".join(keys["presentation"]) or "none",
        "kind": "tame: a quotient of sums of Nim" if quotient.tame else "wild: no quotient of sums of Nim",
    }
    lines = shown(report)
    assert lines[-3:] == [said, "", "Verified for all sums of these heaps."]
    rows = [line.split() for line in lines if re.fullmatch(r" *\d+ +\S+ +[NP]", line)]
    outcomes = ["P" if lost(code, (heap,) if heap else ()) else "N" for heap in range(to + 1)]
    assert rows == [[f"{heap}", keys["heaps"][heap], outcomes[heap]] for heap in range(to + 1)]


def test_a_quotient_that_does_not_close_has_no_elements_to_tell() -> None:
    [*_, last] = quotients(read_code("0.123"), 11, most=12)
    keys = sequence_report.quotient_facts("0.123", 11, last, (3, 1))
    assert {key for key, value in keys.items() if value is not None} == {"game", "to", "closed", "bound", "sum"}
    assert keys["closed"] is False and keys["bound"] == "more than 12 elements"
    said = f"Not closed: with heap {last.to} no quotient was verified (more than 12 elements)."
    assert said in shown(sequence_report.quotient_report("", "", 11, last))


def test_a_quotient_has_at_most_200_elements_and_is_followed_for_a_million_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits: list[tuple[int, ...]] = []
    assert quotient.quotient_of.__wrapped__(read_code("0.123"), 8).order == 12, "the last one"

    def candidate(outcomes: quotient._Outcomes, most: int) -> None:
        limits.append((most, outcomes.words))
        raise quotient.TooMany("enough")

    monkeypatch.setattr(quotient, "_fault", lambda _, kinds: limits.append((kinds,)) or (1,))
    monkeypatch.setattr(quotient, "_Candidate", candidate)
    rule = read_code("0.123")
    for made, most in (
        (lambda: quotients(rule, 9)[-1], 1_000_000),
        (lambda: quotient.quotient_of.__wrapped__(rule, 9), 20_000),
        (lambda: quotient.extended(rule, quotients(rule, 0)[0]), 1_000_000),
    ):
        limits.clear()
        found = made()
        assert (found.to, found.closed, found.bound) == (1, False, "enough")
        assert limits == [(most // 4,), (200, most)], "a fourth as many kinds of sums"


@cache
def form(code: str, heap: int) -> frozenset[frozenset[tuple[Any, int]]]:
    """What the moves of a heap leave, as forms and how often each."""
    after = ([form(code, piece) for piece in pieces] for pieces in left(code, heap))
    return frozenset(frozenset(Counter(filter(None, forms)).items()) for forms in after)


@pytest.mark.parametrize("code", ["0.77", "0.123", "0.26", "4.7", "0.0333", "grundy"])
def test_heaps_with_the_same_moves_are_twins_of_the_smallest(code: str) -> None:
    forms = [form(code, heap) for heap in range(11)]
    same = {heap: (forms.index(one),) if one else () for heap, one in enumerate(forms)}
    expected = {heap: one for heap, one in same.items() if one != (heap,)}
    assert quotient.twins(GRUNDY if code == "grundy" else read_code(code), 10) == expected


def test_only_the_monoids_of_nim_with_their_lost_elements_are_tame() -> None:
    def odd(levels: Callable[[int, int], int], order: int = 3) -> Monoid:
        """Elements without and with a factor a, whose square is 1."""
        return [*every(range(order), range(2))], lambda x, y: (levels(x[0], y[0]), x[1] ^ y[1])

    Monoid = tuple[list[tuple[int, int]], Callable[[tuple[int, int], tuple[int, int]], tuple[int, int]]]
    single, group = [(n, 0) for n in range(6)], [(0, 0), (0, 1), *((1, n) for n in range(4))]
    monoids: list[tuple[Monoid, set[int]]] = [
        (odd(lambda m, n: m + n if 0 in (m, n) else 1 + (m + n) % 2), {1, 2}),  # of nim: a, and the 1 of a group
        (odd(max), set()),  # two squares
        (odd(lambda m, n: min(m + n, 2)), set()),  # one square, which is not the 1 of a group
        ((single, lambda x, y: max(x, y) if (0, 0) in (x, y) else (5, 0)), set()),  # one square, and no a
        ((group, lambda x, y: (x[0] | y[0], (x[0] == y[0] or x[0]) * x[1] ^ (x[0] == y[0] or y[0]) * y[1])), set()),
        (([(0, 0), (0, 1), (1, 0)], lambda x, y: (x[0] | y[0], (x[1] ^ y[1]) * (not x[0] | y[0]))), set()),
    ]  # in the last two a changes nothing in the group
    for (elements, times), tame in monoids:
        table = np.array([[elements.index(times(x, y)) for y in elements] for x in elements])
        for chosen in every((False, True), repeat=len(elements)):
            some = frozenset(n for n, one in enumerate(chosen) if one)
            quotient = Quotient(0, True, words=((),) * len(elements), times=table, lost_elements=some)
            assert quotient.tame == (some == tame and bool(tame)), (table, some)

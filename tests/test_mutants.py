"""The tool that puts small mistakes into the code: what it changes, and that its list of equal ones is up to date."""

from __future__ import annotations

import ast
import tomllib

import pytest

from tests import mutants
from tests.mutations import loaded, mutations

CHANGES = {
    "x = a < b": ["(a <= b)"],
    "x = a in b": ["(a not in b)"],
    "x = a + 7": ["(a - 7)", "(8)"],
    "x = -a": ["(a)"],
    "x = True": ["(False)"],
    "x = 'text'": [],
    "x = a and b.c": ["(a or b.c)", "(b.c)", "(a)"],
    "x = a if b else c": ["(a if not b else c)"],
    "x = f(a, b)": ["(f(b, a))"],
    "x = max(a, b)": [],
    "x = f(a, a)": [],
    "x = zip(a, *b, strict=True)": [],
    "f(*a, b)": ["pass"],
    "if f():\n    x += y": ["(not f())", "x -= y"],
    "if TYPE_CHECKING:\n    import a": [],
    "def f(n: int = 1) -> int:\n    return n": ["(2)", "return 0"],
    "def f() -> None:\n    assert a and b < 1\n    raise E(1 + 2)": [],
    "x = [y for y in z if y.w]": ["(not y.w)"],
    "@lru_cache(maxsize=5)\nclass A(B[3]):\n    c: D[4] = ü, 5": ["(6)"],
}


@pytest.mark.parametrize("source", CHANGES)
def test_each_mistake_is_one_change_of_the_place_that_it_names(source: str) -> None:
    changes = mutations("a.py", source.encode())
    assert [one.after for one in changes] == CHANGES[source]
    for one in changes:
        changed = one.applied(source.encode())
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source))
        assert ast.unparse(ast.parse(one.before)) in ast.unparse(ast.parse(source))


def test_a_sample_is_the_same_for_the_same_seed_and_stays_in_its_room(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = mutants.sample(["foreign"], 30, seed=4)
    assert chosen == mutants.sample(["foreign"], 30, seed=4) != mutants.sample(["foreign"], 30, seed=5)
    assert len({(one.path, one.start, one.after) for one in chosen}) == 30
    assert {one.path.split("/")[1] for one in chosen} == {"foreign"}
    measured = [*mutants._measured()]
    assert {path.relative_to(mutants.ROOT).parts[1] for path in measured} == {*mutants.ROOMS, "ui"}
    monkeypatch.setattr(mutants, "_measured", lambda: iter(measured[:2]))
    names = {path.relative_to(mutants.ROOT).as_posix() for path in measured[:2]}
    assert {one.path for one in mutants.sample([], 0, seed=1)} == names


@pytest.mark.slow
def test_equal_mistakes_that_are_listed_are_changes_of_lines_that_are_there_and_have_reasons() -> None:
    listed = tomllib.loads(mutants.EQUAL.read_text())["equal"]
    for file in {entry["file"] for entry in listed}:
        source = (mutants.ROOT / file).read_bytes()
        lines = source.decode().splitlines()
        possible = {(lines[one.line - 1].strip(), one.change) for one in mutations(file, source)}
        for entry in listed:
            if entry["file"] == file:
                assert (entry["line"], entry["change"]) in possible, entry
                assert len(entry["reason"].split()) > 3


def test_what_a_module_gives_a_value_as_it_loads_is_tried_where_it_is_read() -> None:
    source = (
        "import a\nB = C = 3\nclass D:\n    e: int = 4\n    def __init__(self, g=6):\n        h = 7\ndef i(j=8): pass"
    )
    assert loaded(source) == {1: set(), 2: {"B", "C"}, 4: {"D"}, 5: set(), 7: set()}
    layout = (mutants.ROOT / "nimtui/report/cells.py").read_text().splitlines()
    defined, *read = [number for number, line in enumerate(layout, 1) if "LEAST_NAME" in line]
    assert {("nimtui/report/cells.py", number) for number in read} == mutants.Uses(
        mutants.ROOT / "nimtui" / "report"
    ).lines("nimtui/report/cells.py", defined)

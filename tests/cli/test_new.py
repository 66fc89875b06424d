"""`nimtui new` writes files of one's own, and `nimtui check` reports on them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from nimtui.check.verdict import Check
from nimtui.cli import new
from nimtui.cli.new import Kind, template
from tests.cli.conftest import Answer, Nimtui


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in (Kind.SCREEN, Kind.PROGRAM, Kind.CLASS)])
def test_new_writes_a_file_and_says_what_to_do_next(kind: Kind, nimtui: Nimtui, tmp_path: Path) -> None:
    done = nimtui("new", kind, "mine")
    folder = "learners" if kind is Kind.FUNCTION else f"{kind}s"
    path = tmp_path / "home" / folder / "mine.py"
    assert (done.status, done.err) == (0, "")
    assert str(path) in done.out and "nimtui check" in done.out
    assert path.read_text() == template(kind, "mine")
    again = nimtui("new", kind, "mine")
    assert (again.status, again.out) == (2, "")
    assert "already" in again.err and again.err.count("\n") == 1


def test_new_writes_nothing_of_a_screen_outside_of_the_source(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    assert new.Kind.SCREEN == "screen"
    monkeypatch.setattr("nimtui.cli.new.__file__", "/nowhere/nimtui/cli/new.py", raising=False)
    refused = nimtui("new screen search")
    assert refused.status == 2 and refused.err.count("\n") == 1


def test_new_writes_the_files_of_a_screen_and_its_section_of_the_reference(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root = tmp_path / "source"
    for folder in ("docs", "styles", "tests/ui", "nimtui/ui/search_here"):
        (root / folder).mkdir(parents=True)
    (root / "docs" / "command-line.md").write_text("# Commands\n\n## `nimtui solve`\n\n## `nimtui solve`\n")
    monkeypatch.setattr(new, "source_tree", lambda: root)
    answer = nimtui("new screen zen_garden")
    room = "nimtui/ui/zen_garden"
    written = [
        *(f"{room}/{part}.py" for part in ("__init__", "screen", "view")),
        *("styles/zen_garden.tcss", "tests/ui/test_zen_garden.py", "docs/command-line.md"),
    ]
    assert answer.out.splitlines() == [
        *(f"Screen zen_garden: in {root}", *(f"  {path}" for path in written), "", "Edit these files, then:"),
        *("  nimtui zen-garden", "  python -m pytest tests/ui/test_zen_garden.py", "  python -m tests.pictures"),
    ]
    texts = {path: (root / path).read_text("utf-8") for path in written}
    assert not any(re.search("@[A-Z]+@", text) for text in texts.values())
    assert texts[f"{room}/__init__.py"].startswith('"""The Zen garden screen."""\n')
    assert "ZenGarden" in texts[f"{room}/screen.py"]
    reference = texts["docs/command-line.md"]
    assert reference.index("## `nimtui zen-garden`") < reference.index("## `nimtui solve`")
    assert reference.count("zen-garden") == new._text("screen/reference", new._words("zen_garden")).count("zen-garden")
    imports = [line for line in texts[f"{room}/screen.py"].splitlines() if line.startswith("from nimtui.")]
    assert imports == sorted(imports)
    for name in ("zen_garden", "search_here", "solve", "lesson"):
        assert nimtui(f"new screen {name}").err == f"nimtui: the name '{name}' is taken: choose another name\n"
    shutil.rmtree(root / "nimtui" / "ui" / "zen_garden")
    taken = nimtui("new screen zen_garden")
    assert taken.err == "nimtui: styles/zen_garden.tcss already exists: choose another name\n"


def test_a_new_screen_gets_keys_that_are_free(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [SimpleNamespace(place="start", default=["z", "e"]), SimpleNamespace(place="play", default=["n", "f8"])]
    monkeypatch.setattr("nimtui.ui.app.keymap.every", lambda: keys)
    monkeypatch.setattr("nimtui.ui.app.keymap.together", lambda place: {place})
    assert new._free_keys("zen") == ("n", "f12")
    keys[1].default += ["f12", "f10", "f11"]
    keys[0].default += ["n"]
    assert new._free_keys("zen") == ("a", "")
    words = {"NAME": "zen_x", "WORD": "zen-x", "TITLE": "Zen x", "CLASS": "ZenX", "LETTER": "x", "KEY": ""}
    assert new._words("zen_x") == words


@pytest.mark.parametrize(("ok", "status"), [(True, 0), (False, 1)])
def test_check_reports_each_rule_and_ends_with_1_if_one_is_broken(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, ok: bool, status: int
) -> None:
    asked: list[tuple[str, ...]] = []
    one = Check("undo", ok, "" if ok else "b1 gives 3,6")
    verdict = SimpleNamespace(refused="", ok=ok, checks=[one], closed=[], certain=True, late=False)
    monkeypatch.setattr("nimtui.check.quarantine.check", lambda *given: asked.append(given) or verdict)
    answer = nimtui("check nim:1,2 --json")
    assert (answer.status, answer.document["ok"], answer.document["kind"]) == (status, ok, "game")
    assert asked == [("nimtui.games.heaps", "game", "nim:1,2")]
    verdict.refused = "it has no rules"
    assert nimtui("check nim:1,2") == Answer(2, "", "nimtui: it has no rules\n")

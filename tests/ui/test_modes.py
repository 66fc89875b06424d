"""A screen that is added is there everywhere, by what its own folder says of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from nimtui.cli.app import app
from nimtui.cli.new import check_free, source_tree
from nimtui.errors import InputError
from tests import test_house

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("nimtui", "styles", "docs", "tests", "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")

VISIT = """
import asyncio
from nimtui.store.settings import Settings
from nimtui.ui.app.app import NimtuiApp
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.orchard import MODE


def text(app):
    return "\\n".join(strip.text for strip in app.screen._compositor.render_strips(app.size))


async def visit():
    app = NimtuiApp(Settings(animation=False), TerminalInfo())
    async with app.run_test(size=(100, 30)) as pilot:
        assert f"{MODE.key.upper()} Orchard" in text(app).splitlines()[0], "the header"
        assert f"{MODE.letter}  Orchard" in text(app) and "count things" in text(app), "the start screen"
        await pilot.press(MODE.letter)
        await pilot.pause()
        assert app.current_mode == "orchard" and "more" in text(app).splitlines()[-1], "its letter, the footer"
        await pilot.press("escape", MODE.key)
        assert app.current_mode == "orchard", "its key, and back"
        await pilot.press("f1")
        await pilot.pause()
        assert "Change it by one" in text(app) and "Take one away" in text(app), "help"
        await pilot.press("escape")
        named = {command.title: command.callback for command in app.get_system_commands(app.screen)}
        assert "Set: type the number" in named, "the palette has its commands"
        named["Orchard: A dozen"]()
        await pilot.pause()
        await pilot.press("plus")
        await pilot.pause()
        assert "13" in text(app), "the palette begins a preset"


asyncio.run(visit())
"""
CHECKS = (
    "tests/ui/test_orchard.py",
    "tests/ui/test_keymap.py::test_every_class_of_nimtui_that_binds_keys_is_a_place",
    "tests/ui/test_keymap.py::test_every_action_has_an_id_of_its_own_that_names_its_place",
    "tests/test_docs.py::test_every_command_has_its_section_and_every_option_is_named_and_no_other",
    "tests/test_house.py::test_every_room_of_ui_has_its_floor",
    "tests/cli/test_app.py::test_a_screen_needs_a_terminal",
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the source, with what Python has compiled of it."""
    for part in PARTS:
        here, there = ROOT / part, tmp_path / "source" / part
        if here.is_dir():
            shutil.copytree(here, there, ignore=shutil.ignore_patterns("*.nb?", "*.svg", "*.xz"))
        else:
            shutil.copy(here, there)
    return tmp_path / "source"


@pytest.mark.slow
def test_a_new_screen_is_there_everywhere_at_once(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {**os.environ, "PYTHONPATH": str(copy), "NIMTUI_HOME": str(tmp_path / "home")}

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    before = {path for path in copy.rglob("*") if path.is_file()}
    said = run("-B", "-m", "nimtui", "new", "screen", "orchard")
    written = {path for path in copy.rglob("*") if path.is_file()} - before
    assert len(written) == 5 and all(str(path.relative_to(copy)) in said for path in written)
    run("-c", VISIT)
    assert "Open the Orchard screen" in run("-m", "nimtui", "orchard", "--help")
    assert "orchard.less" in run("-m", "nimtui", "keys", "orchard")
    run("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *CHECKS)
    monkeypatch.setattr(test_house, "PACKAGE", copy / "nimtui")
    modules = [path for path in written if path.is_relative_to(test_house.PACKAGE) and path.suffix == ".py"]
    names = [(path, name) for path in modules for name in test_house.imported(path)]
    assert names and all(test_house.is_allowed(path, name) for path, name in names)
    files = sorted(str(path) for path in written if path.suffix == ".py")
    run("-m", "ruff", "check", *files)
    run("-m", "ruff", "format", "--check", *files)


@pytest.mark.parametrize("name", ["train", "list", "new", "games", "kit", "tour"])
def test_a_name_that_means_something_is_taken(name: str) -> None:
    with pytest.raises(InputError, match="is taken"):
        check_free(source_tree(), name, getattr(get_command(app), "commands", ()))

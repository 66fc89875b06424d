"""A screen that is added is there everywhere, by what its own folder says of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nimtui.ui.app.start import StartScreen

ROOM = {
    "__init__.py": "",
    "mode.py": """
from nimtui.ui.kit.mode import Mode

MODE = Mode(
    "orchard", "Orchard", "nimtui.ui.orchard.screen:OrchardScreen", "Apples in rows",
    letter="a", invitation="apples in rows, and who takes the last", key="f8", presets="nimtui.ui.orchard.setup",
)
""",
    "setup.py": """
from nimtui.ui.kit.mode import Preset

PRESETS = (Preset("Twelve apples", "in three rows", 12),)
""",
    "conductor.py": """
from nimtui.ui.kit.conductor import Conductor


class OrchardConductor(Conductor):
    apples = 0

    @property
    def lost_by_leaving(self):
        return f"{self.apples} apples would be lost." if self.apples else ""
""",
    "screen.py": """
from textual.widgets import Static

from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.page import Page
from nimtui.ui.kit.shell import shell
from nimtui.ui.orchard.conductor import OrchardConductor


class OrchardScreen(Page[None]):
    BINDING_GROUP_TITLE = "Orchard"
    HELP = "Apples grow here."
    BINDINGS = [("x", "shake", "shake"), ("escape", "app.go_back", "back")]

    def compose(self):
        yield Header()
        yield Static("", id="apples", markup=False)
        yield Footer()

    def start(self, apples):
        shell(self).conductor(OrchardConductor).apples = apples
        self.call_after_refresh(lambda: self.query_one("#apples").update(f"{apples} apples"))

    def action_shake(self):
        self.start(shell(self).conductor(OrchardConductor).apples - 1)
""",
}

VISIT = """
import asyncio, sys
import nimtui.ui

nimtui.ui.__path__.append(sys.argv[1])
from nimtui.store.settings import Settings
from nimtui.ui.app.app import NimtuiApp
from nimtui.ui.app.terminal import TerminalInfo


def text(app):
    return "\\n".join(strip.text for strip in app.screen._compositor.render_strips(app.size))


async def visit():
    app = NimtuiApp(Settings(animation=False), TerminalInfo())
    async with app.run_test(size=(100, 30)) as pilot:
        assert "F8 Orchard" in text(app).splitlines()[0], "the header"
        assert "apples in rows, and who takes the last" in text(app), "the start screen"
        await pilot.press("a")
        await pilot.pause()
        assert app.current_mode == "orchard" and "shake" in text(app).splitlines()[-1], "its letter, the footer"
        await pilot.press("escape", "f8")
        assert app.current_mode == "orchard", "its key, and back"
        await pilot.press("f1")
        await pilot.pause()
        assert "Apples grow here." in text(app) and "shake" in text(app), "help"
        await pilot.press("escape")
        named = {command.title: command.callback for command in app.get_system_commands(app.screen)}
        named["Orchard: Twelve apples"]()
        await pilot.pause()
        await pilot.press("x")
        await pilot.pause()
        assert "11 apples" in text(app), "the palette begins a preset"
        assert app.at_work == "11 apples would be lost.", "what leaving would end"


asyncio.run(visit())
from nimtui.cli.app import app

print([command.callback.__name__ for command in app.registered_commands])
"""


@pytest.mark.slow
def test_a_screen_that_is_added_touches_nothing_but_its_folder(tmp_path: Path) -> None:
    room = tmp_path / "orchard"
    room.mkdir()
    for name, text in ROOM.items():
        (room / name).write_text(text)
    done = subprocess.run([sys.executable, "-c", VISIT, str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "orchard" in done.stdout, "nimtui orchard opens it"


def test_every_key_of_the_start_screen_does_one_thing() -> None:
    keys = [key for binding in StartScreen.BINDINGS for key in binding.key.split(",")]
    assert len(keys) == len(set(keys)), "the letter of a mode is taken: choose another one in its file mode.py"

"""A kernel without Landlock: bubblewrap closes own code in, where it is installed and works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.program import ProgramAgent
from nimtui.arena.play.match import play_match
from nimtui.check import quarantine
from nimtui.check.verdict import Request, Verdict
from nimtui.cli.new import Kind, template
from nimtui.games import parse_game
from nimtui.process.plugins import OwnFile
from nimtui.sandbox import client, closing
from tests.programs.bots import sound

WITHOUT = "import nimtui.sandbox.closing; nimtui.sandbox.closing._landlock = lambda library: 0; "

pytestmark = [pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here"), pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of agents beside a home with a diary, on a system without Landlock."""
    here = tmp_path_factory.mktemp("bubblewrap")
    (here / "home").mkdir()
    (here / "home" / "diary").write_text("dear diary")
    (here / "data" / "agents").mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closing, "_landlock", lambda library: 0)
        patch.setattr(client, "CODE", WITHOUT + client.CODE)
        patch.setattr(client, "_servers", {})
        patch.setenv("NIMTUI_HOME", str(here / "data"))
        patch.setenv("HOME", str(here / "home"))
        closing.bubblewrap.cache_clear()
        yield here / "data" / "agents"
        client.end()
    closing.bubblewrap.cache_clear()


def checked(folder: Path, code: str) -> Verdict:
    path = folder / "mine.py"
    path.write_text(f"{code}\n{template(Kind.AGENT, 'mine')}")
    return quarantine.checked([Request(OwnFile("agent", path, path.read_bytes()), deep=False)])[0]


@pytest.mark.parametrize(
    ("code", "heard"),
    [
        ("", ""),
        ("import os; open(os.path.expanduser('~/diary'))", "FileNotFoundError"),
        ("import nimtui; open(nimtui.__file__, 'a')", "Read-only file system"),
        ("import socket; socket.create_connection(('127.0.0.1', 9))", "Error"),
        ("import os; open(os.path.dirname(__file__) + '/notes', 'w').write('x')", ""),
        ("import os; os._exit(3)", "loading ends the process (exit status 3)"),
        ("while True: pass", "loading does not end within 1.25 s"),
    ],
)
def test_bubblewrap_closes_it_in(code: str, heard: str, folder: Path) -> None:
    if not closing.bubblewrap():
        pytest.skip("bubblewrap is not installed, or does not work here")
    verdict = checked(folder, code)
    assert heard in verdict.fault and bool(heard) == bool(verdict.fault)
    assert verdict.closed[0] == "bubblewrap"


def test_a_program_behind_a_link_plays_closed_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not closing.bubblewrap():
        pytest.skip("bubblewrap is not installed, or does not work here")
    elsewhere, here = folder / "elsewhere", folder / "here"
    for place in (elsewhere, here):
        place.mkdir()
    monkeypatch.chdir(elsewhere)  # a folder that the program does not see
    (here / "bot").symlink_to(Path(sound(elsewhere, "sh").removeprefix("cmd:")))
    game = parse_game("nim:1,2")
    bot = parse_agent(f"cmd:{here}/bot", game)
    assert play_match(game, bot, parse_agent("perfect", game), 2).faults == ()
    assert isinstance(bot, ProgramAgent) and bot._program is not None
    assert bot._program._box.closed is not None and bot._program._box.closed[0] == "bubblewrap"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(closing.shutil, "which", lambda name: None)
    closing.bubblewrap.cache_clear()
    yield
    closing.bubblewrap.cache_clear()  # other tests look for it again


@pytest.mark.usefixtures("without")
def test_without_both_only_the_network_is_closed(folder: Path) -> None:
    verdict = checked(folder, "import os; assert open(os.path.expanduser('~/diary')).read()")
    assert verdict.ok and "Landlock" not in verdict.closed and "bubblewrap" not in verdict.closed

"""`nimtui keys` and `nimtui config`."""

from __future__ import annotations

import json

import pytest

from nimtui.store import paths
from nimtui.ui.kit.contract import keymap
from tests.cli.conftest import Nimtui


@pytest.fixture(autouse=True)
def default_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keymap, "_chosen", {})


def test_keys_lists_every_action_with_its_keys(nimtui: Nimtui) -> None:
    answer = nimtui("keys")
    assert answer.status == 0
    lines = answer.out.splitlines()
    assert lines[0] == "everywhere"
    [line] = [line for line in lines if line.split()[:1] == ["play.hint"]]
    assert line.split(None, 2) == ["play.hint", "h", "Show a good move and the reason"]


def test_keys_of_the_file_and_its_faults_are_shown(nimtui: Nimtui) -> None:
    paths.ensure(paths.home())
    paths.keys().write_text('play.hint = ["f10", "?"]\nplay.why = ["z", "f8"]\nplay.nothing = "x"\n')
    answer = nimtui("keys", "play", "--json")
    document = json.loads(answer.out)
    assert document["file"] == str(paths.keys())
    known = {key["id"]: key for key in document["keys"]}
    assert {key["screen"] for key in document["keys"]} == {"play"}
    assert known["play.why"]["keys"] == ["z", "f8"] and known["play.why"]["default"] == ["w"]
    assert known["play.hint"]["keys"] == ["h"]  # ? opens the help
    assert len(document["faults"]) == 2 and answer.err.count("nimtui: keys.toml: ") == 2


def test_an_unknown_screen_is_one_line(nimtui: Nimtui) -> None:
    answer = nimtui("keys", "pley")
    assert answer.status == 2 and answer.out == ""
    assert answer.err.startswith("nimtui: unknown screen 'pley' (did you mean play?). Screens: everywhere, start, play")


def test_config_prints_the_folders_and_the_settings(nimtui: Nimtui) -> None:
    paths.ensure(paths.home())
    paths.settings().write_text('{"format": 1, "pace": 1.5, "slow": true}')
    answer = nimtui("config")
    assert f"settings file    {paths.settings()}\n" in answer.out
    assert f"games folder     {paths.games()}  (not there yet)\n" in answer.out
    assert "pace       1.5\n" in answer.out and "slow       true\n" in answer.out
    document = json.loads(nimtui("config", "--json").out)
    assert document["settings"]["pace"] == 1.5 and document["faults"] == []
    assert document["paths"]["keys_file"] == {"path": str(paths.keys()), "exists": False}


def test_config_leaves_damaged_settings_where_they_are(nimtui: Nimtui) -> None:
    paths.ensure(paths.home())
    paths.settings().write_text("{")
    answer = nimtui("config")
    assert answer.status == 0 and "is damaged" in answer.err and "the defaults are used" in answer.err
    assert paths.settings().read_text() == "{"

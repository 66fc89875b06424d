"""The pictures and recordings of the documentation show the current app; the gallery draws what it can."""

from __future__ import annotations

import json
import random
import re
from html import unescape
from pathlib import Path
from typing import Any

import pyte
import pytest

from nimtui.ui.app.modes import HEADER
from tests import gallery, pictures, recording


def words(svg: str) -> str:
    """Return the text of a picture, line by line."""
    return unescape(" ".join(re.findall(r"<text [^>]*>([^<]*)</text>", svg)))


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_shows_the_tabs_of_all_modes(name: str) -> None:
    shown = words((pictures.DOCS / f"{name}.svg").read_text("utf-8"))
    assert "nimtui" in shown and all(f"{mode.key.upper()} {mode.title}" in shown for mode in HEADER)


def test_every_picture_can_be_drawn_again() -> None:
    assert {path.stem for path in pictures.DOCS.glob("*.svg")} == set(pictures.PICTURES)


@pytest.mark.slow
def test_a_picture_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures.main(["search", "--to", str(tmp_path)])
    assert capsys.readouterr().out == "search.svg\n"
    shown = words((tmp_path / "search.svg").read_text("utf-8"))
    assert all(f"{mode.key.upper()} {mode.title}" in shown for mode in HEADER)
    assert "nim:1,2,3,4" in shown and " 669 " in shown and "2,978" in shown


def test_a_broken_scene_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shown(name: str, *given: Any) -> str:
        assert name != "play", "broken"
        return "<svg/>"

    monkeypatch.setattr(pictures, "shown", shown)
    sizes = ["--to", str(tmp_path), "--sizes", "80x24", "--themes", pictures.DARK]
    assert gallery.main(["start", "play", "search", *sizes]) == 1
    assert {path.name for path in tmp_path.glob("*.svg")} == {
        f"{name}-80x24-nimtui-dark.svg" for name in ("start", "search")
    }
    assert capsys.readouterr().err.endswith("not drawn: play-80x24-nimtui-dark\n")
    assert gallery.main(["start", *sizes]) == 0


def played(path: Path) -> tuple[list[float], list[str]]:
    """The times of the events of a recording, and the screen after each."""
    head, *events = map(json.loads, path.read_text("utf-8").splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, recording.COLUMNS, recording.LINES)
    screen = pyte.Screen(head["width"], head["height"])
    stream, screens, times = pyte.Stream(screen), [], []
    for when, kind, text in events:
        assert kind == "o"
        times.append(when)
        stream.feed(recording.PRIVATE.sub("", text))
        screens.append("\n".join(screen.display))
    assert times == sorted(times) and times[0] == 0
    return times, screens


def test_it_shows_each_step_of_the_tour() -> None:
    awaited = [words for words, _, _ in recording.BEATS]
    for screen in played(recording.FILE)[1]:
        if awaited and awaited[0] in screen:
            awaited.pop(0)
    assert awaited == []


def test_it_shows_how_connect_four_is_learned_and_why() -> None:
    times, screens = played(recording.LEARN)
    assert 60 * recording.MINUTES <= times[-1] <= 60 * recording.MINUTES + 5
    assert recording.LEARN.stat().st_size <= 600_000
    shares = [
        float(number) for screen in screens for number in re.findall(r"([\d.]+) % of the moves that it would", screen)
    ]
    assert len(shares) > 10 and shares[0] < 70 and shares[-1] > 85
    said = {" ".join(screen.split()) for screen in screens}
    for text in (
        "What each cell adds",
        "The heaviest patterns",
        "That is ",
        "Its heaviest pattern",
        "met ",
        "It has been ",
    ):
        assert any(text in screen for screen in said), text


def test_questions_to_the_terminal_are_left_out_and_signs_stay_whole() -> None:
    parts = [(5.0, b"a\x1b[5n\xe2\x96"), (6.5, b"\x8c\x1b]11;?\x1b\\b\x1b[c")]
    _, *events = map(json.loads, recording.cast(parts))
    assert events == [[0.0, "o", "a"], [1.5, "o", "▌b"]]


def test_frames_show_what_the_terminal_showed_and_send_only_what_changed() -> None:
    draw, film = random.Random(1), recording.Film()
    original, copy = pyte.Screen(20, 5), pyte.Screen(20, 5)
    program, player = pyte.Stream(original), pyte.Stream(copy)
    inks = ("0", "1", "3;31", "7", "38;2;1;2;3", "48;2;200;9;30", "92", "45", "39", "49", "27")
    for _ in range(60):
        for _ in range(draw.randint(0, 12)):
            place = f"\x1b[{draw.randint(1, 5)};{draw.randint(1, 19)}H"
            program.feed(f"{place}\x1b[{draw.choice(inks)}m{draw.choice(('ab', '×', ' '))}")
        cells = [[original.buffer[y][x] for x in range(20)] for y in range(5)]
        player.feed(film.frame(cells))
        assert [[copy.buffer[y][x] for x in range(20)] for y in range(5)] == cells
        assert len(film.frame(cells)) <= len("\x1b[0m")

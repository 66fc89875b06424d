"""The recording of the tour is a valid asciicast v2, and shows each step."""

from __future__ import annotations

import json

import pyte

from tests import recording


def test_it_shows_each_step_of_the_tour() -> None:
    head, *events = map(json.loads, recording.FILE.read_text("utf-8").splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, recording.COLUMNS, recording.LINES)
    screen = pyte.Screen(head["width"], head["height"])
    stream = pyte.Stream(screen)
    times, awaited = [], [words for words, _, _ in recording.BEATS]
    for when, kind, text in events:
        assert kind == "o"
        times.append(when)
        stream.feed(recording.PRIVATE.sub("", text))
        if awaited and awaited[0] in "\n".join(screen.display):
            awaited.pop(0)
    assert awaited == [] and times == sorted(times) and times[0] == 0


def test_questions_to_the_terminal_are_left_out_and_signs_stay_whole() -> None:
    parts = [(5.0, b"a\x1b[5n\xe2\x96"), (6.5, b"\x8c\x1b]11;?\x1b\\b\x1b[c")]
    _, *events = map(json.loads, recording.cast(parts))
    assert events == [[0.0, "o", "a"], [1.5, "o", "▌b"]]

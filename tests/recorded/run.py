"""Run the calls in one home and give what each prints."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from nimtui.cli.app import run
from tests.recorded.calls import CALLS

# What a clock, a machine or a version decides.
MEASURED = {
    "seconds",
    "games_per_second",
    "nodes_per_second",
    "peak_bytes",
    "version",
    "changed",
    "created",
    "made",
    "ended",
    "started",
    "time",
    "date",
    "saved",
    "file",
    "path",
    "bytes",
}
# Sentences: what they say is held by the tests of sentences.
WORDED = {"plain", "note", "notes", "theory", "explanation", "definition", "example", "examples", "about", "does"}
TIMES = re.compile(
    r"[\d,.]+ (ms|s|µs)\b|[\d,.]+( [MkG])?(/s| a second)|\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?|(today|yesterday) [\d:]+"
)


DATA = Path(__file__).with_name("documents.json.xz")  # recorded before results were told by reports


class Printed(NamedTuple):
    """What a call prints with `--json` (None: it has no document), and without."""

    document: Any
    text: str


def printed(*, text: bool = True) -> Iterator[tuple[str, Printed]]:
    """Give each call with what it prints; without `text` only its document."""
    with tempfile.TemporaryDirectory() as folder:
        places = {"home": f"{folder}/home", "own": f"{folder}/own"}
        for place in places.values():
            Path(place).mkdir()
        with mock.patch.dict(os.environ, {"NIMTUI_HOME": places["home"], "COLUMNS": "100"}):
            for call in CALLS:
                words = call.format(**places).split()
                once = call.startswith(PERSISTENT)
                shown = _output(words) if text or once else ""
                document = None
                if not once:
                    answer = _output([*words, "--json"])
                    document = (
                        masked(json.loads(answer))
                        if answer.startswith(("{", "["))
                        else answer.replace(folder, "FOLDER")
                    )
                yield call, Printed(document, TIMES.sub("~", shown).replace(folder, "FOLDER"))


PERSISTENT = ("tournaments extend", "train --resume")  # a second run of them finds nothing to do


def _output(words: list[str]) -> str:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.suppress(SystemExit):
        run(words)
    return "".join(stream.buffer.getvalue().decode() for stream in (out, err))


def masked(value: Any) -> Any:
    """Return the document without measured values."""
    if isinstance(value, dict):
        return {key: "~" if key in MEASURED | WORDED else masked(item) for key, item in value.items()}
    return [masked(item) for item in value] if isinstance(value, list) else value

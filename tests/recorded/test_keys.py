"""The keys of every screen are what they were when each was still a binding: place, id and keys."""

from __future__ import annotations

import json
from pathlib import Path

from nimtui.ui.app.keymap import every
from nimtui.ui.kit.contract.keymap import shown

BEFORE: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_name("keys.json").read_text("utf-8"))


def test_every_recorded_key_still_does_what_it_did() -> None:
    now = {(key.place, key.id.partition(".")[2]): list(map(shown, key.default)) for key in every()}
    before = {(place, id): keys for place, ids in BEFORE.items() for id, keys in ids.items()}
    assert len(before) > 300
    assert {named: (keys, now.get(named)) for named, keys in before.items() if now.get(named) != keys} == {}

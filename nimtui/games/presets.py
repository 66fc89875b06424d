"""The games that lists offer, those of the documents first."""

from __future__ import annotations

from typing import NamedTuple


class Preset(NamedTuple):
    title: str
    game: str


PRESETS = (
    Preset("Classic tower, 16 matches", "tower:16"),
    Preset("Tower of 16, misère", "tower:16:misere"),
    Preset("Tower of 25", "tower:25"),
    Preset("Tower of 36", "tower:36"),
    Preset("Three rows: 7, 5, 3", "nim:7,5,3"),
    Preset("Five rows: 3, 5, 4, 2, 6", "nim:3,5,4,2,6:misere"),
    Preset("21 matches, take 1 to 3, misère", "subtraction:21,3:misere"),
    Preset("Tower of 16, neighbours only", "adjacent:1,3,5,7"),
    Preset("Kayles: one or two neighbours", "kayles:1,3,5,7"),
    Preset("Noughts and crosses, 3 × 3", "noughts:3x3x3"),
    Preset("Chomp, 4 × 5", "chomp:4x5"),
    Preset("Connect Four", "connect4"),
    Preset("Small Connect Four, 4 × 4", "connect4:4x4"),
)

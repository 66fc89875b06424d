"""The games that lists offer, those of the documents first."""

from __future__ import annotations

from typing import NamedTuple


class Preset(NamedTuple):
    title: str
    game: str


PRESETS = (
    Preset("Tower of 16", "tower:16"),
    Preset("Tower of 16, misère", "tower:16:misere"),
    Preset("Tower of 25", "tower:25"),
    Preset("Tower of 36", "tower:36"),
    Preset("Nim 7,5,3", "nim:7,5,3"),
    Preset("Nim 3,5,4,2,6, misère", "nim:3,5,4,2,6:misere"),
    Preset("21 matches, take 1 to 3, misère", "subtraction:21,3:misere"),
    Preset("Neighbours 1,3,5,7", "adjacent:1,3,5,7"),
    Preset("Kayles 1,3,5,7", "kayles:1,3,5,7"),
    Preset("Noughts and crosses, 3 × 3", "noughts:3x3x3"),
    Preset("Chomp, 4 × 5", "chomp:4x5"),
    Preset("Connect Four, 7 × 6", "connect4"),
    Preset("Connect Four, 4 × 4", "connect4:4x4"),
)

"""Comparisons that start by name."""

from __future__ import annotations

from nimtui.ui.kit.mode import Preset
from nimtui.ui.play.compare_setup import CURVE, CompareSetup

PRESETS = (
    Preset(
        "Connect Four, 4 × 4: two searches",
        "MCTS, alpha-beta; lost position",
        CompareSetup("connect4:4x4", "1222", ("mcts:simulations=10000,c=1.0", "alphabeta:depth=8")),
    ),
    Preset(
        "Tower of 16, two learners",
        "reward, proof: 1,000 games each",
        CompareSetup("tower:16", "1,3,5,6", ("reward:games=1000,seed=0", "proof:games=1000,seed=0")),
    ),
    Preset(
        "Nim 3,5,4,2,6, two searches",
        "flat Monte Carlo sees nothing",
        CompareSetup("nim:3,5,4,2,6", None, ("mc:playouts=10000", "mcts:simulations=100000,c=1.0")),
    ),
    Preset(
        "Connect Four, 4 × 4: effort until right",
        "more effort, another move",
        CompareSetup(
            "connect4:4x4", "122", ("mcts:simulations=10000,c=1.0", "mc:playouts=2000", "alphabeta:depth=10"), 0, CURVE
        ),
    ),
)

"""Comparisons that start by name."""

from __future__ import annotations

from nimtui.ui.kit.preset import Preset
from nimtui.ui.play.compare_setup import CURVE, CompareSetup

PRESETS = (
    Preset(
        "Tree search beside alpha-beta, Connect Four 4 × 4",
        "a lost position: who sees it, and when",
        CompareSetup("connect4:4x4", "1222", ("mcts:simulations=10000,c=1.0", "alphabeta:depth=8")),
    ),
    Preset(
        "Two learners on the tower",
        "reward and proof after 1,000 games each",
        CompareSetup("tower:16", "1,3,5,6", ("reward:games=1000,seed=0", "proof:games=1000,seed=0")),
    ),
    Preset(
        "Flat Monte Carlo beside tree search, Nim 3,5,4,2,6",
        "flat Monte Carlo sees no difference",
        CompareSetup("nim:3,5,4,2,6", None, ("mc:playouts=10000", "mcts:simulations=100000,c=1.0")),
    ),
    Preset(
        "Effort until right, Connect Four 4 × 4",
        "how the choice changes with the effort",
        CompareSetup(
            "connect4:4x4", "122", ("mcts:simulations=10000,c=1.0", "mc:playouts=2000", "alphabeta:depth=10"), 0, CURVE
        ),
    ),
)

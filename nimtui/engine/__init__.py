"""The compiled engine: one generic kernel per algorithm, specialised by Numba for every game.

Only the modules with kernels import Numba: importing `nimtui.engine` or `nimtui.engine.rng` does not load it.
"""

"""The compiled engine: one generic kernel an algorithm, specialised by Numba for every game.

The only room that imports Numba, and only in its kernels' modules: importing `nimtui.engine` or `nimtui.engine.rng`
loads none of it.
"""

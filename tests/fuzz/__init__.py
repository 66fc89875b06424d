"""Random input for the whole program: its screens, and its command lines over files that are damaged.

For the screens: a start state, random steps as bytes that the terminal driver reads, checks after every step, and for
what fails the shortest sequence that still fails. `python -m tests.fuzz --help` runs them for long; `test_*.py` here
run a little with fixed seeds, and every sequence that ever failed (`test_every_screen.py`). `NIMTUI_FUZZ` gives more.
"""

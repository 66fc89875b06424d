"""Random input for the whole program: its screens, the program on a terminal, its command line and its files.

Three drivers, each with its own generator and the same way of going about it: a start state, random steps, checks
after every step, and for what fails the shortest sequence that still fails.

* `pilot` runs the app in this process and reads bytes as the terminal driver does;
* `pty` runs the installed program on a real terminal;
* `cli` runs command lines, over files that were damaged.

`python -m tests.fuzz --help` runs them for long; `test_*.py` here run a little of each with fixed seeds, and every
sequence that ever failed (`test_fuzzers.py`).
"""

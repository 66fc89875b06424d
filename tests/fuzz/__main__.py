"""`python -m tests.fuzz`: the long run. Status 1 where anything was found."""

from __future__ import annotations

import argparse
import ast
import signal
import sys
from random import SystemRandom

from tests.fuzz.home import template
from tests.fuzz.hunt import hunt
from tests.fuzz.starts import STARTS
from tests.fuzz.trial import Trial, run


def main() -> int:
    parser = argparse.ArgumentParser(
        "python -m tests.fuzz", description="Random input; what fails is shrunk and shown."
    )
    parser.add_argument("--events", type=int, default=3_000, help="[default: 3,000]")
    parser.add_argument("--seed", type=int, help="[default: a random one, which is printed]")
    parser.add_argument("--start", action="append", metavar="NAME", help="only this start; repeat it for more")
    parser.add_argument("--replay", metavar="TEXT", help="run one sequence again: 'replay(…)' as it is printed")
    given = parser.parse_args()
    if given.replay is not None:
        start, size, steps = ast.literal_eval(given.replay.removeprefix("replay"))
        with template() as home:
            outcome = run(Trial(start, size, tuple(steps)), home)
        print(outcome.fault or "nothing")
        return int(outcome.fault is not None)
    if wrong := set(given.start or ()) - set(STARTS):
        parser.error(f"unknown start {sorted(wrong)[0]!r}. Starts: {', '.join(STARTS)}")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)  # it ends with what it has done
    seed = SystemRandom().randrange(1_000_000) if given.seed is None else given.seed
    print(f"seed {seed}, {given.events:,} events", flush=True)
    report = hunt(seed, given.events, given.start or sorted(STARTS))
    print(f"\n{report.told}")
    return 1 if report.found else 0


if __name__ == "__main__":
    sys.exit(main())

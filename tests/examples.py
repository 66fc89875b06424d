"""How many examples Hypothesis makes: few in every run, more by NIMTUI_EXAMPLES."""

from __future__ import annotations

import os

TIMES = int(os.environ.get("NIMTUI_EXAMPLES", "1"))


def examples(few: int) -> int:
    """Return `few`, or so many times as many as the environment asks for."""
    return few * TIMES

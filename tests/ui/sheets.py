"""Style sheets parsed once for all apps of a process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet


def parse_style_sheets_once(replace: Callable[[Any, str, Any], object]) -> None:
    """Let `replace` (as setattr) put a parser that remembers in the place of Textual's, which parses six times an app.

    Rules are known by their place in memory, as in Textual, but without a call of Python's for each look-up.
    """
    known: dict[tuple[Any, ...], Any] = {}
    parse = Stylesheet._parse_rules

    def parsed(sheet: Stylesheet, *words: Any, **more: Any) -> Any:
        key = (words, *more.items(), *sheet._variables.items())
        if key not in known:
            known[key] = parse(sheet, *words, **more)
        return known[key]

    replace(Stylesheet, "_parse_rules", parsed)
    replace(RuleSet, "__hash__", object.__hash__)

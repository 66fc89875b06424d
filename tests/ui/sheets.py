"""What apps of tests need not do: parse style sheets that another one has parsed, cut lines for no terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual._compositor import Compositor
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


def cut_lines_for_terminals_only(replace: Callable[[Any, str, Any], object]) -> None:
    """Let `replace` (as setattr) have an app without a terminal draw its widgets, but put no lines together of them."""
    updated = Compositor.render_update

    def drawn(
        compositor: Any, full: bool = False, screen_stack: list[Any] | None = None, simplify: bool = False
    ) -> Any:
        def widgets(crop: Any, _: Any) -> list[dict[int, Any]]:
            for _ in compositor._get_renders(crop):
                pass
            return [{} for _ in compositor.cuts]

        if simplify or compositor.root is None or getattr(compositor.root.app, "has_terminal", True):
            return updated(compositor, full, screen_stack, simplify)
        compositor._render_chops = widgets
        try:
            return updated(compositor, full, screen_stack)
        finally:
            compositor.__dict__.pop("_render_chops", None)

    replace(Compositor, "render_update", drawn)

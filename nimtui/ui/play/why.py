"""Paint why a position is won or lost, in three depths: plain words, the reason in binary, and the terms."""

from __future__ import annotations

from collections.abc import Iterator

from nimtui import glossary
from nimtui.report.blocks import Report
from nimtui.report.cells import cells
from nimtui.report.lines import Ink, Line, keys, line, paragraphs, plain_text
from nimtui.theory.explanation import Depth, Explanation, sentences
from nimtui.theory.report import reason
from nimtui.ui.kit import keymap
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint
from nimtui.ui.play import sentences as words
from nimtui.ui.play.conductor import PlayConductor


def paint(conductor: PlayConductor) -> Paint:
    """Return the painter of the explanation."""
    if not conductor.explaining.on:
        ask = [line(("Why", Ink.TITLE)), line((_why_key(), Ink.KEY), (" explains the position", Ink.QUIET))]
        return lambda columns, rows, signs: ask
    explanation, depth = conductor.explaining.found, conductor.explaining.depth
    ending = words.result(conductor.session) if conductor.session.over else ""
    return lambda columns, rows, signs: why_lines(explanation, columns, rows, signs, ending, depth)


def _why_key() -> str:
    return keymap.key_of("play.why", "w")


def why_lines(
    why: Explanation | str | None, columns: int, rows: int, signs: Glyphs, ending: str = "", depth: Depth = Depth.PLAIN
) -> list[Line]:
    """Return the lines of the explanation `why` at a depth; None means that it is not ready yet.

    `ending` says how a finished game ended, with names.
    """
    head = line(("Why", Ink.TITLE))
    if why is None:
        return [head, line((f"solving {signs.hidden}", Ink.QUIET))]
    if isinstance(why, str):
        lines = paragraphs([signs.plain(f"{why[:1].upper()}{why[1:]}.")], columns)
    elif why.over:
        rule = f"The player who takes the last match {'loses' if why.misere else 'wins'}."
        ended = [ending, *([rule] if why.rows else [])] if ending else sentences(why)
        lines = paragraphs([signs.plain(text) for text in ended], columns)
    else:
        head = line(("Why  ", Ink.TITLE), *keys("", _why_key(), f" {depth.deeper.value if depth.deeper else 'close'}"))
        choices = list(_at_depth(why, depth, columns, signs))
        lines = next((fitting for fitting in choices if len(fitting) < rows), choices[-1])
    if len(lines) > rows - 1:
        lines = [*lines[: rows - 2], line((signs.hidden, Ink.QUIET))]
    return [head, *lines]


def _at_depth(why: Explanation, depth: Depth, columns: int, signs: Glyphs) -> Iterator[list[Line]]:
    """Yield the lines at a depth, then shorter ones for a panel that has no room for them."""
    if depth is Depth.TERMS:
        terms = list(glossary.meanings(why.terms, why.meaning))
        brief = [(term, f"{meaning.partition('. ')[0].rstrip('.')}.") for term, meaning in terms]
        for some in (terms, brief):
            yield [text for term, meaning in some for text in _term_lines(term, meaning, columns, signs)]
        return
    table = cells(Report(reason(why)), columns, signs=signs) if depth is Depth.REASON else []
    texts = [signs.plain(text) for text in (sentences(why) if depth is Depth.REASON else why.plain)]
    yield [*table, *paragraphs(texts, columns)]
    yield [*table, *paragraphs([" ".join(texts)], columns)]
    if table and why.remoteness:
        yield [*table, *paragraphs([" ".join(texts[:-1])], columns)]  # the plain words say how soon the game ends


def _term_lines(name: str, meaning: str, columns: int, signs: Glyphs) -> list[Line]:
    """Return a term, which stands out, and what it means."""
    first, *rest = paragraphs([signs.plain(f"{name}: {meaning}")], columns)
    text = plain_text(first)
    return [line((text[: len(name)], Ink.STRONG), text[len(name) :]), *rest]

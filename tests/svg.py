"""The cells of a screen as an SVG picture, word by word: any monospaced font keeps the columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

WIDTH, HEIGHT, MARGIN = 9.6, 20, 16  # of a cell, and around the screen, in units of the picture
BASELINE = 15  # below the top of a cell
FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
INK = "#e0e0e0"  # of text without a colour of its own
BLOCKS = {  # signs that fill a part of their cell: left, top, width, height in eighths; opacity
    **{sign: (0, 0, 8 - at, 8, 1.0) for at, sign in enumerate("█▉▊▋▌▍▎▏")},
    **{sign: (0, 7 - at, 8, at + 1, 1.0) for at, sign in enumerate("▁▂▃▄▅▆▇")},
    **{"▐": (4, 0, 4, 8, 1.0), "▀": (0, 0, 8, 4, 1.0)},
    **{"░": (0, 0, 8, 8, 0.25), "▒": (0, 0, 8, 8, 0.5), "▓": (0, 0, 8, 8, 0.75)},
}
ALL = "".join(BLOCKS)
PART = re.compile(rf"[{ALL}]|[^\s{ALL}]+")


def screen(app: Any) -> str:
    """Return the picture of what an app shows now."""
    lines = [list(strip) for strip in app.screen._compositor.render_strips(app.size)]
    grounds = [each.styles.background for each in reversed(app.screen_stack)]
    return picture(lines, next(ground for ground in grounds if ground.a).rgb)  # a dialog over a screen has none


def picture(lines: Sequence[Sequence[Segment]], ground: tuple[int, int, int]) -> str:
    """Return the picture of these lines, in a frame of the colour of the ground."""
    columns = max(sum(segment.cell_length for segment in line) for line in lines)
    width, height = f"{columns * WIDTH + 2 * MARGIN:g}", len(lines) * HEIGHT + 2 * MARGIN
    back = "#{:02x}{:02x}{:02x}".format(*ground)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' role="img">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{back}"/>',
        f'<g font-family="{FONT}" font-size="16">',
    ]
    for row, line in enumerate(lines):
        column = 0
        for segment in line:
            parts += _segment(segment, MARGIN + column * WIDTH, MARGIN + row * HEIGHT, back)
            column += segment.cell_length
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


def _segment(segment: Segment, left: float, top: int, back: str) -> Iterator[str]:
    style = segment.style or Style()
    ink = style.color.get_truecolor().hex if style.color is not None else INK
    paper = style.bgcolor.get_truecolor().hex if style.bgcolor is not None else back
    if style.reverse:
        ink, paper = paper, ink
    if paper != back:
        yield _rectangle(left, top, segment.cell_length * WIDTH, HEIGHT, paper)
    look = (' font-weight="bold"' if style.bold else "") + (' text-decoration="underline"' if style.underline else "")
    for part in PART.finditer(segment.text):
        x = left + cell_len(segment.text[: part.start()]) * WIDTH
        if part[0] in BLOCKS:
            across, down, wide, high, opacity = BLOCKS[part[0]]
            sides = x + across * WIDTH / 8, top + down * HEIGHT / 8, wide * WIDTH / 8, high * HEIGHT / 8
            yield _rectangle(*sides, ink, opacity)
        else:
            length = f'textLength="{cell_len(part[0]) * WIDTH:.1f}"'
            words = escape(part[0], quote=False)
            yield f'<text x="{x:.1f}" y="{top + BASELINE}" fill="{ink}" {length}{look}>{words}</text>'


def _rectangle(x: float, y: float, width: float, height: float, fill: str, opacity: float = 1.0) -> str:
    shade = "" if opacity == 1 else f' fill-opacity="{opacity}"'
    return f'<rect x="{x:.1f}" y="{y:g}" width="{width:.1f}" height="{height:g}" fill="{fill}"{shade}/>'

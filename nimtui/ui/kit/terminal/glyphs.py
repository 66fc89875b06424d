"""The signs of all screens: Unicode, or ASCII for terminals without it.

The start of the app (`nimtui.ui.app.terminal`) and the settings choose one of the two; widgets read
`shell(self).glyphs` whenever they draw. Every sign is one cell wide unless said otherwise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from nimtui.signs import COMMON, visible


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs, named by their meaning; by default those of Unicode."""

    name: str

    # Pictures by area.
    pixels: tuple[int, int] = (2, 2)  # of a cell: across and down; (1, 1): a letter per cell
    grounds: bool = True  # are there colours for the ground of a sign?
    ratio: float = 2.0  # the height of a cell in widths

    # The boards.
    match: str = "┃"  # a standing match
    chosen: str = "╳"  # one that the marked move would take
    ghosts: tuple[str, str] = ("∙", "∘")  # where the first, where the second player took one
    last: tuple[str, str] = ("■", "□")  # the same, taken by the last move
    discs: tuple[str, str] = ("●", "○")  # of the first and of the second player

    # Lists and text.
    cursor: str = "▸"  # in front of the chosen line
    mark: tuple[str, str] = ("▌", "▐")  # around the chosen word of a line
    right: str = "✓"  # this is right, the perfect move
    wrong: str = "✗"  # a mistake
    fault: str = "!"  # in front of what went wrong and was mended
    hidden: str = "…"  # something stands in between: 'and so on'
    up: str = "↑"
    down: str = "↓"
    more_left: str = "◀"
    more_right: str = "▶"
    to: str = "→"  # from … to

    # Work and play.
    running: str = "▶"
    paused: str = "‖"

    # Bars: a full cell, then parts of a cell from small to large (none in ASCII).
    full: str = "█"
    parts: str = "▏▎▍▌▋▊▉"
    less: str = "░"  # a cell of a bar below zero

    # Lines.
    rule: str = "─"  # a horizontal line, one cell of it
    stem: str = "│"  # a vertical one
    cross: str = "┼"  # where two cross

    # The pictures of a training. Verdicts: lost position, right, wrong, undecided.
    verdicts: tuple[str, str, str, str] = ("·", "●", "×", "○")
    fresh: tuple[str, str, str, str] = ("·", "◉", "╳", "◎")  # the same, changed just now
    unmet: tuple[str, str, str, str] = ("·", "•", "∗", "◦")  # the same, of positions that no own game met
    # Of several positions in one cell most, but not all, are right; and changed just now.
    mostly: tuple[str, str] = ("◐", "◑")
    alone: tuple[str, str] = ("+", "−")  # of two learners only this one, only the other one is right
    theory: str = "┈"  # the line that theory promises
    strokes: tuple[str, ...] = ("",) * 5  # the four curves' lines in ASCII, and where they meet; braille for ''
    shades: str = "·░▒▓█"  # five bands, from the worst to the best
    waiting: str = "…"  # not worked out yet

    # A value history, in the order of `arena.history.Cell`: empty, middle, a drawn position, lost, won, the jump of a
    # mistake and its sign, believed by the player (in an episode: before it), by another agent (after it).
    history: str = " │┃░█─✗○◇"
    upright: str = " ─━░█│✗○◇"  # the same where bars stand upright

    # The pictures of a search.
    unfolded: str = "▾"  # in front of a node whose moves are shown below it
    folded: str = "▸"
    best: str = "★"  # on the best line
    scissors: str = "✂"  # pruned moves
    ends: tuple[str, str] = ("├", "┤")  # of an interval
    endless: tuple[str, str] = ("◂", "▸")  # of one without an end on that side

    @property
    def is_ascii(self) -> bool:
        """Whether all signs, but those of pictures by area, are ASCII."""
        return self.name == "ascii"

    def bar(self, share: float, width: int) -> str:
        """Return a bar of `share` (0 to 1), padded with spaces to `width` cells."""
        share = min(1.0, max(0.0, share))
        steps = len(self.parts) + 1
        cells, part = divmod(round(share * width * steps), steps)
        text = self.full * cells + (self.parts[part - 1] if part else "")
        return text.ljust(width)

    def signed_bar(self, share: float, width: int) -> str:
        """Return a bar of `share` (−1 to 1), not padded: another sign below zero, and empty only for 0."""
        if share < 0:
            return self.less * max(1, round(-share * width))
        bar = self.bar(share, width).rstrip()
        return (self.parts or self.full)[0] if share and not bar else bar

    def plain(self, text: str) -> str:
        """Return the text in visible characters, in ASCII if this is the ASCII set.

        Line breaks stay: the caller splits or joins lines.
        """
        if not text.isprintable():
            text = "\n".join(map(visible, text.split("\n")))
        elif not text.isascii():
            text = visible(text)
        if not self.is_ascii or text.isascii():
            return text
        text = _HALVES.sub(" ½", text).translate(_PLAIN)  # 1½ is not eleven halves
        return "".join(sign if sign.isascii() else "?" for sign in text)

    def keys(self, text: str) -> str:
        """Return names of keys as they are shown. In ASCII arrows are words: '^v' would be Ctrl+V."""
        if self.is_ascii:
            text = _ARROWS.sub(lambda signs: "/".join(_KEYS[sign] for sign in signs[0]), text)
        return self.plain(text)


UNICODE = Glyphs("unicode")
SEXTANTS = replace(UNICODE, pixels=(2, 3))  # few fonts have the signs for them; some terminals draw them themselves

ASCII = Glyphs(
    name="ascii",
    pixels=(1, 1),
    grounds=False,
    match="|",
    chosen="x",
    ghosts=(".", "o"),
    last=("+", "@"),
    discs=("X", "O"),
    cursor=">",
    mark=("[", "]"),
    right="+",
    wrong="x",
    hidden="~",
    up="^",
    down="v",
    more_left="<",
    more_right=">",
    to=">",
    running=">",
    paused="=",
    full="#",
    parts="",
    less="-",
    rule="-",
    stem="|",
    cross="+",
    verdicts=(".", "#", "x", "o"),
    fresh=(".", "@", "X", "O"),
    unmet=(".", ":", "-", "~"),
    mostly=("%", "&"),
    alone=("+", "-"),
    theory="-",
    strokes=("*", "o", ".", ":", "@"),
    shades=".:+*#",
    waiting="~",
    history=" |!=#-xoe",
    upright=" -~=#|xoe",
    unfolded="-",
    folded="+",
    best="*",
    scissors="%",
    ends=("[", "]"),
    endless=("<", ">"),
)

CONSOLE = replace(ASCII, pixels=(1, 2))  # the font of the Linux console has half blocks

_KEYS = {"↑": "up", "↓": "down", "←": "left", "→": "right", "⌫": "backspace"}
_ARROWS = re.compile(f"[{''.join(_KEYS)}]+")
_HALVES = re.compile(r"(?<=\d)½")
# What texts from below the interface may hold, and its nearest plain saying (some are longer).
_PLAIN = str.maketrans(
    COMMON
    | dict(zip("┃▸✓ö—∙…→▶‖▲⊕✂★èé‘„“”\u00a0", '|++o-.~>>=^^%*ee\'""" ', strict=True))
    | {"²": "^2", "½": "1/2", "±": "+-", "√": "sqrt", "⏎": "Enter"}
)

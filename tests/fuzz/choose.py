"""Random steps: what a person, a cat or a bad link could send to the screen there is now."""

from __future__ import annotations

import string
from collections.abc import Callable
from random import Random

from tests.fuzz import steps
from tests.fuzz.steps import CURSOR_KEYS, KEYS, Step
from tests.fuzz.watched import WatchedApp

SIZES = ((80, 24), (60, 20), (120, 40), (200, 60), (76, 21), (59, 20), (60, 19), (40, 10), (20, 5), (2, 20), (3, 24))
MOST_COLUMNS, MOST_LINES = 300, 100
COMMON = [KEYS[name] for name in ("enter", "enter", "escape", "down", "down", "up", "tab", "space", "backspace")]
AWAY = [KEYS[f"f{number}"] for number in range(1, 10)] + [KEYS["ctrl+p"], KEYS["ctrl+g"]]
ANSWERS = (b"\x1b[?1;2c", b"\x1b[0n", b"\x1b]11;rgb:0000/0000/0000\x1b\\", b"\x1b[5;7R", b"\x1b[?2026;2$y", b"\x1b")
LEAVING = (b"q", KEYS["ctrl+q"], KEYS["ctrl+c"])
NAMES = ("a1", "nim:3,2,1", "connect4", "noughts:3x3x3", "chomp:4x5", "tower:16", "mc:playouts=20", "perfect", "me")
NUMBERS = ("4455", "-1", "99999999999999999999", "1e400", "nan")
ODD = ("../..", "", " ", "d3\rd3\r", "line\nline\r\nline", "\u202eevil\u202c \u0301\u0301 👩‍👩‍👧 ﷽ ﬀ", "\0\x01\x7f\x9b")
CODES = ("[bold]x[/] [/] [@click=app.quit]q[/]", "\x1b]0;title\x07\x1b[31mred", "=1+1", "x" * 300)
TEXTS = NAMES + NUMBERS + ODD + CODES  # no path from the root: files are written where a person says


class Chooser:
    """A stream of random steps for one app: the same for the same seed, as long as the app does the same."""

    def __init__(self, app: WatchedApp, random: Random) -> None:
        self.app, self.random = app, random
        common = ((self._bound_key, 26), (self._cursor, 16), (self._common_key, 12), (self._ahead, 12))
        some = ((self._printable, 8), (self._click, 6), (self._wheel, 6), (self._move, 5), (self._paste, 4))
        rare = ((self._resize, 4), (self._drag, 3), (self._away, 2), (self._focus, 2))
        seldom = ((self._wait, 1), (self._any_bytes, 1))
        self._kinds: list[Callable[[], Step]] = []
        for kind, times in (*common, *some, *rare, *seldom):
            self._kinds += [kind] * times

    def step(self) -> Step:
        """The next step. Keys that leave are rare: every sequence leaves at its end anyway."""
        if self.app.too_small and self.random.random() < 0.25:
            return self.random.choice(SIZES[:5])
        step: Step = b""
        while step == b"" or (isinstance(step, bytes) and self._leaves(step) and self.random.random() < 0.97):
            step = self.random.choice(self._kinds)()
        return step

    def _leaves(self, data: bytes) -> bool:
        return data in LEAVING or LEAVING[1] in data or LEAVING[2] in data or b"q" in data.partition(b"\x1b[200~")[0]

    # Keys.

    def _bound_key(self) -> bytes:
        """A key that does something on the screen there is."""
        names = sorted({name for name, active in self.app.screen.active_bindings.items() if active.enabled})
        return steps.key(self.random.choice(names)) or b"" if names else b""

    def _common_key(self) -> bytes:
        return self.random.choice(COMMON)

    def _cursor(self) -> bytes:
        return self.random.choice(CURSOR_KEYS) * self.random.choice((1, 1, 1, 2, 5))

    def _away(self) -> bytes:
        return self.random.choice(AWAY)

    def _printable(self) -> bytes:
        letters = string.ascii_letters + string.digits + string.punctuation.replace("/", "") + " éß漢"
        return self.random.choice(letters).encode()

    def _ahead(self) -> bytes:
        """Several keys in one write."""
        kinds = (self._common_key, self._common_key, self._bound_key, self._cursor, self._away, self._click)
        few = [self.random.choice(kinds)() for _ in range(self.random.choice((2, 2, 2, 3, 4, 8)))]
        return few[0] * len(few) if self.random.random() < 0.4 else b"".join(few)

    # The mouse.

    def _place(self) -> tuple[int, int]:
        """A cell: in a widget that is shown, anywhere, or on the edge."""
        size, kind = self.app.size, self.random.random()
        if kind < 0.7:
            region = self.random.choice(list(self.app.screen.query("*")) or [self.app.screen]).region
            if region.width and region.height:
                x, y = self.random.randrange(region.width), self.random.randrange(region.height)
                return max(0, min(region.x + x, size.width - 1)), max(0, min(region.y + y, size.height - 1))
        if kind < 0.95:
            return self.random.randrange(max(1, size.width)), self.random.randrange(max(1, size.height))
        return self.random.choice(((0, 0), (size.width, size.height), (500, 500)))

    def _button(self) -> int:
        return self.random.choice((steps.LEFT, steps.LEFT, steps.LEFT, steps.MIDDLE, steps.RIGHT))

    def _click(self) -> bytes:
        return steps.click(self._button(), *self._place()) * self.random.choice((1, 1, 1, 2, 3))

    def _wheel(self) -> bytes:
        return steps.mouse(self.random.choice((64, 65, 66, 67)), *self._place()) * self.random.choice((1, 3))

    def _move(self) -> bytes:
        return steps.mouse(steps.MOVE, *self._place())

    def _drag(self) -> bytes:
        (x, y), (to_x, to_y), button = self._place(), self._place(), self._button()
        way = [steps.mouse(button, x, y), steps.mouse(button + steps.DRAG, to_x, to_y)]
        return b"".join([*way, steps.mouse(button, to_x, to_y, up=True)][: self.random.choice((2, 3, 3))])

    # The rest.

    def _paste(self) -> bytes:
        return steps.paste(self.random.choice(TEXTS))

    def _focus(self) -> bytes:
        return self.random.choice((steps.FOCUS_IN, steps.FOCUS_OUT, steps.FOCUS_OUT + steps.FOCUS_IN))

    def _resize(self) -> tuple[int, int]:
        if self.random.random() < 0.8:
            return self.random.choice(SIZES)
        return self.random.randint(1, MOST_COLUMNS), self.random.randint(1, MOST_LINES)

    def _wait(self) -> float:
        return self.random.choice((0.01, 0.05, 0.3))

    def _any_bytes(self) -> bytes:
        """Noise, and what terminals answer to questions that nobody asked."""
        noise = bytes(self.random.randrange(256) for _ in range(self.random.randrange(1, 6))).replace(b"/", b"")
        return self.random.choice((*ANSWERS, noise))

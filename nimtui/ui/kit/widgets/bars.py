"""The lines at the top and at the bottom of every screen, redrawn only when their content changes.

Above stand the app, its modes, the running jobs, and a link that is slow; below, under a tour, the screen's main keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

from rich.cells import cell_len
from rich.style import Style
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget

from nimtui.jobs import JobState
from nimtui.report.values import Progress
from nimtui.ui.kit.contract import START
from nimtui.ui.kit.contract.shell import Guide, shell
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.terminal.textual_parts import own_bindings
from nimtui.ui.kit.widgets.panel import Part, fitted, strip

PALETTE = "command_palette"
LAST_SPARE = 99  # of the palette on a dialog, where all other keys come first
ARROWS = {"up", "down", "left", "right"}  # keys that need no label
RARE = ("undo", "redo", "step", "pace")  # actions that are omitted first if room is short


@dataclass(frozen=True, slots=True)
class Hint:
    """A key, or a group of keys, with its label."""

    keys: tuple[tuple[str, str], ...]  # the key as it is shown, and as it is pressed
    label: str
    enabled: bool = True
    action: str = ""
    spare: int = 0  # above 0: omitted if room is short, the lowest first

    @property
    def width(self) -> int:
        """The width in cells, including the gap after it."""
        label = cell_len(self.label) + 1 if self.label else 0
        return sum(cell_len(key) for key, _ in self.keys) + len(self.between) * (len(self.keys) - 1) + label + 2

    @property
    def between(self) -> str:
        """What stands between the keys of a group: without a sign 'left' and 'right' would be one word."""
        return "/" if any(len(key) > 1 for key, _ in self.keys) else ""


def hints(screen: Screen[Any]) -> list[Hint]:
    """Return the keys to show, disabled ones included; the palette's is last."""
    app = shell(screen)
    spares = {action: place for place, action in enumerate(getattr(screen, "SPARE", ()), 1)}
    listed: list[Hint] = []
    grouped: dict[object, int] = {}
    actions: set[str] = set()
    palette: list[Hint] = []
    for active in screen.active_bindings.values():
        binding = active.binding
        key = (app.get_key_display(binding), binding.key)
        action = binding.action.partition("(")[0].removeprefix("app.")
        if binding.action == PALETTE:
            palette = [Hint((key,), binding.description, action=action)]
        if not binding.show or binding.action in actions:
            continue
        actions.add(binding.action)
        if binding.group is not None and binding.group in grouped:
            before = listed[grouped[binding.group]]
            enabled = before.enabled or active.enabled
            listed[grouped[binding.group]] = replace(before, keys=(*before.keys, key), enabled=enabled)
            continue
        label = binding.description
        if binding.group is not None:
            grouped[binding.group] = len(listed)
            label = binding.group.description or label
        listed.append(Hint((key,), label, active.enabled, action, spares.get(action, 0)))
    if not palette and isinstance(screen, ModalScreen):  # the app's keys that come first work there, too
        found = (binding for bindings in own_bindings(screen.app).key_to_bindings.values() for binding in bindings)
        palette = [
            Hint(((app.get_key_display(each), each.key),), each.description, action=PALETTE, spare=LAST_SPARE)
            for each in found
            if each.action == PALETTE and each.priority
        ][:1]
    return listed + palette


def fitting(shown: list[Hint], width: int) -> list[Hint]:
    """Return the keys that fit: first drop spare ones, then the arrows' labels, then the least useful keys.

    Help keeps its label longer than any other key, and the palette, which lists all keys, longer than that.
    """
    for shorter in _shorter(list(shown)):
        if sum(hint.width for hint in shorter) <= width:
            return shorter
    return []


def _shorter(hints: list[Hint]) -> Iterator[list[Hint]]:
    """Yield the keys, then fewer and fewer of them; help and the palette stay longest."""
    yield hints
    for spare in sorted(hint.spare for hint in hints if hint.spare):
        hints = [hint for hint in hints if hint.spare != spare]
        yield hints
    hints = [replace(hint, label="") if {key for _, key in hint.keys} <= ARROWS else hint for hint in hints]
    yield hints

    def use(hint: Hint) -> tuple[bool, ...]:
        return hint.action == PALETTE, hint.action == "help", hint.enabled, hint.action not in RARE

    while len(hints) > 1:
        least = min(map(use, hints))
        last = max(i for i, hint in enumerate(hints) if use(hint) == least)
        if hints[last].action == "help" and hints[last].label:
            hints[last] = replace(hints[last], label="")
        else:
            del hints[last]
        yield hints
    yield [replace(hint, label="") for hint in hints]


# The two lines of a guided tour above the keys of a screen: a sentence, and the key of the step.

Kind: TypeAlias = Literal["key", "said", "off", "guide"]
ROWS = 2


def paint_guide(guide: Guide, row: int, columns: int, signs: Glyphs) -> list[tuple[str, Kind]]:
    """Return the parts of one of the two lines, each with its kind. Of the sentence the longest that fits is shown."""
    parts: list[tuple[str, Kind]] = [(" ", "said")]
    if row == 0:
        texts = [signs.plain(text) for text in guide.says]
        room = columns - len(guide.place) - 4
        text = next((text for text in texts if cell_len(text) <= room), texts[-1] if texts else "")
        sentence = fitted(text, min(room, cell_len(text)), signs.hidden)
        return [*parts, (f"{guide.place}  ", "off"), (sentence, "guide")]
    for key, does in guide.keys:
        parts += [(signs.plain(key), "key"), (f" {signs.plain(does)}   ", "said")]
    return parts


class Footer(Widget):
    """Shows the keys in one line."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"footer--key", "footer--said", "footer--off", "footer--guide"}

    def __init__(self, *, palette: bool = True) -> None:
        super().__init__()
        self._palette = palette
        self._hints: list[Hint] = []
        self._guide: Guide | None = None  # as drawn last

    def on_mount(self) -> None:
        self._hints = self._look()
        self.screen.bindings_updated_signal.subscribe(self, self._changed)
        shell(self).settings_changed.subscribe(self, lambda _: self._changed(self.screen))

    def _look(self) -> list[Hint]:
        return [hint for hint in hints(self.screen) if self._palette or hint.action != PALETTE]

    def _changed(self, screen: Screen[Any]) -> None:
        if screen is self.screen and (now := self._look()) != self._hints:
            self._hints = now
            self.refresh()

    def look(self) -> None:
        """Redraw the tour's lines if they have changed."""
        if shell(self).guide != self._guide:
            self._guide = shell(self).guide
            self.refresh()

    def render_line(self, y: int) -> Strip:
        width, signs = self.size.width, shell(self).glyphs
        if (step := shell(self).guide) is not None and y < self.size.height - 1:
            styled = ((text, f"footer--{kind}") for text, kind in paint_guide(step, y, width, signs))
            return strip([(text, self.get_component_rich_style(name)) for text, name in styled], width, self.rich_style)
        off, said_style = (self.get_component_rich_style(f"footer--{part}") for part in ("off", "said"))
        key_style = self.get_component_rich_style("footer--key")
        hints = fitting(self._hints, width)
        parts: list[Part] = [(" ", self.rich_style)]
        for number, hint in enumerate(hints):
            if hint.action == PALETTE and number:
                room = width - sum(cell_len(text) for text, _ in parts) - hint.width + 1
                parts.append((" " * room, self.rich_style))
            for at, (key, pressed) in enumerate(hint.keys):
                press = Style.from_meta({"@click": f"app.simulate_key('{pressed}')"})
                parts.append((hint.between * (at > 0) + key, (key_style if hint.enabled else off) + press))
            if hint.label:
                parts.append((f" {signs.plain(hint.label)}", (said_style if hint.enabled else off) + press))
            parts.append(("  ", self.rich_style))
        return strip(parts, width, self.rich_style)


PREPARING = " preparing"
LONGEST = 1_000  # cells of a job that has all the room it wants
SLOW_LINK = "slow link"
WORK_ROOM = 13  # cells kept free for the jobs before the modes are shown with their keys


def job_line(job: Any, signs: Glyphs, room: int = LONGEST) -> str:
    """Return one running job: '▶ hard 41 %'. A long name is cut, the share is not.

    A job that prepares, or waits for the compiler, has no share: '▶ hard preparing', the word only if it fits.
    """
    snapshot, name = job.snapshot, signs.plain(job.name)
    sign = signs.paused if job.state is JobState.PAUSED else signs.running
    share = "" if snapshot.share is None else f" {Progress(snapshot.share).text}"
    if snapshot.prepares or job.compiling:
        share = PREPARING if cell_len(name) + 2 + len(PREPARING) <= room else ""
    return f"{sign} {fitted(name, max(2, min(cell_len(name), room - 2 - len(share))), signs.hidden)}{share}"


def jobs_line(jobs: Sequence[Any], signs: Glyphs, room: int = LONGEST) -> str:
    """Return the oldest running job and the number of others; '' if no job runs."""
    if not jobs:
        return ""
    more = f"  +{len(jobs) - 1}" if len(jobs) > 1 else ""
    return job_line(jobs[0], signs, room - len(more)) + more


class Header(Widget):
    """Shows the modes, the jobs and a slow link. Its page lets it look; it redraws only changes."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"header--{part}" for part in ("name", "key", "mode", "current", "job")}

    def __init__(self) -> None:
        super().__init__()
        self._work = ""

    def look(self) -> None:
        """Redraw the jobs if they have changed."""
        app = shell(self)
        room = self.size.width - self._used(self.size.width)[1] - 1
        own = app.jobs.running()
        followed = {job.name for job in own}
        work = jobs_line([*own, *(one for one in app.elsewhere if one.name not in followed)], app.glyphs, room)
        if app.link_is_slow and cell_len(work) + len(SLOW_LINK) + 2 <= room:
            work = f"{SLOW_LINK}  {work}".rstrip()
        if work != self._work:
            self._work = work
            self.refresh()

    def render_line(self, y: int) -> Strip:
        app, width = shell(self), self.size.width
        signs = app.glyphs

        def style(part: str, action: str = "") -> Style:
            look = self.get_component_rich_style(f"header--{part}")
            return look + Style.from_meta({"@click": action}) if action else look

        keyed, used = self._used(width)
        parts = [(" nimtui", style("name", f"app.mode('{START}')")), ("  ", self.rich_style)]
        for mode in app.modes:
            action, current = f"app.mode('{mode.name}')", app.current_mode == mode.name
            if keyed:
                parts.append((f" {mode.key.upper()}", style("key", action)))
            before, right = signs.mark if current else (" ", " ")
            parts.append((f"{before}{mode.title}{right}", style("current" if current else "mode", action)))
        room = width - used - 1
        if self._work and room > 2:
            work = fitted(self._work, min(room, cell_len(self._work)), signs.hidden)
            parts += [(" " * (room - cell_len(work)), self.rich_style), (work, style("job"))]
        return strip(parts, width, self.rich_style)

    def _used(self, width: int) -> tuple[bool, int]:
        """Return whether the modes are shown with their keys, and how many cells they take."""
        modes = shell(self).modes
        plain = sum(len(mode.title) + 2 for mode in modes) + 9
        keys = sum(len(mode.key) + 1 for mode in modes)
        return (True, plain + keys) if plain + keys + WORK_ROOM <= width else (False, plain)

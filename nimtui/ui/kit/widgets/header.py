"""The line at the top of every screen: the app, its modes, the running jobs, and a link that is slow."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from nimtui.jobs import Job, JobState
from nimtui.report.values import Progress
from nimtui.store.settings import Settings
from nimtui.ui.kit.contract.mode import START
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.canvas import fitted, strip

PREPARING = " preparing"
LONGEST = 1_000  # cells of a job that has all the room it wants
SLOW_LINK = "slow link"
WORK_ROOM = 13  # cells kept free for the jobs before the modes are shown with their keys


def job_line(job: Job[Any], signs: Glyphs, room: int = LONGEST) -> str:
    """Return one running job: '▶ hard 41 %'. A long name is cut, the share is not.

    A job that prepares, or waits for the compiler, has no share: '▶ hard preparing', the word only if it fits.
    """
    snapshot, name = job.snapshot, signs.plain(job.name)
    sign = signs.paused if job.state is JobState.PAUSED else signs.running
    share = "" if snapshot.share is None else f" {Progress(snapshot.share).text}"
    if snapshot.prepares or job.compiling:
        share = PREPARING if cell_len(name) + 2 + len(PREPARING) <= room else ""
    return f"{sign} {fitted(name, max(2, min(cell_len(name), room - 2 - len(share))), signs.hidden)}{share}"


def jobs_line(jobs: list[Job[Any]], signs: Glyphs, room: int = LONGEST) -> str:
    """Return the oldest running job and the number of others; '' if no job runs."""
    if not jobs:
        return ""
    more = f"  +{len(jobs) - 1}" if len(jobs) > 1 else ""
    return job_line(jobs[0], signs, room - len(more)) + more


class Header(Widget):
    """Shows the modes, the jobs and a slow link. It checks them a few times a second and redraws only changes."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"header--{part}" for part in ("name", "key", "mode", "current", "job")}

    def __init__(self) -> None:
        super().__init__()
        self._work = ""

    def on_mount(self) -> None:
        app = shell(self)
        self._timer = self.set_interval(app.tick, self.look)
        app.settings_changed.subscribe(self, self._settings_changed)

    def _settings_changed(self, _: Settings) -> None:
        self._timer.stop()
        self._timer = self.set_interval(shell(self).tick, self.look)

    def look(self) -> None:
        """Redraw the jobs if they have changed."""
        if not self.screen.is_current:
            return
        app = shell(self)
        room = self.size.width - self._used(self.size.width)[1] - 1
        work = jobs_line(app.jobs.running(), app.glyphs, room)
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

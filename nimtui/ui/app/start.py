"""Where the app begins: what can be done here, said in a few lines. Needs no game and no engine."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from nimtui.ui.app import modes
from nimtui.ui.kit.choices import Choice, Choices
from nimtui.ui.kit.entries import fresh_seed
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.page import Page
from nimtui.ui.kit.shell import shell
from nimtui.ui.play.setup import PlaySetup

INVITING = [mode for mode in modes.MODES if mode.letter]
TOWER = (1, 3, 5, 7)
WATCHED = PlaySetup(seats=("medium", "perfect"))


def tower(signs: Glyphs) -> str:
    """The classic tower of 16 matches, as a picture."""
    widest = max(TOWER)
    lines = ("  ".join([signs.match] * matches).center(3 * widest - 2) for matches in TOWER)
    return "\n".join(line.rstrip() for line in lines)


class StartScreen(Page[None]):
    """A few choices, each with a letter."""

    BINDING_GROUP_TITLE = "Start"
    HELP = """nimtui is a laboratory in the terminal for how machines learn and search small games.

Play a game of Nim, Kayles or Connect Four against a machine, and ask it what it thinks and why you lost.
Train a table of scores, and watch it learn position by position.
Search a position, and see every line that was looked at, and every one that was left out.
A tournament lets agents play each other, and says who is stronger and how sure that is.
Sweep tries the constants of a learner against each other.
The library has all that is kept."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "app.play_now", "Play now", show=False),
        Binding("n", "app.new_game", "New game", tooltip="Choose the game and who plays"),
        Binding("w", "watch", "Watch", show=False, tooltip="Two machines play each other"),
        *(
            Binding(mode.letter, f"app.mode('{mode.name}')", mode.title, show=False, tooltip=mode.about)
            for mode in INVITING
        ),
        Binding("c", "back", "Continue the game", show=False),
        Binding("s", "app.settings", "Settings"),
        Binding("q", "app.quit", "Quit"),
    ]

    def compose(self) -> ComposeResult:
        yield Header()
        with Vertical(id="middle"):
            with Horizontal(id="banner"):
                yield Static(id="tower", markup=False)
                with Vertical(id="about"):
                    yield Static("nimtui", id="name", markup=False)
                    yield Static("small games, and machines\nthat learn and search them", markup=False)
            yield Choices(self._choices())
            yield Static(id="faults", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        shell(self).settings_changed.subscribe(self, lambda _: self._draw())

    def on_screen_resume(self) -> None:
        self._draw()

    def _draw(self) -> None:
        app = shell(self)
        self.query_one("#tower", Static).update(tower(app.glyphs))
        faults = "\n".join(f"{app.glyphs.fault} {app.glyphs.plain(line)}" for line in app.faults)
        self.query_one("#faults", Static).update(faults)
        choices = self.query_one(Choices)
        before, now = choices.choices, self._choices()
        marked = choices.marked.value if choices.marked else "play"
        choices.show(now, marked if len(now) == len(before) else now[0].value)
        self.refresh_bindings()

    def _choices(self) -> list[Choice]:
        choices = [
            Choice("play", "Play now", "16 matches against a machine that first teaches itself", "p"),
            Choice("new", "New game", "choose the game, who plays, who begins", "n"),
            Choice("watch", "Watch", "two machines play each other", "w"),
            *(Choice(mode.name, mode.title, mode.invitation, mode.letter) for mode in INVITING),
            Choice("settings", "Settings", "colours, signs, pace", "s"),
            Choice("quit", "Quit", "", "q"),
        ]
        if shell(self).playing:
            choices.insert(0, Choice("back", "Continue", "the game as you left it", "c"))
        return choices

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return shell(self).playing if action == "back" else True

    async def on_choices_taken(self, message: Choices.Taken) -> None:
        actions = {
            "play": "app.play_now",
            "new": "app.new_game",
            **{mode.name: f"app.mode('{mode.name}')" for mode in INVITING},
            "settings": "app.settings",
            "quit": "app.quit",
        }
        await self.run_action(actions.get(message.choice.value, message.choice.value))

    def action_watch(self) -> None:
        """Ask for two machines, with two put in that need no preparation."""
        shell(self).action_new_game(replace(WATCHED, seed=fresh_seed()))

    def action_back(self) -> None:
        shell(self).switch_mode("play")

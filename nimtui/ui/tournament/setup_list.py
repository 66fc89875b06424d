"""The set-ups of tournaments there are: one is put into the form, those of one's own can be deleted."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.jobs import Job
from nimtui.store import setups
from nimtui.store.setups import Saved
from nimtui.ui.kit.choices import Choice, Choices
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.page import Framed
from nimtui.ui.kit.shell import shell
from nimtui.ui.tournament.setup import PRESETS, TournamentSetup


class SetupList(Framed[TournamentSetup | None]):
    """The set-ups there are: those that were saved, and those that come with nimtui."""

    BINDING_GROUP_TITLE = "Set-ups"
    HELP = """Enter puts the marked set-up into the form, where it can be changed before it begins.

Ctrl+D deletes one that was saved; u brings it back."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+d,delete", "delete", "Delete", key_display="^d", tooltip="Delete the marked set-up"),
        Binding("u", "undo", "Undo", tooltip="Bring back what was deleted"),
        Binding("escape,backspace", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._saved: dict[str, Saved] = {}
        self._deleted: list[Saved] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = "Set-ups"
            yield Static("", id="intro", markup=False)
            yield Choices()
        yield Footer(palette=False)

    def on_mount(self) -> None:
        self.query_one(Choices).focus()
        self._list()

    def _list(self, said: str = "") -> None:
        """Look what there is, in the background."""

        def found(job: Job[tuple[list[Saved], list[str]]]) -> None:
            self._found(*(job.result or ([], [])), said)

        self.fetch("set-ups", lambda _: setups.saved_setups(), found)

    def _found(self, saved: list[Saved], faults: list[str], said: str) -> None:
        self._saved = {str(one.path): one for one in saved}
        if not saved:
            usual = "Ctrl+S in the form saves a set-up under its name; these come with nimtui:"
        else:
            usual = f"{plural(len(saved), 'set-up', 'set-ups')} of your own, then those that come with nimtui:"
        text = "\n".join([*faults, said or usual])
        self.query_one("#intro", Static).update(shell(self).glyphs.plain(text))
        choices = self.query_one(Choices)
        marked = choices.marked.value if choices.marked is not None else None
        own = [Choice(path, one.name, _about(one)) for path, one in self._saved.items()]
        shown = [*own, *(Choice(str(at), preset.title, preset.about) for at, preset in enumerate(PRESETS))]
        choices.show(shown, marked if any(one.value == marked for one in shown) else shown[0].value)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "delete" and not self._marked():
            return None
        return bool(self._deleted) if action == "undo" else True

    def _marked(self) -> Saved | None:
        marked = self.query_one(Choices).marked if self.there else None
        return self._saved.get(marked.value) if marked is not None else None

    def on_choices_marked(self, message: Choices.Marked) -> None:
        self.refresh_bindings()

    def on_choices_taken(self, message: Choices.Taken) -> None:
        saved = self._saved.get(message.choice.value)
        if saved is None:
            self.dismiss(PRESETS[int(message.choice.value)].setup)
            return
        try:
            self.dismiss(TournamentSetup.from_document(saved.document))
        except InputError as fault:
            self.query_one("#intro", Static).update(shell(self).glyphs.plain(f"{saved.path}: {fault}"))

    def action_delete(self) -> None:
        if (saved := self._marked()) is None:
            return
        try:
            setups.delete(saved)
        except InputError as fault:
            self._list(str(fault))
            return
        self._deleted.append(saved)
        self._list(f"'{saved.name}' is deleted; u brings it back")

    def action_undo(self) -> None:
        saved = self._deleted.pop()
        try:
            setups.save(saved.name, saved.document)
        except InputError as fault:
            self._list(str(fault))
        else:
            self._list(f"'{saved.name}' is back")


def _about(saved: Saved) -> str:
    """What is played, as far as the file can be read."""
    try:
        setup = TournamentSetup.from_document(saved.document)
    except InputError as fault:
        return str(fault)
    return f"{' '.join(setup.games)} · {plural(len(setup.agents), 'agent', 'agents')} · {setup.pairs}"

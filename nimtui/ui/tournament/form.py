"""The form of a new tournament: its fields, plan and size; and the list of saved set-ups."""

from __future__ import annotations

from typing import Any, ClassVar

from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.store import setups
from nimtui.store.setups import Saved
from nimtui.ui.kit.contract.command import Command, NotNow, absent
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.forms.choices import Choice, Choices
from nimtui.ui.kit.forms.dialogs import ListDialog
from nimtui.ui.kit.forms.draft import Draft, Finding
from nimtui.ui.kit.forms.form import FieldInput, FieldLine, Form
from nimtui.ui.kit.widgets.page import closing
from nimtui.ui.tournament.draft import AGENT, TournamentDraft, look, place_of
from nimtui.ui.tournament.setup import OWN, PRESETS, TournamentSetup

REMOVE = "Take this agent off the list"
LOAD = "Load a saved set-up or a ready one"


class AgentInput(FieldInput, place="agent"):
    """A field of the list of agents: Enter moves to the next one."""

    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        Command("enter", "submit", "Next"),
        Command("ctrl+d", "remove", "Remove", REMOVE, lambda field: field.screen.remove_agent()),
        Command("ctrl+t", "first", "First", "Put this agent first", lambda field: field.screen.put_first()),
        Command("f8", "screen.start", "Start", "Start the tournament"),
    )


class AgentField(FieldLine):
    """One agent of the list, or the empty line for another one."""

    INPUT = AgentInput


class TournamentForm(Form[TournamentSetup], place="new-tournament"):
    """The form of a tournament; each setting has a field and is checked while it is typed."""

    BESIDE = (AgentInput,)
    HELP = """Each agent has a line. Type another agent into the empty line, or choose it with the up and down keys. \
Enter moves to the next line; in the empty line it starts the tournament. F8 starts it from any field.

Ctrl+D removes the agent of this line. Ctrl+T puts it first: in a gauntlet the first agent plays all the others.

Ctrl+S saves the set-up under its name. Ctrl+O loads a saved set-up or one that comes with nimtui."""
    BINDING_GROUP_TITLE = "A tournament"
    _draft: TournamentDraft

    def __init__(self, setup: TournamentSetup | None = None, draft: TournamentDraft | None = None) -> None:
        """Start from this set-up, or an empty one; or from a `draft` that was left earlier."""
        super().__init__(draft or TournamentDraft.of(setup or OWN))
        self._looking = False  # are the openings being checked?
        self._starting = False  # start as soon as the openings are checked
        self._replacing = ""  # the saved set-up that the next Ctrl+S replaces
        self._note: tuple[str, Finding] | None = None  # shown as the hint of a field

    def kind_of(self, name: str) -> type[FieldLine]:
        return FieldLine if place_of(name) < 0 else AgentField

    @property
    def draft(self) -> TournamentDraft:
        """Return the contents of the fields."""
        return self._draft

    def show(self) -> None:
        super().show()
        if self._note is not None and self._note[0] == self.current:
            self.say(self._note[1].text, wrong=not self._note[1].right)
        else:
            self._note = None
        self._look()

    def _remark(self, text: str, *, right: bool = False, field: str = "") -> None:
        """Show a note in a field, the current one by default, until the focus or a text changes."""
        self._note = field or self.current, Finding(right, text)
        if field:
            self.set_focus(self.field(field).input)
        self.show()

    def _look(self) -> None:
        """Check in the background whether such openings exist, which may take a while."""
        question = self._draft.question
        if question is None or self._looking:
            return

        def answered(fault: str) -> None:
            self._looking = False
            self._draft = self._draft.answered(question, fault)
            self.show()
            if self._starting and self._draft.question is None:
                self.start()

        self._looking = True
        self.fetch("openings", lambda _: look(question), answered, answered)

    async def take(self, draft: Draft[TournamentSetup]) -> None:
        self._starting, self._replacing, self._note = False, "", None
        await super().take(draft)

    async def typed(self, name: str, text: str) -> None:
        if place_of(name) >= 0:
            self._listed = ""  # list agents by the typed text
        await super().typed(name, text)

    async def entered(self, name: str) -> None:
        """Move to the next agent; in the empty line, and outside the list, start."""
        if place_of(name) < 0 or not self._draft.text(name).strip():
            self.start()
            return
        if (meant := self._draft.completed(name)) is not None:
            await self.take(meant)
        if self._draft.finding(name).right:
            self.field(f"{AGENT}{place_of(name) + 2}").input.focus()

    def start(self) -> None:
        """Start, as soon as the openings are checked."""
        if self._refused("not started"):
            return
        self._starting = self._draft.question is not None
        if self._starting:
            self._remark("starts as soon as the openings are checked", right=True)
        else:
            super().start()

    def _refused(self, said: str) -> bool:
        """Return whether a field is wrong. Focuses the first wrong field and says why."""
        if (wrong := self.first_wrong) is not None:
            self._remark(f"{said}: {wrong[1].text}", field=wrong[0])
        return wrong is not None

    async def remove_agent(self) -> None:
        self._listed = ""
        await self.take(self._draft.without(self.current))

    async def put_first(self) -> None:
        draft = self._draft.first(self.current)
        self.field(f"{AGENT}1").input.focus()
        await self.take(draft)

    def save(self) -> None:
        """Save the set-up under its name; replace an older one only if asked twice."""
        if self._refused("not saved"):
            return
        setup, key = self._draft.setup(), key_of("new-tournament.save", "ctrl+s")
        again, self._replacing = self._replacing == setup.name, ""
        try:
            if not setup.name:
                self._remark(f"enter a name here, then press {key}", field="name")
            elif setups.taken(setup.name) and not again:
                self._replacing = setup.name
                self._remark(f"'{setup.name}' exists: ctrl+s again replaces it; or change the name")
            else:
                self._remark(f"saved as {setups.save(setup.name, setup.document(), replace=again)}", right=True)
        except InputError as fault:
            self._remark(str(fault))

    async def _loaded(self, setup: TournamentSetup | None) -> None:
        if setup is not None:
            self._listed = ""
            self.field("games").input.focus()
            await self.take(TournamentDraft.of(setup))

    ROWS: ClassVar[tuple[Command[TournamentForm], ...]] = (
        Command("tab", "app.focus_next", "Next field", show=False),
        Command("ctrl+s", "save", "Save", "Save the set-up under its name", save),
        Command("ctrl+o", "load", "Load", LOAD, lambda form: form.app.push_screen(SetupList(), form._loaded)),
        Command("f8", "start", "Start", "Start the tournament", start, show=False),
    )


# The list of set-ups.


DELETE = "Delete the marked set-up"
UNMARKED, UNDELETED = NotNow("No set-up is marked"), absent("No set-up was deleted")


class SetupList(ListDialog[TournamentSetup | None], place="set-ups"):
    """The list of set-ups: saved ones, and those that come with nimtui."""

    BINDING_GROUP_TITLE = "Set-ups"
    HELP = """Enter loads the marked set-up into the form. Change it there, then start it.

Ctrl+D deletes a saved set-up; u restores it."""
    INTRO = ""

    def __init__(self) -> None:
        super().__init__()
        self._saved: dict[str, Saved] = {}
        self._deleted: list[Saved] = []

    def on_mount(self) -> None:
        self._list()

    def _list(self, said: str = "") -> None:
        """List the set-ups in the background."""
        self.fetch("set-ups", lambda _: setups.saved_setups(), lambda saved: self._found(*saved, said))

    def _found(self, saved: list[Saved], faults: list[str], said: str) -> None:
        self._saved = {str(one.path): one for one in saved}
        usual = "Ctrl+S in the form saves a set-up. These come with nimtui:"
        if saved:
            usual = f"{plural(len(saved), 'set-up', 'set-ups')} of your own, then those of nimtui:"
        self.say("\n".join([*faults, said or usual]))
        own = [Choice(path, one.name, _about(one)) for path, one in self._saved.items()]
        choices = [*own, *(Choice(str(at), preset.title, preset.about) for at, preset in enumerate(PRESETS))]
        marked = self.choice_list.marked
        stays = marked is not None and marked.value in [one.value for one in choices]
        self.choice_list.show(choices, marked.value if marked and stays else choices[0].value)
        self.refresh_bindings()

    def _marked(self) -> Saved | None:
        marked = self.choice_list.marked if self.there else None
        return self._saved.get(marked.value) if marked is not None else None

    def on_choices_marked(self, message: Choices.Marked) -> None:
        self.refresh_bindings()

    def on_choices_taken(self, message: Choices.Taken) -> None:
        saved = self._saved.get(message.choice.value)
        try:
            setup = TournamentSetup.from_document(saved.document) if saved is not None else None
            self.dismiss(setup or PRESETS[int(message.choice.value)].setup)
        except InputError as fault:
            self.say(f"{message.choice.value}: {fault}")

    def delete(self) -> None:
        if (saved := self._marked()) is None:
            return
        try:
            setups.delete(saved)
            self._deleted.append(saved)
            self._list(f"Deleted '{saved.name}': u restores it")
        except InputError as fault:
            self._list(str(fault))

    def restore(self) -> None:
        saved = self._deleted.pop()
        try:
            setups.save(saved.name, saved.document)
            self._list(f"Restored '{saved.name}'")
        except InputError as fault:
            self._list(str(fault))

    ROWS: ClassVar[tuple[Command[SetupList], ...]] = (
        Command("ctrl+d,delete", "delete", "Delete", DELETE, delete, lambda s: bool(s._marked()) or UNMARKED),
        Command("u", "undo", "Undo", "Restore the deleted set-up", restore, lambda s: bool(s._deleted) or UNDELETED),
        *closing(),
    )


def _about(saved: Saved) -> str:
    """Describe what is played, as far as the file can be read."""
    try:
        setup = TournamentSetup.from_document(saved.document)
    except InputError as fault:
        return str(fault)
    return f"{' '.join(setup.games)} · {plural(len(setup.agents), 'agent', 'agents')} · {setup.pairs}"

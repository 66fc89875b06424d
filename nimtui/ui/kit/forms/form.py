"""A form: a field per setting, checked while typed, with suggestions and a hint on its syntax below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from nimtui.errors import InputError
from nimtui.report.copies import Copy
from nimtui.report.lines import clipped
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.forms.choices import Choices
from nimtui.ui.kit.forms.draft import Draft, Finding, Setup
from nimtui.ui.kit.forms.field import FieldInput, FieldLine
from nimtui.ui.kit.widgets.bars import Footer
from nimtui.ui.kit.widgets.page import Framed, closing, fits

BESIDES = 10  # lines of a form that are no fields: frame, command, hint, a few choices
WIDEST, HIGHEST = (96, 80), (24, 30)  # columns and lines of a form, and of one on a large screen: its style sheet


class Form(Framed[Setup | None], place="form"):
    """Shows a draft for editing. Returns its setup, or None if the person cancels."""

    BESIDE: ClassVar[Sequence[type]] = (FieldInput, Choices)
    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        Command("tab", "app.focus_next", "Next"),
        Command("shift+tab", "app.focus_previous", "Previous", show=False),
        Command("ctrl+y", "app.copy", "Copy", "Copy the command that does the same", show=False),
        *closing("escape"),
    )

    def __init__(self, draft: Draft[Setup], begin: str = "") -> None:
        """`begin`: the field that gets the focus first [default: the top one]."""
        super().__init__()
        self._draft = draft
        self._begin = begin or draft.fields[0]
        self._listed = ""  # the field whose values are listed, and what they depend on
        self._size_line = ""  # below the form

    def compose(self) -> ComposeResult:
        findings = self._draft.check()
        with Vertical(id="form") as form:
            form.border_title = self.BINDING_GROUP_TITLE
            with VerticalScroll(id="fields", can_focus=False):
                yield from (self.new_field(name, findings[name]) for name in self._draft.fields)
            yield self._command_line()
            yield Static("", id="hint", markup=False)
            yield Choices(focusable=False)
        yield Footer()

    def on_mount(self) -> None:
        self.field(self._begin).input.focus()

    def new_field(self, name: str, finding: Finding) -> FieldLine:
        """Return a new field with the draft's text."""
        field, text, kind = self._draft.entry(name), self._draft.text(name), self.kind_of(name)
        return kind(name, field.label, text, field.placeholder, finding)

    def kind_of(self, name: str) -> type[FieldLine]:
        """Return the widget class of a field."""
        return FieldLine

    def field(self, name: str) -> FieldLine:
        return self.query_one(f"#{name}", FieldLine)

    @property
    def current(self) -> str:
        """The name of the field that is being filled in."""
        around = self.focused.ancestors if self.focused is not None else ()
        return next((line.name for line in around if isinstance(line, FieldLine) and line.name), self._draft.fields[0])

    def show(self) -> None:
        """Show the draft, unless the form is being closed."""
        if not self.still_open:
            return
        draft, findings, current = self._draft, self._draft.check(), self.current
        for line in self.query(FieldLine):
            if (name := line.name or "") in findings:
                line.put(draft.text(name))
                line.say(findings[name])
        choices = self.query_one(Choices)
        if (listed := f"{current} {draft.lists_for(current)}") != self._listed:
            self._listed = listed
            choices.show(draft.offers(current), of=current)
        choices.mark(draft.offered(current))
        right = findings[current].right
        hint = draft.hint(current) if right else findings[current].text
        self.say("\n".join(filter(None, (self.field(current).hidden, hint))), wrong=not right)
        self._put("#same", command := self._command)
        self.query_one("#same").display = bool(command)
        form = self.query_one("#form", Vertical)
        if (size := self.shell.glyphs.plain(draft.size)) != self._size_line:
            self._size_line = size
            form.border_subtitle = Content(size)  # plain text: what is drawn reads no markup in it

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Show this text below the fields."""
        self.query_one("#hint").set_class(wrong, "-wrong")
        self._put("#hint", self.shell.glyphs.plain(text))

    def copies(self) -> list[Copy]:
        return [] if (command := self._draft.command) is None else [command]

    @property
    def _command(self) -> str:
        """The command line in the signs and the columns that there are, where all fields, their hint and some choices
        stay in sight.
        """
        large = fits(self.app.size, "-large")
        rows = min(self.app.size.height - 1, HIGHEST[large])
        room = "command" not in self._draft.fields and rows - len(self._draft.fields) >= BESIDES
        command, signs = self._draft.command if room else None, self.shell.glyphs
        columns = min(self.app.size.width, WIDEST[large]) - 6  # in two frames of blanks and a border
        return clipped(signs.plain(command.text), columns, signs.hidden) if command is not None else ""

    def _command_line(self) -> Static:
        line = Static(self._command, id="same", markup=False)
        line.display = bool(line.content)
        return line

    def _put(self, id: str, text: str) -> None:
        line = self.query_one(id, Static)
        if text != line.content:
            line.update(text)

    async def take(self, draft: Draft[Setup]) -> None:
        """Show another draft, which may have other fields."""
        before, self._draft = self._draft.fields, draft
        if draft.fields != before:
            await self._exchange(before, draft.fields)
        self.show()

    async def _exchange(self, before: tuple[str, ...], after: tuple[str, ...]) -> None:
        """Remove the old fields and mount the new ones; the others stay.

        If the current field is removed, the field in its place is current.
        """
        place = before.index(self.current) if self.current in before else 0
        findings, fields = self._draft.check(), self.query_one("#fields", VerticalScroll)
        with self.app.batch_update():
            await self.query(FieldLine).exclude(", ".join(f"#{name}" for name in after)).remove()
            await fields.mount_all(self.new_field(name, findings[name]) for name in after if name not in before)
            fields.sort_children(key=lambda line: after.index(line.name or ""))
            if before[place] not in after:
                self.field(after[min(place, len(after) - 1)]).input.focus()

    async def on_input_changed(self, message: Input.Changed) -> None:
        line = message.input.parent
        if isinstance(line, FieldLine):
            name, text = line.name or "", line.hear()
            if name in self._draft.fields and text != self._draft.text(name):
                await self.typed(name, text)

    async def typed(self, name: str, text: str) -> None:
        """Handle a text that the person typed in a field."""
        await self.take(self._draft.with_text(name, text))

    async def on_descendant_focus(self) -> None:
        """Show what belongs to the field that the person has entered."""
        settled = self._draft.settled(self.current)
        if settled is self._draft:
            self.show()
        else:
            await self.take(settled)

    def on_field_line_stepped(self, message: FieldLine.Stepped) -> None:
        choices = self.query_one(Choices)
        if message.line.name == choices.of:  # otherwise the person has moved to another field
            choices.move(message.by)

    async def on_choices_marked(self, message: Choices.Marked) -> None:
        if message.of in self._draft.fields:
            await self.take(self._draft.with_choice(message.of, message.choice.value))

    async def on_input_submitted(self, message: Input.Submitted) -> None:
        await self.entered(self.current)

    async def entered(self, name: str) -> None:
        """Handle Enter in a field."""
        self.start()

    @property
    def first_wrong(self) -> tuple[str, Finding] | None:
        """Return the first invalid field and what is wrong; None if all are valid."""
        return next(((name, finding) for name, finding in self._draft.check().items() if not finding.right), None)

    def start(self) -> None:
        """Start, or go to the first invalid field."""
        if (wrong := self.first_wrong) is not None:
            self.field(wrong[0]).input.focus()
            return
        try:
            self.dismiss(self._draft.setup())
        except InputError as fault:  # a file of this name came into being
            self.notify(str(fault), severity="warning")


class SetupForm(Form[Setup]):
    """A form that edits a setup."""

    DRAFT: Callable[[Any], Draft[Any]]  # makes the draft of a setup

    def __init__(self, setup: Setup, begin: str = "") -> None:
        super().__init__(self.DRAFT(setup), begin)

"""A form: a field per setting, checked while typed, with suggestions and a hint on its syntax below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from nimtui.errors import InputError
from nimtui.ui.kit.choices import Choice, Choices
from nimtui.ui.kit.command import Command
from nimtui.ui.kit.draft import Draft, Finding, Setup
from nimtui.ui.kit.field import Field, FieldInput
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.page import Framed, closing


class Form(Framed[Setup | None], place="form"):
    """Shows a draft for editing. Returns its setup, or None if the person cancels."""

    BESIDE: ClassVar[Sequence[type]] = (FieldInput, Choices)
    HINT: ClassVar[tuple[int, int] | None] = None  # least and most lines of the hint; None: the style sheet says
    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        Command("tab", "app.focus_next", "Next"),
        Command("shift+tab", "app.focus_previous", "Previous", show=False),
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
            yield Static("", id="hint", markup=False)
            yield Choices(focusable=False)
        yield Footer(palette=False)

    def on_mount(self) -> None:
        self.field(self._begin).input.focus()

    def new_field(self, name: str, finding: Finding) -> Field:
        """Return a new field with the draft's text."""
        entry, text, kind = self._draft.entry(name), self._draft.text(name), self.kind_of(name)
        return kind(name, entry.label, text, entry.placeholder, right=finding.right, said=finding.text)

    def kind_of(self, name: str) -> type[Field]:
        """Return the widget class of a field."""
        return Field

    def field(self, name: str) -> Field:
        return self.query_one(f"#{name}", Field)

    @property
    def current(self) -> str:
        """The name of the field that is being filled in."""
        within = self.focused.parent if self.focused else None
        while within is not None and not isinstance(within, Field):
            within = within.parent
        return (within.name if within is not None else None) or self._draft.fields[0]

    def show(self) -> None:
        """Show the draft, unless the form is being closed."""
        if not self.still_open:
            return
        draft, findings, current = self._draft, self._draft.check(), self.current
        for field in self.query(Field):
            name = field.name or ""
            if name in findings:
                field.put(draft.text(name))
                field.say(findings[name].right, findings[name].text)
        choices = self.query_one(Choices)
        if (listed := f"{current} {draft.lists_for(current)}") != self._listed:
            self._listed = listed
            offers = [Choice(offer.value, offer.label, offer.detail) for offer in draft.offers(current)]
            choices.show(offers, of=current)
        choices.mark(draft.offered(current))
        right = findings[current].right
        hint = draft.hint(current) if right else findings[current].text
        self.say("\n".join(filter(None, (self.field(current).hidden, hint))), wrong=not right)
        form = self.query_one("#form", Vertical)
        if (size := self.shell.glyphs.plain(draft.size)) != self._size_line:
            self._size_line = size
            form.border_subtitle = Content(size)  # plain text: what is drawn reads no markup in it

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Show this text below the fields."""
        hint = self.query_one("#hint", Static)
        hint.set_class(wrong, "-wrong")
        text = self.shell.glyphs.plain(text)
        if self.HINT is not None and (columns := hint.content_size.width):
            # The long form of an agent is broken into lines.
            lines = [line for part in text.split("\n") for line in wrap(part, columns)]
            height = min(max(self.HINT[0], len(lines)), self.HINT[1]) + 1  # and its rule
            if height != (hint.styles.height and hint.styles.height.value):
                hint.styles.height = height
            text = "\n".join(lines)
        if text != hint.content:
            hint.update(text, layout=False)

    async def take(self, draft: Draft[Setup]) -> None:
        """Show another draft, which may have other fields."""
        before, self._draft = self._draft.fields, draft
        if draft.fields != before:
            await self._exchange(before, draft.fields)
        self.show()

    async def _exchange(self, before: Sequence[str], after: Sequence[str]) -> None:
        """Remove the old fields and mount the new ones; the fields around them stay.

        If the current field is removed, the field in its place is current.
        """
        place = before.index(self.current) if self.current in before else 0
        removed = before[place] not in after
        least = min(len(before), len(after))
        same = next((at for at in range(least) if before[at] != after[at]), least)
        end = next((at for at in range(least - same) if before[-1 - at] != after[-1 - at]), least - same)
        findings = self._draft.check()
        with self.app.batch_update():
            for name in before[same : len(before) - end]:
                await self.field(name).remove()
            new = [self.new_field(name, findings[name]) for name in after[same : len(after) - end]]
            await self.query_one("#fields", VerticalScroll).mount_all(new, after=self.field(after[same - 1]))
            if removed:
                self.field(after[min(place, len(after) - 1)]).input.focus()

    async def on_input_changed(self, message: Input.Changed) -> None:
        field = message.input.parent
        if isinstance(field, Field):
            name, text = field.name or "", field.hear()
            if name in self._draft.fields and text != self._draft.text(name):
                await self.typed(name, text)

    async def typed(self, name: str, text: str) -> None:
        """Handle a text that the person typed in a field."""
        await self.take(self._draft.with_text(name, text))

    async def on_field_entered(self, message: Field.Entered) -> None:
        settled = self._draft.settled(message.field.name or "")
        if settled is self._draft:
            self.show()
        else:
            await self.take(settled)

    def on_field_stepped(self, message: Field.Stepped) -> None:
        choices = self.query_one(Choices)
        if message.field.name == choices.of:  # otherwise the person has moved to another field
            choices.move(message.by)

    async def on_choices_marked(self, message: Choices.Marked) -> None:
        if message.of in self._draft.fields:
            await self.take(self._draft.with_choice(message.of, message.choice.value))

    async def on_input_submitted(self, message: Input.Submitted) -> None:
        await self.entered(self.current)

    async def entered(self, name: str) -> None:
        """Handle Enter in a field."""
        self.start()

    def start(self) -> None:
        """Start, or go to the first invalid field."""
        if self.all_right():
            try:
                self.dismiss(self._draft.setup())
            except InputError as wrong:
                self.notify(str(wrong), severity="warning")

    def all_right(self) -> bool:
        """Return whether every field is valid; go to the first invalid one."""
        wrong = next((name for name, finding in self._draft.check().items() if not finding.right), None)
        if wrong is not None:
            self.field(wrong).input.focus()
        return wrong is None


class SetupForm(Form[Setup]):
    """A form that edits a setup."""

    DRAFT: Callable[[Any], Draft[Any]]  # makes the draft of a setup

    def __init__(self, setup: Setup, begin: str = "") -> None:
        super().__init__(self.DRAFT(setup), begin)

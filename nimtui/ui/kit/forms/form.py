"""A form: a field per setting, checked while typed, with suggestions and a hint on its syntax below.

A field is one line: a label, a text, and its meaning or error. A `WrappedField` shows its text whole: a long text
continues in the next line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Offset, Size
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from nimtui.errors import InputError
from nimtui.report.copies import Copy
from nimtui.report.lines import clipped
from nimtui.signs import visible
from nimtui.ui.kit.contract.command import Command, Commanded
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.forms.choices import Choices
from nimtui.ui.kit.forms.draft import Draft, Finding, Setup
from nimtui.ui.kit.terminal.textual_parts import InputParts
from nimtui.ui.kit.widgets.bars import Footer
from nimtui.ui.kit.widgets.page import Framed, closing, fits
from nimtui.ui.kit.widgets.panel import fitted


class FieldInput(Commanded, InputParts, place="field"):
    """The text of a field, selected until a key is typed. Up and down ask for suggestions."""

    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        Command("enter", "submit", "Start"),
        Command("up", "step(-1)", "Choose", "", lambda field: field.step(-1), display="↑↓"),
        Command("down", "step(1)", "Choose", "", lambda field: field.step(1), show=False),
    )

    def __init__(self, value: str, placeholder: str) -> None:
        super().__init__(value, placeholder=placeholder, select_on_focus=False, compact=True)
        self.cursor_blink = False

    def on_paste(self, event: events.Paste) -> None:
        """Paste the first line only, without unprintable characters."""
        event.prevent_default()
        event.stop()
        first = next(iter(event.text.splitlines()), "")
        pasted = "".join(sign for sign in first if sign.isprintable())
        if pasted and self.selection.is_empty:
            self.insert_text_at_cursor(pasted)
        elif pasted:
            self.replace(pasted, *self.selection)

    def on_focus(self, event: events.Focus) -> None:
        if not event.from_app_focus:
            self.select_all()

    def select_all(self) -> None:
        """Select the text from its end, so that its beginning is seen: it tells more."""
        self.selection = Selection(len(self.value), 0)

    def on_blur(self) -> None:
        self.cursor_position = 0

    def step(self, by: int) -> None:
        if isinstance(self.parent, FieldLine):
            self.post_message(FieldLine.Stepped(self.parent, by))


class FieldLine(Horizontal):
    """A field of a form by its name."""

    INPUT: ClassVar[type[FieldInput]] = FieldInput

    @dataclass
    class Stepped(Message):
        """The person asks for another suggestion, `by` lines further down."""

        line: FieldLine
        by: int

    def __init__(self, name: str, label: str, value: str, placeholder: str, finding: Finding) -> None:
        super().__init__(name=name, id=name)
        self._label = label
        self._finding = finding
        self._heard = visible(value)  # the text that the form knows of
        self.input = self.INPUT(self._heard, placeholder)

    def compose(self) -> ComposeResult:
        yield Static(classes="label", markup=False)
        yield self.input
        yield Static(classes="said", markup=False)

    @property
    def text(self) -> str:
        return self.input.value

    @property
    def hidden(self) -> str:
        """The whole text, if it is longer than the room for it; else ''."""
        room = self.input.size.width
        return self.text if 0 < room <= cell_len(self.text) else ""

    def hear(self) -> str:
        """Return the text and note that the form knows it."""
        self._heard = self.input.value
        return self._heard

    def put(self, text: str) -> None:
        """Put this text in without a message, unless the form has not seen the latest keys."""
        if self.input.value != self._heard:
            return
        text = visible(text)
        self._heard = text
        if text != self.input.value:
            with self.prevent(Input.Changed):
                self.input.value = text
            if self.input.has_focus:
                self.input.select_all()
            else:
                self.input.cursor_position = 0  # its beginning is seen

    def say(self, finding: Finding) -> None:
        """Show the meaning of the text, or its error."""
        if finding != self._finding:
            self._finding = finding
            self.draw()

    def on_mount(self) -> None:
        self.draw()

    on_descendant_focus = on_descendant_blur = on_mount

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Show the label, marked while the person is in the field, and what is said beside the text."""
        signs, finding, current = shell(self).glyphs, self._finding, self.input.has_focus
        self.set_class(not finding.right, "-wrong")
        self.set_class(current, "-current")
        sign = (signs.right if finding.right else signs.wrong) if finding.text else " "
        lines = f"{signs.cursor if current else ' '} {self._label}", f"{sign} {signs.plain(finding.text)}"
        for part, line in zip(self.query(Static), lines, strict=False):  # none while it is being taken away
            if 0 < (room := part.content_size.width) < cell_len(line):
                line = fitted(line, room, signs.hidden if room > 2 else "")  # of two cells the sign
            if part.content != line:
                part.update(line, layout=False)  # the columns stay as wide as they are


def rows(text: str, width: int) -> list[tuple[int, int]]:
    """Return where each line of a text starts and ends, in characters, with a cell for the cursor after the text.

    `width` in cells. A line ends before an option, so that the option stands beside its value; else after a space or a
    comma; a longer word is broken.
    """
    starts, used, option, gap = [0], 0, 0, 0
    text += " "
    for at, sign in enumerate(text):
        if text[at - 1 : at + 1] == " -":
            option = at
        if text[at - 1 : at] in (" ", ","):
            gap = at
        used += cell_len(sign)
        if used > width and at > starts[-1]:
            fitting = (place for place in (option, gap) if cell_len(text[place : at + 1]) <= width)
            starts.append(next((place for place in fitting if place > starts[-1]), at))
            used = cell_len(text[starts[-1] : at + 1])
    return list(pairwise((*starts, len(text))))


class WrappedInput(FieldInput):
    """The text of a field in as many lines as it needs."""

    @property
    def _rows(self) -> list[tuple[int, int]]:
        return rows(self.value, max(1, self.content_size.width))

    @property
    def content_width(self) -> int:
        return self.content_size.width  # nothing to scroll to

    @property
    def _cursor(self) -> Offset:
        """The column and the line of the cursor."""
        lines = self._rows
        at = self.cursor_position
        line = max(number for number, (start, _) in enumerate(lines) if start <= at)
        return Offset(cell_len(self.value[lines[line][0] : at]), line)

    @property
    def cursor_column(self) -> int:
        return self._cursor.x

    @property
    def cursor_screen_offset(self) -> Offset:
        return self.content_region.offset + self._cursor

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(rows(self.value, max(1, width)))

    def render_line(self, y: int) -> Strip:
        if not self.value:
            return super().render_line(y)
        lines = self._rows
        if y >= len(lines):
            return Strip.blank(self.size.width, self.rich_style)
        text = self.painted
        text.append(" ")
        if self.has_focus:
            start, end = sorted(self.selection)
            text.stylize_before(self.get_component_rich_style("input--selection"), start, end)
            if self.cursor_shows:
                at = self.cursor_position
                text.stylize(self.get_component_rich_style("input--cursor"), at, at + 1)
        start, end = lines[y]
        width = self.content_size.width
        options = self.app.console_options.update_width(width + 1)
        line = text[start:end]
        line.end = ""
        strip = Strip(self.app.console.render(line, options)).adjust_cell_length(width)
        return strip.apply_style(self.rich_style)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Put the cursor where the person clicks."""
        event.prevent_default()
        x, y = event.get_content_offset_capture(self)
        lines = self._rows
        start, end = lines[min(max(0, y), len(lines) - 1)]
        within = sum(cell_len(self.value[start:at]) <= x for at in range(start + 1, end))
        self.selection = Selection.cursor(min(start + within, len(self.value)))


class WrappedField(FieldLine):
    """A field of a form whose text is always seen whole."""

    INPUT = WrappedInput

    @property
    def hidden(self) -> str:
        return ""


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

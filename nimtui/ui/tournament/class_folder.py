"""The form's field for a class: a folder of hand-ins in place of agents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nimtui.arena.classes import class_folder
from nimtui.errors import InputError, shortened
from nimtui.foreign.reading import absolute
from nimtui.games.notation import plural
from nimtui.ui.kit.forms.draft import Field

OF_CLASS = ("games", "workers", "name", "folder")  # the fields of the form that count: the folder sets all else
ABOUT = f"a class: {class_folder.FILE} in its folder says what is played"


def is_class(draft: Any) -> bool:
    """Return whether the form names the folder of a class."""
    return bool(draft.texts["folder"].strip())


def _folder(draft: Any, text: str) -> str:
    """Return the absolute path of a class's folder, '' for none. Raises InputError if it cannot be a class."""
    if not text.strip():
        return ""
    path = absolute(Path(text.strip()).expanduser())
    if not path.is_dir():
        raise InputError(f"no folder '{shortened(text.strip())}'")
    class_folder.read(path)
    return str(path)


def _hand_ins(draft: Any, folder: str) -> str:
    if not folder:
        return "optional"
    number, omitted = len(class_folder.hand_ins(Path(folder))), class_folder.omitted(Path(folder))
    return f"{plural(number, 'hand-in', 'hand-ins')}, {omitted or f'as {class_folder.FILE} says'}"


CLASS_FOLDER: Field[str] = Field(
    "folder",
    "Class",
    _folder,
    _hand_ins,
    f"a folder of students' hand-ins: all play the pool that its {class_folder.FILE} names, and each other",
    placeholder="none",
)

"""The files of a new screen in the source tree: its room, its style sheet, its test, its part of the reference."""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Mapping
from importlib import resources
from pathlib import Path

from nimtui.errors import InputError
from nimtui.store import files

REFERENCE = Path("docs/command-line.md")
BEFORE = "## `nimtui solve`"  # the sections of screens stand above this one
FUNCTION_KEYS = ("f8", "f12", "f10", "f11")  # terminals take some of them for themselves: the best first


def source_tree() -> Path:
    """Return the root of nimtui's source. Raises InputError if nimtui is installed without it."""
    root = Path(__file__).resolve().parents[2]
    if not all((root / part).exists() for part in (REFERENCE, "styles", "tests/ui")):
        raise InputError("a screen is a part of nimtui's source, which is not here: see CONTRIBUTING.md")
    return root


def check_free(root: Path, name: str, commands: Collection[str]) -> None:
    """Raise InputError if one of these commands, a place with keys or a room has this name."""
    from nimtui.ui.app.places import places

    if word_of(name) in (*commands, *places()) or (root / "nimtui" / "ui" / name).exists():
        raise InputError(f"the name '{name}' is taken: choose another name")


def write(root: Path, name: str) -> list[Path]:
    """Write the files of a screen and its section of the reference; return their paths in the source tree.

    Raises InputError if one of the files exists.
    """
    texts = screen_files(name)
    if taken := [str(path) for path in texts if (root / path).exists()]:
        raise InputError(f"{taken[0]} already exists: choose another name")
    reference = with_section((root / REFERENCE).read_text("utf-8"), name)
    for path, text in texts.items():
        _create(root / path, text)
    (root / REFERENCE).write_text(reference, "utf-8")
    return [*texts, REFERENCE]


def _create(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    files.create(path, lambda file: file.write(text.encode()))


def screen_files(name: str) -> dict[Path, str]:
    """Return the new files of a screen, each with its path in the source tree."""
    words, room = _words(name), Path("nimtui/ui") / name
    texts = {room / f"{part}.py": _text(part, words) for part in ("mode", "screen", "view")}
    texts[room / "__init__.py"] = f'"""The {words["TITLE"]} screen."""\n'
    texts[Path("styles") / f"{name}.tcss"] = _text("style", words)
    texts[Path("tests/ui") / f"test_{name}.py"] = _text("test", words)
    return texts


def with_section(reference: str, name: str) -> str:
    """Return the reference of all commands with a section on the screen's."""
    return reference.replace(f"\n{BEFORE}\n", f"\n{_text('reference', _words(name))}{BEFORE}\n", 1)


def word_of(name: str) -> str:
    """Return the name as people type it."""
    return name.replace("_", "-")


def _text(part: str, words: Mapping[str, str]) -> str:
    """Return a file of the template with these words in it, and with its imports in order."""
    text = resources.files("nimtui.check").joinpath("templates", "screen", f"{part}.txt").read_text("utf-8")
    for placeholder, word in words.items():
        text = text.replace(f"@{placeholder}@", word)
    return re.sub(
        r"(?:^from nimtui\..*\n)+", lambda imports: "".join(sorted(imports[0].splitlines(True))), text, flags=re.M
    )


def _words(name: str) -> dict[str, str]:
    """Return what stands for the placeholders of the template."""
    letter, key = _free_keys(name)
    kind = "".join(part.capitalize() for part in name.split("_"))
    title = name.replace("_", " ").capitalize()
    return {"NAME": name, "WORD": word_of(name), "TITLE": title, "CLASS": kind, "LETTER": letter, "KEY": key}


def _free_keys(name: str) -> tuple[str, str]:
    """Return a letter that is free on the start screen, one of the name if possible, and a free function key or ''."""
    from nimtui.ui.app.keymap import every
    from nimtui.ui.app.places import together

    keys = every()
    near = together("start")
    taken = {pressed for key in keys if key.place in near for pressed in key.default}
    letter = next(sign for sign in (*name, *string.ascii_letters) if sign.isalpha() and sign not in taken)
    everywhere = {pressed for key in keys for pressed in key.default}
    return letter, next((key for key in FUNCTION_KEYS if key not in everywhere), "")

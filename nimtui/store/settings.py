"""Persistent settings in a JSON file, and the keys of a person in the file keys.toml. People may edit both by hand.

nimtui only reads keys.toml.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from nimtui.foreign.reading import WrongDocument, parse_object
from nimtui.foreign.values import is_whole
from nimtui.process import detached
from nimtui.signs import visible
from nimtui.store import files, paths
from nimtui.store.errors import StoreError, unreadable

FORMAT = 1
LEVELS = ("easy", "medium", "hard", "perfect")  # of the opponent of Play now, from weak to strong
LARGEST = 1_000_000  # bytes
LONGEST_PACE = 60
BACKGROUND = ("never", "ask", "always")
LONGEST_BACKGROUND = 168  # hours: a week


class Glyphs(StrEnum):
    """The characters that draw the board."""

    AUTO = "auto"  # Unicode if the terminal can show it
    UNICODE = "unicode"
    SEXTANTS = "sextants"  # Unicode, with boards in six pixels a cell
    ASCII = "ascii"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults."""

    theme: str = "nimtui-dark"  # the name of a theme, which the user interface interprets
    glyphs: Glyphs = Glyphs.AUTO
    animation: bool = True
    pace: float = 0.8  # seconds per move when two agents play: 0 to 60
    slow: bool = False  # for slow connections: fewer and smaller screen updates
    level: str = "easy"  # of the next Play now; a win raises it
    background: str = "ask"  # what a run does when its terminal is gone: never, ask, always
    background_hours: int = 8  # the most that it goes on so: 1 to 168
    notify: str = "off"  # when a long run ends or fails: off, bell, osc9, osc777
    unchecked: bool = False  # use a person's own games and learners even if they break their contract

    def changed(self, **values: Any) -> Settings:
        """Return these settings with some other values."""
        return replace(self, **values)


def load(aside: bool = True) -> tuple[Settings, list[str]]:
    """Return the settings, and one line for each fault in the file.

    A damaged file, or one of a newer version, is set aside unchanged, or without `aside` stays where it is. An invalid
    value is replaced by its default; unknown names are ignored.
    """
    path = paths.settings()
    try:
        return _checked(_document(path))
    except FileNotFoundError:
        return Settings(), []
    except OSError as fault:
        wrong = str(unreadable(path, fault))
    except StoreError as fault:
        wrong = str(fault)
    except WrongDocument as fault:
        wrong = f"{path} {fault}"
        if aside:
            try:
                wrong += f": it was set aside as {files.set_aside(path).name}"
            except StoreError as refused:
                wrong += f": {refused}"
    return Settings(), [f"{wrong}; the defaults are used"]


def has(name: str) -> bool:
    """Return whether this setting has been saved. An unreadable file counts as having all."""
    try:
        return name in _document(paths.settings())
    except FileNotFoundError:
        return False
    except (OSError, StoreError, WrongDocument):
        return True


def read(path: Path) -> None:
    """Check the settings in a file and leave it unchanged. Raise StoreError if they are invalid."""
    try:
        _, wrong = _checked(_document(path))
    except OSError as fault:
        raise unreadable(path, fault) from None
    except WrongDocument as fault:
        wrong = [str(fault)]
    if wrong:
        raise StoreError(f"{path} {wrong[0]}")


def save(settings: Settings) -> None:
    """Replace the settings file. Raise StoreError if that fails."""
    path = paths.settings()
    paths.ensure(path.parent)
    text = json.dumps({"format": FORMAT, **asdict(settings)}, indent=2, ensure_ascii=False)
    files.replace(path, lambda file: file.write(f"{text}\n".encode()))


def _document(path: Path) -> dict[str, Any]:
    """Return the content of a settings file. Raise WrongDocument, with the end of a sentence, if it is invalid as a
    whole.

    Raise StoreError if it is no regular file or too large, OSError as the system does.
    """
    text = files.contents(path, LARGEST)
    try:
        keys = parse_object(text, finite=False)
    except WrongDocument as fault:
        raise WrongDocument(f"is damaged ({fault})") from None
    version = keys.get("format", FORMAT)
    if not isinstance(version, int) or version < 1:
        raise WrongDocument("is damaged (its format is not a version number)")
    if version > FORMAT:
        raise WrongDocument(f"is of a newer version ({version})")
    return keys


def _checked(keys: dict[str, Any]) -> tuple[Settings, list[str]]:
    settings, faults = Settings(), []
    for field in fields(Settings):
        if field.name not in keys:
            continue
        value, (fits, allowed) = keys[field.name], _ALLOWED[field.name]
        if fits(value):
            as_stored = Glyphs(value) if field.name == "glyphs" else value
            settings = settings.changed(**{field.name: as_stored})
        else:
            text = json.dumps(value, ensure_ascii=False)[:40]
            usual = json.dumps(getattr(settings, field.name))
            faults.append(f"setting {field.name} must be {allowed}, not {text}; {usual} is used")
    return settings, faults


_ALLOWED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "theme": (lambda name: isinstance(name, str) and 0 < len(name) <= 64 and name.isprintable(), "a theme's name"),
    "glyphs": (list(Glyphs).__contains__, " or ".join(Glyphs)),
    "pace": (
        lambda pace: type(pace) in (int, float) and 0 <= pace <= LONGEST_PACE,
        f"a number of seconds from 0 to {LONGEST_PACE}",
    ),
    "level": (LEVELS.__contains__, " or ".join(LEVELS)),
    "background": (BACKGROUND.__contains__, " or ".join(BACKGROUND)),
    "background_hours": (
        partial(is_whole, low=1, high=LONGEST_BACKGROUND),
        f"a whole number of hours from 1 to {LONGEST_BACKGROUND}",
    ),
    "notify": (detached.NOTICES.__contains__, " or ".join(detached.NOTICES)),
    **dict.fromkeys(("animation", "slow", "unchecked"), (lambda flag: isinstance(flag, bool), "true or false")),
}

MOST_KEYS = 8  # of one action


class KeyLine(NamedTuple):
    """One line of the file: the action's id, and the keys as they are written."""

    id: str
    keys: tuple[str, ...]


def read_keys() -> tuple[list[KeyLine], list[str]]:
    """Return the lines of the file, and one line for each fault. A missing file has no lines."""
    path = paths.keys()
    try:
        document = tomllib.loads(files.contents(path, LARGEST).decode())
    except FileNotFoundError:
        return [], []
    except OSError as fault:
        return [], [f"{unreadable(path, fault)}; the default keys hold"]
    except StoreError as fault:
        return [], [f"{fault}; the default keys hold"]
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as fault:
        return [], [f"{path} is no TOML ({visible(str(fault)) or 'nested too deeply'}); the default keys hold"]
    lines: list[KeyLine] = []
    faults: list[str] = []
    _walk("", document, lines, faults)
    return lines, faults


def _walk(place: str, table: dict[str, Any], lines: list[KeyLine], faults: list[str]) -> None:
    """Collect `id = key` and `[screen]` with `action = key`, which mean the same."""
    for name, value in table.items():
        id = visible(f"{place}.{name}" if place else name)[:80]
        keys = [value] if isinstance(value, str) else value
        if isinstance(value, dict) and len(id) < 80:
            _walk(id, value, lines, faults)
        elif isinstance(keys, list) and 0 < len(keys) <= MOST_KEYS and all(isinstance(key, str) for key in keys):
            lines.append(KeyLine(id, tuple(map(visible, keys))))
        else:
            faults.append(f'{paths.KEYS}: {id} must be a key, as "f10", or a list of 1 to {MOST_KEYS} keys')

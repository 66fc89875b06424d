"""The file keys.toml, with which a person gives keys to actions. Edited by hand, only read here."""

from __future__ import annotations

import tomllib
from typing import Any, NamedTuple

from nimtui.signs import visible
from nimtui.store import files, paths
from nimtui.store.errors import StoreError, unreadable

LARGEST = 1_000_000  # bytes
MOST_KEYS = 8  # of one action


class Line(NamedTuple):
    """One line of the file: the action's id, and the keys as they are written."""

    id: str
    keys: tuple[str, ...]


def read() -> tuple[list[Line], list[str]]:
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
    lines: list[Line] = []
    faults: list[str] = []
    _walk("", document, lines, faults)
    return lines, faults


def _walk(place: str, table: dict[str, Any], lines: list[Line], faults: list[str]) -> None:
    """Collect `id = key` and `[screen]` with `action = key`, which mean the same."""
    for name, value in table.items():
        id = visible(f"{place}.{name}" if place else name)[:80]
        keys = [value] if isinstance(value, str) else value
        if isinstance(value, dict) and len(id) < 80:
            _walk(id, value, lines, faults)
        elif isinstance(keys, list) and 0 < len(keys) <= MOST_KEYS and all(isinstance(key, str) for key in keys):
            lines.append(Line(id, tuple(map(visible, keys))))
        else:
            faults.append(f'{paths.KEYS}: {id} must be a key, as "f10", or a list of 1 to {MOST_KEYS} keys')

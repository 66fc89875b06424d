"""The two lines of a guided tour above the keys of a screen: a sentence, and the key of the step."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from rich.cells import cell_len

from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.lines import fitted

Kind: TypeAlias = Literal["key", "said", "off", "guide"]
ROWS = 2


class Guide(NamedTuple):
    """One step of a tour as a person sees it."""

    place: str  # '3/7'
    says: tuple[str, ...]  # the sentence, from long to short
    keys: tuple[tuple[str, str], ...]  # keys and what they do; that of the step comes first


def paint(guide: Guide, row: int, columns: int, signs: Glyphs) -> list[tuple[str, Kind]]:
    """Return the parts of one of the two lines, each with its kind. Of the sentence the longest that fits is shown."""
    parts: list[tuple[str, Kind]] = [(" ", "said")]
    if row == 0:
        texts = [signs.plain(text) for text in guide.says]
        room = columns - len(guide.place) - 4
        text = next((text for text in texts if cell_len(text) <= room), texts[-1] if texts else "")
        shown = fitted(text, min(room, cell_len(text)), signs.hidden)
        return [*parts, (f"{guide.place}  ", "off"), (shown, "guide")]
    for key, does in guide.keys:
        parts += [(signs.plain(key), "key"), (f" {signs.plain(does)}   ", "said")]
    return parts

"""SQL for the names of boards and agents; a damaged name is replaced by words that say so."""

from __future__ import annotations

from nimtui.store import seals

# Joins the boards and the agents of pairings `p`.
JOINED = (
    "LEFT JOIN boards b ON b.id = p.board LEFT JOIN agents first ON first.id = p.first"
    " LEFT JOIN agents second ON second.id = p.second"
)


def _name(table: str, alias: str, column: str) -> str:
    sound = seals.sound(table, f"{alias}.")
    damaged = f"'{table[:-1]} ' || p.{column} || ' (its name is damaged)'"
    return f"coalesce(CASE WHEN {sound} THEN {alias}.name END, {damaged})"


_OF = (("boards", "b", "board"), ("agents", "first", "first"), ("agents", "second", "second"))
NAMES = ", ".join(_name(*of) for of in _OF)
ALL_SOUND = " AND ".join(seals.sound(table, f"{alias}.") for table, alias, _ in _OF)

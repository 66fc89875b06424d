"""Read a database that cannot be written: in place, or in a copy if it needs changes first."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from nimtui.store import connections, schema
from nimtui.store.errors import Refused
from nimtui.store.salvage import salvage

if TYPE_CHECKING:
    from sqlite3 import Connection


class Reader:
    """The content of a database file, or nothing if there is no file. `fault` is one line about its damage."""

    def __init__(self, path: Path, damage: str = "", why: str = "") -> None:
        """`damage`: the fault that was found earlier; `why`: why the file stays in place.

        Raise Refused if the file cannot be read, or is not a database of nimtui.
        """
        self.path = path
        self.fault = ""
        self._copy = ""  # the name of the copy in memory, if there is one
        self._held: Connection | None = None  # keeps the copy in memory alive
        try:
            if not connections.check_file(path):
                schema.carry_over(self._begin_copy())
                return
            with_file = connections.connect_reading(path)
            try:
                version = schema.check(with_file)
                if version:
                    connections.check_whole(with_file)
                if damage:
                    raise schema.Damage(damage)
                if version < len(schema.STEPS):
                    copy = self._begin_copy()
                    with_file.backup(copy)
                    schema.carry_over(copy)
            finally:
                with_file.close()
        except schema.Foreign as foreign:
            raise Refused(f"{path} {foreign}") from None
        except connections.faults(schema.Damage) as fault:
            code = connections.code(fault)
            if not isinstance(fault, schema.Damage) and not connections.is_damage(fault) and code != 1:
                raise Refused(f"{path} cannot be used: {connections.REASONS.get(code, fault)}") from None
            salvaged = salvage(path, self._begin_copy())
            outcome = f"{salvaged.readable} could be read" if salvaged.games else "no games could be read"
            self.fault = f"{path} is damaged ({fault}) and cannot be set aside ({why}): {outcome}"
        except OSError as fault:
            raise Refused(f"{path} cannot be read: {fault.strerror or fault}") from None

    def connect(self) -> Connection:
        """Return a connection for one thread."""
        return connections.shared(self._copy) if self._copy else connections.connect_reading(self.path)

    def close(self) -> None:
        """Release the copy."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def _begin_copy(self) -> Connection:
        self.close()
        self._copy = f"nimtui-{secrets.token_hex(8)}"
        self._held = connections.shared(self._copy)
        return self._held

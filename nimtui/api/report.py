"""The base of results: attributes over one document, which is the JSON of the command of the same name."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from nimtui.documents.plain import plain


class Report:
    """A result: each key of its document is an attribute, too."""

    def __init__(self, keys: dict[str, Any]) -> None:
        self._keys = plain(keys)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document of the command as plain values, which the caller may change."""
        return deepcopy(self._keys)

    if not TYPE_CHECKING:  # a subclass declares the keys that it promises

        def __getattr__(self, name: str) -> Any:
            """Return the value of a key of the document, which the caller may change."""
            keys = self.__dict__.get("_keys", {})
            if name not in keys:
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
            return deepcopy(keys[name])

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._keys})

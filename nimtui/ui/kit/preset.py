"""A ready-made setup that lists offer."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

Setup = TypeVar("Setup")


class Preset(NamedTuple, Generic[Setup]):
    """What it is, what there is to see, and its settings."""

    title: str
    about: str
    setup: Setup

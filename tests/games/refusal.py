"""The line with which a call is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nimtui.errors import InputError


def refusal(call: Callable[..., object], *arguments: Any, **options: Any) -> str:
    """Return the text of the InputError that the call raises: one line."""
    with pytest.raises(InputError) as fault:
        call(*arguments, **options)
    text = str(fault.value)
    assert "\n" not in text
    return text

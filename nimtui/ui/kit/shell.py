"""How screens and widgets reach the app's own things: its jobs, settings and signs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from textual.message_pump import MessagePump

    from nimtui.ui.app.app import NimtuiApp


def shell(node: MessagePump) -> NimtuiApp:
    """The app this screen or widget lives in, by its own type."""
    return cast("NimtuiApp", node.app)

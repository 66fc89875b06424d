"""A signal that forgets closed screens and removed widgets."""

from __future__ import annotations

from typing import TypeVar

from textual.dom import DOMNode
from textual.signal import Signal, SignalCallbackType

T = TypeVar("T")


class WeakSignal(Signal[T]):
    """Textual's signal without its leak: there, subscribers stay in memory until the next publication."""

    def subscribe(self, node: DOMNode, callback: SignalCallbackType[T], immediate: bool = False) -> None:
        self.let_go()
        super().subscribe(node, callback, immediate)

    def let_go(self) -> None:
        """Forget the subscribers that have been removed."""
        for gone in [other for other in self._subscriptions if not other.is_running or not other.is_attached]:
            self.unsubscribe(gone)

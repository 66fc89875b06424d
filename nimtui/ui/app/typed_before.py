"""The driver of an app that starts with keys already read: they come before all others."""

from __future__ import annotations

from nimtui.ui.app.driver import Answered, InputParser, SteadyDriver


class EarlyKeysDriver(SteadyDriver):
    """Passes on the app's `typed_before` first."""

    def start_application_mode(self) -> None:
        early, self._app.typed_before = self._app.typed_before, ""  # type: ignore[attr-defined]
        for message in InputParser(self._debug).hear(early):
            if not isinstance(message, Answered):
                self.process_message(message)
        super().start_application_mode()

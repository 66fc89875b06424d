"""Every command prints what stands in its transcript, to the letter: report, document, error, status."""

from __future__ import annotations

import pytest

from tests.cli.transcripts import NAMES, played, steps, text_of, written


@pytest.mark.parametrize("name", NAMES)
def test_commands_print_what_their_transcript_says(name: str) -> None:
    text = text_of(name)
    assert written(played(steps(text))) == text

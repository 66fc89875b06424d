"""Every command prints what stands in its transcript, to the letter: report, document, error, status."""

from __future__ import annotations

import pytest

from tests.cli.transcripts import Story, played, steps, stories, written


@pytest.mark.parametrize("story", list(stories()), ids=lambda story: f"{story.file}: {story.title}")
def test_commands_print_what_their_transcript_says(story: Story) -> None:
    assert written(played(steps(story.text))) == story.text

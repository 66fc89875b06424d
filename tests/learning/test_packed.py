"""Weights in a file: packed to the same bits, and refused in one line where they do not fit."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.games import parse_game
from nimtui.learning.estimator import pack, unpack
from nimtui.learning.training import Training
from nimtui.store import StoreError, arrays


@given(st.lists(st.one_of(st.just(0.0), st.floats(width=32))), st.sampled_from(["f4", "f8", "u4", "u8"]))
def test_any_numbers_are_unpacked_to_the_same_bits(numbers: list[float], kind: str) -> None:
    words = np.array(numbers, "f4" if kind in ("f4", "u4") else "f8").view(kind)
    assert unpack(pack(words), words).tobytes() == words.tobytes()
    other = np.roll(words, 1)
    assert unpack(pack(words, other), words, other).tobytes() == words.tobytes()


WEIGHTS = 20  # of one tuple of rows of 3 and 4


def deflated(text: bytes) -> Any:
    return np.frombuffer(zlib.compress(text), np.uint8)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda parts: parts.pop("function-weights"), "lacks the weights"),
        (lambda parts: parts.update({"function-weights": parts["function-weights"][:1]}), "another function|be read"),
        (lambda parts: parts.update({"function-weights": deflated(b"")}), "another function"),
        (lambda parts: parts.update({"function-weights": deflated(b"x" * 10**6)}), "another function"),
        (lambda parts: parts.update({"function-weights": deflated(b"\xff" * 4 * WEIGHTS)}), "no numbers"),
        (lambda parts: parts["function-weights"].fill(7), "cannot be read"),
    ],
)
def test_weights_that_do_not_fit_are_refused_in_one_line(spoil: Any, says: str, tmp_path: Path) -> None:
    training = Training(parse_game("nim:3,4"), "ntuple", 1)
    training.run(30)
    training.save(tmp_path / "run.npz")
    header, parts = arrays.load(tmp_path / "run.npz")
    parts = {name: part.copy() for name, part in parts.items()}
    spoil(parts)
    arrays.save(tmp_path / "run.npz", header, parts)
    with pytest.raises(StoreError, match=says) as fault:
        Training.load(tmp_path / "run.npz")
    assert "run.npz" in str(fault.value) and "\n" not in str(fault.value)

"""Arrays of numbers that are alike as few bytes: byte by byte, deflated."""

from __future__ import annotations

import zlib
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.store import StoreError

Bytes: TypeAlias = npt.NDArray[np.uint8]

LEVEL = 1  # of deflating: higher ones take more time than they save bytes
OTHER = "its weights are those of another function"


def pack(numbers: npt.NDArray[Any], beside: npt.NDArray[Any] | None = None) -> Bytes:
    """Return the bits of an array; with another array those that differ."""
    differing = bits(numbers) if beside is None else bits(numbers) ^ bits(beside)
    planes = differing.view(np.uint8).reshape(-1, numbers.itemsize).T  # bytes of one place are more alike
    return np.frombuffer(zlib.compress(planes.tobytes(), LEVEL), np.uint8)


def unpack(
    packed: npt.NDArray[Any], like: npt.NDArray[Any], beside: npt.NDArray[Any] | None = None
) -> npt.NDArray[Any]:
    """Return the array that was packed, which has the shape and type of this one. Raises StoreError if it has not."""
    planes = _inflated(packed, like.nbytes).reshape(like.itemsize, like.size)
    differing = bits(np.ascontiguousarray(planes.T).view(like.dtype))
    return (differing if beside is None else differing ^ bits(beside)).view(like.dtype).reshape(like.shape)


def bits(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the bits of these numbers as whole numbers, in one row."""
    return numbers.reshape(-1).view(f"u{numbers.itemsize}")


def _inflated(packed: npt.NDArray[Any], size: int) -> Bytes:
    """Return exactly so many bytes, and never more, whatever a file holds."""
    if packed.dtype != np.uint8 or packed.ndim != 1:
        raise StoreError(OTHER)
    stream = zlib.decompressobj()
    try:
        inflated = stream.decompress(packed.tobytes(), size + 1)
    except zlib.error as fault:
        raise StoreError(f"its weights cannot be read: {fault}") from None
    if len(inflated) != size:
        raise StoreError(OTHER)
    return np.frombuffer(inflated, np.uint8)

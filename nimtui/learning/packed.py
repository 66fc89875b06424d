"""Arrays with many zeros as few bytes: which numbers are not 0, and these byte by byte, both deflated."""

from __future__ import annotations

import zlib
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.store import StoreError

Bytes: TypeAlias = npt.NDArray[np.uint8]

LEVEL = 1  # of deflating: higher ones take more time than they save bytes
OTHER = "its weights are those of another function"


def pack(numbers: npt.NDArray[Any], beside: npt.NDArray[Any] | None = None) -> tuple[Bytes, Bytes]:
    """Return which numbers of an array have bits, −0.0 too, and those; with another array the bits that differ."""
    flat = bits(numbers.reshape(-1))
    other = None if beside is None else bits(beside.reshape(-1))
    is_set = flat != (0 if other is None else other)
    differing = flat[is_set] if other is None else flat[is_set] ^ other[is_set]
    planes = differing.view(np.uint8).reshape(-1, flat.itemsize).T  # bytes of one place are more alike
    return _deflated(np.packbits(is_set)), _deflated(np.ascontiguousarray(planes))


def unpack(packed: tuple[npt.NDArray[Any], npt.NDArray[Any]], like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the array that was packed, which has the shape and type of this one. Raises StoreError if it has not."""
    is_set = np.unpackbits(_inflated(packed[0], -(-like.size // 8)), count=like.size).astype(bool)
    number = int(is_set.sum())
    planes = _inflated(packed[1], number * like.itemsize).reshape(like.itemsize, number)
    whole = np.zeros(like.size, like.dtype)
    whole[is_set] = np.ascontiguousarray(planes.T).view(like.dtype).reshape(-1)
    return whole.reshape(like.shape)


def bits(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the bits of these numbers as whole numbers."""
    return numbers.view(f"u{numbers.itemsize}")


def _deflated(numbers: Bytes) -> Bytes:
    return np.frombuffer(zlib.compress(numbers.tobytes(), LEVEL), np.uint8)


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

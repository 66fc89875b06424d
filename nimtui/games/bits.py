"""Bit arithmetic that gives the same results in the interpreter and in Numba."""

from __future__ import annotations


def ones(bits: int) -> int:
    """Return how many bits of a number from 0 to 2⁶³ − 1 are set."""
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    bits += bits >> 32
    return bits & 0x7F

"""Syntax of strangers' files, read by several threads at once."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from threading import Event, current_thread

from nimtui.foreign.reading import syntax

SOURCE = "x = [1, (2, 3)]\n" * 300


def deeper(calls: int) -> str:
    return syntax(SOURCE).body[-1].__class__.__name__ if calls == 0 else deeper(calls - 1)


def test_threads_that_read_at_once_do_not_disturb_each_other() -> None:
    """One stands still in the middle, while the other, from another depth, begins and ends if it may."""
    amid, ended, collections, before = Event(), Event(), 0, gc.get_threshold()

    def stands(phase: str, about: object) -> None:
        nonlocal collections
        if current_thread().name == "first_0":
            collections += phase == "start"
            if collections == 20 and not amid.is_set():
                amid.set()
                ended.wait(0.3)

    def second() -> str:
        assert amid.wait(60)
        name = deeper(20)
        ended.set()
        return name

    gc.callbacks.append(stands)
    gc.set_threshold(100)
    try:
        with ThreadPoolExecutor(1, "first") as one, ThreadPoolExecutor(1) as other:
            names = [one.submit(deeper, 2), other.submit(second)]
            assert [name.result(60) for name in names] == ["Assign", "Assign"]
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(stands)
    assert amid.is_set()

"""What tests of work in other processes share: a home of their own, and one cluster for all of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from nimtui.agents import registry
from tests.jobs import awkward


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for all that is kept, with an agent in it that a person has added; here it takes part too."""
    folder = tmp_path / "home"
    (folder / "agents").mkdir(parents=True)
    shutil.copy(awkward.__file__, folder / "agents")
    monkeypatch.setenv("NIMTUI_HOME", str(folder))
    monkeypatch.setattr(registry, "_added", [])
    registry.add(awkward)  # type: ignore[arg-type]
    return folder


@pytest.fixture(scope="session")
def scheduler() -> Iterator[str]:
    """The address of a small cluster on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield cluster.scheduler_address

"""Find the other files of a person's own that a file imports, wherever they come from."""

from __future__ import annotations

import site
import sys
import sysconfig
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from nimtui.check.verdict import Imported

PACKAGE = Path(__file__).parents[1]
MOST = 200  # files


def found(at_start: Collection[str], own: Collection[str], fault: BaseException | None = None) -> list[Imported]:
    """Return the files of modules loaded since the start, and the files in which a fault was raised.

    Python's own files, installed libraries, this package and the file itself (`own`) are left out.
    """
    files = dict.fromkeys([*_imported(at_start), *_raised(fault)])
    return [Imported.now(file) for file in files if file not in own and not _installed(file)][:MOST]


def _imported(at_start: Collection[str]) -> Iterator[str]:
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) if name not in at_start else None
        if isinstance(file, str):
            yield file


def _raised(fault: BaseException | None) -> Iterator[str]:
    """Yield the files of a traceback: a module that fails during its import is not in `sys.modules`."""
    if isinstance(fault, SyntaxError) and isinstance(fault.filename, str):
        yield fault.filename
    trace = fault.__traceback__ if fault is not None else None
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename
        trace = trace.tb_next


def _installed(file: str) -> bool:
    return file.startswith("<") or any(Path(file).is_relative_to(folder) for folder in _folders())


@cache
def _folders() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    names = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    names += [*site.getsitepackages(), site.getusersitepackages()]
    return (PACKAGE, *(Path(name) for name in names))

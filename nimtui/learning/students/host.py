"""Runs a student's file in a process of its own, and answers lines of JSON: `python host.py FILE SETUP START TRAIN`.

SETUP and START are Python, run after the file in a copy of its names. A line is `{"code": …, "names": …, "seed": …}`,
an expression to evaluate, `{"rule": …}`, a rule to try, `{"games": N}`: run TRAIN until N games are played, or
`{"keep": …}` and `{"restore": …}`: what TRAIN made, `ai`, as text and back. Nothing that the file prints reaches the
answers, and nothing that it reads takes a line. Uses Python's own library alone: the interpreter may be any.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
import math
import operator
import os
import pickle
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

COMPARING = 5.0  # seconds for the moves of a player in all positions
LONGEST = 300  # characters of a value that is shown
ORDERS = {">=": operator.ge, "<=": operator.le}  # what may stand before the right value of a rule


def streams() -> tuple[TextIO, TextIO]:
    """Return stdin and stdout for lines of JSON; the file itself reads nothing and prints nowhere."""
    lines, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return lines, answers


class Training:
    """The training by the code TRAIN: waits between two games until a line asks for more."""

    def __init__(self, lines: TextIO, answers: TextIO, code: str) -> None:
        self.games = 0  # finished
        self._lines, self._answers, self._code = lines, answers, code
        self._until = 0  # the games of the unanswered line
        self._learnt: Callable[[], dict[str, Any]] = dict

    def between(self, learnt: Callable[[], dict[str, Any]]) -> None:
        """Answer with what is `learnt` if enough games are played, and wait for the next line. START calls it."""
        self._learnt = learnt
        while self.games >= self._until:
            self.tell(self.state(done=False))
            self._until = json.loads(self._lines.readline() or sys.exit())["games"]
        self.games += 1

    def tell(self, answer: dict[str, Any]) -> None:
        """Write a line."""
        print(json.dumps(answer), file=self._answers, flush=True)

    def state(self, done: bool) -> dict[str, Any]:
        """Return the games, whether all are played, and the news since the last answer."""
        return {"games": self.games, "done": done, **self._learnt()}

    def train(self, names: dict[str, Any], until: int) -> dict[str, Any]:
        """Train until so many games are played, and to the end if no line asks for more; once."""
        code, self._code, self._until = self._code, "", until
        exec(code, names)
        return self.state(done=True)


def load(path: Path, setup: str, start: str, training: Training) -> dict[str, Any]:
    """Return the names of the file, and those that the assignment adds."""
    sys.path[0] = str(path.parent)
    sys.argv = [str(path)]
    random.seed(0)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    names = {**vars(module), "module": module, "between": training.between}
    try:
        exec(setup, names)
    except Exception as fault:  # noqa: BLE001 - whatever a teacher writes
        raise SystemExit(f"setup of the assignment raises {raised(fault)}") from None
    exec(start, names)
    return names


def shown(value: object) -> str:
    """Return a value as Python writes it, a number to nine places, cut if it is long."""
    text = repr(round(value, 9) if isinstance(value, float) else value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def same(value: object, right: object) -> bool:
    """Return whether two values are equal; numbers may differ by 1e-9."""
    if isinstance(value, int | float) and isinstance(right, int | float):
        return math.isclose(value, right, rel_tol=1e-9, abs_tol=1e-9)
    return bool(value == right)


def raised(fault: BaseException) -> str:
    """Return the kind of an exception and its text in one line."""
    return " ".join(f"{type(fault).__name__}: {fault}".split())[:LONGEST].rstrip(": ")


def cases(names: dict[str, Any], text: str) -> Iterator[dict[str, Any]]:
    """Give the names of each case of 'a, b in [(1, 2), …]'; of '' one case without names."""
    if not text:
        yield {}
        return
    targets, _, values = text.partition(" in ")
    binding = compile(f"{targets} = _", "for", "exec")
    for value in eval(values, names):
        scope: dict[str, Any] = {"_": value}
        exec(binding, scope)
        yield {name.strip(): scope[name.strip()] for name in targets.split(",")}


def tried(names: dict[str, Any], rule: dict[str, str], tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Return the first case in which a rule is broken, with the value and the right one; {} if it holds.

    Or what is wrong with the rule itself. Tells each case before it starts.
    """
    text = rule.get("right", "True")
    order, _, bound = text.partition(" ")
    right_code = compile((bound if order in ORDERS else text).strip(), "right", "eval")
    code, values = compile(rule["try"].strip(), "try", "eval"), []
    try:
        every = list(cases(names, rule.get("for", "")))
    except Exception as fault:  # noqa: BLE001 - whatever a teacher writes
        return {"wrong": f"for raises {raised(fault)}"}
    for at, case in enumerate(every):
        random.seed(0)
        scope, example = {**names, **case}, {name: shown(value) for name, value in case.items()}
        tell({"at": at, "of": len(every), "case": example})
        try:
            right = eval(right_code, scope)
        except Exception as fault:  # noqa: BLE001 - whatever a teacher writes
            return {"wrong": f"right raises {raised(fault)}"}
        try:
            error, value = "", eval(code, scope)
            sound = ORDERS[order](value, right) if order in ORDERS else same(value, right)
            got = shown(value)
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - whatever the file raises
            sound, got, error = False, "an error", raised(fault)
        if not sound:
            says = f"{order} {bound}" if order in ORDERS else shown(right)
            return {"case": example, "got": got, "right": says, "raised": error}
        values.append(value)
    return {"reached": [min(values), max(values)], "cases": len(values)} if order in ORDERS and values else {}


def moves(names: dict[str, Any], code: str) -> str:
    """Return the digest of the moves of an expression, equal if two play alike. Raises TimeoutError for slow ones."""
    random.seed(0)
    digest, late = hashlib.sha256(), time.monotonic() + COMPARING
    for move in eval(code, names):
        digest.update(repr(move).encode())
        if time.monotonic() > late:
            raise TimeoutError
    return digest.hexdigest()


def kept(names: dict[str, Any], code: str) -> dict[str, Any]:
    """Return what was trained as text, with the digest of its moves; {} if it cannot be written."""
    try:
        return {"ai": base64.b64encode(pickle.dumps(names["ai"])).decode(), "moves": moves(names, code)}
    except Exception:  # noqa: BLE001 - whatever the file raises
        return {}


def restored(names: dict[str, Any], text: str, digest: str, code: str) -> dict[str, Any]:
    """Take in what was trained, and return whether it plays as it did then."""
    try:
        names["ai"] = pickle.loads(base64.b64decode(text))
        return {"restored": moves(names, code) == digest}
    except Exception:  # noqa: BLE001 - whatever the file raises
        return {"restored": False}


def answer(names: dict[str, Any], question: dict[str, Any], training: Training) -> dict[str, Any]:
    """Return the answer to one line."""
    if "rule" in question:
        return tried(names, question["rule"], training.tell)
    if "games" in question:
        return training.train(names, question["games"])
    if "keep" in question:
        return kept(names, question["keep"])
    if "restore" in question:
        return restored(names, question["ai"], question["moves"], question["restore"])
    random.seed(question["seed"])
    try:
        value = eval(question["code"], {**names, **question["names"]})
    except (Exception, SystemExit) as fault:  # noqa: BLE001 - whatever the file raises
        return {"raised": raised(fault)}
    return {"value": value if isinstance(value, str) else repr(value)}


def main() -> None:
    """Load the file, then answer each line. An exception outside a rule ends the process, with its traceback."""
    lines, answers = streams()
    try:
        path, setup, start, train = sys.argv[1:]
        training = Training(lines, answers, train)
        names = load(Path(path), setup, start, training)
        for line in iter(lines.readline, ""):
            training.tell(answer(names, json.loads(line), training))
    except BaseException as fault:  # noqa: BLE001 - also sys.exit(): a file that ends is not one that plays
        traceback.print_exc()
        print(raised(fault), file=sys.stderr, flush=True)
        os._exit(1)


if __name__ == "__main__":
    main()

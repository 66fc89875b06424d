"""Grades a student's file: tries each rule of an assignment in the sandbox, and finds the smallest broken example."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.learning.students.learner import SECONDS, Assignment, ask
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Block, Facts, Figure, Figures, Gap, Heading, Report, Sentence
from nimtui.report.values import Count, Typed, Value, Word
from nimtui.sandbox.command import FaultKind, ProgramFault
from nimtui.sandbox.program import USUAL, Program

LOADING = 30.0  # seconds to load a file
LOADS = "loads"  # the rule that a file breaks if it does not load


class Rule(NamedTuple):
    """A rule that was tried."""

    name: str
    ok: bool
    example: str = ""  # the smallest broken one, in a sentence
    reached: tuple[float, float] | None = None  # the lowest and highest value where a bound is the rule
    cases: int | None = None  # in so many

    @property
    def value(self) -> Value:
        """Return the verdict, with the example or the values that were reached."""
        if not self.ok:
            return Word(f"broken: {self.example}")
        if self.reached is None:
            return Word("ok")
        low, high = self.reached
        return Word(f"ok: {low:g} to {high:g} in {plural(self.cases or 0, 'case', 'cases')}")


class Grade(NamedTuple):
    """The rules of an assignment that were tried on one file: all, or those before a stop."""

    assignment: Assignment
    file: Path
    rules: tuple[Rule, ...]

    @property
    def broken(self) -> int:
        """Return how many rules are broken."""
        return sum(not rule.ok for rule in self.rules)

    @property
    def left(self) -> int:
        """Return how many rules were not tried."""
        return 0 if self.rules[-1].name == LOADS else 1 + len(self.assignment.rules) - len(self.rules)


class _Runs:
    """A student's file in its process, started again after it failed."""

    def __init__(self, assignment: Assignment, file: Path) -> None:
        self._command = assignment.command(file)
        self._process: Program | None = None
        self.left = 0.0  # seconds of the rule, at the latest question

    def answers(self, rule: Mapping[str, Any], pause: Callable[[], object]) -> Iterator[dict[str, Any]]:
        """Give each case of a rule when it starts, `at` some of `of`, and last the verdict. Raises ProgramFault."""
        if self._process is None or not self._process.runs:
            self._process = Program(self._command, USUAL._replace(start=LOADING))
        late, question = monotonic() + rule.get("seconds", SECONDS), {"rule": rule}
        answer: dict[str, Any] = {"at": 0}
        while "at" in answer:
            self.left = late - monotonic()
            answer = ask(self._process, question, min(self.left, rule.get("each", self.left)), pause)
            question = {}
            yield answer

    def end(self) -> None:
        if self._process is not None:
            self._process.end()


def tried(file: Path, assignment: Assignment, progress: Progress = SILENT) -> Iterator[Rule]:
    """Give each rule as soon as it is tried. A file that does not load breaks the only rule, LOADS.

    Raises InputError if a rule itself is wrong.
    """
    needs = {"name": "defines", "for": f"need in {list(assignment.needs)!r}", "try": "callable(eval(need))"}
    needs["say"] = "{need} is missing"
    runs = _Runs(assignment, file)
    try:
        for number, rule in enumerate((needs, *assignment.rules)):
            yield (one := _tried(runs, rule, assignment, number, progress))
            if one.name == LOADS:
                return
    finally:
        runs.end()


def _tried(runs: _Runs, rule: Mapping[str, Any], assignment: Assignment, number: int, progress: Progress) -> Rule:
    """Return a rule as tried; so many were tried before."""
    name, answer, case, share = str(rule["name"]), dict[str, Any](), dict[str, str](), 0.0

    def pause() -> None:
        progress.report(number + share, 1 + len(assignment.rules), name)

    try:
        pause()
        for answer in runs.answers(rule, pause):
            if "at" in answer:
                case, share = answer["case"], answer["at"] / answer["of"]
    except ProgramFault as fault:
        return Rule(LOADS if fault.kind is FaultKind.NO_START else name, False, _story(fault, rule, case, runs.left))
    if "wrong" in answer:
        raise InputError(f"{assignment.path}: {name}: {answer['wrong']}")
    if "case" not in answer:
        reached = answer.get("reached")
        return Rule(name, True, "", None if reached is None else tuple(reached), answer.get("cases"))
    if answer["raised"] and "{got" in rule["say"]:  # its sentence is about a value
        right = "" if answer["right"] == "True" else f", instead of {answer['right']}"
        return Rule(name, False, f"{_named(answer['case'])}{answer['raised']}{right}")
    values = {**answer["case"], "got": answer["got"], "right": answer["right"]}
    return Rule(name, False, rule["say"].format_map(values))


def _named(case: Mapping[str, str]) -> str:
    """Return 'n = 1, m = 2: ', '' for a case without names."""
    return ", ".join(f"{name} = {value}" for name, value in case.items()) + ": " * bool(case)


def _story(fault: ProgramFault, rule: Mapping[str, Any], case: Mapping[str, str], left: float) -> str:
    """Return a fault with its case, and the last line that the file wrote to stderr: mostly its exception."""
    if fault.kind not in (FaultKind.STALL, FaultKind.SLOW):
        return _named(case) + f"the file {fault.whole}"
    if rule.get("each", left) < left:
        return f"{_named(case)}no end within {Typed(rule['each'])} s"
    return f"{_named(case)}the rule does not end within {Typed(rule.get('seconds', SECONDS))} s"


def report(result: Grade) -> Report:
    """Return the report of a grade: a line for each rule, and how many are broken."""
    rules, assignment = result.rules, result.assignment
    rows = [{**rule._asdict(), "example": rule.example or None} for rule in rules]
    ok = not result.broken and not result.left
    many, verb = plural(len(rules), "rule", "rules"), "is" if result.broken == 1 else "are"
    blocks: list[Block] = [
        Heading(f"{result.file.name} · {assignment.title}"),
        Facts({"file": str(result.file), "assignment": assignment.title, "ok": ok, "rules": rows}),
        Figures([Figure(rule.name, rule.value) for rule in rules]),
        Gap(),
    ]
    if result.left:
        far = f"{Count(len(rules))} of {Count(len(rules) + result.left)} rules were tried"
        return Report([*blocks, Sentence(f"Stopped: {far}, {Count(result.broken)} of them broken.")])
    if rules[-1].name == LOADS:
        return Report([*blocks, Sentence("The file does not load, so no other rule was tried.")])
    if result.broken:
        return Report([*blocks, Sentence(f"{Count(result.broken)} of {many} {verb} broken.")])
    return Report([*blocks, Sentence(f"All {many} hold.")])

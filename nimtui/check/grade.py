"""Grades a student's file: tries each rule of an assignment in the sandbox, and finds the smallest broken example."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.learning.students.assignment import SECONDS, Assignment
from nimtui.learning.students.learner import ask
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Block, Facts, Figure, Figures, Gap, Heading, Report, Sentence
from nimtui.report.values import Count, Value, Word
from nimtui.sandbox.faults import FaultKind, ProgramFault
from nimtui.sandbox.program import USUAL, Program

LOADING = 30.0  # seconds to load a file


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
    """All rules of an assignment, tried on one file."""

    assignment: Assignment
    file: Path
    rules: tuple[Rule, ...]

    @property
    def broken(self) -> int:
        """Return how many rules are broken."""
        return sum(not rule.ok for rule in self.rules)


class _Runs:
    """A student's file in its process, started again after it failed."""

    def __init__(self, assignment: Assignment, file: Path, progress: Progress) -> None:
        self._command, self._progress = assignment.command(file), progress
        self._process: Program | None = None

    def answer(self, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the host answers about a rule. Raises ProgramFault."""
        if self._process is None or not self._process.runs:
            command, allowance = self._command, USUAL._replace(start=LOADING)
            self._process = Program(command.words, command.folder, command.bounds, allowance)
        seconds = rule.get("seconds", SECONDS)
        return ask(self._process, {"rule": rule}, seconds, lambda: self._progress.report(0, 0))

    def end(self) -> None:
        if self._process is not None:
            self._process.end()


def grade(file: Path, assignment: Assignment, progress: Progress = SILENT) -> Grade:
    """Return which rules of the assignment a file breaks. A file that does not load breaks the first rule, `loads`.

    Raises InputError if a rule itself is wrong.
    """
    needs = {"name": "defines", "for": f"need in {list(assignment.needs)!r}", "try": "callable(eval(need))"}
    needs["say"] = "{need} is missing"
    rules, runs = [], _Runs(assignment, file, progress)
    try:
        for number, rule in enumerate((needs, *assignment.rules)):
            try:
                answer = runs.answer(rule)
                if "wrong" in answer:
                    raise InputError(f"{assignment.path}: {rule['name']}: {answer['wrong']}")
                rules.append(_tried(rule, answer))
            except ProgramFault as fault:
                rules.append(Rule(str(rule["name"]), False, _story(fault, rule)))
                if fault.kind is FaultKind.NO_START:
                    rules[-1] = rules[-1]._replace(name="loads")
                    break
            progress.report(number + 1, len(assignment.rules) + 1, "rules")
    finally:
        runs.end()
    return Grade(assignment, file, tuple(rules))


def _tried(rule: Mapping[str, Any], answer: Mapping[str, Any]) -> Rule:
    if "case" not in answer:
        reached = answer.get("reached")
        return Rule(rule["name"], True, "", None if reached is None else tuple(reached), answer.get("cases"))
    if answer["raised"] and "{got" in rule["say"]:  # its sentence is about a value
        case = ", ".join(f"{name} = {value}" for name, value in answer["case"].items())
        right = "" if answer["right"] == "True" else f", instead of {answer['right']}"
        return Rule(rule["name"], False, f"{case}: " * bool(case) + answer["raised"] + right)
    values = {**answer["case"], "got": answer["got"], "right": answer["right"]}
    return Rule(rule["name"], False, rule["say"].format_map(values))


def _story(fault: ProgramFault, rule: Mapping[str, Any]) -> str:
    """Return a fault with the last line that the file wrote to stderr: mostly its exception."""
    if fault.kind is FaultKind.STALL:
        return f"no end within {Count(rule.get('seconds', SECONDS))} s"
    return ": ".join([f"the file {fault}", *fault.errors[-1:]])


def report(result: Grade) -> Report:
    """Return the report of a grade: a line for each rule, and how many are broken."""
    rules, assignment = result.rules, result.assignment
    rows = [{**rule._asdict(), "example": rule.example or None} for rule in rules]
    many = plural(len(rules), "rule is", "rules are")
    blocks: list[Block] = [
        Heading(f"{result.file.name} · {assignment.title}"),
        Facts({"file": str(result.file), "assignment": assignment.title, "ok": not result.broken, "rules": rows}),
        Figures([Figure(rule.name, rule.value) for rule in rules]),
        Gap(),
    ]
    if rules[-1].name == "loads":
        return Report([*blocks, Sentence("The file does not load, so no other rule was tried.")])
    if result.broken:
        return Report([*blocks, Sentence(f"{Count(result.broken)} of {many} broken.")])
    return Report([*blocks, Sentence(f"All {many} kept.")])

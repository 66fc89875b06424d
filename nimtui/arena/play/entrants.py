"""Short, distinct names and initials of a tournament's agents, so that a table of them fits a screen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from pathlib import PurePath
from string import ascii_uppercase

from nimtui.agents.program import called, is_program
from nimtui.agents.registry import agent_forms

FIRST = re.compile(r"(?<![0-9A-Za-z])[A-Za-z]")  # of a word; the k of 1k is none
UNITS = ((10**9, "G"), (10**6, "M"), (10**3, "k"))


@lru_cache(16)
def labels(agents: tuple[str, ...]) -> tuple[str, ...]:
    """Return a short name for each canonical name: 'mcts 500', or 'mcts 500 c=2' if c distinguishes two agents."""
    split = _with_defaults([_split(name) for name in agents])
    short = [_label(at, split) for at in range(len(agents))]
    times = Counter(short)
    return tuple(name if times[label] > 1 else label for name, label in zip(agents, short, strict=True))


@lru_cache(16)
def initials(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a letter for each label, with a number if several share it: 'M', 'M2'; or else only numbers."""
    if len(names) > len(ascii_uppercase):
        return tuple(str(number) for number in range(1, len(names) + 1))
    letters: dict[int, str] = {}
    kinds = Counter(name.partition(" ")[0] for name in names)
    for letters_of in (_first_of_words, _all_letters, _numbered):
        for at, name in enumerate(names):
            if letters_of is _all_letters and kinds[name.partition(" ")[0]] > 1:
                continue  # for agents of one kind a number says more
            if at not in letters:
                free = (letter for letter in letters_of(name) if letter not in letters.values())
                if letter := next(free, ""):
                    letters[at] = letter
    return tuple(letters[at] for at in range(len(names)))


def _first_of_words(name: str) -> str:
    return "".join(FIRST.findall(name)).upper()


def _all_letters(name: str) -> str:
    return "".join(sign for sign in name.upper() if sign in ascii_uppercase)


def _numbered(name: str) -> Iterator[str]:
    letter = (_all_letters(name) or ascii_uppercase)[0]
    return (f"{letter}{number}" for number in count(2))


def _split(name: str) -> tuple[str, dict[str, str]]:
    """Return the kind of agent and its parameters; a value without a key has the key ''."""
    if is_program(name):
        return called(name), {}
    kind, _, rest = name.partition(":")
    if kind == "table":
        return kind, {"": PurePath(rest).name}
    values = {}
    for part in rest.split(",") if rest else ():
        key, equals, value = part.partition("=")
        values[key if equals else ""] = PurePath(value).name if key == "value" else value if equals else key
    return kind, values


def _with_defaults(split: Sequence[tuple[str, dict[str, str]]]) -> list[tuple[str, dict[str, str]]]:
    """Return the parameters, with an agent's default number added if another agent of its kind names its own."""
    named = []
    for kind, values in split:
        keys = dict.fromkeys(key for other, others in split if other == kind for key in others)
        usual = _usual(kind) if len(keys) > len(values) else {}
        options = {key: values.get(key, usual.get(key, "")) for key in keys}
        named.append((kind, {key: value for key, value in options.items() if value}))
    return named


@lru_cache
def _usual(kind: str) -> dict[str, str]:
    """Return the default numbers of such agents; {} if the kind is unknown here."""
    options = next((form for form, _ in agent_forms() if form.startswith(f"{kind}[:")), "").partition("[:")[2]
    pairs = (option.partition("=") for option in options.removesuffix("]").split(","))
    return {key: value for key, _, value in pairs if value[:1].isdigit()}


def _label(at: int, split: Sequence[tuple[str, dict[str, str]]]) -> str:
    kind, values = split[at]
    alike = [others for other, (its, others) in enumerate(split) if its == kind and other != at]
    first = next(iter(values), None)
    keys = [key for key in values if any(others.get(key) != values[key] for others in alike)]
    if not alike and first is not None:
        keys = [first]
    return " ".join([kind, *(_option_text(key, values[key], key == first) for key in keys)])


def _option_text(key: str, value: str, first: bool) -> str:
    """Return the value alone if it is a word or the agent's first number, else with its key."""
    if value.isdigit():
        for unit, sign in UNITS:
            if int(value) >= unit and int(value) % unit == 0:
                value = f"{int(value) // unit}{sign}"
                break
    number = value[:1].isdigit() or value[:1] in "+-."
    return f"{key}={value}" if number and not first else value

"""Short names and initials of the agents of a tournament, all different, so that a table of them fits a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from string import ascii_uppercase

UNITS = ((10**9, "G"), (10**6, "M"), (10**3, "k"))


def labels(agents: Sequence[str]) -> tuple[str, ...]:
    """What each canonical name is called among these: 'mcts 500', and 'mcts 500 c=2' only where c tells two apart."""
    split = [_split(name) for name in agents]
    short = [_label(at, split) for at in range(len(agents))]
    times = Counter(short)
    return tuple(name if times[label] > 1 else label for name, label in zip(agents, short, strict=True))


def initials(names: Sequence[str]) -> tuple[str, ...]:
    """A letter for each of these labels, one of its own if possible; numbers where there are more than letters."""
    if len(names) > len(ascii_uppercase):
        return tuple(str(number) for number in range(1, len(names) + 1))
    found: dict[int, str] = {}
    for letters_of in (_first_of_words, _all_letters, lambda name: ascii_uppercase):
        for at, name in enumerate(names):
            if at not in found:
                free = (letter for letter in letters_of(name) if letter not in found.values())
                if letter := next(free, ""):
                    found[at] = letter
    return tuple(found[at] for at in range(len(names)))


def _first_of_words(name: str) -> str:
    words = "".join(sign if sign.isalpha() else " " for sign in name).split()
    return "".join(word[0] for word in words).upper()


def _all_letters(name: str) -> str:
    return "".join(sign for sign in name.upper() if sign in ascii_uppercase)


def _split(name: str) -> tuple[str, dict[str, str]]:
    """The kind of agent and its parameters; what is no parameter has the key ''."""
    kind, _, rest = name.partition(":")
    values = {}
    for part in rest.split(",") if rest else ():
        key, equals, value = part.partition("=")
        values[key if equals else ""] = value if equals else key
    return kind, values


def _label(at: int, split: Sequence[tuple[str, dict[str, str]]]) -> str:
    kind, values = split[at]
    alike = [others for other, (its, others) in enumerate(split) if its == kind and other != at]
    first = next(iter(values), None)
    shown = [key for key in values if any(others.get(key) != values[key] for others in alike)]
    if not alike and first is not None:
        shown = [first]
    return " ".join([kind, *(_said(key, values[key], key == first) for key in shown)])


def _said(key: str, value: str, first: bool) -> str:
    """A value alone where it is a word or the agent's first number, else with its key."""
    if value.isdigit():
        for unit, sign in UNITS:
            if int(value) >= unit and int(value) % unit == 0:
                value = f"{int(value) // unit}{sign}"
                break
    number = value[:1].isdigit() or value[:1] in "+-."
    return f"{key}={value}" if number and not first else value

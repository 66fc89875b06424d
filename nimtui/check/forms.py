"""Which games are tried for a rules file: those that its FORMS name, and smaller ones of the same form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

from nimtui.games.registry import forms_of

SMALL = (3, 2, 1)
MOST_GAMES = 8
GUESSES = ("", ":3", ":2,3", ":3x3", ":3,3", ":3x3x3", ":1,2,3")  # where no form can be parsed as it is


def names(module: ModuleType) -> list[str]:
    """The names of games to try, those that FORMS give first; what cannot be parsed among them is no fault."""
    given = [str(form) for form in forms_of(module)]
    plain = [re.sub(r"\[[^\]]*\]", "", form) for form in given]
    found = dict.fromkeys(plain)
    found.update(dict.fromkeys(name for form in given for name in _with_options(form)))
    for most in SMALL:
        found.update(dict.fromkeys(_smaller(form, most) for form in plain))
    return list(found)


def exact(module: ModuleType) -> list[str]:
    """Those of FORMS that are names as they stand: without an option in brackets, a placeholder or an ellipsis."""
    return [form for form in getattr(module, "FORMS", ()) if not re.search(r"[\[\]A-Z…]|\.\.\.", form)]


def guesses(module: ModuleType) -> Iterator[str]:
    """What a game of this module might be called."""
    for word in module.NAMES:
        for guess in GUESSES:
            yield f"{word}{guess}"


def _with_options(form: str) -> Iterator[str]:
    """The form with one of its options each: 'nim:1,3[:max=K][:misere]' gives 'nim:1,3:max=2', 'nim:1,3:misere'."""
    plain = re.sub(r"\[[^\]]*\]", "", form)
    for option in re.findall(r"\[([^\]]*)\]", form):
        yield plain + re.sub(r"[A-Z]+", "2", option)


def _smaller(form: str, most: int) -> str:
    word, colon, rest = form.partition(":")
    return word + colon + re.sub(r"\d+", lambda number: str(min(int(number[0]), most)), rest)

"""Choose the games to check for a rules file: those that FORMS lists, and smaller ones of the same form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

from nimtui.games.registry import forms_of

SMALL = (3, 2, 1)
MOST_GAMES = 8
GUESSES = ("", ":3", ":2,3", ":3x3", ":3,3", ":3x3x3", ":1,2,3")  # tried if no form can be parsed as it stands


def names(module: ModuleType) -> list[str]:
    """Return the names of games to check, those from FORMS first; a guessed name may be invalid."""
    forms = [str(form) for form in forms_of(module)]
    plain = [re.sub(r"\[[^\]]*\]", "", form) for form in forms]
    with_options = [name for form in forms for name in _with_options(form)]
    smaller = [_smaller(form, most) for most in SMALL for form in plain]
    return list(dict.fromkeys([*plain, *with_options, *smaller]))


def exact(module: ModuleType) -> list[str]:
    """Return the entries of FORMS that are names: without an option in brackets, a placeholder or an ellipsis."""
    return [form for form in getattr(module, "FORMS", ()) if not re.search(r"[\[\]A-Z…]|\.\.\.", form)]


def guesses(module: ModuleType) -> Iterator[str]:
    """Yield names that a game of this module might have."""
    for word in module.NAMES:
        for guess in GUESSES:
            yield f"{word}{guess}"


def _with_options(form: str) -> Iterator[str]:
    """Yield the form with each single option: 'nim:1,3[:max=K][:misere]' gives 'nim:1,3:max=2', 'nim:1,3:misere'."""
    plain = re.sub(r"\[[^\]]*\]", "", form)
    for option in re.findall(r"\[([^\]]*)\]", form):
        yield plain + re.sub(r"[A-Z]+", "2", option)


def _smaller(form: str, most: int) -> str:
    word, colon, rest = form.partition(":")
    return word + colon + re.sub(r"\d+", lambda number: str(min(int(number[0]), most)), rest)

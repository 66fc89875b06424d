"""What a kernel is made of: its function, and every function and constant that is compiled into it.

A stamp is a hash of their code, found by the names that the code uses, as Numba finds them. So a sentence or a comment
beside a rule compiles nothing again, and a helper of a rule's helper compiles every kernel that it is in. Where a name
leads to more than is compiled, the stamp takes it too: a stamp may change too often, never too seldom.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from nimtui.engine import functions, lessons
from nimtui.games import base
from nimtui.process import plugins

OWN = "nimtui"  # the package, whose functions are followed; others come with their version
WORDS: frozenset[Any] = frozenset(
    (*base.WORDS, *lessons.WORDS, *functions.WORDS)
)  # each stands for the function of a class, which has its own stamp
PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)


@cache
def of_function(function: FunctionType) -> str:
    """Return the stamp of a function that is compiled, without the rules that its arguments bring."""
    return _hashed(_parts([function, *_registered("nimtui.engine.dispatch")]))


@cache
def of_class(kind: type) -> str:
    """Return the stamp of a state or a learner: of every rule that its class brings, and of its own file."""
    rules: list[Any] = [kind]
    for words, find in ((base.WORDS, base.rule), (lessons.WORDS, lessons.word), (functions.WORDS, functions.word)):
        for word in words:
            try:
                rules.append(find(kind, word.__name__))
            except KeyError:  # a class of neither kind, or a game without this rule
                continue
    parts = _parts([rule for rule in rules if rule not in WORDS])
    if kind.__module__.partition(".")[0] != OWN:
        parts.add(hashlib.sha256(plugins.text_of(sys.modules[kind.__module__])).hexdigest())
    return _hashed(parts)


def _hashed(parts: set[str]) -> str:
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()


def _parts(roots: list[Any]) -> set[str]:
    """Return a text for each function, class and constant that the roots lead to."""
    parts: set[str] = set()
    seen: set[int] = set()
    waiting = [("", root) for root in roots]
    while waiting:
        name, one = waiting.pop()
        one = getattr(one, "py_func", one)  # of a kernel
        one = getattr(one, "_defn", one)  # of an intrinsic
        if isinstance(one, PLAIN) or not isinstance(one, FunctionType | ModuleType | type):
            parts.add(f"{name} = {_constant(one)}")
        elif id(one) not in seen:
            seen.add(id(one))
            if isinstance(one, FunctionType):
                if one in WORDS or not _is_followed(one.__module__):
                    parts.add(f"{one.__module__}.{one.__qualname__}")
                else:
                    parts.add(f"{one.__module__}.{one.__qualname__} {_code(one.__code__, one.__doc__)}")
                    waiting += _used(one)
            elif isinstance(one, type):
                parts.add(_class(one))
    return parts


def _is_followed(module: str) -> bool:
    """Return whether functions of this module are followed: those of the package and of people's own files."""
    name = module.partition(".")[0]
    return name == OWN or name not in sys.stdlib_module_names | {"numba", "numpy", "llvmlite"}


def _used(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Give what the code of a function names, with the name: globals, parts of modules, closures, defaults."""
    names = list(_names(function.__code__))
    modules = []
    for name in names:
        if name in function.__globals__:
            used = function.__globals__[name]
            yield name, used
            if isinstance(used, ModuleType) and _is_followed(used.__name__):
                modules.append(used)
    for module in modules:
        for name in names:
            if hasattr(module, name):
                yield f"{module.__name__}.{name}", getattr(module, name)
    for at, cell in enumerate(function.__closure__ or ()):
        yield f"{function.__qualname__}.{function.__code__.co_freevars[at]}", cell.cell_contents
    yield from ((f"{function.__qualname__} default", value) for value in function.__defaults__ or ())
    if {"overload", "intrinsic"} & function.__globals__.keys():
        yield from (("", registered) for registered in _registered(function.__module__))


def _registered(module: str) -> list[Any]:
    """Return the functions of a module that gives Numba other code for some of them: no name leads to that code."""
    names = vars(import_module(module))
    return [one for one in names.values() if getattr(one, "__module__", None) == module and callable(one)]


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _code(code: CodeType, doc: str | None = None) -> str:
    """Return what a function does, without its place in a file and its docstring."""
    constants = code.co_consts[1:] if doc is not None and code.co_consts[:1] == (doc,) else code.co_consts
    texts = [_code(one) if isinstance(one, CodeType) else _constant(one) for one in constants]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {texts}"


def _constant(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    if isinstance(value, frozenset | set):
        return f"{{{', '.join(sorted(set(map(_constant, value))))}}}"  # however many functions a registry has by now
    if isinstance(value, (*PLAIN, Enum)):
        return f"{type(value).__name__} {value!r}"
    return type(value).__qualname__  # a type of Numba, a lock: not compiled


def _class(kind: type) -> str:
    members = [repr(member) for member in kind] if issubclass(kind, Enum) else getattr(kind, "_fields", ())
    return f"{kind.__module__}.{kind.__qualname__} {members}"

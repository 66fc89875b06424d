"""The ids of all bindings, and the keys that a person has given to some of them.

Textual's own keymap removes every binding of a replaced key; here a key often has several, of which one is possible.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode
from textual.keys import Keys, _character_to_key, key_to_character

LEAVING = ("ctrl+q", "ctrl+c")  # keys that nobody can take away
MODIFIERS = {"ctrl", "shift", "alt"}
SHORT = {"esc": "escape", "return": "enter", "del": "delete", "pgup": "pageup", "pgdn": "pagedown"}
NAMES = {key.value for key in Keys if "+" not in key.value and not key.value.startswith("<")}
NAMES |= {_character_to_key(sign) for sign in string.punctuation + " "}

_chosen: dict[str, tuple[str, ...]] = {}  # id -> its keys, in this process


def choose(chosen: Mapping[str, tuple[str, ...]]) -> None:
    """Let these ids have these keys, and all others their defaults."""
    _chosen.clear()
    _chosen.update(chosen)


def changed() -> bool:
    """Return whether a person has chosen keys."""
    return bool(_chosen)


def key_name(text: str) -> str | None:
    """Return Textual's name of a key that a person wrote ('?', 'ctrl+y', 'f10', 'A'), or None if there is none."""
    if len(text) == 1:
        return _character_to_key(text) if text.isprintable() else None
    *modifiers, key = text.strip().lower().split("+")
    key = SHORT.get(key, key)
    if len(modifiers) > len(set(modifiers)) or not set(modifiers) <= MODIFIERS:
        return None
    if modifiers and len(key) == 1 and key.isascii() and key.isalnum():
        return "+".join([*modifiers, key])
    return "+".join([*modifiers, key]) if key in NAMES and len(key) > 1 else None


@cache
def ids(kind: type[DOMNode]) -> dict[str, tuple[str, Sequence[Binding]]]:
    """Return action -> (id, bindings) of a class's own BINDINGS: 'play.hint'. One id per action and its parameters.

    The id is the place and the action's name; with parameters the words that describe it, and a key if those are alike.
    A binding may name itself.
    """
    place: str = vars(kind).get("PLACE", "")
    return named(place, kind.__dict__.get("BINDINGS", ())) if place else {}


def named(place: str, own: Sequence[Binding]) -> dict[str, tuple[str, Sequence[Binding]]]:
    """Return action -> (id, bindings) of the bindings of a place."""
    found: dict[str, list[Binding]] = {}
    for binding in own:
        found.setdefault(marked(binding), []).append(binding)
    words = {action: _word(action, bindings[0]) for action, bindings in found.items()}
    alike = {word for word in words.values() if list(words.values()).count(word) > 1}
    ids = {
        action: f"{word}-{_slug(found[action][0].key.partition(',')[0])}" if word in alike else word
        for action, word in words.items()
    }
    return {action: (f"{place}.{ids[action]}", bindings) for action, bindings in found.items()}


def marked(binding: Binding) -> str:
    """Return the action; those of the system keys are apart, so that nobody changes them."""
    return f"system {binding.action}" if binding.system else binding.action


def _word(action: str, binding: Binding) -> str:
    name, _, given = action.rpartition(".")[2].partition("(") if "(" not in action else ("", "", "x")
    if binding.system:
        return "leave"
    return binding.id or (_slug(binding.description or action) if given else name.replace("_", "-"))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def keys_of(bindings: Sequence[Binding]) -> tuple[str, ...]:
    """Return the default keys of bindings with one id, by Textual's names."""
    return tuple(dict.fromkeys(each.key for each in Binding.make_bindings(bindings)))


def applied(chain: list[tuple[DOMNode, BindingsMap]]) -> list[tuple[DOMNode, BindingsMap]]:
    """Return the bindings of the focused widget and all around it, with a person's keys."""
    if not _chosen:
        return chain
    found: list[tuple[DOMNode, BindingsMap]] = []
    for node, bindings in chain:
        found.append((node, _with_chosen(type(node), bindings, [around for around, _ in found])))
    return found


def _with_chosen(kind: type[DOMNode], bindings: BindingsMap, inner: Sequence[DOMNode]) -> BindingsMap:
    keyed: dict[str, list[Binding]] = {}
    done: set[str] = set()
    for key, binding in bindings:
        id = id_of(kind, key, binding)
        if id not in _chosen:
            keyed.setdefault(key, []).append(binding)
        elif id not in done:
            done.add(id)
            for chosen in _chosen[id]:
                if not any(node.check_consume_key(chosen, key_to_character(chosen)) for node in inner):
                    keyed.setdefault(chosen, []).append(binding.with_key(chosen))
    return BindingsMap.from_keys(keyed)


def id_of(kind: type[DOMNode], key: str, binding: Binding) -> str:
    """Return the id of a binding of this class; '' if it is Textual's own. The first class with the key defines it."""
    for base in kind.__mro__:
        own: Any = base.__dict__.get("BINDINGS", ())
        if any(each.key == key for each in Binding.make_bindings(own)):
            return ids(base).get(marked(binding), ("", ()))[0] if issubclass(base, DOMNode) else ""
    return ""


def held(place: str, own: Sequence[Binding]) -> set[str]:
    """Return all keys that the bindings of a place have now."""
    return {key for id, bindings in named(place, own).values() for key in current(id, keys_of(bindings))}


def shown(key: str) -> str:
    """Return a key as people write it: '?', 'ctrl+y', 'space'."""
    sign = key_to_character(key) if "+" not in key and len(key) > 1 else None
    return sign if sign is not None and sign.isprintable() and not sign.isspace() else key


def current(id: str, default: Sequence[str]) -> Sequence[str]:
    """Return the keys that an id has now."""
    return _chosen.get(id, default)


def key_of(id: str, default: str) -> str:
    """Return the key of an action for a sentence: a person's own if there is one, else `default`, written like it."""
    chosen = _chosen.get(id)
    return shown(chosen[0]) if chosen else default

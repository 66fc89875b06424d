"""The ids of all bindings, and the keys that a person has given to some of them.

Textual's own keymap removes every binding of a replaced key; here a key often has several, of which one is possible.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

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


def identified(place: str, own: Sequence[Binding]) -> list[Binding]:
    """Return the bindings of a place with their ids: 'play.hint'. One id per action and its parameters.

    The id is the place and the action's name; with parameters the words that describe it, and a key if those are alike.
    A binding may name itself.
    """
    firsts: dict[tuple[str, bool], Binding] = {}  # those of the system are apart, so that nobody changes them
    for binding in own:
        firsts.setdefault((binding.action, binding.system), binding)
    times = Counter(map(_word, firsts.values()))

    def id_of(first: Binding) -> str:
        word = _word(first)
        return f"{place}.{word}-{_slug(first.key.partition(',')[0])}" if times[word] > 1 else f"{place}.{word}"

    return [replace(binding, id=id_of(firsts[binding.action, binding.system])) for binding in own]


def _word(binding: Binding) -> str:
    name = binding.action.rpartition(".")[2].replace("_", "-")
    described = _slug(binding.description or binding.action) if "(" in binding.action else name
    return "leave" if binding.system else binding.id or described


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def applied(chain: list[tuple[DOMNode, BindingsMap]]) -> list[tuple[DOMNode, BindingsMap]]:
    """Return the bindings of the focused widget and all around it, with a person's keys."""
    if not _chosen:
        return chain
    return [(node, _with_chosen(bindings, [of for of, _ in chain[:at]])) for at, (node, bindings) in enumerate(chain)]


def _with_chosen(bindings: BindingsMap, inner: Sequence[DOMNode]) -> BindingsMap:
    keyed: dict[str, list[Binding]] = {}
    done: set[str] = set()
    for key, binding in bindings:
        id = binding.id or ""
        if id not in _chosen:
            keyed.setdefault(key, []).append(binding)
        elif id not in done:
            done.add(id)
            for chosen in _chosen[id]:
                if not any(node.check_consume_key(chosen, key_to_character(chosen)) for node in inner):
                    keyed.setdefault(chosen, []).append(binding.with_key(chosen))
    return BindingsMap.from_keys(keyed)


def held(place: str, own: Sequence[Binding]) -> set[str]:
    """Return all keys that the bindings of a place have now."""
    return {key for one in Binding.make_bindings(identified(place, own)) for key in current(one.id or "", (one.key,))}


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

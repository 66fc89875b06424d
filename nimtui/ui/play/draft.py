"""The New game form while a person fills it in: fields for people, and the same game as a command below them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from nimtui.errors import InputError
from nimtui.ui.kit.draft import Entry, Finding, Offer
from nimtui.ui.kit.entries import parse_game
from nimtui.ui.play.command import copy_of, parse_command
from nimtui.ui.play.families import OTHER, families, place, sized
from nimtui.ui.play.fields import ENTRIES, FIELDS, Chosen, found
from nimtui.ui.play.setup import Players, PlaySetup, Seating, parse_position, parse_seat, seat_name

CLOSED = ("goal", "players", "starts")  # fields without other values than those of the list


@dataclass(frozen=True)
class PlayDraft(Chosen):
    """A valid game, and the text that the person types last, which may be wrong.

    `texts` has at most that text: all other fields, the command too, show the game.
    """

    wrong: str = ""  # the error of the typed text
    picked: str = ""  # the suggestion that the command took last
    begun: PlaySetup = field(default_factory=PlaySetup)  # comes back with its game

    @classmethod
    def of(cls, setup: PlaySetup, last_seed: int | None = None) -> PlayDraft:
        """Return the form of a setup. A game or a position that is invalid stands in the command, with its error."""
        draft = cls({}, seed=setup.seed, last_seed=last_seed)
        try:
            game = parse_game(setup.game)
            parse_position(setup.position or "", game)
        except InputError:
            return draft.with_text("command", copy_of(setup).text)
        seating = Seating.of(setup.seats, game)
        return replace(draft, name=setup.game, position=setup.position or "", seating=seating, begun=setup)

    @property
    def entries(self) -> Sequence[Entry]:
        shown = ["game", "size", "goal", "players", *FIELDS[self.seating.players]]
        if self.position or "position" in self.texts:
            shown.append("position")
        return [ENTRIES[name] for name in (*shown, "command")]

    def text(self, name: str) -> str:
        if name in self.texts:
            return self.texts[name]
        if name == "command":  # that of no game while another field is wrong
            return "" if self.wrong else copy_of(self._setup()).text
        if name == "position":
            return self.position
        value = self.offered(name)
        return next((offer.label for offer in self.offers(name) if offer.value == value), OTHER)

    @cached_property
    def _lists(self) -> dict[str, list[Offer]]:
        return {}

    def lists_for(self, name: str) -> str:
        """Return the game for the command: its text changes the game, and positions of another game are invalid."""
        return self.name if name == "command" else ""

    def offers(self, name: str) -> list[Offer]:
        if name not in self._lists:
            self._lists[name] = super().offers(name)
        return self._lists[name]

    def offered(self, name: str) -> str:
        family, size = self.place
        match name:
            case "game":
                return family.word
            case "size":
                return size.game if size is not None else self.name
            case "goal":
                return self.goal.game
            case "players":
                return self.seating.players
            case "starts":
                return "you" if self.seating.you_start else "machine"
            case "position":
                return self.position
            case "command":
                return self.picked
        return self.machine(name)

    def hint(self, name: str) -> str:
        """Return how a field is written; for a value that the form does not list, also what it is."""
        said = self.finding(name).text if self.text(name) == OTHER else ""
        return ". ".join(filter(None, (said, super().hint(name))))

    def finding(self, name: str) -> Finding:
        if self.wrong and name in self.texts:
            return Finding(False, self.wrong)
        if self.wrong and name == "command":
            return Finding(True, "")
        return Finding(True, self.entry(name).meaning(self, self.text(name)))

    def with_text(self, name: str, text: str) -> PlayDraft:
        try:
            changed = self._typed(name, text)
        except InputError as wrong:
            return replace(self, texts={name: text}, wrong=str(wrong))
        return replace(changed, texts={name: text}, wrong="", picked="")

    def with_choice(self, name: str, value: str) -> PlayDraft:
        """Return the draft with a suggestion: a value of a field, or an option for the command."""
        if name == "position":
            return self.with_text(name, value)
        try:
            changed = self._chosen(name, value)
        except InputError:  # a position of the game before: the list is drawn again
            return self
        return replace(changed, texts={}, wrong="", picked=value if name == "command" else "")

    def settled(self, name: str) -> PlayDraft:
        """Return the draft when the person enters this field: another field shows its value, no longer what was typed.

        A wrong text stays.
        """
        return self if self.wrong or name in self.texts else replace(self, texts={})

    def swapped(self) -> PlayDraft:
        """Return the draft with the two players swapped."""
        return replace(self, texts=self.texts if self.wrong else {}, seating=self.seating.swapped(), picked="")

    def setup(self) -> PlaySetup:
        if self.wrong:
            raise InputError(self.wrong)
        return self._setup().validate()

    def examine(self) -> None:
        """Do nothing: valid fields of this form cannot contradict each other."""

    def _setup(self) -> PlaySetup:
        return PlaySetup(self.name, self.position or None, self.seating.seats(self.game), self.seed)

    def _typed(self, name: str, text: str) -> PlayDraft:
        """Return the draft with a typed text: a suggestion by a part of its name, or any value as text."""
        if name == "command":
            setup = parse_command(text, self.seed)
            changed = replace(self, name=setup.game, position=setup.position or "", seed=setup.seed)
            return replace(changed, seating=Seating.of(setup.seats, changed.game))
        if name == "position":
            return replace(self, position=parse_position(text, self.game) or "")
        if name == "size":
            with contextlib.suppress(InputError):
                return self._size_written(text)
        offer = found(text, self.offers(name))
        if offer is not None and ":" not in text:
            return self._chosen(name, offer.value)
        if name in CLOSED:
            raise InputError(f"choose one of: {', '.join(offer.label for offer in self.offers(name))}")
        return self._written(name, text)

    def _written(self, name: str, text: str) -> PlayDraft:
        """Return the draft with a value that the field does not list, in the syntax of names."""
        match name:
            case "game":
                parse_game(text)
                return self._at(text.strip())
            case "size":
                return self._size_written(text)
        if parse_seat(text, self.game) is None:
            raise InputError("enter an agent, such as hard or perfect; the field Players seats people")
        return self._chosen(name, seat_name(text, self.game))

    def _size_written(self, text: str) -> PlayDraft:
        """Return the draft with a size of its game as in the game's name: '3,5,4'."""
        game = f"{self.place[0].word}:{text.strip()}"
        parse_game(game)
        return self._at(sized(self.name, game))

    def _chosen(self, name: str, value: str) -> PlayDraft:
        """Return the draft with a suggested value."""
        match name:
            case "game":
                return self._of_family(value)
            case "size":
                return self._at(sized(self.name, value))
            case "goal":
                return self._at(value)
            case "players":
                return replace(self, seating=replace(self.seating, players=cast(Players, value)))
            case "starts":
                return replace(self, seating=replace(self.seating, you_start=value == "you"))
            case "command":
                option, _, given = value.partition(" ")
                if option == "--seed":
                    return replace(self, seed=int(given))
                return replace(self, position=parse_position(given, self.game) or "")
        return replace(self, seating=self.seating.with_machine(name, value))

    def _of_family(self, word: str) -> PlayDraft:
        """Return the draft with a family's game: the current or the first one if it belongs to the family."""
        family = next(family for family in families() if family.word == word)
        if family == self.place[0]:
            return self
        return self._at(self.begun.game if place(self.begun.game)[0] == family else family.usual)

    def _at(self, name: str) -> PlayDraft:
        """Return the draft with a game, at its start, or at the position given with this game first."""
        game = parse_game(name)
        if game == self.game:
            return replace(self, name=name)
        return replace(
            self, name=name, position=self.begun.position or "" if game == parse_game(self.begun.game) else ""
        )

"""Texts of strangers: what each gets when it is imported, or what it looks like when it is in the database already."""

from __future__ import annotations

from typing import NamedTuple

ESC, OSC = "\x1b", "\x1b]0;owned\x07"
RLO, LS, CSI8 = "\u202e", "\u2028", "\x9b"


class Import(NamedTuple):
    """A text of games, and what is said of it: the error, or what `games list` shows of the game."""

    name: str
    text: str | bytes
    refused: str = ""  # a part of the one line on stderr
    listed: str = ""  # a part of the list


def game(*lines: str, game: str = "nim:3,5", first: str = "ann", second: str = "bob", body: str = "a1 *") -> str:
    return "\n".join([f"Game: {game}", f"First: {first}", f"Second: {second}", *lines, "", body, ""])


IMPORTS = [
    Import("an ordinary game", game("Name: fine"), listed="fine"),
    Import("the year 1", game("Date: 0001-01-01 00:00:00 UTC"), listed="0001-01-01 00:00"),
    Import("the year 9999", game("Date: 9999-12-31 23:59:59 UTC"), listed="9999-12-31 23:59"),
    Import("Arabic digits in a date", game("Date: ٢٠٢٦-01-01 00:00:00 UTC"), "line 4: Date must be a date such as"),
    Import("a number of eleven digits", game("Number: 99999999999"), "line 4: Number must be from 1 to 10,000,000"),
    Import("a number of 5,000 digits", game("Number: " + "9" * 5_000), "line 4: Number must be from 1"),
    Import("an id beyond 64 bits", game(f"Id: {2**63}"), "line 4: the ID of a game must be from 1"),
    Import("endless seconds", game("Seconds: inf"), "line 4: Seconds must be a number of seconds"),
    Import("the largest tournament", game(f"Tournament: {2**63 - 1}"), listed="tournament 9223372036854775807"),
    Import("a negative seed", game("Seed: -1"), "line 4: Seed must be from 0"),
    Import("more mistakes than moves", game("Chances: 1 0", "Mistakes: 5 0"), "line 5: Mistakes 5 0 exceed"),
    Import("a colour in an agent's name", game(first=f"{ESC}[31mann"), "line 2: 'First' must not have control"),
    Import("delete in a name", game("Name: a\x7fb"), "line 4: 'Name' must not have control characters: 'a‹7F›b'"),
    Import("an escape in a fault", game(f"Fault: {ESC}[2Jgone", body="a1 0-1"), listed="‹1B›[2Jgone"),
    Import("an override of direction", game(f"Name: abc{RLO}txt.exe"), listed="abc‹202E›txt.exe"),
    Import("Chinese and Hebrew", game("Name: 你好 שלום"), listed="你好 שלום"),
    Import("markup of Rich", game("Name: [/] [red]x[/red] [link=x]y", first="[bold]"), listed="[/] [red]x[/red]"),
    Import("a formula in a name", game("Name: =cmd|' /C calc'!A0", first="@SUM(1)"), listed="=cmd|' /C calc'!A0"),
    Import(
        "a name of 201 signs", game("Name: " + "x" * 201), "line 4: 'Name' must have at most 200 characters, not 201"
    ),
    Import("no name", game("Name:"), "line 4: 'Name' must not be empty"),
    Import("a key twice", game("Name: a", "Name: b"), "line 5: 'Name' is given twice"),
    Import("an unknown key", game("Nmae: a"), "line 4: unknown key 'nmae'"),
    Import("an unknown game", game(game=f"chess{RLO}"), "line 1: unknown game 'chess‹202E›'"),
    Import("a game that is too large", game(game="nim:99999999999"), "line 1: a row must be from 1 to 255"),
    Import("a code beyond all moves", game(body="#99999999999999999999 *"), "line 5: the code of a move must"),
    Import("an escape for a move", game(body=f"{ESC}[2J *"), "line 5: "),
    Import("an empty file", "", "contains no games"),
    Import("no UTF-8", b"Game: nim:3\xff\n", "line 1 is not text in UTF-8"),
    Import("line ends of Windows", game("Name: windows").replace("\n", "\r\n"), listed="windows"),
]

# What any program may have written into the row of a game: column, value, what the list then says.
ROWS: list[tuple[str, object, str]] = [
    ("ended", -62135596800, "0001-01-01"),
    ("ended", 253402300799, "9999-12-31"),
    ("ended", 10**17, "unknown"),
    ("ended", -(2**63), "unknown"),
    ("ended", "yesterday", "unknown"),
    ("ended", b"\x00\xff", "unknown"),
    ("name", f"{ESC}[31mred{OSC}", "‹1B›[31mred‹1B›]0;owned‹07›"),
    ("name", f"two\nlines{LS}{RLO}", "two‹0A›lines‹2028›‹202E›"),
    ("name", b"\xff\xfe", ""),
    ("name", "nul\0nul", "nul‹00›nul"),
    ("name", "[/red] [link=x]", "[/red] [link=x]"),
    ("fault", f"{CSI8}2J", "‹9B›2J"),
    ("opener", 7, "damaged: opener"),
    ("opener", "x", "damaged: opener"),
    ("opening", -5, "damaged: opening"),
    ("opening", 2**40, "damaged: opening"),
    ("moves", b"\x01", "damaged: moves"),
    ("moves", "text", "damaged: moves"),
    ("moves", b"\xff\x7f" * 3, ""),
    ("moves", b"\xff\xff", ""),
    ("result", 0.5, "damaged: result"),
    ("chances_first", -3, "damaged: chances_first"),
    ("mistakes_second", 2**62, "damaged: mistakes_second"),
    ("own_first", "many", "damaged: own_first"),
    ("seconds", 9e999, "damaged: seconds"),
    ("seconds", "long", "damaged: seconds"),
]

"""Engines of the Universal Game Interface that the tests write: a sound one, and what others do wrong."""

from __future__ import annotations

from pathlib import Path

ENGINE = """#!/usr/bin/env python3
import sys, time
def say(text): print(text, flush=True)
position = ""
for line in sys.stdin:
    line = line.strip()
    word = line.split()[0]
    if word == "ugi":
        say("id name first"); say("option name Game type string default none")
        say("option name Seed type spin default 0"); say("option name Big Table type spin default 1"); UGI
        say("ugiok")
    elif word == "isready":
        READY
        say("readyok")
    elif word == "position":
        rows = [int(row) for row in line.split()[2].split(",")]
    elif word == "stop":
        say("bestmove a1")
    elif word == "go":
        row = max(range(len(rows)), key=lambda row: rows[row])
        move = "abc"[row] + "1"
        GO
        say("bestmove " + move)
"""
WRONG = {  # what it does: the kind of its fault, where it does what
    "never says ugiok": ("no-start", "UGI", "continue"),
    "floods at ugi": ("no-start", "UGI", "while True: say('option name ' + 1000 * 'x')"),
    "talks at ugi for ever": ("no-start", "UGI", "while True: say('info string wait'); time.sleep(0.01)"),
    "talks and is never ready": ("no-start", "READY", "while True: say('info string wait'); time.sleep(0.01)"),
    "dies at ugi": ("no-start", "UGI", "print('no table', file=sys.stderr); sys.exit(3)"),
    "never is ready": ("no-start", "READY", "continue"),
    "plays illegally": ("illegal", "GO", "move = 'c9'"),
    "plays nonsense": ("unreadable", "GO", "move = 'resign'"),
    "plays nothing": ("unreadable", "GO", "move = ''"),
    "plays twice": ("unreadable", "GO", "move += chr(10) + 'bestmove ' + move"),  # in one write
    "plays, talks and plays": ("unreadable", "GO", "move += '\\ninfo string so\\nbestmove ' + move"),
    "plays before it is asked": ("unreadable", "READY", "'rows' in globals() and say('bestmove a1')"),
    "hangs": ("stall", "GO", "time.sleep(1000)"),
    "talks and hangs": ("stall", "GO", "while True: say('info depth 1'); time.sleep(0.01)"),
    "is late": ("slow", "GO", "time.sleep(0.45)"),
    "dies": ("disconnect", "GO", "sys.exit(1)"),
    "floods": ("output", "GO", "while True: say('info string ' + 1000 * 'x')"),
}


def engine(folder: Path, name: str = "first", **parts: str) -> str:
    """Write an engine that takes one match of the largest row, and does what `parts` says; return its path."""
    text = ENGINE
    for part in ("UGI", "READY", "GO"):
        text = text.replace(part, parts.get(part, "pass"))
    path = folder / f"{name.replace(' ', '-')}.py"
    path.write_text(text)
    path.chmod(0o755)
    return str(path)

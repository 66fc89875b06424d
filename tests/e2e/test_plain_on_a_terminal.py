"""`--plain` as it is really run: on a terminal, with Ctrl+C, Ctrl+D and TERM=dumb."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import Open
from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.slow
END, STOP = "\x04", "\x03"


@pytest.fixture
def talk(app: Open) -> Iterator[Open]:
    """Start the program on a terminal of 80 × 50, and check what it sent when it has ended."""
    opened: list[Terminal] = []

    def start(*words: str, **environment: str) -> Terminal:
        opened.append(app(*words, lines=50, **environment))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.__exit__()
        sent = terminal.raw.replace(b"\r\n", b"\n")  # as every terminal ends its lines
        assert not {*b"\x1b\r\x08\x07"} & {*sent}, sent


def answers(terminal: Terminal, prompt: str, *keys: str) -> None:
    """Wait until the last line is this prompt, and type."""
    assert terminal.becomes(lambda: terminal.text.rstrip().endswith(prompt)), terminal.text
    terminal.press(*keys)


@pytest.mark.parametrize("term", ["dumb", "unknown", ""])
def test_a_terminal_without_a_cursor_gets_lines(talk: Open, term: str) -> None:
    terminal = talk(TERM=term)
    answers(terminal, "Game, by number or name [1]:", "nim:1,4,5", "enter")
    answers(terminal, "First player [me]:", "enter")
    answers(terminal, "Second player [hard]:", "perfect", "enter")
    answers(terminal, "Your move:", "why", "enter")
    assert terminal.sees("Nim-sum: 0, binary 000.")
    answers(terminal, "Your move:", END)
    assert terminal.ends() == 0
    assert terminal.text.rstrip().endswith("Your move:\nEnd of input.")


def test_ctrl_c_stops_an_agent_a_long_search_and_then_the_program(talk: Open) -> None:
    terminal = talk("play", "connect4", "--plain", "--second", "mcts:time=600")
    answers(terminal, "Your move:", "4", "enter")
    assert terminal.sees("Move 1: you dropped in column 4.")
    assert terminal.sees("Tree search is thinking.")
    terminal.press(STOP)
    assert terminal.sees("Tree search was stopped. 'go' lets it continue. You may type a move for it.")
    answers(terminal, "Command:", "go", "enter")
    assert terminal.becomes(lambda: terminal.text.count("is thinking.") == 2)
    terminal.press(STOP)
    assert terminal.becomes(lambda: terminal.text.count("was stopped") == 2)
    answers(terminal, "Command:", "1", "enter")
    assert terminal.sees("Move 2: Tree search dropped in column 1 (you moved for it).")
    answers(terminal, "Your move:", "search mcts:time=600", "enter")
    assert terminal.sees("Searching:")
    terminal.press(STOP)
    assert terminal.sees("stopped early)")  # the moves as they stood
    answers(terminal, "Your move:", STOP)
    assert terminal.ends() == 130
    assert terminal.text.rstrip().endswith("Your move:\nnimtui: stopped")

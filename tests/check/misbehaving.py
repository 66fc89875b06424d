"""Files that misbehave, each a few lines away from one that is right, and what the check says of each."""

from __future__ import annotations

from typing import NamedTuple

from nimtui.cli.new import Kind, template

Change = tuple[str, str]


class File(NamedTuple):
    """A file, and what it gets."""

    name: str
    kind: str
    text: str | bytes
    check: str  # the first check that it fails; "load" where it cannot even be loaded
    says: str  # what the example has in it
    certain: bool = True  # False where the clock decides


def changed(kind: str, name: str, *changes: Change) -> str:
    """The template of this kind, with changes."""
    text = template(Kind(kind), name)
    for old, new in changes:
        assert old in text, (name, old)
        text = text.replace(old, new)
    return text


def game(name: str, check: str, says: str, *changes: Change) -> File:
    return File(name, "game", changed("game", name, *changes), check, says)


def learner(name: str, check: str, says: str, *changes: Change) -> File:
    return File(name, "learner", changed("learner", name, *changes), check, says)


def agent(name: str, check: str, says: str, *changes: Change) -> File:
    return File(name, "agent", changed("agent", name, *changes), check, says)


def first_line(kind: str, name: str, line: str, says: str) -> File:
    """A file that would be right, but for this line at its beginning."""
    return File(name, kind, f"{line}\n{template(Kind(kind), name)}", "load", says)


UNDO = "    state.board[move // MOST] += move % MOST + 1"
PLAY = "    state.board[move // MOST] -= move % MOST + 1"
OUTCOME = "    return 0 if state.board[0] + state.board[1] > 0 else 1"
LEGAL = "    return move % MOST + 1 <= state.board[move // MOST]"
INDEX = "    return state.board[0] * (state.full[1] + 1) + state.board[1]"
PARSE = "    return {}(heaps, heaps.copy())"
LARGE = """def evaluate(state):
    large = 3
    for _ in range(50):
        large = large * 3
    return large % 1000
"""
DECISION = "        return Decision(move, tuple(thoughts))"
SCORE = "        memory.scores[edge] += (result - memory.scores[edge]) / memory.visits[edge]"
CHOOSE = "    return best_edge(graph, memory, node, rng)"

LOADING = [
    first_line("game", "exits", "import sys; sys.exit(3)", "SystemExit: 3"),
    first_line("learner", "loops", "while True: pass", "loading does not end within 2 s"),
    first_line("agent", "sleeps", "import time; time.sleep(1000)", "loading does not end within 2 s"),
    first_line("game", "raises", "raise ValueError('one\\ntwo')", "ValueError: one two"),
    first_line("agent", "interrupts", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    first_line("game", "leaves", "import os; os._exit(0)", "loading ends the process (exit status 0)"),
    first_line("learner", "crashes", "import ctypes; ctypes.string_at(0)", "loading crashes (SIGSEGV)"),
    first_line("agent", "lacks_a_module", "import nothing_of_this_name", "nothing_of_this_name"),
    first_line("game", "wants_memory", "much = bytearray(10**12)", "MemoryError"),
    first_line("game", "recurses", "def deep(): deep()\ndeep()", "RecursionError"),
    first_line(
        "agent",
        "closes_all",
        "import os, time; os.closerange(3, 256); time.sleep(1e9)",
        "loading uses a file that it did not open",
    ),
    first_line(
        "game",
        "writes_all",
        "import os\nfor n in range(3, 64):\n    try: os.write(n, b'[]\\n')\n    except OSError: pass",
        "loading uses a file that it did not open",
    ),
    first_line("game", "cannot_be_said", "class Odd(Exception):\n    def __str__(self): return 1\nraise Odd", "Odd"),
    first_line("agent", "ends_oddly", "raise GeneratorExit", "GeneratorExit"),
    File("unparsed", "game", "def size(:\n", "load", "SyntaxError"),
    File("nulls", "learner", b"NAME = 'x'\0\n", "load", "null bytes"),
    File("latin", "agent", "NAMES = ('\xe4',)\n".encode("latin-1"), "load", "SyntaxError"),
    File("empty", "game", "", "load", "lacks: size, legal, play, undo, outcome"),
    File("no_words", "learner", "NAME = 'no_words'\n", "load", "lacks: ABOUT, PARAMETERS, LEARNER"),
    File("no_parse", "agent", "NAMES = ('no_parse',)\n", "load", "lacks: FORMS, parse"),
    game("taken", "load", "the name 'nim' is taken", ('NAMES = ("taken",)', 'NAMES = ("nim",)')),
    game("one_text", "load", "NAMES must be words", ('NAMES = ("one_text",)', 'NAMES = "one_text"')),
    agent("taken_too", "load", "the name 'mcts' is taken", ('NAMES = ("taken_too",)', 'NAMES = ("mcts",)')),
    learner("fields", "load", "the fields of PARAMETERS", ('{"epsilon"', '{"gamma"')),
]

GAMES = [
    game("wrong_undo", "undo", "(position 3,5) gives 3,6", (UNDO, f"{UNDO} + move // MOST")),
    game("undo_forgets", "undo", "undo after move b3 (position 3,5) gives 3,4", (UNDO, f"{UNDO} - (move == 5)")),
    game("play_nothing", "play", "move a1 (position 3,5) changes nothing", (PLAY, "    pass"), (UNDO, "    pass")),
    game("collides", "index", "have the same index", (INDEX, "    return state.board[0] + state.board[1]")),
    game("index_too_large", "index", "index gives 24, but positions is 24", (INDEX, f"{INDEX} + 1")),
    game("outcome_three", "outcome", "outcome gives 3, not 0, 1, -1 or 2", ("else 1", "else 3")),
    game("outcome_none", "outcome", "outcome gives None, not a whole number", ("else 1", "else None")),
    game("no_move_left", "outcome", "outcome gives 0 (going on), but no move is legal", ("> 0 else 1", ">= 0 else 1")),
    game(
        "endless",
        "end",
        "no end after 10,000 moves: the game may be endless",
        (LEGAL, "    return move == 0"),
        (PLAY, "    state.board[0] += 1"),
        (UNDO, "    state.board[0] -= 1"),
        ("def positions(", "def places("),
        ("def index(", "def place("),
        ("no larger than", "not"),
        ("heaps[0] > state.full[0] or heaps[1] > state.full[1]", "min(heaps) < 0"),
        ("0, 100) for part in text.split", "0, 10**9) for part in text.split"),
    ),
    game(
        "history",
        "same",
        "after the moves",
        ("MOST = 3", "PLAYED = []\nMOST = 3"),
        (PLAY, f"{PLAY}\n    PLAYED.append(move)"),
        (UNDO, f"{UNDO}\n    PLAYED.pop()"),
        (OUTCOME, "    return 0 if state.board.sum() > 0 and len(PLAYED) < 3 else 1"),
    ),
    game(
        "writes_full", "constants", "writes 'full': only 'board' may change", (PLAY, f"{PLAY}\n    state.full[0] += 1")
    ),
    game("nth_differs", "nth", "nth(0) gives 5, following 0", ("# Names.", "def nth(state, i):\n    return 5 - i")),
    game(
        "count_differs",
        "count",
        "count gives 6, legal allows 5",
        ("# Names.", "def count(state):\n    return size(state)"),
    ),
    game(
        "following_differs",
        "following",
        "following gives",
        ("# Names.", "def following(state, move):\n    return move + 1 if move < 5 else -1"),
    ),
    game("following_loops", "following", "gives 0", ("# Names.", "def following(state, move):\n    return 0")),
    game(
        "chance",
        "same",
        "the same board, but",
        ("MOST = 3", "import random\nMOST = 3"),
        (LEGAL, f"{LEGAL} and random.random() < 0.9"),
    ),
    game("parse_none", "parse", "parse gives None", (PARSE.format("ParseNone"), "    return None")),
    game("parse_exits", "parse", "parse raises SystemExit", (PARSE.format("ParseExits"), "    raise SystemExit")),
    game(
        "float_board",
        "parse",
        "must be a 1-D array of int64",
        ("heaps = np.array([first, second], np.int64)", "heaps = np.array([first, second], float)"),
    ),
    game(
        "parse_raises",
        "parse",
        "no game can be parsed",
        ("    if len(fields) != 1", "    len(None)\n    if len(fields) != 1"),
    ),
    game(
        "name_differs",
        "name",
        "which is another game",
        ('{state.full[0]},{state.full[1]}"\n\n\ndef move_name', '{state.full[0]},1"\n\n\ndef move_name'),
    ),
    game("names_alike", "move_name", "are both called", ('{move % MOST + 1}"', '"')),
    game("read_wrongly", "parse_move", "is called", ("return heap * MOST + taken - 1", "return heap * MOST")),
    game(
        "position_wrong",
        "parse_position",
        "is read as",
        ("return np.array(heaps, np.int64)", "return np.array(heaps[::-1], np.int64)"),
    ),
    game("position_list", "parse_position", "not a board", ("return np.array(heaps, np.int64)", "return heaps")),
    game("out_of_bounds", "play", "play(0) raises IndexError", (PLAY, f"{PLAY}\n    state.board[99] = 1")),
    game(
        "rule_loops",
        "legal",
        "legal does not answer within 2 s",
        (LEGAL, f"    while state.board[0] == 2: pass\n{LEGAL}"),
    ),
    game(
        "play_loops",
        "play",
        "play does not answer within 2 s",
        (PLAY, f"    while state.board[0] == 2: pass\n{PLAY}"),
    ),
    game(
        "undo_loops",
        "undo",
        "undo does not answer within 2 s",
        (UNDO, f"    while state.board[0] == 1: pass\n{UNDO}"),
    ),
    game(
        "swallows",
        "legal",
        "legal does not answer within 2 s",
        (LEGAL, f"    while state.board[0] == 2:\n        try: state.board[9]\n        except: pass\n{LEGAL}"),
    ),
    game(
        "long_name",
        "move_name",
        "are both called xxxxx",
        ("""    return f"{'ab'[move""", """    return "x" * 2_000_000\n    return f"{'ab'[move"""),
    ),
    game(
        "rule_leaves",
        "process",
        "rule_leaves:3,5 (board 3 5): play ends the process (exit status 7)",
        (PLAY, "    import os; os._exit(7)"),
    ),
    game("rule_exits", "undo", "undo(0) raises SystemExit", (UNDO, "    raise SystemExit")),
    game("uncompiled", "compiled", "cannot be compiled", (OUTCOME, f"    {{}}.get(str(state))\n{OUTCOME}")),
    game("compiled_differs", "compiled", "compiled, evaluate is not as interpreted", ("# Names.", LARGE)),
]

LEARNERS = [
    learner(
        "beyond", "bounds", "update writes scores[1000000", (SCORE, "        memory.scores[edge + 1_000_000] = result")
    ),
    learner("before", "bounds", "update writes scores[-1]", (SCORE, "        memory.scores[-1] = result")),
    learner(
        "not_a_number",
        "finite",
        "update writes nan to scores",
        (SCORE, "        memory.scores[edge] += np.inf - np.inf"),
    ),
    learner("others", "own arrays", "update writes visits", (SCORE, "        memory.visits[edge] = 0")),
    learner("the_graph", "own arrays", "update writes graph.to", (SCORE, "        graph.to[edge] = -1")),
    learner(
        "choosing", "own arrays", "choose writes scores", (CHOOSE, f"    memory.scores[graph.ptr[node]] += 1\n{CHOOSE}")
    ),
    learner("no_edge", "choose", "choose gives -1", (CHOOSE, "    return -1")),
    learner(
        "divides", "update", "update raises ZeroDivisionError", (SCORE, "        memory.scores[edge] += result / 0")
    ),
    learner(
        "whole",
        "finite",
        "SCORES = np.float64 lets scores be real",
        ("SCORES = np.float64", "PLAIN = 1"),
        (SCORE, "        memory.scores[edge] = 0.5"),
    ),
    learner(
        "dice",
        "same",
        "the same seed gives another table",
        ("NAME = ", "import random\nNAME = "),
        (SCORE, "        memory.scores[edge] = random.random()"),
    ),
    learner("stuck", "update", "take longer than 5 s", (SCORE, "        while True: pass")),
]

AGENTS = [
    agent("illegal", "legal", "decide gives move 99", (DECISION, "        return Decision(99, tuple(thoughts))")),
    agent("nothing", "decide", "decide gives None, not a Decision", (DECISION, "        return None")),
    agent("raising", "decide", "decide raises ValueError: no idea", (DECISION, "        raise ValueError('no idea')")),
    agent("cheats", "state", "decide changes the state's board", (DECISION, f"        state.board[0] = 1\n{DECISION}")),
    agent("slow", "decide", "decide takes longer than 5 s", (DECISION, "        import time; time.sleep(1000)")),
    agent(
        "leaving",
        "process",
        "leaving on nim:1,2,3 (position 1,2,3): decide ends the process (exit status 9)",
        (DECISION, "        import os; os._exit(9)"),
    ),
    agent(
        "dicing",
        "same",
        "the same random numbers give another move",
        (DECISION, "        import random; return Decision(random.choice(moves_of(state)), ())"),
    ),
    agent("nobody", "parse", "parse gives None", ("    return Nobody()", "    return None")),
    agent("wrong_kind", "parse", "parse raises TypeError", ("    return WrongKind()", "    return len(None)")),
]

ALL = [*LOADING, *GAMES, *LEARNERS, *AGENTS]

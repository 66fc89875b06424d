"""Games that misbehave, each a few lines away from one that is right, and what the check says of each."""

from __future__ import annotations

from tests.check.files import game

UNDO = "    state.board[move // MOST] += move % MOST + 1"
PLAY = "    state.board[move // MOST] -= move % MOST + 1"
OUTCOME = "    return 0 if state.board[0] + state.board[1] > 0 else 1"
LEGAL = "    return move % MOST + 1 <= state.board[move // MOST]"
INDEX = "    return state.board[0] * (state.full[1] + 1) + state.board[1]"
PARSE = "    return {}(heaps, heaps.copy())"
PAID = """def payoff(state):
    large = 3
    for _ in range(50):
        large = large * 3
    return large % 1000 + 1


def largest_payoff(state):
    return 1_000
"""
FOLLOWING = """def following(state, move):
    move += 1
    while move < 20_002:
        if legal(state, move) and move != 10_002:
            return move
        move += 1 if move < 3 or move >= 10_000 else 10_000 - move
    return -1
"""
TOUCHED = "def touched(state, move):\n    return [[0, move // MOST]]"
GRID = "BOARD = 'grid'\n\n\ndef cells(state):\n    return "
SQUARE = "def square(state, move):\n    return 0, 1"
POSITION = "    return np.array(heaps, np.int64)"

GAMES = [
    game("wrong_undo", "undo", "(position 3,5) gives 3,6", (UNDO, f"{UNDO} + move // MOST")),
    game("undo_forgets", "undo", "undo after move b3 (position 3,5) gives 3,4", (UNDO, f"{UNDO} - (move == 5)")),
    game("waits", "undo", "undo is a coroutine: a rule must be a plain function", ("def undo(", "async def undo(")),
    game("yields", "legal", "legal is a generator: a rule must be a plain function", (LEGAL, "    yield True")),
    game("class_rule", "undo", "undo is of type type: a rule must be a", "class undo:\n    pass"),
    game("any_word", "following", "following is of type int: a rule must be a plain function",
        "def __getattr__(name):\n    return 5"),
    game("empty_board", "parse", "the board of empty_board:3,5 is int64 array of 1 dimensions and 0 numbers",
        (PARSE.format("EmptyBoard"), "    return EmptyBoard(heaps[:0], heaps)")),
    game("board_unknown", "BOARD", "BOARD is 'gird', not one of rows, runs, heaps, columns, grid, list",
        "BOARD = 'gird'"),
    game("no_cells", "BOARD", "BOARD is 'grid', so the game needs the function cells", "BOARD = 'grid'"),
    game("one_verb", "VERBS", "VERBS is 'take', not a verb and its past", "VERBS = 'take'"),
    game("told_by_number", "rules", "rules returns 5, not text", "def rules(state):\n    return 5"),
    game("ragged", "cells", "a grid has 1 to 26 rows of the same length", f"{GRID}[[0], [0, 0]]"),
    game("off_the_grid", "square", "move a1 has no cell (row, column)", f"{GRID}[[0]]\n\n\n{SQUARE}"),
    game("play_nothing", "play", "move a1 (position 3,5) changes nothing", (PLAY, "    pass"), (UNDO, "    pass")),
    game("collides", "index", "have the same index", (INDEX, "    return state.board[0] + state.board[1]")),
    game("index_too_large", "index", "index returns 24, but positions is 24", (INDEX, f"{INDEX} + 1")),
    game("outcome_three", "outcome", "outcome returns 3, not 0, 1, -1 or 2", ("else 1", "else 3")),
    game("outcome_none", "outcome", "outcome returns None, not a whole number", ("else 1", "else None")),
    game("no_move_left", "outcome", "outcome returns 0 (going on), but no move is legal",
        ("> 0 else 1", ">= 0 else 1")),
    game("endless", "end", "no end after 10,000 moves: the game may be endless", (LEGAL, "    return move == 0"),
        (PLAY, "    state.board[0] += 1"), (UNDO, "    state.board[0] -= 1"), ("def positions(", "def places("),
        ("def index(", "def place("), ("no larger than", "not"),
        ("heaps[0] > state.full[0] or heaps[1] > state.full[1]", "min(heaps) < 0"),
        ("0, 100) for part in text.split", "0, 10**9) for part in text.split")),
    game("history", "same", "after the moves", ("MOST = 3", "PLAYED = []\nMOST = 3"),
        (PLAY, f"{PLAY}\n    PLAYED.append(move)"), (UNDO, f"{UNDO}\n    PLAYED.pop()"),
        (OUTCOME, "    return 0 if state.board.sum() > 0 and len(PLAYED) < 3 else 1")),
    game("writes_full", "constants", "writes 'full': only 'board' may change",
        (PLAY, f"{PLAY}\n    state.full[0] += 1")),
    game("nth_differs", "nth", "nth(0) returns 5, but following gives 0", "def nth(state, i):\n    return 5 - i"),
    game("count_differs", "count", "count returns 6, but legal allows 5", "def count(state):\n    return size(state)"),
    game("following_differs", "following", "following returns",
        "def following(state, move):\n    return move + 1 if move < 5 else -1"),
    game("following_loops", "following", "returns 0", "def following(state, move):\n    return 0"),
    game("chance", "same", "the same board, but", ("MOST = 3", "import random\nMOST = 3"),
        (LEGAL, f"{LEGAL} and random.random() < 0.9")),
    game("parse_none", "parse", "parse returns None", (PARSE.format("ParseNone"), "    return None")),
    game("parse_exits", "parse", "parse raises SystemExit", (PARSE.format("ParseExits"), "    raise SystemExit")),
    game("float_board", "parse", "must be a 1-D array of int64",
        ("heaps = np.array([first, second], np.int64)", "heaps = np.array([first, second], float)")),
    game("parse_raises", "parse", "FORMS has parse_raises:3,5, which parse refuses: TypeError",
        ("    if len(fields) != 1", "    len(None)\n    if len(fields) != 1")),
    game("name_differs", "name", "which is another game",
        ('{state.full[0]},{state.full[1]}"\n\n\ndef move_name', '{state.full[0]},1"\n\n\ndef move_name')),
    game("paints", "title", "which is not one line of printable characters",
        "def title(state):\n    return '\\x1b[2J'"),
    game("boasts", "title", "title returns 1,000 characters; 200 are allowed",
        "def title(state):\n    return 'x' * 1000"),
    game("dreams", "title", "title does not return within 2 s", "def title(state):\n    while True: pass"),
    game("names_alike", "move_name", "are both called", ('{move % MOST + 1}"', '"')),
    game("read_wrongly", "parse_move", "is called", ("return heap * MOST + taken - 1", "return heap * MOST")),
    game("position_wrong", "parse_position", "is read as",
        ("return np.array(heaps, np.int64)", "return np.array(heaps[::-1], np.int64)")),
    game("position_list", "parse_position", "not an array like the board",
        ("return np.array(heaps, np.int64)", "return heaps")),
    game("out_of_bounds", "play", "play(0) raises IndexError", (PLAY, f"{PLAY}\n    state.board[99] = 1")),
    game("rule_loops", "legal", "legal does not return within 2 s",
        (LEGAL, f"    while state.board[0] == 2: pass\n{LEGAL}")),
    game("form_refused", "parse", "FORMS has form_refused:1, which parse refuses: a game of form_refused has two heaps",
        ('FORMS = ("form_refused:3,5",)', 'FORMS = ("form_refused:3,5", "form_refused:1")')),
    game("size_shrinks", "size", "size returns 5, but 6 at the start (position 2,5)",
        ("    return 2 * MOST", "    return 2 * MOST - (state.board[0] == 2)")),
    game("positions_shrink", "index", "positions returns 25, but 24 at the start (position 2,5)",
        ("(state.full[1] + 1)\n\n\ndef index", "(state.full[1] + 1) + (state.board[0] == 2)\n\n\ndef index")),
    game("evaluate_writes", "constants", "evaluate changes the board (position 3,5)",
        "def evaluate(state):\n    state.board[0] += 1\n    return 0"),
    game("evaluate_real", "evaluate", "evaluate returns 0.5, not a whole", "def evaluate(state): return 0.5"),
    game("evaluate_wins", "evaluate", "evaluate returns 1000000: it must be from -900,000 to 900,000",
        "def evaluate(state): return 1_000_000"),
    game("many_codes", "following",
        "following returns 0 1 2 10000 10001, but legal allows 0 1 2 10000 10001 10002 (position 3,5)",
        (LEGAL, "    return move < 20_000 and move % 10_000 + 1 <= min(3, state.board[move // 10_000])"),
        ("    return 2 * MOST", "    return 20_002"), (PLAY, "    state.board[move // 10_000] -= move % 10_000 + 1"),
        (UNDO, "    state.board[move // 10_000] += move % 10_000 + 1"), FOLLOWING),
    game("cells_tuples", "cells", "cells returns [(3, 5)], not a list of lists of whole numbers (position 3,5)",
        "def cells(state):\n    return [tuple(state.board.tolist())]"),
    game("touched_lists", "touched",
        "touched returns [[0, 0]] for move a1, not pairs (row, column) on the board (position 3,5)",
        "def cells(state):\n    return [state.board.tolist()]\n\n\n" + TOUCHED),
    game("position_start", "parse_position", "returns the start's own array for 3,5: return a new one",
        (POSITION, f"    if heaps == state.board.tolist():\n        return state.board\n{POSITION}")),
    game("comes_back", "end", "the game may never end: the moves b1 a3 lead back to the same board (position 4,2)",
        (PLAY, f"    if move == 2 and state.board[0] == 4 and state.board[1] < state.full[1]:\n"
               f"        state.board[1] += 1\n        return\n{PLAY}"),
        (UNDO, f"    if move == 2 and state.board[0] == 4:\n        state.board[1] -= 1\n        return\n{UNDO}"),
        ('FORMS = ("comes_back:3,5",)', 'FORMS = ("comes_back:4,2",)')),
    game("holds", "process", "legal does not return in time", (LEGAL, f"    sum(range(10**15))\n{LEGAL}")),
    game("swallows", "legal", "legal does not return within 2 s",
        (LEGAL, f"    while state.board[0] == 2:\n        try: state.board[9]\n        except: pass\n{LEGAL}")),
    game("long_name", "move_name", "are both called xxxxx",
        ("""    return f"{'ab'[move""", """    return "x" * 2_000_000\n    return f"{'ab'[move""")),
    game("rule_leaves", "process", "rule_leaves:3,5 (board 3 5): play ends the process (exit status 7)",
        (PLAY, "    import os; os._exit(7)")),
    game("rule_exits", "undo", "undo(0) raises SystemExit", (UNDO, "    raise SystemExit")),
    game("uncompiled", "compiled", "cannot be compiled", (OUTCOME, f"    {{}}.get(str(state))\n{OUTCOME}")),
    game("allocates", "compiled", "compiled rules may not create a list, dict, set, text or array in ",
        ("    return 2 * MOST", '    return len({"a": state.board}) * 2 * MOST')),
    game("compiled_differs", "compiled", "compiled and interpreted payoff differ", PAID),
]  # fmt: skip

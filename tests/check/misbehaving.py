"""Files that misbehave, each a few lines away from one that is right, and what the check says of each."""

from __future__ import annotations

import sys

from tests.check.files import File, agent, first_line, function, game, learner, trace
from tests.check.misbehaving_games import GAMES

HOLD = "        sum(range(10**15))"  # C code that keeps the interpreter's lock
if sys.platform == "linux":  # and waits for a lock that it has itself: no signal wakes it, and it needs no processor
    HOLD = "        import ctypes; lock, c = ctypes.create_string_buffer(64), ctypes.PyDLL(None)\n"
    HOLD += "        c.pthread_mutex_lock(lock), c.pthread_mutex_lock(lock)"
DECISION = "        return Decision(move, tuple(thoughts))"
POLICY = ("(AlwaysReady)", "(AlwaysReady, __import__('nimtui.agents.agent').agents.agent.Memoryless)")
WRITTEN = """
    def policy(self, known):
        import numpy as np
        from nimtui.engine.policy import Policy

        graph = known.graph
        nodes = len(graph.ptr) - 1
        return Policy(np.arange(nodes + 1), {}, np.zeros(nodes, np.bool_))"""  # one move for each position
SCORE = "        memory.scores[edge] += (result - memory.scores[edge]) / memory.visits[edge]"
CHOOSE = "    return best_edge(graph, memory, node, rng)"

LOADING = [
    first_line("game", "exits", "import sys; sys.exit(3)", "SystemExit: 3"),
    first_line("learner", "loops", "while True: pass", "loading does not end within 1.25 s"),
    first_line("agent", "interrupts", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    first_line("game", "leaves", "import os; os._exit(0)", "loading ends the process (exit status 0)"),
    first_line("learner", "crashes", "import ctypes; ctypes.string_at(0)", "loading crashes (SIGSEGV)"),
    first_line("agent", "lacks_a_module", "import nothing_of_this_name", "nothing_of_this_name"),
    first_line("game", "is_newer", "def first[T](x: T | None) -> T of: ...", "SyntaxError"),
    first_line("game", "cannot_be_said", "class Odd(Exception):\n    def __str__(self): return 1\nraise Odd", "Odd"),
    File("unparsed", "game", "def size(:\n", "load", "SyntaxError"),
    File("nulls", "learner", b"NAME = 'x'\0\n", "load", "null bytes"),
    File("latin", "agent", "NAMES = ('\xe4',)\n".encode("latin-1"), "load", "SyntaxError"),
    File("empty", "game", "", "load", "lacks: size, legal, play, undo, outcome"),
    File("no_words", "learner", "NAME = 'no_words'\n", "load", "lacks: ABOUT, PARAMETERS, LEARNER"),
    File("no_parse", "agent", "NAMES = ('no_parse',)\n", "load", "lacks: FORMS, parse"),
    game("taken", "load", "the name 'nim' is taken", ('NAMES = ("taken",)', 'NAMES = ("nim",)')),
    game("one_text", "load", "NAMES must be lowercase words", ('NAMES = ("one_text",)', 'NAMES = "one_text"')),
    game("clears", "load", "NAMES must be lowercase words", ('NAMES = ("clears",)', 'NAMES = ("\\x1b[2J",)')),
    game("crowd", "load", "NAMES must be lowercase words",
        ('NAMES = ("crowd",)', "NAMES = tuple(map(str, range(10**5)))")),
    game("paints_forms", "load", "FORMS must be names of games", ('FORMS = ("paints', 'FORMS = ("\\x1b[2Jpaints')),
    game("perhaps", "load", "IMPARTIAL must be True or False", ("IMPARTIAL = True", "IMPARTIAL = np.array([1, 2])")),
    agent("taken_too", "load", "the name 'mcts' is taken", ('NAMES = ("taken_too",)', 'NAMES = ("mcts",)')),
    function("no_step", "load", "lacks parameters of nimtui.learning.steps: step",
        ("PARAMETERS = steps.PARAMETERS", 'PARAMETERS = {"last": steps.PARAMETERS["last"]}'),
        ("__name__, step=0.02", "__name__")),
    learner("fields", "load", "the fields of PARAMETERS", ('{"epsilon"', '{"gamma"')),
]  # fmt: skip

SECOND = "import threading, time; threading.Thread(target=time.sleep, args=(9,), daemon=True, name='clock').start()"

LEFT = [  # what a line leaves behind in its process
    ("import os; os.fork()", "leaves a process behind"),
    ("import subprocess; subprocess.Popen(['sleep', '9'])", "leaves a process behind"),
    (SECOND, "leaves a thread running: clock"),
    ("import signal; signal.signal(2, signal.SIG_IGN)", "handles the signal SIGINT"),
    ("import os; os.chdir('/')", "changes the working folder"),
    ("import sys; sys.stdout.close()", "closes or replaces sys.stdout"),
    ("import io, sys; sys.stdout = io.StringIO()", "closes or replaces sys.stdout"),
    ("from nimtui.games import base\nbase.play = print", "replaces nimtui.games.base.play"),
    ("import builtins; builtins.sum = len", "replaces builtins.sum"),
    ("import atexit\n@atexit.register\ndef last(): 1 / 0", "registers last to run when nimtui ends"),
]
TRACES = [
    trace("learner" if number % 2 else "game", f"leaves_{number}", line, says)
    for number, (line, says) in enumerate(LEFT)
]

LINES = {  # that change a setting of the whole process
    "import sys; sys.setrecursionlimit(90)": "the recursion limit",
    "import sys; sys.setswitchinterval(1000)": "the switch interval",
    "import sys; sys.set_int_max_str_digits(640)": "the limit of digits",
    "import threading; threading.setprofile(len)": "the trace or profile function",
    "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])": "the blocked signals",
    "import signal; signal.alarm(9)": "a timer",
    "import signal; signal.set_wakeup_fd(-1)": "the wakeup file of signals",
    "import os; os.environ.clear()": "the environment",
    "import os; os.environ['NIMTUI_HOME'] = '/'": "the environment",
    "import sys; sys.path.clear()": "sys.path",
    "import sys; sys.modules.pop('json')": "sys.modules",
    "import os; os.umask(0o777)": "the umask",
    "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))": "the limits of the process",
    "import os; os.nice(1)": "the priority of the process",
    "import numpy; numpy.seterr(all='raise')": "NumPy's treatment of errors",
    "import gc; gc.disable()": "the collection of garbage",
}
HEAPS = "    heaps = np.array([first, second], np.int64)"


def running(name: str, does: str, says: str) -> File:
    """A game that does this when it is parsed."""
    return game(name, "traces", f"running it {says}", (HEAPS, f"    import os, signal, threading; {does}\n{HEAPS}"))


RUNNING = [
    running("prints", "print('heaps')", "prints: heaps"),
    running("writes", "os.write(2, b'heaps')", "prints: heaps"),
    running("covers", "os.dup2(os.open(os.devnull, os.O_WRONLY), 1)", "closes or replaces the file 1"),
    running("wanders", "os.chdir('/')", "changes the working folder"),
    running("forgets", "os.environ.clear()", "changes the environment"),
    running("defies", "signal.signal(signal.SIGINT, signal.SIG_IGN)", "handles the signal SIGINT"),
    running("spins", "threading.Thread(target=signal.pause, daemon=True, name='own').start()", "leaves a thread"),
    learner("reports", "traces", "running it prints: plies", (SCORE, f"{SCORE}\n        print('plies', plies)")),
]  # fmt: skip

LEARNERS = [
    learner("beyond", "bounds", "update writes scores[1000000",
        (SCORE, "        memory.scores[edge + 1_000_000] = result")),
    learner("before", "bounds", "update writes scores[-1]", (SCORE, "        memory.scores[-1] = result")),
    learner("not_a_number", "finite", "update writes nan to scores",
        (SCORE, "        memory.scores[edge] += np.inf - np.inf")),
    learner("others", "own arrays", "update writes visits", (SCORE, "        memory.visits[edge] = 0")),
    learner("the_graph", "own arrays", "update writes graph.to", (SCORE, "        graph.to[edge] = -1")),
    learner("choosing", "own arrays", "choose writes scores",
        (CHOOSE, f"    memory.scores[graph.ptr[node]] += 1\n{CHOOSE}")),
    learner("no_edge", "choose", "choose returns -1", (CHOOSE, "    return -1")),
    learner("divides", "update", "update raises ZeroDivisionError",
        (SCORE, "        memory.scores[edge] += result / 0")),
    learner("whole", "finite", "SCORES = np.float64 lets scores be real", ("SCORES = np.float64", "PLAIN = 1"),
        (SCORE, "        memory.scores[edge] = 0.5")),
    learner("dice", "same", "the same seed gives a different table", ("NAME = ", "import random\nNAME = "),
        (SCORE, "        memory.scores[edge] = random.random()")),
    learner("no_parameter", "parameters", "PARAMETERS['epsilon'] is 0.1, not a Parameter",
        ('{"epsilon": Parameter("share of random moves, 0 to 1", 0.0, 1.0, real=True)}', '{"epsilon": 0.1}')),
    learner("far_out", "parameters", "the default epsilon=7.0 is invalid: expected 0 to 1",
        ("    epsilon: float = 0.1", "    epsilon: float = 7.0")),
    learner("no_about", "parameters", "ABOUT is None", ('ABOUT = "scores a move', 'ABOUT = None and "')),
    learner("two_abouts", "parameters", "ABOUT must be one line", ('ABOUT = "scores', 'ABOUT = "two\\nlines')),
    learner("many_notes", "parameters", "NOTES is 10,000,000,000: it must be from 0 to 1,000",
        ("SCORES = np.float64", "NOTES = 10**10")),
    learner("at_its_most", "choose", "at_its_most:epsilon=1.0 on nim:1,2,3: choose returns -1",
        (CHOOSE, f"    if learner.epsilon == 1.0:\n        return -1\n{CHOOSE}"),
        ("if draw_share(rng) < learner.epsilon:", "if learner.epsilon < 1 and draw_share(rng) < learner.epsilon:")),
    function("adds", "follows", "has another total", ("seen[i] = new", "seen[i] = max(old, new)")),
    function("halves", "gradient", "learn changes weights", ("+= step", "+= step / 2")),
    function("one_note", "gradient", "learn changes weights", ("function.path[ply, i] =", "function.path[0, i] =")),
    function("forgets", "gradient", "learn changes bias",
        ("PARAMETERS =", 'WEIGHTS = ("weights", "bias")\nPARAMETERS ='),
        ("    image: np", "    bias: np.ndarray\n    image: np"), ("first[-1])), ", "first[-1])), np.zeros(2), "),
        ("whole = 0.0", "whole = function.bias[side]")),
    learner("stuck", "update", "take longer than 5 s", (SCORE, "        while True: pass")),
]  # fmt: skip

AGENTS = [
    agent("illegal", "legal", "it played 99, which is not legal",
        (DECISION, "        return Decision(99, tuple(thoughts))")),
    agent("nothing", "decide", "it decided None, which is not a Decision", (DECISION, "        return None")),
    agent("raising", "decide", "decide raises ValueError: no idea", (DECISION, "        raise ValueError('no idea')")),
    agent("cheats", "state", "decide changes the state's board: play on a copy",
        (DECISION, f"        state.board[0] = 1\n{DECISION}")),
    agent("slow", "decide", "decide takes longer than 5 s", (DECISION, "        import time; time.sleep(1000)")),
    agent("holding", "process", "holding on nim:1,2,3 (position 1,2,3): decide does not return in time",
        (DECISION, HOLD)),
    agent("untitled", "name", "name raises ZeroDivisionError",
        ('    title = "Untitled"', "    title = property(lambda _: 1 / 0)")),
    agent("leaving", "process", "leaving on nim:1,2,3 (position 1,2,3): decide ends the process (exit status 9)",
        (DECISION, "        import os; os._exit(9)")),
    agent("many_thoughts", "decide", "has 200,000 thoughts; 100,000 are allowed",
        (DECISION, "        return Decision(move, (Thought(move),) * 200_000)")),
    agent("looks_alike", "decide", "which is not a Decision",
        (DECISION, "        return __import__('types').SimpleNamespace(move=move, thoughts=())")),
    agent("odd_note", "decide", "note that is not text: 1", (DECISION, "        return Decision(move, (), note=1)")),
    agent("no_seconds", "decide", "the seconds of its decision nan",
        (DECISION, "        return Decision(move, (), seconds=float('nan'))")),
    agent("two_lines", "name", "says for its title", ('    title = "TwoLines"', '    title = "Two\\nLines"')),
    agent("thinks", "legal", "thinks of the move 99", (DECISION, "        return Decision(move, (Thought(99),))")),
    agent("draws", "same", "it is Deterministic, but different random numbers give a different move",
        ("(AlwaysReady)", "(AlwaysReady, __import__('nimtui.agents.agent').agents.agent.Deterministic)")),
    agent("dicing", "same", "the same random numbers give a different move",
        (DECISION, "        import secrets; return Decision(secrets.choice(moves_of(state)), ())")),
    agent("astray", "policy", "astray on nim:1,2,3: it has a policy with a move that is not legal", POLICY,
        (DECISION, f"{DECISION}\n{WRITTEN.format('graph.ptr[1:]')}")),
    agent("two_minds", "policy", "which is not in its policy", POLICY,
        (DECISION, f"        return Decision(moves_of(state)[-1], ())\n{WRITTEN.format('graph.ptr[:-1]')}")),
    agent("tableless", "policy", "policy raises ValueError: no table", POLICY,
        (DECISION, f"{DECISION}\n\n    def policy(self, known):\n        raise ValueError('no table')")),
    agent("nobody", "parse", "parse returns None", ("    return Nobody()", "    return None")),
    agent("wrong_kind", "parse", "parse raises TypeError", ("    return WrongKind()", "    return len(None)")),
]  # fmt: skip

ALL = [*LOADING, *TRACES, *RUNNING, *GAMES, *LEARNERS, *AGENTS]

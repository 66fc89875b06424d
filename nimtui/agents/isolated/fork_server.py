"""A small process that forks the agents' processes. It has loaded what they need, so that each starts at once.

It belongs to the process that started it. When that ends for any reason, the server kills all that it forked, and
exits. No own code runs here, so nothing can prevent that.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
from contextlib import suppress
from time import monotonic, sleep

from nimtui import children

ORDER = struct.Struct("!cq")  # the command and the process number
ANSWER = struct.Struct("!q")
START, END, LOST = b"S", b"E", b"L"  # start a process; kill one; a process hung up: did it end by itself?
FROM_TERMINAL = ("SIGINT", "SIGHUP", "SIGTERM", "SIGQUIT")
SURVIVED = 1 << 32  # the answer if it did not end by itself
GRACE = 0.2  # seconds between hanging up and being gone


def main(number: int) -> None:
    """Serve the parent at the other end of this socket until it closes."""
    link = socket.socket(fileno=number)
    children.handle(FROM_TERMINAL, signal.SIG_IGN)
    children.silence()
    _load()
    children.adopt()
    agents: set[int] = set()
    try:
        link.sendall(ANSWER.pack(0))  # ready
        while _serve(link, agents):
            pass
    except OSError:  # the parent ended in the middle of a message
        pass
    finally:
        for agent in agents:
            children.kill(agent)
        children.end_strays()
        os._exit(0)


def _load() -> None:
    """Load what every agent needs. An agent's file imports the rest."""
    from nimtui.agents import registry
    from nimtui.agents.isolated import child  # noqa: F401 - loaded once for all agents
    from nimtui.games import registry as games

    registry.modules()
    games.families()


def _serve(link: socket.socket, agents: set[int]) -> bool:
    """Execute one command. Returns False if the other end is closed."""
    text, descriptors, _, _ = socket.recv_fds(link, ORDER.size, 1)
    if len(text) < ORDER.size:
        return False
    what, agent = ORDER.unpack(text)
    if what == START:
        answer = _start(link, descriptors[0])
        if answer > 0:
            agents.add(answer)
    else:
        answer = _end(agent, GRACE if what == LOST else 0.0) if agent in agents else 0
        agents.discard(agent)
        children.end_strays(agents)
    link.sendall(ANSWER.pack(answer))
    return True


def _start(link: socket.socket, descriptor: int) -> int:
    """Fork a process that serves this socket. Returns its number, or a negative errno."""
    try:
        child = os.fork()
    except OSError as fault:
        os.close(descriptor)
        return -(fault.errno or 1)
    if child:
        os.close(descriptor)
        return child
    try:
        link.close()
        children.die_with_parent()
        children.limit_memory()
        children.handle(FROM_TERMINAL, signal.SIG_DFL)
        os.setsid()
        from nimtui.agents.isolated.child import serve

        serve(socket.socket(fileno=descriptor))
    finally:
        with suppress(OSError):
            os.kill(os.getppid(), signal.SIGCONT)  # own code may have suspended the server
        os._exit(0)


def _end(child: int, grace: float) -> int:
    """End a process and its process group. Returns its status of `os.waitpid`, SURVIVED if it had to be killed."""
    until = monotonic() + grace
    while True:
        number, status = os.waitpid(child, os.WNOHANG)
        if number:
            with suppress(OSError):
                os.killpg(child, signal.SIGKILL)  # the rest of its group
            return status
        if monotonic() >= until:
            break
        sleep(0.002)
    children.kill(child)
    with suppress(OSError):
        os.waitpid(child, 0)
    return SURVIVED

"""Messages between two processes over a socket: JSON, with a seal and its length in front.

The seal of a process is random. So nothing that own code writes to the socket by accident is taken for a message.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

Message = dict[str, Any]

SEAL = 8  # bytes
OPEN = bytes(SEAL)  # the seal of messages between processes that run no own code
LENGTH = struct.Struct("!I")
HEAD = SEAL + LENGTH.size
MOST_BYTES = 1 << 30  # of a message
PART = 1 << 18  # bytes read at once


class BadMessage(Exception):
    """The received bytes are not a message."""


class Wire:
    """One end of the connection. Bytes beyond a message are buffered for the next one."""

    def __init__(self, link: socket.socket, seal: bytes = OPEN, most: int = MOST_BYTES) -> None:
        self.link, self.seal = link, seal
        self._most = most  # bytes of a message
        self._read = bytearray()

    def send(self, message: Message) -> None:
        """Send a message. Raises OSError if the other end is closed."""
        text = json.dumps(message).encode("ascii")
        self.link.sendall(self.seal + LENGTH.pack(len(text)) + text)

    def receive(self) -> Message:
        """Return the next message. Raises EOFError if the other end is closed, TimeoutError, or BadMessage."""
        while (message := self._whole()) is None:
            try:
                part = self.link.recv(PART)
            except BlockingIOError:
                raise TimeoutError from None
            if not part:
                raise EOFError
            self._read += part
        return message

    def _whole(self) -> Message | None:
        if not self.seal.startswith(self._read[:SEAL]):
            raise BadMessage
        if len(self._read) < HEAD:
            return None
        (length,) = LENGTH.unpack_from(self._read, SEAL)
        if length > self._most:
            raise BadMessage
        end = HEAD + length
        if len(self._read) < end:
            return None
        text = bytes(self._read[HEAD:end])
        del self._read[:end]
        try:
            message = json.loads(text)
        except (ValueError, RecursionError) as fault:
            raise BadMessage from fault
        if not isinstance(message, dict):
            raise BadMessage
        return message

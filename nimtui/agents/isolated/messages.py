"""Messages between two processes over a socket: JSON with its length in front."""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

Message = dict[str, Any]

HEAD = struct.Struct("!I")
MOST_BYTES = 1 << 30  # of a message
PART = 1 << 18  # bytes read at once


class BadMessage(Exception):
    """The received bytes are not a message."""


class MessageSocket:
    """One end of the connection. Bytes beyond a message are buffered for the next one."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._read = bytearray()

    def send(self, message: Message) -> None:
        """Send a message. Raises OSError if the other end is closed."""
        text = json.dumps(message).encode("ascii")
        self._link.sendall(HEAD.pack(len(text)) + text)

    def receive(self) -> Message:
        """Return the next message. Raises EOFError if the other end is closed, TimeoutError, or BadMessage."""
        while (message := self._whole()) is None:
            part = self._link.recv(PART)
            if not part:
                raise EOFError
            self._read += part
        return message

    def _whole(self) -> Message | None:
        if len(self._read) < HEAD.size:
            return None
        (length,) = HEAD.unpack_from(self._read)
        if length > MOST_BYTES:
            raise BadMessage
        end = HEAD.size + length
        if len(self._read) < end:
            return None
        text = bytes(self._read[HEAD.size : end])
        del self._read[:end]
        try:
            message = json.loads(text)
        except (ValueError, RecursionError) as fault:
            raise BadMessage from fault
        if not isinstance(message, dict):
            raise BadMessage
        return message

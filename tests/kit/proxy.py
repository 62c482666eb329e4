"""A small reverse proxy: passes each connection to the first server that takes it, as a load balancer does with dead ones."""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence
from contextlib import suppress

from tests.kit import ports

CHUNK = 65_536


class Proxy:
    """Listens on an address of its own; `backends` are the ports to try, in that order. Stop it at the end."""

    def __init__(self, backends: Sequence[int] = ()) -> None:
        self.backends = list(backends)
        self.port = ports.free()
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, name="proxy", daemon=True).start()

    @property
    def url(self) -> str:
        """The address of the site as browsers know it."""
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        """Take no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        server = self._connect()
        if server is None:
            client.close()
            return
        threading.Thread(target=_pump, args=(client, server), daemon=True).start()
        _pump(server, client)

    def _connect(self) -> socket.socket | None:
        for port in self.backends:
            with suppress(OSError):
                return socket.create_connection(("127.0.0.1", port), timeout=5)
        return None


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes until either side is done, then end both."""
    with suppress(OSError):
        source.settimeout(None)  # refused when the other direction has closed it already
        while chunk := source.recv(CHUNK):
            target.sendall(chunk)
    for one in (source, target):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()

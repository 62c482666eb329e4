"""Free ports on this machine, below the range from which the kernel takes ports for outgoing connections."""

from __future__ import annotations

import os
import random
import socket

LOWEST, HIGHEST = 20_000, 32_000


def free(host: str = "127.0.0.1") -> int:
    """A port that nothing listens on. Below the outgoing range nobody else takes it between two uses, except another such search."""
    chance = random.Random(os.urandom(8))
    for _ in range(500):
        port = chance.randrange(LOWEST, HIGHEST)
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"no free port between {LOWEST} and {HIGHEST}")

"""Child processes that never outlive the one that started them."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

PR_SET_PDEATHSIG = 1


def dies_with_parent(signal_number: int = signal.SIGKILL) -> Callable[[], None] | None:
    """A `preexec_fn` by which Linux ends the child when its parent's thread goes, however that happens; elsewhere None."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal_number)

    return ask


def end(process: subprocess.Popen[Any], patience_s: float = 15.0) -> int:
    """Ask a process to stop, insist after a while, and give its exit code."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience_s)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


def until(holds: Callable[[], bool], what: str, *, within_s: float = 60.0, every_s: float = 0.02) -> None:
    """Look again and again until `holds()`. Raises: TimeoutError saying what did not come about."""
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {within_s:g} s")
        time.sleep(every_s)

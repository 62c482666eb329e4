"""Pure state machines: `apply(state, command, now_ms)` gives a `Step` or a `Rejected`. Imports `rules` only."""

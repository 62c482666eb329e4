"""The duel machine, proved without a server."""

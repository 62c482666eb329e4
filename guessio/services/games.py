"""The games that a table can run: the one place that knows them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from guessio.engine import duel, match
from guessio.engine.match.commands import Connect, Disconnect
from guessio.rules.terms import AccountId, TableKind


@dataclass(frozen=True, slots=True)
class Game:
    """A machine with its two presence commands: `connect(account)` and `disconnect(account, since_ms)`."""

    machine: Any
    connect: type
    disconnect: type


_games: dict[TableKind, Game] = {
    TableKind.MATCH: Game(match, Connect, Disconnect),
    TableKind.DUEL: Game(duel, duel.Connect, duel.Disconnect),
}


def of(kind: TableKind) -> Game:
    """The game that tables of this kind run."""
    return _games[kind]


def register(kind: TableKind, game: Game) -> None:
    """Let tables of this kind run `game`."""
    _games[kind] = game


def all_games() -> tuple[Game, ...]:
    """Every game there is."""
    return tuple(_games.values())


def presence(kind: TableKind, account: AccountId, since_ms: int | None) -> Any:
    """The command that tells a table of this kind: the account is connected, or has not been since a moment."""
    game = of(kind)
    return game.connect(account) if since_ms is None else game.disconnect(account, since_ms)

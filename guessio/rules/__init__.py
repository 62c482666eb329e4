"""The rules of the game as pure functions: no Flask, database, clock or randomness. Imports the standard library only."""

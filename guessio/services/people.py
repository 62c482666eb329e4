"""A person (or bot) as every screen shows one: the five facts that stand wherever a name stands."""

from guessio.store.people import Person

__all__ = ["Person"]

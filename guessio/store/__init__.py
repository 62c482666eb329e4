"""Everything that touches the database; takes and returns dataclasses. Imports `engine` and `rules`."""

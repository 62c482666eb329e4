"""Doors to the outside: identity providers (OpenID Connect). May import `rules`."""

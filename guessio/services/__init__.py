"""The use cases: one module a noun. May import store, adapters, bus, engine, rules, clock; never Flask or the request."""

"""Timed work of the services. May import services and what lies below them."""

"""The pages: one blueprint a noun that parses, makes one service call and renders. May import services, live and `rules.terms`."""

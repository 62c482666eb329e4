# Every command sets itself up first; a second time that costs nothing. `make help` lists them.
SHELL := /bin/sh
PY := .venv/bin/python
JOBS ?= 2
export PYTHONUNBUFFERED := 1
.DEFAULT_GOAL := help
.PHONY: help setup setup-run run browser test check format bench shots soak chaos audit lock

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' Makefile

setup: ## install everything into .venv, and start nothing
	@sh scripts/setup.sh dev

setup-run:
	@sh scripts/setup.sh run

run: setup-run ## play: database, bots, a demo sign-in and the server on 127.0.0.1; prints the address
	@exec $(PY) app.py

browser: setup
	@$(PY) -m tests.kit.browser

# Only code 1 means that all tests ran and some failed: after anything else, such as a file that can't be read, the rest is unknown.
test: setup browser ## every test, on SQLite and on a Postgres of its own, and in a browser
	@$(PY) -m pytest -n $(JOBS) --dist worksteal $(ARGS); code=$$?; [ $$code -eq 1 ] || exit $$code; \
		echo "What failed beside others is run once more, alone; what fails again is a failure:"; \
		$(PY) -m pytest --last-failed --last-failed-no-failures none $(ARGS)

check: setup ## layers, lint, format, types, templates, and full branch coverage of rules and engine
	@sh scripts/check.sh

format: setup ## put Python and templates into the house's form
	@$(PY) -m ruff check --fix --quiet . ; $(PY) -m ruff format --quiet .

bench: setup ## the figures of benchmarks/RESULTS.md, measured anew
	@$(PY) -m benchmarks $(ARGS)

shots: setup browser ## pictures of every screen as it is played, and of its every state, in both sizes and themes, in shots/
	@$(PY) -m tests.kit.shots $(ARGS)
	@$(PY) -m tests.kit.gallery

soak: setup ## 10,000 random matches against the engine's invariants
	@GUESSIO_SOAK=10000 $(PY) -m pytest tests/engine -q --timeout 3600 -k "random or soak or property" $(ARGS)

chaos: setup ## players on several processes over one Postgres, with kills and restarts, for five minutes
	@$(PY) -m tests.chaos $(ARGS)

audit: setup ## the pinned packages: versions, hashes, and with pip-audit known vulnerabilities
	@sh scripts/audit.sh

lock: setup ## work out the pinned versions of requirements*.in again
	@sh scripts/lock.sh

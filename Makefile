# Everything a player or a developer does, one word each; `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

GAME ?= tippo
SPEED ?= 1
PLAYERS ?= 4
SEED ?= 1
ROUNDS ?= 0

PYTHON := $(shell for p in python3.13 python3.12 python3.11 python3 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v $$p; break; }; done)
BIN := .venv/bin
RUN := .venv/.run-installed
TEST := .venv/.test-installed
BENCH := .venv/.bench-installed
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | \
		while IFS=$$'\t' read -r word text; do printf '  make %-10s %s\n' "$$word" "$$text"; done

.venv/bin/python:
	@tools/python-venv '$(PYTHON)'

$(RUN): requirements/build.txt requirements/run.txt pyproject.toml | .venv/bin/python
	@echo 'Installing what the companion needs (once; this can take a few minutes) ...'
	@$(PIP) install --require-hashes -r requirements/build.txt -r requirements/run.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(TEST): requirements/test.txt tests/node/package-lock.json $(RUN)
	@echo 'Installing what the tests need (once) ...'
	@tools/debian-packages xvfb
	@$(PIP) install --require-hashes -r requirements/test.txt
	@! command -v npm >/dev/null || npm ci --silent --no-audit --no-fund --prefix tests/node || \
		echo 'npm could not install MicroPython; the tests that run it on Node will be skipped.'
	@touch $@

$(BENCH): requirements/bench.txt $(TEST)
	@$(PIP) install --require-hashes -r requirements/bench.txt
	@touch $@

.PHONY: play
play: $(RUN) ## watch simulated people play, or play with them (GAME=classic ME=Zoe SPEED=10 PLAYERS=6 RESUME=1)
	@$(BIN)/tippo play --board sim --game $(GAME) --people $(PLAYERS) $(if $(ME),--with "$(ME)") \
		--speed $(SPEED) --seed $(SEED) --rounds $(ROUNDS) $(if $(RESUME),--resume)

.PHONY: test
test: $(TEST) ## run the tests
	@$(BIN)/python -m pytest -q -n auto --dist worksteal

.PHONY: test-pico
test-pico: $(TEST) ## run the firmware on an emulated Pico (UF2=path of a MicroPython UF2)
	@$(PIP) install --require-hashes -r requirements/emulator.txt
	@UF2='$(UF2)' $(BIN)/python -m pytest -q tests/emulated

.PHONY: check
check: $(TEST) ## lint, types, import rules, the README's examples
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python tools/run_examples.py README.md

.PHONY: bench
bench: $(BENCH) ## measure speed and accuracy, each beside a peer
	@$(BIN)/tippo bench

.PHONY: peers
peers: $(BENCH) ## install the engines that tests and measurements compare with

.PHONY: pictures
pictures: $(RUN) ## paint every screen into docs/pictures
	@$(BIN)/python tools/paint_pictures.py docs/pictures

.PHONY: lock
lock: ## write the lock files anew (needs uv)
	@tools/lock

.PHONY: clean
clean: ## remove what was installed and built
	@rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

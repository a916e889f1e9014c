# `make play` sits you down at a table, `make test` runs every test.  Both build `.venv` first.
#
# Each stamp file stands for one `pip install`, so that a second call starts at once; a change
# of pyproject.toml makes them stale.

PYTHON ?= python3
# More than there are cores on a small machine: tests over sockets wait.
JOBS ?= 4
VENV := .venv
RUN := $(VENV)/bin

.PHONY: play test test-all lint screenshots clean

play: $(VENV)/.stamp-play
	@$(RUN)/nodealer play flip-over

test: $(VENV)/.stamp-test
	$(RUN)/python -m pytest -n $(JOBS) --dist worksteal -m "not full" tests

test-all: $(VENV)/.stamp-test
	$(RUN)/python -m pytest -n $(JOBS) --dist worksteal -o faulthandler_timeout=3600 tests

lint: $(VENV)/.stamp-lint
	$(RUN)/ruff check engine p2p replay cli tests
	$(RUN)/ruff format --check engine p2p replay cli tests
	$(RUN)/mypy

screenshots: $(VENV)/.stamp-play
	$(RUN)/python -m cli.screenshots docs/screenshots

clean:
	rm -rf $(VENV)

$(VENV)/.stamp-venv:
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
		|| { echo 'apt install python3-venv make git'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'nodealer needs Python 3.11 or newer: make PYTHON=python3.12 play'; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.stamp-play: $(VENV)/.stamp-venv pyproject.toml
	@echo 'Setting up (once, about a minute) ...'
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.stamp-test: $(VENV)/.stamp-play
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

$(VENV)/.stamp-lint: $(VENV)/.stamp-play
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,dev]'
	@touch $@

# `make play` sits you down at a table, `make test` runs every test, `make quick` those for each
# change.  All build `.venv` first.
#
# Each stamp file stands for one `pip install`, so that a second call starts at once; a change
# of pyproject.toml makes them stale.

PYTHON ?= python3
# More than there are cores on a small machine: tests over sockets wait.  With three, a third of two
# cores was idle.
JOBS ?= 4
# Whose tests are over sockets, in processes, terminals and browsers, or simulate evenings.
LONG := attacks cli fairness mutation page sim
VENV := .venv
RUN := $(VENV)/bin
# Not editable: what lies here stays interpreted, and a change of it makes the stamp stale.
COMPILED := .venv-compiled
# What setuptools and mypyc leave in a folder that has the site, the screens and the one file too.
PARTS := build/lib build/lib.* build/temp.* build/bdist.* build/__native* build/engine build/ops.txt
SOURCES = pyproject.toml setup.py $(shell find engine p2p replay cli -name '*.py')

.PHONY: play test quick test-all attacks fuzz worlds compiler compiled test-compiled lint screenshots site \
	wheel compiled-wheel binary first-page clean

# The table opens first: what it does not need takes longer to install than all the rest.  At a
# terminal, code 1 means that the person has left the game, which is no failure of make.
play: $(VENV)/.stamp-play
	@$(if $(LACKING),$(INSTALL_EXTRAS) &) $(RUN)/nodealer play flip-over; left=$$?; \
	if test $$left = 1 && test -t 0; then left=0; fi; \
	$(if $(LACKING),test -e $(VENV)/.stamp-extras || echo 'Installing plots and reach ...'; wait; \
	test -e $(VENV)/.stamp-extras || echo 'That failed: $(VENV)/extras.log';) \
	echo 'Again, other games, friends: $(RUN)/nodealer (a menu with the commands)'; \
	exit $$left

LACKING = $(shell test $(VENV)/.stamp-extras -nt pyproject.toml || echo lacking)
# Not by `pip install .[...]`: that would take away for a moment what is being played.
EXTRAS = from p2p.installation import packages_of as of; print(*of("reach"), *of("stats"))
INSTALL_EXTRAS = { nice $(RUN)/python -m pip install --disable-pip-version-check \
	$$($(RUN)/python -c '$(EXTRAS)') </dev/null >$(VENV)/extras.log 2>&1 && touch $(VENV)/.stamp-extras; }

# Tests start some hundred programs, which would each compile all that they import, where Python is
# told to write nothing.
test quick test-all attacks worlds: export PYTHONDONTWRITEBYTECODE =

test: $(VENV)/.stamp-test
	$(RUN)/python -m pytest -n $(JOBS) --dist worksteal -m "not full" tests

# A minute: one case of each test.  As few processes as there are cores, for each imports everything.
quick: $(VENV)/.stamp-test
	$(RUN)/python -m pytest -n 2 --dist worksteal -m "not full and not slow" -p tests.quick \
		$(addprefix --ignore=tests/,$(LONG)) tests

# An hour, and the compiled engine as well where there is a compiler: CI has 15 minutes.
test-all: $(VENV)/.stamp-test
	$(RUN)/python -m pytest -n $(JOBS) --dist worksteal -o faulthandler_timeout=3600 tests
	if $(MAKE) compiler; then $(MAKE) test-compiled; \
	else echo 'no C compiler: the engine is not tested as compiled'; fi

# Every test that docs/explanation/attacks.md tells of, the slow ones too.
attacks: $(VENV)/.stamp-test
	$(RUN)/python -m pytest -n $(JOBS) --dist worksteal -o faulthandler_timeout=3600 \
		$$($(RUN)/python -m tests.attacks.page --tests)

# make worlds N=1000 SEED=1: one that fails is shown with its seed, made smaller, and traced.
# RULES=all: games that seats leave and are lost from, each seed under every rule set.
worlds: $(VENV)/.stamp-test
	$(RUN)/python -m tests.sim.worlds $(if $(N),N=$(N)) $(if $(SEED),SEED=$(SEED)) \
		$(if $(RULES),RULES=$(RULES)) JOBS=$(JOBS)

# Looks for bytes that a reader cannot bear: MINUTES=30, and READER='seat file' for one of them.
MINUTES ?= 10
fuzz: $(VENV)/.stamp-test
	@$(RUN)/python -c 'import atheris' 2>/dev/null || $(RUN)/python -m pip install --quiet \
		--disable-pip-version-check --editable '.[fuzz]' || echo 'atheris cannot be had here'
	$(RUN)/python -m tests.fuzz.run $(MINUTES) $(if $(READER),'$(READER)')

# The headers belong to the Python that is asked.
compiler:
	@command -v cc >/dev/null && $(PYTHON) -c 'import os, sysconfig as s; \
		os.stat(s.get_path("include") + "/Python.h")' 2>/dev/null \
		|| { echo 'apt install gcc python3-dev'; exit 1; }

compiled: $(COMPILED)/.stamp-compiled
	@echo 'Compiled: $(COMPILED)/bin/nodealer'

# The tests of this folder, but the engine that was installed comes before the one that lies here.
test-compiled: $(COMPILED)/.stamp-compiled
	NODEALER_COMPILED=1 $(COMPILED)/bin/python -m pytest -n $(JOBS) --dist worksteal -m "not full" \
		-o pythonpath="$$($(COMPILED)/bin/python -c 'import sysconfig as s; print(s.get_path("platlib"))') ." \
		tests/engine

lint: $(VENV)/.stamp-lint
	$(RUN)/ruff check setup.py engine p2p replay cli tests
	$(RUN)/ruff format --check setup.py engine p2p replay cli tests
	$(RUN)/mypy

screenshots: $(VENV)/.stamp-play
	$(RUN)/python -m cli.screenshots docs/screenshots
	NODEALER_HOME=$(VENV)/nobody $(RUN)/python -m cli.gallery docs/screenshots build/screens
	NODEALER_HOME=$(VENV)/nobody $(RUN)/nodealer export docs/screenshots/recorded.ndlog \
		--svg --seat 0 -o docs/screenshots/recorded.svg

# The documents as a site that loads nothing from anywhere else.  Its search needs a server, for
# browsers run no workers from files.
site: $(VENV)/.stamp-docs
	$(RUN)/python -m tests.site.pages build/site/pages
	cp tests/site/zensical.toml build/site
	cd build/site && $(abspath $(RUN))/zensical build --strict --clean
	$(RUN)/python -m tests.site.links build/site/html
	@echo 'To look at it: $(RUN)/python -m http.server --directory build/site/html'

# What is uploaded: dist/*.whl and dist/*.tar.gz, checked as a registry would.
wheel: $(VENV)/.stamp-package
	rm -rf $(PARTS) dist/*-none-any.whl dist/*.tar.gz
	$(RUN)/python -m build --no-isolation --outdir dist
	$(RUN)/twine check --strict dist/*-none-any.whl dist/*.tar.gz

# One with compiled rules, for this Python and this kind of system: pip takes it where it fits, and the
# pure one elsewhere.  Workflows build it for the others (.github/workflows/packages.yml).
compiled-wheel: $(VENV)/.stamp-package | compiler
	rm -rf $(PARTS) dist/*-cp*.whl
	NODEALER_COMPILED=1 $(RUN)/python -m build --no-isolation --wheel --outdir dist
	$(RUN)/twine check --strict dist/*-cp*.whl
	rm -rf $(PARTS)

# dist/nodealer: the program, all that its commands can use, and Python, for a system like this one.
# Then it is tried without Python: ROOT=folder is that of a bare system (debootstrap --variant=minbase).
binary: $(VENV)/.stamp-package
	cd tests/packages && $(abspath $(RUN))/pyinstaller --noconfirm --log-level WARN \
		--distpath $(CURDIR)/dist --workpath $(CURDIR)/build/binary nodealer.spec
	$(RUN)/python -m tests.packages.check dist/nodealer $(ROOT)

# Each way of the site's first page is followed in a terminal, from an empty home to a saved game that
# is found to be fair.  ROOT is for the one file, as above.
first-page: wheel compiled-wheel binary
	$(RUN)/python -m tests.packages.first_page 'From the source' .
	for wheel in dist/*-none-any.whl dist/*-cp*.whl; do \
		$(RUN)/python -m tests.packages.first_page 'As a package' $$wheel || exit 1; done
	$(RUN)/python -m tests.packages.first_page 'As one file' dist/nodealer $(ROOT)

clean:
	rm -rf $(VENV) $(COMPILED) build dist

$(VENV)/.stamp-venv $(COMPILED)/.stamp-venv:
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
		|| { echo 'apt install python3-venv make git'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'nodealer needs Python 3.11 or newer: make PYTHON=python3.12 play'; exit 1; }
	@$(PYTHON) -m venv $(@D)
	@touch $@

$(VENV)/.stamp-play: $(VENV)/.stamp-venv pyproject.toml
	@echo 'Setting up (once, about a minute) ...'
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@$(RUN)/python -m cli.manual $(VENV)/share/man/man1
	@touch $@

$(VENV)/.stamp-test: $(VENV)/.stamp-play
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(VENV)/.stamp-extras

$(VENV)/.stamp-docs: $(VENV)/.stamp-play
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

$(VENV)/.stamp-package: $(VENV)/.stamp-play
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all,package]'
	@touch $@ $(VENV)/.stamp-extras

$(VENV)/.stamp-lint: $(VENV)/.stamp-play
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,dev]'
	@touch $@

# The environment that pip builds in by itself would not have the compiler.
$(COMPILED)/.stamp-compiled: $(COMPILED)/.stamp-venv $(SOURCES) | compiler
	@echo 'Compiling the rules (two minutes) ...'
	@$(COMPILED)/bin/python -m pip install --quiet --disable-pip-version-check \
		'setuptools>=77' 'mypy>=1.10,<3'
	@rm -rf $(PARTS)  # of sources that may be gone since
	@NODEALER_COMPILED=1 $(COMPILED)/bin/python -m pip install --quiet \
		--disable-pip-version-check --no-build-isolation '.[test]'
	@touch $@

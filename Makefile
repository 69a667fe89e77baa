# Every command of the project; `make help` lists them. The set-up is part of each and quick when nothing has changed.

SHELL := /bin/sh
.DEFAULT_GOAL := help

# How many processes the tests run in.
WORKERS ?= 2
# What `make test` hands on to pytest, e.g. PYTEST="-k offsets".
PYTEST ?=

BIN := .venv/bin
# Where setting up is all that was asked for. Here, since a comma would end an argument of $(if).
READY := Ready: make run, make test; '. .venv/bin/activate' puts pairloom on the path.
# What mypy reads: the folders that there are.
TYPED := $(wildcard src tests tools benchmarks examples fuzz)

.PHONY: help
help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 21

.PHONY: setup-run
setup-run:
	@python=$$(tools/find-python.sh) && "$$python" tools/setup.py run

.PHONY: setup
setup: ## make .venv with everything that tests and checks need
	@python=$$(tools/find-python.sh) && "$$python" tools/setup.py dev
	@$(if $(filter setup,$(MAKECMDGOALS)),echo "$(READY)")

.PHONY: setup-browser
setup-browser: setup
	@tools/browser.sh

.PHONY: run
run: setup-run ## serve the workbench on this machine and say where; PORT=8080 chooses the port
	@exec $(BIN)/pairloom serve --host 127.0.0.1 $(if $(PORT),--port $(PORT))

.PHONY: site
site: setup-run ## write the static edition and serve it on this machine; SITE=--snapshot adds a snapshot
	$(BIN)/pairloom site build/site $(SITE)
	@exec $(BIN)/python tools/serve_site.py build/site $(PORT)

.PHONY: test
test: check setup-browser ## run all checks and all tests, those in a browser and on other Pythons too
	$(BIN)/pytest -n $(WORKERS) $(PYTEST)
	@tools/test-pythons.sh

.PHONY: test-full
test-full: check setup-browser ## the same, with every test of the pages on the static edition too
	PAIRLOOM_STATIC=all $(BIN)/pytest -n $(WORKERS) $(PYTEST)
	@tools/test-pythons.sh

.PHONY: test-pythons
test-pythons: setup ## run core, vectors and a request on CPython 3.12, 3.13 and 3.14 (needs Node.js)
	@tools/test-pythons.sh

.PHONY: check
check: setup ## check types, format, lint and message catalogues
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy $(TYPED)
	$(BIN)/python tools/catalogues.py --check

.PHONY: catalogues
catalogues: setup ## gather the messages of the pages, renew and compile each language
	$(BIN)/python tools/catalogues.py

.PHONY: reference
reference: setup ## write docs/help.md, the help of every command, and the vectors of `pairloom check` anew
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/pack_cases.py

.PHONY: format
format: setup ## format the sources and mend what the linter can mend
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

.PHONY: bench
bench: ## measure speed, ours and the peers'; BENCH=--list names the jobs, BENCH=train runs those
	@python=$$(tools/find-python.sh) && "$$python" tools/setup.py bench
	$(BIN)/python -m benchmarks $(BENCH)

.PHONY: soak
soak: setup ## a crowd, slow sockets and a visitor against the server program: some minutes
	$(BIN)/python -m benchmarks.soak

.PHONY: lock
lock: setup ## write the lock files anew; LOCK=--upgrade takes the newest releases
	@tools/lock.sh $(LOCK)
	@cd tools/pyodide && npm install --package-lock-only --silent --omit-lockfile-registry-resolved
	@cd src/pairloom/static_edition/npm && npm install --package-lock-only --silent --omit-lockfile-registry-resolved

.PHONY: clean
clean: ## remove .venv and everything else that these commands have made
	rm -rf .venv .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist src/*.egg-info \
		tools/pyodide/node_modules screenshots bench-results
	find src tests tools $(wildcard benchmarks examples fuzz) -name __pycache__ -prune -exec rm -rf {} +

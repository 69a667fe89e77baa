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

# Each part installs what it needs; add a part by its name.
.PHONY: test-full
test-full: test test-static test-notebooks ## run all that `make test` runs, all of it on the static edition, and the widget in notebooks

.PHONY: test-static
test-static: setup-browser ## run every test of the pages on the static edition, too
	PAIRLOOM_STATIC=all $(BIN)/pytest -n $(WORKERS) $(PYTEST) tests/web

.PHONY: test-notebooks
test-notebooks: setup-browser ## run the widget in a real Chromium, inside of marimo and JupyterLab
	@python=$$(tools/find-python.sh) && "$$python" tools/setup.py full
	$(BIN)/pytest -n 0 $(PYTEST) tests/full

.PHONY: test-pythons
test-pythons: setup ## run core, vectors and a request on CPython 3.12, 3.13 and 3.14 (needs Node.js)
	@tools/test-pythons.sh

.PHONY: test-sanitized
test-sanitized: setup ## run the kernel's tests under GCC's address and undefined-behaviour sanitizers
	@tools/test-sanitized.sh $(PYTEST)

.PHONY: check
check: setup ## check types, format, lint and message catalogues
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy $(TYPED)
	$(BIN)/python tools/catalogues.py --check
	$(BIN)/python tools/bill_of_materials.py --check

.PHONY: catalogues
catalogues: setup ## gather the messages of the pages, renew and compile each language
	$(BIN)/python tools/catalogues.py

.PHONY: reference
reference: setup ## write anew what is generated: pages of docs/, the bill of materials, vectors of `pairloom check`
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/bill_of_materials.py
	$(BIN)/python tools/pack_cases.py

.PHONY: format
format: setup ## format the sources and mend what the linter can mend
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

.PHONY: bench
bench: ## measure speed, ours and the peers'; BENCH=--list names the jobs, BENCH=train runs those
	@python=$$(tools/find-python.sh) && "$$python" tools/setup.py bench
	$(BIN)/python -m benchmarks $(BENCH)

.PHONY: fuzz
fuzz: setup ## look for inputs that break kernel or formats, 2 minutes a target; FUZZ="--seconds 9 counting"
	@tools/fuzz.sh $(FUZZ)

.PHONY: soak
soak: setup ## a crowd, slow sockets and a visitor against the server program; 20 minutes of fuzzing a target
	$(BIN)/python -m benchmarks.soak
	@tools/fuzz.sh --seconds 1200
	@$(MAKE) --no-print-directory soak-corpora

.PHONY: soak-corpora
soak-corpora: setup ## 30 schedules of killed workers, 3 lost nodes: counting has to be exact each time
	PAIRLOOM_SOAK_SCHEDULES=30 PAIRLOOM_SOAK_NODES=3 $(BIN)/pytest -q -n 0 tests/corpus/test_ray.py tests/corpus/test_lost_work.py

.PHONY: release-check
release-check: setup ## build what would be released, install it afresh, try it; what passed stands in dist/
	$(BIN)/python tools/release_check.py

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

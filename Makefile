# What a person types: `make up` serves, `make test` proves. Both install what they need into .venv first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python
# Some hundred processes are started, and each would compile all of ours where the surroundings forbid to keep it.
export PYTHONDONTWRITEBYTECODE :=
# As many processes as there are cores; suites that bring up whole platforms have one each.
JOBS ?= auto
SHARED := $(RUN) -m pytest --numprocesses $(JOBS) --dist worksteal
# What tests in Node.js need, where there is an npm to bring it; without one they say so and are skipped.
NODE_PARTS := $(if $(shell command -v npm 2>/dev/null),protos/node_modules gateway/web/node_modules tests/integration/node_client/node_modules)

.PHONY: up test check types engines integration browser protos golden soak deploy

up: $(VENV)/up.installed
	$(BIN)/tidelog up $(ARGS)

# What must hold at every commit: form, types, walls, and the suites that need no process of ours.
check: $(VENV)/test.installed $(NODE_PARTS)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(MAKE) --jobs=2 types engines
	$(SHARED) tests/contract tests/protos tests/services tests/web

types: $(VENV)/test.installed
	$(BIN)/mypy

engines: $(VENV)/test.installed
	$(SHARED) tests/engines tests/conformance tests/architecture --cov

test: check
	$(SHARED) tests/faults tests/gateway tests/deploy tests/docs
	$(MAKE) --jobs=2 integration browser

integration browser: $(VENV)/test.installed $(NODE_PARTS)
	$(RUN) -m pytest tests/$@

protos: $(VENV)/test.installed protos/node_modules
	cd protos && node_modules/.bin/buf lint && node_modules/.bin/buf breaking --against breaking.binpb
	$(RUN) protos/generate.py
	$(RUN) protos/reference.py
	$(RUN) protos/openapi.py
	cd protos && node_modules/.bin/buf build -o breaking.binpb --exclude-source-info

golden: $(VENV)/test.installed
	$(RUN) -m tests.engines.golden

soak: $(VENV)/test.installed
	$(RUN) -m pytest -m soak -o faulthandler_timeout=7200

deploy: $(VENV)/up.installed
	$(RUN) deploy/generate.py

$(VENV)/up.installed: pyproject.toml
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --editable .
	touch $@

$(VENV)/test.installed: pyproject.toml
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/up.installed

%/node_modules: %/package-lock.json
	cd $* && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && touch node_modules

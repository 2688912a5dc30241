# make run [ARGS="grade my_attention.py"] · make test · make lint · make bench · make mutation · make sweep · make marking
# GNU make 3.81 (macOS) is enough. The stamps are files in the virtual environment: a second run installs nothing.

VENV ?= .venv
ARGS ?=
# Neighbours share what their module set up; who is done takes from the others.
PYTEST_ARGS ?= -n auto --dist worksteal
# What `make dev` installs; "dev,triton" also grades and tests Triton kernels (1 GB).
EXTRAS ?= dev

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq --constraint constraints.txt
# "compat" puts the checkout on the path by a line of text; the other way runs an import hook at each start (20 ms).
EDITABLE := --config-settings editable_mode=compat --editable
# Where PYTHONDONTWRITEBYTECODE is set, the checkout would be compiled anew at each start.
COMPILE := $(BIN)/python -m compileall -q interview_coach
SETUP := pyproject.toml setup.py constraints.txt

.PHONY: run test lint types imports bench mutation sweep marking dev wheel clean

run: $(VENV)/.installed
	@$(BIN)/coach $(ARGS)

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

imports: $(VENV)/.installed-dev
	$(BIN)/lint-imports

# What is installed is compiled; a checkout has changed since it was set up.
bench: $(VENV)/.installed
	@$(COMPILE)
	$(BIN)/python -m benchmarks

mutation: $(VENV)/.installed-dev
	$(BIN)/python -m tests.mutation

sweep: $(VENV)/.installed-dev
	$(BIN)/python -m tests.sweep

marking: $(VENV)/.installed-dev
	$(BIN)/python -m tests.marking

dev: $(VENV)/.installed-dev

wheel: $(VENV)/.installed
	$(BIN)/python -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) build dist *.egg-info

$(BIN)/python:
	@for python in python3 python3.14 python3.13 python3.12 python3.11; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			exec "$$python" -m venv $(VENV); \
		fi; \
	done; \
	echo "Python 3.11 or newer is needed, and python3 is older or missing. Install one, then run make again." >&2; \
	exit 1

$(VENV)/.installed: $(SETUP) | $(BIN)/python
	@echo "Setting up $(VENV), once: PyTorch is large, this can take a few minutes." >&2
	@$(PIP) $(EDITABLE) .
	@$(COMPILE)
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(PIP) $(EDITABLE) '.[$(EXTRAS)]'
	@$(COMPILE)
	@touch $@

# Two commands for a fresh machine: `make demo` installs and plays the recorded game, `make test` installs and tests.
# What follows `deskref demo` goes into ARGS: make demo ARGS=--no-browser
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test test-slow lint clean

demo: $(VENV)/installed
	@$(BIN)/deskref demo $(ARGS)

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -n auto --dist loadscope

test-slow: $(VENV)/installed-dev
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "deskref needs Python 3.11 or newer, and '$(PYTHON)' is none. Install it (Debian: sudo apt-get install python3 python3-venv;" ; \
	  echo "macOS: brew install python@3.13), or name another with: make demo PYTHON=python3.12" ; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV) ; \
	  echo "Python's venv module is missing. Debian and Ubuntu: sudo apt-get install python3-venv" ; exit 1; }

$(VENV)/installed: $(BIN)/python pyproject.toml
	@echo "Installing deskref into $(VENV): about 200 MB to download, once."
	@$(BIN)/python -m pip install --quiet --editable .
	@$(BIN)/python -m deskref.libraries
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info

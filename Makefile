# Every target sets up the virtual environment it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
READY := $(VENV)/.ready
OLD := .venv-duckdb-1

.PHONY: demo test test-faults test-duckdb-1 check bench clean

$(CORE): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $(CORE)

$(READY): $(CORE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $(READY)

demo: $(CORE)  ## make a hospital table in DuckDB, anonymize it, show before and after
	$(BIN)/kanon demo --force

test: $(READY)  ## run the tests
	$(BIN)/python -m pytest -n auto --dist worksteal

test-faults: $(READY)  ## stop an in-place run before and after every statement, in every way, on every engine
	KANON_FAULTS=all $(BIN)/python -m pytest -n auto --dist worksteal tests/faults

test-duckdb-1: $(READY)  ## run what concerns DuckDB on its last 1.x release, in an environment of its own
	test -d $(OLD) || $(PYTHON) -m venv $(OLD)
	$(OLD)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test]' 'duckdb<2'
	$(OLD)/bin/python -m pytest -n auto --dist worksteal -k duckdb --deselect tests/unit/test_wheel.py

check: $(READY)  ## lint, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)  ## measure against the floor and write benchmarks/RESULTS.md
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(OLD) kanon_demo dist .pytest_cache .mypy_cache .ruff_cache

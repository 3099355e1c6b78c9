# Every target creates the virtual environment that it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.core
TEST_READY := $(VENV)/.ready
VENV_DUCKDB_1 := .venv-duckdb-1

.PHONY: demo test test-faults test-duckdb-1 check bench clean

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $(INSTALLED)

$(TEST_READY): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $(TEST_READY)

demo: $(INSTALLED)  ## create a hospital table in DuckDB, anonymize it, show before and after
	$(BIN)/kanon demo --force

test: $(TEST_READY)  ## run the tests
	$(BIN)/python -m pytest -n auto --dist worksteal

test-faults: $(TEST_READY)  ## run all fault tests: stop runs in place at every statement, on every engine
	KANON_FAULTS=all $(BIN)/python -m pytest -n auto --dist worksteal tests/faults

test-duckdb-1: $(TEST_READY)  ## run the DuckDB tests on its last 1.x release, in a separate environment
	test -d $(VENV_DUCKDB_1) || $(PYTHON) -m venv $(VENV_DUCKDB_1)
	$(VENV_DUCKDB_1)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test]' 'duckdb<2'
	$(VENV_DUCKDB_1)/bin/python -m pytest -n auto --dist worksteal -k duckdb --deselect tests/unit/test_wheel.py

check: $(TEST_READY)  ## lint, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(TEST_READY)  ## run the benchmarks and write benchmarks/RESULTS.md
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(VENV_DUCKDB_1) kanon_demo dist .pytest_cache .mypy_cache .ruff_cache

# Every target does the whole set-up first, on a machine that has only Python and make.
#
#   make review ARGS="--scope smoke"     ARGS is handed to the command that a target runs
#   make test PYTHON=python3.12          PYTHON names the interpreter that .venv is made with

ARGS =
PYTHON ?=
export PYTHON
# Python keeps what it compiled of its modules: without that each command takes seconds to start.
unexport PYTHONDONTWRITEBYTECODE

BIN = .venv/bin

# The set-up is done when this file is there. Its name changes with what the set-up is made from.
STAMP := .venv/ready-$(shell (pwd; cat .setup/setup .setup/requirements.txt pyproject.toml) \
	| sha256sum | cut -c 1-16)

.PHONY: help setup review site test test-slow test-brokers lint lock clean
.DEFAULT_GOAL = help

help: ## Show this help
	@echo "Usage: make TARGET [ARGS=\"...\"] [PYTHON=...]"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 14

setup: $(STAMP) ## Make .venv, and see to Java and Graphviz
	@echo "tierproof is set up: $(BIN)/tierproof"

review: $(STAMP) ## Check every design and write the report (ARGS: those of tierproof review)
	@$(BIN)/tierproof review $(ARGS)

site: $(STAMP) ## Build the site of the documentation, build/site/index.html
	@$(BIN)/python -m sphinx -q -W --keep-going -b html -d build/site.cache docs build/site
	@echo "build/site/index.html"

test: $(STAMP) ## Run the tests, but for the slow ones (ARGS: those of pytest)
	@$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

test-slow: $(STAMP) ## Run the slow tests
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m "slow and not brokers" $(ARGS)

test-brokers: $(STAMP) ## Run the tests that start released Kafka brokers (they need Maven)
	@$(BIN)/python -m pytest -m "brokers and not slow" -rs $(ARGS)

lint: $(STAMP) ## Check style, format, types, and the words of the register
	@$(BIN)/python -m ruff check
	@$(BIN)/python -m ruff format --check
	@$(BIN)/python -m mypy
	@$(BIN)/python -m tierproof.register.check

lock: ## Renew the locked package versions (needs uv)
	uv pip compile --universal --fork-strategy fewest --python-version 3.11 --generate-hashes \
		--no-emit-index-url --custom-compile-command "make lock" --all-extras --upgrade --quiet \
		--output-file .setup/requirements.txt pyproject.toml

clean: ## Remove all that was made here, .venv included
	rm -rf .venv .tierproof build spark-warehouse metastore_db derby.log *.egg-info
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP):
	@.setup/setup
	@rm -f .venv/ready-*
	@touch $@

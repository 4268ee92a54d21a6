# The same verbs for people and CI. Each lays what it needs first (.ci/setup, .venv); `make help` lists them.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# A cargo that rustup put under the home folder counts, also where the shell doesn't have it on its path.
export PATH := $(PATH):$(HOME)/.cargo/bin

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TARGET := $(or $(CARGO_TARGET_DIR),target)
RUST_SOURCES := Cargo.toml Cargo.lock $(shell find core abi -name '*.rs' -o -name '*.toml' -o -name '*.h' -o -name '*.bin')
PYTHON_SOURCES := pyproject.toml $(shell find bindings/python -type f -not -path '*/__pycache__/*')

.PHONY: help demo test test-rust test-native test-python lint bench wheel sdk reproduce notices callers fuzz clean

help: ## list the verbs
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

demo: $(VENV)/.installed ## fill a library from the shipped project log and ask it ten questions
	@$(BIN)/corecall demo

test: test-rust test-native test-python ## set up and pass every test

test-rust: .ci/.test-packages ## the engine and the C face
	cargo build --release --locked --package corecall-abi
	cargo test --release --locked --workspace

test-native: .ci/.test-packages ## the contract cases through C, under Valgrind too
	cargo build --release --locked --package corecall-abi
	tests/contract/run-c $(TARGET)/release

test-python: $(VENV)/.installed $(VENV)/.test .ci/.test-packages ## the Python face, the contract's twin, the malformed requests
	$(BIN)/python -m pytest -q tests

lint: $(VENV)/.test $(VENV)/.installed ## formatting, lints and types, warnings as errors
	cargo fmt --all --check
	cargo clippy --release --locked --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check bindings tests wheels
	$(BIN)/ruff check bindings tests wheels
	$(BIN)/mypy

bench: $(VENV)/.installed $(VENV)/.test ## speed, as figures and ratios (not part of the tests)
	$(BIN)/python -m tests.bench

wheel: $(VENV)/.test ## the wheel of this platform, into dist/, checked and called by every Python here
	wheels/wheel/build $(CURDIR)/$(BIN)/python dist

sdk: ## the SDK archive of this platform, into dist/, checked and tried
	.ci/setup build
	PYTHON=$(PYTHON) wheels/sdk/build dist

reproduce: ## build the SDK archive twice, in two folders, and compare the bytes
	.ci/setup build
	PYTHON=$(PYTHON) wheels/sdk/reproduce

notices: ## write wheels/THIRD_PARTY_NOTICES.txt anew, after a change of dependencies
	.ci/setup build
	$(PYTHON) wheels/sdk/notices.py

callers: .ci/.callers-packages ## the contract cases through seven languages, from an SDK folder alone (SDK=FOLDER)
ifeq ($(SDK),)
	cargo build --release --locked --package corecall-abi
	tests/callers/stage-sdk $(TARGET)/release $(TARGET)/callers/sdk
endif
	tests/callers/run $(or $(SDK),$(TARGET)/callers/sdk) $(TARGET)/callers/work

fuzz: .ci/.fuzz-packages ## fuzz the envelope and corecall_call, SECONDS_EACH=300 a target
	abi/fuzz/run $(or $(SECONDS_EACH),300)

clean: ## remove what was built
	cargo clean
	rm -rf $(VENV) dist .ci/.*-packages

.ci/.%-packages: .ci/setup
	.ci/setup $*
	@touch $@

$(VENV)/.created:
	.ci/setup build
	$(PYTHON) -m venv $(VENV)
	@touch $@

# The package itself, built from this tree and installed as a user would get it. The interpreter is named, since
# maturin else takes the first python3 of the path, which needn't have cffi.
$(VENV)/.installed: $(VENV)/.created $(RUST_SOURCES) $(PYTHON_SOURCES) tests/constraints.txt
	$(BIN)/pip install -q --constraint tests/constraints.txt maturin cffi
	rm -rf $(VENV)/wheel
	$(BIN)/maturin build -q --interpreter $(BIN)/python --profile release --locked --out $(VENV)/wheel
	$(BIN)/pip install -q --constraint tests/constraints.txt --force-reinstall --no-deps $(VENV)/wheel/*.whl
	$(BIN)/pip install -q --constraint tests/constraints.txt $(VENV)/wheel/*.whl
	@touch $@

$(VENV)/.test: $(VENV)/.created tests/constraints.txt
	$(BIN)/pip install -q --requirement tests/constraints.txt
	@touch $@

# SPDX-License-Identifier: MIT
.DEFAULT_GOAL := help
SHELL := bash
BIN := .venv/bin
# A file goes to one worker: what its tests share is compiled once, not once a worker.
PYTEST := $(BIN)/pytest --quiet --numprocesses auto --maxprocesses 8 --dist loadfile --installed
.NOTPARALLEL:
.PHONY: help setup fit test fuzz check-slow prove bench bench-embedded records evidence lint format report docs atlas generated clean pins answers release

help: ## print this list
	@echo "aesfit: the AES implementation that fits a processor"
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1:\2/p' $(MAKEFILE_LIST) | \
		while IFS=: read -r target what; do printf '  make %-14s %s\n' "$$target" "$$what"; done

setup: ## install what is missing, make .venv, build, install editable
	@tools/setup.sh test

fit: ## set up and run the main job: which AES for CCM packets on an STM32F407
	@tools/setup.sh fit
	@$(BIN)/aesfit fit --platform stm32f407 --mode ccm --bytes 1504

test: setup ## set up and pass all quick tests (ARGS=tests/python/files: those of one room alone)
ifdef ARGS
	@$(PYTEST) $(ARGS)
else
	@tools/test_c.sh release
	@tools/test_c.sh bound
	@tools/test_c.sh i686
	@tools/test_c.sh sanitized
	@echo "== Python tests"
	@$(PYTEST)
endif

fuzz: ## run each fuzz target of the C library RUNS times more (make fuzz RUNS=1000000)
	@tools/setup.sh test
	@tools/test_c.sh fuzz $(or $(RUNS),100000)

check-slow: ## test in full: with other compilers, cross-compiled and emulated, every core with every mode
	@tools/setup.sh slow
	@tools/test_c.sh clang
	@tools/test_c.sh gcc-sanitized
	@tools/test_c.sh gcc-i686
	@tools/cross.sh
	@tools/rust.sh
	@echo "== Python tests, slow"
	@$(PYTEST) --slow

prove: ## prove every core and every mode on the emulated platforms, and test the prover in full
	@tools/setup.sh test
	@tools/prove.sh
	@$(PYTEST) --slow tests/python/proving

bench: ## cycles per byte beside OpenSSL and the floor; 32-bit; Python; the tracer; files beside openssl enc
	@tools/setup.sh bench
	@tools/bench.sh

bench-embedded: ## flash, RAM and cycles on small processors beside their goals (ARGS=--json)
	@tools/setup.sh fit
	@$(BIN)/python bench/bench_embedded.py $(ARGS)

records: ## cores in assembly beside their goals, and every best published figure beside ours (ARGS=--json)
	@tools/setup.sh fit
	@$(BIN)/python bench/bench_records.py $(ARGS)

evidence: ## compare timing models with other emulators and measured sequences, and record what came out
	@tools/setup.sh test
	@$(BIN)/python tools/make_evidence_arm7tdmi.py
	@$(BIN)/python tools/make_evidence_rtl.py
	@$(BIN)/python tools/make_evidence_sequences.py

answers: ## ask fixed questions and show which answers changed (ARGS=--write stores them; ARGS="fit measure" asks some)
	@tools/setup.sh test
	@$(BIN)/python tools/answers.py $(ARGS)

lint: ## check style and types of C and Python
	@tools/setup.sh test
	@tools/lint.sh

format: ## rewrite C and Python in the project's style
	@tools/setup.sh test
	@tools/lint.sh --fix

report: ## write the five papers beside what was measured, and this machine's bench, into report/
	@tools/setup.sh bench
	@$(BIN)/aesfit papers report -o report
	@tools/bench.sh --report report/bench

docs: ## build the documentation as a site into build/site, and check it
	@tools/setup.sh slow
	@$(BIN)/pytest --quiet --slow tests/python/test_docs_site.py

atlas: ## measure the lines of the atlas that are missing or old (ARGS=--check)
	@tools/setup.sh test
	@$(BIN)/python tools/make_atlas.py $(ARGS)

generated: ## renew the files that are made from others and are old (ARGS=--check lists all)
	@tools/setup.sh test
	@$(BIN)/python tools/generated.py $(ARGS)

release: ## make what a release consists of, and try it: packages, changes, bill of materials, digests
	@tools/setup.sh slow
	@$(BIN)/python tools/release.py

clean: ## remove everything that was built (and .venv)
	rm -rf build dist report .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache

pins: ## (maintainers) pin the Python packages anew, with hashes
	@tools/make_pins.sh

# What a person needs to know stands behind `##`; `make help` prints it.
SHELL := /bin/bash
# The project's own Node 24 leads, whatever the machine has.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help install run build dev check lint fmt types test test-runtimes bench generate verify clean

help: ## Print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk 'BEGIN {FS = ":.*## "}; {printf "  %-14s %s\n", $$1, $$2}'

node_modules/.package-lock.json: package.json package-lock.json
	npm install --no-save --no-audit --no-fund
	@touch $@

install: node_modules/.package-lock.json ## Install what npm provides, exactly as locked

run: build ## Start a node, deploy the example app from git, run an action; stays up until Ctrl-C
	node examples/run-demo.ts

build: dist/svc ## Build the one file dist/svc

dist/svc: install $(shell git ls-files cmd internal sdk package.json 2>/dev/null)
	node cmd/build/main.ts

dev: install ## Start from source, again at every change
	node --watch cmd/svc/main.ts start

check: install types verify test ## The whole gate: format, lint, types, generated files, tests

lint: install ## Format and lint without changing anything
	biome ci .
	depcruise --config .dependency-cruiser.cjs cmd internal sdk

fmt: install ## Format, and mend what lint can mend
	biome check --write .

types: install ## Check the types, as Node and as Deno see them
	tsc -p .

generate: install ## Write the generated files anew
	node cmd/build/generate.ts

verify: install ## Fail when a generated file is stale
	node cmd/build/generate.ts --check

test: install ## Run all tests
	vitest run
	node --test 'examples/hello/test/*.test.ts'

test-runtimes: install build ## The HTTP tests against Node source, Deno source and dist/svc
	vitest run test/runtimes

bench: build ## Measure speed beside graphile-worker, pg-boss and BullMQ; writes docs/benchmarks.md
	cd test/bench && npm ci --no-audit --no-fund
	node test/bench/main.ts

clean: ## Remove what was built
	rm -rf dist coverage

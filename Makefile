# Every word that a person needs; `make check` is the whole gate. The Node that runs things is the project's own, from npm
# (24, in node_modules/.bin); the system's, 20.20 or newer, runs npm itself. The sources need Node 22.18.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

SYSTEM_PATH := $(PATH)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

TEST_REPORT := dist/test-report.json
# which of the slow test files a run has (test/durations/shares.ts)
TEST_SHARE ?= commit
EXAMPLE_REPORT := dist/example-tests.tap
INSTALLED := node_modules/.package-lock.json
SOURCES := $(shell find cmd internal sdk web docs examples -type f -not -name '*.test.ts') $(wildcard *.md) package.json package-lock.json

.PHONY: help
help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: dist/svc need-git ## install, build, start a node, deploy the example from git and run it
	@node examples/run-demo.ts

.PHONY: build
build: dist/svc ## build dist/svc, the single file

.PHONY: dev
dev: $(INSTALLED) console guides ## run a node from source and restart it when a file changes
	@tsx watch cmd/svc/main.ts start

.PHONY: console
console: $(INSTALLED) ## build the console into dist/web, for a node that runs from source
	@node cmd/build/console.ts

.PHONY: guides
guides: $(INSTALLED) ## build the guides into dist/docs, for a node that runs from source
	@node cmd/build/guides.ts

.PHONY: console-dev
console-dev: $(INSTALLED) console guides ## the console from source at port 5173, before a node; NODE=http://127.0.0.1:3000
	@node cmd/build/console-dev.ts $(or $(NODE),http://127.0.0.1:3000)

.PHONY: check
check: verify lint types test ## the whole gate: format, lint, imports, generated files, types, tests

.PHONY: lint
lint: $(INSTALLED) ## format, lint and the import table between modules
	@biome ci --colors=off --error-on-warnings .
	@depcruise --config .dependency-cruiser.cjs internal cmd sdk test examples

.PHONY: types
types: $(INSTALLED) ## types, as Node and as Deno see them; again in seconds
	@tsc -p . --incremental --tsBuildInfoFile node_modules/.cache/tsc/node.tsbuildinfo
	@tsc -p web --incremental --tsBuildInfoFile node_modules/.cache/tsc/web.tsbuildinfo
	@deno check --quiet cmd/svc/main.ts

.PHONY: fmt
fmt: $(INSTALLED) ## format and fix what can be fixed
	@biome check --write .

.PHONY: generate
generate: $(INSTALLED) ## write the generated files again
	@node cmd/build/generate.ts

.PHONY: verify
verify: $(INSTALLED) ## fail when a generated file is stale
	@node cmd/build/generate.ts --check

.PHONY: test
test: need-git dist/svc test-tools ## install what the tests need and run them, the slow files by turns; TEST_SHARE=all runs all of them
	@mkdir -p dist
	@TEST_SHARE=$(TEST_SHARE) TEST_REPORT=$(TEST_REPORT) TEST_PROGRAM=dist/svc vitest run
	@# they wait for nodes more than they compute, and Node would run one fewer than there are cores
	@TEST_PROGRAM=dist/svc node --test --test-concurrency=4 --test-reporter=spec --test-reporter-destination=stdout \
	  --test-reporter=tap --test-reporter-destination=$(EXAMPLE_REPORT) 'examples/*/test/*.test.ts'
	@TEST_SHARE=$(TEST_SHARE) node test/durations/main.ts

.PHONY: test-unit
test-unit: $(INSTALLED) ## the rules and the use cases alone, in seconds: no browser, no server, no dist/svc
	@vitest run --project unit --project console

.PHONY: test-long
test-long: need-git dist/svc test-tools ## the long forms: property tests with many times the cases, every kill, scans at high accuracy, chaos, every look of the console
	@TEST_RUNS=long TEST_PROGRAM=dist/svc vitest run test/console $(shell grep -rl --include='*.test.ts' support/runs.ts test internal)

.PHONY: test-runtimes
test-runtimes: need-git dist/svc ## the same requests against Node source, Deno source and dist/svc
	@vitest run test/runtimes

.PHONY: bench
bench: dist/svc bench-tools ## measure beside the peers, about half an hour; ONLY=S1,S5 measures a part
	@node test/bench/main.ts

.PHONY: simulate
simulate: $(INSTALLED) ## 1,000 workers, 100 cells and a million jobs a minute in virtual time, calibrated by docs/scale.md; SEED=19
	@node test/scale/main.ts

.PHONY: bench-guard
bench-guard: dist/svc bench-tools ## measure beside another commit, fail if a tenth slower; BASE=main (else the last tag) ONLY=S1,S5
	@node test/bench/guard.ts

.PHONY: pictures
pictures: dist/svc test-tools ## make the pictures of the console in docs/images again, about two minutes
	@TEST_RUNS=long vitest run test/console/walk.test.ts
	@node test/console/doc-pictures.ts
	@node test/e2e/trace-picture.ts

.PHONY: console-looks
console-looks: dist/svc test-tools ## write the pictures again with which tests compare pages of the console, after a change that is meant
	@RECORD_LOOKS=on TEST_PROGRAM=dist/svc vitest run test/console/looks.test.ts

.PHONY: bench-console
bench-console: dist/svc test-tools ## measure the console in a browser before 100,000 jobs, about two minutes
	@node test/bench/console.ts

.PHONY: chaos
chaos: dist/svc need-git test-tools ## break nodes, guests, database and disk under load, then audit; CHAOS_SECONDS=600 SEED=1 BACKEND=sqld
	@node test/chaos/main.ts

.PHONY: rolling
rolling: dist/svc need-git test-tools ## replace the nodes of a release one by one by the next, under load, over sqld and a file; BASE=<commit>
	@TEST_RUNS=long ROLLING_BASE=$(BASE) TEST_PROGRAM=dist/svc vitest run test/e2e/rolling

.PHONY: chaos-mutants
chaos-mutants: dist/svc need-git test-tools ## plant faults into a copy of the source and see that chaos finds each; ONLY=early-ack SEED=1
	@node test/chaos/mutants-main.ts

.PHONY: review
review: $(INSTALLED) ## print the figures of the source: sizes, comments, tests beside it, words, commit subjects
	@node test/review/main.ts

.PHONY: registry-report
registry-report: $(INSTALLED) test-tools ## tell how well registry certificates are read, field by field; DOCUMENTS=1000
	@node test/registry/quality/report.ts

.PHONY: scan-report
scan-report: $(INSTALLED) test-tools ## tell how well scans of them are read, at each quality and accuracy; SCANS_PER_KIND=2
	@node test/registry/quality/scan-report.ts

.PHONY: escape
escape: $(INSTALLED) test-tools ## hostile jobs under every sandbox: what gets out; ONLY=bubblewrap PAIRS=200
	@node test/escape/main.ts

.PHONY: flood
flood: $(INSTALLED) test-tools ## how a node answers while its jobs write and ask as fast as they can; SECONDS=10
	@node test/escape/node-under-flood.ts

# $(call debian,<what is there when nothing is missing>,<packages>,<what they are for>): by apt where it may, else a sentence.
define debian
@if ! { $(1); } >/dev/null 2>&1; then \
  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
    (apt-get install -y -qq $(2) >/dev/null 2>&1 || \
      (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(2) >/dev/null)) || \
      echo "apt-get could not install $(2): $(3) will fail." >&2; \
  else echo "For $(3): apt-get install $(2)" >&2; fi; \
fi
endef

# What tests use beside npm's packages: confinement for jobs, clocks that can be turned, a compiler for the disk that forgets, databases, a font with Hangul and a renderer for
# certificates in PDF and as scans, a browser.
NANUM := /usr/share/fonts/truetype/nanum
.PHONY: test-tools
test-tools:
	$(call debian,command -v bwrap,bubblewrap,tests of the confinement of jobs)
	$(call debian,ls /usr/lib/*/faketime/libfaketime.so.1,libfaketime,chaos with wrong clocks)
	$(call debian,ls /usr/lib/postgresql/*/bin/postgres && command -v redis-server && command -v mariadb-install-db,postgresql redis-server mariadb-server,tests of jobs with a private database)
	$(call debian,command -v gcc && ls /usr/include/dlfcn.h,gcc libc6-dev,tests of power cuts and failing disks)
	$(call debian,ls $(NANUM)/NanumGothicCoding.ttf && command -v pdftoppm,fonts-nanum-coding poppler-utils,tests that write and scan certificates)
	$(call debian,command -v gs && command -v qpdf && command -v mutool && command -v pdftk,ghostscript qpdf mupdf-tools pdftk-java,tests of certificates that other programs wrote again)
	$(call debian,command -v nginx || ls /usr/sbin/nginx,nginx-light,the test of svc behind a proxy)
	$(call debian,(command -v chromium-headless-shell || command -v chromium) && ls $(NANUM)/NanumGothic.ttf,chromium-headless-shell fonts-nanum,tests of the console)

# The queues that svc is measured beside, and the servers that they need. One that is missing is left out of the table.
.PHONY: bench-tools
bench-tools: $(INSTALLED)
	@(cd test/bench/peers && PATH="$(SYSTEM_PATH)" npm install --no-save --no-progress --silent) || \
	  echo "The peers could not be installed from npm; they will be left out." >&2
	@if ! command -v redis-server >/dev/null || ! ls /usr/lib/postgresql >/dev/null 2>&1; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql redis-server || \
	      echo "apt-get failed; peers without a server will be left out." >&2; \
	  else echo "For all peers: apt-get install postgresql redis-server" >&2; fi; \
	fi

.PHONY: docker
docker: dist/svc ## build the container image svc around dist/svc
	@docker build --tag svc .

.PHONY: test-image
test-image: dist/svc ## build the image by buildah, run it, stop it, start it again; needs root, five minutes
	$(call debian,command -v buildah && command -v debootstrap,buildah debootstrap,building the image)
	@node test/image/main.ts

.PHONY: sdk
sdk: $(INSTALLED) ## build the package @svc/sdk and pack it to dist/svc-sdk-*.tgz
	@node cmd/build/sdk.ts
	@cd dist && PATH="$(SYSTEM_PATH)" npm pack --ignore-scripts ./sdk

# A release contains the Node of arm64, which the build runs to make V8's code cache; dpkg-deb packs for Debian.
ARM64_TOOLS := qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross
.PHONY: release-tools
release-tools: need-git
	$(call debian,command -v qemu-aarch64-static && ls /usr/aarch64-linux-gnu/lib/libstdc++.so.6,$(ARM64_TOOLS),releases for arm64)
	$(call debian,command -v dpkg-deb && command -v ssh-keygen,dpkg openssh-client,Debian packages and signatures)

.PHONY: release
release: $(INSTALLED) release-tools ## build, sign and tag a release in dist/release; VERSION=0.2.0 SIGNING_KEY=~/.ssh/svc-release
	@node cmd/release/main.ts "$(VERSION)" "$(SIGNING_KEY)"

.PHONY: release-key
release-key: $(INSTALLED) ## make the key that signs releases, once; SIGNING_KEY=~/.ssh/svc-release
	@node cmd/release/make-key.ts "$(SIGNING_KEY)"

.PHONY: test-release
test-release: $(INSTALLED) release-tools ## make releases in a copy, compare their bytes, install them in a clean Debian; ten minutes
	$(call debian,command -v debootstrap,debootstrap,a clean Debian)
	@node test/release/main.ts

.PHONY: clean
clean: ## remove what was built; data and installed packages stay
	rm -rf dist coverage

dist/svc: $(INSTALLED) $(SOURCES)
	@echo 'Building dist/svc (10 seconds; the first time on a machine 20) ...'
	@node cmd/build/main.ts

# Through apt where it may, otherwise a sentence that names what is missing.
.PHONY: need-git
need-git:
	@if ! command -v git >/dev/null; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq git; \
	  else echo "git is missing. Install it: apt-get install git" >&2; exit 1; fi; \
	fi

$(INSTALLED): package.json package-lock.json
	@if ! command -v npm >/dev/null; then \
	  echo "npm is missing. Install Node 20 or newer with npm: apt-get install nodejs npm" >&2; exit 1; fi
	@echo 'Installing packages from npm (20 seconds) ...'
	@# not `npm ci`: it refuses a lock file that lacks packages of other platforms which the registry does not have
	@PATH="$(SYSTEM_PATH)" npm install --no-save --no-progress --loglevel=error
	@touch $(INSTALLED)

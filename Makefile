# Limelight: 'make help' lists what can be made.

SWIFT ?= swift
COMMAND = .build/release/limelight
CC ?= cc
# Each kind of build has a folder of its own, so that none makes another one start afresh.
DEBUG = build/test-debug
ASAN = build/test-asan
TSAN = build/test-tsan
# The random suites repeat the same run here; without a seed they take another one each time.
export LIMELIGHT_SEED ?= 1
SOURCES = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests
BENCH = build/benchmarks
BENCH_DEBUG = build/benchmarks-debug

# The machine's cores are for the one build that runs.
.NOTPARALLEL:
.PHONY: build run test test-debug test-sanitizers test-example test-benchmarks test-corpora test-python \
  sanitizers bench bench-build bench-scale format lint install-deps clean help

# Swift's library goes into the command: it starts twice as fast, and runs where Swift is not.
build: install-deps ## build the command, in release mode: .build/release/limelight
	$(SWIFT) build -c release --static-swift-stdlib --product limelight

run: build ## index the packages that apt knows, ask ten questions, then search as you type
	@Tools/debian-tour.sh $(COMMAND) build/tour

test: lint test-debug test-sanitizers test-fuzz test-soak test-example test-benchmarks test-corpora test-c test-python ## check the form of the sources and run all tests

test-debug: install-deps ## run all tests, in debug mode
	$(SWIFT) test --scratch-path $(DEBUG)
	LIMELIGHT_PORTABLE=1 $(SWIFT) test --scratch-path $(DEBUG) --skip-build --filter '$(PORTABLE_SUITES)'

# What compares hits and counts with naive answers, once more without the loops for wide vectors.
PORTABLE_SUITES = SearcherTests|LargeIndexTests|LargeListTests|PhraseTests|ExpandedWordsTests|WideTests

# What reads bytes that may be anything runs under the address sanitizer, as far as the fuzzers, which have
# it too, do not read the same; what runs in several threads runs under the thread sanitizer. 'make
# sanitizers' takes all suites, which needs an hour.
# The interactive crash reporter would wait for a person who is not there; the leaks that LeakSanitizer
# reports are the test runner's own.
ASAN_SUITES = SegmentsTests.(Damage|Spill|Stored)|CodecsTests|CorruptionTests.Overlap|AnalysisTests.HostileTests|ItemsTests.ItemCodec
# Suites that fork stay out: a forked child hangs in the thread sanitizer. Children of trials are spawned,
# and run under it as well: sixteen threads in four processes and in one, and readers that wait.
TSAN_SUITES = ConcurrencyTests|GroupCommitTests|TrialTests.*(processesOfSeveralThreads|WaitTests)
SANITIZED = SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test
# The address sanitizer watches over the ends of the buffers of a search when each is an allocation.
ASAN_FLAGS = --sanitize=address --scratch-path $(ASAN) -Xswiftc -DSEPARATE_BUFFERS

test-sanitizers: install-deps ## run chosen suites under the address and the thread sanitizer
	$(SANITIZED) $(ASAN_FLAGS) --filter '$(ASAN_SUITES)'
	Tests/CTests/sanitized.sh '$(SWIFT)' $(ASAN)
	$(SANITIZED) --sanitize=thread --scratch-path $(TSAN) --filter '$(TSAN_SUITES)'

sanitizers: install-deps ## run all suites under both sanitizers
	$(SANITIZED) $(ASAN_FLAGS)
	$(SANITIZED) --sanitize=thread --scratch-path $(TSAN)

test-example: install-deps ## build and run a package that uses Limelight, and the README's program
	SWIFT='$(SWIFT)' Tests/Example/run.sh

test-benchmarks: install-deps ## test the benchmark runner, in debug mode
	@touch Benchmarks/Package.swift
	$(SWIFT) test --package-path Benchmarks --scratch-path $(BENCH_DEBUG)

test-corpora: build ## import two large corpora, where they are
	Tests/Corpora/import.sh $(COMMAND)

# The library goes into the wheel as it is installed; one wheel is built from the checkout as anybody does.
test-python: install-deps library ## test the Python wheel where there is no compiler; check its types
	LIMELIGHT_LIBRARY=$(CURDIR)/$(STAGE)/$(SHARED) bindings/python/run-tests.sh

include install.mk
include fuzz.mk

# SwiftPM overlooks files that are new in the package beside, until the manifest of this one is new too.
bench-build: install-deps ## build the benchmark runner: build/benchmarks/release/limelight-bench
	@touch Benchmarks/Package.swift
	$(SWIFT) build -c release --static-swift-stdlib --package-path Benchmarks --scratch-path $(BENCH) \
	  --product limelight-bench

# The sizes of `make bench`; those of the docs page Performance are `make bench-scale`.
SIZES = 10000,100000

bench: bench-build ## measure at two sizes in a minute: build/bench/report.md; SIZES=... for others
	@rm -rf build/bench
	$(BENCH)/release/limelight-bench scale --sizes $(SIZES) --output build/bench/results
	$(BENCH)/release/limelight-bench report build/bench/results/*.json --output build/bench
	@echo "see build/bench/report.md"

bench-scale: ## measure at four sizes up to 5,000,000 items, which takes a quarter of an hour and 4 GB of disk
	$(MAKE) bench SIZES=10000,100000,1000000,5000000

format: ## bring the sources into form
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

lint: ## check the form of the sources
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

install-deps: ## install what is missing to build and test (apt, as root or through sudo)
	@Tools/install-deps.sh

clean: ## remove all that was built
	rm -rf .build build

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

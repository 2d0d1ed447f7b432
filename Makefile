# Limelight: 'make help' lists what can be made.

SWIFT ?= swift
COMMAND = .build/release/limelight
# Each kind of build has a folder of its own, so that none makes another one start afresh.
DEBUG = build/test-debug
ASAN = build/test-asan
TSAN = build/test-tsan
SOURCES = Package.swift Sources Tests

# The machine's cores are for the one build that runs.
.NOTPARALLEL:
.PHONY: build run test test-debug test-asan test-tsan sanitizers format lint install-deps clean help

# Swift's library goes into the command: it starts twice as fast, and runs where Swift is not.
build: install-deps ## build the command, in release mode: .build/release/limelight
	$(SWIFT) build -c release --static-swift-stdlib --product limelight

run: build ## index the packages that apt knows, ask ten questions, then search as you type
	@Tools/debian-tour.sh $(COMMAND) build/tour

test: lint test-debug ## check the form of the sources and run all tests

test-debug: install-deps ## run all tests, in debug mode
	$(SWIFT) test --scratch-path $(DEBUG)

# The interactive crash reporter would wait for a person who is not there.
sanitizers: test-asan test-tsan ## run all tests under both sanitizers

test-asan: install-deps ## run all tests under the address sanitizer
	SWIFT_BACKTRACE=enable=no $(SWIFT) test --sanitize=address --scratch-path $(ASAN)

test-tsan: install-deps ## run all tests under the thread sanitizer
	SWIFT_BACKTRACE=enable=no $(SWIFT) test --sanitize=thread --scratch-path $(TSAN)

format: ## bring the sources into form
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

lint: ## check the form of the sources
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

install-deps: ## install what is missing to build and test (apt, as root or through sudo)
	@Tools/install-deps.sh

clean: ## remove all that was built
	rm -rf .build build

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

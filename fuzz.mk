# Long trials: fuzzers.

FUZZ_SECONDS ?= 60

.PHONY: fuzz test-fuzz

test-fuzz: install-deps ## run the fuzzers from their seeds: FUZZ_SECONDS each (60), two at a time
	Tests/Fuzz/run.sh $(FUZZ_SECONDS) short

fuzz: FUZZ_SECONDS = 600
fuzz: install-deps ## run the fuzzers on and on: FUZZ_SECONDS each (600), with the inputs found before
	Tests/Fuzz/run.sh $(FUZZ_SECONDS) long

# Long trials: fuzzers, a soak with kills, counted instructions.

FUZZ_SECONDS ?= 60

.PHONY: fuzz test-fuzz counts counts-renew

test-fuzz: install-deps ## run the fuzzers from their seeds: FUZZ_SECONDS each (60), two at a time
	Tests/Fuzz/run.sh $(FUZZ_SECONDS) short

fuzz: FUZZ_SECONDS = 600
fuzz: install-deps ## run the fuzzers on and on: FUZZ_SECONDS each (600), with the inputs found before
	Tests/Fuzz/run.sh $(FUZZ_SECONDS) long

counts: install-deps ## count instructions of fixed workloads and compare them with the baselines
	Benchmarks/Counts/run.sh check

counts-renew: install-deps ## count them and take them as the baselines of this architecture
	Benchmarks/Counts/run.sh renew

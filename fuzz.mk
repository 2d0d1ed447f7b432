# Long trials: fuzzers, a soak with kills, counted instructions.

FUZZ_SECONDS ?= 60

.PHONY: fuzz test-fuzz soak counts counts-renew

test-fuzz: install-deps ## run the fuzzers from their seeds: FUZZ_SECONDS each (60), two at a time
	Tests/Fuzz/run.sh $(FUZZ_SECONDS) short

fuzz: FUZZ_SECONDS = 600
fuzz: install-deps ## run the fuzzers on and on: FUZZ_SECONDS each (600), with the inputs found before
	Tests/Fuzz/run.sh $(FUZZ_SECONDS) long

MINUTES ?= 20

soak: install-deps ## change, kill and reopen indexes for MINUTES (20): nothing is lost, memory stays flat
	@mkdir -p build
	LIMELIGHT_SOAK_SECONDS=$$(($(MINUTES) * 60)) LIMELIGHT_COMMIT=$$(git describe --always --dirty || echo unknown) \
	  $(SWIFT) test --scratch-path $(DEBUG) --filter CrashTests.SoakTests > build/soak.log 2>&1 || \
	  { cat build/soak.log; exit 1; }
	@sed -n '/^soak:/,/^  memory/p' build/soak.log

counts: install-deps ## count instructions of fixed workloads and compare them with the baselines
	Benchmarks/Counts/run.sh check

counts-renew: install-deps ## count them and take them as the baselines of this architecture
	Benchmarks/Counts/run.sh renew

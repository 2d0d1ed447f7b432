# Long trials: fuzzers, a soak with kills, counted instructions.

FUZZ_SECONDS ?= 60

.PHONY: fuzz test-fuzz soak test-soak trials counts counts-renew

test-fuzz: install-deps ## run the fuzzers from their seeds: FUZZ_SECONDS each (60), two at a time
	Tests/Fuzz/run.sh $(FUZZ_SECONDS) short

fuzz: FUZZ_SECONDS = 600
fuzz: install-deps ## run the fuzzers on and on: FUZZ_SECONDS each (600), with the inputs found before
	Tests/Fuzz/run.sh $(FUZZ_SECONDS) long

MINUTES ?= 20

soak: install-deps ## change, kill and reopen indexes for MINUTES (20): nothing is lost, memory stays flat
	Tools/soak.sh $$(($(MINUTES) * 60)) $(DEBUG)

test-soak: install-deps ## the same for 20 seconds
	Tools/soak.sh 20 $(DEBUG)

# What `make test` does for a part, chosen anew each time.
# The sizes of the public reports M01 to M03 need optimised code; each trial fails by itself.
trials: install-deps ## cut every recovery at every step, a million operations beside a model: half an hour
	$(SWIFT) build -c release --product LimelightTrialChild
	rm -rf build/trials && mkdir -p build/trials
	.build/release/LimelightTrialChild heavy build/trials/heavy 5000 200 5000000
	.build/release/LimelightTrialChild again build/trials/again 200000
	.build/release/LimelightTrialChild mail build/trials/mail 100000000
	rm -rf build/trials
	LIMELIGHT_ALL_FAULTS=1 LIMELIGHT_SOAK_OPERATIONS=1000000 \
	  $(SWIFT) test --scratch-path $(DEBUG) --filter 'TrialTests|FaultTests.SecondFaultTests|FaultTests.RepairFaultTests'

counts: install-deps ## count instructions of fixed workloads and compare them with the baselines
	Benchmarks/Counts/run.sh check

counts-renew: install-deps ## count them and take them as the baselines of this architecture
	Benchmarks/Counts/run.sh renew

# The two commands of a fresh machine are `make demo` and `make test`.

PREFIX ?= /usr/local
RELEASE_FLAGS := -c release
ifeq ($(shell uname -s),Linux)
  # The static library decides start-up time; lld links it without a warning. The names of functions are
  # a third of the program and only a profiler asks for them: `make build NAMES=1` keeps them.
  RELEASE_FLAGS += --static-swift-stdlib -Xswiftc -use-ld=lld
  RELEASE_FLAGS += -Xlinker $(if $(NAMES),--strip-debug,--strip-all)
endif
SOURCES := Package.swift Sources Tests

.PHONY: demo build test test-long test-threads fuzz lint bench install clean help

demo: build ## record a sample session and open the debugger on it
	@.build/release/retcon demo

build: ## the program, optimised, in .build/release/retcon
	@.ci/need ncurses
	swift build $(RELEASE_FLAGS) --product retcon

test: ## every test
	@.ci/need ncurses tmux
	swift test

test-long: ## the long versions of the random tests, optimised
	@.ci/need ncurses tmux
	RETCON_LONG=1 swift test -c release -Xswiftc -enable-testing --scratch-path .build/long

test-threads: ## every test but the end-to-end ones under the thread sanitizer
	@.ci/need ncurses
	swift test --sanitize=thread --scratch-path .build/threads --skip EndToEndTests

# A million texts unless RUNS says otherwise; what was found interesting stays in .build/fuzz.
RUNS ?= 1000000
FUZZ_FLAGS := -swift-version 6 -O -g -package-name retcon -sanitize=fuzzer,address -parse-as-library

fuzz: ## hostile bytes through the parser, the printer, the scanner and the reader of sessions
	@mkdir -p .build/fuzz/found
	swiftc $(FUZZ_FLAGS) -wmo -enable-testing -module-name ValueTree -emit-module \
	  -emit-module-path .build/fuzz/ValueTree.swiftmodule -emit-object \
	  $$(find Sources/ValueTree -name '*.swift') -o .build/fuzz/ValueTree.o
	swiftc $(FUZZ_FLAGS) -I.build/fuzz Tests/Fuzz/ParsingFuzz.swift .build/fuzz/ValueTree.o \
	  -o .build/fuzz/parsing
	swiftc $(FUZZ_FLAGS) -wmo -I.build/fuzz -module-name SessionLog -emit-module \
	  -enable-upcoming-feature ExistentialAny \
	  -emit-module-path .build/fuzz/SessionLog.swiftmodule -emit-object \
	  $$(find Sources/SessionLog -name '*.swift') -o .build/fuzz/SessionLog.o
	swiftc $(FUZZ_FLAGS) -I.build/fuzz Tests/Fuzz/SessionReaderFuzz.swift .build/fuzz/SessionLog.o \
	  .build/fuzz/ValueTree.o -o .build/fuzz/reader
	.build/fuzz/parsing -runs=$(RUNS) -max_len=4096 -dict=Tests/Fuzz/json.dictionary \
	  .build/fuzz/found Tests/Fuzz/Seeds
	@mkdir -p .build/fuzz/found-sessions
	.build/fuzz/reader -runs=$(RUNS) -max_len=4096 -dict=Tests/Fuzz/json.dictionary \
	  .build/fuzz/found-sessions Tests/Fuzz/SessionSeeds

lint: ## format and house rules; fails on any finding
	@swift format lint --strict --recursive $(SOURCES)
	@.ci/lint

bench: ## every bar, as a ratio to a baseline of the same run
	@.ci/need ncurses node
	swift build $(RELEASE_FLAGS)
	@.build/release/Benchmarks $(BENCH)

install: build ## the program in PREFIX/bin
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 .build/release/retcon "$(DESTDIR)$(PREFIX)/bin/retcon"

clean: ## everything that was built
	rm -rf .build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1 : /p' Makefile

# The two commands of a fresh machine are `make demo` and `make test`.

PREFIX ?= /usr/local
RELEASE_FLAGS := -c release
ifeq ($(shell uname -s),Linux)
  # The static library decides start-up time; lld links it without a warning. The names of functions are
  # a third of the program and only a profiler asks for them: `make build NAMES=1` keeps them.
  RELEASE_FLAGS += --static-swift-stdlib -Xswiftc -use-ld=lld
  RELEASE_FLAGS += -Xlinker $(if $(NAMES),--strip-debug,--strip-all)
  # Static libraries for packages, from `.ci/packages`.
  RELEASE_FLAGS += $(if $(ARCHIVES),-Xlinker -L$(ARCHIVES) -Xlinker -ltinfo)
  # Else each module holds a sign that differs from build to build.
  RELEASE_FLAGS += $(if $(ARCHIVES),-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen)
endif
ifeq ($(shell uname -s),Darwin)
  # Homebrew's ncurses where it is installed: it knows the wheel and today's terminals. Else the system's.
  NCURSES := $(firstword $(wildcard /opt/homebrew/opt/ncurses /usr/local/opt/ncurses))
  RELEASE_FLAGS += $(if $(NCURSES),-Xcc -I$(NCURSES)/include -Xlinker -L$(NCURSES)/lib)
endif
# What `retcon --version` says beside the version.
build: export RETCON_COMMIT := $(shell git describe --always --dirty --exclude '*' 2>/dev/null)
SOURCES := Package.swift Sources Tests docs/examples

.PHONY: demo build test frames pictures docs examples test-long test-generated test-composable test-tca javascript-oracle javascript-project page-test live-test langgraph-test report-test test-threads fuzz format lint bench install copy uninstall packages release clean help

demo: build ## record a sample session and open the debugger on it
	@.build/release/retcon demo

build: ## the program, optimised, in .build/release/retcon
	@.ci/need ncurses
	swift build $(RELEASE_FLAGS) --product retcon

test: export RETCON_WITHOUT := $(WITHOUT)
test: ## every test; T=Replay or T=Replay,Recorder builds and runs the tests of these layers alone; WITHOUT="tmux node python compiler" leaves out those that need one of these
	@.ci/need ncurses $(filter-out $(WITHOUT),tmux)
	$(if $(T),RETCON_TESTS=$(T) swift test --test-product retconPackageTests,swift test)

frames: ## writes what tests compare with: screens, keys, answers, docs/fork-rules.md; look at what changed. All texts of the program are in .build/texts.txt
	RETCON_WRITE_FRAMES=1 swift test --filter 'FrameFileTests|KeyFileTests|ForkRulesTests|TranscriptTests|SourceTextsTests'

pictures: build ## makes the pictures of docs anew, from what tmux captures
	@.ci/need tmux
	@.ci/pictures .build/release/retcon
	@.ci/report-pictures .build/release/retcon

docs: ## a static site in .build/docs: the pages and the API of every product
	swift build
	@.ci/site

# Each is a package of its own that names this one, as a stranger's would be.
examples: ## builds the packages of docs/examples, runs their apps and verifies what they recorded
	@.ci/need ncurses
	@.ci/examples

test-long: ## the long versions of the random tests, optimised
	@.ci/need ncurses tmux
	RETCON_LONG=1 swift test -c release -Xswiftc -enable-testing --scratch-path .build/long

live-test: ## recordings of pages in Chromium, of Plotly Dash, and sockets of other libraries; installs what is missing
	@.ci/need ncurses tmux node
	@.ci/live-test

langgraph-test: build ## docs/agent-sessions.md as written, and forks of ten agents against the real graphs; RUNS=N edits of each. Installs LangGraph into .build
	@.ci/langgraph-test

report-test: build ## size and speed of a report of 100,000 steps in Chromium, and timelines through the validators of other tools
	@.ci/report-test

test-generated: ## tests that retcon writes out of samples and random sessions, compiled, run, and run against changed reducers
	@.ci/need ncurses patch
	@.ci/test-generated

test-composable: ## the same for three apps of the Composable Architecture, on the stand-in: which mistakes their tests notice
	@.ci/need ncurses
	@.ci/test-composable

test-tca: ## TCA=DIR, a checkout of swift-composable-architecture: its own tests on the store; what differs is on purpose
	@.ci/test-tca

javascript-oracle: build ## LIBS=DIR, a folder with node_modules of redux, redux-thunk, redux-saga, zustand and @reduxjs/toolkit: forks of six apps against live runs; ORACLE="--sessions 100" and the like
	@.ci/need node
	@.ci/javascript-oracle "$(LIBS)" $(ORACLE)

javascript-project: build ## PROJECT=DIR, a public project of Tests/JavaScriptApps/projects, APP=goals, shop or cart, and LIBS=DIR with its packages: its forks against live runs
	@.ci/need node esbuild
	@node Tests/JavaScriptApps/oracle/oracle.mjs --libs "$(LIBS)" --project "$(PROJECT)" --apps $(APP) --page yes $(ORACLE)

page-test: build ## LIBS=DIR as above: a page with React in Chromium records itself; who sent each of 1,000 answers, and what recording costs
	@.ci/need node
	@.ci/page-test "$(LIBS)"

# Beside the end-to-end tests: the sanitizer takes a trap and a full stack for itself, so that nothing
# says where they were, and ends a program whose files may not grow.
NOT_UNDER_SANITIZER := --skip EndToEndTests --skip 'ReducerHostTests.ReducerHostTests/(trap|recursion)\(' \
  --skip 'TestCommandTests/halfWritten\('

test-threads: ## the tests under the thread sanitizer
	@.ci/need ncurses
	swift test --sanitize=thread --scratch-path .build/threads $(NOT_UNDER_SANITIZER)

# A million inputs each unless RUNS says otherwise; FUZZ names some of them. What was found
# interesting stays in .build/fuzz, also for the next time. ADDRESS=1 watches every access to memory as
# well, at a tenth of the speed.
RUNS ?= 1000000
FUZZ ?= Parsing SessionReader Conditions Imports Sidecar Protocol Sessions Redaction Live
FUZZ_FLAGS := -swift-version 6 -O -g -assert-config Debug -package-name retcon -enable-upcoming-feature ExistentialAny \
  -sanitize=fuzzer $(if $(ADDRESS),-sanitize=address) -parse-as-library -suppress-warnings -I.build/fuzz
FUZZ_LIBRARIES := Platform Essentials ValueTree Sockets SessionWords SessionFile Recorder SessionImports HostProtocol StoreCore StoreRecording Replay TextCanvas Live

fuzz: ## hostile bytes through the parser, the reader of sessions, searches, imports, sidecars, the talk of hosts, whole sessions, redaction and sockets
	@mkdir -p .build/fuzz
	@for name in $(FUZZ_LIBRARIES); do echo "compiling $$name"; \
	  swiftc $(FUZZ_FLAGS) -wmo -enable-testing -module-name $$name -emit-module \
	    -emit-module-path .build/fuzz/$$name.swiftmodule -emit-object \
	    $$(find Sources/*/$$name -name '*.swift') -o .build/fuzz/$$name.o || exit 1; done
	@for name in $(FUZZ); do echo "fuzzing $$name"; mkdir -p .build/fuzz/found/$$name; \
	  swiftc $(FUZZ_FLAGS) -module-name Fuzzing Tests/Fuzz/$${name}Fuzz.swift Tests/Fuzz/FuzzFolder.swift \
	    $$(find Tests/Session/SessionFileTests Tests/Program/LiveTests Tests/Helpers/RecordingSupport -name "$${name}Support.swift") \
	    $(FUZZ_LIBRARIES:%=.build/fuzz/%.o) -o .build/fuzz/$$name || exit 1; \
	  ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=16:detect_leaks=0 \
	  SWIFT_BACKTRACE=enable=no .build/fuzz/$$name -runs=$(RUNS) -max_len=4096 -timeout=20 -rss_limit_mb=512 -print_funcs=0 \
	    -dict=Tests/Fuzz/$$name.dictionary -artifact_prefix=.build/fuzz/ \
	    .build/fuzz/found/$$name Tests/Fuzz/$${name}Seeds || exit 1; done

format: ## formats the other languages, as `swift format` does Swift; FILES="a b" formats these alone
	@.ci/format --mend $(FILES)

lint: ## format and house rules; fails on any finding
	@swift format lint --strict --recursive $(SOURCES)
	@.ci/lint

bench: ## every bar, as a ratio to a baseline of the same run
	@.ci/need ncurses node jq
	swift build $(RELEASE_FLAGS) --product retcon
	swift build $(RELEASE_FLAGS) --product Benchmarks
	@.build/release/Benchmarks $(BENCH)

BUILT ?= .build/release/retcon
SHARE = $(DESTDIR)$(PREFIX)/share

install: build copy ## the program in PREFIX/bin; its manual page and completions where man and the shells look

copy:
	install -d "$(SHARE)/man/man1" "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" \
	  "$(SHARE)/fish/vendor_completions.d" "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 "$(BUILT)" "$(DESTDIR)$(PREFIX)/bin/retcon"
	"$(BUILT)" man > "$(SHARE)/man/man1/retcon.1"
	"$(BUILT)" completions bash > "$(SHARE)/bash-completion/completions/retcon"
	"$(BUILT)" completions zsh > "$(SHARE)/zsh/site-functions/_retcon"
	"$(BUILT)" completions fish > "$(SHARE)/fish/vendor_completions.d/retcon.fish"

uninstall: ## removes what `make install` wrote
	rm -f "$(DESTDIR)$(PREFIX)/bin/retcon" "$(SHARE)/man/man1/retcon.1" "$(SHARE)/bash-completion/completions/retcon" \
	  "$(SHARE)/zsh/site-functions/_retcon" "$(SHARE)/fish/vendor_completions.d/retcon.fish"

packages: ## tarball, .deb, wheel, npm folder, formula and more in .build/packages
	@.ci/need ncurses
	@.ci/packages

release: ## VERSION=1.2.3: the version in the source and the changelog, a tag, and the packages with their checksums
	@.ci/release "$(VERSION)"

clean: ## everything that was built
	rm -rf .build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1 : /p' Makefile
